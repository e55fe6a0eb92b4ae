"""What Hydra may be told by overrides and by YAMLs of a user's own: what to compose, and nothing else to do.

Hydra's own node of the configuration can have it make folders anywhere, set variables of the environment and call any
function (`hydra.callbacks`, `hydra.job_logging`) before our code has seen a key. So it must be as it is shipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from hydra import compose, initialize_config_dir
from hydra._internal import hydra as hydra_main
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra._internal.core_plugins.file_config_source import FileConfigSource
from hydra._internal.sources_registry import SourcesRegistry
from hydra.core.config_search_path import ConfigSearchPath
from hydra.plugins.config_source import ConfigResult
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf

from pipeline.configuration.folders import conf_folder
from pipeline.configuration.settings import register
from pipeline.errors import ConfigError

__all__ = ["composed_of", "guard"]

LARGEST_FILE = 2**20
MOST_NODES = 10_000  # of a YAML with all its aliases spelt out
AS_SHIPPED: dict[str, Any] = {
    "callbacks": {},
    "run.dir": ".",
    "sweep.dir": "/nowhere",
    "sweep.subdir": ".",
    "output_subdir": None,
    "job.chdir": False,
    "job.env_set": {},
    "job.env_copy": [],
    "job_logging": {"version": 1, "root": None, "disable_existing_loggers": False},
    "hydra_logging": {"version": 1, "root": None, "disable_existing_loggers": False},
    "launcher": {"_target_": "hydra._internal.core_plugins.basic_launcher.BasicLauncher"},
    "sweeper": {
        "_target_": "hydra._internal.core_plugins.basic_sweeper.BasicSweeper",
        "max_batch_size": None,
        "params": None,
    },
}


class _File(FileConfigSource):
    """A folder of YAMLs, those of a user's own read with care."""

    def load_config(self, config_path: str) -> ConfigResult:
        """What a YAML holds; ConfigError where it is none, or builds more than text, numbers, lists and mappings."""
        file = Path(self.path) / self._normalize_file_name(config_path)
        if not Path(self.path).resolve().is_relative_to(conf_folder()):
            _check_yaml(file)
        return super().load_config(config_path)


class _Loader(ConfigLoaderImpl):
    """Hydra's loader, whose configurations are looked at before anything is done with them."""

    scratch = ""

    def __init__(self, config_search_path: ConfigSearchPath) -> None:
        SourcesRegistry.instance().types["file"] = _File
        super().__init__(config_search_path)

    def load_configuration(
        self,
        config_name: str | None,
        overrides: list[str],
        run_mode: RunMode,
        from_shell: bool = True,
        validate_sweep_overrides: bool = True,
    ) -> DictConfig:
        """The configuration; ConfigError where it tells Hydra what to do."""
        config = super().load_configuration(config_name, overrides, run_mode, from_shell, validate_sweep_overrides)
        _check(config.hydra)
        config.hydra.sweep.dir = self.scratch
        return config


def composed_of(grid: str, overrides: Sequence[str] = ()) -> DictConfig:
    """The configuration of a grid with some overrides, as a command composes it."""
    register()
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        return compose("config", [f"+grid={grid}", *overrides])


def guard(scratch: str, overrides: Sequence[str]) -> None:
    """Have Hydra in this process take nothing but what to compose, and leave what it writes of a sweep in a folder.

    Raises ConfigError where an override is of Hydra's own node.
    """
    for override in overrides:
        key = override.lstrip("+~").partition("=")[0].partition("@")[0]
        if key.split(".")[0].split("/")[0] == "hydra":
            msg = f"'{key}' is a key of Hydra's own, which is not yours to set: output=… says where results go"
            raise ConfigError(msg)
    OmegaConf.clear_resolver("oc.env")  # what a YAML says is kept beside the results: no place for secrets
    _Loader.scratch = scratch
    hydra_main.ConfigLoaderImpl = _Loader  # type: ignore[attr-defined]


def _check(node: DictConfig) -> None:
    for key, expected in AS_SHIPPED.items():
        found = OmegaConf.select(node, key)
        found = OmegaConf.to_container(found, resolve=False) if OmegaConf.is_config(found) else found
        if found != expected:
            msg = f"hydra.{key} is {found!r} in a YAML of yours, which may say nothing of Hydra itself: leave it out"
            raise ConfigError(msg)


def _check_yaml(file: Path) -> None:
    try:
        if file.stat().st_size > LARGEST_FILE:
            msg = f"{file}: larger than 1 MiB, which no configuration is"
            raise ConfigError(msg)
        root = yaml.compose(file.read_text(encoding="utf-8"), yaml.SafeLoader)
        _count(root, MOST_NODES, ())
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        msg = f"{file}: cannot be read as YAML: {' '.join(str(error).split())}"
        raise ConfigError(msg) from error


def _count(node: yaml.Node | None, most: int, above: tuple[yaml.Node, ...]) -> int:
    """How many nodes a node is with its aliases spelt out; YAMLError where they are more than `most`, or foreign."""
    if node is None:
        return 0
    if not node.tag.startswith("tag:yaml.org,2002:") or "python" in node.tag:
        msg = f"the tag {node.tag} is not one of text, numbers, lists and mappings{node.start_mark}"
        raise yaml.YAMLError(msg)
    if any(node is one for one in above):
        msg = f"something holds itself{node.start_mark}"
        raise yaml.YAMLError(msg)
    below = [part for pair in node.value for part in pair] if isinstance(node, yaml.MappingNode) else []
    below = node.value if isinstance(node, yaml.SequenceNode) else below
    found = 1
    for part in below:
        found += _count(part, most - found, (*above, node))
        if found > most:
            msg = f"more than {MOST_NODES:,} entries once its aliases are spelt out"
            raise yaml.YAMLError(msg)
    return found
