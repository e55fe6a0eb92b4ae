"""Sums, means and deviations of printed tables, against honest tables that are rounded and false ones."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from statistics import mean

import duckdb
import numpy as np
import pytest

from pipeline.printed_table.arithmetic import arithmetic_claims
from pipeline.printed_table.claim import Possibility
from pipeline.printed_table.figure import ALL, MEAN, Rounding
from pipeline.printed_table.ranks import rank_claims
from pipeline.printed_table.significance import significance_claims
from tests.pipeline.printed_table.figures import figure, verdicts


@pytest.mark.parametrize(
    ("nodes", "inner", "leaves", "verdict"),
    [
        ("15", "7", "8", "possible"),
        ("15", "7", "9", "possible"),  # means of 15.0, 6.5 and 8.5
        ("15", "7", "10", "impossible"),
        ("15.2", "7.1", "8.1", "possible"),
        ("15.2", "7.1", "8.2", "possible"),  # 7.05 to 7.15 and 8.15 to 8.25
        ("15.2", "7.1", "8.3", "impossible"),
    ],
)
def test_nodes_are_inner_ones_and_leaves(nodes, inner, leaves, verdict):
    names = ("nodes", "nonterminal_nodes", "terminal_nodes")
    figures = [figure("iris", "c45", name, text) for name, text in zip(names, (nodes, inner, leaves), strict=True)]
    assert verdicts(arithmetic_claims(figures)) == [verdict]


@pytest.mark.parametrize(("error", "verdict"), [("5.6", "possible"), ("5.7", "possible"), ("5.8", "impossible")])
def test_errors_complement_accuracies(error, verdict):
    figures = [figure("iris", "c45", "accuracy", "94.4"), figure("iris", "c45", "error", error)]
    assert verdicts(arithmetic_claims(figures)) == [verdict]


def test_honest_means_of_columns_are_possible_and_wrong_ones_are_not():
    draws = np.random.default_rng(1)
    for _ in range(500):
        values = draws.uniform(50, 100, size=int(draws.integers(2, 30)))
        digits = int(draws.integers(0, 3))
        own = [figure(f"set {i}", "c45", "accuracy", f"{value:.{digits}f}") for i, value in enumerate(values)]
        for result, verdict in ((mean(values), "possible"), (mean(values) + 2.1 * 10**-digits, "impossible")):
            whole = figure(MEAN, "c45", "accuracy", f"{result:.{digits}f}")
            claims = [claim for claim in arithmetic_claims([*own, whole]) if claim.figures == [whole]]
            assert verdicts(claims) == [verdict], (result, values)


@pytest.mark.parametrize(
    ("text", "deviation", "verdict"),
    [
        ("99.0", "14", "possible"),  # at most that of 100 and 98: sqrt(2 x 99 x 1) = 14.07; 98.95 allows 14.41
        ("99.0", "15", "impossible"),
        ("99.000", "14.1", "possible"),  # of 14.0747, which the mean 98.9995 allows
        ("99.000", "14.2", "impossible"),
        ("50", "71", "possible"),  # of 0 and 100: 70.71
        ("50.0", "70.7", "possible"),
        ("50.0", "70.8", "impossible"),
        ("50", "72", "impossible"),
        ("90", "50", "impossible"),
    ],
)
def test_deviations_of_shares_are_bounded_by_their_mean(text, deviation, verdict):
    claims = arithmetic_claims([figure("iris", "c45", "accuracy", text, standard_deviation=Fraction(deviation))])
    assert verdicts(claims) == [verdict]


def test_an_upper_bound_is_not_an_accuracy_or_a_mean():
    rest = [figure("set 0", "b", "accuracy", "89.0"), figure("set 1", "a", "accuracy", "80.0")]
    rest += [figure("set 1", "b", "accuracy", "70.0"), figure(MEAN, "b", "accuracy", "90.0", below=True)]
    more = [figure("set 0", "a", "rank", "2"), figure("set 0", "b", "rank", "1"), figure(ALL, "a vs b", "wins", "1")]
    for below in (False, True):
        figures = [figure("set 0", "a", "accuracy", "90.0", below=below), *rest, *more]
        claims = [*rank_claims(figures), *arithmetic_claims(figures)]
        assert ("impossible" in verdicts(claims)) is not below


def test_false_ranks_counts_and_statistics_are_impossible():
    texts = {"a": ("90.1", "80.2", "70.3"), "b": ("88.1", "79.2", "71.3"), "c": ("92.1", "81.2", "69.3")}
    figures = [figure(f"set {i}", name, "accuracy", text) for name, own in texts.items() for i, text in enumerate(own)]
    false = [
        figure("set 0", "a", "rank", "1"),  # it is 2
        figure(ALL, "a vs b", "wins", "3"),  # it is 2
        figure(ALL, "a vs b", "ties", "1"),
        figure(ALL, "a vs b", "losses", "1"),
        figure(ALL, "a vs b", "sign_p", "0.04"),  # of 3 sets the least is 0.25
        figure(ALL, "a vs b", "wilcoxon_p", "0.01"),
        figure(ALL, "all", "critical_difference", "0.5"),
        figure(ALL, "all", "friedman", "5.9"),
        figure(ALL, "all", "friedman_p", "0.001"),
    ]
    claims = [*rank_claims([*figures, *false]), *significance_claims([*figures, *false])]
    impossible = {figure.measure.name for claim in claims if claim.verdict == "impossible" for figure in claim.figures}
    assert impossible == {each.measure.name for each in false} | {"accuracy"}
    assert {claim.figures[0].measure.name for claim in claims if claim.verdict == "possible"} == {"losses"}


@pytest.mark.parametrize(
    ("ranks", "verdict"),
    [
        (("1", "2", "3"), "possible"),
        (("1.5", "1.5", "3"), "possible"),
        (("1", "1", "3"), "possible"),
        (("2", "2", "3"), "possible"),  # tied ones have the worse rank
        (("2", "2", "2.5"), "impossible"),
        (("1", "2", "2.5"), "impossible"),
    ],
)
def test_ranks_without_accuracies_are_of_some_order(ranks, verdict):
    claims = list(rank_claims([figure("iris", f"b{i}", "rank", rank) for i, rank in enumerate(ranks)]))
    assert verdicts(claims) == [verdict]


def test_a_mean_over_a_figure_that_is_only_bounded_is_not_tested():
    own = [figure("a", "c45", "error", "1", below=True), figure("b", "c45", "error", "5")]
    assert not list(arithmetic_claims([*own, figure(MEAN, "c45", "error", "2.6")]))


def test_the_questions_of_claims_show_their_proofs():
    """On a: x and y print alike, so that either may be the first; on b: y, z, x."""
    figures = [
        figure(source, name, "accuracy", text)
        for source, texts in {"a": ("90.1", "90.1", "80.2"), "b": ("70.3", "72.5", "71.4")}.items()
        for name, text in zip("xyz", texts, strict=True)
    ]
    tested = {
        "rank": figure("b", "y", "rank", "3"),
        "wins": figure(ALL, "x vs y", "wins", "2"),
        "wilcoxon_p": figure(ALL, "x vs y", "wilcoxon_p", "0.001"),
        "sign_p": figure(ALL, "x vs y", "sign_p", "0.001"),
        "friedman": figure(ALL, "all", "friedman", "9"),
        "critical_difference": figure(ALL, "all", "critical_difference", "0.1"),
        "error": figure("a", "x", "error", "10.1"),
        "nodes": figure("a", "x", "nodes", "9"),
        "deviation": figure("c", "x", "error", "50", standard_deviation=Fraction("75.5")),
    }
    tested |= {name: figure("a", "x", name, 2) for name in ("nonterminal_nodes", "terminal_nodes")}
    means = [figure(MEAN, name, "rank", "1") for name in "xyz"]
    answers = {}
    for table in ([*figures, *tested.values()], [*figures, *means]):
        for claim in (*arithmetic_claims(table), *rank_claims(table), *significance_claims(table)):
            first = claim.figures[0]
            rows = duckdb.sql(claim.question).fetchall()
            answers[first.measure.name, first.source, str(claim.verdict)] = [
                tuple(float(value) if isinstance(value, Decimal) else value for value in row) for row in rows
            ]
    wins = [(0, 1, 1)]
    mean_ranks = [("y", 1, 1.5), ("x", 2, 2.5), ("z", 2.5, 2.5)]
    assert answers == {
        ("accuracy", "a", "impossible"): [(100.2, 100)],
        ("nodes", "a", "impossible"): [(4, 9)],
        ("error", "c", "impossible"): [(pytest.approx(5000**0.5), 75.5)],
        ("rank", "b", "impossible"): [("b", "y", 72.5, 1, 1), ("b", "z", 71.4, 2, 2), ("b", "x", 70.3, 3, 3)],
        ("wins", ALL, "impossible"): wins,
        ("sign_p", ALL, "impossible"): wins,
        ("wilcoxon_p", ALL, "impossible"): [("a", 0), ("b", -2.2)],
        ("friedman", ALL, "impossible"): mean_ranks,
        ("critical_difference", ALL, "impossible"): [(1,)],
        ("rank", MEAN, "impossible"): mean_ranks,
        ("rank", MEAN, "possible"): mean_ranks,  # y
    }


def test_each_impossible_figure_names_what_may_not_hold():
    """Papers count significant wins, leave builders out, or have dense ranks; so each claim says what it assumes."""
    accuracies = [figure("a", name, "accuracy", text) for name, text in zip("xyz", (90, 90, 80), strict=True)]
    tables = {
        "significant or not": [*accuracies, figure(ALL, "x vs z", "wins", "0")],
        "tied builders take up n ranks": [*accuracies, figure("a", "z", "rank", "2")],
        "of the builders that have an accuracy": [*accuracies, figure("a", "z", "rank", "1")],
        "of the same rows": [*accuracies, figure("a", "z", "error", "10")],
        "the nodes include the leaves": [
            figure("a", "x", name, text)
            for name, text in (("nodes", 3), ("nonterminal_nodes", 3), ("terminal_nodes", 4))
        ],
        "a standard deviation": [figure("a", "x", "accuracy", "90", standard_deviation=Fraction(60))],
    }
    for words, figures in tables.items():
        false = [
            each
            for each in (*rank_claims(figures), *arithmetic_claims(figures))
            if each.verdict is Possibility.IMPOSSIBLE
        ]
        assert false
        assert all(words in each.assumes for each in false), words
    dense = [figure("a", name, "rank", text) for name, text in zip("xyz", (1, 1, 2), strict=True)]
    (claim,) = rank_claims(dense)
    assert "tied builders take up n ranks" in claim.assumes


def test_figures_of_fewer_digits_may_be_truncated():
    """93.7, cut to 93, is above 93.6."""
    accuracies = [figure("a", "x", "accuracy", "93"), figure("a", "y", "accuracy", "93.6")]
    won = figure(ALL, "x vs y", "wins", "1")
    figures = [replace(each, rounding=Rounding.TRUNCATED) for each in (*accuracies, won)]
    assert verdicts(rank_claims(figures)) == ["possible"]
