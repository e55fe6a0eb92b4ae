"""Pessimistic pruning as in C4.5: by the estimated errors on new rows, from the errors on the training rows."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from algorithms.array_types import Numbers
from algorithms.options import Constraint, Number, check_parameters
from algorithms.pruning.added_errors import Confidence, added_errors_of_leaf
from algorithms.pruning.subtrees import better_as_leaves, errors, known_counts, pruned, rows_that_end
from algorithms.trees.decision_tree import DecisionTree
from algorithms.trees.given import tree_and_labels

__all__ = ["CONFIDENCE", "added_errors", "pessimistic"]

CONFIDENCE: tuple[Constraint, ...] = (Number(0, 0.5, "right"),)
"""The allowed confidences."""

SLACK = 0.1 + 1e-6  # J48: a leaf may be a tenth of a row worse, and numbers within 1e-6 are equal


def pessimistic(tree: Any, confidence: float = 0.25) -> DecisionTree:
    """Return the tree with subtrees replaced by leaves where this hardly raises the pessimistic errors.

    A leaf of weight N with e errors on the training rows has e + a(N, e, confidence) pessimistic errors, where a is
    Weka's Stats.addErrs. A subtree has the sum over its leaves (and over the rows that end at its nonterminal nodes).
    From the bottom up, a subtree becomes a leaf if this adds at most 0.1 pessimistic errors. This is the subtree
    replacement of C4.5 (Quinlan 1993, chapter 4), with J48's numbers: `confidence` is Weka's option -C. J48 may also
    replace a node by its largest subtree, unless its option -S is given.

    Parameters
    ----------
    tree : DecisionTree or fitted estimator
        The tree, or an estimator that has one as `tree_`.
    confidence : float, default 0.25
        The probability that the true errors exceed the estimate: a number above 0 and at most 0.5. A smaller value
        prunes more.

    Returns
    -------
    DecisionTree

    Raises
    ------
    TreeError
        The tree has no counts.
    ValueError
        The confidence is out of range.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import CARTClassifier, pessimistic
    >>> pessimistic(CARTClassifier().fit(*load_iris(return_X_y=True)))
    <DecisionTree: 13 nodes, 7 leaves, depth 5>
    """
    tree, _ = tree_and_labels(tree)
    counts, ending = known_counts(tree), rows_that_end(tree)
    as_leaf, as_tree = (
        wrong + added_errors(rows.sum(axis=1), wrong, confidence)
        for rows, wrong in ((counts, errors(tree, counts)), (ending, errors(tree, ending)))
    )
    return pruned(tree, better_as_leaves(tree, as_leaf, as_tree, np.full(tree.nodes, SLACK)))


def added_errors(weight: ArrayLike, errors: ArrayLike, confidence: float = 0.25) -> Numbers:
    """(...,): the addition to the errors of leaves for a pessimistic estimate, as Weka's Stats.addErrs.

    For e errors in N rows it is N r - e, where r is the upper confidence limit of the error rate. For e = 0 this is
    exact, N (1 - confidence^(1/N)). Between e = 0 and 1 it is linear. From 1 on it is the normal approximation with
    continuity correction (Wilson) if e + 1/2 < N, else N - e. Weights may be fractional; without rows nothing is added.

    Raises ValueError for a confidence not above 0 or above 0.5.
    """
    check_parameters({"confidence": CONFIDENCE}, {"confidence": confidence})
    n, e = np.broadcast_arrays(np.asarray(weight, np.float64), np.asarray(errors, np.float64))
    parameters = Confidence(float(confidence), -NormalDist().inv_cdf(float(confidence)))
    pairs = zip(n.ravel().tolist(), e.ravel().tolist(), strict=True)
    added = [added_errors_of_leaf(rows, wrong, parameters) if rows > 0 else 0.0 for rows, wrong in pairs]
    return np.array(added, np.float64).reshape(n.shape)
