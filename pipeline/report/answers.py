"""Choose the run that answers a grid's printed tables: the largest comparable one, the newest of several."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.configuration.keys import CHANGES_NO_NUMBER
from pipeline.proof.printed import Document, Experiment, papers
from pipeline.proof.proof import Answered, Proof, Unanswered, proof_of
from pipeline.storage.atomic import write_changed

if TYPE_CHECKING:
    from pipeline.configuration.keys import RequestedKey
    from pipeline.report.runs import ReportedRun
    from pipeline.summary.verdicts import Verdict

KEPT_KEYS = ("cluster", "data", "limits", "output", "plugins")
"""Keys of a command that a suggested command for the same machine keeps: its workers, input and output."""

Answers = Mapping[str, Answered | Unanswered]
"""The run that answers the printed tables of each grid, or the reason why there is none."""

UNCOMPARED = {*CHANGES_NO_NUMBER, "data", "plugins", "seed"}
"""Keys that change no result or, like the seed, change it only by chance."""
PAGE = "documents.html"
"""The page over all documents, beside the index."""


def answers_of(
    experiments: Mapping[str, Experiment],
    runs: Sequence[ReportedRun],
    failed: Mapping[str, Unanswered] | None = None,
) -> Answers:
    """The answers of an output folder's complete runs, newest first, about the documents, keyed by grid.

    failed : grids that could not be run just now, each with the reason
    """
    return {grid: _answer(experiment, runs, (failed or {}).get(grid)) for grid, experiment in experiments.items()}


def verdicts_by_rule(run: ReportedRun) -> dict[str, tuple[str, dict[tuple[int, str], Verdict]]]:
    """For each table of a run without a column of verdicts: its document's rule, and the verdict on each printed value.

    The key of a verdict is the number of the row and the name of the printed column. The result is empty if the run
    has other settings than the paper.
    """
    known = papers()
    experiment = known.experiments.get(run.run.name)
    if experiment is None or not all((smaller := differences(run.keys, experiment)).values()):
        return {}
    tables = {table.name: table for table in run.tables}
    answered = Answered(run.run.id, run.page, "", run.summary.finding, tables, smaller)
    answers: Answers = {grid: Unanswered("") for grid in known.experiments} | {run.run.name: answered}
    return {
        answer.printed.table: (answer.rule, {figure.at: figure.verdict for figure in answer.figures if figure.verdict})
        for answer in proof_of(known.documents, answers).answers
        if answer.printed.table and answer.printed.rule and answer.figures
    }


def differences(keys: Sequence[RequestedKey], experiment: Experiment) -> dict[str, str]:
    """The keys that differ from the paper's and can change results, each with how the size of the run differs by it.

    The text is empty for a key that makes the run incomparable with the paper.
    """
    differing = (key for key in keys if key.differs and key.name.partition(".")[0] not in UNCOMPARED)
    return {key.name: _allowed_difference(key, experiment) for key in differing}


def _answer(experiment: Experiment, runs: Sequence[ReportedRun], failed: Unanswered | None) -> Answered | Unanswered:
    of_grid = [run for run in runs if run.run.name == experiment.grid]
    known = [(run, differences(run.keys, experiment)) for run in of_grid if _comparable(run)]
    comparable = [(run, smaller) for run, smaller in known if all(smaller.values())]
    if not comparable:
        command = runs[0].run.record.command if runs else ""
        arguments = _arguments_at_paper_size(experiment.grid, command, ("output",))
        return failed or Unanswered(arguments, _why_none(experiment, of_grid), other=bool(known))
    # of equal ones the newest, which is first
    run, smaller = min(comparable, key=lambda found: (len(found[1]), -found[0].summary.rows))
    tables = {table.name: table for table in run.tables}
    arguments = _arguments_at_paper_size(experiment.grid, run.run.record.command)
    return Answered(
        run.run.id, run.page, arguments, run.summary.finding, tables, smaller, _is_quick(smaller, run, experiment)
    )


def _is_quick(smaller: Mapping[str, str], run: ReportedRun, experiment: Experiment) -> bool:
    """Whether a run is of the quick size: exactly the keys of `size=quick` were given."""
    keys = {override.partition("=")[0] for override in experiment.quick}
    return bool(keys) and set(smaller) == keys and set(experiment.quick) <= set(_words(run.run.record.command))


def _comparable(run: ReportedRun) -> bool:
    """Whether a run has results and its settings are known."""
    return run.summary.has_results and bool(run.keys)


def _arguments_at_paper_size(grid: str, command: str, kept_keys: Sequence[str] = KEPT_KEYS) -> str:
    """The arguments of a run of the paper's size, with the same values of these keys as a command."""
    words = _words(command)
    kept = [word for word in words if "=" in word and word.partition("=")[0].partition(".")[0] in kept_keys]
    folder = [word for pair in pairwise(words) if pair[0] == "--config-dir" for word in pair]
    return shlex.join([f"+grid={grid}", *kept, *folder])


def _words(command: str) -> list[str]:
    """The words of a recorded command; empty if it cannot be typed."""
    try:
        return shlex.split(command)
    except ValueError:
        return []


def _why_none(experiment: Experiment, of_grid: Sequence[ReportedRun]) -> str:
    """Why no run of a grid can be compared with the paper; empty if the grid has no runs."""
    if not of_grid:
        return ""
    newest = next((run for run in of_grid if _comparable(run)), of_grid[0])
    if not newest.summary.has_results:
        return f"run {newest.run.id} has only failures"
    if not newest.keys:
        return f"the configuration of run {newest.run.id} is missing"
    found = differences(newest.keys, experiment)
    differing = [key for key in newest.keys if not found.get(key.name, "allowed")]
    keys = ", ".join(f"{key.name} {key.value} instead of {key.default}" for key in differing)
    return f"run {newest.run.id} has different settings from the paper: {keys}"


def _allowed_difference(key: RequestedKey, experiment: Experiment) -> str:
    """How a run may differ in a key and still be compared; empty if it may not."""
    if key.name in experiment.free:
        return f"{key.value} for {key.default}"
    entries, printed = _entries(key.value), _entries(key.default)
    if key.name not in experiment.fewer or not entries or any(entry not in printed for entry in entries):
        return ""
    return f"{len(entries)} of {len(printed)}"


def _entries(value: str | None) -> list[Any]:
    """The entries of a key that is a list; empty if it is not a list."""
    try:
        entries = json.loads(value or "")
    except (ValueError, RecursionError):
        return []
    return entries if isinstance(entries, list) else []


def write_proof(documents: Sequence[Document], answers: Answers, output: Path, folder: Path, index: str) -> Proof:
    """Write the page over all documents, and its tables as files beside it; return the proof that they show.

    output : the folder of results in the page's commands
    folder : of the report
    index  : name of the page over all runs
    """
    from pipeline.report.rendering import environment

    proof = proof_of(documents, answers)
    files = proof.table().files() | proof.differences().files()
    content = environment().get_template(PAGE).render(proof=proof, index=index, files=list(files), output=str(output))
    for name, file_content in (files | {PAGE: content.encode("utf-8", "replace")}).items():
        write_changed(folder / name, file_content)
    return proof
