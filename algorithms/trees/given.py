"""The tree and the labels that a caller passes, in the form that functions of trees read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from algorithms.data.table import Labels
from algorithms.plurals import counted
from algorithms.trees.arrays import NO_ATTRIBUTE, NodeKind, TreeArrays


def tree_and_labels(given: Any, labels: Labels | Sequence[str] | None = None) -> tuple[Any, Labels | None]:
    """Return a tree, or the tree of a fitted estimator, and the labels.

    By default they are those of the estimator. A sequence of names replaces the names of its attributes. Raises
    TypeError if there is no tree, or the labels are neither a `Labels` nor names for the attributes of an estimator,
    ValueError if the names are not as many as the attributes, or a `Labels` has too few labels for the tree, and
    NotFittedError before `fit`.
    """
    given_labels, names = (labels, None) if isinstance(labels, Labels) else (None, labels)
    if names is not None and (
        isinstance(given, TreeArrays) or isinstance(names, str | Mapping) or not hasattr(names, "__getitem__")
    ):
        raise TypeError(
            f"`labels` is of type {type(names).__name__}: expected `Labels`, such as the `labels_` of a fitted "
            "estimator. For an estimator, a list with the name of each attribute is allowed, too"
        )
    if isinstance(given, TreeArrays):
        _check_labels(given, given_labels)
        return given, given_labels
    from sklearn.base import BaseEstimator  # a tree alone is read without scikit-learn
    from sklearn.utils.validation import check_is_fitted

    if isinstance(given, BaseEstimator):
        check_is_fitted(given)
    tree = getattr(given, "tree_", None)
    if not isinstance(tree, TreeArrays):
        kind = type(given).__name__
        if hasattr(given, "export_text"):
            kind += " (`export_text()` writes the rules of a rule list)"
        elif hasattr(given, "best_estimator_"):
            kind += " (pass its `best_estimator_`)"
        elif hasattr(given, "steps"):
            kind += " (pass its last step, `[-1]`; the tree names the columns that reach this step)"
        raise TypeError(f"expected a DecisionTree or a fitted estimator with the attribute `tree_`, found {kind}")
    tree_labels = given.labels_ if given_labels is None else given_labels
    if names is None:
        _check_labels(tree, given_labels)
        return tree, tree_labels
    if len(names) != len(tree_labels.attributes):
        expected = counted(len(tree_labels.attributes), "attribute")
        raise ValueError(
            f"`labels` has {counted(len(names), 'name')} for {expected}: expected one name for each attribute"
        )
    return tree, replace(tree_labels, attributes=tuple(map(str, names)))


def _check_labels(tree: TreeArrays, labels: Labels | None) -> None:
    """Raise ValueError if labels that a caller gives lack those of an attribute, a value or a decision of the tree."""
    if labels is None:
        return
    coded = tree.kind == NodeKind.CODES
    tested = coded | (tree.kind == NodeKind.BOUNDS)
    of_edges = np.repeat(np.where(coded, tree.attribute, NO_ATTRIBUTE), np.diff(tree.edges))
    attributes = max(int(tree.attribute[tested].max(initial=NO_ATTRIBUTE)) + 1, tree.coefficients.shape[1])
    decisions = max(int(tree.decision.max()) + 1, tree.counts.shape[1])
    sizes = [
        ("attribute", "", attributes, min(len(labels.attributes), len(labels.values))),
        ("decision", "", decisions, len(labels.decisions)),
    ]
    for index in np.unique(tree.attribute[coded]).tolist() if attributes <= sizes[0][-1] else ():
        values = int(tree.edge_code[of_edges == index].max()) + 1
        sizes.append(("value", f" of {labels.attributes[index]!r}", values, len(labels.values[index])))
    for what, of, needed, found in sizes:
        if found < needed:
            given = f"`labels` has {counted(found, what)}{of}, but the tree needs at least {needed}"
            raise ValueError(f"{given}: expected the labels of the table or estimator that the tree was built from")
