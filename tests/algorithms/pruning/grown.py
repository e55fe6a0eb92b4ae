"""Small grown trees for tests of pruning."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from algorithms.data.data_set import DataSet
from algorithms.trees.decision_tree import DecisionTree
from tests.algorithms.data_sets import data_sets
from tests.algorithms.grown_trees import generate_tree
from tests.oracles import pruned_trees


class Grown(NamedTuple):
    """A tree and the rows it was grown from."""

    tree: DecisionTree
    data: DataSet
    weights: np.ndarray

    def wrong(self, leaves: pruned_trees.Leaves) -> float:
        return pruned_trees.wrong(
            self.tree, leaves, self.data.values().tolist(), self.data.decisions.tolist(), self.weights.tolist()
        )


@st.composite
def grown(draw: Any, max_rows: int = 14, most: int = 400) -> Grown:
    """A tree of which at most so many pruned trees can be made."""
    data = draw(data_sets(max_rows=max_rows))
    weights = np.array(draw(st.lists(st.integers(1, 3), min_size=data.rows, max_size=data.rows)), float)
    tree = generate_tree(data, weights, impurity=draw(st.sampled_from(["gini", "misclassification"])))
    assume(pruned_trees.number(tree) <= most)
    return Grown(tree, data, weights)
