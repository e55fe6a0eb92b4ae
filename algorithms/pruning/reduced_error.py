"""Reduced-error pruning: removes subtrees no better than a leaf on a pruning set (Alpaydin, ch. 9; Quinlan 1987)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from algorithms.array_types import unmasked
from algorithms.data.recoding import as_number
from algorithms.data.table import Labels
from algorithms.plurals import counted
from algorithms.pruning.subtrees import better_as_leaves, errors, pruned
from algorithms.rounding import EQUAL_SHARE
from algorithms.trees.decision_tree import DecisionTree
from algorithms.trees.given import tree_and_labels

__all__ = ["reduced_error"]


def reduced_error(tree: Any, values: ArrayLike, decisions: ArrayLike, weights: ArrayLike | None = None) -> DecisionTree:
    """Return the tree with subtrees replaced by leaves where that adds no errors on a pruning set.

    Pruning goes from the bottom up, so the subtree of a node is pruned before the node is considered. A node that
    becomes a leaf keeps its decision, the most common decision of its rows when the tree was grown. Among all trees
    obtained from `tree` by making nodes terminal, the result has the fewest errors on the pruning set, and the fewest
    nodes among the trees with so few errors. Subtrees that no row of the pruning set reaches become leaves.

    Parameters
    ----------
    tree : DecisionTree or fitted estimator
        The tree, or an estimator that has one as `tree_`. `values` and `decisions` must have the tree's numbers and
        codes; for labels use `ReducedErrorClassifier`.
    values : array-like of shape (rows, attributes)
        The pruning set: rows that the tree was not grown from.
    decisions : array-like of shape (rows,)
        Integers, the decisions of the tree.
    weights : array-like of shape (rows,), optional
        By default 1 for each row.

    Returns
    -------
    DecisionTree

    Raises
    ------
    TypeError
        The decisions are not integers.
    ValueError
        The arrays are of different lengths; a decision is negative, such as the code of a missing class; or `tree` is
        an estimator whose classes, or labels of an attribute, are numbers other than 0, 1, 2, …
    TreeError
        The tree cannot read the values, or a weight is negative or not finite.

    Examples
    --------
    >>> from orchard import CARTClassifier, reduced_error
    >>> fitted = CARTClassifier().fit([[0], [1], [2], [3]], [0, 1, 0, 1])
    >>> fitted.tree_.nodes, reduced_error(fitted, [[0], [3]], [1, 1]).nodes
    (7, 3)
    """
    tree, labels = tree_and_labels(tree)
    if labels is not None:
        _refuse_ambiguous_numbers(labels)
    numbers, classes_of_rows = np.asarray(unmasked(values)), np.asarray(unmasked(decisions))
    if classes_of_rows.dtype.kind not in "biu":
        raise TypeError(
            f"`decisions` has type {classes_of_rows.dtype}: expected integers, the decisions of the tree. For class "
            "names, use ReducedErrorClassifier, which keeps a share of its training rows for pruning"
        )
    weight = np.ones(len(classes_of_rows)) if weights is None else np.asarray(unmasked(weights), np.float64)
    if not len(numbers) == len(classes_of_rows) == len(weight):
        raise ValueError(
            f"the pruning set has {counted(len(numbers), 'row')}, {counted(len(classes_of_rows), 'decision')} and "
            f"{counted(len(weight), 'weight')}: "
            "expected one decision and one weight for each row"
        )
    least = classes_of_rows.min(initial=0)
    if classes_of_rows.ndim != 1 or least < 0:
        raise ValueError(
            f"`decisions` has shape {classes_of_rows.shape} and the smallest value {least}: "
            "expected shape (rows,) and values of 0 or more; leave out rows without a class"
        )
    other = int(tree.decision.max()) + 1  # of rows whose class no node has
    classes, classes_of_rows = other + 1, np.minimum(classes_of_rows, np.int64(other))
    ending = np.zeros((tree.nodes, classes))
    for decision in range(classes):
        of_decision = classes_of_rows == decision
        ending[:, decision] = tree.weight_ending(numbers[of_decision], weight[of_decision])
    reaching = tree.sums_over_subtrees(ending)
    as_leaf = errors(tree, reaching)
    return pruned(tree, better_as_leaves(tree, as_leaf, errors(tree, ending), EQUAL_SHARE * as_leaf))


def _refuse_ambiguous_numbers(labels: Labels) -> None:
    """Raise ValueError if numbers that are labels of an estimator could be mistaken for codes."""
    classes = [label for label in labels.decisions if isinstance(label, Real)]
    named: list[tuple[str, str, Sequence[Hashable]]] = [("the classes", "decisions", classes)]
    named += [
        (f"the labels of attribute {name!r}", "values", values)
        for name, values in zip(labels.attributes, labels.values, strict=True)
    ]
    for what, argument, names in named:
        numbers = [as_number(str(name)) for name in names]
        if numbers != list(range(len(numbers))) and not any(isinstance(number, str) for number in numbers):
            raise ValueError(
                f"{what} of the estimator are {', '.join(map(str, names[:9]))}, so `{argument}` could have these "
                "numbers or their codes 0, 1, …: pass codes, and the estimator's `tree_` in place of the estimator"
            )
