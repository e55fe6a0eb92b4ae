"""CART's tree within the limits of an instance, which an unfinished search must not fall short of."""

from __future__ import annotations

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from algorithms.data_set import AttributeKind, DataSet
from algorithms.induction.cart import grown_tree
from algorithms.optimal.instance import Instance
from algorithms.optimal.solution import measures
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["better_of", "cart_within", "fit_float32", "seconds_of_cart"]

SECONDS_OF_A_VALUE = 1e-8
"""Rough time that CART takes for a value and a level, in seconds."""


def seconds_of_cart(instance: Instance) -> float:
    """An estimate of CART's time, in seconds."""
    values = instance.data.rows * len(instance.data.attributes)
    return values * min(instance.max_depth or 10, 10) * SECONDS_OF_A_VALUE


def cart_within(instance: Instance, tree: DecisionTree) -> DecisionTree:
    """The better of a tree and CART's within the same limits.

    CART is scikit-learn's with Gini impurity. The tree itself is returned if CART cannot make the same splits, since a
    nominal attribute has more than two values, or if float32 cannot hold a number.
    """
    data = instance.data
    for attribute, column in zip(data.attributes, data.columns, strict=True):
        if attribute.kind is AttributeKind.NOMINAL and len(np.unique(column)) > 2:
            return tree
    if not fit_float32(data) or instance.max_depth == 0 or instance.max_splits == 0:
        return tree
    grower = DecisionTreeClassifier(
        max_depth=instance.max_depth,
        min_samples_leaf=instance.min_samples_leaf,
        max_leaf_nodes=None if instance.max_splits is None else instance.max_splits + 1,
        random_state=0,
    )
    return better_of(instance, tree, grown_tree(grower, data, instance.weights))


def fit_float32(data: DataSet) -> bool:
    """Whether no number exceeds the largest float32, in which scikit-learn grows trees."""
    most = float(np.finfo(np.float32).max)
    return all(max(-column.min(initial=0), column.max(initial=0)) <= most for column in data.columns)


def better_of(instance: Instance, first: DecisionTree, second: DecisionTree) -> DecisionTree:
    """The tree of least objective; the first of several."""
    return second if instance.objective(*measures(second)) < instance.objective(*measures(first)) else first
