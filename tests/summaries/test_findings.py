"""What summaries say in a sentence: of few rows, of failures, and of nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from algorithms.impurity import impurity_function
from pipeline.data.sources import Source
from pipeline.data.table_options import TableOptions
from pipeline.grammar.findings import above, agreement, listed, tied_names
from pipeline.grid import GridSummary
from pipeline.grids.catalogue.grid import CatalogueGrid
from pipeline.grids.did_vs_c45 import summary as did_vs_c45
from pipeline.grids.induction_gap.grid import InductionGapGrid
from pipeline.grids.removed_features import summary as removed_features
from pipeline.grids.uci_exact.grid import UciExactGrid
from pipeline.grids.worked_examples.grid import WorkedExamplesGrid
from pipeline.schema import RESULTS_IN_MEMORY, known_tables
from pipeline.storage.parts import Part, publish
from pipeline.summary.verdicts import Verdict
from tests.summaries.builder_rows import result_row, verified

AGREES, CONSISTENT = Verdict.AGREES, Verdict.CONSISTENT
DIFFERS, IMPOSSIBLE = Verdict.DIFFERS, Verdict.IMPOSSIBLE
HEURISTICS = ("max/rt", "w_sum/gini")
SOURCES = tuple(Source(name, "all", ("0" * 64,)) for name in ("a", "b"))
OPTIONS = TableOptions("mode", "values", 10, (), "drop", "first_seen", "one")
FUNCTIONS = tuple(map(impurity_function, HEURISTICS))
TABLES: dict[str, Any] = {"sources": SOURCES, "options": OPTIONS, "heuristics": FUNCTIONS, "graph_bytes": 2**20}


@pytest.mark.parametrize(
    ("verdicts", "message"),
    [
        ([AGREES, None, AGREES], "2 of 2 figures agree with the paper"),
        ([AGREES], "1 of 1 figure agrees with the paper"),
        ([DIFFERS], "0 of 1 figure agrees with the paper, 1 differs"),
        ([AGREES, DIFFERS], "1 of 2 figures agree with the paper, 1 differs"),
        ([CONSISTENT, AGREES], "1 of 2 figures agree with the paper, 1 is consistent with it"),
        (
            [CONSISTENT, CONSISTENT, DIFFERS],
            "0 of 3 figures agree with the paper, 2 are consistent with it and 1 differs",
        ),
        ([IMPOSSIBLE, DIFFERS, DIFFERS], "0 of 3 figures agree with the paper, 2 differ and 1 is impossible"),
        (
            [Verdict.FOLLOWS, Verdict.MISPRINT, DIFFERS, Verdict.MISPRINT],
            "0 of 4 figures agree with the paper, 1 differs, 2 are misprints and 1 follows from another printed value",
        ),
        ([Verdict.NO_INPUT] * 2, "0 of 2 figures agree with the paper, 2 have no input"),
        ([None], "no figures were compared with the paper"),
        ([], "no figures were compared with the paper"),
    ],
)
def test_agreement_counts_the_compared(verdicts: list[Verdict | None], message: str) -> None:
    assert agreement(verdicts, "figure") == message


def test_words_of_a_sentence() -> None:
    assert [listed(list("abc")[:n]) for n in (1, 2, 3)] == ["a", "a and b", "a, b and c"]
    assert [tied_names(list("abcd")[:n]) for n in (1, 2, 3, 4)] == ["a", "a and b", "a and 2 more", "a and 3 more"]
    assert [above(share) for share in (0.042, 0.0, -0.005)] == ["4.2 % above", "0.0 % above", "0.5 % below"]


def published(tables: dict[str, pa.Table], folder: Path) -> dict[str, list[Part]]:
    return {name: [verified(publish(table, folder / name, "x", 0, 1))] for name, table in tables.items()}


def failed(grid: UciExactGrid | InductionGapGrid, folder: Path) -> dict[str, list[Part]]:
    rows = [grid.failed_item(item, "killed", "gone") for item in range(grid.items)]
    return published({name: pa.concat_tables([row[name] for row in rows]) for name in grid.tables}, folder)


def of_nothing(name: str, folder: Path) -> GridSummary:
    """The summary of a run all of whose rows failed."""
    gone = {"part": "all", "status": "failed", "error": "gone"}
    if name == "uci_exact":
        grid = UciExactGrid(**TABLES, orders=(("nodes",),), alphas=())
        return grid.summarise(failed(grid, folder), folder / "s")
    if name == "induction_gap":
        gap = InductionGapGrid(**TABLES, builders=(), seed=0)
        return gap.summarise(failed(gap, folder), folder / "s")
    if name == "worked_examples":
        computed = WorkedExamplesGrid(names=("training_12",))
        return computed.summarise(published(dict(computed.failed_item(0, "killed", "gone")), folder), folder / "s")
    if name == "catalogue":
        sets = CatalogueGrid(sources=(Source("uci/zoo", "all", ()),))
        return sets.summarise(published(dict(sets.failed_item(0, "failed", "gone")), folder), folder / "s")
    rows = [
        result_row("a", builder, 1, removal_order="information_gain", removed_attributes=0) | gone for builder in "xy"
    ]
    parts = published({"results": pa.Table.from_pylist(rows, schema=RESULTS_IN_MEMORY)}, folder)
    if name == "did_vs_c45":
        parts |= published({"depths": known_tables()["depths"].schema.empty_table()}, folder)
        return did_vs_c45.SUMMARY.of(parts, folder / "s")
    attributes = [{"title": "a", "attributes": 3}]
    return removed_features.SUMMARY.of(parts, folder / "s", builders=["x", "y"], attributes=attributes)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("uci_exact", "No result: the exact minima are not known for any of 2 tables."),
        (
            "induction_gap",
            "No tree can be compared with an exact minimum: no minimum is known, or every builder failed.",
        ),
        (
            "worked_examples",
            "No figures were compared with the paper or an independent program; 1 of 1 example failed.",
        ),
        ("catalogue", "0 of 1 data set agrees with its description in the catalogue."),
        ("did_vs_c45", "Nothing was tested: every fit failed."),
        (
            "removed_features",
            "No data set was tested both with all attributes and without the more informative half of them.",
        ),
    ],
)
def test_where_all_failed_that_is_the_finding_and_there_is_no_tree(name: str, message: str, tmp_path: Path) -> None:
    summary = of_nothing(name, tmp_path)
    assert (summary.finding, summary.trees, summary.figures, summary.has_results) == (message, (), (), False)
    assert summary.screen(80)
