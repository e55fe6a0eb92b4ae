"""What a reader gets of a summary besides its tables: a finding, the question behind each row, trees that are there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.grids.base import Grid, GridSummary
from pipeline.plan import GridRun
from pipeline.storage.parts import Range, publish, read
from tests.pipeline.questions import check_answers, summarised

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["summary_for_readers", "worked_run"]


def worked_run(grid: Grid, worked: Iterable[tuple[Range, Mapping[str, pa.Table]]], folder: Path) -> GridRun:
    """A run of a grid whose items are worked already, a part for each range of them."""
    run = GridRun(grid, "worked", "x", folder)
    for span, tables in worked:
        for name, table in tables.items():
            publish(table, run.folder(name), run.id, *span)
    return run


def summary_for_readers(run: GridRun, folder: Path) -> GridSummary:
    """The summary of a run: a finding of one sentence, answers to every question, trees of just one row each."""
    summary = summarised(run, folder)
    assert summary.finding.endswith(".")
    assert "\n" not in summary.finding
    for table in summary.documents:
        check_answers(run, table)
    rows = [row for part in run.scan().parts for row in read(part).to_pylist()]
    for tree in summary.trees:
        (row,) = (row for row in rows if tree.row.items() <= row.items())
        assert row["terminal_nodes"] is not None
        assert f"{row['terminal_nodes']} lea" in tree.title
    assert len({tree.title for tree in summary.trees}) == len(summary.trees) <= 4
    return summary
