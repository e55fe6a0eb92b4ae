"""Rules that hold for every grid, whatever it computes: a grid of each, of few items."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from algorithms.trees.costs import COST_FUNCTIONS
from pipeline.data.sources import DataLocation
from pipeline.discovery import SearchPath
from pipeline.errors import ConfigError
from pipeline.failures import Failure
from pipeline.grammar.grid import DeclaredGrid
from pipeline.grammar.notable_trees import row_identity
from pipeline.grid import RESULTS_TABLE, RebuiltTree
from pipeline.kinds import kind_named
from pipeline.storage.parts import publish
from pipeline.work.separation import divisible
from tests.pipeline.conftest import Command
from tests.pipeline.grids.every_grid import (
    CASES,
    REFUSED,
    Row,
    computed,
    grid_composed,
    grid_of_case,
    rows_to_rebuild,
    without_seconds,
)

KILLED, NOT_REQUESTED = Failure("killed", "its process was ended by SIGSEGV"), Failure("skipped", "not asked")
WITH_TREES = sorted(set(CASES) - {"catalogue"})

Rows = dict[str, Counter[str]]


def counted(tables: Mapping[str, pa.Table], without: Failure | None = None) -> Rows:
    """How often there is each row of each table; rows with the status of `without` do not count."""
    return {
        name: Counter(
            json.dumps(row, sort_keys=True)
            for row in without_seconds(table)
            if without is None or row.get("status") != without.status
        )
        for name, table in tables.items()
    }


def test_every_grid_has_a_case() -> None:
    assert set(SearchPath().folders()) == set(CASES)
    assert all(isinstance(grid_of_case(name), DeclaredGrid) for name in CASES)


@pytest.mark.parametrize("name", CASES)
def test_a_grid_travels_and_comes_back_from_its_identity(name: str) -> None:
    made = grid_composed(name, *CASES[name])
    kept = json.loads(json.dumps(made.identity()))
    back = kind_named(kept["grid"]).from_identity(kept, DataLocation())
    assert back == made == pickle.loads(pickle.dumps(made))
    assert back.identity() == made.identity()
    moved: Any = kind_named(kept["grid"]).from_identity(kept, DataLocation("elsewhere"))
    assert moved.identity() == made.identity()
    assert {source.location for source in getattr(moved, "sources", ())} <= {DataLocation("elsewhere")}


@pytest.mark.parametrize(("name", "overrides", "message"), REFUSED)
def test_values_that_a_grid_refuses_are_named(command: Command, name: str, overrides: str, message: str) -> None:
    status, out, err = command(f"+grid={name}", *CASES[name], *overrides.split())
    assert (status, out) == (2, "")
    assert message in err


@pytest.mark.parametrize("name", CASES)
def test_items_titles_and_rows_agree(name: str) -> None:
    grid, results = grid_of_case(name), computed(name)[RESULTS_TABLE]
    titles = {grid.title(item) for item in range(grid.items)}
    assert len(titles) == grid.items or name == "removed_features"  # where none is removed the order is of no account
    assert len(results) == grid.items * grid.cells_per_item
    for item in range(grid.items):
        mine = results[item * grid.cells_per_item : (item + 1) * grid.cells_per_item]
        failed = without_seconds(grid.failed_item(item, "failed", "for the sake of its name")[RESULTS_TABLE])
        assert [row_identity(row) for row in failed] == [row_identity(row) for row in mine]
        assert {grid.number_of(row_identity(row)) for row in mine} == {item}
    assert grid.number_of({}) == 0
    with pytest.raises(ConfigError, match="source nowhere"):
        grid.number_of({"source": "nowhere"})


TITLES = {
    "compare_builders": "sklearn/iris (60 rows), repeat 1, fold 3, training rows",
    "did_vs_c45": "rule/monks-3, repeat 2, fold 1, training rows",
    "evo_vs_exact": "sklearn/iris, depth 2",
    "oct_vs_cart": "sklearn/iris, repeat 2, depth 2, training rows",
    "smallest_tree": "uci/balloons/adult-stretch, cart",
}


@pytest.mark.parametrize("name", TITLES)
def test_a_title_names_the_value_on_each_axis(name: str) -> None:
    grid = grid_of_case(name)
    assert grid.title(grid.items - 1) == TITLES[name]
    assert 1 < grid.table(grid.items - 1).rows <= computed(name)[RESULTS_TABLE][-1]["rows"]


@pytest.mark.parametrize("name", CASES)
def test_rows_do_not_depend_on_chunks_and_have_the_columns_that_are_declared(name: str) -> None:
    grid = grid_of_case(name)
    last = [grid.work(item, item + 1) for item in range(max(0, grid.items - 2), grid.items)]
    for table in grid.tables:
        rows = [row for tables in last for row in without_seconds(tables[table])]
        assert rows == computed(name)[table][len(computed(name)[table]) - len(rows) :]
        assert {tables[table].schema for tables in (*last, grid.failed_item(0, "failed", "x"))} == {
            grid.schema(table)  # type: ignore[attr-defined]
        }


@pytest.mark.parametrize("name", CASES)
def test_rows_of_an_item_that_failed_say_why_and_hold_no_measures(name: str) -> None:
    grid = grid_of_case(name)
    tables = grid.failed_item(grid.items - 1, KILLED.status, KILLED.error)
    assert set(tables) == set(grid.tables)
    assert tables[RESULTS_TABLE].num_rows == grid.cells_per_item
    for table in tables.values():
        for row in table.to_pylist():
            assert (row["status"], row["error"]) == (KILLED.status, KILLED.error)
            assert {row.get(measure) for measure in (*COST_FUNCTIONS, "rows", "test_accuracy", "optimal")} == {None}


@pytest.mark.parametrize("name", CASES)
def test_failed_cells_say_so_and_the_others_have_their_usual_rows(name: str) -> None:
    grid = grid_of_case(name)
    if not divisible(grid):
        pytest.skip("its items are single cells")
    whole, of_results, of_halves = counted(grid.work(0, 1)), 0, 0
    for index in range(len(grid.methods)):
        alone = grid.leaving_out({other: NOT_REQUESTED for other in range(len(grid.methods)) if other != index}).work(
            0, 1
        )
        result = counted(alone, without=NOT_REQUESTED)
        assert all(result[table] <= whole[table] for table in whole)
        assert any(result.values())
        of_results += result[RESULTS_TABLE].total()
    assert of_results == grid.cells_per_item
    for first in (0, 1):  # of two, one fails
        tables = grid.leaving_out(dict.fromkeys(range(first, len(grid.methods), 2), KILLED)).work(0, 1)
        kept = counted(tables, without=KILLED)
        assert tables[RESULTS_TABLE].num_rows == grid.cells_per_item
        assert all(kept[table] <= whole[table] for table in whole)
        failed = [row for table in tables.values() for row in table.to_pylist() if row.get("status") == KILLED.status]
        assert {row["error"] for row in failed} == {KILLED.error}
        of_halves += kept[RESULTS_TABLE].total()
    assert of_halves == grid.cells_per_item


def same(result: RebuiltTree, row: Row) -> bool:
    """Whether a row has the measures of a tree, at least its costs."""
    assert set(result.measures) & set(row) & set(COST_FUNCTIONS)
    return result.differing(row) == []


@pytest.mark.parametrize("name", WITH_TREES)
def test_every_row_has_its_tree_again(name: str) -> None:
    grid = grid_of_case(name)
    rows = [row for row in computed(name)[grid.tree_table] if row["builder"] != "fewest_leaves"]
    assert {row.get("status", "ok") for row in rows} == {"ok"}
    for row in rows:
        if row["terminal_nodes"] is None:  # a forest
            with pytest.raises(ConfigError, match=r"(makes|found) no tree"):
                grid.rebuilt(row)
            continue
        for request in rows_to_rebuild(row):
            result = grid.rebuilt(request)
            assert same(result, row)
            assert result.tree.nodes >= (row["nodes"] if row["builder"] != "exact" else 1)
            assert result.tree.decision.max() < len(result.labels.decisions)
    assert same(grid.rebuilt({}), computed(name)[grid.tree_table][0])


@pytest.mark.long
@pytest.mark.parametrize("name", WITH_TREES)
def test_the_trees_that_a_summary_names_are_there(name: str, tmp_path: Path) -> None:
    grid, made = grid_of_case(name), grid_composed(name, *CASES[name])
    parts = {
        table: [publish(rows, tmp_path / table, "0" * 12, 0, grid.items)]
        for table, rows in grid.work(0, grid.items).items()
    }
    for notable in made.summarise(parts, tmp_path / "summary").trees:
        assert grid.rebuilt(notable.row).tree.nodes > 0
