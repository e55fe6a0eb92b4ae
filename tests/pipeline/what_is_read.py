"""What a reader gets of a finished run, held against the run's own parts."""

from __future__ import annotations

from pathlib import Path

from pipeline.grids.base import RESULTS_TABLE, GridSummary
from pipeline.plan import GridRun
from pipeline.storage.parts import read
from tests.pipeline.questions import check_answers, finished_run, summarised

__all__ = ["check_trees", "checked"]


def checked(folder: Path, trees_in: str = RESULTS_TABLE) -> GridSummary:
    """The summary of the newest run made in a folder, made again: every question answers, every tree is of a row."""
    planned = finished_run(folder / "outputs")
    summary = summarised(planned, folder / "again")
    for table in summary.documents:
        check_answers(planned, table)
    check_trees(planned, summary, trees_in)
    assert summary.finding.endswith(".")
    assert "\n" not in summary.finding
    return summary


def check_trees(run: GridRun, summary: GridSummary, table: str) -> None:
    """Fail unless each tree is called what one row that worked, and no other, is called, and is built from that."""
    rows = [row for part in run.scan(table).parts for row in read(part).to_pylist()]
    for tree in summary.trees:
        called = {name: value for name, value in tree.row.items() if name != "cost"}
        found = [row for row in rows if called.items() <= row.items()]
        assert len(found) == 1, f"{len(found)} rows of {table} are called {called}"
        assert found[0].get("status", "ok") == "ok"
        assert tree.title
        assert run.grid.tree(tree.row)[0].nodes >= 1
