"""Ranks by a plain count, Friedman's test by its formula, Wilcoxon's by all signs, Nemenyi's by the printed table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import friedmanchisquare

from pipeline.grammar.columns import Row
from pipeline.grammar.comparison.ranks import (
    AVERAGES,
    friedman_result,
    rank_tests,
    rank_views,
    tied_groups,
)
from pipeline.summary.statistics import critical_difference

BUILDERS = ("a", "b", "c", "d")
SETS = st.lists(st.lists(st.integers(0, 6), min_size=4, max_size=4), min_size=2, max_size=7)
TESTS = rank_tests("Tests")
Accuracies = Mapping[tuple[str, str], float]


def accuracies(table: list[list[int]]) -> dict[tuple[str, str], float]:
    return {
        (f"set{row}", name): 0.1 + value / 10
        for row, values in enumerate(table)
        for name, value in zip(BUILDERS, values, strict=True)
    }


def ranked(values: Accuracies, builders: Sequence[str] = BUILDERS) -> tuple[list[Row], list[Row], list[Row]]:
    """The ranks, their averages and tests of accuracies by data set and builder."""
    rows = [
        {"source": source, "builder": builder, "accuracy": value, "position": builders.index(builder)}
        for (source, builder), value in values.items()
        if builder in builders
    ]
    with duckdb.connect() as connection:
        connection.register("own", pa.Table.from_pylist(rows))
        for name, sql in rank_views({"all": "own"}, "a", ("all",)).items():
            connection.execute(f"create view {name} as {sql}")
        answer = connection.execute("select source, builder, rank from ranked order by source, position")
        ranks = [dict(zip(("source", "builder", "rank"), row, strict=True)) for row in answer.fetchall()]
        return ranks, AVERAGES.rows(connection), TESTS.rows(connection)


@settings(max_examples=30)
@given(SETS)
def test_tied_builders_share_the_mean_of_their_ranks(table: list[list[int]]) -> None:
    ranks, averages, _ = ranked(accuracies(table))
    results = {(row["source"], row["builder"]): row["rank"] for row in ranks}
    assert list(dict.fromkeys(source for source, _ in results)) == [f"set{row}" for row in range(len(table))]
    for row, values in enumerate(table):
        for name, value in zip(BUILDERS, values, strict=True):
            better, tied = sum(each > value for each in values), values.count(value)
            assert results[f"set{row}", name] == better + (tied + 1) / 2
    assert [(row["builder"], row["n"]) for row in averages] == [(name, len(table)) for name in BUILDERS]
    assert sum(row["mean"] for row in averages) == pytest.approx(10)


def test_rounding_makes_no_difference_of_a_tie() -> None:
    values = {("s", "a"): 0.1 + 0.2, ("s", "b"): 0.3, ("s", "c"): 0.1}
    ranks, _, tests = ranked(values)
    assert [row["rank"] for row in ranks] == [1.5, 1.5, 3.0]
    first, second = (row for row in tests if row["test"] == "Wilcoxon")
    assert (first["n"], first["wins"], first["losses"], first["p"]) == (1, 0, 0, 1.0)
    assert (second["n"], second["wins"], second["losses"], second["p"]) == (1, 1, 0, 1.0)
    assert friedman_result("all", tests) == "too few ranks for Friedman's test"


def test_only_data_sets_of_all_builders_are_ranked() -> None:
    values = accuracies([[1, 2, 3, 4], [4, 3, 2, 1]])
    del values["set0", "b"]
    assert {row["source"] for row in ranked(values, ("a", "b", "c"))[0]} == {"set1"}
    assert {row["builder"] for row in ranked(values, ("a", "c", "nobody"))[0]} == {"a", "c"}
    assert {row["source"] for row in ranked(values, ("a", "c"))[0]} == {"set0", "set1"}
    assert ranked(values, ("a",))[:2] == ([], [])


@settings(max_examples=30)
@given(SETS)
def test_friedman_is_that_of_scipy(table: list[list[int]]) -> None:
    _, _, tests = ranked(accuracies(table))
    rows = [row for row in tests if row["test"] == "Friedman"]
    if not np.ptp(table, axis=1).any():
        assert not rows
        return
    expected = friedmanchisquare(*np.array(table).T)
    assert rows[0]["statistic"] == pytest.approx(expected.statistic)
    assert rows[0]["p"] == pytest.approx(expected.pvalue)
    assert (rows[0]["builders"], rows[0]["n"]) == (4, len(table))


@settings(max_examples=30)
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=8))
def test_wilcoxon_is_over_all_signs(points: list[int]) -> None:
    values = {}
    for row, point in enumerate(points):
        values |= {(f"set{row}", "a"): 0.5 + point / 100, (f"set{row}", "b"): 0.5}
    (result,) = (row for row in ranked(values)[2] if row["test"] == "Wilcoxon")
    differences = [point for point in points if point]
    assert (result["n"], result["wins"], result["losses"]) == (
        len(points),
        sum(point > 0 for point in points),
        sum(point < 0 for point in points),
    )
    sizes = [abs(point) for point in differences]
    ranks = [sum(each < size for each in sizes) + (sizes.count(size) + 1) / 2 for size in sizes]
    lesser = min(sum(r for r, d in zip(ranks, differences, strict=True) if sign * d > 0) for sign in (1, -1))
    sums = [sum(r for r, s in zip(ranks, signs, strict=True) if s) for signs in product((0, 1), repeat=len(ranks))]
    p = min(1.0, 2 * sum(each <= lesser for each in sums) / len(sums))
    assert result["p"] == pytest.approx(p if differences else 1.0)
    assert result["p_holm"] == result["p"]


def test_holm_corrects_over_all_that_one_is_held_against() -> None:
    values = accuracies([[6, 5, 6 - row % 2, row % 3] for row in range(6)])
    by_key = {row["against"]: row for row in ranked(values)[2] if row["test"] == "Wilcoxon"}
    assert list(by_key) == ["b", "c", "d"]
    ps = sorted(row["p"] for row in by_key.values())
    assert min(row["p_holm"] for row in by_key.values()) == pytest.approx(3 * ps[0])
    assert by_key["b"]["p"] == pytest.approx(2 / 2**6)


@pytest.mark.parametrize(
    ("builders", "quantile"),
    [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (7, 2.949), (8, 3.031), (9, 3.102), (10, 3.164)],
)
def test_the_critical_difference_is_that_of_the_printed_table(builders: int, quantile: float) -> None:
    """Demšar 2006, table 5a, which is cut or rounded in its last digit."""
    expected = quantile * math.sqrt(builders * (builders + 1) / (6 * 14))
    assert critical_difference(builders, 14) == pytest.approx(expected, rel=5e-4)


def test_the_example_of_the_textbook_has_its_groups() -> None:
    """Demšar 2006, section 3.2.4: CD 1.25, so that by Nemenyi's test nothing is apart; then C4.5 a little worse."""
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=0.005)
    mean = {"c45+m+cf": 1.964, "c45+m": 2.000, "c45+cf": 2.893, "c45": 3.143}

    def groups() -> list[list[str]]:
        rows: list[Row] = [{"builder": name, "mean": each} for name, each in mean.items()]
        return [[row["builder"] for row in group] for group in tied_groups(rows, critical_difference(4, 14))]

    assert groups() == [["c45+m+cf", "c45+m", "c45+cf", "c45"]]
    mean["c45"] += 0.1
    assert groups() == [["c45+m+cf", "c45+m", "c45+cf"], ["c45+m", "c45+cf", "c45"]]
