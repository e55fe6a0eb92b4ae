"""Rules that hold for every grid, whatever it computes: a grid of each, of few items."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.conformance import CHECKS, SmallGrid, check_summary
from pipeline.discovery import SearchPath
from pipeline.grammar.grid import DeclaredGrid
from pipeline.grid import RESULTS_TABLE
from tests.pipeline.conftest import Command
from tests.pipeline.grids.every_grid import CASES, REFUSED, computed, grid_of_case, small_grid
from tests.pipeline.questions import computed_run, summarised


def test_every_grid_has_a_case() -> None:
    assert set(SearchPath().folders()) == set(CASES)
    assert all(isinstance(grid_of_case(name), DeclaredGrid) for name in CASES)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(
    "check",
    [pytest.param(check, marks=pytest.mark.long) if check is check_summary else check for check in CHECKS],
)
def test_the_rules_of_grids(check: Callable[[SmallGrid], None], name: str) -> None:
    check(small_grid(name))


@pytest.mark.parametrize(
    "name", sorted(set(CASES) - {"removed_features"})
)  # where none is removed the order does not count
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


NO_TABLE = (
    "No decision table to summarise: {} tables left out because of rows that are not ok, among them all of {}; failed "
    "on every table: max/rt and w_sum/gini; their error says why."
)
FINDINGS = {
    "catalogue": "0 of 2 data sets agree with their description in the catalogue.",
    "evo_vs_exact": "No tree can be compared with a minimum: the searches or the fits failed.",
    "greed_grows": NO_TABLE.format(8, "random/10x10x3, random/20x10x3, random/50x10x2 and random/50x5x3"),
    "greedy_vs_dp": NO_TABLE.format(6, "random"),
    "induction_gap": "No tree can be compared with an exact minimum: no minimum is known, or every builder failed.",
    "oct_vs_cart": "No data set was tested with both OCT and CART.",
    "parallel_proof": "No task ended with a result: every task failed.",
    "removed_features": "No data set was tested both with all attributes and without the more informative half of "
    "them.",
    "smallest_tree": "The minimum number of leaves is not proven for any tree.",
    "solvers": "No solver returned a tree.",
    "uci_exact": "No result: the exact minima are not known for any of 2 tables.",
    "worked_examples": "No figures were compared with the paper or an independent program; 4 of 4 examples failed.",
}
"""Of a run whose fits all failed; those of the other grids, which compare builders, are alike."""


@pytest.mark.parametrize("name", CASES)
def test_where_all_failed_that_is_the_finding_and_there_is_no_tree(name: str, tmp_path: Path) -> None:
    grid = grid_of_case(name)
    lost = [((item, item + 1), grid.failed_item(item, "killed", "gone")) for item in range(grid.items)]
    summary = summarised(computed_run(grid, lost, tmp_path), tmp_path / "summary", drawn=True)
    assert (summary.trees, summary.figures, summary.has_results) == ((), (), False)
    assert summary.finding == FINDINGS.get(name, "Nothing was tested: every fit failed.")
    summary.screen(80)  # raises nothing
