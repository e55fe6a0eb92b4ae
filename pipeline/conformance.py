"""Rules that hold for every grid, whatever it computes, as checks for the tests of a grid: see docs/extend/grid.md."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
from omegaconf import OmegaConf

from algorithms.trees.costs import COST_FUNCTIONS
from pipeline.configuration.composition import composed, search_path_of
from pipeline.data.sources import DataLocation
from pipeline.errors import ConfigError
from pipeline.failures import Failure
from pipeline.grammar.notable_trees import row_identity
from pipeline.grid import RESULTS_TABLE, Grid, RebuiltTree
from pipeline.kinds import grid_of, kind_named
from pipeline.storage.parts import publish
from pipeline.words import counted
from pipeline.work.separation import divisible

__all__ = ["CHECKS", "SmallGrid"]

Row = dict[str, Any]
KILLED, NOT_REQUESTED = Failure("killed", "its process was ended by SIGSEGV"), Failure("skipped", "not asked")
UNMEASURED = (*COST_FUNCTIONS, "rows", "test_accuracy", "optimal")


class SmallGrid:
    """A grid of few items, which the checks compute in this process.

    words      : of the command, such as `+grid=NAME`, keys that make the grid small, and `plugins=[…]`
    config_dir : as by --config-dir
    """

    def __init__(self, *words: str, config_dir: Path | None = None) -> None:
        self._search_path = search_path_of(words, config_dir)
        self._settings: Any = OmegaConf.to_object(composed(words, config_dir))

    @cached_property
    def made(self) -> Grid:
        """The grid as the command makes it."""
        return grid_of(self._settings, self._search_path)

    @cached_property
    def grid(self) -> Grid:
        """The grid as it is read again from the record of its run."""
        data = getattr(self._settings, "data", None)
        return self.read_again(DataLocation.of(data) if data else DataLocation())

    def read_again(self, location: DataLocation) -> Grid:
        """Make the grid from its identity, as JSON keeps it."""
        kept = json.loads(json.dumps(self.made.identity()))
        return kind_named(kept["grid"], self._search_path).from_identity(kept, location)

    @cached_property
    def rows(self) -> Mapping[str, list[Row]]:
        """The rows of all items, keyed by table, without what differs each time."""
        return {table: without_seconds(rows) for table, rows in self.grid.work(0, self.grid.items).items()}


def without_seconds(table: pa.Table) -> list[Row]:
    """Rows without seconds."""
    return [{key: value for key, value in row.items() if not key.endswith("_seconds")} for row in table.to_pylist()]


def rows_to_rebuild(row: Row) -> list[Row]:
    """The rows to rebuild for a row: for the minima, a row for each cost, with the measure of that alone."""
    if row["builder"] != "exact" or "tree" in row:
        return [row]
    return [row_identity(row) | {"cost": cost} for cost in COST_FUNCTIONS]


def _expect(holds: bool, rule: str) -> None:
    """Raise AssertionError if a rule does not hold."""
    if not holds:
        raise AssertionError(rule)


def _refused(call: Callable[[], object], why: str) -> bool:
    """Whether a call raises ConfigError with these words."""
    try:
        call()
    except ConfigError as error:
        return why in str(error)
    return False


def check_identity(small: SmallGrid) -> None:
    """A grid is equal after it was pickled, or read from its record; a moved folder of data changes no identity."""
    made, moved = small.made, small.read_again(DataLocation("elsewhere"))
    _expect(small.grid == made, "the grid that `from_identity` makes is not equal to the original grid")
    _expect(pickle.loads(pickle.dumps(made)) == made, "the grid differs after it was pickled")  # noqa: S301 - our own
    for other in (small.grid, moved):
        _expect(other.identity() == made.identity(), "the grid that `from_identity` makes has a different identity")
    locations = {source.location for source in getattr(moved, "sources", ())}
    _expect(locations <= {DataLocation("elsewhere")}, "a source ignores the new folder of data")


def check_items(small: SmallGrid) -> None:
    """Each item has `cells_per_item` rows of its own names. If it fails, they have the reason instead of measures."""
    grid, results = small.grid, small.rows[RESULTS_TABLE]
    cells = grid.cells_per_item
    _expect(len(results) == grid.items * cells, f"{counted(len(results), 'result row')}: expected {grid.items * cells}")
    for item in range(grid.items):
        mine = list(map(row_identity, results[item * cells : (item + 1) * cells]))
        failed = grid.failed_item(item, "failed", "for the sake of its name")[RESULTS_TABLE].to_pylist()
        same = list(map(row_identity, failed)) == mine
        _expect(same, f"failed and computed rows of {grid.title(item)} have different identities")
        found = {grid.number_of(row) for row in mine}
        _expect(found == {item}, f"`number_of` gives {found} for rows of {grid.title(item)}: expected {item}")
    tables = grid.failed_item(grid.items - 1, KILLED.status, KILLED.error)
    expected = sorted(grid.tables)
    _expect(sorted(tables) == expected, f"a failed item has the tables {sorted(tables)}: expected {expected}")
    for row in (row for table in tables.values() for row in table.to_pylist()):
        said = (row["status"], row["error"]) == (KILLED.status, KILLED.error)
        unmeasured = {row.get(measure) for measure in UNMEASURED} == {None}
        expected_row = f"status '{KILLED.status}', error '{KILLED.error}' and no measures"
        _expect(said and unmeasured, f"a failed item has the row {row}: expected {expected_row}")
    _expect(grid.number_of({}) == 0, "`number_of({})` is not 0")
    nowhere = _refused(lambda: grid.number_of({"source": "nowhere"}), "source nowhere")
    _expect(nowhere, "`number_of` accepts an unknown source")


def check_chunks(small: SmallGrid) -> None:
    """Rows do not depend on the items beside them, and have the declared columns."""
    grid = small.grid
    last = [grid.work(item, item + 1) for item in range(max(0, grid.items - 2), grid.items)]
    for table in grid.tables:
        rows = [row for tables in last for row in without_seconds(tables[table])]
        same = rows == small.rows[table][len(small.rows[table]) - len(rows) :]
        _expect(same, f"the last rows of {table} differ if their items are computed alone: draw from the grid's seed")
        schemas = {tables[table].schema for tables in (*last, grid.failed_item(0, "failed", "x"))}
        _expect(schemas == {grid.schema(table)}, f"rows of {table} have columns that differ from the declared ones")  # type: ignore[attr-defined]


def check_failed_cells(small: SmallGrid) -> None:
    """If some cells of an item fail, the others have their usual rows. Items that are single cells are not checked."""
    grid = small.grid
    if not divisible(grid):
        return
    whole, methods = _counted(grid.work(0, 1)), range(len(grid.methods))
    alone = [{other: NOT_REQUESTED for other in methods if other != index} for index in methods]
    halves = [dict.fromkeys(methods[first::2], KILLED) for first in (0, 1)]
    for left_out in (alone, halves):
        of_results = 0
        for failures in left_out:
            tables = grid.leaving_out(failures).work(0, 1)
            kept = _counted(tables, without={failure.status for failure in failures.values()})
            of_results += kept[RESULTS_TABLE].total()
            _expect(tables[RESULTS_TABLE].num_rows == grid.cells_per_item, "a failed cell has no result row")
            _expect(all(kept[table] <= whole[table] for table in whole), "rows differ if another cell fails")
            rows = [row for table in tables.values() for row in table.to_pylist() if row.get("status") == "killed"]
            _expect({row["error"] for row in rows} <= {KILLED.error}, "a failed cell lacks its error")
        _expect(of_results == grid.cells_per_item, "a cell that was computed lacks a result row")


def _counted(tables: Mapping[str, pa.Table], without: Collection[str] = ()) -> dict[str, Counter[str]]:
    """How often there is each row of each table; rows with a status of `without` do not count."""
    kept = {
        name: [row for row in without_seconds(rows) if row.get("status") not in without]
        for name, rows in tables.items()
    }
    return {name: Counter(json.dumps(row, sort_keys=True) for row in rows) for name, rows in kept.items()}


def check_trees(small: SmallGrid) -> None:
    """The tree of each result row can be built again, with the measures of the row."""
    grid, rows = small.grid, small.rows[small.grid.tree_table]
    for row in rows:
        name = f"{row['source']}, {row['builder']}"
        if row.get("nodes") is None:  # such as a forest
            refused = _refused(lambda row=row: grid.rebuilt(row), "no tree")  # type: ignore[misc]
            _expect(refused, f"{name}: the row has no nodes: expected `rebuilt` to raise ConfigError with 'no tree'")
            continue
        for request in rows_to_rebuild(row):
            try:
                result = grid.rebuilt(request)
            except ConfigError as error:
                raise AssertionError(f"{name}: the row has nodes, but no tree can be built: {error}") from error
            _expect(_is_of(result, row), f"{name}: the tree differs from its row in {result.differing(row)}")
            _expect(result.tree.decision.max() < len(result.labels.decisions), f"{name}: a class has no label")
    if rows[0].get("nodes") is not None and len(rows_to_rebuild(rows[0])) == 1:
        _expect(_is_of(grid.rebuilt({}), rows[0]), "`rebuilt({})` is not the tree of the first row")


def _is_of(result: RebuiltTree, row: Row) -> bool:
    """Whether a row has the measures of a tree, at least one of its costs."""
    return bool(set(result.measures) & set(row) & set(COST_FUNCTIONS)) and not result.differing(row)


def check_summary(small: SmallGrid) -> None:
    """The summary can be made, and the trees that it names exist."""
    with TemporaryDirectory() as folder:
        tables = small.grid.work(0, small.grid.items)
        parts = {
            name: [publish(rows, Path(folder) / name, "0" * 12, 0, small.grid.items)] for name, rows in tables.items()
        }
        summary = small.made.summarise(parts)
        small.made.draw(parts, summary.rows, Path(folder) / "summary")
        for notable in summary.trees:
            _expect(small.grid.rebuilt(notable.row).tree.nodes > 0, f"there is no tree for {notable.row}")


CHECKS = (check_identity, check_items, check_chunks, check_failed_cells, check_trees, check_summary)
"""The checks of a grid. Each raises AssertionError with the rule that does not hold."""
