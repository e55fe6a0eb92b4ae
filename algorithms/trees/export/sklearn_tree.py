"""A binary tree over numbers as a fitted scikit-learn tree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from algorithms.data.table import Labels
from algorithms.trees.arrays import NO_NODE, NodeKind
from algorithms.trees.export.questions import Exported, Question, exported, exporter

FORM = "scikit-learn"

LEAF, UNDEFINED = -1, -2
"""The numbers with which scikit-learn marks the children and the attribute of a leaf."""

MOST_ROWS = np.iinfo(np.intp).max
"""The largest number of rows of a node that scikit-learn can hold; weights may add up to more."""


@exporter
def to_sklearn(tree: Any, labels: Labels | Sequence[str] | None = None, *, complete: bool = False) -> Any:
    """The tree as a fitted `sklearn.tree.DecisionTreeClassifier`.

    It predicts the labels of decisions for rows of numbers and codes, such as the rows of `DataSet.values()`.

    Parameters
    ----------
    tree, labels, complete

    Returns
    -------
    sklearn.tree.DecisionTreeClassifier
        A fitted classifier. Its probabilities are the shares of the decisions in the rows of a leaf. If the decision of
        a leaf is not the first of the leaf's most frequent decisions, this decision has probability 1.

    Raises
    ------
    ExportError
        A node tests several attributes, or does not have two branches; no bound separates its branches; a code has no
        branch; or its missing values do not follow one of the two branches.

    Notes
    -----
    scikit-learn rounds the numbers of rows to single precision before it compares them. Rows of numbers that single
    precision holds exactly, such as whole numbers up to 2**24, get the same decisions. Other numbers also get the same
    decisions, unless a bound lies between them and their rounded value. Rows must not have codes of labels that the
    tree does not know: a bound sends them to one of its branches.

    Examples
    --------
    >>> from orchard import ID3Classifier, to_sklearn
    >>> fitted = ID3Classifier().fit([["red"], ["red"], ["blue"]], ["stop", "stop", "go"])
    >>> to_sklearn(fitted).predict([[0.0], [1.0]]).tolist()
    ['go', 'stop']
    """
    from sklearn.tree import DecisionTreeClassifier

    read = exported(tree, labels, FORM, complete=complete)
    read.refuse_shares()
    splits = {question.node: _split(read, question) for question in read.questions}
    features = len(read.labels.attributes) if read.labels else max(read.attributes, default=0) + 1
    classifier = DecisionTreeClassifier()
    classifier.n_features_in_ = features
    classifier.classes_ = np.array(read.decisions)
    classifier.n_classes_ = np.int64(len(read.decisions))
    classifier.n_outputs_, classifier.max_features_ = 1, features
    classifier.tree_ = _arrays(read, splits, features)
    return classifier


def _split(read: Exported, question: Question) -> tuple[float, int, int, bool]:
    """(bound, the node up to it, the node above it, whether missing values go to the former)."""
    if question.kind == NodeKind.LINEAR:
        raise read.error(question.node, "the node tests a sum of attributes")
    known = [case for case in question.cases if case.codes or case.intervals]
    if len(known) != 2 or any(len(case.intervals) > 1 for case in known):
        reason = "a node of scikit-learn has two branches of known values, one on each side of a bound"
        raise read.error(question.node, reason)
    if question.kind == NodeKind.CODES:
        low, high = sorted(known, key=lambda case: case.codes)
        values = read.values(question.attribute)
        if values is None or {*low.codes, *high.codes} != set(range(len(values))):
            raise read.error(question.node, "rows may have values for which the node has no branch")
        if max(low.codes) > min(high.codes):
            raise read.error(question.node, "no bound separates the codes of the two branches")
        bound = (max(low.codes) + min(high.codes)) / 2
    else:
        low, high = sorted(known, key=lambda case: case.intervals[-1][1])
        bound = low.intervals[-1][1]
    targets = [case.to for case in question.cases if case.missing]
    if targets and targets[0] not in {low.to, high.to}:
        fate = "stays at the node, whose decision is the answer" if targets[0] == NO_NODE else "has a branch of its own"
        raise read.error(question.node, f"a missing value {fate}", complete=True)
    return bound, low.to, high.to, targets == [low.to]


def _arrays(read: Exported, splits: dict[int, tuple[float, int, int, bool]], features: int) -> Any:
    """The nodes in scikit-learn's own class, in its order: every left branch after its node."""
    from sklearn.tree._tree import NODE_DTYPE, Tree

    order, waiting = [], [(0, 0)]
    while waiting:
        node, depth = waiting.pop()
        order.append((node, depth))
        if node in splits:
            _, low, high, _ = splits[node]
            waiting += [(high, depth + 1), (low, depth + 1)]
    index = {node: position for position, (node, _) in enumerate(order)}
    nodes = np.zeros(len(order), NODE_DTYPE)
    values = np.zeros((len(order), 1, len(read.decisions)))
    for node, position in index.items():
        record, values[position, 0] = nodes[position], _shares(read, node)
        weight = float(read.tree.counts[node].sum()) if read.tree.counts.size else 0.0
        record["impurity"] = 1 - (values[position, 0] ** 2).sum()
        record["n_node_samples"], record["weighted_n_node_samples"] = min(math.ceil(weight), MOST_ROWS), weight
        record["left_child"] = record["right_child"] = LEAF
        record["feature"] = record["threshold"] = UNDEFINED
        if node in splits:
            bound, low, high, missing_low = splits[node]
            record["left_child"], record["right_child"] = index[low], index[high]
            record["feature"], record["threshold"] = read.tree.attribute[node], bound
            record["missing_go_to_left"] = missing_low
    grown = Tree(features, np.array([len(read.decisions)], np.intp), 1)
    depth = max(depth for _, depth in order)
    grown.__setstate__({"max_depth": depth, "node_count": len(order), "nodes": nodes, "values": values})
    return grown


def _shares(read: Exported, node: int) -> Any:
    """The share of each decision at a node, with the node's decision first of the largest."""
    answers, decision = np.zeros(len(read.decisions)), int(read.tree.decision[node])
    answers[: read.answers.shape[1]] = read.answers[node]
    return answers if answers.argmax() == decision else np.arange(len(answers)) == decision
