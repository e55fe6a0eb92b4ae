"""A grid of somebody's own that leaves out what every grid has."""

from __future__ import annotations

import itertools
import types
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest

from pipeline.conformance import SmallGrid, check_trees
from pipeline.discovery import SearchPath
from pipeline.errors import ConfigError
from pipeline.grammar.axes import Axis, numbered
from pipeline.grammar.cells import CellGrid
from pipeline.grammar.keys import within
from pipeline.storage.parts import publish


@dataclass(frozen=True, kw_only=True)
class UnfinishedGrid(CellGrid):
    noun = "trees"


def test_a_missing_part_of_a_grid_is_named_with_its_file() -> None:
    with pytest.raises(ConfigError, match="expected UnfinishedGrid to define axes, methods, version, as") as caught:
        UnfinishedGrid.of(None, SearchPath())
    assert str(caught.value).startswith(__file__)


REPEAT = numbered("repeat", lambda _: 1)
REPEATS = numbered("repeats", lambda _: 1)
LENGTHS = itertools.count(3)
CHANGING = numbered("repeat", lambda _: next(LENGTHS))
HERE = Path(__file__).parent


@dataclass(frozen=True, kw_only=True)
class ExactGrid(CellGrid, version=1):
    axes = (REPEAT,)
    methods = ("exact",)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("axes", (REPEATS,), "no column of the results holds the axis 'repeats', did you mean 'repeat'?"),
        ("axes", (CHANGING,), "axis 'repeat' has different values at each call: expected the same values in the same"),
        ("axes", REPEAT, "expected a tuple of axes, such as (AXIS,)"),
        ("axes", (), "`axes` is (): expected a tuple of axes, such as (AXIS,)"),
        ("methods", "exact", "`methods` is 'exact': expected a tuple of names, such as ('exact',)"),
        ("methods", ("exact", "exact"), "`methods` is ('exact', 'exact'): expected each method once, because each"),
        ("methods", (1, 2), "`methods` has 1: expected names, such as 'exact', or builders"),
        ("noun", None, "`noun` is None: expected text, such as 'tables'"),
        ("tables", ("levels",), "`tables` is ('levels',): expected a tuple of names, the first of which is 'results'"),
        ("tables", ("results", "levels"), f"`tables` has 'levels': expected {HERE}/columns.csv to declare"),
    ],
)
def test_a_wrong_part_of_a_grid_is_named_with_its_file(
    name: str, value: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ExactGrid, name, value)
    with pytest.raises(ConfigError) as caught:
        ExactGrid.of(None, SearchPath())
    assert str(caught.value).startswith(__file__)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("limits", "a key"),
        ("grid_package", "a key"),
        ("kind", "an attribute"),
        ("package", "an attribute"),
        ("items", "an attribute"),
    ],
)
def test_a_field_with_a_name_that_every_grid_uses_is_named(name: str, what: str) -> None:
    declared = {"__annotations__": {name: Annotated[int, within(1, 2)]}, "axes": (REPEAT,), "methods": ("exact",)}
    kind = types.new_class("HidingGrid", (CellGrid,), {"version": 1}, lambda body: body.update(declared))
    with pytest.raises(ConfigError, match=f"the field '{name}' is {what} of every grid: give it another name"):
        dataclass(frozen=True, kw_only=True)(kind).of(None, SearchPath())


class UndeclaredGrid(CellGrid, version=1):
    pass


def test_a_class_that_is_no_dataclass_is_named() -> None:
    with pytest.raises(ConfigError, match=r"the line @dataclass\(frozen=True, kw_only=True\) above UndeclaredGrid"):
        UndeclaredGrid.offered()


ORDER = ["a", "b"]


@dataclass(frozen=True, kw_only=True)
class SetGrid(CellGrid, version=1):
    axes = (
        Axis(
            "source", lambda _: ORDER, lambda value: {"source": value}, str, lambda row, _: ORDER.index(row["source"])
        ),
    )
    methods = ("exact",)


def test_rows_of_axes_in_another_order_end_a_resumed_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As of a set, whose order differs in each process: rows would be missing, and others twice."""
    grid = SetGrid()
    rows = {"results": [grid.row_identity(grid.item(1), "exact") | {"status": "failed", "error": "none"}]}
    part = publish(grid.as_tables([rows])["results"], tmp_path, "0" * 12, 1, 2)
    grid.check_rows([part])
    monkeypatch.setattr("tests.pipeline.grammar.test_unfinished_grid.ORDER", ["b", "a"])
    with pytest.raises(
        ConfigError, match=r"the first row of .* has source 'b', but the axes now give 'a': expected axes that"
    ):
        grid.check_rows([part])


def test_a_grid_without_a_summary_names_the_file() -> None:
    with pytest.raises(ConfigError, match=r"summary\.py: expected the file to define SUMMARY"):
        ExactGrid.declared_summary()


def test_a_check_names_the_row_whose_tree_is_missing() -> None:
    def rebuilt(_: object) -> None:
        raise ConfigError("this row has no tree")

    small = SmallGrid("+grid=compare_builders")
    row = {"source": "noise", "builder": "c45", "nodes": 3}
    vars(small).update(grid=types.SimpleNamespace(tree_table="results", rebuilt=rebuilt), rows={"results": [row]})
    with pytest.raises(AssertionError, match="noise, c45: the row has nodes, but no tree can be built: this row has"):
        check_trees(small)
