"""What builders of multiway trees over nominal attributes share: base class, input table and the resulting tree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers
from algorithms.data.data_set import DataSet
from algorithms.data.inputs import Nominal
from algorithms.estimators.estimator import estimator
from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.greedy import tree_from_parents
from algorithms.induction.nominal.score_growth import NominalGrowth, count_decisions, grow
from algorithms.induction.nominal.tally import NominalTable, NominalTally, Score
from algorithms.kernel_arrays import arrays_of
from algorithms.rounding import first_largest
from algorithms.trees.decision_tree import DecisionTree


@estimator
class NominalClassifier(TreeClassifier):
    """An estimator that treats each distinct number as a label, so that `categorical_features` has no meaning."""

    handles_numeric: ClassVar[bool] = False
    categorical_features: ClassVar[Nominal] = "auto"  # type: ignore[misc]


def tree_by_score(data: DataSet, weights: Numbers, score: Score, *, stop_at_zero_gain: bool = False) -> DecisionTree:
    """The tree in which every node tests the first attribute of least score, until no attribute is left.

    A node is terminal if all its rows have one class or all its attributes are constant; with `stop_at_zero_gain` also
    if the chosen attribute has an information gain below 1e-6 bits. Scores are equal if they differ by less than 1e-9
    times the sum of the absolute weights in `score`. Time and memory are linear in the rows.
    """
    table = nominal_table(data, weights)
    tally, growth = empty_tally(table), empty_growth(table)
    grow(table, tally, growth, score, stop_at_zero_gain)
    return tree_of(table, growth)


def nominal_table(data: DataSet, weights: Numbers) -> NominalTable:
    """The rows of a data set of nominal attributes without missing values and missing classes, and positive weights."""
    n_values = [max(1, len(attribute.labels)) for attribute in data.attributes]
    codes = np.empty((data.rows, len(n_values)), np.uint8 if max(n_values, default=1) <= 256 else np.int32)
    for index, column in enumerate(data.columns):
        codes[:, index] = column
    return NominalTable(codes, np.cumsum([0, *n_values]), np.array(data.decisions), weights, len(data.classes))


def empty_tally(table: NominalTable) -> NominalTally:
    """Buffers for counting the rows of a node."""
    return arrays_of(
        NominalTally,
        values=int(table.first_value[-1]),
        attributes=table.codes.shape[1],
        decisions=table.n_decisions,
        most=int(np.diff(table.first_value).max(initial=0)),
    )


def empty_growth(table: NominalTable) -> NominalGrowth:
    """Buffers for a tree whose root is pending."""
    rows, attributes = table.codes.shape
    waiting = min(rows, int(table.first_value[-1])) + 1  # each level tests another attribute
    growth = arrays_of(
        NominalGrowth, rows=rows, waiting=waiting, levels=min(rows, attributes) + 1, attributes=attributes
    )
    growth.rows[:], growth.counts[0] = np.arange(rows), 1
    growth.next_end[0], growth.next_parent[0] = rows, -1
    growth.candidates[0], growth.n_candidates[0] = np.arange(attributes), attributes
    return growth


def tree_of(table: NominalTable, growth: NominalGrowth) -> DecisionTree:
    """The grown tree, with the weight of each class at each node."""
    nodes = int(growth.counts[1])
    counts: NDArray[Any] = np.zeros((nodes, table.n_decisions))
    count_decisions(table, growth, counts)
    arrays = (growth.attribute[:nodes], first_largest(counts), growth.parent[:nodes], growth.code[:nodes])
    return replace(tree_from_parents(*arrays), counts=counts)
