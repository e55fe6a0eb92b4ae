"""ID3 and the unpruned gain-ratio tree (Quinlan 1986), as Ben-Gal et al. 2014 compare them with DID."""

from __future__ import annotations

from algorithms.array_types import Numbers
from algorithms.data.data_set import DataSet
from algorithms.estimators.estimator import estimator
from algorithms.induction.nominal.nominal_growth import NominalClassifier, tree_by_score
from algorithms.induction.nominal.tally import Distance, Score
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["GainRatioClassifier", "ID3Classifier"]

INFORMATION_GAIN = Score(Distance.CONDITIONAL_ENTROPY, 0.0, 1.0)
GAIN_RATIO = Score(Distance.GAIN_RATIO, 0.0, 1.0)


@estimator
class ID3Classifier(NominalClassifier):
    """ID3: each node tests the attribute of greatest information gain, the first if several gain as much.

    All attributes are nominal: each distinct number is a label. Missing values are refused. If a node has no branch
    for the label of a row, the row gets the most common class of that node.

    Parameters
    ----------
    stop_at_zero_gain : bool, default=False
        Whether a node is a leaf if no attribute gains 1e-6 bits, as in Weka's Id3. The trees of Ben-Gal et al. 2014
        split further, because an attribute without gain may have a gain in combination with a second attribute.

    Notes
    -----
    The method is that of Quinlan (1986). Weka's Id3 predicts nothing for an unknown label and counts an error. To
    compare with it, stop at zero gain, and count as an error each row whose last node (`tree_.last_nodes`) is not a
    leaf.

    References
    ----------
    - Quinlan (1986), *Induction of Decision Trees*, section 4.
    - Ben-Gal et al. (2014), *Efficient Construction of Decision Trees by the Dual Information Distance Method*,
      section 4.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import ID3Classifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ID3Classifier().fit(X, y)
    >>> model.get_n_leaves()
    64
    >>> round(model.score(X, y), 2)
    1.0
    """

    stop_at_zero_gain: bool = False

    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        return tree_by_score(data, weights, INFORMATION_GAIN, stop_at_zero_gain=self.stop_at_zero_gain)


@estimator
class GainRatioClassifier(NominalClassifier):
    """An unpruned tree: each node tests the attribute A of greatest gain ratio I(A; Y) / H(A).

    Unlike C4.5 it has no minimum leaf size, no condition on the average gain and no pruning.

    All attributes are nominal: each distinct number is a label. Missing values are refused. If a node has no branch
    for the label of a row, the row gets the most common class of that node.

    Notes
    -----
    Ben-Gal et al. 2014 measure this tree under the name C4.5. The gain ratio is due to Quinlan (1986).

    References
    ----------
    - Quinlan (1986), *Induction of Decision Trees*, section 7.
    - Ben-Gal et al. (2014), *Efficient Construction of Decision Trees by the Dual Information Distance Method*,
      section 4.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import GainRatioClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GainRatioClassifier().fit(X, y)
    >>> model.get_n_leaves()
    43
    >>> round(model.score(X, y), 2)
    1.0
    """

    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        return tree_by_score(data, weights, GAIN_RATIO)
