"""Estimators that wrap a tree builder."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from sklearn.base import clone

from algorithms.array_types import Numbers
from algorithms.data.attributes.one_hot import filled, usual_values
from algorithms.data.data_set import DataSet
from algorithms.estimators.data_set_classifier import DataSetClassifier
from algorithms.estimators.estimator import estimator
from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.induction.generate_tree import GenerateTreeClassifier
from algorithms.induction.logistic_tree import LogisticTreeClassifier
from algorithms.options import ParameterError
from algorithms.trees.decision_tree import DecisionTree


@estimator
class AroundBuilder(DataSetClassifier):
    """An estimator that first lets a builder grow a tree.

    Parameters
    ----------
    builder : TreeClassifier or None, default=None
        The estimator that grows the tree, not fitted; None for `GenerateTreeClassifier()`. Give `categorical_features`
        and `class_weight` to the estimator around it. `LogisticTreeClassifier` is refused: its nodes test weighted sums
        of columns.
    """

    builder: TreeClassifier | None = field(default=None, kw_only=False)

    @property
    def handles_missing(self) -> bool:  # type: ignore[override]
        """Whether the builder accepts missing values."""
        return self._builder().handles_missing

    @property
    def handles_numeric(self) -> bool:  # type: ignore[override]
        """Whether the builder accepts numeric attributes."""
        return self._builder().handles_numeric

    @property
    def fills_missing(self) -> bool:  # type: ignore[override]
        """Whether the builder fills missing values. If it does, this estimator fills them instead of the builder."""
        return self._builder().fills_missing

    def _learn_all(self, data: DataSet, weights: Numbers) -> None:
        self._filling = usual_values(data, weights)
        super()._learn_all(self._filled(data), weights)

    def _read(self, X: Any) -> DataSet:  # noqa: N803
        return self._filled(super()._read(X))

    def _filled(self, data: DataSet) -> DataSet:
        return filled(data, self._filling) if self.fills_missing else data

    def _check_missing(self, data: DataSet) -> None:
        self._builder()._check_missing(data)  # whose name is then in the message

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if isinstance(self.builder, LogisticTreeClassifier):
            raise ParameterError(
                f"`builder` is {self.builder!r}, which tests weighted sums of columns: expected a builder that tests "
                "one attribute at a node"
            )
        builder = self._builder()
        builder._check_parameters()
        columns = builder.categorical_features
        for name, given in (
            ("class_weight", builder.class_weight is not None),
            ("categorical_features", not isinstance(columns, str) and len(columns) > 0),
        ):
            if given:
                raise ParameterError(
                    f"`builder` has {name}={getattr(builder, name)!r}, which would not be used: give it to "
                    f"{type(self).__name__} instead"
                )

    def _grown(self, data: DataSet, weights: Numbers) -> DecisionTree:
        """The tree that the builder grows from a data set and its weights (rows,)."""
        builder: TreeClassifier = clone(self._builder())
        return builder._grow(data, weights)

    def _builder(self) -> TreeClassifier:
        return GenerateTreeClassifier() if self.builder is None else self.builder
