"""Conditions that are wrong, contradict each other, or that no tree can meet; and searches that end early."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from algorithms.optimal.conditions import conditioned_search as search
from algorithms.optimal.conditions import node_tests
from algorithms.optimal.conditions.conditions import Conditions
from algorithms.optimal.conditions.solve_under import solve_under
from algorithms.optimal.instance import Instance
from algorithms.optimal.search import OCTClassifier
from algorithms.optimal.solution import Effort, EffortSpentError, Status
from algorithms.options import ParameterError
from algorithms.trees.arrays import NodeKind
from tests.algorithms.data_sets import data_set_of

pd = pytest.importorskip("pandas")

AGE, COUGH, SAME = [30.0, 41, 35, 52, 58, 63], [0, 1, 1, 0, 1, 1], [2.0] * 6
ROWS = Instance(data_set_of([AGE, COUGH, SAME], [0, 1, 0, 0, 1, 1], [True, False, True]), np.ones(6), max_depth=2)
IRIS, SPECIES = load_iris(return_X_y=True)


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        ({"first": "a11"}, r"`first` names 'a11', which is not an attribute: did you mean 'a1'\?"),
        ({"forbidden": ["age"]}, r"`forbidden` names 'age', .*: expected a name, such as a1, a2, a3"),
        ({"required": [3]}, "`required` names 3, which is not an attribute"),
        ({"once": [True]}, "`once` names True"),
        ({"once": [-1]}, "`once` names -1"),
        ({"first": 1.5}, "`first` names 1.5"),
        ({"first": ("a1", "x")}, r"`first` is \('a1', 'x'\): expected an attribute, or a pair"),
        ({"first": ("a1", float("nan"))}, "`first` is .* expected an attribute, or a pair"),
        ({"first": ("a1", 40, 2)}, "`first` is .* expected an attribute, or a pair"),
        ({"first": ("a2", 0.5)}, "`first` gives a threshold for attribute 'a2', which is nominal"),
        ({"first": ("a1", 63)}, "`first` splits attribute 'a1' at 63, but its values are from 30 to 63"),
        ({"first": ("a1", 29)}, "`first` splits attribute 'a1' at 29"),
        ({"first": "a1", "forbidden": ["a1"]}, "`first` and `forbidden` both name attribute 'a1'"),
        ({"required": ["a1"], "forbidden": [0]}, "`required` and `forbidden` both name attribute 'a1'"),
        ({"required": ["a3"]}, "`required` names attribute 'a3', which has fewer than two values"),
        ({"first": "a3"}, "`first` names attribute 'a3', which has fewer than two values"),
        ({"required": ["a1", "a2"], "max_attributes": 1}, "max_attributes is 1, but `required` names 2 attributes"),
        ({"first": "a1", "max_attributes": 0}, "max_attributes is 0, but `first` names 1 attribute"),
        (
            {"first": "a1", "required": ["a2"], "max_attributes": 1},
            "max_attributes is 1, but `required` and `first` name 2 attributes",
        ),
        (
            {"first": "a2", "required": ["a1"], "order": ["a1", "a2"]},
            "`required` names attribute 'a1', but `order` forbids it below 'a2'",
        ),
        ({"order": ["a1", ["a2", "a1"]]}, "`order` names attribute 'a1' twice"),
        ({"order": [["a1", "b"]]}, "`order` names 'b', which is not an attribute"),
        ({"monotone": {"a2": 1}}, "`monotone` names attribute 'a2', which is nominal"),
        ({"monotone": {"a1": 2}}, "`monotone` has 2 for attribute 'a1': expected 1 or -1"),
        ({"monotone": {"a1": True}}, "`monotone` has True"),
        ({"class_order": ["c0"]}, r"class_order is \['c0'\]: expected each of the classes c0, c1 once"),
        ({"class_order": ["c0", "c0"]}, "class_order is"),
        ({"class_order": {"c0", "c1"}}, "class_order is {.*}: expected a list of the classes c0, c1"),
        ({"class_order": 2}, "class_order is 2: expected a list of the classes"),
        ({"monotone": {"a1": 1, 0: -1}}, "`monotone` names attribute 'a1' twice"),
        ({"attribute_costs": {"a1": 1, 0: 2}}, "`attribute_costs` names attribute 'a1' twice"),
        ({"forbidden": [35]}, "`forbidden` names 35, .* such as a1, a2, a3, or a position from 0 to 2"),
        (
            {"attribute_costs": {"a1": 1e101}},
            r"has 1e\+101 for attribute 'a1': expected a finite number from 0 to 1e\+100",
        ),
        ({"misclassification_costs": [[0, 1e308], [1, 0]]}, r"are 1e\+308 for class 'c0' .* from 0 to 1e\+100"),
        (
            {"misclassification_costs": [[0, 1e-320], [0, 0]]},
            "the sum of the weights is 6, and the greatest cost is 9.* Multiply or",
        ),
        (
            {"attribute_costs": {"a1": -1}},
            "`attribute_costs` has -1 for attribute 'a1': expected a finite number from 0",
        ),
        ({"attribute_costs": {"a1": float("inf")}}, "`attribute_costs` has inf"),
        ({"attribute_costs": {"a1": None}}, "`attribute_costs` has None"),
        ({"misclassification_costs": [[0, 1]]}, r"misclassification_costs have the shape \(1, 2\): expected a row"),
        ({"misclassification_costs": 3}, r"misclassification_costs have the shape \(\)"),
        ({"misclassification_costs": [[0, 1], [2]]}, "misclassification_costs are not a matrix of numbers"),
        ({"misclassification_costs": [["a", "b"], ["c", "d"]]}, "misclassification_costs are not a matrix of numbers"),
        (
            {"misclassification_costs": [[0, -1], [1, 0]]},
            "are -1 for class 'c0' in a leaf of class 'c1': expected a fin",
        ),
        ({"misclassification_costs": [[0, 10**400], [1, 0]]}, "misclassification_costs are not a matrix of numbers"),
        (
            {"misclassification_costs": pd.DataFrame([[0, 1], [2, 0]], ["c1", "c2"], ["c1", "c0"])},
            r"costs name the rows \['c1', 'c2'\] and the columns .*: expected each of the classes c0, c1 once",
        ),
        ({"misclassification_costs": [[0, np.nan], [1, 0]]}, "are nan for class 'c0'"),
        (
            {"misclassification_costs": [[0, 1], [1, 2]]},
            "are 2 for class 'c1' in a leaf of class 'c1': expected 0, because",
        ),
    ],
)
def test_conditions_that_no_tree_can_meet_are_reported_before_the_search(
    conditions: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search.ConditionedSearch, "best", None)
    with pytest.raises(ParameterError, match=message):
        solve_under(ROWS, Conditions(**conditions))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"max_depth": 0}, "`required` names attribute 'a1', but the tree can have no split"),
        ({"max_splits": 0}, "`required` names attribute 'a1', but the tree can have no split"),
        ({"max_splits": 1}, "`required` names 2 attributes, but the tree can have at most 1 split:"),
        ({"max_depth": 1}, "`required` names 2 attributes, but the tree can have at most 1 split:"),
        (
            {"min_samples_leaf": 4},
            "`required` names attribute 'a1', but each test of it has a branch of fewer than 4 rows",
        ),
    ],
)
def test_required_attributes_need_splits(
    changed: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search.ConditionedSearch, "best", None)
    with pytest.raises(ParameterError, match=message):
        solve_under(replace(ROWS, **changed), Conditions(required=["a1", "a2"]))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"forbidden": "a1"}, "`forbidden` is 'a1': expected a list of names or positions of attributes"),
        ({"required": 1}, "`required` is 1: expected a list"),
        ({"order": {"a1": 1}}, "`order` is .* expected a list"),
        ({"order": {"a1", "a2"}}, "`order` is .* expected a list"),
        ({"once": (name for name in ["a1"])}, "`once` is .* expected a list"),
        ({"max_attributes": -1}, "max_attributes is -1: expected a whole number of 0 or more, or None"),
        ({"max_attributes": True}, "max_attributes is True"),
        ({"monotone": ["a1"]}, r"`monotone` is \['a1'\]: expected a dict from attributes to 1 or -1"),
        ({"attribute_costs": 3}, "`attribute_costs` is 3: expected a dict from attributes to their costs"),
    ],
)
def test_a_wrong_type_is_an_error_at_once(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Conditions(**wrong)


def test_conditions_that_no_tree_meets_are_reported_after_the_search() -> None:
    rows = data_set_of([[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0]], [0, 1, 0, 1], [True, True])
    with pytest.raises(ParameterError, match=r"no tree for 4 rows meets Conditions\(required=\[0, 1\]\)"):
        solve_under(Instance(rows, np.ones(4)), Conditions(required=[0, 1]))


def test_the_estimator_gives_the_price_and_predicts_the_class_of_least_cost() -> None:
    plain = OCTClassifier(max_depth=2).fit(IRIS, SPECIES)
    assert plain.price_of_conditions_ is None
    model = clone(OCTClassifier(max_depth=2, conditions=Conditions(forbidden=[2, 3]))).fit(IRIS, SPECIES)
    price = model.price_of_conditions_
    assert price == (model.solution_.objective, plain.solution_.objective, True)
    without_petals = OCTClassifier(max_depth=2).fit(IRIS[:, :2], SPECIES).solution_.errors
    assert price.difference == pytest.approx((without_petals - plain.solution_.errors) / 100)
    careful = OCTClassifier(
        max_depth=1, conditions=Conditions(misclassification_costs=[[0, 1, 1], [1, 0, 1], [9, 9, 0]])
    )
    careful.fit(IRIS, SPECIES)
    assert (careful.predict(IRIS)[SPECIES == 2] == 2).all()
    wrong = careful.predict(IRIS) != SPECIES
    assert careful.price_of_conditions_.with_conditions == careful.solution_.errors / 100 == wrong.sum() / 100
    assert careful.fit(IRIS, SPECIES).set_params(conditions=None).fit(IRIS, SPECIES).price_of_conditions_ is None


def test_a_required_number_may_be_tested_where_no_row_lacks_it() -> None:
    rows = [[0, np.nan], [0, 1], [0, 2], [1, 1], [1, 1], [1, 2], [1, 2]]
    model = OCTClassifier(max_depth=2, min_samples_leaf=2, missing="own_branch", conditions={"required": [1]})
    assert model.fit(rows, [0, 0, 0, 0, 0, 1, 1]).solution_.splits == 2


def test_costs_in_a_frame_are_those_of_the_classes_that_it_names() -> None:
    rows, classes = [[1], [2], [3], [4], [5], [6]], ["ill", "well", "well", "ill", "well", "well"]
    costs = pd.DataFrame([[0, 5], [1, 0]], index=["ill", "well"], columns=["ill", "well"])
    by_name = costs.loc[["well", "ill"]]
    models = [
        OCTClassifier(max_depth=1, conditions=Conditions(misclassification_costs=given)).fit(rows, classes)
        for given in (
            costs,
            by_name,
            by_name.T.loc[["ill", "well"]].T,
            costs.to_numpy(),
            pd.DataFrame(costs.to_numpy()),
        )
    ]
    assert len({(model.solution_.objective, model.export_text()) for model in models}) == 1


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        (pa.table({"well": [0, 5], "ill": [1, 0]}), r"columns \['well', 'ill'\], and no rows: expected .* ill, well"),
        (pa.table({"Ill": [0, 5], "Well": [1, 0]}), r"columns \['Ill', 'Well'\], and no rows: expected .* ill, well"),
        (np.ma.array([[0, 5], [1, 0]], mask=[[0, 1], [0, 0]]), "nan for class 'ill' in a leaf of class 'well'"),
    ],
)
def test_costs_of_other_columns_or_without_a_value_are_refused(costs: Any, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        OCTClassifier(conditions=Conditions(misclassification_costs=costs)).fit([[1], [2]], ["ill", "well"])


RISKS = ["low", "mid", "high", "none"]
RISK = pd.Categorical(["low", "high", "mid"], RISKS, ordered=True)
ARROW_RISK = pa.DictionaryArray.from_arrays([0, 2, 1], RISKS, ordered=True)


class ArrowSeries:
    """A column of a library such as polars, whose Enum is an ordered dictionary of Arrow."""

    shape = (3,)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The column as Arrow reads it."""
        return pa.chunked_array([ARROW_RISK]).__arrow_c_stream__(requested_schema)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """The column as numpy reads it."""
        return np.array(list(RISK), dtype)


@pytest.mark.parametrize(
    "risk",
    [
        RISK,
        pd.Series(RISK),
        pd.DataFrame({"risk": RISK}),
        pd.Series(ARROW_RISK, dtype=pd.ArrowDtype(ARROW_RISK.type)),
        ARROW_RISK,
        pa.chunked_array([ARROW_RISK[:1], ARROW_RISK[1:]]),
        ArrowSeries(),
    ],
    ids=lambda risk: type(risk).__name__,
)
@pytest.mark.filterwarnings("ignore:A column-vector y was passed")
def test_a_monotone_condition_does_not_ignore_the_order_of_a_category(risk: Any) -> None:
    model = OCTClassifier(conditions={"monotone": {0: 1}})
    with pytest.raises(ParameterError, match=r"order high, low, mid, but .*class_order=\['low', 'mid', 'high'\]"):
        model.fit([[1], [3], [2]], risk)
    model.set_params(conditions={"monotone": {0: 1}, "class_order": ["low", "mid", "high"]}).fit([[1], [3], [2]], risk)
    assert model.solution_.errors == 0


def test_a_position_that_is_also_the_name_of_another_column_is_refused() -> None:
    rows = pd.DataFrame([[1, 2], [3, 4]], columns=[1, 2])
    with pytest.raises(ParameterError, match=r"names 1, which is the position of column '2', but .* '2' or '1'"):
        OCTClassifier(conditions={"forbidden": [1]}).fit(rows, [0, 1])
    assert OCTClassifier(conditions={"forbidden": ["1"]}).fit(rows, [0, 1]).tree_.attribute[0] == 1


def test_a_table_may_name_its_columns_in_the_order_of_the_classes_or_number_them() -> None:
    for names in (["ill", "well"], ["0", "1"], ["column_0", "column_1"]):
        costs = Conditions(misclassification_costs=pa.table([[0, 1], [5, 0]], names))
        for classes in (["ill", "well"], ["1", "2"]) if names != ["ill", "well"] else (["ill", "well"],):
            model = OCTClassifier(max_depth=0, conditions=costs).fit([[1], [2], [3]], [classes[0], *classes[1:] * 2])
            assert model.predict([[0]]) == classes[0]


def test_the_sequence_of_columns_and_of_rows_changes_nothing() -> None:
    conditions = {"once": ["f1"], "order": ["f1", "f3"], "monotone": {"f4": 1}}
    model = OCTClassifier(max_depth=2, conditions=Conditions(**conditions)).fit(IRIS, SPECIES)
    order = np.random.default_rng(0).permutation(150)
    turned = {"once": [3], "order": [3, 1], "monotone": {0: 1}}
    turned_model = OCTClassifier(max_depth=2, conditions=Conditions(**turned)).fit(IRIS[order][:, ::-1], SPECIES[order])
    assert model.solution_.objective == pytest.approx(turned_model.solution_.objective)


@pytest.mark.parametrize("taken", ["frontier", "rashomon_set"])
def test_what_takes_all_trees_refuses_conditions(taken: str) -> None:
    model = OCTClassifier(frontier=taken == "frontier", conditions=Conditions(first=0))
    with pytest.raises(ParameterError, match=rf"{taken}.* covers all trees, but conditions=Conditions\(first=0\) ex"):
        model.rashomon_set(IRIS, SPECIES) if taken == "rashomon_set" else model.fit(IRIS, SPECIES)


def test_conditions_of_another_type_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"conditions is .*: expected a Conditions, or a dict, or None"):
        OCTClassifier(conditions=[("first", 0)]).fit(IRIS, SPECIES)


@pytest.mark.parametrize(
    ("effort", "status", "parameter"),
    [
        (Effort(seconds=1e-9), Status.TIME_LIMIT, "time_limit"),
        (Effort(work=40), Status.WORK_LIMIT, "max_work"),
        (Effort(memory=20_000), Status.MEMORY_LIMIT, "memory_limit"),
    ],
)
def test_each_limit_gives_the_best_tree_so_far_and_a_bound(effort: Effort, status: Status, parameter: str) -> None:
    rows = Instance(data_set_of(list(IRIS.T), SPECIES.tolist(), [True] * 4), np.ones(150), max_depth=3)
    conditions = Conditions(order=[0, 1, 2, 3], monotone={2: 1})
    best, solution = solve_under(rows, conditions), solve_under(rows, conditions, effort)
    assert solution.status is status
    assert solution.bound <= best.objective <= solution.objective
    with pytest.raises(EffortSpentError, match=rf"its limit \({parameter}\) before it found a tree that meets Cond"):
        solve_under(rows, Conditions(required=[0, 1, 2, 3]), replace(effort, work=2) if effort.work else effort)


def test_a_limit_on_the_number_of_attributes_has_a_tree_at_any_limit() -> None:
    rows = Instance(data_set_of(list(IRIS.T), SPECIES.tolist(), [True] * 4), np.ones(150), max_depth=4)
    for work in (1, 100):
        solution = solve_under(rows, Conditions(max_attributes=1), Effort(work=work))
        assert solution.status is Status.WORK_LIMIT
        assert len(set(solution.tree.attribute[solution.tree.attribute >= 0])) <= 1
        assert (solution.splits > 0) == (work > 1)


@pytest.mark.parametrize(
    ("given", "conditions"),
    [
        ({"order": ["f2", "f1"]}, Conditions(order=["f2", "f1"])),
        ({"first": ["f2", 0.5]}, Conditions(first=("f2", 0.5))),
        ({"first": "f2", "once": [0]}, Conditions(first="f2", once=[0])),
    ],
)
def test_a_dict_has_conditions_by_name(given: dict[str, Any], conditions: Conditions) -> None:
    rows, classes = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    by_dict, by_name = (OCTClassifier(conditions=each).fit(rows, classes) for each in (given, conditions))
    assert by_dict.export_text() == by_name.export_text()
    assert by_dict.tree_.attribute[0] == 1


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("forbiden", "'forbiden': did you mean 'forbidden'"),
        (3, "3: the con"),
    ],
)
def test_a_dict_of_other_names_is_refused(given: Any, hint: str) -> None:
    with pytest.raises(ParameterError, match=f"there is no condition {hint}"):
        OCTClassifier(conditions={given: [0]}).fit([[0], [1]], [0, 1])


def test_ctrl_c_gives_the_best_tree_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def interrupted(*given: Any) -> None:
        calls.append(given)
        if len(calls) == 20:
            raise KeyboardInterrupt
        tried(*given)

    tried = node_tests.try_tests
    monkeypatch.setattr(node_tests, "try_tests", interrupted)
    rows = Instance(data_set_of(list(IRIS.T), SPECIES.tolist(), [True] * 4), np.ones(150), max_depth=3)
    solution = solve_under(rows, Conditions(once=[0, 1]))
    assert solution.status is Status.INTERRUPTED
    assert solution.bound < solution.objective < 1


def test_a_deep_tree_needs_no_deep_stack() -> None:
    """Each cut of a chain gives one side a class of its own: a path as long as there are rows."""
    rows = 600
    values, classes = np.arange(rows, dtype=float), [index % 2 for index in range(rows)]
    chain = Instance(data_set_of([values], classes, [True]), np.ones(rows), max_depth=None)
    solution = solve_under(chain, Conditions(required=[0]), Effort(work=5))
    assert solution.status is Status.WORK_LIMIT
    assert (solution.tree.kind == NodeKind.TERMINAL).sum() > 1


def test_splits_are_shared_among_many_branches_within_the_limit() -> None:
    """There are 50 million ways to share 9 splits among 26 branches, and 26 for each attribute that must be tested."""
    generator = np.random.default_rng(0)
    columns = [generator.integers(0, labels, 100).tolist() for labels in (26, 2, 3)]
    data = data_set_of(columns, generator.integers(0, 2, 100).tolist(), [False] * 3, 2)
    instance = Instance(data, np.ones(100), max_depth=3, max_splits=10)
    solution = solve_under(instance, Conditions(required=["a1", "a2"]), Effort(seconds=20))
    assert solution.status is Status.OPTIMAL
    assert 2 <= solution.splits <= 10
