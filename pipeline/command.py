"""The command line: words to a checked configuration, errors to one message and an exit status."""

from __future__ import annotations

import difflib
import os
import shlex
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, cast

from pipeline.driver.signals import interrupting
from pipeline.errors import GOES_ON, ConfigError, OrchardError, OutputError

if TYPE_CHECKING:
    from omegaconf import DictConfig

    from pipeline.configuration.settings import Settings

__all__ = ["explained", "main"]

SIGNALLED = 128
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # read when numpy is first imported
TOOLS = {
    "documents": "pipeline.documents.command",
    "fetch": "pipeline.fetch",
    "query": "pipeline.query.command",
    "report": "pipeline.report.command",
    "show": "pipeline.show.command",
    "status": "pipeline.status",
}
"""What `orchard NAME` calls: the module whose `main` it is, loaded only then."""
READERS = {"query", "report", "show", "status"}
"""Those of them that make no results."""
FLAGS_WITH_VALUE = {"--config-path", "--config-name", "--config-dir", "--cfg", "--package", "--info"}
FLAGS_WITH_VALUE |= {"-cp", "-cn", "-cd", "-c", "-p", "-i"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `orchard`, that is `python -m pipeline`, and return its exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    for variable in ONE_THREAD:
        os.environ.setdefault(variable, "1")
    try:
        with interrupting():
            return _dispatched(given)
    except KeyboardInterrupt as error:
        print(f"orchard: {_stopped(given)}", file=sys.stderr)
        return SIGNALLED + int(getattr(error, "number", signal.SIGINT))
    except BrokenPipeError:
        return _reader_gone()


def _stopped(given: list[str]) -> str:
    """What to tell of a command that was stopped: of one that only reads, nothing is kept and nothing goes on."""
    return "stopped" if given[:1] and given[0] in READERS else f"stopped; {GOES_ON}"


def _reader_gone() -> int:
    """The exit status where the reader of our output, such as head, has had enough; what is left goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return SIGNALLED + signal.SIGPIPE


def _dispatched(given: list[str]) -> int:
    if given == ["--version"]:
        from pipeline.record.environment import installed

        print(f"orchard {installed('orchard-trees')}")
        return 0
    if given[:1] and given[0] in TOOLS:
        return int(import_module(TOOLS[given[0]]).main(given[1:]))
    return _compose_and_run(given)


def flags_first(arguments: Sequence[str]) -> list[str]:
    """The arguments with flags and their values moved ahead of the overrides, which is the order Hydra can read."""
    flags, overrides = _told_apart(arguments)
    return flags + overrides


def _told_apart(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The flags with their values, and the overrides."""
    flags, overrides = [], []
    left = iter(arguments)
    for argument in left:
        if argument.startswith("-"):
            flags.append(argument)
            if argument in FLAGS_WITH_VALUE:
                flags += [value for value in [next(left, None)] if value is not None]
        else:
            overrides.append(argument)
    return flags, overrides


def _compose_and_run(arguments: list[str]) -> int:
    wants_traceback = os.environ.get("HYDRA_FULL_ERROR") == "1"
    os.environ["HYDRA_FULL_ERROR"] = "1"  # Hydra then raises instead of printing and leaving
    grid_named = any(word.startswith("+grid=") for word in arguments)
    if grid_named and not any(word.startswith(("-", "cluster=", "dry_run=")) for word in arguments):
        from pipeline.cluster.local import start_fork_server

        start_fork_server()  # what most likely follows is a run: the workers' imports take as long as our own

    import hydra
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    from pipeline.configuration.composition import guard
    from pipeline.configuration.folders import conf_folder
    from pipeline.configuration.settings import register

    register()
    statuses: list[int] = []

    def job(config: DictConfig) -> None:
        if not any(status > SIGNALLED for status in statuses):  # a signal ends all runs of a sweep
            try:
                statuses.append(_run_one(config, arguments))
            except BrokenPipeError:  # of which Hydra would print that a job failed
                statuses.append(_reader_gone())

    sys.argv = ["orchard", *flags_first(arguments)]
    try:
        with TemporaryDirectory(prefix="orchard-") as scratch:  # for what Hydra writes of a sweep
            guard(scratch, _told_apart(arguments)[1])
            hydra.main(version_base="1.3", config_path=str(conf_folder()), config_name="config")(job)()
    except (HydraException, OmegaConfBaseException) as error:
        if wants_traceback:
            raise
        return _report(ConfigError(explained(error, arguments)))
    except OrchardError as error:
        return _report(error)
    except BrokenPipeError:
        raise
    except OSError as error:  # of Hydra's own, which looks at this folder
        where = error.filename or "this folder"
        return _report(OutputError(f"cannot use {where}: {error.strerror or error}; give output=… a folder of yours"))
    return max(statuses, default=0)


def _run_one(config: DictConfig, arguments: Sequence[str]) -> int:
    """Run the grid of one composed configuration; an error of ours ends this grid, not those that come after it."""
    from hydra.core.hydra_config import HydraConfig
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    from pipeline.configuration.check import check

    if OmegaConf.is_missing(config, "grid"):
        from pipeline.configuration.folders import conf_folder, grids
        from pipeline.screen import list_grids

        if any("=" in argument and not argument.startswith("-") for argument in arguments):
            return _report(ConfigError("no grid is named: add +grid=NAME, one of " + ", ".join(grids([conf_folder()]))))
        list_grids(grids(_config_folders(arguments)))
        return 0
    try:
        check(config)
        from pipeline.driver.run import run

        settings = cast("Settings", OmegaConf.to_object(config))
        again = command_again(arguments, HydraConfig.get().overrides.task)
        return run(settings, OmegaConf.to_yaml(config, resolve=True), again)
    except OmegaConfBaseException as error:
        return _report(ConfigError(explained(error, arguments)))
    except OrchardError as error:
        return _report(error)


def command_again(arguments: Sequence[str], overrides: Sequence[str]) -> str:
    """What to type in this folder to have the run of these overrides again, once it is no dry run."""
    from pipeline.screen import plain, tool

    flags: list[str] = []
    left = iter(arguments)
    for argument in left:
        if argument in FLAGS_WITH_VALUE:
            flags += [argument, next(left, "")]
        elif argument.partition("=")[0] in FLAGS_WITH_VALUE:
            flags.append(argument)
    kept = [override for override in overrides if override.partition("=")[0] != "dry_run"]
    return plain(" ".join([tool(), *map(shlex.quote, [*kept, *flags])]))


def _config_folders(arguments: Sequence[str]) -> list[Path]:
    from pipeline.configuration.folders import conf_folder

    folders = [conf_folder()]
    for argument, following in pairwise([*arguments, ""]):
        if argument in {"--config-dir", "-cd"}:
            folders.append(Path(following))
        elif argument.startswith("--config-dir="):
            folders.append(Path(argument.partition("=")[2]))
    return folders


def _report(error: OrchardError) -> int:
    from pipeline.screen import note

    note(f"orchard: {error}")
    return error.exit_status


def explained(error: BaseException, arguments: Sequence[str]) -> str:
    """What a person can act on, from an error of Hydra or OmegaConf."""
    from hydra.errors import MissingConfigException, OverrideParseException

    from pipeline.configuration.folders import grids

    if isinstance(error, OverrideParseException):
        return (
            f"cannot read {error.override!r}: write key=value, with quotes around a value of = , or blanks: key='\"…\"'"
        )
    if (told := _of_a_key(error)) is not None:
        return told
    message = str(error).strip()
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if name in {"grid", "++grid"} and equals:
            return f"write +grid={value}: a grid is added to the configuration, so the + is needed"
        if name == "+grid" and value not in (known := grids(_config_folders(arguments))):
            return _no_choice("grid", value, list(known))
    if isinstance(error, MissingConfigException) and error.missing_cfg_file and error.options:
        group, _, name = error.missing_cfg_file.rpartition("/")
        return _no_choice(group, name, error.options)
    message = message.partition("Config search path:")[0].rstrip()
    return "\n".join(line for line in message.splitlines() if "HYDRA_FULL_ERROR" not in line)


def _of_a_key(error: BaseException) -> str | None:
    """What is wrong with the key that an error names, if it names one."""
    from pipeline.configuration.check import unknown_key

    cause: BaseException | None = error
    while cause is not None:
        key = getattr(cause, "full_key", None)
        kind = getattr(cause, "object_type", None)
        if key:
            fields = list(getattr(kind, "__dataclass_fields__", {}))
            if fields and key.rpartition(".")[2] not in fields:
                return unknown_key(key, f"{key.rpartition('.')[0]}.".lstrip("."), fields)
            why = str(getattr(cause, "msg", cause)).splitlines()[0]
            if why.endswith("oc.env"):
                return f'{key}: the environment is not read here: let the shell put in what it holds, {key}="$NAME"'
            return f"{key}: expected a list, written '{key}=[…]'" if "ListConfig" in why else f"{key}: {why}"
        cause = cause.__cause__ or cause.__context__
    return None


def _no_choice(group: str, name: str, choices: Sequence[str]) -> str:
    """What there is to choose from in a group of `conf/`, where something else was chosen."""
    near = difflib.get_close_matches(name, choices, n=1)
    hint = f", did you mean {near[0]}?" if near else ""
    return f"no {group} is called '{name}'{hint}\n{group}: {', '.join(choices)}"
