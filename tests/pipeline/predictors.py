"""Builders for tests of the grid that compares builders: simple enough to be foretold."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.data.data_set import DataSet
from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.trees.arrays import NO_ATTRIBUTE, NodeKind
from algorithms.trees.decision_tree import DecisionTree

__all__ = [
    "EvolvingClassifier",
    "FirstAttributeClassifier",
    "PeekingClassifier",
]


class FirstAttributeClassifier(TreeClassifier):
    """Asks the code of the first attribute, and nothing more."""

    handles_missing = True
    handles_numeric = False

    def _grow(self, data: DataSet, weights: NDArray[np.float64]) -> DecisionTree:
        column = data.columns[0]
        codes = np.unique(column[column >= 0])
        counts = np.zeros((len(codes) + 1, len(data.classes)))
        np.add.at(counts[0], data.decisions, weights)
        for index, code in enumerate(codes, start=1):
            np.add.at(counts[index], data.decisions[column == code], weights[column == code])
        return DecisionTree(
            kind=np.array([NodeKind.CODES] + [NodeKind.TERMINAL] * len(codes), np.uint8),
            attribute=np.array([0] + [NO_ATTRIBUTE] * len(codes), np.int32),
            decision=counts.argmax(axis=1).astype(np.int32),
            edges=np.array([0] + [len(codes)] * (len(codes) + 1), np.int64),
            edge_code=codes.astype(np.int32),
            edge_to=np.arange(1, len(codes) + 1, dtype=np.int32),
            counts=counts,
        )


class EvolvingClassifier(FirstAttributeClassifier):
    """Says that its fitness went down by a half of it in each of three generations."""

    history_: SimpleNamespace

    def _grow(self, data: DataSet, weights: NDArray[np.float64]) -> DecisionTree:
        best = 0.5 ** np.arange(4) / data.rows
        self.history_ = SimpleNamespace(best=best, mean=best + 1)
        return super()._grow(data, weights)


class PeekingClassifier(FirstAttributeClassifier):
    """Predicts the classes that it is given, where it is given any."""

    def _decisions(self, data: DataSet) -> NDArray[np.integer[Any]]:
        return np.where(data.decisions < 0, 0, data.decisions)
