"""T2, T3 and T3C against trying everything on tiny data, and what must hold of them whatever the data."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.data.data_set import DataSet
from algorithms.optimal.solution import Status
from algorithms.optimal.t3.classifiers import T2Classifier, T3CClassifier, T3Classifier
from algorithms.optimal.t3.limits import Spent
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
            Fraction(each),
        )
        for row, label, each in zip(data.values().tolist(), data.decisions.tolist(), weight.tolist(), strict=True)
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
    for each in (printed, best.solution_):
        wrong = each.tree.predict(data.values()) != data.decisions
        assert weights[wrong].sum() == each.errors
        assert each.bound <= each.objective
        assert each.optimal <= (each.errors == best.solution_.errors)
        assert int(each.tree.depths().max()) <= depth
    levels = [fewer for fewer in range(depth + 1) if slow.fewest_errors(rows, form, fewer) == best.solution_.errors]
    assert best.tree_.depths().max() == levels[0]
    assert best.costs(data).terminal_nodes == best.solution_.leaves


@given(questions(most_rows=14))
@settings(max_examples=150, deadline=None)
def test_t2_as_printed_is_optimal(question: tuple[DataSet, np.ndarray[Any, Any]]) -> None:
    data, weights = question
    solution = T2Classifier().fit(data, sample_weight=weights).solution_
    assert solution.errors == slow.fewest_errors(rows_of(data, weights), form_of(data, 2), 2)
    assert solution.optimal
    assert solution.bound == solution.objective


def test_the_printed_cut_of_a_number_is_not_always_the_best_two_levels_below_it() -> None:
    data = NOT_OPTIMAL
    printed = T3Classifier().fit(data).solution_
    best = T3Classifier(method="exhaustive").fit(data).solution_
    assert (printed.errors, printed.status) == (1, Status.HEURISTIC)
    assert (best.errors, best.status) == (0, Status.OPTIMAL)
    assert (printed.bound, best.bound) == (0, 0)


def test_printed_trees_that_are_kept_change_the_tree_in_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(9)
    columns = [*generator.integers(0, 3, (4, 80)).tolist(), *generator.integers(0, 6, (2, 80)).tolist()]
    data = data_set_of(columns, generator.integers(0, 3, 80).tolist(), [False] * 4 + [True] * 2)
    results, work = [], []
    for kept in (2**16, 20, 1):
        monkeypatch.setattr("algorithms.optimal.t3.tree_search.MOST_ENTRIES", kept)
        model = T3CClassifier(max_depth=4).fit(data)
        results.append((model.export_text(), model.solution_.errors))
        work.append(model.solution_.work)
    assert results[0] == results[1] == results[2]
    assert work[0] < work[1] < work[2]


def test_fewer_rows_may_have_more_errors_where_some_are_acceptable() -> None:
    data = data_set_of(
        [[0, 1, 2, 2, 3, 3, 1, 2], [0, 0, 1, 3, 1, 0, 2, 2]], [1, 0, 0, 1, 0, 0, 1, 0], numeric=[True, True]
    )
    rows, form = rows_of(data), form_of(data, 2, 0.3)
    assert not acceptable_is_monotone(rows, form)
    solution = T3Classifier(method="exhaustive", mae=0.3).fit(data).solution_
    assert solution.errors == slow.fewest_errors(rows, form, 3) == 1


def acceptable_is_monotone(rows: slow.Rows, form: slow.Form) -> bool:
    """Whether taking away the rows above any number never makes the fewest errors more."""
    for attribute in range(len(form.numeric)):
        results = [
            slow.fewest_errors(tuple(row for row in rows if (row[0][attribute] or 0) <= most), form, 2)
            for most in slow.values(rows, attribute)
        ]
        if sorted(results) != results:
            return False
    return True


def test_the_tree_is_the_first_of_fewest_errors() -> None:
    column = [1.0, 2, 3, 4, 5, 6]
    data = data_set_of([column, column, [0, 0, 0, 1, 1, 1]], [0, 0, 0, 1, 1, 1], [True, True, False])
    best = T3Classifier(method="exhaustive").fit(data).tree_
    assert best.attribute[0] == 0
    assert best.edge_bound[best.edges_of(0)].tolist() == [3.5, np.inf]
    printed = T3Classifier().fit(data)  # chooses the first cut below which one level has no errors
    assert printed.solution_.splits == 3
    assert printed.tree_.edge_bound[printed.tree_.edges_of(0)].tolist() == [1.5, np.inf]
    without = T3CClassifier(ignore=["a1", "a2"]).fit(data).tree_
    assert without.attribute[0] == 2
    assert T3CClassifier(ignore=[0, 1]).fit(data).tree_.attribute[0] == 2


def test_of_equal_cuts_the_first_is_taken() -> None:
    data = data_set_of([[1, 2, 3, 4, 5, 6], [1, 1, 1, 1, 1, 1]], [0, 1, 0, 1, 0, 1], [True, False])
    model = T2Classifier(max_intervals=2).fit(data)
    assert model.solution_.errors == 1
    everywhere = [
        sum(slow.one_level_errors(part, form_of(data, 2, 0, 2)) for part in way)
        for way in slow.intervals(rows_of(data), 0, 2, 2)
    ]
    first = everywhere.index(min(everywhere))
    assert model.tree_.edge_bound[0] == first + 1.5


def test_unknown_values_have_a_branch_of_their_own() -> None:
    nan = float("nan")
    data = data_set_of([[1, 2, nan, nan, nan], [0, 1, 0, 1, -1]], [0, 0, 1, 0, 1], [True, False])
    model = T2Classifier().fit(data)
    assert model.solution_.errors == 0
    assert model.tree_.predict([[1, 1], [nan, 0], [nan, 1], [nan, nan], [nan, 7]]).tolist() == [0, 1, 0, 1, 1]
    empty = T2Classifier().fit(data.take(np.arange(2)))
    assert empty.tree_.predict([[nan, nan]]).tolist() == [0]


@pytest.mark.parametrize("most", [2, 3])
def test_no_node_has_more_branches_than_it_may(most: int) -> None:
    generator = np.random.default_rng(1)
    codes = generator.integers(0, 4, 80)
    columns = [codes.tolist(), (codes % 2).tolist(), generator.normal(size=80).tolist()]
    data = data_set_of(columns, ((codes + generator.integers(0, 2, 80)) % 4).tolist(), [False, False, True])
    for builder in (T2Classifier, T3CClassifier):
        tree = builder(max_branches=most).fit(data).tree_
        assert np.diff(tree.edges).max() == most
        assert 0 not in tree.attribute


@pytest.mark.parametrize("method", ["printed", "exhaustive"])
def test_a_limit_of_work_gives_the_best_tree_so_far(method: Any) -> None:
    generator = np.random.default_rng(3)
    values, decisions = generator.normal(size=(60, 4)), generator.integers(0, 2, 60)
    whole = T3Classifier(method=method).fit(values, decisions).solution_
    cut = T3Classifier(method=method, max_work=whole.work // 2).fit(values, decisions).solution_
    assert cut.status is Status.WORK_LIMIT
    assert cut.bound <= whole.objective <= cut.objective
    again = T3Classifier(method=method, max_work=whole.work).fit(values, decisions).solution_
    assert again.status is whole.status
    assert again.tree.edge_bound.tolist() == whole.tree.edge_bound.tolist()
    late = T3Classifier(method=method, time_limit=1e-9).fit(values, decisions).solution_
    assert late.status is Status.TIME_LIMIT


@pytest.mark.parametrize("method", ["printed", "exhaustive"])
def test_ctrl_c_gives_the_best_tree_so_far(method: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(3)
    values, decisions = generator.normal(size=(60, 4)), generator.integers(0, 2, 60)
    whole = T3Classifier(method=method).fit(values, decisions).solution_
    count = Spent.add

    def interrupted(spent: Spent, work: int) -> None:
        count(spent, work)
        if spent.work > whole.work // 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(Spent, "add", interrupted)
    solution = T3Classifier(method=method).fit(values, decisions).solution_
    assert solution.status is Status.INTERRUPTED
    assert 1 > solution.objective >= whole.objective


def test_contradictory_rows_force_errors() -> None:
    data = data_set_of([[1, 1, 1, 2, float("nan"), float("nan")]], [0, 0, 1, 1, 0, 1], [True])
    solution = T3Classifier().fit(data).solution_
    assert (solution.errors, solution.forced, solution.status) == (2, 2, Status.OPTIMAL)
    assert solution.bound == solution.objective == 2 / 3


@pytest.mark.parametrize("method", [T2Classifier, T3Classifier])
def test_a_class_may_weigh_next_to_nothing(method: Any) -> None:
    values, decisions = [[x, y] for x in range(4) for y in range(4)], np.array([0, 0, 0, 1] * 3 + [1] * 4)
    solution = method().fit(values, decisions, np.where(decisions, 1.0, 1e10)).solution_
    assert (solution.errors, solution.status) == (0, Status.OPTIMAL)


def test_more_intervals_than_rows_take_no_more_memory() -> None:
    rows, classes = [[1], [2], [3], [4]], [0, 1, 2, 0]
    few, many = (T2Classifier(max_intervals=most).fit(rows, classes) for most in (4, 2**31))
    assert many.export_text() == few.export_text()


def test_intervals_that_take_too_much_memory_are_refused_before_they_do() -> None:
    rows = np.arange(6000)
    with pytest.raises(
        MemoryError, match=r"of the 6,000 values of attribute 'f1', with 6,000 classes, .* 4 GiB: reduce"
    ):
        T2Classifier().fit(rows[:, None], rows)
    assert T2Classifier(max_intervals=2).fit(rows[:, None], rows).get_depth() == 2


def test_one_class_and_no_attributes_are_a_leaf() -> None:
    alone = T3Classifier().fit(data_set_of([[1, 2, 3]], [0, 0, 0], [True])).solution_
    assert (alone.objective, alone.bound, alone.splits, alone.leaves, alone.optimal) == (0, 0, 0, 1, True)
    none = T3Classifier(ignore=["a1"]).fit(data_set_of([[1, 2, 3]], [0, 0, 1], [True])).solution_
    assert (none.errors, none.splits, none.status) == (1, 0, Status.OPTIMAL)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"ignore": ["b"]},
            "ignore has 'b', which is not a column of X: expected a name, such as a1, or a position from 0 to 0",
        ),
        ({"ignore": [1]}, "ignore has 1, which is not a column of X: expected a name, such as a1"),
    ],
)
def test_options_out_of_range_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        T3Classifier(**options).fit(data_set_of([[1, 2, 3]], [0, 0, 1], [True]))


def test_cuts_between_equally_heavy_classes_do_not_depend_on_the_order_of_the_rows() -> None:
    values = np.array([[-0.5], [-1], [0], [-0.5], [-0.5], [1], [-0.5], [-1], [0], [0]])
    classes, tenths = np.array([0, 3, 0, 0, 0, 3, 3, 3, 1, 1]), np.array([7, 2, 6, 2, 2, 6, 2, 4, 8, 5])
    order = [6, 4, 7, 3, 2, 5, 1, 8, 9, 0]
    models = [
        T3Classifier(max_depth=1, max_intervals=3).fit(values[rows], classes[rows], tenths[rows] / 10)
        for rows in (np.arange(10), order)
    ]
    assert models[0].tree_.edge_bound.tolist() == models[1].tree_.edge_bound.tolist()
