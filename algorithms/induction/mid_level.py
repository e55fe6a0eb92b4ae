"""Mid-level search: several steps ahead, best attributes only (named in Ben-Gal et al. 2014, "Mid-level solutions")."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from algorithms.class_weight import ClassWeight
from algorithms.data_set import DataSet
from algorithms.estimator import estimator
from algorithms.induction.did import SCORE, DistanceName, did_score
from algorithms.induction.nominal.nominal_search import DEFAULT_LIMIT, searched_tree
from algorithms.induction.nominal.subtable_search import Rule
from algorithms.induction.tree_classifier import TreeClassifier
from algorithms.options import Constraints, Whole, check_parameters
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["MidLevelClassifier", "mid_level_tree"]


def mid_level_tree(
    data: DataSet,
    weights: NDArray[np.float64] | None = None,
    *,
    width: int | None = 2,
    orthogonality_weight: float = 1.0,
    information_weight: float = 1.0,
    distance: DistanceName = "conditional_entropy",
    limit: int = DEFAULT_LIMIT,
) -> DecisionTree:
    """The tree of least average depth among those that ask only attributes DID scores best.

    data    : nominal attributes, no missing values; rows without a class are left out
    weights : (rows,) of the rows, default 1 each
    width   : how many attributes of least score are tried at every subtable, in that order, the first of equal path
              length taken. 1 is DID; None is all attributes, and the least average depth of all trees.
    orthogonality_weight, information_weight, distance : those of `algorithms.induction.did.did_tree`
    limit   : bytes that the subtables found on the way may take

    DID's tree is among them, so that the average depth is never above its. A greater width can do no worse, either: it
    tries the same attributes and more. The definition is ours, for the deck has none.

    Raises
    ------
    DataSetError
        An attribute is numeric or has missing values.
    GraphTooLargeError
        More than `limit` bytes would be needed.
    ValueError
        The width is below 1, a weight below 0, or there is no such distance.
    """
    check_parameters(MidLevelClassifier._parameter_constraints, {"width": width, "limit": limit})
    attributes = len(data.attributes)
    rule = Rule(
        horizon=attributes,
        width=attributes if width is None else min(width, attributes),
        score=did_score(orthogonality_weight, information_weight, distance),
        step=1.0,
        estimate=0.0,
        shorter=False,
    )
    return searched_tree(data, weights, rule, limit)


@estimator
class MidLevelClassifier(TreeClassifier):
    """The tree of least average depth among those that test only attributes that DID scores best.

    All attributes are nominal: each distinct number is a label. Missing values are refused. A row with a label that no
    training row had at the node that it reaches gets the most common class of that node.

    Parameters
    ----------
    width : int or None, default=2
        How many attributes of least score are tried at every subtable. 1 is DID; None is all attributes, which gives
        the least average depth of all trees. Allowed: a whole number from 1.
    orthogonality_weight : float, default=1.0
        The weight w1 of the orthogonality d1. Allowed: a number from 0 to 1e+100.
    information_weight : float, default=1.0
        The weight w2 of the distance d2. Allowed: a number from 0 to 1e+100.
    distance : {"conditional_entropy", "rokhlin", "mantaras"}, default="conditional_entropy"
        The distance d2 of the partition of a node's rows by an attribute A from that by the class Y: H(Y | A),
        Rokhlin's H(Y | A) + H(A | Y), or Mantaras' 1 - I(A; Y) / H(A, Y).
    limit : int, default=2**31
        Bytes that the subtables found on the way may take. Allowed: a whole number from 0.

    Notes
    -----
    Ben-Gal et al. 2014 name mid-level solutions and do not define them: the definition is Orchard's. DID's tree is
    among those searched, so that the average depth is never above its own.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import MidLevelClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = MidLevelClassifier().fit(X, y)
    >>> model.get_n_leaves()
    65
    >>> round(model.score(X, y), 2)
    1.0
    """

    handles_numeric: ClassVar[bool] = False
    _parameter_constraints: ClassVar[Constraints] = (
        TreeClassifier._parameter_constraints | SCORE | {"width": [Whole(1), None], "limit": [Whole(0)]}
    )

    width: int | None = 2
    orthogonality_weight: float = 1.0
    information_weight: float = 1.0
    distance: DistanceName = "conditional_entropy"
    limit: int = DEFAULT_LIMIT
    class_weight: ClassWeight = None

    def _grow(self, data: DataSet, weights: NDArray[np.float64]) -> DecisionTree:
        return mid_level_tree(
            data,
            weights,
            width=self.width,
            orthogonality_weight=self.orthogonality_weight,
            information_weight=self.information_weight,
            distance=self.distance,
            limit=self.limit,
        )
