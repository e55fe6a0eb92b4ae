"""CART's tree within the limits of an instance. An unfinished search returns it if it is better than its own tree."""

from __future__ import annotations

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from algorithms.data.data_set import AttributeKind, DataSet
from algorithms.induction.cart import grown_tree
from algorithms.optimal.instance import Instance
from algorithms.optimal.solution import Effort, measures
from algorithms.trees.decision_tree import DecisionTree

SECONDS_OF_A_NUMBER, SECONDS_OF_A_LABEL = 2e-7, 6e-8
"""The measured seconds that CART takes for each number, and for each label, at each level of its tree."""

SECONDS_OF_A_CLASS = 1e-9
"""About the seconds more for each number and class."""

SHARE_OF_CART = 0.5
"""The largest share of a time limit that is left to CART; if it would take longer, it is left out."""


def effort_beside_cart(instance: Instance, effort: Effort) -> tuple[Effort, bool]:
    """The effort of a search before CART, and whether there is time for CART."""
    if effort.seconds is None or not _cart_splits_alike(instance.data):
        return effort, True
    numbers = sum(attribute.kind is AttributeKind.NUMERIC for attribute in instance.data.attributes)
    labels = len(instance.data.attributes) - numbers
    levels = min(10 if instance.max_depth is None else instance.max_depth, 10)
    seconds_of_a_number = SECONDS_OF_A_NUMBER + SECONDS_OF_A_CLASS * len(instance.data.classes)
    seconds_of_a_row = numbers * seconds_of_a_number + labels * SECONDS_OF_A_LABEL
    seconds = instance.data.rows * levels * seconds_of_a_row
    if seconds > SHARE_OF_CART * effort.seconds:
        return effort, False
    return effort.after(seconds), True


def cart_within(instance: Instance, tree: DecisionTree) -> DecisionTree:
    """The better of a tree and CART's within the same limits.

    CART is scikit-learn's, with Gini impurity. The given tree is returned if CART cannot make the same splits, or if
    float32 cannot hold the numbers.
    """
    data = instance.data
    if not _cart_splits_alike(data) or not fit_float32(data) or instance.max_depth == 0 or instance.max_splits == 0:
        return tree
    grower = DecisionTreeClassifier(
        max_depth=instance.max_depth,
        min_samples_leaf=instance.min_samples_leaf,
        max_leaf_nodes=None if instance.max_splits is None else instance.max_splits + 1,
        random_state=0,
    )
    grown = grown_tree(grower, data, instance.weights)
    return grown if instance.objective(*measures(grown)) < instance.objective(*measures(tree)) else tree


def _cart_splits_alike(data: DataSet) -> bool:
    """Whether CART can make the same splits: no value is missing, and no nominal attribute has more than two."""
    several = [
        index
        for index, attribute in enumerate(data.attributes)
        if attribute.kind is AttributeKind.NOMINAL and len(attribute.labels) > 2
    ]
    return not data.incomplete and all(len(np.unique(data.columns[index])) <= 2 for index in several)


def fit_float32(data: DataSet) -> bool:
    """Whether float32 holds the sum of all numbers, which scikit-learn computes first, in float32."""
    largest = float(np.finfo(np.float32).max) / max(1, data.rows * len(data.columns))
    return all(max(-column.min(initial=0), column.max(initial=0)) <= largest for column in data.columns)
