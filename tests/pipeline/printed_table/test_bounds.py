"""Bounds on trees against brute force: a figure at the bound can be, one beyond it cannot."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import duckdb
import numpy as np
import pytest

from algorithms.data.data_set_of import data_set_of
from algorithms.optimal.instance import Instance
from pipeline.printed_table.bounds import bound_claims
from pipeline.printed_table.figure import PrintedFigure, Rounding
from pipeline.printed_table.measures import MEASURES
from tests.oracles.brute_force import least_costs, table_of
from tests.oracles.optimal_trees import fewest_errors

COSTS = ("depth", "average_depth", "nodes", "nonterminal_nodes", "terminal_nodes")


def figure(measure: str, value: Fraction | float, digits: int) -> PrintedFigure:
    text = f"{float(value):.{digits}f}"
    return PrintedFigure(2, "c45", "set", "c45", MEASURES[measure], text, Fraction(text), digits)


def verdicts(figures, data, **more):
    return [str(claim.verdict) for claim in bound_claims(figures, lambda _: ("set", data), **more)]


def random_rows(draws, attributes, values):
    """Rows of labels, pairwise different, each with one of two classes."""
    rows = np.unique(draws.integers(0, values, size=(int(draws.integers(4, 9)), attributes)), axis=0)
    return rows, draws.integers(0, 2, size=len(rows))


@pytest.mark.parametrize("seed", range(8))
def test_error_free_trees_cost_at_least_the_exact_minimum(seed):
    draws = np.random.default_rng(seed)
    rows, classes = random_rows(draws, 3, 2 + seed % 2)
    data = data_set_of(rows.astype(str).tolist(), classes.tolist())
    least = dict(zip(COSTS, by_name(least_costs(table_of(rows.tolist(), classes.tolist())), len(rows)), strict=True))
    for name, minimum in least.items():
        at = figure(name, round(float(minimum), 4), 4)
        assert verdicts([at], data, error_free=True) == ["possible"], (name, minimum)
        if minimum > 0.01:
            below = figure(name, float(minimum) - 0.01, 4)
            assert verdicts([below], data, error_free=True) == ["impossible"], (name, minimum)
        assert verdicts([at], data) == []


def by_name(five, rows):
    """The five costs in the order of COSTS."""
    depth, length, *sizes = five
    return [depth, Fraction(length, rows), *sizes]


@pytest.mark.parametrize("seed", range(6))
def test_trees_of_a_depth_err_at_least_as_often_as_all_of_them(seed):
    draws = np.random.default_rng(seed)
    rows, classes = random_rows(draws, 3, 4)
    data = data_set_of(rows.astype(float), classes.tolist())
    for depth in (0, 1, 2):
        errors = fewest_errors(Instance(data, np.ones(data.rows, np.int64), max_depth=depth))
        fewest = min(errors.values())
        at, beyond = (
            figure("train_accuracy", 100 * (data.rows - wrong) / data.rows, 3) for wrong in (fewest, fewest - 1)
        )
        edges = figure("depth", depth, 0)
        assert verdicts([at, edges], data) == ["possible", "possible"]
        if fewest >= 1:
            assert verdicts([beyond, edges], data)[1] == "impossible"


@pytest.mark.parametrize(("labels", "verdict"), [(12, "possible"), (13, "undecided")])
def test_sets_of_too_many_labels_are_not_tried(labels, verdict):
    data = data_set_of([[f"v{label}"] for label in range(labels)], [label % 2 for label in range(labels)])
    figures = [figure("train_accuracy", 100, 1), figure("depth", 1, 0)]
    assert verdicts(figures, data) == ["possible", verdict]
    any_function, claim = bound_claims(figures, lambda _: ("set", data))
    assert "differ" not in any_function.proof  # no two rows are alike
    assert claim.assumes.split("; ")[1] == "its depth is 1 edge or less"
    assert labels == 12 or "'f1' has more than 12 labels" in claim.proof


def test_the_depth_of_a_tree_is_a_whole_number():
    """A mean of 1.95 edges is that of several trees, and those of 3 edges make no error."""
    data = data_set_of([[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 1])
    accuracy = figure("train_accuracy", 100, 1)
    for digits, depth, verdict in ((2, 1.95, "undecided"), (2, 2.00, "possible"), (1, 1.0, "impossible")):
        assert verdicts([accuracy, figure("depth", depth, digits)], data)[1] == verdict


@pytest.mark.parametrize(
    ("rounding", "below", "verdict"),
    [
        (Rounding.NEAREST, 1.1, "possible"),  # 1.15 rounded down
        (Rounding.HALF_UP, 1.1, "impossible"),
        (Rounding.HALF_UP, 1.2, "possible"),
        (Rounding.HALF_EVEN, 1.1, "impossible"),
        (Rounding.TRUNCATED, 1.1, "possible"),
        (Rounding.TRUNCATED, 1.0, "impossible"),
        (Rounding.ANY, 1.1, "possible"),
    ],
)
def test_a_cost_at_the_end_of_what_is_rounded_to_a_figure(rounding, below, verdict):
    """The least average depth is 23/20 = 1.15: 17 rows have one edge, three have two."""
    rows = [["a", "x"]] * 17 + [["b", "x"]] * 2 + [["b", "y"]]
    data = data_set_of(rows, [0] * 17 + [1] * 2 + [0])
    assert verdicts([replace(figure("average_depth", below, 1), rounding=rounding)], data, error_free=True) == [verdict]


def test_no_function_is_right_on_both_of_two_rows_that_are_alike():
    data = data_set_of([["a", "x"], ["a", "x"], ["a", "x"], ["b", None], ["b", None]], [0, 0, 1, 0, 1])
    results = [verdicts([figure("train_accuracy", value, 1)], data)[0] for value in (59.9, 60.0, 60.1, 80.0)]
    assert results == ["possible", "possible", "impossible", "impossible"]
    error_free = verdicts([figure("nodes", 5, 0)], data, error_free=True)
    assert error_free == ["impossible"]


def test_numbers_are_left_undecided_where_trees_make_no_error():
    data = data_set_of([[1.0], [2.0], [3.0]], [0, 1, 0])
    assert verdicts([figure("nodes", 1, 0)], data, error_free=True) == ["undecided"]


def test_a_bound_has_its_tree_or_a_query():
    """Two rows are alike and differ in class, and no test alone says the classes of `apart`."""
    data = data_set_of([["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"], ["b", "y"]], ["no", "no", "yes", "no", "yes"])
    figures = [figure("train_accuracy", 90, 0), figure("depth", 1, 0)]
    any_function, of_depth = bound_claims(figures, lambda _: ("set", data))
    assert duckdb.sql(any_function.question).fetchall() == [(5, 4, 80)]
    assert (of_depth.question, of_depth.tree) == ("", "f1 = a: no\nf1 = b: yes")
    apart = data_set_of([["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]], ["no", "yes", "yes", "no"])
    (least,) = bound_claims([figure("nodes", 5, 0)], lambda _: ("set", apart), error_free=True)
    assert str(least.verdict) == "impossible"
    assert least.tree.splitlines() == [
        *("f1 = a", "|   f2 = x: no", "|   f2 = y: yes"),
        *("f1 = b", "|   f2 = x: yes", "|   f2 = y: no"),
    ]
    (errs,) = bound_claims([figure("nodes", 5, 0)], lambda _: ("set", data), error_free=True)
    assert duckdb.sql(errs.question).fetchall() == [(5, 4, 80)]
