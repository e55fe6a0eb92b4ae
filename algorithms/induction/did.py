"""Dual Information Distance (Ben-Gal et al. 2014, "The Proposed DID Algorithm")."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

import numpy as np

from algorithms.array_types import Numbers
from algorithms.data.data_set import DataSet
from algorithms.estimators.estimator import estimator
from algorithms.induction.nominal.nominal_growth import NominalClassifier, nominal_table, tree_by_score
from algorithms.induction.nominal.tally import TIE, Distance, NominalTable, Score
from algorithms.measures.partitions import Partition, conditional_entropy, join, mantaras_distance, rokhlin_distance
from algorithms.options import Number
from algorithms.trees.arrays import NodeKind
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["DIDClassifier", "ScoredByDID", "average_depth_of_search"]

DistanceName = Literal["conditional_entropy", "rokhlin", "mantaras"]

MOST_WEIGHT = 1e100
"""Limit of both weights: only their ratio matters, and overflowing scores cannot be compared."""

DISTANCES = {
    "conditional_entropy": conditional_entropy,
    "rokhlin": rokhlin_distance,
    "mantaras": mantaras_distance,
}
"""The distance between the partitions by decision and by an attribute, both on the whole table."""


@estimator
class ScoredByDID(NominalClassifier):
    """An estimator whose nodes test attributes A of small w1 d1 + w2 d2.

    Parameters
    ----------
    orthogonality_weight : float, default=1.0
        The weight w1 of d1. The more orthogonal an attribute is, the smaller is its d1.
    information_weight : float, default=1.0
        The weight w2 of the distance d2.
    distance : {"conditional_entropy", "rokhlin", "mantaras"}, default="conditional_entropy"
        The distance d2 between the partitions of a node's rows by an attribute A and by the class Y: H(Y | A),
        Rokhlin's H(Y | A) + H(A | Y), or Mantaras' 1 - I(A; Y) / H(A, Y).
    """

    orthogonality_weight: Annotated[float, Number(0, MOST_WEIGHT)] = 1.0
    information_weight: Annotated[float, Number(0, MOST_WEIGHT)] = 1.0
    distance: DistanceName = "conditional_entropy"

    def _score(self) -> Score:
        distance = Distance[self.distance.upper()]
        return Score(distance, float(self.orthogonality_weight), float(self.information_weight))


@estimator
class DIDClassifier(ScoredByDID):
    """Dual Information Distance: each node tests the attribute A of least w1 d1 + w2 d2.

    d1 is -H(A), the negative entropy of A: an attribute of larger entropy is more orthogonal. d2 is a distance between
    A and the class. A node is a leaf if its rows have only one class or no attribute is left to test.

    All attributes are nominal: each distinct number is a label. Missing values are refused. If a node has no branch
    for the label of a row, the row gets the most common class of that node.

    Parameters
    ----------
    restricted : bool, default=True
        Whether to compute the distances on the rows of each node. If False, the attributes are ordered once, on all
        rows: the next attribute is always the attribute of least w1 d1 + w2 d2, where d1 is the negative of Rokhlin's
        distance to the join of the partitions by the previous attributes. A node then tests the first attribute in this
        order that is not constant on its rows.

    Notes
    -----
    The method is that of Ben-Gal et al. 2014, who do not define d1. They call the pair of partitions with the largest
    Rokhlin distance most orthogonal, and their chain rule asks for a large sum of H(A): so d1 decreases with H(A). The
    tree is that of ID3 in two cases: with w1 = w2 and Rokhlin's distance, and with w1 = 0 and H(Y | A). With w1 = 0 and
    Mantaras' distance, attributes are selected as by López de Mántaras (1991).

    References
    ----------
    - Ben-Gal et al. (2014), *Efficient Construction of Decision Trees by the Dual Information Distance Method*,
      section 2.
    - López de Mántaras (1991), *A Distance-Based Attribute Selection Measure for Decision Tree Induction*.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import DIDClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = DIDClassifier().fit(X, y)
    >>> model.get_n_leaves()
    65
    >>> round(model.score(X, y), 2)
    1.0
    """

    restricted: bool = True

    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        score = self._score()
        if self.restricted:
            return tree_by_score(data, weights, score)
        order = _order(nominal_table(data, weights), score, self.distance)
        # equal scores are resolved by order; without weights all scores are equal
        tree = tree_by_score(data.select(order), weights, Score(Distance.CONDITIONAL_ENTROPY, 0.0, 0.0))
        original = np.array([*order, -1], np.int32)  # NO_ATTRIBUTE maps to itself
        return replace(tree, attribute=original[tree.attribute])


def average_depth_of_search(tree: DecisionTree, attributes: int) -> float:
    """The average depth of an unpruned tree over its training rows, as Ben-Gal et al. 2014 define it, in edges.

    Their search ends where rows have one class or no attribute is left. So it tests every attribute on rows that agree
    in all attributes but not in class. These are the rows at a terminal node of several classes. Here their depth is
    `attributes`, however early the tree stops. Otherwise this equals `tree.costs_of_rows(…).average_depth`.
    """
    terminal = tree.kind == NodeKind.TERMINAL
    contradictory = terminal & (np.count_nonzero(tree.counts, axis=1) > 1)
    depth = np.where(contradictory, attributes, tree.depths())
    weight = tree.counts.sum(axis=1)
    return float((depth * weight)[terminal].sum() / weight[0])


def _order(table: NominalTable, score: Score, distance: str) -> list[int]:
    """The attributes in the order in which the unrestricted variant chooses them."""
    columns, weights = list(table.codes.T), table.weights
    information = [DISTANCES[distance](table.decisions, column, weights) for column in columns]
    current: Partition = np.zeros(len(weights), np.int64)
    order: list[int] = []
    left = list(range(len(columns)))
    while left:
        if conditional_entropy(table.decisions, current, weights) == 0:
            return order + left  # every block has one class: no further attribute is needed
        scores = [
            score.information_weight * information[attribute]
            - score.orthogonality_weight * rokhlin_distance(current, columns[attribute], weights)
            for attribute in left
        ]
        tie = TIE * (score.orthogonality_weight + score.information_weight)
        chosen = left[int((np.array(scores) <= min(scores) + tie).argmax())]  # the first of least score
        current = join(current, columns[chosen])
        order.append(chosen)
        left.remove(chosen)
    return order
