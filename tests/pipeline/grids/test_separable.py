"""Methods of an item can be left out: the rows of the others do not change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rich.text import Text

from pipeline.driver.run import _set_aside_failed
from pipeline.failures import Failure
from pipeline.grid import RESULTS_TABLE, Grid, GridSummary
from pipeline.grids.oct_vs_cart.grid import METHODS, OctVsCartGrid
from pipeline.grids.uci_exact.grid import UciExactGrid
from pipeline.plan import Chunk, GridRun
from pipeline.storage.parts import not_ok
from pipeline.work.limits import Limits
from pipeline.work.publication import publish_chunk
from pipeline.work.suspects import Suspect, publish_suspect
from tests.drills.misfits import BEHAVIOURS
from tests.pipeline.grids.every_grid import CORRAL, HEURISTICS, grid_composed, grid_named, grid_of_case
from tests.pipeline.questions import check_answers, summarised

KILLED = Failure("killed", "its process was ended by SIGSEGV")
LIMITS = Limits(120.0, None)


@dataclass(frozen=True)
class CrashingFronts(UciExactGrid):
    """Its process ends where the fronts are computed."""

    def work(self, first: int, stop: int) -> dict[str, pa.Table]:
        if len(self.methods) - 1 not in self.left_out:
            BEHAVIOURS["crashes"]()
        return super().work(first, stop)


@dataclass(frozen=True)
class RaisingOct(OctVsCartGrid):
    """Its item raises where OCT runs."""

    def work(self, first: int, stop: int) -> dict[str, pa.Table]:
        if METHODS.index("oct") not in self.left_out:
            raise KeyboardInterrupt
        return super().work(first, stop)


def crashing(kind: Any, grid: Any) -> Any:
    return kind(**{field.name: getattr(grid, field.name) for field in fields(grid)})


def computed_apart(grid: Any, folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The rows of the first item, whose worker has died."""
    run = GridRun(grid, "small", "0123456789ab", folder)
    assert not publish_suspect(run, Suspect(Chunk(0, 1), 1, hung=False), LIMITS).failed_items
    return {name: pa.concat_tables(map(pq.read_table, run.folder(name).iterdir())).to_pylist() for name in grid.tables}


def test_a_search_that_ends_its_process_leaves_the_heuristics_and_the_minima(tmp_path: Path) -> None:
    grid = grid_named("uci_exact", f"source=[{CORRAL}]", HEURISTICS, "alphas=[0.1]", "orders=[[depth]]")
    result = computed_apart(crashing(CrashingFronts, grid), tmp_path)
    assert [row["status"] for row in result["results"]] == ["ok"] * grid.cells_per_item
    assert [row["status"] for row in result["tree_sets"]] == ["ok"] * 3
    assert {(row["status"], row["error"]) for row in result["fronts"]} == {(KILLED.status, KILLED.error)}


@pytest.mark.parametrize("items", [1, 2])
def test_a_search_that_has_its_item_raise_leaves_cart(tmp_path: Path, items: int) -> None:
    grid = crashing(RaisingOct, grid_of_case("oct_vs_cart"))
    receipt = publish_chunk(GridRun(grid, "small", "0123456789ab", tmp_path), Chunk(0, items), LIMITS)
    rows = [row for part in receipt.parts for row in pq.read_table(part.path).to_pylist()]
    assert [(row["builder"], row["error"]) for row in rows] == [("cart", None), ("oct", "KeyboardInterrupt: ")] * items


def test_failed_rows_of_another_table_are_computed_again_on_request(tmp_path: Path) -> None:
    grid = grid_of_case("uci_exact")
    whole = GridRun(grid, "small", "0123456789ab", tmp_path)
    without_fronts = replace(whole, grid=grid.leaving_out({len(grid.methods) - 1: KILLED}))
    publish_chunk(without_fronts, Chunk(0, 1))
    publish_chunk(whole, Chunk(1, 2))
    assert not_ok(whole.scan().parts) == []
    _set_aside_failed(whole)
    assert {part.first for table in grid.tables for part in whole.scan(table).parts} == {1}


def summary_without(grid: Grid, lost: Mapping[int, Sequence[int]], folder: Path) -> GridSummary:
    """The summary of the grid where of these items those of these places are lost; its questions are answered."""
    run = GridRun(grid, "small", "0123456789ab", folder)
    for item in range(grid.items):
        left_out = dict.fromkeys(lost.get(item, ()), KILLED)
        publish_chunk(replace(run, grid=grid.leaving_out(left_out)), Chunk(item, item + 1))
    summary = summarised(run, folder)
    for table in summary.documents:
        check_answers(run, table)
    return summary


def texts(summary: GridSummary) -> str:
    return "\n".join(str(line) for line in summary.screen(100) if isinstance(line, Text))


def test_a_table_of_which_a_heuristic_is_lost_is_not_counted_by_the_others(tmp_path: Path) -> None:
    grid = grid_of_case("uci_exact")
    best = 1  # of corral, by far
    summary = summary_without(grid, {0: (best, len(grid.methods) - 1)}, tmp_path)
    assert summary.finding.startswith("On 1 of 1 table one of 2 heuristics grows a tree with the fewest nodes; ")
    assert summary.finding.endswith("; 1 more table left out, because a heuristic failed; 1 of 6 trees failed.")
    shown = texts(summary)
    assert f"{CORRAL}: 1 heuristics failed, the first: killed: {KILLED.error}" in shown
    assert f"{CORRAL}: 10 fronts failed, the first: killed: {KILLED.error}" in shown


def test_a_heuristic_that_is_lost_on_every_table_leaves_nothing_to_compare(tmp_path: Path) -> None:
    summary = summary_without(grid_of_case("uci_exact"), {0: (0,), 1: (0,)}, tmp_path)
    assert (
        summary.finding
        == "No result: the trees of all heuristics are not known for any of 2 tables; 2 of 6 trees failed."
    )
    assert summary.has_results


def test_the_best_of_the_heuristics_is_not_that_of_some(tmp_path: Path) -> None:
    summary = summary_without(grid_of_case("induction_gap"), {0: (1,)}, tmp_path)
    means = next(table for table in summary.documents if table.name == "induction_gap")
    counted = {row[0]: row[2] for row in means.rows}
    assert counted["best of 2 heuristics"] == 1
    assert counted["max/rt"] == 2


def test_a_builder_is_not_the_nearest_for_the_sets_that_it_is_lost_on(tmp_path: Path) -> None:
    summary = summary_without(grid_of_case("smallest_tree"), {0: (0,), 1: (1,)}, tmp_path)
    assert summary.finding.startswith("6 of 6 trees have the fewest leaves of all trees that classify the")
    assert "c45 unpruned and cart come closest" in summary.finding
    assert "2 data sets" in summary.finding
    assert texts(summary).count(KILLED.error) == 1  # the first of them


def test_a_builder_that_needs_more_rows_than_the_rehearsal_is_run_anyway() -> None:
    needs_twenty = "builders=[{name: oct, builder: oct, parameters: {min_rows_leaf: 20, max_depth: 2}}]"
    grid = grid_composed("smallest_tree", f"source=[{CORRAL}]", needs_twenty, "two_branches=[oct]")
    grid.prepare(print)
    assert [row["status"] for row in grid.work(0, 1)[RESULTS_TABLE].to_pylist()] == ["ok", "ok"]


def test_a_shape_of_which_no_table_is_finished_does_not_take_the_others_with_it(tmp_path: Path) -> None:
    grid = grid_of_case("greed_grows")
    minima = len(grid.methods) - 1
    summary = summary_without(grid, {0: (minima,), 1: (minima,), 2: (minima,)}, tmp_path)
    assert "3 tables left out because of rows that are not ok, among them all of random/10x10x3" in texts(summary)
    assert {row[2] for row in summary.documents[0].rows}.isdisjoint({"random/10x10x3"})
    assert "of 1 to 2 decision tables" in summary.documents[0].note
