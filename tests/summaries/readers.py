"""What a reader gets of a summary besides its tables: a finding, the question behind each row, trees that are there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.grid import RESULTS_TABLE, Grid, GridSummary
from pipeline.plan import GridRun
from pipeline.storage.parts import Range, publish, read
from tests.pipeline.questions import check_answers, finished_run, summarised
from tests.summaries.typeset import PDFLATEX, check_fits, set_by_latex

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["computed_run", "read_back", "summary_for_readers"]


def computed_run(grid: Grid, computed: Iterable[tuple[Range, Mapping[str, pa.Table]]], folder: Path) -> GridRun:
    """A run of a grid whose items are computed already, with a part file for each range."""
    run = GridRun(grid, "worked", "x", folder)
    for span, tables in computed:
        for name, table in tables.items():
            publish(table, run.folder(name), run.id, *span)
    return run


def summary_for_readers(
    run: GridRun, folder: Path, trees_in: str = RESULTS_TABLE, *, rebuilt: bool = False, drawn: bool = False
) -> GridSummary:
    """The summary of a run: a finding of one sentence, answers to every question, trees of just one row each.

    Its tables fit a page, as far as there is a LaTeX to tell.

    trees_in : the table that the rows of its trees are in
    rebuilt  : whether trees are built again, which takes a grid whose builders are all of our own classes
    drawn    : whether its figures are drawn
    """
    summary = summarised(run, folder, drawn=drawn)
    assert summary.finding.endswith(".")
    assert "\n" not in summary.finding
    for table in summary.documents:
        check_answers(run, table)
    if PDFLATEX:
        check_fits(set_by_latex(summary.documents, folder.with_name(f"{folder.name}_set")))
    rows = [row for part in run.scan(trees_in).parts for row in read(part).to_pylist()]
    for tree in summary.trees:
        identity = {name: value for name, value in tree.row.items() if name != "cost"}
        (row,) = (row for row in rows if identity.items() <= row.items())
        assert row["terminal_nodes"] is not None
        for leaves in re.findall(r"(\d+) lea", tree.title):
            assert int(leaves) == row["terminal_nodes"]
        if rebuilt:
            assert run.grid.rebuilt(tree.row).measures["terminal_nodes"] == row["terminal_nodes"]
    assert len({tree.title for tree in summary.trees}) == len(summary.trees) <= 4
    return summary


def read_back(folder: Path, trees_in: str = RESULTS_TABLE) -> GridSummary:
    """The summary for readers of the newest run that a command made in a folder, each of its trees built again."""
    run = finished_run(folder / "outputs")
    summary = summary_for_readers(run, folder / "again", trees_in)
    for tree in summary.trees:
        assert run.grid.tree(tree.row)[0].nodes >= 1
    return summary
