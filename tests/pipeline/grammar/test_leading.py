"""Which builder is said to lead: of the data sets that all were tested on, with the figures of the rows."""

from __future__ import annotations

from statistics import fmean, stdev

import pytest

from pipeline.grammar.comparison.summary import SUMMARY, leading
from tests.summaries.builder_rows import found_by, result_row

ACCURACIES = {"a": {"mine": 0.9, "yours": 0.8}, "b": {"mine": 0.7, "yours": 0.65}, "c": {"mine": 0.1}}


def said(builders: tuple[str, ...], sets: str = "abc") -> str:
    rows = [
        result_row(name, one, 1, test_accuracy=accuracy)
        for name in sets
        for one, accuracy in ACCURACIES[name].items()
        if one in builders
    ]
    return leading(found_by(SUMMARY, rows)["accuracies"], builders)


def test_the_leader_is_that_of_the_sets_that_all_were_tested_on() -> None:
    gaps = [10.0, 5.0]
    half = 1.96 * stdev(gaps) / 2**0.5
    assert said(("yours", "mine")) == (
        f"the most accurate of 2 builders is mine, with {fmean([90, 70]):.1f} % of test rows correct on 2 data sets, "
        f"{fmean(gaps):.1f} ± {half:.1f} points above yours"
    )


def test_one_data_set_has_a_name_and_no_interval() -> None:
    assert said(("mine", "yours"), "a") == (
        "the most accurate of 2 builders is mine, with 90.0 % of test rows correct on a, 10.0 points above yours"
    )


@pytest.mark.parametrize(("apart", "ending"), [(0.02, " (their 95 % intervals overlap)"), (0.2, "")])
def test_a_lead_on_one_data_set_says_where_the_intervals_overlap(apart: float, ending: str) -> None:
    shares = {"yours": [0.68, 0.7, 0.72], "mine": [apart + share for share in (0.68, 0.7, 0.72)]}
    rows = [
        result_row("a", one, fold, test_accuracy=share)
        for one, own in shares.items()
        for fold, share in enumerate(own, start=1)
    ]
    found = leading(found_by(SUMMARY, rows)["accuracies"], ("yours", "mine"))
    assert found.endswith(f"% of test rows correct on a, {100 * apart:.1f} points above yours{ending}")


def test_a_set_of_which_a_builder_lost_a_split_is_not_one_that_all_were_tested_on() -> None:
    rows = [result_row("a", one, fold, test_accuracy=fold / 2) for one in ("mine", "yours") for fold in (1, 2)]
    rows[0] |= {"status": "killed", "test_accuracy": None}
    assert (
        leading(found_by(SUMMARY, rows)["accuracies"], ("mine", "yours"))
        == "no data set was tested with all of 2 builders"
    )


@pytest.mark.parametrize(
    ("builders", "sets", "expected"),
    [
        (("mine",), "ab", "the only builder is mine, with 80.0 % of test rows correct on 2 data sets"),
        (("mine", "yours"), "c", "no data set was tested with all of 2 builders"),
    ],
)
def test_where_nothing_is_compared_nothing_leads(builders: tuple[str, ...], sets: str, expected: str) -> None:
    assert said(builders, sets) == expected


def test_equals_are_said_to_be_equal() -> None:
    rows = [result_row("a", one, 1, test_accuracy=0.5) for one in ("mine", "yours")]
    assert leading(found_by(SUMMARY, rows)["accuracies"], ("mine", "yours")).endswith(", the same as yours")
