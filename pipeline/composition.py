"""What Hydra may be told by overrides and by YAMLs of a user's own: what to compose, and nothing to do.

Hydra's own node of the configuration can have it make folders anywhere, set variables of the environment and call any
function (`hydra.callbacks`, `hydra.job_logging`) before our code has seen a key. So it must be as it is shipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hydra._internal import hydra as hydra_main
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf

from pipeline.errors import ConfigError

__all__ = ["guard"]

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


class _Loader(ConfigLoaderImpl):
    """Hydra's loader, whose configurations are looked at before anything is done with them."""

    scratch = ""

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


def guard(scratch: str, overrides: Sequence[str]) -> None:
    """Have Hydra in this process take nothing but what to compose, and leave what it writes of a sweep in a folder.

    Raises ConfigError where an override is of Hydra's own node.
    """
    for override in overrides:
        key = override.lstrip("+~").partition("=")[0].partition("@")[0]
        if key.split(".")[0].split("/")[0] == "hydra":
            msg = f"'{key}' is a key of Hydra's own, which is not yours to set: output=… says where results go"
            raise ConfigError(msg)
    _Loader.scratch = scratch
    hydra_main.ConfigLoaderImpl = _Loader  # type: ignore[attr-defined]


def _check(node: DictConfig) -> None:
    for key, expected in AS_SHIPPED.items():
        found = OmegaConf.select(node, key)
        found = OmegaConf.to_container(found, resolve=False) if OmegaConf.is_config(found) else found
        if found != expected:
            msg = f"hydra.{key} is {found!r} in a YAML of yours, which may say nothing of Hydra itself: leave it out"
            raise ConfigError(msg)
