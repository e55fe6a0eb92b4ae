"""ID3 and the unpruned gain-ratio tree (Quinlan 1986), as `001_…` sets them beside DID."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from algorithms.class_weight import ClassWeight
from algorithms.data_set import DataSet
from algorithms.induction.nominal.nominal_growth import grown_tree
from algorithms.induction.nominal.tally import Distance, Score
from algorithms.induction.tree_classifier import TreeClassifier
from algorithms.options import Constraints, check_parameters
from algorithms.tree import DecisionTree

__all__ = ["GainRatioClassifier", "ID3Classifier", "gain_ratio_tree", "id3_tree"]

INFORMATION_GAIN = Score(Distance.CONDITIONAL_ENTROPY, 0.0, 1.0)
GAIN_RATIO = Score(Distance.GAIN_RATIO, 0.0, 1.0)


def id3_tree(
    data: DataSet, weights: NDArray[np.float64] | None = None, *, stop_at_zero_gain: bool = False
) -> DecisionTree:
    """The tree of ID3: every node asks the attribute of greatest information gain, the first of several.

    data    : nominal attributes, no missing values; rows without a class are left out
    weights : (rows,) of the rows, default 1 each
    stop_at_zero_gain : a node is terminal where no attribute gains 1e-6 bits, as in Weka's Id3. The trees of `001_…` go
              on, for an attribute that tells nothing by itself may do so with the next.

    Raises DataSetError where an attribute is numeric or has missing values.
    """
    check_parameters(ID3Classifier._parameter_constraints, {"stop_at_zero_gain": stop_at_zero_gain})
    return grown_tree(data, weights, INFORMATION_GAIN, stop_at_zero_gain=stop_at_zero_gain)


def gain_ratio_tree(data: DataSet, weights: NDArray[np.float64] | None = None) -> DecisionTree:
    """As `id3_tree`, by greatest gain ratio I(A; Y) / H(A): the unpruned tree that `001_…` measured as C4.5.

    There is no minimum leaf, no guard by the average gain and no pruning; C4.5 has them all.
    """
    return grown_tree(data, weights, GAIN_RATIO)


class ID3Classifier(TreeClassifier):
    """ID3 as a scikit-learn estimator: `id3_tree` of nominal attributes; each distinct number is a value of its own.

    stop_at_zero_gain : whether a node is terminal where no attribute gains anything

    A row with a value that no training row had at the node it comes to gets that node's most common class. Weka's Id3
    predicts nothing there and counts an error: to compare with it, stop at zero gain, and count as wrong all rows whose
    `tree_.last_nodes` are not terminal.
    """

    handles_numeric: ClassVar[bool] = False
    _parameter_constraints: ClassVar[Constraints] = TreeClassifier._parameter_constraints | {
        "stop_at_zero_gain": [bool]
    }

    def __init__(self, *, stop_at_zero_gain: bool = False, class_weight: ClassWeight = None) -> None:
        self.stop_at_zero_gain = stop_at_zero_gain
        self.class_weight = class_weight

    def _grow(self, data: DataSet, weights: NDArray[np.float64]) -> DecisionTree:
        return id3_tree(data, weights, stop_at_zero_gain=self.stop_at_zero_gain)


class GainRatioClassifier(TreeClassifier):
    """The unpruned gain-ratio tree as a scikit-learn estimator: `gain_ratio_tree` of nominal attributes.

    Each distinct number is a value of its own.
    """

    handles_numeric: ClassVar[bool] = False

    def __init__(self, *, class_weight: ClassWeight = None) -> None:
        self.class_weight = class_weight

    def _grow(self, data: DataSet, weights: NDArray[np.float64]) -> DecisionTree:
        return gain_ratio_tree(data, weights)
