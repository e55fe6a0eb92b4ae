"""Ranks by a plain count, Friedman's test by its formula, Wilcoxon's by all signs, Nemenyi's by the printed table."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from pipeline.grammar.ranks import Accuracies, Ranking, against, ranking

BUILDERS = ("a", "b", "c", "d")
TABLES = st.lists(st.lists(st.integers(0, 6), min_size=4, max_size=4), min_size=2, max_size=7)


def accuracies(table: list[list[int]]) -> Accuracies:
    return {
        (f"set{row}", name): 0.1 + value / 10
        for row, values in enumerate(table)
        for name, value in zip(BUILDERS, values, strict=True)
    }


@given(TABLES)
def test_tied_builders_share_the_mean_of_their_ranks(table: list[list[int]]) -> None:
    found = ranking(accuracies(table), BUILDERS)
    assert found.data_sets == tuple(f"set{row}" for row in range(len(table)))
    for row, values in enumerate(table):
        for name, value in zip(BUILDERS, values, strict=True):
            better, tied = sum(one > value for one in values), values.count(value)
            assert found.of(f"set{row}", name) == better + (tied + 1) / 2
    assert sum(found.mean.values()) == pytest.approx(10)


def test_rounding_makes_no_difference_of_a_tie() -> None:
    found = ranking({("s", "a"): 0.1 + 0.2, ("s", "b"): 0.3, ("s", "c"): 0.1}, ("a", "b", "c"))
    assert found.ranks.tolist() == [[1.5, 1.5, 3.0]]
    (one, other) = against({("s", "a"): 0.1 + 0.2, ("s", "b"): 0.3, ("s", "c"): 0.1}, "a", ("a", "b", "c"))
    assert (one.n, one.wins, one.losses, one.p) == (1, 0, 0, 1.0)
    assert (other.n, other.wins, other.losses, other.p) == (1, 1, 0, 1.0)


def test_only_data_sets_of_all_builders_are_ranked() -> None:
    values = accuracies([[1, 2, 3, 4], [4, 3, 2, 1]])
    del values[("set0", "b")]
    assert ranking(values, ("a", "b", "c")).data_sets == ("set1",)
    assert ranking(values, ("a", "c", "nobody")).builders == ("a", "c")
    assert ranking(values, ("a", "c")).data_sets == ("set0", "set1")


@given(TABLES)
def test_friedman_is_the_formula_of_the_textbook(table: list[list[int]]) -> None:
    """Conover 1999, equation 5.8.3: (k-1) sum (R_j - n(k+1)/2)^2 / (sum of squared ranks - nk(k+1)^2/4)."""
    made = ranking(accuracies(table), BUILDERS)
    found, n, k = made.friedman(), len(table), 4
    spread = float((made.ranks**2).sum()) - n * k * (k + 1) ** 2 / 4
    if spread == 0:
        assert found is None
        return
    statistic = (k - 1) * sum((made.ranks[:, j].sum() - n * (k + 1) / 2) ** 2 for j in range(k)) / spread
    assert found is not None
    assert found.statistic == pytest.approx(statistic)
    assert found.p == pytest.approx(chi2.sf(statistic, k - 1))


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=8))
def test_wilcoxon_is_over_all_signs(points: list[int]) -> None:
    values = {}
    for row, point in enumerate(points):
        values |= {(f"set{row}", "a"): 0.5 + point / 100, (f"set{row}", "b"): 0.5}
    (found,) = against(values, "a", ("a", "b"))
    differences = [point for point in points if point]
    assert (found.n, found.wins, found.losses) == (
        len(points),
        sum(point > 0 for point in points),
        sum(point < 0 for point in points),
    )
    sizes = [abs(point) for point in differences]
    ranks = [sum(one < size for one in sizes) + (sizes.count(size) + 1) / 2 for size in sizes]
    lesser = min(sum(r for r, d in zip(ranks, differences, strict=True) if sign * d > 0) for sign in (1, -1))
    sums = [sum(r for r, s in zip(ranks, signs, strict=True) if s) for signs in product((0, 1), repeat=len(ranks))]
    p = min(1.0, 2 * sum(one <= lesser for one in sums) / len(sums))
    assert found.p == pytest.approx(p if differences else 1.0)
    assert found.adjusted == found.p


def test_holm_corrects_over_all_that_one_is_held_against() -> None:
    values = accuracies([[6, 5, 6 - row % 2, row % 3] for row in range(6)])
    found = {one.other: one for one in against(values, "a", BUILDERS)}
    ps = sorted(one.p for one in found.values())
    assert min(one.adjusted for one in found.values()) == pytest.approx(3 * ps[0])
    assert found["b"].p == pytest.approx(2 / 2**6)


@pytest.mark.parametrize(
    ("builders", "quantile"),
    [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (7, 2.949), (8, 3.031), (9, 3.102), (10, 3.164)],
)
def test_the_critical_difference_is_that_of_the_printed_table(builders: int, quantile: float) -> None:
    """Demšar 2006, table 5a, which is cut or rounded in its last digit."""
    made = Ranking(tuple("abcdefghijklmn"), tuple("abcdefghij"[:builders]), np.ones((14, builders)))
    expected = quantile * math.sqrt(builders * (builders + 1) / (6 * 14))
    assert made.critical_difference() == pytest.approx(expected, rel=5e-4)


def test_the_example_of_the_textbook_has_its_groups() -> None:
    """Demšar 2006, section 3.2.4: CD 1.25, so that by Nemenyi's test nothing is apart; then C4.5 a little worse."""
    mean = {"c45": 3.143, "c45+m": 2.000, "c45+cf": 2.893, "c45+m+cf": 1.964}
    made = Ranking(tuple("abcdefghijklmn"), tuple(mean), np.tile(list(mean.values()), (14, 1)))
    assert made.critical_difference() == pytest.approx(1.25, abs=0.005)
    assert made.cliques() == (("c45+m+cf", "c45+m", "c45+cf", "c45"),)
    apart = Ranking(made.data_sets, made.builders, made.ranks + np.array([0.1, 0, 0, 0]))
    assert apart.cliques() == (("c45+m+cf", "c45+m", "c45+cf"), ("c45+m", "c45+cf", "c45"))
