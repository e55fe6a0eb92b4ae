"""A grid declared by its fields, its axes and one cell: what follows from that, on small made-up grids."""

from __future__ import annotations

import gc
import json
import math
import pickle
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException, ValidationError

from algorithms.data.table import DecisionTable
from pipeline.configuration.check import wrong_value
from pipeline.configuration.settings import Settings
from pipeline.data.sources import DataLocation
from pipeline.discovery import SearchPath
from pipeline.errors import ConfigError
from pipeline.failures import FailedError, Failure
from pipeline.grammar.axes import Item, numbered, of_depths, once
from pipeline.grammar.cells import CellGrid, Made
from pipeline.grammar.keys import DISTINCT, ONCE, Called, at_least, each, more_than, one_of, settings_of, within
from pipeline.grammar.keys import Table as TableKey
from pipeline.grid import RESULTS_TABLE
from pipeline.plan import Chunk, GridRun
from pipeline.work.publication import publish_chunk

SKIPPED = Failure("skipped", "not asked")
MESSAGE = Failure("failed", "cannot be split")


@dataclass(frozen=True, kw_only=True)
class Squares(CellGrid, version=7, kind="squares"):
    """Numbers and depths; `a` and `b` each make a row of both, and `b` fails where the number is in `bad`."""

    last: Annotated[int, at_least(1)]
    depths: Annotated[tuple[int, ...], each(within(1, 9)), DISTINCT]
    bad: tuple[int, ...] = ()
    limit: Annotated[float | None, Called("most"), more_than(0)] = None
    seen: list[str] = field(default_factory=list, compare=False)

    axes = (numbered("repeat", lambda grid: grid.last), of_depths())
    methods = ("a", "b")
    noun = "squares"
    example = question = ""

    def parameters(self, item: Item) -> dict[str, Any]:
        return {"max_depth": item.max_depth}

    def facts(self, item: Item) -> dict[str, Any]:
        if item.repeat < 0:
            raise FailedError(MESSAGE)
        return {"rows": self.squared(item)}

    @once("repeat")
    def squared(self, item: Item) -> int:
        self.seen.append(f"squared {item.repeat}")
        return int(item.repeat) ** 2

    def cell(self, item: Item, method: str) -> Made:
        if method == "b" and item.repeat in self.bad:
            raise KeyboardInterrupt(f"{item.repeat} is bad")
        return Made({"nodes": item.max_depth, "status": "ok"})

    def rehearsals(self, items: Sequence[Item], methods: Sequence[str]) -> Iterable[Callable[[], object]]:
        def fails() -> None:
            raise KeyboardInterrupt

        self.seen.extend(f"rehearsed {method}" for method in methods)
        yield fails
        yield lambda: self.seen.append(f"rehearsed depths {sorted({item.max_depth for item in items})}")

    def table(self, number: int) -> DecisionTable:
        return DecisionTable.from_codes([[number]], [0])


def squares(**changes: Any) -> Squares:
    return replace(Squares(last=3, depths=(2, 5)), **changes, seen=[])


def rows_of(grid: CellGrid, first: int = 0, stop: int | None = None) -> list[dict[str, Any]]:
    names = ("repeat", "builder", "parameters", "rows", "nodes", "status", "error")
    rows = grid.work(first, grid.items if stop is None else stop)[RESULTS_TABLE].to_pylist()
    return [{name: row[name] for name in names} for row in rows]


def rows_in(run: GridRun) -> list[dict[str, Any]]:
    """The result rows of a run, in order."""
    return [row for part in run.scan(RESULTS_TABLE).parts for row in pq.read_table(part.path).to_pylist()]


def test_each_item_has_a_row_for_each_method_and_shared_work_is_done_once() -> None:
    grid = squares()
    assert (grid.items, len(grid.methods), grid.cells_per_item, grid.tables) == (6, 2, 2, ("results",))
    rows = rows_of(grid)
    assert [(row["repeat"], row["nodes"], row["builder"]) for row in rows] == [
        (repeat, depth, method) for repeat in (1, 2, 3) for depth in (2, 5) for method in "ab"
    ]
    assert all(row["rows"] == row["repeat"] ** 2 and row["status"] == "ok" for row in rows)
    assert [each for each in grid.seen if each.startswith("squared")] == ["squared 1", "squared 2", "squared 3"]
    assert rows_of(squares(), 1, 4) == rows[2:8]
    assert [grid.title(item) for item in (0, 3)] == ["repeat 1, depth 2", "repeat 2, depth 5"]


def test_an_exception_of_a_cell_harms_no_other() -> None:
    whole, rows = rows_of(squares()), rows_of(squares(bad=(2,)))
    lost = [index for index, row in enumerate(rows) if row["status"] != "ok"]
    assert lost == [5, 7]
    assert rows[5] == whole[5] | {"nodes": None, "status": "failed", "error": "KeyboardInterrupt: 2 is bad"}
    assert [row for index, row in enumerate(rows) if index not in lost] == [
        row for index, row in enumerate(whole) if index not in lost
    ]


@pytest.mark.parametrize("index", [0, 1])
def test_a_skipped_method_says_so_and_is_not_rehearsed(index: int) -> None:
    whole, grid = rows_of(squares()), squares(left_out={index: SKIPPED})
    rows = rows_of(grid)
    assert rows[1 - index :: 2] == whole[1 - index :: 2]
    assert {(row["status"], row["error"], row["nodes"]) for row in rows[index::2]} == {("skipped", "not asked", None)}
    assert f"rehearsed {'ab'[1 - index]}" in grid.seen
    assert f"rehearsed {'ab'[index]}" not in grid.seen


def test_a_rehearsal_that_fails_leaves_the_others_and_in_the_driver_ctrl_c_is_a_persons() -> None:
    grid = squares()
    grid.work(0, 1)
    assert "rehearsed depths [2]" in grid.seen
    with pytest.raises(KeyboardInterrupt):
        squares().prepare(print)


def test_the_loss_of_an_item_is_that_of_its_cells_and_an_error_of_it_is_none_of_theirs(tmp_path: Any) -> None:
    class Unsplit(Squares):
        def facts(self, item: Item) -> dict[str, Any]:
            raise FailedError(MESSAGE) if item.repeat == 1 else OSError("no such file")

    grid = Unsplit(last=2, depths=(1,))
    assert {(row["status"], row["error"]) for row in rows_of(grid, 0, 1)} == {("failed", MESSAGE.error)}
    receipt = publish_chunk(GridRun(grid, "squares", "0" * 12, tmp_path), Chunk(0, 2))
    assert [(failed.item, failed.failure.error) for failed in receipt.failed_items] == [(1, "OSError: no such file")]
    assert [(part.first, part.stop) for part in receipt.parts] == [(0, 1)]


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (None, "TypeError: `cell` returned None: expected Made(measures)"),
        ({"nodes": 3}, "TypeError: `cell` returned {'nodes': 3}: expected Made(measures)"),
        (
            Made({"nodes": 3, "repeat": 9}),
            "ValueError: `cell` returned 'repeat' as 9, but the row has 2: expected the value of the row"
            ", or no 'repeat'",
        ),
        (
            Made({"noodles": 3}),
            "ValueError: `cell` returned the measure 'noodles', which is not a column of the results, "
            "did you mean 'nodes'?",
        ),
        (Made({"nodes": 2.5}), "ValueError: nodes is 2.5: expected a whole number (int32)"),
        (Made({"nodes": "many"}), "ValueError: nodes is 'many': expected a whole number (int32)"),
        (Made({"average_depth": math.nan}), "ValueError: average_depth is nan: expected a number, or None for no"),
        (Made({"status": "fine"}), "ValueError: status is 'fine': expected one of ok, failed, killed"),
    ],
)
def test_a_cell_that_returns_what_no_row_can_have_is_a_row_that_says_so(
    tmp_path: Path, made: Any, message: str
) -> None:
    class Odd(Squares):
        def cell(self, item: Item, method: str) -> Made:
            return made if method == "b" and item.repeat == 2 else Made({"nodes": item.max_depth})

    run = GridRun(Odd(last=3, depths=(1,)), "squares", "0" * 12, tmp_path)
    publish_chunk(run, Chunk(0, 3))
    rows = rows_in(run)
    assert [row["status"] for row in rows] == ["ok", "ok", "ok", "failed", "ok", "ok"]
    assert [row["error"] for row in rows if row["error"] and row["error"].startswith(message)] == [rows[3]["error"]]
    assert [row["nodes"] for row in rows] == [1, 1, 1, None, 1, 1]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"levels": [{"level": 0, "nodes": 1, "depth": 3}]}, None),  # the results have a column `depth`
        (
            {"levels": [{"level": 0}, {"levl": 1}]},
            "the column 'levl' of the table 'levels', which {} lacks, did you mean",
        ),
        ({"level": [{"level": 0}]}, "rows of the table 'level', which {} lacks, did you mean 'levels'?"),
    ],
)
def test_rows_of_a_further_table_have_declared_columns(
    tmp_path: Path, more: dict[str, list[dict[str, Any]]], message: str | None
) -> None:
    file = tmp_path / "columns.csv"
    file.write_text("table,column,type,meaning\nlevels,repeat,,\nlevels,level,int32,x\nlevels,nodes,,\n")

    class Levelled(Squares):
        tables = (RESULTS_TABLE, "levels")
        columns_file = file

        def cell(self, item: Item, method: str) -> Made:
            return Made({"nodes": 1}, more={table: iter(rows) for table, rows in more.items()})

    rows = Levelled(last=1, depths=(1,)).work(0, 1)
    errors = {None} if message is None else {rows[RESULTS_TABLE]["error"][0].as_py()}
    assert set(rows[RESULTS_TABLE]["error"].to_pylist()) == errors
    assert rows["levels"].num_rows == (2 if message is None else 0)
    assert message is None or message.format(file) in errors.pop()


@dataclass(frozen=True, kw_only=True)
class Keyed(Squares, version=1):
    table_options: TableKey
    width: int | str


def test_keys_below_a_key_can_be_given_by_themselves() -> None:
    config = OmegaConf.structured(settings_of(Keyed))
    config.table.bins = 3
    missing = OmegaConf.missing_keys(config)
    assert "table.numeric" in missing
    assert not missing & {"table", "table.bins"}
    with pytest.raises(ValidationError) as caught:
        config.width = 2.5
    assert wrong_value(caught.value, "width") == "width is 2.5: expected a whole number or text"


def test_a_type_that_no_configuration_has_is_named() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Complex(Squares, version=1):
        angle: complex

    with pytest.raises(ValidationError) as caught:
        OmegaConf.structured(settings_of(Complex))
    message = wrong_value(caught.value, "angle")
    assert message is not None
    assert message.startswith(f"{__name__}: the field 'angle' has the type complex: expected bool, int, float, str")


def test_an_item_without_the_rows_that_are_expected_fails(tmp_path: Path) -> None:
    class Empty(Squares):
        def cell(self, item: Item, method: str) -> Made:
            return Made({} if item.repeat == 2 else {"nodes": 1})

    run = GridRun(Empty(last=3, depths=(1,)), "squares", "0" * 12, tmp_path)
    receipt = publish_chunk(run, Chunk(0, 3))
    assert [(part.first, part.stop) for part in receipt.parts] == [(0, 1), (2, 3)]
    (failed,) = receipt.failed_items
    assert failed.item == 1
    assert failed.failure.error.endswith(", expected 2: a cell returned no measures")


def test_rows_of_a_grid_without_data_sets_have_its_name_as_their_source() -> None:
    (row, *_) = squares().work(0, 1)[RESULTS_TABLE].to_pylist()
    assert (row["source"], row["part"]) == ("squares", "all")


def test_a_method_that_runs_once_raises_its_exception_again() -> None:
    calls = []

    class Raising(Squares):
        @once()
        def squared(self, item: Item) -> int:
            calls.append(item.number)
            raise ValueError(f"item {item.number}")

        def facts(self, item: Item) -> dict[str, Any]:
            return {}

        def cell(self, item: Item, method: str) -> Made:
            return Made({"nodes": self.squared(item)})

    assert [row["error"] for row in rows_of(Raising(last=1, depths=(1, 2)))] == [
        "ValueError: item 0",
        "ValueError: item 0",
        "ValueError: item 1",
        "ValueError: item 1",
    ]
    assert calls == [0, 1]


def test_an_exception_that_is_raised_again_keeps_no_object_of_the_method() -> None:
    held = []

    class Raising(Squares):
        @once()
        def squared(self, item: Item) -> int:
            table = DecisionTable.from_codes([[0], [1]], [0, 1])
            held.append(weakref.ref(table))
            raise MemoryError(f"item {item.number} of {table.rows} rows")

    made = Raising(last=1, depths=(1, 2))
    item = made.item(0)
    for _ in range(2):
        with suppress(MemoryError):
            made.squared(item)
    gc.collect()
    assert item.memo
    assert [each() for each in held] == [None]


def test_failure_rows_say_why_of_each_cell() -> None:
    rows = squares().failed_item(3, "killed", "gone")[RESULTS_TABLE].to_pylist()
    assert [(row["repeat"], row["builder"], row["status"], row["error"], row["rows"]) for row in rows] == [
        (2, "a", "killed", "gone", None),
        (2, "b", "killed", "gone", None),
    ]
    named = ({key: value for key, value in row.items() if value is not None} for row in rows)
    assert set(map(squares().number_of, named)) == {3}


@given(st.integers(1, 10**12), st.lists(st.integers(1, 9), unique=True, min_size=1), st.none() | st.floats(0.5, 9))
def test_a_grid_comes_back_from_its_identity(last: int, depths: list[int], limit: float | None) -> None:
    made = Squares(last=last, depths=tuple(depths), limit=limit)
    kept = json.loads(json.dumps(made.identity()))
    assert kept == {
        "grid": "squares",
        "results_version": 7,
        "grid_package": "tests.pipeline.grammar",
        "last": last,
        "depths": depths,
        "bad": [],
        "most": limit,
    }
    assert Squares.from_identity(kept, DataLocation()) == made == pickle.loads(pickle.dumps(made))


def test_the_configuration_has_a_key_for_each_field_of_the_type_it_has_there() -> None:
    schema = OmegaConf.structured(settings_of(Squares))
    schema.merge_with({"last": "3", "depths": [1, 2], "bad": [], "most": None})
    assert (schema.last, schema.depths, schema.most) == (3, [1, 2], None)
    for wrong in ({"last": "three"}, {"depths": 3}, {"depths": ["x"]}, {"last": None}, {"limit": 1}):
        with pytest.raises(OmegaConfBaseException):
            OmegaConf.structured(settings_of(Squares)).merge_with(wrong)
    keys = {field.name for field in fields(settings_of(Squares))} - {field.name for field in fields(Settings)}
    assert keys == {"last", "depths", "bad", "most"}
    assert settings_of(Squares) is settings_of(Squares)
    config = SimpleNamespace(last=3, depths=[2, 5], bad=[], most=2.5)
    assert Squares.of(config, SearchPath()) == squares(limit=2.5)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"last": 0}, "last is 0: expected 1 or more"),
        ({"depths": [1, 10]}, "depths has 10: expected 1 to 9"),
        ({"depths": [1, 1]}, "depths is [1, 1]: expected at least one entry, and each entry once"),
        ({"depths": []}, "depths is []: expected at least one entry, and each entry once"),
        ({"most": 0.0}, "most is 0.0: expected more than 0, or null"),
    ],
)
def test_impossible_settings_are_named_with_what_was_expected(keys: Mapping[str, Any], message: str) -> None:
    given_keys = {"last": 3, "depths": [2, 5], "bad": [], "most": None} | keys
    with pytest.raises(ConfigError) as caught:
        Squares.of(SimpleNamespace(**given_keys), SearchPath())
    assert str(caught.value) == message


def test_rules_of_words_and_of_entries() -> None:
    with pytest.raises(ConfigError, match=r"^rows is 'all': expected one of keep, drop$"):
        one_of("keep", "drop").check("rows", "all", null=False)
    with pytest.raises(ConfigError, match=r"^costs has 'width': expected one of depth, nodes$"):
        each(one_of("depth", "nodes")).check("costs", ("depth", "width"), null=False)
    with pytest.raises(ConfigError, match=r"^alphas is \[0.5, 0.5\]: expected each entry once$"):
        ONCE.check("alphas", (0.5, 0.5), null=False)
    with pytest.raises(ConfigError, match=r"^orders has 'width': expected one of depth, nodes$"):
        each(each(one_of("depth", "nodes"))).check("orders", (("depth",), ("nodes", "width")), null=False)
    with pytest.raises(ConfigError, match=r"^orders has \[\]: expected at least one entry, and each entry once$"):
        each(DISTINCT).check("orders", ((),), null=False)
    ONCE.check("alphas", (), null=False)
