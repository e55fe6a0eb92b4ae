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
from pipeline.discovery import ENTRY_POINTS, SearchPath, conf_folder, entry_points_without_package
from pipeline.errors import no_choice
from pipeline.yaml_files import read_plain_yaml

OWN_GRID = (
    "for your own grid FOLDER/grid/NAME.yaml, add --config-dir FOLDER; for your own grid PACKAGE/conf/grid/NAME.yaml, "
    "add 'plugins=[PACKAGE]'"
)
GRID_KEYS = (
    "a grid has more keys if its `defaults` begin with another grid, `- NAME`, or with a schema, `- /schema/NAME`. "
    "The grid NAME of a package also has the keys of the package's folder grids/NAME"
)
CHOSEN = "but no earlier entry chooses a file for it: write `- override /FOLDER: NAME`, with a folder such as /cluster"
NAMES_WITHIN = (
    r"'key={NAME: VALUE}', without quotes around NAME. Write a backslash before each bracket, comma and colon in NAME, "
    r"as in \(. A NAME with other special characters needs a YAML file"
)


def explained(error: BaseException, overrides: Sequence[str], config_dir: Path | None = None) -> str:
    """The message about an error that overrides led to."""
    if isinstance(error, OverrideParseException):
        contains = "that contains =, commas, blanks or letters such as ä"
        how = f"key=value, with quotes around a value {contains}: key='\"…\"'"
        if error.override in search_path_of((), config_dir).grids():
            how = f"+grid={error.override}"
        elif re.fullmatch(r"\w+", error.override or ""):
            how = "+grid=NAME or key=value; orchard --help lists the tools"
        elif re.search(r"=\s*\{", error.override or ""):
            how = NAMES_WITHIN
        elif re.search(r"=\s*\[", error.override or ""):
            how = f'key=[…], with quotes around an entry {contains}: key=\'["…","…"]\''
        return f"cannot read {error.override!r}: write {how}"
    search_path = search_path_of(overrides, config_dir)
    message = str(error).strip()
    within = re.match(r"In '(.+?)': ", message)
    typed = (getattr(error, "missing_cfg_file", None) or "").replace("/", "=") in overrides  # as in cluster=slrum
    where = f"{within[1]}.yaml: " if within and not typed else ""
    if grid_fault := _grid_fault(overrides, search_path):
        return grid_fault
    of_file = _key_fault(error) or (_yaml_fault(error, within[1], search_path) if within else None)
    if fault := of_file or _choice_fault(error, search_path):
        return where + fault
    if unchosen := re.search(r"Could not override '(.+?)'", message):
        key = unchosen[1]
        return f"{where}`defaults` override {key}, {CHOSEN}" if within else _unknown_choice(key, overrides, config_dir)
    if twice := re.match(r"Multiple values for (\S+)\.", message):
        return f"`defaults` choose {twice[1]} twice: write `- override /{twice[1]}: NAME` for the second choice"
    message = message.partition("Config search path:")[0].rstrip()
    return "\n".join(line for line in message.splitlines() if "HYDRA_FULL_ERROR" not in line)


def _choice_fault(error: BaseException, search_path: SearchPath) -> str | None:
    """The message about a choice that does not exist."""
    if not isinstance(error, MissingConfigException) or not error.missing_cfg_file:
        return None
    group, _, name = error.missing_cfg_file.rpartition("/")
    files = (file for folder in search_path.conf_folders for file in sorted((folder / group).glob("*.yaml")))
    choices = {"grid": list(search_path.grids()), "schema": list(search_path.folders())}.get(
        group, error.options or [file.stem for file in files]
    )
    if choices:
        return no_choice(group, name, choices)
    above, _, key = group.rpartition("/")
    if above and (conf_folder() / key).is_dir():
        return (
            f"the entry '{key}: {name}' of `defaults` means {group}/{name}.yaml, and there is no such file: "
            f"write `- override /{key}: {name}`"
        )
    return None


def _grid_fault(overrides: Sequence[str], search_path: SearchPath) -> str | None:
    """The fault in the name of the grid, if any."""
    given = [override.partition("=") for override in overrides]
    if not any(name.lstrip("+") == "grid" for name, *_ in given):
        return no_grid(search_path)
    for name, equals, value in given:
        if name in {"grid", "++grid"} and equals:
            return f"write +grid={value}, with +, because a grid is added to the configuration"
        if name == "+grid" and (unknown := sorted(set(value.split(",")) - set(grids := search_path.grids()))):
            other = next(
                (each for folder in search_path.conf_folders if (each := folder / f"grid/{unknown[0]}.yml").is_file()),
                None,
            )
            hint = f"{other} is not read: rename the file to {unknown[0]}.yaml" if other else OWN_GRID
            lines = [no_choice("grid", unknown[0], list(grids)), hint]
            lines += [
                f"an entry point of {ENTRY_POINTS} has '{value}': expected the import name of an installed package"
                for value in entry_points_without_package()
            ]
            return "\n".join(lines)
    return None


def no_grid(search_path: SearchPath) -> str:
    """The message about a command without a grid."""
    return f"no grid is given: add +grid=NAME, where NAME is one of {', '.join(search_path.grids())}"


def _unknown_choice(key: str, overrides: Sequence[str], config_dir: Path | None) -> str:
    """The message about an override of a choice that the others do not have."""
    others = [override for override in overrides if not override.lstrip("+~").startswith(key)]
    try:
        kind = OmegaConf.get_type(composed(others, config_dir))
        folders = [folder / key for folder in search_path_of(overrides, config_dir).conf_folders]
        if key in keys_under(kind) and (folder := next((each for each in folders if each.is_dir()), None)):
            return f"{folder} has the name of the key `{key}`, so {key}=… would choose a file in it: rename the folder"
        return unknown_key(key, "", kind)
    except (HydraException, OmegaConfBaseException) as error:
        return explained(error, others, config_dir)


def _yaml_fault(error: BaseException, name: str, search_path: SearchPath) -> str | None:
    """The fault of a YAML, if an error without a key is about one: two grids, or a value without keys."""
    kind = next(filter(is_dataclass, (getattr(cause, "object_type", None) for cause in _causes(error))), None)
    if kind is None:
        return None
    file = next((file for folder in search_path.conf_folders if (file := folder / f"{name}.yaml").is_file()), None)
    if file is None:
        return "`defaults` lists two grids whose keys do not fit together: list only one of them"
    return misplaced(kind, read_plain_yaml(file), [path.name for path in conf_folder().iterdir()])


def _key_fault(error: BaseException) -> str | None:
    """The fault of the key that an error names, if it names one."""
    for cause in _causes(error):
        key = getattr(cause, "full_key", None)
        kind = getattr(cause, "object_type", None)
        if key:
            fields = keys_under(kind)
            if isinstance(cause, KeyError | AttributeError) and fields and key.rpartition(".")[2] not in fields:
                fault = unknown_key(key, f"{key.rpartition('.')[0]}.".lstrip("."), kind)
                return f"{fault}\n{GRID_KEYS}" if kind is Settings else fault
            why = str(getattr(cause, "msg", cause)).splitlines()[0]
            if why.endswith("oc.env"):
                return (
                    f"{key}: a configuration cannot read the environment. Write the value itself, unless it is secret. "
                    "Object stores read their secrets from variables such as AWS_SECRET_ACCESS_KEY"
                )
            if why.endswith("is not in struct"):
                above, _, own = key.rpartition(".")
                return f"{key}: {above} has no name {own} in the YAML: to add it, write '++{above}={{{own}: VALUE}}'"
            if key == "grid" and "grid" in (getattr(cause, "value", None) or ()):  # its YAML is composed below the key
                return (
                    "the YAML file of a grid belongs to the package _global_: leave the line `# @package …` out of "
                    "the file"
                )
            return wrong_value(cause, key) or f"{key}: {why}"
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error, its cause, the cause of that and so on."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
