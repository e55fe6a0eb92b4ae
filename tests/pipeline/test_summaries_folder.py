"""The folder of a run's summaries holds the files of its last summary."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pipeline.discovery import SearchPath
from pipeline.driver.summarising import summarise
from pipeline.grammar.comparison.grid import CompareBuildersGrid, summaries
from pipeline.plan import GridRun
from tests.pipeline.record.recorded import CART, GROWER, compared

FIGURE, TABLE = {".png", ".svg"}, {".csv", ".md", ".tex"}


def summarised(run: GridRun, summary: str) -> set[str]:
    """The files that a summary of a run says that it wrote."""
    assert isinstance(run.grid, CompareBuildersGrid)
    again = replace(run, grid=replace(run.grid, summary=summaries(SearchPath())[summary]))
    result = summarise(again, {table: again.scan(table).parts for table in again.grid.tables})
    tables = {f"{document.name}{form}" for document in result.documents for form in TABLE}
    return tables | {"summary.json"} | {path.name for path in result.figures}


def test_another_summary_of_a_run_replaces_the_tables_and_figures_of_the_former(tmp_path: Path) -> None:
    run = compared(tmp_path / "outputs", (GROWER, CART))
    before = summarised(run, "pruning")
    for own in ("mine.csv", "notes.txt", "paper.svg"):  # a person's
        (run.summaries / own).write_text("mine")
    after = summarised(run, "accuracies")
    assert before - after, "the two summaries write the same files"
    there = {path.name for path in run.summaries.iterdir()}
    assert there == after | {"mine.csv", "notes.txt", "paper.svg"}
    assert summarised(run, "pruning") == before
    assert {path.name for path in run.summaries.iterdir()} == before | {"mine.csv", "notes.txt", "paper.svg"}
