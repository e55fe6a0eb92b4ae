"""Arguments of a wrong type are named, with the function that gives the right one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import orchard
from orchard import (
    COST_FUNCTIONS,
    DEPTH,
    NODES,
    C45Classifier,
    DataSet,
    DecisionTable,
    ParetoFront,
    RashomonSet,
    SubtableGraph,
    TreeSet,
    binary_attributes,
    cost_of_tree,
    costs_of_tables,
    data_set_of,
    decision_table,
    discretised,
    exact_costs,
    fewest_leaves,
    filled_with_modes,
    greedy_costs,
    greedy_tree,
    impurity_function,
    missing_as_value,
    numbers_as_values,
    pareto_front,
    reduced_error,
)

TABLE = DecisionTable.from_codes([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
COSTS = {"first": DEPTH, "second": NODES}
X, Y = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 1.0]]), np.array(["no", "yes", "no"])


@pytest.mark.parametrize(
    ("call", "result", "mend"),
    [
        (lambda: pareto_front(TABLE, DEPTH, NODES), "DecisionTable", "TreeSet.of(SubtableGraph.of(table))"),
        (lambda: pareto_front(TreeSet.of(SubtableGraph.of(TABLE)), "depth", NODES), "str", "COST_FUNCTIONS[name]"),
        (lambda: greedy_tree(X, impurity_function("sum/rt")), "ndarray", "decision_table(data_set_of(X, y))"),
        (lambda: SubtableGraph.of(X), "ndarray", "decision_table(data_set_of(X, y))"),
        (lambda: SubtableGraph.of(TABLE).minimum("depth"), "str", "COST_FUNCTIONS[name]"),
        (lambda: TreeSet.of(SubtableGraph.of(TABLE)).optimal(NODES, "depth"), "str", "COST_FUNCTIONS[name]"),
        (lambda: greedy_tree(TABLE, None), "NoneType", "impurity_function(name)"),
        (lambda: DecisionTable.from_codes([[0]], [0], labels=["a"]), "list", "Labels.numbered(values, decisions)"),
        (lambda: DecisionTable.from_labels({"a": 3}, Y), "int", "a list with a label for each row"),
        (lambda: DecisionTable.from_labels({"a": Y}, None), "NoneType", "a list with a label for each row"),
        (lambda: filled_with_modes(X), "ndarray", "data_set_of(X, y)"),
        (lambda: missing_as_value(X), "ndarray", "data_set_of(X, y)"),
        (lambda: numbers_as_values(X), "ndarray", "data_set_of(X, y)"),
        (lambda: binary_attributes(X), "ndarray", "data_set_of(X, y)"),
        (lambda: TreeSet.of(SubtableGraph.of(TABLE)).tree(0.5), "float", "interpreted as an integer"),
        (lambda: fewest_leaves(TABLE), "DecisionTable", "data_set_of(X, y)"),
        (lambda: decision_table(X), "ndarray", "data_set_of(X, y)"),
        (lambda: DecisionTable.from_labels([["a", "b"]], Y), "list", "a dict from the name of each attribute"),
        (lambda: DecisionTable.from_labels({"f": {5: "a", 3: "b"}}, Y[:2]), "f is of type dict", "a list with a label"),
        (
            lambda: DecisionTable.from_labels({"f": {"a", "b"}}, Y[:2]),
            "f is of type set",
            "a list with a label for each",
        ),
        (
            lambda: costs_of_tables([[[0]]], [[0]], values=1, n_decisions=1),
            "`codes` is of type list: expected an ndarray, which",
            "numpy.array(codes)",
        ),
        (lambda: fewest_leaves(data_set_of(X, Y), 60), "`effort` is of type int", "an Effort, which Effort("),
        (
            lambda: pareto_front(TreeSet.of(SubtableGraph.of(TABLE)), NODES, DEPTH, None),
            "limit is None",
            "a number of 0 or more",
        ),
        (lambda: TreeSet.of(SubtableGraph.of(TABLE)).within_depth(None), "`depth` is None", "a whole number of 2"),
        (lambda: TreeSet.of(SubtableGraph.of(TABLE)).within_depth(2, None), "limit is None", "a number of 0 or more"),
        (lambda: SubtableGraph.of(TABLE, None), "limit is None", "a number of 0 or more"),
        (lambda: cost_of_tree(greedy_tree(TABLE, "sum/rt"), TABLE, "depth"), "str", "COST_FUNCTIONS[name]"),
        (lambda: exact_costs(X), "ndarray", "decision_table(data_set_of(X, y))"),
        (lambda: TreeSet.of(TABLE), "DecisionTable", "SubtableGraph.of(table)"),
        (lambda: discretised(X, Y), "ndarray", "data_set_of(X, y)"),
        (lambda: C45Classifier().fit(X, Y).tree_.costs(X), "ndarray", "for rows, call `costs` of an estimator"),
        (lambda: reduced_error(C45Classifier().fit(X, Y), X, Y), "<U3", "ReducedErrorClassifier"),
    ],
)
def test_another_type_is_named_with_what_gives_the_right_one(call: Callable[[], Any], result: str, mend: str) -> None:
    with pytest.raises(TypeError) as raised:
        call()
    assert result in str(raised.value)
    assert mend in str(raised.value)


def test_an_impurity_function_goes_by_its_name() -> None:
    function = impurity_function("w_sum/gini")
    assert greedy_tree(TABLE, "w_sum/gini").costs(TABLE) == greedy_tree(TABLE, function).costs(TABLE)
    assert greedy_costs(TABLE, "w_sum/gini") == greedy_costs(TABLE, function)
    with pytest.raises(ValueError, match=r"'gini' is not an impurity function: expected one of .*w_sum/gini"):
        greedy_tree(TABLE, "gini")


@pytest.mark.parametrize(
    ("kind", "mend"),
    [
        (DataSet, "data_set_of(X, y)"),
        (DecisionTable, "DecisionTable.from_labels(columns, decisions)"),
        (RashomonSet, "OCTClassifier().rashomon_set(X, y)"),
        (ParetoFront, "pareto_front(trees, first, second)"),
        (SubtableGraph, "SubtableGraph.of(table)"),
        (TreeSet, "TreeSet.of(SubtableGraph.of(table))"),
    ],
)
def test_a_class_that_is_computed_says_by_what(kind: type[Any], mend: str) -> None:
    with pytest.raises(TypeError) as raised:
        kind(X, Y)
    assert str(raised.value).endswith(f"; call {mend} to get a {kind.__name__}")
    columns, decisions = {"a": ["u", "v"]}, Y[:2]
    table = DecisionTable.from_labels(columns, decisions)
    trees = TreeSet.of(SubtableGraph.of(table))
    given = {"columns": columns, "decisions": decisions, "table": table, "trees": trees, "X": X, "y": Y}
    made = eval(mend, {name: getattr(orchard, name) for name in orchard.__all__}, given | COSTS)
    assert type(made) is kind
    assert repr(made).startswith(f"<{kind.__name__}: ")


def test_the_command_in_a_message_works() -> None:
    table = decision_table(data_set_of([["u", True], ["u", False], ["v", True]], ["no", "yes", "no"]))
    assert greedy_tree(table, "sum/rt").costs(table).depth == 1
    assert fewest_leaves(data_set_of(X, Y)).leaves == 2
    front = pareto_front(TreeSet.of(SubtableGraph.of(TABLE)), COST_FUNCTIONS["depth"], NODES)
    assert front.points == ((2, 7),)  # exclusive or: both attributes on every path


@pytest.mark.parametrize("cells", [[1.0, 2.0], [1.0, "x"]])
def test_a_single_row_must_be_a_table_of_one_row(cells: list[float | str]) -> None:
    pd = pytest.importorskip("pandas")
    model = C45Classifier().fit(pd.DataFrame(X, columns=["a", "b"]), Y)
    with pytest.raises(ValueError, match="Expected 2D array, got 1D array instead"):
        model.predict(pd.Series(cells, ["a", "b"]))
