"""Rules that hold for every grid, whatever it computes: a grid of each, of few items."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pipeline.conformance import CHECKS, SmallGrid, check_summary
from pipeline.discovery import SearchPath
from pipeline.grammar.grid import DeclaredGrid
from pipeline.grid import RESULTS_TABLE
from tests.pipeline.conftest import Command
from tests.pipeline.grids.every_grid import CASES, REFUSED, computed, grid_of_case, small_grid


def test_every_grid_has_a_case() -> None:
    assert set(SearchPath().folders()) == set(CASES)
    assert all(isinstance(grid_of_case(name), DeclaredGrid) for name in CASES)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(
    "check",
    [pytest.param(check, marks=pytest.mark.long) if check is check_summary else check for check in CHECKS],
)
def test_the_rules_of_grids(check: Callable[[SmallGrid], None], name: str) -> None:
    check(small_grid(name, *CASES[name]))


@pytest.mark.parametrize("name", set(CASES) - {"removed_features"})  # where none is removed the order does not count
def test_items_have_different_titles(name: str) -> None:
    grid = grid_of_case(name)
    assert len({grid.title(item) for item in range(grid.items)}) == grid.items


@pytest.mark.parametrize(("name", "overrides", "message"), REFUSED)
def test_values_that_a_grid_refuses_are_named(command: Command, name: str, overrides: str, message: str) -> None:
    status, out, err = command(f"+grid={name}", *CASES[name], *overrides.split())
    assert (status, out) == (2, "")
    assert message in err


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
