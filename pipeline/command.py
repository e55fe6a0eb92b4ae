"""The command line: from words to a checked configuration, and from errors to one message and an exit status."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout, suppress
from importlib import import_module
from io import StringIO, TextIOWrapper
from pathlib import Path
from traceback import print_exc
from typing import TYPE_CHECKING, NoReturn, cast

from pipeline.driver.outcome import Outcome
from pipeline.driver.signals import interrupting
from pipeline.errors import RESUME_HINT, SIGNALLED, ConfigError, OrchardError, OutputError, did_you_mean
from pipeline.garbage import search_now
from pipeline.import_path import check_installed, check_working_folder, protect_children
from pipeline.masking import masked
from pipeline.plain_text import discard_output, note, output_errors_named, plain, print_out

if TYPE_CHECKING:
    from pipeline.configuration.settings import Settings

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # read when numpy is first imported
READERS = {"check", "crate", "note", "query", "report", "show", "status", "trash"}
"""The tools that make no results."""
FLAGS_WITH_VALUE = {"--config-dir", "-cd"}
"""The flags that `command_again` repeats."""
HELP = """\
Orchard plants decision trees in a grid.

{calls}

dry_run=true          shows what a run would do and how long it would take
--cfg job             shows every key and its value
--multirun seed=1,2   runs the grid once for each value
--config-dir FOLDER   adds your own grids, clusters, … (FOLDER/grid/NAME.yaml, FOLDER/cluster/NAME.yaml)
--version             prints the version
"""
CALLS = (
    ("", "", "lists the grids"),
    ("", "+grid=NAME [key=value …]", "runs a grid; the same command resumes a stopped run"),
    ("status", "", "shows the progress of runs"),
    ("show", "--table 7", "rebuilds one table and its trees"),
    ("query", '"select …"', "queries the results in SQL"),
    ("report", "", "writes the results as pages for a browser"),
    ("note", 'RUN "text"', "adds a note to a run; --tag NAME adds a tag"),
    ("trash", "RUN", "moves a run to the trash; --restore RUN brings it back, --empty deletes for good"),
    ("crate", "", "describes runs for other software, as RO-Crate and Croissant"),
    ("documents", "", "runs the grids of every document, and reports what is reproduced"),
    ("check", "TABLE.csv", "finds impossible figures in a printed table"),
    ("fetch", "--list", "lists data sets; with names, downloads them"),
    ("warm", "[NAME …]", "compiles the kernels of all builders, or of the named builders, in advance"),
)
"""For the help: each tool, its arguments and its purpose."""
TOOLS = sorted({name for name, *_ in CALLS if name})
"""`orchard NAME` calls `main` of `pipeline.NAME.command`, loaded only then."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `orchard`, that is `python -m pipeline`, and return its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    for variable in ONE_THREAD:
        os.environ.setdefault(variable, "1")
    protect_children()
    _open_streams()
    try:
        with interrupting():
            status = _dispatched(words)
            with output_errors_named():
                sys.stdout.flush()
            return status
    except OrchardError as error:
        return _report(error)
    except KeyboardInterrupt as error:
        keeps_nothing = "dry_run=true" in words or (words[:1] and words[0] in READERS)
        print("orchard: stopped" if keeps_nothing else f"orchard: stopped; {RESUME_HINT}", file=sys.stderr)
        return SIGNALLED + int(getattr(error, "number", signal.SIGINT))
    except BrokenPipeError:  # the reader of our output, such as head, has closed it
        discard_output()
        return SIGNALLED + signal.SIGPIPE


def _open_streams() -> None:
    """Open the standard streams that the caller has closed: otherwise a file would get their numbers, and our output.

    What an output cannot encode becomes `?`.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w" if number else "r", closefd=False))  # noqa: SIM115 - it stays open
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _dispatched(words: list[str]) -> int:
    try:
        check_working_folder()
        check_installed("pipeline", *(["report"] if words[:1] == ["report"] else []))
    except ConfigError as error:
        return _report(error)
    if words[:1] and words[0] in TOOLS:
        tool = import_module(f"pipeline.{words[0]}.command")
        search_now()
        return int(tool.main(words[1:]))
    if words[:1] and words[0].isalpha() and (hint := did_you_mean(words[0], TOOLS)):
        raise ConfigError(f"there is no tool {words[0]!r}{hint}")
    return _compose_and_run(words)


class _Parser(argparse.ArgumentParser):
    """A parser that raises a ConfigError for a wrong argument."""

    def error(self, message: str) -> NoReturn:
        raise ConfigError(message)


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """Separate the flags from the overrides, in any order; ConfigError for an unknown flag."""
    parser = _Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("overrides", nargs="*")
    parser.add_argument("--cfg", "-c", choices=["job"])
    parser.add_argument("--config-dir", "-cd", type=Path)
    parser.add_argument("--multirun", "-m", action="store_true")
    parser.add_argument("--help", "-h", action="store_true")
    parser.add_argument("--version", action="store_true")
    options, unknown = parser.parse_known_intermixed_args(list(arguments))
    if unknown:
        raise ConfigError(  # the flag comes last, so that masking its value hides nothing else
            "expected --cfg job, --config-dir FOLDER, --multirun, --help or --version, and overrides such as "
            f"+grid=NAME key=value; there is no option {unknown[0]}"
        )
    return options


def _compose_and_run(arguments: list[str]) -> int:
    """Do what the flags ask for, or run the grid for each combination of the overrides' values."""
    if grid := _guessed_grid(arguments):
        from pipeline.cluster.local import start_fork_server

        start_fork_server(f"pipeline.grids.{grid}")  # its imports run beside our own, which take as long
    try:
        options = _parsed(arguments)
        if options.help:
            print_out(_help())
            if any(override.startswith("+grid=") for override in options.overrides):
                keys = command_again(arguments, options.overrides)
                print_out(f"\nThe keys of this grid, with their values: {keys} --cfg job\n")
            return 0
        if options.version:
            from pipeline.record.environment import installed

            print_out(f"orchard {installed('orchard-trees')}\n")
            return 0
        with _errors_explained(options):
            from pipeline.configuration.composition import runs_of

            runs = runs_of(options.overrides, sweep=options.multirun)
    except OrchardError as error:
        return _report(error)
    ended: list[Outcome] = []
    for overrides in runs:
        ended.append(_run_or_report(options, overrides, arguments))
        if ended[-1].status > SIGNALLED:  # a signal ends all runs of a sweep
            break
    if len(runs) > 1 and any(outcome.run for outcome in ended):
        ended.append(_sweep_summarised(runs, ended))
    return max((outcome.status for outcome in ended), default=0)


def _guessed_grid(arguments: Sequence[str]) -> str:
    """Guess, before anything is imported, the grid that will need local workers; empty if it was run before."""
    if any(word.startswith(("-", "cluster=", "dry_run=")) for word in arguments):
        return ""
    values = dict(word.split("=", 1) for word in arguments if "=" in word)
    grid = values.get("+grid", "")
    with suppress(OSError):  # an output folder that is not allowed, which is reported later
        return "" if Path(values.get("output", "outputs"), "results", f"grid={grid}").exists() else grid
    return ""


def run_grid(arguments: Sequence[str], *, folded: bool) -> Outcome:
    """Run one grid by the arguments of its command and return how it ended, whatever that is.

    folded : whether its screen is hidden
    """
    with redirect_stdout(StringIO()) if folded else nullcontext():
        try:
            options = _parsed(arguments)
            return _run_or_report(options, options.overrides, arguments)
        except BrokenPipeError:
            raise
        except Exception as error:  # a mistake of ours, which should not stop the other grids
            print_exc()
            return Outcome(1, finding=f"{type(error).__name__}: {error}")


def _run_or_report(options: argparse.Namespace, overrides: list[str], arguments: Sequence[str]) -> Outcome:
    """Run one grid and return how it ended. An error is reported and does not stop other runs."""
    try:
        with interrupting():  # DuckDB makes a signal an error, and a plugin's summary is blamed for that
            return _run_single(options, overrides, arguments)
    except OrchardError as error:
        failure = error
    except BrokenPipeError:
        raise
    except OSError as error:  # such as a folder of --config-dir that cannot be read
        where = error.filename or "this folder"
        failure = OutputError(
            f"cannot use {where}: {error.strerror or error}; run the command in a folder that you own"
        )
    return Outcome(_report(failure), finding=str(failure).partition("\n")[0])


def _sweep_summarised(runs: Sequence[Sequence[str]], ended: Sequence[Outcome]) -> Outcome:
    """List and summarise the runs of a sweep; return whether the summary could be written."""
    from pipeline.sweeps import summarise_sweep

    _list_sweep(runs, ended)
    try:
        summarise_sweep(runs, ended)
    except OrchardError as error:
        return Outcome(_report(error))
    return Outcome(0)


def _list_sweep(runs: Sequence[Sequence[str]], ended: Sequence[Outcome]) -> None:
    """Show the runs of a sweep, with how each ended and its finding, and with secrets masked."""
    from pipeline.masking import masked_override
    from pipeline.screen import list_sweep
    from pipeline.sweeps import NOT_BEGUN, swept_indices

    swept = swept_indices(runs)
    values = [" ".join(masked_override(run[index]) for index in swept) for run in runs]
    rows = [
        (value, outcome.run, outcome.how, masked(outcome.finding))
        for value, outcome in zip(values, ended, strict=False)
    ]
    rows += [(value, "", NOT_BEGUN, "") for value in values[len(ended) :]]
    list_sweep(rows, list(dict.fromkeys(outcome.output for outcome in ended if outcome.run)))


def _run_single(options: argparse.Namespace, overrides: list[str], arguments: Sequence[str]) -> Outcome:
    """Compose the configuration of one run, and run its grid."""
    with _errors_explained(options):
        from omegaconf import OmegaConf

        from pipeline.configuration.check import check
        from pipeline.configuration.composition import composed, search_path_of

        search_path = search_path_of(overrides, options.config_dir)
        search_path.check_plugins()
        config = composed(overrides, options.config_dir)
        if options.cfg:
            print_out(OmegaConf.to_yaml(config))
        elif OmegaConf.is_missing(config, "grid"):
            _list_grids(options)
        if OmegaConf.is_missing(config, "grid"):
            return Outcome(0)
        check(config)
        if options.cfg:
            return Outcome(0)
        from pipeline.driver.run import planned_run, run

        settings = cast("Settings", OmegaConf.to_object(config))
        text = OmegaConf.to_yaml(config, resolve=True)
        command = command_again(arguments, overrides)
        planned, cluster = planned_run(settings, search_path)
        if settings.dry_run:
            from pipeline.forecast.dry_run import dry_run

            search_now()
            return Outcome(dry_run(planned, cluster, settings, command))
        return run(planned, cluster, settings, text, command, search_path)


def _list_grids(options: argparse.Namespace) -> None:
    """Show the available grids; ConfigError if there are overrides but no grid."""
    from pipeline.configuration.composition import search_path_of
    from pipeline.configuration.explanation import no_grid
    from pipeline.screen import list_grids

    search_path = search_path_of(options.overrides, options.config_dir)
    if any(not override.startswith("plugins=") for override in options.overrides):
        raise ConfigError(no_grid(search_path))
    list_grids(search_path.grids())


def _help() -> str:
    from pipeline.screen import tool

    calls = [(f"{tool(name)} {arguments}".rstrip(), meaning) for name, arguments, meaning in CALLS]
    width = max(len(call) for call, _ in calls)
    return HELP.format(calls="\n".join(f"{call:{width}}  {meaning}" for call, meaning in calls))


@contextmanager
def _errors_explained(options: argparse.Namespace) -> Iterator[None]:
    """Turn errors of Hydra and OmegaConf into ConfigError; HYDRA_FULL_ERROR=1 leaves them unchanged."""
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    try:
        yield
    except (HydraException, OmegaConfBaseException) as error:
        if os.environ.get("HYDRA_FULL_ERROR") == "1":
            raise
        from pipeline.configuration.explanation import explained

        raise ConfigError(explained(error, options.overrides, options.config_dir)) from error
    except RecursionError as error:
        raise ConfigError(
            "cannot compose the configuration: the `defaults` of a YAML file lead back to the same file; remove the "
            "entry that leads back"
        ) from error


def command_again(arguments: Sequence[str], overrides: Sequence[str]) -> str:
    """The command that runs these overrides again from this folder, secrets masked, without a dry run."""
    from pipeline.masking import masked_override
    from pipeline.screen import tool

    flags: list[str] = []
    left = iter(arguments)
    for argument in left:
        if argument in FLAGS_WITH_VALUE:
            flags += [argument, next(left, "")]
        elif argument.partition("=")[0] in FLAGS_WITH_VALUE:
            flags.append(argument)
    kept = [override for override in overrides if override.partition("=")[0] != "dry_run"]
    return plain(" ".join([tool(), *map(shlex.quote, [*map(masked_override, kept), *map(masked, flags)])]))


def _report(error: OrchardError) -> int:
    note(f"orchard: {error}")
    return error.exit_status
