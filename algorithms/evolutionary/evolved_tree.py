"""What estimators whose trees evolve have in common: how they read their rows."""

from __future__ import annotations

from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from algorithms.attributes.one_hot import filled, usual_values
from algorithms.data_set import DataSet
from algorithms.evolutionary.training_rows import CodedRows, LeafLabels, NominalTests
from algorithms.induction.tree_classifier import TreeClassifier
from algorithms.options import Choice, Constraints, Whole

__all__ = ["EvolvedTreeClassifier", "MissingValues"]

Numbers = NDArray[np.float64]

MissingValues = Literal["refuse", "fill"]
"""Missing values are an error, or become the mean or the most common label of the training rows."""

SEEDS = 1 << 64


class EvolvedTreeClassifier(TreeClassifier):
    """An estimator whose tree evolves; subclasses have these options of their `__init__`.

    nominal_tests : how nominal attributes are asked
    missing       : what becomes of missing values
    random_state  : whole number from 0, which all draws are a function of
    """

    _parameter_constraints: ClassVar[Constraints] = TreeClassifier._parameter_constraints | {
        "nominal_tests": [Choice(get_args(NominalTests))],
        "missing": [Choice(get_args(MissingValues))],
        "random_state": [Whole(0, SEEDS - 1)],
    }

    nominal_tests: NominalTests
    missing: MissingValues
    random_state: int
    _filling: tuple[float, ...]

    @property
    def handles_missing(self) -> bool:  # type: ignore[override]
        """Whether missing values are filled."""
        return self.missing == "fill"

    def _coded(self, data: DataSet, weights: Numbers, leaf_labels: LeafLabels) -> CodedRows:
        """The training rows, filled if that is wanted."""
        self._filling = usual_values(data, weights)  # in any case, for `missing` may be set before predictions
        if self.missing == "fill":
            data = filled(data, self._filling)
        return CodedRows.of(data, weights, self.nominal_tests, leaf_labels)

    def _check_evolvable(self, coded: CodedRows) -> None:
        """Raise ValueError where there is nothing to evolve; the message says why."""
        if not coded.settled:
            return
        rows, name = coded.data.rows, type(self).__name__
        told = "there is one row, of one class" if rows == 1 else f"all {rows:,} rows are of one class"
        if len(coded.classes) > 1:
            told = f"none of the {len(coded.data.attributes)} attributes has two values in the {rows:,} rows"
        msg = f"{told}: {name} has nothing to evolve. Give rows of two classes or more, and an attribute that varies"
        raise ValueError(msg)

    def _values(self, data: DataSet) -> Numbers:
        return super()._values(filled(data, self._filling) if self.missing == "fill" else data)
