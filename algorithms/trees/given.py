"""The tree and the labels that a caller passes, in the form that functions of trees read."""

from __future__ import annotations

from typing import Any

from algorithms.table import Labels
from algorithms.trees.arrays import TreeArrays

__all__ = ["tree_and_labels"]


def tree_and_labels(given: Any, labels: Labels | None = None) -> tuple[Any, Labels | None]:
    """Return a tree, or the tree of a fitted estimator, and the labels; by default those of the estimator.

    Raises
    ------
    TypeError
        There is no tree, or the labels are not a `Labels`.
    NotFittedError
        The estimator is not fitted.
    """
    if labels is not None and not isinstance(labels, Labels):
        msg = f"labels: expected a Labels, such as the `labels_` of a fitted estimator, found {type(labels).__name__}"
        raise TypeError(msg)
    if isinstance(given, TreeArrays):
        return given, labels
    from sklearn.base import BaseEstimator  # a tree alone is read without scikit-learn
    from sklearn.utils.validation import check_is_fitted

    if isinstance(given, BaseEstimator):
        check_is_fitted(given)
    tree = getattr(given, "tree_", None)
    if not isinstance(tree, TreeArrays):
        found = type(given).__name__
        if hasattr(given, "export_text"):
            found += " (`export_text()` writes the rules of a rule list)"
        elif hasattr(given, "best_estimator_"):
            found += " (pass its `best_estimator_`)"
        elif hasattr(given, "steps"):
            found += " (pass its last step, `[-1]`; the names of the tree are those of the columns that reach it)"
        msg = f"expected a DecisionTree or a fitted estimator that has one as `tree_`, found {found}"
        raise TypeError(msg)
    return tree, given.labels_ if labels is None else labels
