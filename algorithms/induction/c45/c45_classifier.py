"""C4.5 (Quinlan, 1993) by the rules of Weka's J48 (release 8 of C4.5, as Weka 3.6 has it)."""

from __future__ import annotations

from statistics import NormalDist
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers
from algorithms.data.data_set import AttributeKind, Column, DataSet
from algorithms.estimators.estimator import estimator
from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.induction.c45.c45_tree import C45Tree
from algorithms.induction.c45.nodes import C45Nodes, TreeLayout, write_layout
from algorithms.induction.c45.numbers import SPARE, Ranks, rank, rank_whole
from algorithms.induction.c45.shares import C45Columns, TestKind
from algorithms.kernel_arrays import arrays_of
from algorithms.options import Number, Whole
from algorithms.pruning.added_errors import Confidence
from algorithms.rounding import first_largest
from algorithms.trees.arrays import ALL_BRANCHES, NO_NODE, NodeKind
from algorithms.trees.decision_tree import DecisionTree

MANY_VALUED = 0.3  # an attribute with so many labels per row is left out of the average gain
LEAST_CONFIDENCE = 1e-6  # below it 1 - confidence is 1 in single precision, or nearly
LARGEST_CONFIDENCE = 0.5


@estimator
class C45Classifier(TreeClassifier):
    """C4.5 as Weka's J48 grows and prunes it.

    A node takes the test of largest gain ratio among the tests of at least average gain. A test of a nominal attribute
    has a branch for each label of the node's rows; a test of a number has a threshold. A row with a missing value goes
    down all branches, weighted by each branch's share of the rows with known values. The gain of a numeric test is
    reduced, because its threshold was chosen. The threshold is a value of the training rows.

    Parameters
    ----------
    min_rows : int, default=2
        At least two branches of a test must have this weight (J48's -M); the others may have less, unlike with the
        `min_samples_leaf` of other estimators. A threshold needs more: each of its sides must also have at least the
        weight min(25, W / (10 k)), where W is the weight of the node's rows with a known value and k the number of
        classes.
    confidence : float, default=0.25
        Confidence of the pessimistic estimate of a leaf's errors; a smaller value gives smaller trees (-C).
    pruned : bool, default=True
        Whether to prune by the pessimistic estimate. If False (J48's -U), a subtree becomes a leaf only if this does
        not increase the training errors.
    raising : bool, default=True
        Whether pruning may replace a node by its largest subtree; False is J48's -S.
    binary : bool, default=False
        Whether a nominal test is one label against all others (-B); if False, it has a branch for each label. With
        hundreds of labels, pruning takes long unless `raising` is False.

    Notes
    -----
    The method is that of Quinlan (1993), with the details of J48 of Weka 3.6, which follows release 8 of C4.5. With all
    weights 1 the tree is J48's. With other weights the trees may differ, because two rules of J48 count rows and this
    class sums weights:

    - A nominal attribute counts in the average gain if it has fewer labels than 0.3 times the number of training rows
      (J48) or 0.3 times their weight (here).
    - J48 tests a numeric attribute at a node only if the rows with a known value number at least twice the least weight
      of a branch. Here only the weight of the branches matters.

    References
    ----------
    - Quinlan (1993), *C4.5: Programs for Machine Learning*, chapters 2 to 4.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import C45Classifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = C45Classifier().fit(X, y)
    >>> model.get_n_leaves()
    5
    >>> round(model.score(X, y), 2)
    0.98
    """

    handles_missing = True

    min_rows: Annotated[int, Whole(1)] = 2
    confidence: Annotated[float, Number(LEAST_CONFIDENCE, LARGEST_CONFIDENCE)] = 0.25
    pruned: bool = True
    raising: bool = True
    binary: bool = False

    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        columns = _columns(data, float(weights.sum()), binary=self.binary)
        tree = C45Tree(columns, weights)
        tree.grow(self.min_rows)
        if self.pruned:
            factor = np.float32(self.confidence)  # J48 keeps it in single precision
            confidence = Confidence(float(factor), NormalDist().inv_cdf(float(np.float32(1) - factor)))
            tree.prune(confidence, raising=self.raising)
        return _tree(columns, tree.nodes, tree.n_nodes)


def weka_size(tree: DecisionTree, data: DataSet) -> int:
    """The size as Weka counts it: with the empty branches of labels that no row at a node had.

    data : the training data; its attributes declare the labels
    """
    labels = np.array([len(attribute.labels) for attribute in data.attributes], np.int64)
    nominal = tree.kind == NodeKind.CODES
    return tree.nodes + int((labels[tree.attribute[nominal]] - np.diff(tree.edges)[nominal]).sum())


def _columns(data: DataSet, rows: float, *, binary: bool) -> C45Columns:
    numeric = np.array([attribute.kind is AttributeKind.NUMERIC for attribute in data.attributes], bool)
    width = np.array([len(attribute.labels) for attribute in data.attributes], np.int64)
    coded, values, first_rows = list(data.columns), [np.zeros(0)], [np.zeros(0, np.int64)]
    ranks = arrays_of(Ranks, np.empty, rows=data.rows, range=2 * data.rows + SPARE)
    for index in np.flatnonzero(numeric).tolist():
        coded[index], value, first_row = _ranked(coded[index], ranks)
        width[index] = len(value)
        values.append(value)
        first_rows.append(first_row)
    codes = np.empty((data.rows, len(width)), np.uint8 if width.max(initial=0) < 256 else np.int32)
    for index, column in enumerate(coded):
        codes[:, index] = np.where(column < 0, width[index], column)
    ordinary = numeric | (MANY_VALUED * rows - width > 1e-6)
    nominal = TestKind.ONE_CODE if binary else TestKind.EVERY_CODE
    return C45Columns(
        codes=codes,
        width=width,
        kind=np.where(numeric, TestKind.BOUND, nominal).astype(np.int64),
        averaged=ordinary | ~ordinary.any(),
        value=np.concatenate(values),
        first_row=np.concatenate(first_rows),
        first_value=np.cumsum(np.where(numeric, width, 0)) - np.where(numeric, width, 0),
        decisions=data.decisions,
        classes=len(data.classes),
    )


def _ranked(column: Column, ranks: Ranks) -> tuple[NDArray[np.int32], Numbers, NDArray[np.int64]]:
    """(each row's index among the distinct numbers, those numbers, the first row with each); -1 if missing."""
    rank_of_row = np.full(len(column), -1, np.int32)
    distinct = rank_whole(column, rank_of_row, ranks)
    if not distinct:
        order = np.argsort(column)[: len(column) - int(np.isnan(column).sum())]
        distinct = rank(column, order, rank_of_row, ranks)
    return rank_of_row, ranks.value[:distinct].copy(), ranks.first_row[:distinct].copy()


def _tree(columns: C45Columns, nodes: C45Nodes, number: int) -> DecisionTree:
    tested = nodes.attribute[:number]
    kind = np.append(columns.kind, -1)  # of leaves, whose attribute is -1
    one_code = tested[kind[tested] == TestKind.ONE_CODE]
    layout = arrays_of(TreeLayout, np.empty, nodes=number, edges=number + int(columns.width[one_code].sum()))
    reached, edges = write_layout(columns, nodes, layout)
    order = layout.order[:reached]
    attribute, counts = nodes.attribute[order], nodes.counts[order]
    inner = attribute >= 0
    numeric = kind[attribute] == TestKind.BOUND
    return DecisionTree(
        kind=np.where(inner, np.where(numeric, NodeKind.BOUNDS, NodeKind.CODES), NodeKind.TERMINAL).astype(np.uint8),
        attribute=attribute.astype(np.int32),
        decision=first_largest(counts).astype(np.int32),
        edges=layout.first[: reached + 1].copy(),
        edge_code=layout.code[:edges].copy(),
        edge_to=layout.to[:edges].copy(),
        edge_bound=layout.bound[:edges].copy(),
        unknown_to=np.where(inner, ALL_BRANCHES, NO_NODE).astype(np.int32),
        counts=counts,
    )
