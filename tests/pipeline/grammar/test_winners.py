"""Who wins against the first builder: counts, tests and words, against SciPy and plain arithmetic."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
import pytest
from scipy.stats import t

from pipeline.grammar.columns import Row, grouped
from pipeline.grammar.comparison.sections import comparison
from pipeline.grammar.comparison.winners import OVER_SETS, WINNERS
from pipeline.grammar.summary import Results
from pipeline.summary.statistics import holm
from tests.summaries.builder_rows import result_row, summary_rows

SUMMARY = comparison(WINNERS)
FOLDS, TRAIN, TEST = 10, 90, 10


def rows_of(accuracies: Mapping[str, Mapping[str, Sequence[float]]]) -> list[dict[str, Any]]:
    """Rows of 0 to 1 by data set and builder, a fold each."""
    return [
        result_row(source, builder, fold, test_accuracy=accuracy, rows=TRAIN, test_rows=TEST)
        for source, of_builders in accuracies.items()
        for builder, own in of_builders.items()
        for fold, accuracy in enumerate(own, start=1)
    ]


def tables_of_accuracies(accuracies: Mapping[str, Mapping[str, Sequence[float]]]) -> dict[str, list[Row]]:
    return summary_rows(SUMMARY, rows_of(accuracies))


def drawn(mean: float, spread: float = 0.02, seed: int = 0) -> list[float]:
    return np.round(np.random.default_rng(seed).normal(mean, spread, FOLDS), 3).tolist()


def test_a_data_set_is_judged_by_the_corrected_t_test_with_holms_correction() -> None:
    accuracies = {
        name: {"first": drawn(0.7, seed=seed), "other": drawn(0.7 + lead, seed=seed + 50)}
        for seed, (name, lead) in enumerate({"a": 0.2, "b": 0.03, "c": 0.0, "d": -0.1}.items())
    }
    by_set = tables_of_accuracies(accuracies)["winners_by_set"]
    ps = []
    for row, own in zip(by_set, accuracies.values(), strict=True):
        apart = 100 * (np.array(own["other"]) - own["first"])
        error = apart.std(ddof=1) * math.sqrt(1 / FOLDS + TEST / TRAIN)
        ps.append(2 * t.sf(abs(apart.mean() / error), FOLDS - 1))
        assert row["difference"] == pytest.approx(apart.mean())
        assert row["high"] - row["difference"] == pytest.approx(t.ppf(0.975, FOLDS - 1) * error)
        assert (row["low"] > 0 or row["high"] < 0) == (row["p"] < 0.05)
    assert [row["p"] for row in by_set] == pytest.approx(ps)
    assert [row["p_holm"] for row in by_set] == pytest.approx(holm(ps))
    assert [row["outcome"] for row in by_set] == ["win", "tie", "tie", "loss"]
    (over,) = tables_of_accuracies(accuracies)["winners"]
    assert (over["n"], over["wins"], over["ties"], over["losses"]) == (4, 1, 2, 1)
    assert over["difference"] == pytest.approx(np.mean([row["difference"] for row in by_set]))
    apart = [row["difference"] for row in by_set]
    assert (over["low"], over["high"]) == pytest.approx(t.interval(0.95, 3, np.mean(apart), np.std(apart, ddof=1) / 2))
    assert over["better"] + over["equivalent"] + over["worse"] == pytest.approx(1.0)


@pytest.mark.parametrize("builders", [1, 2])
@pytest.mark.parametrize("sets", [2, 5, 6, 7])
def test_the_note_says_that_too_few_data_sets_show_no_difference_however_great_it_is(sets: int, builders: int) -> None:
    others = {f"other{index}": 0.9 for index in range(builders)}
    accuracies = {
        f"set{place}": {"first": drawn(0.1 + place / 100), **{each: drawn(mean) for each, mean in others.items()}}
        for place in range(sets)
    }
    rows = tables_of_accuracies(accuracies)["winners"]
    assert callable(OVER_SETS.note)
    note, least = OVER_SETS.note(rows), min(row["p_holm"] for row in rows)
    needed = {1: 6, 2: 7}[builders]
    said = (
        f" With so few data sets, p_holm cannot be below {least:.2g}: Wilcoxon's test needs at least {needed} data "
        "sets to find a difference at 5 %."
    )
    assert note.endswith(said) == (sets < needed) == (least >= 0.05)
    assert ("With so few" in note) == (sets < needed)


def test_the_correction_is_over_all_builders_and_data_sets() -> None:
    builders = {
        "first": drawn(0.7, seed=1),
        "near": drawn(0.72, seed=6),
        "level": drawn(0.7, seed=3),
        "far": drawn(0.9, seed=4),
    }
    by_set = tables_of_accuracies({"a": builders})["winners_by_set"]
    ps = [row["p"] for row in by_set]
    assert [row["p_holm"] for row in by_set] == pytest.approx(holm(ps))
    assert [row["p"] < 0.05 for row in by_set] == [True, False, True]
    assert [row["outcome"] for row in by_set] == ["tie", "tie", "win"]
    tables = tables_of_accuracies({"a": builders, "b": builders})
    counts = {
        name: Counter(row["outcome"] for row in own)
        for name, own in grouped(tables["winners_by_set"], "builder").items()
    }
    assert [(row["wins"], row["ties"], row["losses"]) for row in tables["winners"]] == [
        (own["win"], own["tie"], own["loss"]) for own in counts.values()
    ]


def test_a_lead_that_is_the_same_on_each_split_has_no_spread_to_judge_by() -> None:
    (row,) = tables_of_accuracies({"a": {"first": [0.5] * FOLDS, "other": [0.6] * FOLDS}})["winners_by_set"]
    assert (row["p"], row["outcome"]) == (None, None)
    (row,) = tables_of_accuracies({"a": {"first": [0.5] * FOLDS, "other": [0.5] * FOLDS}})["winners_by_set"]
    assert (row["p"], row["outcome"]) == (1.0, "tie")


@pytest.mark.parametrize("other", [0.5, 0.9])
def test_a_single_split_has_neither_interval_nor_outcome(other: float) -> None:
    accuracies = {"first": [0.5], "other": [other]}
    (row,) = tables_of_accuracies({"a": accuracies})["winners_by_set"]
    assert [row[name] for name in ("low", "high", "p", "p_holm", "outcome")] == [None] * 5
    (row,) = tables_of_accuracies({"a": accuracies, "b": accuracies})["winners"]
    assert (row["wins"], row["ties"], row["losses"]) == (0, 0, 0)


def test_a_data_set_on_which_a_fit_failed_is_left_out_for_its_builder_alone() -> None:
    names = {"first": drawn(0.7, seed=1), "other": drawn(0.9, seed=2), "third": drawn(0.9, seed=3)}
    rows = rows_of({"a": names, "b": names})
    rows[FOLDS] |= {"status": "failed", "test_accuracy": None}
    tables = summary_rows(SUMMARY, rows)
    assert [(row["builder"], row["n"]) for row in tables["winners"]] == [("other", 1), ("third", 2)]
    assert {(row["source"], row["builder"]) for row in tables["winners_by_set"]} == {
        ("a", "third"),
        ("b", "other"),
        ("b", "third"),
    }


def shown(accuracies: Mapping[str, Mapping[str, Sequence[float]]]) -> list[list[str]]:
    """The headings and cells of the columns on the terminal."""
    (listed, _) = WINNERS.screen(Results(unasked, tables_of_accuracies(accuracies), {}), 100)  # type: ignore[misc]
    return [[str(column.header), *map(str, column.cells)] for column in listed.columns]  # type: ignore[union-attr]


def test_one_data_set_has_intervals_and_no_table_over_all_and_several_have_counts() -> None:
    builders = {"first": drawn(0.7, seed=1), "other": drawn(0.9, seed=2)}
    tables = tables_of_accuracies({"a": builders})
    (row,) = tables["winners_by_set"]
    assert "winners" not in tables
    difference = f"{row['difference']:+.2f} ± {row['high'] - row['difference']:.2f}"
    assert shown({"a": builders}) == [
        *(["", "first"], ["difference, points", difference], ["p (Holm)", f"{row['p']:.2g}"], ["outcome", "win"]),
    ]
    single = shown({"a": {"first": [0.5], "other": [0.9]}})
    assert single[1:] == [["difference, points", "+40.00"], ["p (Holm)", ""], ["outcome", ""]]
    assert shown({"a": builders, "b": builders})[2] == ["wins, ties, losses", "2, 0, 0"]


def test_the_only_data_set_is_named_with_its_part() -> None:
    rows = [row | {"part": "20 rows"} for row in rows_of({"a": {"first": drawn(0.7), "other": drawn(0.8)}})]
    (listed, _) = WINNERS.screen(Results(unasked, summary_rows(SUMMARY, rows), {}), 100)  # type: ignore[misc]
    assert listed.title == "other on a (20 rows), compared with"


def test_a_single_builder_wins_against_nobody() -> None:
    tables = tables_of_accuracies({"a": {"first": drawn(0.7)}, "b": {"first": drawn(0.8)}})
    assert tables["winners_by_set"] == []
    assert "winners" not in tables


def closing(sets: str, leads: Mapping[str, Sequence[float]]) -> list[str]:
    """The finding on data sets where the first builder has 70 % and each other one leads it by so much."""
    rows = rows_of(
        {
            name: {"first": drawn(0.7, seed=index)}
            | {other: drawn(0.7 + own[index], seed=index + 50) for other, own in leads.items()}
            for index, name in enumerate(sets)
        }
    )
    return list(WINNERS.closing(Results(unasked, summary_rows(SUMMARY, rows), {})))


@pytest.mark.parametrize(
    ("sets", "leads", "expected"),
    [
        ("ab", {"other": [0.2, 0.2]}, ["other is significantly more accurate than first on 2 of 2 data sets"]),
        (
            "abc",
            {"other": [0.2, -0.2, 0.0]},
            ["other is significantly more accurate than first on 1 and less accurate on 1 of 3 data sets"],
        ),
        ("ab", {"other": [0.0, 0.0]}, ["no builder is significantly more or less accurate than first on any data set"]),
        ("a", {"other": [0.2]}, []),  # the first clause of the finding compares the most accurate builder with all
        (
            "ab",
            {"better": [0.2, 0.2], "same": [0.0, 0.0], "worse": [-0.2, -0.2]},
            [
                "better is significantly more accurate than first on 2 of 2 data sets and worse is significantly less "
                "accurate than first on 2 of 2 data sets",
                "same does not differ significantly from first",
            ],
        ),
        (
            "ab",
            {"worse": [-0.2, -0.2]} | {f"same{number}": [0.0, 0.0] for number in range(5)},
            [
                "worse is significantly less accurate than first on 2 of 2 data sets",
                "the other 5 do not differ significantly from first",
            ],
        ),
    ],
)  # fmt: skip
def test_the_finding_says_which_builders_differ_significantly_and_which_do_not(
    sets: str, leads: Mapping[str, Sequence[float]], expected: list[str]
) -> None:
    assert closing(sets, leads) == expected


@pytest.mark.parametrize(
    ("sets", "of_other", "expected"),
    [
        (
            "ab",
            {"level": 0.0},
            [
                "always differs from first by the same amount on all splits of some data set, which no test can judge",
                "otherwise, no builder is significantly more or less accurate than first on any data set",
            ],
        ),
        (
            "ab",
            {"better": 0.2},
            [
                "better is significantly more accurate than first on 2 of 2 data sets",
                "always differs from first by the same amount on all splits of some data set, which no test can judge",
            ],
        ),
    ],
)
def test_a_lead_that_no_test_can_judge_is_not_called_insignificant(
    sets: str, of_other: Mapping[str, float], expected: list[str]
) -> None:
    leads = {name: drawn(0.5 + lead, seed=9) for name, lead in of_other.items()}
    rows = rows_of({name: {"first": [0.5] * FOLDS, "always": [1.0] * FOLDS} | leads for name in sets})
    assert list(WINNERS.closing(Results(unasked, summary_rows(SUMMARY, rows), {}))) == expected


def unasked() -> NoReturn:
    raise AssertionError("the finding needs the tables alone")
