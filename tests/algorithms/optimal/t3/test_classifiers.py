"""T2, T3 and T3C against trying everything on tiny data, and what must hold of them whatever the data."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.data_set import DataSet
from algorithms.optimal.solution import Status
from algorithms.optimal.t3.classifiers import T2Classifier, T3CClassifier, T3Classifier
from algorithms.tree import NodeKind
from tests.algorithms.data_sets import data_set_of, data_sets
from tests.oracles import shallow_trees as slow

NOT_OPTIMAL = data_set_of(
    [[1, 2, 3, 4, 4, 1, 4, 4], [2, 2, 0, 1, 3, 3, 2, 4]], [0, 0, 0, 0, 0, 1, 1, 1], numeric=[True, True]
)
KINDS = {"T3": (T3Classifier, 2), "T3C": (T3CClassifier, 3)}


def rows_of(data: DataSet, weights: np.ndarray[Any, Any] | None = None) -> slow.Rows:
    weight = np.ones(data.rows) if weights is None else weights
    return tuple(
        (
            tuple(None if value != value else value for value in row),
            int(label),
            Fraction(one),
        )
        for row, label, one in zip(data.values().tolist(), data.decisions.tolist(), weight.tolist(), strict=True)
    )


def form_of(data: DataSet, inner: int, mae: float = 0.0, intervals: int | None = None) -> slow.Form:
    numeric = tuple(attribute.kind == "numeric" for attribute in data.attributes)
    most = len(np.unique(data.decisions)) + 1 if intervals is None else intervals
    return slow.Form(numeric, mae, most, min(inner, most))


@st.composite
def questions(draw: Any, most_rows: int = 10) -> tuple[DataSet, np.ndarray[Any, Any]]:
    data = draw(data_sets(max_rows=most_rows, max_attributes=3, missing=draw(st.booleans())))
    weight = st.sampled_from([1.0, 1.0, 1.0, 0.25, 3.0])
    return data, np.array(draw(st.lists(weight, min_size=data.rows, max_size=data.rows)))


@given(
    questions(),
    st.sampled_from(sorted(KINDS)),
    st.integers(0, 3),
    st.sampled_from([0.0, 0.0, 0.1, 0.25]),
    st.sampled_from([None, None, 2, 4]),
)
@settings(max_examples=300, deadline=None)
def test_both_methods_have_the_errors_that_they_say(
    question: tuple[DataSet, np.ndarray[Any, Any]], kind: str, depth: int, mae: float, intervals: int | None
) -> None:
    data, weights = question
    builder, inner = KINDS[kind]
    rows, form = rows_of(data, weights), form_of(data, inner, mae, intervals)
    options: dict[str, Any] = {"max_depth": depth, "mae": mae, "max_intervals": intervals}
    printed = builder(**options).fit(data, sample_weight=weights).solution_
    best = builder(method="exhaustive", **options).fit(data, sample_weight=weights)
    assert printed.errors == slow.printed_errors(rows, form, depth)
    assert best.solution_.errors == slow.fewest_errors(rows, form, depth)
    assert best.solution_.status is Status.OPTIMAL
    for one in (printed, best.solution_):
        wrong = one.tree.predict(data.values()) != data.decisions
        assert weights[wrong].sum() == one.errors
        assert one.bound <= one.objective
        assert one.optimal <= (one.errors == best.solution_.errors)
        assert int(one.tree.depths().max()) <= depth
    assert best.costs(data).terminal_nodes == best.solution_.leaves


@given(questions(most_rows=14))
@settings(max_examples=150, deadline=None)
def test_t2_as_printed_is_optimal(question: tuple[DataSet, np.ndarray[Any, Any]]) -> None:
    data, weights = question
    found = T2Classifier().fit(data, sample_weight=weights).solution_
    assert found.errors == slow.fewest_errors(rows_of(data, weights), form_of(data, 2), 2)
    assert found.optimal
    assert found.bound == found.objective


def test_t2_of_nominal_attributes_is_the_best_pair_of_levels() -> None:
    generator = np.random.default_rng(5)
    for _ in range(20):
        codes = generator.integers(-1, 3, (60, 5))
        decisions = (codes[:, 0] + codes[:, 1] * codes[:, 2] + generator.integers(0, 2, 60)) % 3
        data = data_set_of([column.tolist() for column in codes.T], decisions.tolist(), [False] * 5, 3)
        found = T2Classifier(method="exhaustive").fit(data).solution_
        assert found.errors == slow.fewest_errors_of_two_levels(rows_of(data), 5)
        assert found.tree.kind.max() == NodeKind.CODES


def test_the_printed_cut_of_a_number_is_not_always_the_best_two_levels_below_it() -> None:
    data = NOT_OPTIMAL
    printed = T3Classifier().fit(data).solution_
    best = T3Classifier(method="exhaustive").fit(data).solution_
    assert (printed.errors, printed.status) == (1, Status.HEURISTIC)
    assert (best.errors, best.status) == (0, Status.OPTIMAL)
    assert (printed.bound, best.bound) == (0, 0)
