"""Composes configurations with Hydra from the shipped YAMLs, the YAMLs of a user's folder, and overrides.

Only Hydra's Compose API is used. It reads and merges YAMLs. It makes no folder, sets no environment variable and calls
no function that a configuration names. Settings of Hydra itself are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from io import StringIO
from itertools import islice, product
from pathlib import Path
from threading import RLock
from typing import Any

from hydra import compose, initialize_config_dir
from hydra.core.config_store import ConfigStore
from hydra.core.object_type import ObjectType
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import ChoiceSweep, Override, Sweep, ValueType
from hydra.core.plugins import Plugins
from hydra.errors import HydraException, OverrideParseException
from hydra.plugins.config_source import ConfigResult, ConfigSource
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from pipeline.configuration.keys import plugins_in
from pipeline.configuration.settings import register
from pipeline.discovery import GridFolder, SearchPath, conf_folder, schema_of
from pipeline.errors import ConfigError, no_choice
from pipeline.yaml_files import check_plain, read_yaml_file

Names = list[str]
SCHEMAS = "schema/"
GRIDS = "grid"
MOST_VALUES = 100_000  # of a key in a sweep; a range may be endless
OF_HYDRA = re.compile(r"(^|[\s/@])hydra([./@]|$)")
"""Names of Hydra's own node: as a key, a group or a package."""
UNUSED = ("help", "hydra_help", "hydra_logging", "job_logging", "launcher", "output", "sweeper")
"""Hydra's own groups, which only its decorator reads: composing them takes a fifth of the time."""


class GridPackages(ConfigSource):
    """The configurations of grids: the class of a grid's configuration, as `schema/NAME`, and folders of YAMLs.

    Each YAML is checked before use. A grid's class is imported when a configuration asks for it. Installed packages are
    searched only for names that no shipped file has.
    """

    @staticmethod
    def scheme() -> str:
        """The prefix of search paths of this kind."""
        return "grids"

    def load_config(self, config_path: str) -> ConfigResult:
        """The class of a grid's configuration, or the content of a YAML; ConfigError if that is not plain data."""
        folder = self._schema(config_path)
        if folder is not None:
            node = OmegaConf.structured(schema_of(folder))
            return ConfigResult(
                provider=self.provider, path=f"grids://{folder.path}", config=node, header={"package": "_global_"}
            )
        file = next(file for file in self._files(config_path) if file.is_file())

        def load(text: str) -> tuple[Any, dict[str, str | None]]:
            check_plain(text)
            return OmegaConf.load(StringIO(text)), self._get_header_dict(text)

        config, header = read_yaml_file(file, load)
        _check_yaml(file, config, header["package"] or "")
        if file.parent.name == GRIDS:
            config, header = self._completed(file.stem, config), header | {"package": header["package"] or "_global_"}
        return ConfigResult(provider=self.provider, path=f"grids://{file}", config=config, header=header)

    def available(self) -> bool:
        """Always true: the shipped configurations exist."""
        return True

    def is_group(self, config_path: str) -> bool:
        """Whether one of the folders has this group."""
        return not OF_HYDRA.search(config_path) and any((folder / config_path).is_dir() for folder in _conf_folders())

    def is_config(self, config_path: str) -> bool:
        """Whether this is the class of a grid's configuration, or a YAML."""
        if OF_HYDRA.search(config_path):
            return False
        if config_path.startswith(SCHEMAS):
            return self._schema(config_path) is not None
        return any(file.is_file() for file in self._files(config_path))

    def list(self, config_path: str, results_filter: ObjectType | None) -> Names:
        """The names of the groups and YAMLs in a group."""
        result: Names = []
        for folder in _conf_folders():
            for path in sorted((folder / config_path).glob("*")):
                self._list_add_result(result, f"{config_path}/{path.name}".lstrip("/"), path.name, results_filter)
        return result

    @staticmethod
    def _completed(name: str, config: DictConfig) -> DictConfig:
        """A grid's YAML with its name and, if it includes no other YAML, the schema of the file's name."""
        folder = _search_path.get().folder(name)
        if "defaults" not in config:
            _search_path.get().check_once(name)  # before its keys turn out to be unknown
        typed = folder is not None and (folder.has("settings") or folder.has("grid"))
        implied: dict[Any, Any] = {"defaults": [f"/{SCHEMAS}{name}", "_self_"]} if typed else {}
        return DictConfig({**implied, "grid": name, **config})

    def _schema(self, config_path: str) -> GridFolder | None:
        """The grid whose schema is `schema/NAME`; None if there is no such grid."""
        group, _, name = self._normalize_file_name(config_path).removesuffix(".yaml").rpartition("/")
        if f"{group}/" != SCHEMAS or ConfigStore.instance().get_type(f"{SCHEMAS}{name}.yaml") == ObjectType.CONFIG:
            return None  # the schema of every run
        return _search_path.get().folder(name)

    def _files(self, config_path: str) -> Iterator[Path]:
        return (folder / self._normalize_file_name(config_path) for folder in _conf_folders())


def _conf_folders() -> Iterator[Path]:
    """The user's folders of configurations."""
    return (folder for folder in _search_path.get().conf_folders if folder != conf_folder())


_composing = RLock()
"""Hydra allows one composition in a process; a run's summary may compose while the next run of a sweep starts."""

_search_path: ContextVar[SearchPath] = ContextVar("search_path")
"""Where grids are found for the current composition; Hydra creates its sources, and passes them no arguments."""


def composed_of(grid: str, overrides: Sequence[str] = (), config_dir: Path | None = None) -> DictConfig:
    """The configuration of a grid with overrides."""
    return composed([f"+grid={grid}", *overrides], config_dir)


def composed(overrides: Sequence[str], config_dir: Path | None = None) -> DictConfig:
    """The configuration of overrides, as a command composes it. It cannot read the environment.

    overrides  : of one run, as from `runs_of`
    config_dir : a folder of the user's with further choices, such as `grid/NAME.yaml`

    Raises ConfigError: there is no such folder, one of its YAMLs is refused, or an override sets Hydra's own node.
    Raises HydraException or OmegaConfBaseException: the overrides do not fit the configuration.
    """
    register()
    OmegaConf.clear_resolver("oc.env")  # configurations are stored beside the results, so they must not contain secrets
    parsed = OverridesParser.create().parse_overrides(list(overrides))
    search_path = SearchPath(plugins_in(parsed), config_dir)
    for override in parsed:
        _check_override(override, search_path)
    if config_dir is not None and not config_dir.is_dir():
        raise ConfigError(f"--config-dir: there is no folder {config_dir}")
    if search_path != SearchPath():
        search_path.check_names()
    if added := [text for text, override in zip(overrides, parsed, strict=True) if _adds_choice(override)]:
        # raises an error if the grid has no such choice, with or without +
        composed([text.lstrip("+") if text in added else text for text in overrides], config_dir)
        write = added[0].lstrip("+")
        raise ConfigError(f"write {write}, without +, because {write.partition('=')[2]} replaces the default choice")
    Plugins.instance().register(GridPackages)
    token = _search_path.set(search_path)
    try:
        with _composing, initialize_config_dir(str(conf_folder()), job_name="orchard", version_base="1.3"):
            left_out = [f"~hydra/{group}" for group in UNUSED]
            ours = f"hydra.searchpath=['{GridPackages.scheme()}://packages']"
            return compose("config", [*overrides, *left_out, ours])
    except (AssertionError, TypeError, ValueError) as error:  # Hydra's errors, which do not name the override
        unfit = next((text for text in overrides if _compose_without(overrides, text, config_dir)), " ".join(overrides))
        raise ConfigError(
            f"{unfit!r} does not fit the configuration: to see all keys, replace it by --cfg job"
        ) from error
    finally:
        _search_path.reset(token)


def _compose_without(overrides: Sequence[str], left_out: str, config_dir: Path | None) -> bool:
    """Whether the other overrides can be composed without this one."""
    try:
        composed([override for override in overrides if override != left_out], config_dir)
    except (ConfigError, HydraException, OmegaConfBaseException):
        return False
    return True


def search_path_of(overrides: Sequence[str], config_dir: Path | None = None) -> SearchPath:
    """Where a command with these overrides looks for grids; `plugins` counts only on the command line."""
    try:
        parsed = OverridesParser.create().parse_overrides(list(overrides))
    except OverrideParseException:
        return SearchPath((), config_dir)
    return SearchPath(plugins_in(parsed), config_dir)


def runs_of(overrides: Sequence[str], *, sweep: bool) -> list[list[str]]:
    """The overrides of each run of a command: one run, or all combinations of the values of a sweep.

    Raises ConfigError: an override has several values without a sweep, values that are not listed, or a key that
    another override has, too.
    Raises OverrideParseException: an override cannot be read.
    """
    choices = []
    parsed = OverridesParser.create().parse_overrides(list(overrides))
    keys = [override.key_or_group for override in parsed]
    for override in parsed:
        text = str(override.input_line)
        if not override.is_sweep_override():
            choices.append([text])
        elif not sweep:
            key, _, values = text.partition("=")
            raise ConfigError(
                f"'{text}' has several values: add --multirun to start a run for each value. If the key takes a list, "
                f"write '{key}=[{values}]'"
            )
        elif not _lists_values(override):
            raise ConfigError(f"'{text}' does not list its values: write key=value1,value2 or key=range(first,stop)")
        elif keys.count(override.key_or_group) > 1:  # the last would count, whatever the values of the sweep
            raise ConfigError(
                f"'{text}' has several values, but '{override.key_or_group}' is given twice: give it once"
            )
        else:
            choices.append([f"{override.get_key_element()}={value}" for value in _swept_values(override)])
            if not choices[-1]:
                raise ConfigError(
                    f"'{text}' has no values: write key=value1,value2 or key=range(first,stop), with stop above first"
                )
            if len(choices[-1]) > MOST_VALUES:
                raise ConfigError(
                    f"'{text}' has more than {MOST_VALUES:,} values: write fewer, as in key=value1,value2"
                )
    return [list(chosen) for chosen in product(*choices)]


def _lists_values(override: Override) -> bool:
    """Whether the values of a sweep are listed, or those of one range."""
    values = override.value()
    nested = isinstance(values, ChoiceSweep) and any(isinstance(value, Sweep) for value in values.list)
    return override.is_discrete_sweep() and override.value_type != ValueType.GLOB_CHOICE_SWEEP and not nested


def _swept_values(override: Override) -> list[str]:
    """The first values of a sweep, as texts; none of a range whose step is 0 or which has no numbers."""
    try:
        return list(islice(override.sweep_string_iterator(), MOST_VALUES + 1))
    except (ArithmeticError, ValueError, HydraException):
        return []


def _check_override(override: Override, search_path: SearchPath) -> None:
    """Raise ConfigError if an override sets Hydra's own node, or chooses a file that does not exist."""
    key = str(override.key_or_group)
    value = None if override.is_sweep_override() else override.value()
    if OF_HYDRA.search(key) or OF_HYDRA.search(override.package or ""):
        raise ConfigError(
            f"'{key}' is a key of Hydra, and such keys cannot be set: leave it out; output=… sets the folder of the "
            "results"
        )
    keyed = isinstance(value, dict) and key != GRIDS  # keys below the one that is chosen
    if not (conf_folder() / key).is_dir() or override.is_delete() or override.is_sweep_override() or keyed:
        return
    if not isinstance(value, str) or "/" in value:
        files = (file for folder in search_path.conf_folders for file in (folder / key).glob("*.yaml"))
        choices = sorted({file.stem for file in files})
        raise ConfigError(no_choice(key, override.get_value_element_as_str(), choices))


def _adds_choice(override: Override) -> bool:
    """Whether an override adds the choice of a file, other than a grid, instead of replacing it."""
    key, value = str(override.key_or_group), override.value()
    added = override.is_add() or override.is_force_add()
    return added and key != GRIDS and isinstance(value, str) and (conf_folder() / key).is_dir()


def _check_yaml(file: Path, config: Any, package: str) -> None:
    """Raise ConfigError if a user's YAML has no keys, or its `defaults` are not a list of names.

    Also if it sets Hydra's own node, includes a file of another folder, or names plugins.
    """
    content = OmegaConf.to_container(config, resolve=False) if OmegaConf.is_config(config) else config
    if not isinstance(content, dict):
        raise ConfigError(f"{file}: expected keys with values")
    if "plugins" in content:
        named = content["plugins"]
        raise ConfigError(
            f"{file}: `plugins` is {named!r}, but only the command line can permit code: leave `plugins` out of the "
            "file, and add 'plugins=[…]' to the command"
        )
    defaults = content.get("defaults", [])
    for entry in defaults if isinstance(defaults, list) else [defaults]:
        if not isinstance(defaults, list) or not _is_default(entry):
            raise ConfigError(
                f"{file}: `defaults` has {entry!r}: expected a file in each entry, `- NAME` or `- FOLDER: NAME`"
            )
    own = [_first_key(content, "hydra")] if "hydra" in content else []
    for word in (package, *own, *_words(defaults)):
        if OF_HYDRA.search(word):
            raise ConfigError(f"{file}: `{word}` is a key of Hydra, and such keys cannot be set: leave the key out")
        if ".." in Path(word).parts:
            raise ConfigError(
                f"{file}: `defaults` has {word!r}: expected the name of a file in conf/ or in this folder"
            )


def _is_default(entry: Any) -> bool:
    """Whether an entry of a defaults list is a name, or a folder with chosen names (one, several or none)."""
    if not isinstance(entry, dict):
        return isinstance(entry, str) and bool(entry)
    names = [name for value in entry.values() for name in (value if isinstance(value, list) else [value])]
    return len(entry) == 1 and all(isinstance(name, str | None) for name in names)


def _words(entries: Any) -> Iterator[str]:
    """The groups and choices of a defaults list."""
    if isinstance(entries, list):
        for entry in entries:
            yield from _words(entry)
    elif isinstance(entries, dict):
        for key, value in entries.items():
            yield str(key)
            yield from _words(value)
    elif entries is not None:
        yield str(entries)


def _first_key(content: Any, key: str) -> str:
    """A key with the first key below it, and so on down to a value, joined by dots."""
    below = content[key]
    return f"{key}.{_first_key(below, next(iter(below)))}" if isinstance(below, dict) and below else str(key)
