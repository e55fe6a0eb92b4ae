"""The summary over the runs of a sweep, written beside theirs and shown when the sweep ends."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

from pipeline.configuration.keys import of_execution
from pipeline.driver.outcome import Outcome
from pipeline.errors import OutputError
from pipeline.masking import masked, masked_override
from pipeline.plain_text import note
from pipeline.screen import console
from pipeline.storage.locations import located, storage_errors
from pipeline.summary.record import UnreadableSummaryError, read_summary
from pipeline.summary.sweep import SweepRecord, SweptRun, sweep_record, write_sweep
from pipeline.summary.tables import SummaryTable, Value

SHOWN_ROWS = 8
NOT_BEGUN = "not begun"


def summarise_sweep(runs: Sequence[Sequence[str]], ended: Sequence[Outcome]) -> None:
    """Write and show the summary over the runs of each grid that a sweep ran several times.

    runs  : the overrides of each run
    ended : how each run that was started ended, in the same order

    Raises OutputError: a summary cannot be written.
    """
    by_grid: dict[str, list[tuple[Sequence[str], Outcome | None]]] = {}
    for overrides, outcome in zip_longest(runs, ended):
        grid = next((word for word in overrides if word.startswith("+grid=")), "")
        by_grid.setdefault(grid, []).append((overrides, outcome))
    for of_grid in by_grid.values():
        begun = [outcome for _, outcome in of_grid if outcome and outcome.run]
        if len(of_grid) > 1 and begun:
            _summarise(of_grid, begun[0])


def swept_indices(runs: Sequence[Sequence[str]]) -> list[int]:
    """The indices of the overrides that differ between the runs of a sweep."""
    return [index for index, values in enumerate(zip(*runs, strict=True)) if len(set(values)) > 1]


def _summarise(runs: Sequence[tuple[Sequence[str], Outcome | None]], first: Outcome) -> None:
    """Write and show the summary over the runs of a grid, beside the summary of the first."""
    overrides = [[masked_override(word) for word in words] for words, _ in runs]
    swept = swept_indices(overrides)
    keys = [overrides[0][index].partition("=")[0].lstrip("+") for index in swept]
    values = [tuple(words[index].partition("=")[2] for index in swept) for words in overrides]
    swept_runs = [_swept_run(of_run, outcome) for of_run, (_, outcome) in zip(values, runs, strict=True)]
    record = sweep_record(_sweep_id(overrides), first.grid, keys, swept_runs)
    folder = located(first.output) / "summaries" / f"grid={record.grid}" / f"sweep={record.sweep}"
    try:
        write_sweep(record, folder)
    except storage_errors() as error:
        raise OutputError.of(error, first.output) from error
    _show(record, folder)


def _swept_run(values: tuple[str, ...], outcome: Outcome | None) -> SweptRun:
    """A run of a sweep with its summary; if that cannot be read, a remark says why."""
    if outcome is None:
        return SweptRun(values, "", NOT_BEGUN, "", None)
    summary = None
    if outcome.run:
        folder = located(outcome.output) / "summaries" / f"grid={outcome.grid}" / f"run={outcome.run}"
        try:
            summary = read_summary(folder, outcome.run, outcome.grid)
        except UnreadableSummaryError as error:
            note(f"run {outcome.run} is left out of the summary over the sweep: it {error}")
    return SweptRun(values, outcome.run, outcome.how, masked(outcome.finding), summary)


def _sweep_id(runs: Sequence[Sequence[str]]) -> str:
    """Twelve hexadecimal digits that identify the overrides of its runs, except those that say where or how to run."""
    relevant = [sorted(word for word in run if not of_execution(word.partition("=")[0].lstrip("+"))) for run in runs]
    return hashlib.sha256(json.dumps(relevant).encode()).hexdigest()[:12]


def _show(record: SweepRecord, folder: Path) -> None:
    """Show the first rows of the main table, and the location of all tables."""
    from rich.markup import escape

    from pipeline.listing import listing

    out = console()
    if table := record.main:
        out.print(f"\n[bold]{escape(table.title)}[/], mean (least to greatest)\n")
        columns, rows = _with_ranges(table)
        shown, left_out = listing(columns, rows, out.width)
        out.print(shown)
        if len(table.rows) > SHOWN_ROWS:
            left_out.append(f"the first {SHOWN_ROWS} of {len(table.rows):,} rows")
        if left_out:
            out.print(f"{'; '.join(left_out)}; {table.name}.csv has everything", markup=False)
    out.print(f"\n[bold]{'Summary':10}[/] {escape(str(folder))}", soft_wrap=True)
    out.print(f"{'':10} {', '.join(f'{table.name}.csv' for table in record.tables)}", soft_wrap=True, markup=False)


def _with_ranges(table: SummaryTable) -> tuple[list[str], list[list[Value]]]:
    """The columns and first rows of a table, with a mean and its range joined into one text."""
    names = list(table.columns)
    ranged = [name for name in names if f"{name}_least" in names]
    ends = {f"{name}_{end}" for name in ranged for end in ("least", "greatest")}
    rows: list[list[Value]] = []
    for cells in table.records[:SHOWN_ROWS]:
        for name in ranged:
            mean, least, greatest = (cells[f"{name}{end}"] for end in ("", "_least", "_greatest"))
            if least != greatest:
                cells[name] = f"{mean:.4g} ({least:.4g} to {greatest:.4g})"
        rows.append([value for name, value in cells.items() if name not in ends])
    return [name for name in names if name not in ends], rows
