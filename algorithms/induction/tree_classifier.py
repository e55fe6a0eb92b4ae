"""What all estimators that grow a tree have in common: data in, a tree, predictions out."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algorithms.costs import Costs
from algorithms.data_set import DataSet
from algorithms.data_set_classifier import ProbabilisticClassifier
from algorithms.table import Labels
from algorithms.tree import DecisionTree

__all__ = ["TreeClassifier"]

Numbers = NDArray[np.float64]


class TreeClassifier(ProbabilisticClassifier):
    """An estimator that grows a tree: `_grow` is all that its subclasses add.

    tree_   : the tree that `fit` grew; it asks the attributes of `attributes_` by place
    labels_ : what its numbers stand for, as `algorithms.tree_text` reads them
    """

    @abstractmethod
    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        """The tree for a data set without missing classes and positive weights (rows,)."""

    @property
    def labels_(self) -> Labels:
        """What the numbers of the tree stand for."""
        return Labels(
            attributes=tuple(attribute.name for attribute in self.attributes_),
            values=tuple(attribute.labels for attribute in self.attributes_),
            decisions=self.classes_.tolist(),
        )

    def costs(self, X: Any, sample_weight: ArrayLike | None = None) -> Costs:  # noqa: N803
        """The costs of the tree over rows and their weights: those it was fitted to give the costs of training."""
        values = self._values(self._read(X))  # which raises NotFittedError
        return self.tree_.costs_of_rows(values, sample_weight)

    def _learn(self, data: DataSet, weights: Numbers) -> None:
        self.tree_: DecisionTree = self._grow(data, weights)

    def _values(self, data: DataSet) -> Numbers:
        """(rows, attributes): what the tree reads."""
        return data.values()

    def _decisions(self, data: DataSet) -> NDArray[np.integer[Any]]:
        return self.tree_.predict(self._values(data))

    def _distribution(self, data: DataSet) -> Numbers:
        return self.tree_.distribution(self._values(data))
