"""Estimators whose trees evolve: how they read rows."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Literal

from algorithms.array_types import Numbers
from algorithms.data.attributes.one_hot import filled, usual_values
from algorithms.data.data_set import DataSet
from algorithms.estimators.estimator import estimator
from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.evolutionary.generations import MOST_DEPTH
from algorithms.evolutionary.training_rows import LeafLabels, NominalTests, TrainingRows
from algorithms.options import MOST_WHOLE, Number, Whole

MissingValues = Literal["refuse", "fill"]
"""Missing values are refused, or filled with the mean or the most common label of the training rows."""

SEEDS = 1 << 64


@estimator
class EvolvedTreeClassifier(TreeClassifier):
    """An estimator whose tree evolves.

    Parameters
    ----------
    max_depth : int, default=8
        Maximum depth of any tree, in edges.
    split_probability : float, default=0.7
        Probability that a node of the first trees, other than the root, is split (P_split).
    nominal_tests : {"integers", "labels"}, default="integers"
        "integers", as in the paper: labels in their order are cut like numbers; "labels": one label against all others.
    missing : {"refuse", "fill"}, default="refuse"
        "refuse": a missing value is an error. "fill": missing numbers are replaced by the mean of the training rows,
        missing labels by the most common label.
    random_state : int, default=0
        Seed; the same seed gives the same tree on any machine.
    """

    max_depth: Annotated[int, Whole(1, MOST_DEPTH)] = 8
    individuals: Annotated[int, Whole(1, MOST_WHOLE)] = 400
    generations: Annotated[int, Whole(0, MOST_WHOLE)] = 500
    patience: Annotated[int, Whole(1, MOST_WHOLE)] = 100
    crossover_share: Annotated[float, Number(0, 1)] = 0.6
    split_probability: Annotated[float, Number(0, 1)] = 0.7
    nominal_tests: NominalTests = "integers"
    missing: MissingValues = "refuse"
    random_state: Annotated[int, Whole(0, SEEDS - 1)] = 0

    _filling: tuple[float, ...] = field(init=False)

    @property
    def handles_missing(self) -> bool:  # type: ignore[override]
        """Whether missing values are filled."""
        return self.missing == "fill"

    fills_missing = handles_missing

    def _coded(self, data: DataSet, weights: Numbers, leaf_labels: LeafLabels) -> TrainingRows:
        """The training rows, with missing values filled if wanted."""
        self._filling = usual_values(data, weights)  # in any case: `missing` may be set before predictions
        if self.missing == "fill":
            data = filled(data, self._filling)
        return TrainingRows.of(data, weights, self.nominal_tests, leaf_labels)

    def _check_evolvable(self, coded: TrainingRows) -> None:
        """Raise ValueError if nothing can evolve; the message says why."""
        if coded.can_evolve:
            return
        rows, name = coded.data.rows, type(self).__name__
        reason = "there is only one row, and only one class" if rows == 1 else f"all {rows:,} rows are of one class"
        if len(coded.classes) > 1:
            reason = f"no attribute has two values in the {rows:,} rows"
        raise ValueError(
            f"{reason}: {name} needs rows of at least two classes, and an attribute with at least two values"
        )

    def _values(self, data: DataSet) -> Numbers:
        return super()._values(filled(data, self._filling) if self.missing == "fill" else data)
