"""Dual Information Distance (Ben-Gal et al. 2014, "The Proposed DID Algorithm")."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from algorithms.class_weight import ClassWeight
from algorithms.data_set import DataSet
from algorithms.estimator import estimator
from algorithms.induction.nominal.nominal_growth import grown_tree, nominal_table
from algorithms.induction.nominal.tally import TIE, Distance, Score, Table
from algorithms.induction.tree_classifier import TreeClassifier
from algorithms.options import Choice, Constraints, Number, check_parameters
from algorithms.partitions import Partition, conditional_entropy, join, mantaras_distance, rokhlin_distance
from algorithms.trees.arrays import NodeKind
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["DIDClassifier", "DistanceName", "average_depth_of_search", "did_score", "did_tree"]

DistanceName = Literal["conditional_entropy", "rokhlin", "mantaras"]

MOST_WEIGHT = 1e100
"""Of an orthogonality or information weight: only their ratio matters, and scores that overflow cannot be compared."""

DISTANCES = {
    "conditional_entropy": conditional_entropy,
    "rokhlin": rokhlin_distance,
    "mantaras": mantaras_distance,
}
"""The distance of the partition by decision from that by an attribute, both on the whole table."""

SCORE: Constraints = {
    "orthogonality_weight": [Number(0, MOST_WEIGHT)],
    "information_weight": [Number(0, MOST_WEIGHT)],
    "distance": [Choice(get_args(DistanceName))],
}
"""What the parameters of DID's score may be."""


def did_tree(
    data: DataSet,
    weights: NDArray[np.float64] | None = None,
    *,
    orthogonality_weight: float = 1.0,
    information_weight: float = 1.0,
    distance: DistanceName = "conditional_entropy",
    restricted: bool = True,
) -> DecisionTree:
    """The tree of DID: every node asks the attribute A of least w1 d1 + w2 d2, the first of several.

    data    : nominal attributes, no missing values; rows without a class are left out
    weights : (rows,) of the rows, default 1 each
    orthogonality_weight, information_weight : w1 and w2, 0 or more
    distance: d2, the distance between the partitions of the node's rows by A and by the class Y: H(Y | A), Rokhlin's
              H(Y | A) + H(A | Y), or Mantaras' 1 - I(A; Y) / H(A, Y)
    restricted : partitions are those of the node's rows, on which the current one is a single block, and d1 = -H(A):
              the further from it, the more orthogonal. Else attributes are ordered once, before there is a tree
              ("preprocess"): the next is that of least w1 d1 + w2 d2 on all rows, d1 being minus Rokhlin's distance
              from the join of those before it; a node asks the first that is not constant on its rows. The deck shows
              by `restricted_partitions` that this fails.

    A node is terminal where its rows have one class or nothing is left to ask; its decision is the most common class.
    With w1 = w2 and Rokhlin's distance, and with w1 = 0 and H(Y | A), this is ID3; with w1 = 0 and Mantaras' it is the
    selection of López de Mántaras (1991).

    The deck leaves d1 open. It calls the pair of partitions at the largest Rokhlin distance most orthogonal, and its
    chain rule has the sum of H(A) large: so d1 falls as H(A) grows.

    Raises
    ------
    DataSetError
        An attribute is numeric or has missing values.
    ValueError
        A weight is below 0, or there is no such distance.
    """
    score = did_score(orthogonality_weight, information_weight, distance)
    check_parameters(DIDClassifier._parameter_constraints, {"restricted": restricted})
    if restricted:
        return grown_tree(data, weights, score)
    order = _order(nominal_table(data, weights), score, distance)
    # of equal scores the first attribute is asked, and without weights all are equal
    tree = grown_tree(data.select(order), weights, Score(Distance.CONDITIONAL_ENTROPY, 0.0, 0.0))
    place = np.array([*order, -1], np.int32)  # NO_ATTRIBUTE stays what it is
    return replace(tree, attribute=place[tree.attribute])


@estimator
class DIDClassifier(TreeClassifier):
    """Dual Information Distance: each node tests the attribute A of least w1 d1 + w2 d2.

    d1 is -H(A): the further the partition by A is from a single block, the more orthogonal it is. d2 is a distance of A
    from the class. A node is a leaf where its rows have one class or nothing is left to test.

    All attributes are nominal: each distinct number is a label. Missing values are refused. A row with a label that no
    training row had at the node that it reaches gets the most common class of that node.

    Parameters
    ----------
    orthogonality_weight : float, default=1.0
        The weight w1 of the orthogonality d1. Allowed: a number from 0 to 1e+100.
    information_weight : float, default=1.0
        The weight w2 of the distance d2. Allowed: a number from 0 to 1e+100.
    distance : {"conditional_entropy", "rokhlin", "mantaras"}, default="conditional_entropy"
        The distance d2 of the partition of a node's rows by an attribute A from that by the class Y: H(Y | A),
        Rokhlin's H(Y | A) + H(A | Y), or Mantaras' 1 - I(A; Y) / H(A, Y).
    restricted : bool, default=True
        Compute the distances on the rows of each node. If False, the attributes are ordered once, on all rows.

    Notes
    -----
    The method is that of Ben-Gal et al. 2014, who leave d1 open. With w1 = w2 and Rokhlin's distance, and with w1 = 0
    and H(Y | A), this is ID3; with w1 = 0 and Mantaras' distance it is the selection of López de Mántaras (1991).

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

    handles_numeric: ClassVar[bool] = False
    _parameter_constraints: ClassVar[Constraints] = (
        TreeClassifier._parameter_constraints | SCORE | {"restricted": [bool]}
    )

    orthogonality_weight: float = 1.0
    information_weight: float = 1.0
    distance: DistanceName = "conditional_entropy"
    restricted: bool = True
    class_weight: ClassWeight = None

    def _grow(self, data: DataSet, weights: NDArray[np.float64]) -> DecisionTree:
        return did_tree(
            data,
            weights,
            orthogonality_weight=self.orthogonality_weight,
            information_weight=self.information_weight,
            distance=self.distance,
            restricted=self.restricted,
        )


def average_depth_of_search(tree: DecisionTree, attributes: int) -> float:
    """The average depth of an unpruned tree over its training rows as Ben-Gal et al. 2014 has it, in edges.

    Its Search ends where rows have one class or no attribute is left, so that rows which agree in all attributes but
    not in class are asked every one of them. Such rows are those at a terminal node of several classes: here they
    count `attributes` deep, however early the tree stops. Else this is `tree.costs_of_rows(…).average_depth`.
    """
    terminal = tree.kind == NodeKind.TERMINAL
    contradictory = terminal & (np.count_nonzero(tree.counts, axis=1) > 1)
    depth = np.where(contradictory, attributes, tree.depths())
    weight = tree.counts.sum(axis=1)
    return float((depth * weight)[terminal].sum() / weight[0])


def did_score(orthogonality_weight: float, information_weight: float, distance: str) -> Score:
    """The score of DID; ValueError where there is no such one."""
    given = {
        "orthogonality_weight": orthogonality_weight,
        "information_weight": information_weight,
        "distance": distance,
    }
    check_parameters(SCORE, given)
    return Score(Distance[distance.upper()], float(orthogonality_weight), float(information_weight))


def _order(table: Table, score: Score, distance: str) -> list[int]:
    """The attributes in the order in which the unrestricted variant chooses them."""
    columns, weights = list(table.codes.T), table.weights
    information = [DISTANCES[distance](table.decisions, column, weights) for column in columns]
    current: Partition = np.zeros(len(weights), np.int64)
    order: list[int] = []
    left = list(range(len(columns)))
    while left:
        if conditional_entropy(table.decisions, current, weights) == 0:
            return order + left  # every block has one class: no more is asked
        scores = [
            score.information_weight * information[place]
            - score.orthogonality_weight * rokhlin_distance(current, columns[place], weights)
            for place in left
        ]
        tie = TIE * (score.orthogonality_weight + score.information_weight)
        chosen = next(place for place, found in zip(left, scores, strict=True) if found <= min(scores) + tie)
        current = join(current, columns[chosen])
        order.append(chosen)
        left.remove(chosen)
    return order
