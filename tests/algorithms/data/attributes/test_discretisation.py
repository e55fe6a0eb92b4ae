"""Intervals of equal width and frequency, and data sets whose numbers have become intervals."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.preprocessing import KBinsDiscretizer

from algorithms.data.attributes.discretisation import (
    MOST_BINS,
    discretised,
    equal_frequency,
    equal_width,
    fitted_thresholds,
    with_thresholds,
)
from algorithms.data.attributes.thresholds import Thresholds
from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet, DataSetError
from algorithms.data.data_set_of import data_set_of
from algorithms.data.tables_from_data import decision_table
from algorithms.exact.graph import exact_costs
from algorithms.greedy import greedy_tree
from algorithms.measures.impurity import impurity_function
from algorithms.trees.text import export_text
from tests.oracles.uci_files import nominal_data_set, rows_of_file

METHODS = ["fayyad_irani", "equal_width", "equal_frequency"]
FEW_VALUES = st.lists(st.integers(0, 12).map(float), min_size=1, max_size=40)


@pytest.mark.parametrize("bins", [2, 3, 7, 10])
def test_equal_width_as_scikit_learn(bins: int) -> None:
    values = np.random.default_rng(bins).normal(size=500)
    theirs = KBinsDiscretizer(bins, encode="ordinal", strategy="uniform", subsample=None).fit(values[:, None])
    assert np.allclose(equal_width(values, bins).cuts, theirs.bin_edges_[0][1:-1], rtol=1e-11, atol=0)
    assert np.array_equal(equal_width(values, bins).codes(values), theirs.transform(values[:, None])[:, 0])


def test_equal_width_keeps_a_value_on_a_cut_below_it() -> None:
    """0.1 + 0.8 is 0.9 here, though as floats it is a little less."""
    thresholds = equal_width([0.1, 2.5], 3)
    assert thresholds.cuts == (0.9, 1.7)
    assert thresholds.codes([0.9, 1.7, 2.5]).tolist() == [0, 1, 2]


def test_intervals_of_equal_width_may_be_empty() -> None:
    assert equal_width([0.0, 1.0, 100.0], 4).cuts == (25.0, 50.0, 75.0)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1), st.integers(1, 20))
@example([5e-324, 1.5e-323], 4)
def test_any_numbers_can_be_cut(values: list[float], bins: int) -> None:
    """Too close for so many intervals, or too far apart for their distance to be a number."""
    for thresholds in (equal_width(values, bins), equal_frequency(values, bins)):
        assert len(thresholds.cuts) < bins
        assert all(min(values) <= cut < max(values) for cut in thresholds.cuts)


@given(FEW_VALUES, st.integers(1, 15))
def test_equal_frequency_as_it_is_defined(values: list[float], bins: int) -> None:
    """Each wanted position by trying all: the number of values below, nearest to i/bins of them."""
    distinct = sorted(set(values))
    expected = []
    for i in range(1, bins):
        positions = [
            (abs(bins * sum(value <= lower for value in values) - i * len(values)), lower, upper)
            for lower, upper in itertools.pairwise(distinct)
        ]
        if positions:
            _, lower, upper = min(positions)
            expected.append((lower + upper) / 2)
    assert equal_frequency(values, bins).cuts == tuple(sorted(set(expected)))


@pytest.mark.parametrize("method", [equal_width, equal_frequency])
@pytest.mark.parametrize("values", [[], [np.nan] * 3, [4.0], [4.0] * 5, [-1e308]])
def test_no_cuts_where_no_two_values_differ(method: object, values: list[float]) -> None:
    assert method(values, 5) == Thresholds()  # type: ignore[operator]


@pytest.mark.parametrize("method", [equal_width, equal_frequency])
def test_one_bin_has_no_cuts_and_missing_values_do_not_count(method: object) -> None:
    assert method([1.0, 2.0, 3.0], 1) == Thresholds()  # type: ignore[operator]
    assert method([1.0, np.nan, 2.0, 4.0, np.nan], 2) == method([1.0, 2.0, 4.0], 2)  # type: ignore[operator]


@pytest.mark.parametrize("bins", [0, -1, 2.0, True, MOST_BINS + 1])
@pytest.mark.parametrize("method", [equal_width, equal_frequency])
def test_invalid_bins_are_refused(method: object, bins: object) -> None:
    with pytest.raises(ValueError, match="expected a whole number from 1 to 1048576"):
        method([1.0, 2.0], bins)  # type: ignore[operator]


def mixed(rows: int = 60, seed: int = 0) -> DataSet:
    """A number that determines the class of most rows, a nominal attribute, and a number without information."""
    generator = np.random.default_rng(seed)
    numbers, noise = generator.normal(size=rows), generator.normal(size=rows)
    numbers[3] = np.nan
    attributes = (
        Attribute("number", AttributeKind.NUMERIC),
        Attribute("word", AttributeKind.NOMINAL, ("p", "q")),
        Attribute("noise", AttributeKind.NUMERIC),
    )
    words = generator.integers(-1, 2, rows).astype(np.int32)
    decisions = ((numbers > 0.25) ^ (generator.random(rows) < 0.05)).astype(np.int32)
    return DataSet(attributes, (numbers, words, noise), ("no", "yes"), decisions)


def test_numeric_attributes_become_nominal_and_others_stay() -> None:
    data = mixed()
    result = discretised(data, np.arange(data.rows))
    assert [attribute.kind for attribute in result.attributes] == [AttributeKind.NOMINAL] * 3
    assert [attribute.name for attribute in result.attributes] == ["number", "word", "noise"]
    assert len(result.attributes[0].labels) == 2
    assert result.attributes[2].labels == ("any",)
    assert np.array_equal(result.missing, data.missing)
    assert result.columns[1] is data.columns[1]
    cut = fitted_thresholds(data)["number"].cuts[0]
    known = ~np.isnan(data.columns[0])
    assert np.array_equal(result.columns[0][known], data.columns[0][known] > cut)


@pytest.mark.parametrize("method", METHODS)
def test_other_rows_than_those_to_fit_decide_nothing(method: str) -> None:
    data, train = mixed(), np.arange(60) % 3 != 0
    altered = [column.copy() for column in data.columns]
    altered[0][~train], altered[2][~train] = 1e6, np.nan
    decisions = np.where(train, data.decisions, 1 - data.decisions).astype(np.int32)
    other = DataSet(data.attributes, tuple(altered), data.classes, decisions)
    first, second = (discretised(each, train, method, bins=4) for each in (data, other))  # type: ignore[arg-type]
    assert first.attributes == second.attributes
    assert all(np.array_equal(a[train], b[train]) for a, b in zip(first.columns, second.columns, strict=True))
    assert second.columns[2][~train].tolist() == [MISSING] * 20
    by_index = discretised(data, np.flatnonzero(train), method, bins=4)  # type: ignore[arg-type]
    assert by_index.attributes == first.attributes
    assert first.attributes != discretised(data, ~train, method, bins=4).attributes  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
def test_without_rows_to_fit_every_attribute_is_one_interval(method: str) -> None:
    result = discretised(mixed(), np.zeros(60, bool), method)  # type: ignore[arg-type]
    assert result.attributes[0].labels == result.attributes[2].labels == ("any",)
    assert result.columns[0].max() == 0


def test_chosen_thresholds_for_some_attributes() -> None:
    result = with_thresholds(mixed(), {"noise": Thresholds((0.0, 1.0))})
    assert result.attributes[0].kind is AttributeKind.NUMERIC
    assert result.attributes[2].labels == ("<= 0", "(0, 1]", "> 1")


def test_thresholds_for_what_is_not_numeric_are_refused_by_name() -> None:
    with pytest.raises(DataSetError, match="'word' is nominal: expected one of 'number'"):
        with_thresholds(mixed(), {"word": Thresholds()})
    with pytest.raises(DataSetError, match="there is no attribute 'nmber'"):
        with_thresholds(mixed(), {"nmber": Thresholds()})


def test_rows_that_are_not_counted_are_refused() -> None:
    data = data_set_of([[1.0], [2.0]], ["a", "b"])
    for rows in (["a", "b"], [0.0, 1.0]):
        with pytest.raises(TypeError, match=r"`rows_to_fit` has values of type .* such as range\(data.rows\)"):
            discretised(data, rows)  # type: ignore[arg-type]
    for rows in (range(data.rows), [True, True], []):
        assert discretised(data, rows).attributes[0].kind is AttributeKind.NOMINAL  # type: ignore[arg-type]


def test_unknown_methods_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="method is 'chimerge': expected one of fayyad_irani, equal_width, equal_freq"):
        discretised(mixed(), np.arange(60), "chimerge")  # type: ignore[arg-type]


def test_the_petals_of_iris_as_a_decision_table(shared: Path) -> None:
    names, rows = rows_of_file(shared, "iris/iris.data")
    data = nominal_data_set(names, rows, numeric=names)
    table = decision_table(discretised(data, np.arange(data.rows)).select([2, 3]), row_weights="multiplicity")
    assert table.size == 150
    tree = greedy_tree(table, impurity_function("w_sum/ent"))
    assert exact_costs(table).terminal_nodes == tree.costs(table).terminal_nodes == 3
    assert export_text(tree, table.labels).splitlines() == [
        "3 = <= 0.8: Iris-setosa",
        "3 = (0.8, 1.75]: Iris-versicolor",
        "3 = > 1.75: Iris-virginica",
    ]


def test_text_is_no_number() -> None:
    for cuts in (lambda values: equal_width(values, 2), lambda values: equal_frequency(values, 2)):
        with pytest.raises(ValueError, match=r"the values are not all numbers \(.*'a'\): expected numbers, or NaN"):
            cuts(["1", "a"])
