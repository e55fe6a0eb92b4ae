"""The objective of a tree on the rows of an instance, if the instance allows the tree."""

from __future__ import annotations

import math
from itertools import zip_longest
from typing import Any

import numpy as np

from algorithms.array_types import Rows
from algorithms.data.data_set import Attribute, AttributeKind, DataSet
from algorithms.optimal.instance import Instance
from algorithms.optimal.majority_rule import majority_errors
from algorithms.optimal.rashomon.bit_tests import has_two_sides
from algorithms.options import ParameterError
from algorithms.rounding import EQUAL_RATIO
from algorithms.trees.arrays import NodeKind
from algorithms.trees.decision_tree import DecisionTree


def tree_of_rows(given: Any, data: DataSet) -> Any:
    """The tree of a fitted estimator; anything else as given.

    Raises ParameterError if the estimator has other attributes, labels or classes than the rows.
    """
    if not isinstance(getattr(given, "tree_", None), DecisionTree):
        return given
    classes = [str(label) for label in given.classes_.tolist()]
    for what, ours, theirs in (
        ("attribute", map(_described, given.attributes_), map(_described, data.attributes)),
        ("class", classes, data.classes),
    ):
        for number, (found, expected) in enumerate(zip_longest(ours, theirs, fillvalue="absent"), start=1):
            if found != expected:
                raise ParameterError(
                    f"{what} {number} of the estimator is {found}, but {what} {number} of the set is {expected}: "
                    "expected an estimator with the attributes, the labels and the classes of the set, such as an "
                    "OCTClassifier that was fitted to its rows"
                )
    return given.tree_


def _described(attribute: Attribute) -> str:
    labels = f", with the labels {', '.join(attribute.labels)}" if attribute.labels else ""
    return f"{attribute.name!r} ({attribute.kind}{labels})"


def objective_of(tree: DecisionTree, instance: Instance, *, subsets: bool) -> float:
    """The objective of a tree; infinite if the instance does not allow it.

    Each node must have rows, and the class of each leaf must be a most common class of its rows.
    """
    data, splits = instance.data, int((tree.kind != NodeKind.TERMINAL).sum())
    too_deep = instance.max_depth is not None and tree.depths().max() > instance.max_depth
    if too_deep or (instance.max_splits is not None and splits > instance.max_splits):
        return math.inf
    if tree.attribute.max() >= len(data.columns) or tree.counts.shape[1] != len(data.classes):
        return math.inf
    rows_of = {node: rows for node, rows in tree.rows_of_nodes(data.values()) if len(rows)}
    if len(rows_of) < tree.nodes:
        return math.inf
    errors = 0.0
    for node, rows in rows_of.items():
        if tree.kind[node] != NodeKind.TERMINAL:
            parts = [rows_of[child] for child in tree.children(node)]
            if sum(map(len, parts)) != len(rows) or not _is_allowed(tree, node, parts, instance, subsets):
                return math.inf
            continue
        of_class = np.bincount(data.decisions[rows], instance.weights[rows], len(data.classes))
        if len(rows) < instance.min_samples_leaf or of_class[tree.decision[node]] < of_class.max() * EQUAL_RATIO:
            return math.inf
        errors += majority_errors(of_class)
    return instance.objective(errors, splits, tree.nodes - splits)


def _is_allowed(tree: DecisionTree, node: int, parts: list[Rows], instance: Instance, subsets: bool) -> bool:
    """Whether the branches of a node are allowed: two sides, one for each code, or two sets of codes."""
    attribute = int(tree.attribute[node])
    numeric = instance.data.attributes[attribute].kind is AttributeKind.NUMERIC
    if numeric != (tree.kind[node] == NodeKind.BOUNDS) or len(parts) < 2:
        return False
    if numeric or (attribute in instance.data.incomplete and has_two_sides(instance, attribute)):
        return len(parts) == 2
    codes = [np.unique(instance.data.columns[attribute][rows]) for rows in parts]
    return all(len(branch_codes) == 1 for branch_codes in codes) or (subsets and len(parts) == 2)
