"""Mid-level search: several steps ahead, best attributes only (named in Ben-Gal et al. 2014, "Mid-level solutions")."""

from __future__ import annotations

from typing import Annotated

from algorithms.array_types import Numbers
from algorithms.data.data_set import DataSet
from algorithms.estimators.estimator import estimator
from algorithms.induction.did import ScoredByDID
from algorithms.induction.nominal.nominal_search import DEFAULT_LIMIT, searched_tree
from algorithms.induction.nominal.subtable_search import LookAheadRule
from algorithms.options import Whole
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["MidLevelClassifier"]


@estimator
class MidLevelClassifier(ScoredByDID):
    """The tree of least average depth among the trees that test only the best attributes by DID's score.

    All attributes are nominal: each distinct number is a label. Missing values are refused. If a node has no branch
    for the label of a row, the row gets the most common class of that node.

    Parameters
    ----------
    width : int or None, default=2
        Number of attributes tried at every subtable, in order of score. If several attributes give the same path
        length, the first of these is taken. With 1, the tree is DID's. None: all attributes are tried, which gives the
        least average depth of all trees.
    limit : int, default=2**31
        Memory limit, in bytes, for the subtables stored by the search; beyond it, `fit` raises GraphTooLargeError.

    Notes
    -----
    Ben-Gal et al. 2014 name mid-level solutions without defining them: the definition is Orchard's. DID's tree is among
    the trees searched, so the average depth is never greater than DID's. A greater width tries the same attributes and
    further attributes, so it never increases the average depth.

    References
    ----------
    - Ben-Gal et al. (2014), *Efficient Construction of Decision Trees by the Dual Information Distance Method*,
      section 5.

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

    width: Annotated[int, Whole(1)] | None = 2
    limit: Annotated[int, Whole(0)] = DEFAULT_LIMIT

    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        attributes = len(data.attributes)
        rule = LookAheadRule(
            horizon=attributes,
            width=attributes if self.width is None else self.width,
            score=self._score(),
            level_cost=1.0,
            entropy_factor=0.0,
            resolves_ties=False,
        )
        return searched_tree(data, weights, rule, self.limit)
