"""Which builder leads: over the data sets that all were tested on, with the figures of the rows."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from io import StringIO
from itertools import pairwise
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, NoReturn

import pytest
from matplotlib.figure import Figure
from rich.console import Console
from scipy import stats

from pipeline.grammar.comparison.summary import SUMMARY, draw
from pipeline.grammar.summary import Results
from tests.summaries.builder_rows import result_row, summary_rows


def found(rows: Sequence[Mapping[str, Any]], builders: Sequence[str], **tables: Any) -> list[str]:
    """The clauses of the finding, without those about the first builder."""
    results = Results(unasked, summary_rows(SUMMARY, rows, **tables), {"builders": builders})
    return list(SUMMARY.finding(results))  # type: ignore[misc]


ACCURACIES = {"a": {"mine": 0.9, "yours": 0.8}, "b": {"mine": 0.7, "yours": 0.65}, "c": {"mine": 0.1}}


def leading_words(builders: tuple[str, ...], sets: str = "abc") -> str:
    rows = [
        result_row(name, each, 1, test_accuracy=accuracy)
        for name in sets
        for each, accuracy in ACCURACIES[name].items()
        if each in builders
    ]
    (result,) = found(rows, builders)
    return result


def test_the_leader_is_that_of_the_sets_that_all_were_tested_on() -> None:
    assert leading_words(("yours", "mine")) == (
        f"the most accurate of 2 builders is mine, with {fmean([90, 70]):.1f} % of test rows correct on 2 data sets, "
        "not significantly above yours"
    )


def test_the_screen_marks_means_that_leave_out_splits() -> None:
    rows = [result_row("a", name, fold, test_accuracy=0.5) for name in ("mine", "yours", "lost") for fold in (1, 2)]
    for failed in (rows[1], *rows[4:]):  # one of mine, and both of lost
        failed |= {"status": "failed", "test_accuracy": None}
    shown, width = {}, 100
    for builders in (("mine", "yours", "lost"), ("yours", "lost")):
        results = Results(unasked, summary_rows(SUMMARY, rows), {"builders": builders})  # type: ignore[arg-type]
        console = Console(width=width, file=StringIO())
        console.print(SUMMARY.screen(results, width)[0])  # type: ignore[misc]
        shown[builders] = console.file.getvalue()  # type: ignore[attr-defined]
    whole, without = shown.values()
    assert [line.split() for line in whole.splitlines() if line.startswith("a ")] == [
        ["a", "50.00*", "50.00", "failed"]
    ]
    assert "*: some fits failed, and the mean leaves out their splits" in whole
    assert "*" not in without


def test_one_data_set_has_a_name_and_no_interval() -> None:
    assert leading_words(("mine", "yours"), "a") == (
        "the most accurate of 2 builders is mine, with 90.0 % of test rows correct on a, 10.0 points above yours, "
        "which a single split cannot judge"
    )


def folds_of(means: Mapping[str, float], spread: float = 0.02) -> list[dict[str, Any]]:
    """Rows of three folds of a data set, whose differences between builders vary."""
    return [
        result_row("a", each, fold, test_accuracy=mean + spread * apart, rows=90, test_rows=10)
        for place, (each, mean) in enumerate(means.items())
        for fold, apart in enumerate(((-1, 0, 1), (0, 1, -1), (1, -1, 0))[place % 3], start=1)
    ]


LEAD = f"± {stats.t.ppf(0.975, 2) * 2 * math.sqrt(3) * math.sqrt(1 / 3 + 10 / 90):.1f} points"
"""The interval of each lead over three folds of `folds_of`, which differ by 2, 2 and -4 points from their mean."""


@pytest.mark.parametrize(
    ("means", "ending"),
    [
        (
            {"yours": 0.5, "mine": 0.9, "theirs": 0.3},
            f", significantly more accurate than yours (by 40.0 {LEAD}) and theirs (by 60.0 {LEAD})",
        ),
        (
            {"yours": 0.88, "mine": 0.9, "theirs": 0.89},
            f", not significantly more accurate than theirs (by 1.0 {LEAD}) and yours (by 2.0 {LEAD})",
        ),
        (
            {"yours": 0.5, "mine": 0.9, "theirs": 0.89, "others": 0.2},
            f", significantly more accurate than yours (by 40.0 {LEAD}) and others (by 70.0 {LEAD}) but not "
            f"significantly more accurate than theirs (by 1.0 {LEAD})",
        ),
        ({"mine": 0.9, "yours": 0.5}, f", significantly more accurate than yours (by 40.0 {LEAD})"),
    ],
)
def test_on_one_data_set_the_most_accurate_builder_is_tested_against_all_others(
    means: Mapping[str, float], ending: str
) -> None:
    (result,) = found(folds_of(means), tuple(means))
    assert result == (
        f"the most accurate of {len(means)} builders is mine, with 90.0 % of test rows correct on a{ending}"
    )


def test_a_lead_that_is_the_same_on_all_splits_is_not_called_insignificant() -> None:
    rows = [*folds_of({"mine": 0.9, "yours": 0.5}), *folds_of({"same": 0.7})]
    (result,) = found(rows, ("same", "mine", "yours"))
    assert result.endswith(
        f", significantly more accurate than yours (by 40.0 {LEAD}); no test can judge its lead over same, which is "
        "the same on all splits"
    )
    tied = found(folds_of({"yours": 0.5, "mine": 0.9, "theirs": 0.9}), ("yours", "mine", "theirs"))[0]
    assert tied.startswith("the most accurate of 3 builders are mine and theirs, with")
    assert tied.endswith(f"on a, significantly more accurate than yours (by 40.0 {LEAD})")


def test_a_lead_without_spread_is_given_in_points() -> None:
    rows = folds_of({"yours": 0.5, "mine": 0.75}, spread=0.0)
    (result,) = found(rows, ("yours", "mine"))
    assert result.endswith("is mine, with 75.0 % of test rows correct on a, 25.0 points above yours")


@pytest.mark.parametrize(
    ("gaps", "ending"),
    [
        ([10, -5, 2], "not significantly above yours"),
        ([10, 5], "not significantly above yours"),  # p = 0.2 by Student's t
        ([10, 5, 8, 4], "6.8 ± 4.4 points above yours"),
    ],
)
def test_a_lead_over_several_data_sets_is_given_where_it_is_significant(gaps: list[int], ending: str) -> None:
    rows = [
        result_row(f"set {index}", builder, 1, test_accuracy=share)
        for index, gap in enumerate(gaps)
        for builder, share in (("yours", 0.6 + index / 10), ("mine", 0.6 + index / 10 + gap / 100))
    ]
    (result,) = found(rows, ("mine", "yours"))
    assert result.endswith(f"% of test rows correct on {len(gaps)} data sets, {ending}")


def test_sizes_and_times_are_drawn_with_their_intervals(tmp_path: Path) -> None:
    measures = {"nodes": [3, 5, 8], "build_seconds": [0.5, 0.75, 1.5]}
    rows = [
        result_row("a", builder, fold, test_accuracy=0.5, nodes=nodes, build_seconds=seconds)
        for builder in ("mine", "yours")
        for fold, (nodes, seconds) in enumerate(zip(*measures.values(), strict=True), start=1)
    ]
    draw(summary_rows(SUMMARY, rows)["accuracies"], ("mine", "yours"), tmp_path)
    titles = re.findall("<title>(.+?)</title>", (tmp_path / "accuracies.svg").read_text(encoding="utf-8"))
    for named, values in zip(("nodes of the tree", "seconds to build"), measures.values(), strict=True):
        half = 1.959964 * stdev(values) / 3**0.5
        ends = " to ".join(f"{fmean(values) + sign * half:.4g}" for sign in (-1, 1))
        assert f"mine on a, {named}: {fmean(values):.4g}, 95 % interval {ends}" in titles


def test_the_ends_of_the_axes_of_sizes_and_times_do_not_overlap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last number below a panel is beside the first one below the next panel."""
    figures: list[Figure] = []
    monkeypatch.setattr("pipeline.drawing.frame.save", lambda figure, *_: (figures.append(figure), ())[1])
    rows = [
        result_row("a", builder, fold, test_accuracy=0.5 + fold / 10, nodes=nodes, build_seconds=seconds)
        for builder, nodes, seconds in (("mine", 78, 0.009), ("yours", 11, 0.00129))
        for fold in (1, 2)
    ]
    draw(summary_rows(SUMMARY, rows)["accuracies"], ("mine", "yours"), tmp_path)
    (figure,) = figures
    figure.draw_without_rendering()
    spans = []
    for panel in figure.axes:
        begins, stops = panel.get_xlim()
        ticks = [tick for tick in panel.xaxis.get_major_ticks() if begins <= tick.get_loc() <= stops]
        spans.append([tick.label1.get_window_extent() for tick in ticks])
    assert all(after[0].x0 > before[-1].x1 + 5 for before, after in pairwise(spans))


def test_a_set_of_which_a_builder_lost_a_split_is_not_one_that_all_were_tested_on() -> None:
    rows = [result_row("a", each, fold, test_accuracy=fold / 2) for each in ("mine", "yours") for fold in (1, 2)]
    rows[0] |= {"status": "killed", "test_accuracy": None}
    expected = "on every data set, a fit of some builder failed, so no means are compared"
    assert found(rows, ("mine", "yours")) == [expected]


@pytest.mark.parametrize(
    ("builders", "sets", "expected"),
    [
        (("mine",), "ab", "the only builder is mine, with 80.0 % of test rows correct on 2 data sets"),
        (("mine", "yours"), "c", "on every data set, a fit of some builder failed, so no means are compared"),
    ],
)
def test_where_nothing_is_compared_nothing_leads(builders: tuple[str, ...], sets: str, expected: str) -> None:
    assert leading_words(builders, sets) == expected


@pytest.mark.parametrize(("gaps", "on"), [([0], "set 0"), ([1, -1], "2 data sets")])  # the latter up to rounding
def test_equal_builders_are_reported_as_equal(gaps: list[int], on: str) -> None:
    rows = [
        result_row(f"set {index}", builder, 1, test_accuracy=share)
        for index, gap in enumerate(gaps)
        for builder, share in (("mine", 0.6 + gap / 100), ("yours", 0.6), ("worse", 0.3))
    ]
    (result,) = found(rows, ("mine", "yours", "worse"))
    assert result == f"the most accurate of 3 builders are mine and yours, with 60.0 % of test rows correct on {on}"


def test_the_most_common_class_is_that_of_the_sets_that_all_were_tested_on() -> None:
    rows = [result_row(name, each, 1, test_accuracy=0.9) for name in "ab" for each in ("mine", "yours")]
    rows[0] |= {"status": "failed", "test_accuracy": None}
    classes = [
        result_row(name, each, 1, support=support, **{"class": label})
        for name, supports in {"a": (9, 1), "b": (6, 4)}.items()
        for each in ("mine", "yours")
        for label, support in zip("xy", supports, strict=True)
    ]
    clause = found(rows, ("mine", "yours"), classes=classes)[1]
    assert clause == "always predicting the most common class of the test rows gives 60.0 %"


def test_the_most_common_class_is_that_of_all_splits_although_the_first_builder_failed_on_some() -> None:
    rows = [result_row("a", each, fold, test_accuracy=0.5) for each in ("mine", "yours") for fold in (1, 2)]
    rows[0] |= {"status": "failed", "test_accuracy": None}
    supports = {1: (9, 1), 2: (5, 5)}
    classes = [
        result_row("a", row["builder"], row["fold"], support=support, **{"class": label})
        for row in rows
        if row["status"] == "ok"
        for label, support in zip("xy", supports[row["fold"]], strict=True)
    ]
    clause = found(rows, ("mine", "yours"), classes=classes)[1]
    assert clause == "always predicting the most common class of the test rows gives 70.0 %"


def classes_of(rows: Sequence[Mapping[str, Any]], supports: Mapping[str, Sequence[int]]) -> list[dict[str, Any]]:
    """Rows of the table `classes` for fits whose test rows have these numbers of the classes x, y, … by data set."""
    return [
        result_row(row["source"], row["builder"], row["fold"], support=support, **{"class": label})
        for row in rows
        for label, support in zip("xyz", supports[row["source"]], strict=False)
    ]


@pytest.mark.parametrize(
    ("best", "clause"),
    [
        (0.9, "always predicting the most common class of the test rows gives 60.0 %, significantly less than mine"),
        (
            0.62,
            "always predicting the most common class of the test rows gives 60.0 %, not significantly less than mine",
        ),
    ],
)
def test_the_most_accurate_builder_is_tested_against_the_most_common_class(best: float, clause: str) -> None:
    rows = folds_of({"yours": 0.5, "mine": best})
    assert found(rows, ("yours", "mine"), classes=classes_of(rows, {"a": (6, 4)}))[1] == clause


def test_the_sets_are_counted_on_which_the_most_accurate_builder_exceeds_the_most_common_class() -> None:
    rows = folds_of({"yours": 0.5, "mine": 0.9})
    rows += [row | {"source": "b"} for row in rows]
    clause = found(rows, ("yours", "mine"), classes=classes_of(rows, {"a": (6, 4), "b": (1, 9)}))[1]
    assert clause == (
        "always predicting the most common class of the test rows gives 75.0 % on average, "
        "significantly less than mine on 1 of 2 data sets"
    )


def unasked() -> NoReturn:
    """No query."""
    raise AssertionError("the screen needs no query")
