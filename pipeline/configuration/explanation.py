"""Turn errors of Hydra or OmegaConf into messages that say what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import is_dataclass
from pathlib import Path

from hydra.errors import HydraException, MissingConfigException, OverrideParseException
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from pipeline.configuration.check import keys_under, misplaced, unknown_key, wrong_value
from pipeline.configuration.composition import composed, search_path_of
from pipeline.configuration.settings import Settings
from pipeline.discovery import SearchPath, conf_folder
from pipeline.errors import no_choice
from pipeline.yaml_files import read_plain_yaml

OWN_GRID = "--config-dir FOLDER has FOLDER/grid/NAME.yaml, 'plugins=[PACKAGE]' the grids of a package"
GRID_KEYS = "a grid has more keys if its `defaults` begin with a grid, `- NAME`, or with a schema, `- /schema/NAME`"
CHOSEN = "which nothing before chooses: write `- override /FOLDER: NAME`, such as /cluster or /protocol"
NAMES_WITHIN = (
    r"'key={NAME: VALUE}': no quotes around NAME, and a backslash before its brackets, commas and colons, as in \(; "
    "names with other characters need a YAML file"
)


def explained(error: BaseException, overrides: Sequence[str], config_dir: Path | None = None) -> str:
    """The message about an error that overrides led to."""
    if isinstance(error, OverrideParseException):
        how = (
            f"+grid={error.override}"
            if error.override in search_path_of((), config_dir).grids()
            else NAMES_WITHIN
            if re.search(r"=\s*\{", error.override or "")
            else "key=value, with quotes around a value of = , or blanks: key='\"…\"'"
        )
        return f"cannot read {error.override!r}: write {how}"
    search_path = search_path_of(overrides, config_dir)
    message = str(error).strip()
    within = re.match(r"In '(.+?)': ", message)
    where = f"{within[1]}.yaml: " if within else ""
    grid_fault = _of_the_grid(overrides, search_path)
    fault = _of_a_key(error) or (_of_a_yaml(error, within[1], search_path) if within else None)
    if grid_fault or fault:
        return grid_fault or f"{where}{fault}"
    if missing := _of_a_choice(error, search_path):
        return where + missing
    if unchosen := re.search(r"Could not override '(.+?)'", message):
        key = unchosen[1]
        return f"{where}`defaults` override {key}, {CHOSEN}" if within else _unknown(key, overrides, config_dir)
    if twice := re.match(r"Multiple values for (\S+)\.", message):
        return f"`defaults` choose {twice[1]} twice: write `- override /{twice[1]}: NAME` for the second choice"
    message = message.partition("Config search path:")[0].rstrip()
    return "\n".join(line for line in message.splitlines() if "HYDRA_FULL_ERROR" not in line)


def _of_a_choice(error: BaseException, search_path: SearchPath) -> str | None:
    """The message about a choice that does not exist."""
    if not isinstance(error, MissingConfigException) or not error.missing_cfg_file:
        return None
    group, _, name = error.missing_cfg_file.rpartition("/")
    choices = {"grid": list(search_path.grids()), "schema": list(search_path.folders())}.get(group, error.options)
    if choices:
        return no_choice(group, name, choices)
    above, _, key = group.rpartition("/")
    if above and (conf_folder() / key).is_dir():
        return f"`defaults` choose '{key}: {name}', which is sought in {group}/: write `- override /{key}: {name}`"
    return None


def _of_the_grid(overrides: Sequence[str], search_path: SearchPath) -> str | None:
    """The fault in the name of the grid, if any."""
    given = [override.partition("=") for override in overrides]
    if not any(name.lstrip("+") == "grid" for name, *_ in given):
        return no_grid(search_path)
    for name, equals, value in given:
        if name in {"grid", "++grid"} and equals:
            return f"write +grid={value}: a grid is added to the configuration, so the + is needed"
        if name == "+grid" and value not in (grids := search_path.grids()):
            other = next(
                (file for folder in search_path.conf_folders if (file := folder / f"grid/{value}.yml").is_file()), None
            )
            hint = f"{other} is not read: call it {value}.yaml" if other else f"a grid of your own: {OWN_GRID}"
            return f"{no_choice('grid', value, list(grids))}\n{hint}"
    return None


def no_grid(search_path: SearchPath) -> str:
    """The message about a command without a grid."""
    return f"no grid is named: add +grid=NAME, one of {', '.join(search_path.grids())}"


def _unknown(key: str, overrides: Sequence[str], config_dir: Path | None) -> str:
    """The message about an override of a choice that the others do not have."""
    others = [override for override in overrides if not override.lstrip("+~").startswith(key)]
    try:
        return unknown_key(key, "", keys_under(OmegaConf.get_type(composed(others, config_dir))))
    except (HydraException, OmegaConfBaseException) as error:
        return explained(error, others, config_dir)


def _of_a_yaml(error: BaseException, name: str, search_path: SearchPath) -> str | None:
    """The fault of a YAML, if an error without a key is about one: two grids, or a value without keys."""
    kind = next(filter(is_dataclass, (getattr(cause, "object_type", None) for cause in _causes(error))), None)
    if kind is None:
        return None
    file = next((file for folder in search_path.conf_folders if (file := folder / f"{name}.yaml").is_file()), None)
    if file is None:
        return "its keys are those of a second kind of grid: name only one of the two grids in `defaults`"
    return misplaced(kind, read_plain_yaml(file), [path.name for path in conf_folder().iterdir()])


def _of_a_key(error: BaseException) -> str | None:
    """The fault of the key that an error names, if it names one."""
    for cause in _causes(error):
        key = getattr(cause, "full_key", None)
        kind = getattr(cause, "object_type", None)
        if key:
            fields = keys_under(kind)
            if isinstance(cause, KeyError | AttributeError) and fields and key.rpartition(".")[2] not in fields:
                fault = unknown_key(key, f"{key.rpartition('.')[0]}.".lstrip("."), fields)
                return f"{fault}\n{GRID_KEYS}" if kind is Settings else fault
            why = str(getattr(cause, "msg", cause)).splitlines()[0]
            if why.endswith("oc.env"):
                return (
                    f"{key}: a configuration cannot read the environment. Write the value itself, unless it is secret. "
                    "Object stores read their secrets from variables such as AWS_SECRET_ACCESS_KEY"
                )
            if why.endswith("is not in struct"):
                above, _, own = key.partition(".")
                return (
                    f"{key}: {above} has other names in the YAML: to add this one, write '++{above}={{{own}: VALUE}}'"
                )
            if key == "grid" and "grid" in (getattr(cause, "value", None) or ()):  # its YAML is composed below the key
                return "the YAML file of a grid belongs to the package _global_: leave out its line `# @package …`"
            return wrong_value(cause, key) or f"{key}: {why}"
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error, its cause, the cause of that and so on."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
