"""`python -m pipeline.documents`: run the grids of every document, one after another, then show what is reproduced."""

from __future__ import annotations

import argparse
import shlex
import time
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from pipeline.command import run_grid
from pipeline.configuration.keys import plugins_in
from pipeline.configuration.rules import one_of
from pipeline.discovery import SearchPath
from pipeline.driver.outcome import Outcome
from pipeline.errors import RESUME_HINT, SIGNALLED, ConfigError, StoppedError, did_you_mean
from pipeline.masking import masked
from pipeline.proof.printed import Experiment, papers
from pipeline.proof.proof import Proof, Unanswered
from pipeline.report.answers import answers_of, write_proof
from pipeline.screen import console, tool
from pipeline.storage.locations import located, storage_errors_named
from pipeline.summary.verdicts import CONTRADICTED, Verdict
from pipeline.tools import Parser, exit_status, parser_of
from pipeline.words import duration

if TYPE_CHECKING:
    from hydra.core.override_parser.types import Override
    from rich.console import RenderableType

QUICK, PAPER = "quick", "paper"
DATA_KEY = "data.folder"
"""The error of a grid that lacks a data set names this key."""
STYLES: dict[str, str] = {
    **dict.fromkeys(("reproduced", "reproduced in part"), "green"),
    **dict.fromkeys(CONTRADICTED, "magenta"),
    Verdict.DIFFERS: "red",
}
DIM = {Verdict.CONSISTENT, Verdict.OPEN, "not run", "no input", "not compared", "no figures"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is not done yet, write the report with its proof, and show the proof; returns the exit status."""
    options = _parser().parse_intermixed_args(arguments)
    return exit_status("documents", partial(_run_and_prove, options), "the output folder", writes=True)


def _run_and_prove(options: argparse.Namespace) -> int:
    """Do what the options say; returns the worst exit status of the grids."""
    overrides = overrides_of(options.overrides)
    size = _value(overrides, "size", QUICK)
    one_of(QUICK, PAPER).check("size", size)
    search_path = SearchPath(plugins_in(overrides), Path(options.config_dir) if options.config_dir else None)
    experiments = _experiments(search_path)
    by_grid = overrides_by_grid(
        tuple(experiments), [override for override in overrides if override.key_or_group != "size"]
    )
    output = located(str(_value(overrides, "output", "outputs")))
    dry = _value(overrides, "dry_run", False) is True
    folder = Path(options.publish) if options.publish else None
    if folder is not None:
        _check_publication(folder, whole=options.proof or size == PAPER)
    config_dir = ["--config-dir", options.config_dir] if options.config_dir else []
    commands = {
        grid: [f"+grid={grid}", *(experiment.quick if size == QUICK else ()), *by_grid[grid], *config_dir]
        for grid, experiment in experiments.items()
    }
    if not options.proof:
        check_overrides(by_grid, options.config_dir)
    ended = {} if options.proof else _run_all(commands, dry=dry)
    if not dry:
        again = [tool("documents"), shlex.join([*options.overrides, *config_dir])]
        with storage_errors_named(output, writes=True):
            _prove(output, search_path, _failures(commands, ended), " ".join(again).rstrip(), folder)
    return max((end.status for end in ended.values()), default=0)


def _parser() -> Parser:
    grids = ", ".join(_experiments(SearchPath()))
    parser = parser_of(
        "documents",
        "Run the grids behind the printed tables of all documents, each as its own run, and report which "
        "printed values are reproduced. The same command resumes after a stop.",
        epilog=f"The grids, in this order: {grids}. "
        "OUTPUT/report/documents.html shows every printed value beside ours (the proof).",
    )
    parser.add_argument(
        "overrides",
        nargs="*",
        metavar="key=value",
        help="size=quick (the default: some of the data sets and builders) or size=paper (all data sets and builders "
        "of the paper). Any other key applies to every grid that has it: output=…, data.folder=…, cluster=slurm, "
        "seed=1, dry_run=true",
    )
    parser.add_argument("--proof", action="store_true", help="run no grid, and report what the existing runs reproduce")
    parser.add_argument(
        "--publish",
        metavar="FOLDER",
        help="also write the proof, with its tables and rows, to FOLDER; needs runs of size=paper",
    )
    parser.add_argument(
        "--config-dir", metavar="FOLDER", help="add your own clusters, data sets and builders, as for a single grid"
    )
    return parser


def _experiments(search_path: SearchPath) -> Mapping[str, Experiment]:
    """The grids to run, in order."""
    return papers(search_path).experiments


def _value(overrides: Sequence[Override], key: str, default: Any) -> Any:
    """The value of the last override of a key."""
    return next((override.value() for override in reversed(overrides) if override.key_or_group == key), default)


def _run_all(commands: Mapping[str, Sequence[str]], *, dry: bool) -> dict[str, Outcome]:
    """Run the grids one after another, even if some fail; StoppedError if a signal ends one."""
    out = console()
    result: dict[str, Outcome] = {}
    began = time.monotonic()
    for index, (grid, arguments) in enumerate(commands.items(), start=1):
        out.print(
            f"[bold]{index}/{len(commands)} {grid}[/]  {escape(f'{tool()} {shlex.join(arguments)}')}", soft_wrap=True
        )
        began_grid = time.monotonic()
        ended = result[grid] = run_grid(arguments, folded=not dry)
        if ended.status > SIGNALLED:
            raise StoppedError(
                f"stopped in {grid}, after {index - 1} of {len(commands)} grids; {RESUME_HINT}",
                ended.status - SIGNALLED,
            )
        failed = f"[red]not done, exit status {ended.status}; continuing[/]"
        how = failed if ended.status else escape(masked(ended.finding))
        now = time.monotonic()
        out.print(f"  {how}\n  {duration(now - began_grid)}, {duration(now - began)} in all", soft_wrap=True)
    return result


def _failures(commands: Mapping[str, Sequence[str]], ended: Mapping[str, Outcome]) -> dict[str, Unanswered]:
    """Why grids could not be run, and what to type after removing the cause."""
    return {
        grid: Unanswered(
            shlex.join(commands[grid]),
            masked(end.finding) or f"its command ended with status {end.status}",
            lacking=DATA_KEY in end.finding,
        )
        for grid, end in ended.items()
        if end.status
    }


def _check_publication(folder: Path, *, whole: bool) -> None:
    """Raise ConfigError if a proof may not be published as a folder, before anything is run for it."""
    from pipeline.reproduced.folder import check_folder

    if not whole:
        why = f"--publish {folder} needs runs of the paper's size"
        raise ConfigError(f"{why}: add size=paper to make such runs, or --proof to use existing runs")
    check_folder(folder)


def _prove(
    output: Path, search_path: SearchPath, failed: Mapping[str, Unanswered], again: str, folder: Path | None
) -> None:
    """Write the report with its proof, and show it, with the command that runs what has not been run.

    folder : folder to publish the proof in; None: it is not published
    """
    from pipeline.report.command import REPORT, write_report
    from pipeline.report.several import INDEX

    compared = papers(search_path)
    runs = write_report(output, search_path.plugins)
    answers = answers_of(compared.experiments, runs, failed)
    proof = write_proof(compared.documents, answers, output, output / REPORT, INDEX)
    out = console()
    for shown in proof_screen(proof, again):
        out.print(shown)
    if folder is not None:
        from pipeline.record.kept import kept_below
        from pipeline.reproduced.folder import check_whole, publish_proof

        whole = again if f"size={PAPER}" in again else f"{again} size={PAPER}"
        check_whole({grid: answers[grid] for grid in _experiments(search_path)}, kept_below(output), whole)
        publish_proof(folder, proof, runs)
        out.print(escape(f"Published  {folder}"), soft_wrap=True)


def proof_screen(proof: Proof, command: str) -> list[RenderableType]:
    """The proof on the terminal; `command` runs all that has not been run."""
    shown = Table(title="What is reproduced of the documents", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for heading in ("", "printed", "outcome", ""):
        shown.add_column(heading, overflow="fold")
    for chapter in proof.chapters:
        for answer in chapter.answers:
            cited, name, sentence = map(escape, (chapter.document.cited, answer.printed.name, answer.sentence))
            style = STYLES.get(answer.outcome, "dim" if answer.outcome in DIM else "")
            shown.add_row(cited, name, Text(answer.outcome, style=style), sentence)
    return [shown, "", Text(proof.sentence), *_to_do(proof, command)]


def _to_do(proof: Proof, command: str) -> list[RenderableType]:
    """The commands for unanswered tables: one for all that was never run, and one for each grid that failed."""
    missing = [answer.answered_by for answer in proof.answers if isinstance(answer.answered_by, Unanswered)]
    commands = dict.fromkeys(f"{tool()} {grid.arguments}" for grid in missing if grid.why)
    if any(not grid.why for grid in missing):
        commands[command] = None
    lines = ["To compute the missing tables:", *(f"  {command}" for command in commands)]
    return [Text("\n".join(lines))] if commands else []


def overrides_of(given: Sequence[str]) -> tuple[Override, ...]:
    """The overrides, parsed by Hydra; ConfigError if one cannot be parsed, or has several values."""
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException

    parser = OverridesParser.create()
    overrides = []
    for text in given:
        try:
            override = parser.parse_override(text)
        except HydraException as error:
            raise ConfigError(
                f"cannot read {text!r}: expected key=value; the value is set in every grid that has the key"
            ) from error
        if override.is_sweep_override():
            raise ConfigError(
                f"'{text}' has several values: expected one value, because each grid is run once; type the "
                "command once for each value"
            )
        overrides.append(override)
    return tuple(overrides)


def overrides_by_grid(grids: Sequence[str], overrides: Sequence[Override]) -> dict[str, list[str]]:
    """The overrides of each grid: those of keys that it has.

    Raises ConfigError: no grid has a key.
    """
    result: dict[str, list[str]] = {grid: [] for grid in grids}
    for override in overrides:
        key = override.key_or_group
        if key in {"grid", "hydra"} or key.startswith(("hydra.", "hydra/")):
            raise ConfigError(
                f"'{key}' cannot be set here, because the documents determine which grids are run: leave it out"
            )
        having = [grid for grid in grids if _has(_shipped(grid), key)]
        if not having:
            known = ["size", *dict.fromkeys(name for grid in grids for name in _shipped(grid) if name != "grid")]
            first = key.partition(".")[0]
            hint = "" if first in known else did_you_mean(first, known)
            keys = f"{f'{hint} The' if hint else '; the'} keys are {', '.join(known)}"
            raise ConfigError(f"no grid here has the key '{key}'{keys}")
        for grid in having:
            result[grid].append(str(override.input_line))
    return result


def check_overrides(by_grid: Mapping[str, Sequence[str]], config_dir: str | None) -> None:
    """Raise ConfigError if a grid cannot be composed with its overrides, or would refuse a value at once.

    Missing data sets are not noticed here; each run reports its own.
    """
    from hydra.errors import HydraException
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    from pipeline.configuration.check import check
    from pipeline.configuration.composition import composed_of
    from pipeline.configuration.explanation import explained
    from pipeline.data.sources import DataLocation
    from pipeline.driver.run import checked_cluster

    own = Path(config_dir) if config_dir else None
    for grid, overrides in by_grid.items():
        try:
            config = composed_of(grid, overrides, own)
            check(config)
            settings: Any = OmegaConf.to_object(config)
        except (HydraException, OmegaConfBaseException) as error:
            raise ConfigError(explained(error, [f"+grid={grid}", *overrides], own)) from error
        checked_cluster(settings)
        if data := getattr(settings, "data", None):
            DataLocation.of(data).open()


@cache
def _shipped(grid: str) -> Mapping[str, Any]:
    from pipeline.record.requested_keys import composed

    return cast("Mapping[str, Any]", composed(grid))


def _has(configuration: Mapping[str, Any], key: str) -> bool:
    """Whether a configuration has a key; any key below `cluster` will do, since it depends on the chosen cluster."""
    first, _, further = key.partition(".")
    if first == "cluster" or not further:
        return first in configuration
    below = configuration.get(first)
    return isinstance(below, Mapping) and _has(below, further)
