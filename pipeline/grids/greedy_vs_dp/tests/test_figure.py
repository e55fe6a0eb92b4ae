"""The figure of the grid: its files, and the finding it is titled with."""

from __future__ import annotations

from pathlib import Path

import pytest

from algorithms.measures.impurity import IMPURITY_FUNCTIONS
from pipeline.grammar.columns import COSTS, Row
from pipeline.grammar.summary import Results
from pipeline.grids.greedy_vs_dp.figure import draw, finding
from pipeline.summary.verdicts import Verdict

ALL = tuple(function.name for function in IMPURITY_FUNCTIONS)
FEW = ("max/rt", "sum/rt", "w_sum/gini")
CLEAR, LEVEL = 0.2, 0.001
"""Gaps to the next."""


def row(heuristic: str, cost: str, **values: object) -> Row:
    kind, measure = heuristic.split("/")
    return {"impurity_type": kind, "uncertainty": measure, "cost_function": cost, "tables": 9} | values


def best(first: tuple[str, ...], gap: float) -> list[Row]:
    """The best two of each cost: the first as given, w_sum/gini second."""
    return [
        row(name, cost, position=index, gap_to_next=gap, gap_standard_error=0.01)
        for cost, leader in zip(COSTS, first, strict=True)
        for index, name in enumerate((leader, "w_sum/gini"), start=1)
    ]


def test_one_leader_is_the_whole_finding() -> None:
    assert finding(best(("sum/rt",) * 5, CLEAR)) == ("sum/rt comes closest to the minimum in every cost", "")


def test_leaders_are_named_with_their_costs() -> None:
    headline, rest = finding(best(("sum/rt", "max/rt", *("w_sum/ent",) * 3), CLEAR))
    assert headline == "w_sum/ent comes closest to the minimum in all counts of nodes"
    assert rest == "In average depth: sum/rt; in depth: max/rt"


def test_heuristics_that_do_not_differ_are_named_together() -> None:
    headline, _ = finding(best(("w_sum/me", "w_sum/me", "sum/rt", "sum/rt", "sum/rt"), LEVEL))
    assert headline.startswith("sum/rt or w_sum/gini comes closest to the minimum in all counts")


@pytest.mark.parametrize(
    ("heuristics", "printed", "error"),
    [(ALL, 0.12, 0.01), (FEW, None, 0.0), (("sum/me",), None, None)],
)
def test_files_are_the_same_each_time(
    heuristics: tuple[str, ...], printed: float | None, error: float | None, tmp_path: Path
) -> None:
    verdict = None if printed is None else Verdict.AGREES
    low, high = (None, None) if error is None else (0.1 - error, 0.1 + error)
    ours = {"mean_relative_difference": 0.1, "low": low, "high": high, "printed": printed, "verdict": verdict}
    cells = [row(name, cost, **ours) for name in heuristics for cost in COSTS]
    leaders = [
        each
        for each in best((heuristics[0],) * 5, CLEAR)
        if f"{each['impurity_type']}/{each['uncertainty']}" in heuristics
    ]
    result = Results(None, {"pooled": cells, "best_two": leaders}, {})  # type: ignore[arg-type] # no query is run
    first, again = (draw(result, tmp_path / folder) for folder in "ab")
    assert [path.name for path in first] == ["greedy_vs_dp.svg", "greedy_vs_dp.png"]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in again]
    assert first[0].read_bytes().rstrip().endswith(b"</svg>")
    assert first[1].read_bytes().startswith(b"\x89PNG")
