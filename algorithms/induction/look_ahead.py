"""Look-ahead of any depth (Ben-Gal et al. 2014, "Look-ahead trees": O(m n^K) for m rows, n attributes and K steps)."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from algorithms.array_types import Numbers
from algorithms.data.data_set import DataSet
from algorithms.estimators.estimator import estimator
from algorithms.induction.nominal.nominal_growth import NominalClassifier
from algorithms.induction.nominal.nominal_search import DEFAULT_LIMIT, searched_tree
from algorithms.induction.nominal.subtable_search import LookAheadRule
from algorithms.induction.nominal.tally import Distance, Score
from algorithms.options import Whole
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["Estimate", "LookAheadClassifier"]

Estimate = Literal["impurity", "path_length"]

UNSCORED = Score(Distance.CONDITIONAL_ENTROPY, 0.0, 0.0)


@estimator
class LookAheadClassifier(NominalClassifier):
    """Look-ahead: each node tests the attribute at the root of the best tree of at most `depth` levels.

    All attributes are nominal: each distinct number is a label. Missing values are refused. If a node has no branch
    for the label of a row, the row gets the most common class of that node.

    Parameters
    ----------
    depth : int or None, default=2
        Number of levels K to look ahead; 1 is ID3. None: the number of attributes.
    estimate : {"impurity", "path_length"}, default="impurity"
        The quantity to minimise. "impurity": the entropy of the class that remains at the horizon of a tree of at most
        K levels. Ties go to the attribute that is better within K - 1 levels, and so on, then to the first attribute.
        "path_length": the path length up to the horizon, plus a quotient: the entropy of the rows at the horizon,
        divided by the log2 of the largest number of values of an attribute. The quotient is a lower bound on the rest
        of the path length, unless rows agree in all attributes but not in class. Ties go to the first attribute. If
        `depth` is None, this tree has the least average depth of all trees.
    limit : int, default=2**31
        Memory limit, in bytes, for the subtables stored by the search; beyond it, `fit` raises GraphTooLargeError.

    Notes
    -----
    Ben-Gal et al. 2014 compare with look-ahead trees, which take O(m n^K) time for m rows, n attributes and K levels.

    References
    ----------
    - Ben-Gal et al. (2014), *Efficient Construction of Decision Trees by the Dual Information Distance Method*,
      section 1.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import LookAheadClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LookAheadClassifier().fit(X, y)
    >>> model.get_n_leaves()
    64
    >>> round(model.score(X, y), 2)
    1.0
    """

    depth: Annotated[int, Whole(1)] | None = 2
    estimate: Estimate = "impurity"
    limit: Annotated[int, Whole(0)] = DEFAULT_LIMIT

    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        attributes = len(data.attributes)
        values = max((len(attribute.labels) for attribute in data.attributes), default=2)
        by_length = self.estimate == "path_length"
        rule = LookAheadRule(
            horizon=attributes if self.depth is None else self.depth,
            width=attributes,
            score=UNSCORED,
            level_cost=float(by_length),
            entropy_factor=1 / np.log2(max(values, 2)) if by_length else 1.0,
            resolves_ties=not by_length,
        )
        return searched_tree(data, weights, rule, self.limit)
