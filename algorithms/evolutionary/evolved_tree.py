"""What estimators whose trees evolve have in common: how they read their rows."""

from __future__ import annotations

from numbers import Integral
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from algorithms.attributes.one_hot import filled, usual_values
from algorithms.data_set import DataSet
from algorithms.evolutionary.coded_rows import CodedRows, LeafLabels, NominalTests
from algorithms.induction.tree_classifier import TreeClassifier
from algorithms.options import check_choice

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

    nominal_tests: NominalTests
    missing: MissingValues
    random_state: int
    _filling: tuple[float, ...]

    @property
    def handles_missing(self) -> bool:  # type: ignore[override]
        """Whether missing values are filled."""
        return self.missing == "fill"

    def _coded(self, data: DataSet, weights: Numbers, leaf_labels: LeafLabels) -> CodedRows:
        """The training rows, filled if that is wanted; ValueError where an option is out of its range."""
        check_choice("leaf_labels", leaf_labels, get_args(LeafLabels))
        check_choice("nominal_tests", self.nominal_tests, get_args(NominalTests))
        check_choice("missing", self.missing, get_args(MissingValues))
        seed = self.random_state
        if not isinstance(seed, Integral) or isinstance(seed, bool) or not 0 <= int(seed) < SEEDS:
            msg = f"random_state is {seed!r}: expected a whole number from 0 to 2**64 - 1"
            raise ValueError(msg)
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
