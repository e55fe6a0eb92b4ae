"""Joint results of the runs of a sweep, computed from their `summary.json` files alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.storage.atomic import write_changed
from pipeline.storage.locations import contents, storage_errors
from pipeline.summary.exact_json import MisfitError, decoded, sealed
from pipeline.summary.record import NAME, SummaryRecord, UnreadableSummaryError
from pipeline.summary.tables import VERDICT, SummaryTable, Value, joined
from pipeline.summary.verdicts import Verdict
from pipeline.words import counted

FORMAT = "orchard.sweep/2"
RUNS = "swept_runs"
"""The table that has a row a run."""
ENDED = "ended"
"""Its column that says how each run ended."""
NAMES = re.compile(r"[\w-]+")
"""Pattern for the names of a grid and a sweep, which also name a page."""
SENTENCE = re.compile(r"(?<=\.) +")
MOST_TEXTS = 3  # distinct values named in a cell


@dataclass(frozen=True)
class SweptRun:
    """A run of a sweep.

    values  : of the swept keys
    run     : its id; empty if it failed or has not begun
    ended   : how it ended, in a word or two
    finding : its result in one sentence; for a failed run, the reason
    summary : None if it has no readable summary
    """

    values: tuple[str, ...]
    run: str
    ended: str
    finding: str
    summary: SummaryRecord | None


@dataclass(frozen=True)
class SweepRecord:
    """The summary over the runs of a sweep.

    keys   : the swept keys
    runs   : the ids of the summarised runs
    tables : one row for each run, then how each table of the grid varies over the runs
    """

    sweep: str
    grid: str
    keys: tuple[str, ...]
    runs: tuple[str, ...]
    tables: tuple[SummaryTable, ...]
    format: str = field(default=FORMAT)

    @property
    def main(self) -> SummaryTable | None:
        """The first table of the grid that has verdicts, else the first; None if no run has a table."""
        judged = (table for table in self.tables[1:] if any(name.startswith(f"{VERDICT}_") for name in table.columns))
        return next(judged, next(iter(self.tables[1:]), None))


def sweep_record(sweep: str, grid: str, keys: Sequence[str], runs: Sequence[SweptRun]) -> SweepRecord:
    """Make the summary over runs, with each table in which any run has rows."""
    summaries = {run.run: run.summary for run in runs if run.summary is not None}
    by_name: dict[str, list[SummaryTable]] = {}
    for summary in summaries.values():
        for table in summary.tables:
            if table.rows:
                by_name.setdefault(table.name, []).append(table)
    tables = (_runs_table(keys, runs), *map(across, by_name.values()))
    return SweepRecord(sweep, grid, tuple(keys), tuple(summaries), tables)


def write_sweep(record: SweepRecord, folder: Path) -> None:
    """Write a sweep's tables and its `summary.json`. A file with the same contents is left as it is."""
    for table in record.tables:
        for name, content in table.files().items():
            write_changed(folder / name, content)
    write_changed(folder / NAME, sealed(record))


def read_sweep(folder: Path) -> SweepRecord:
    """Read the summary over the runs of a sweep from its folder.

    Raises UnreadableSummaryError: it is missing, damaged or of another format.
    """
    unusable: tuple[type[Exception], ...] = (MisfitError, *storage_errors())
    try:
        result = decoded(SweepRecord, contents(folder / NAME))
        expected = (FORMAT, folder.name.removeprefix("sweep="), folder.parent.name.removeprefix("grid="))
        if (
            (result.format, result.sweep, result.grid) != expected
            or not result.tables
            or ENDED not in result.tables[0].columns
            or not NAMES.fullmatch(result.grid + result.sweep)
        ):
            raise MisfitError(result.format, "the summary of this sweep")
    except unusable as error:
        raise UnreadableSummaryError(
            f"has a {NAME} that cannot be read ({error}); run the sweep again to write it"
        ) from error
    return result


def _runs_table(keys: Sequence[str], runs: Sequence[SweptRun]) -> SummaryTable:
    """One row for each run: its values of the swept keys, how it ended, its verdicts and its finding."""
    judged = [run.summary.judged if run.summary else None for run in runs]
    counts = [table.verdicts if table else {} for table in judged]
    words = [verdict for verdict in Verdict if any(verdict in count for count in counts)]
    rows = tuple(
        (*run.values, run.run, run.ended, *(count.get(word, 0) if count else None for word in words), run.finding)
        for run, count in zip(runs, counts, strict=True)
    )
    note = "Verdicts are those of the first table of the run that has any." if words else ""
    return SummaryTable(RUNS, "Runs of the sweep", (*keys, "run", ENDED, *map(str, words), "finding"), rows, note)


def across(tables: Sequence[SummaryTable]) -> SummaryTable:
    """The variation of a table's values over runs.

    The rows of the runs are joined by the first columns, as many as identify the rows of each run. Each further column
    of numbers becomes mean, minimum and maximum; verdicts are counted, one column for each; other texts are listed with
    their counts. A column that is the same in every run stays as it is.

    tables : the same table of each run that has it; columns that not all of them have are left out
    """
    first, shared = tables[0], joined(tables)
    rows = [[row for row in by_run if row is not None] for by_run in shared.rows.values()]
    cells: dict[str, list[Value]] = {"runs": [len(row) for row in rows]}
    for name in sorted(shared.measures, key=lambda name: name != VERDICT):  # verdicts first
        cells |= _spread(name, [[row[name] for row in by_run] for by_run in rows])
    note = (
        f"Of {counted(len(tables), 'run')}. runs: how many of them have the row; a value that varies is their mean, "
        f"beside the least and the greatest. Note of each run: {_common(tables)}"
    )
    shown = tuple((*values, *(column[index] for column in cells.values())) for index, values in enumerate(shared.rows))
    return SummaryTable(first.name, f"{first.title}: over runs", (*shared.key, *cells), shown, note)


def _common(tables: Sequence[SummaryTable]) -> str:
    """The sentences in the notes of all tables, each once."""
    notes = [SENTENCE.split(table.note) for table in tables]
    return " ".join(sentence for sentence in notes[0] if all(sentence in note for note in notes))


def _spread(name: str, values: Sequence[Sequence[Value]]) -> dict[str, list[Value]]:
    """Summarise a column: new columns by name, with a value for each row of the joined table.

    values : for each row, its values in the runs
    """
    present = [[value for value in row if value is not None] for row in values]
    every = {value for row in present for value in row}
    if name == VERDICT:
        words = [verdict for verdict in Verdict if verdict in every]
        return {f"{VERDICT}_{word.replace(' ', '_')}": [row.count(word) for row in present] for word in words}
    if all(len(set(row)) == 1 for row in values):
        return {name: [row[0] for row in values]}
    if any(isinstance(value, str | bool) for value in every):
        return {name: [_counted(row) for row in present]}
    numbers = [[value for value in row if isinstance(value, int | float)] for row in present]
    return {
        name: [_mean(row) for row in numbers],
        f"{name}_least": [min(row, default=None) for row in numbers],
        f"{name}_greatest": [max(row, default=None) for row in numbers],
    }


def _mean(values: Sequence[float]) -> float | None:
    """The mean, kept within the range of the values despite rounding."""
    return min(max(sum(values) / len(values), min(values)), max(values)) if values else None


def _counted(values: Sequence[Value]) -> str:
    """The most frequent values, each with its number of runs."""
    counts = Counter(str(value).lower() if isinstance(value, bool) else str(value) for value in values).most_common()
    named = [f"{text} ({count})" for text, count in counts[:MOST_TEXTS]]
    return "; ".join([*named, counted(len(counts) - MOST_TEXTS, "other")] if len(counts) > MOST_TEXTS else named)
