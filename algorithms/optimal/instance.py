"""The problem that an optimal classification tree solves: the rows, the allowed trees and the objective.

The objective is errors / L_hat + alpha x size. Errors are the weight of the training rows that a tree misclassifies.
L_hat are the errors of the majority rule, which is the tree without a split. The objective of this tree is 1 if alpha
counts splits. Li's slides do not define L_hat.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Integral
from typing import Literal, get_args

import numpy as np

from algorithms.array_types import Numbers
from algorithms.data.data_set import DataSet, DataSetError
from algorithms.optimal.majority_rule import majority_errors
from algorithms.options import Choice, Constraints, Number, Whole, check_parameters
from algorithms.plurals import counted

Penalty = Literal["splits", "leaves"]
"""What alpha counts: the splits, as in Li's slides, or the leaves.

A binary tree has one more leaf than splits. A node with k branches is one split and adds k - 1 leaves.
"""

MissingRule = Literal["best_side", "own_branch", "all_branches"]
"""Where a test sends the rows whose value is missing.

best_side    : all these rows go to the side that is better for them; a test may also separate them from all other rows.
               A test of an attribute with more than two labels has a branch for them
own_branch   : these rows get a separate branch
all_branches : each of these rows goes down every branch, weighted by the branch's share of the rows with known values,
               as in C4.5 (Quinlan 1993, chapter 3); the rows of a branch are the sum of these weights
"""

CONSTRAINTS: Constraints = {
    "max_depth": [Whole(0), None],
    "min_samples_leaf": [Whole(1), Number(0, 1, "neither", what="share of the rows")],
    "max_splits": [Whole(0), None],
    "alpha": [Number(0, closed="left")],
    "penalty": [Choice(get_args(Penalty))],
    "missing": [Choice(get_args(MissingRule)), None],
}
"""The allowed values of the options; a `min_samples_leaf` below 1 is a share of the rows."""


@dataclass(frozen=True, eq=False)
class Instance:
    """The problem of an optimal classification tree.

    Raises ValueError if an option is out of range, the cost of a split is infinite, or there are fewer rows than a leaf
    must have, and DataSetError if values or classes are missing.
    """

    data: DataSet  # rows without missing classes
    weights: Numbers = field(repr=False)  # (rows,) positive: an error costs the weight of its row
    max_depth: int | None = None  # edges from the root to a leaf at most
    min_samples_leaf: int = 1  # fewest training rows in a leaf, N_min; rows count, not their weights
    max_splits: int | None = None  # splits at most
    alpha: float = 0.0  # the cost of a split or a leaf, in units of the errors of the majority rule
    penalty: Penalty = "splits"  # what alpha is the cost of
    missing: MissingRule | None = None  # where tests send rows without a value; None: no row lacks one

    def __post_init__(self) -> None:
        """Check the options against the rows."""
        check_parameters(CONSTRAINTS, {name: getattr(self, name) for name in CONSTRAINTS})
        for name in ("max_depth", "min_samples_leaf", "max_splits"):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else int(value))  # numpy's integers may overflow
        if not 1 <= self.min_samples_leaf <= max(self.data.rows, 1):
            rows, least = self.data.rows, self.min_samples_leaf
            raise ValueError(f"min_samples_leaf is {least} for {counted(rows, 'row')}: expected 1 to {max(rows, 1)}")
        absent = self.data.incomplete
        if (absent and self.missing is None) or self.data.unlabelled:
            what = f"attribute {self.data.attributes[absent[0]].name!r}" if absent else "the class"
            raise DataSetError(f"{what} has missing values: fill them, or leave out the rows that have them")
        if not self.size_cost < math.inf:
            errors = f"the errors of a tree without splits are {self.baseline}"
            raise ValueError(f"alpha is {self.alpha}, and {errors}: expected their product to be below 1.8e308")

    @cached_property
    def class_weights(self) -> Numbers:
        """(classes,): the weight of the rows of each class."""
        return np.bincount(self.data.decisions, self.weights, len(self.data.classes)).astype(np.float64)

    @cached_property
    def baseline(self) -> float:
        """L_hat: the errors of the majority rule, in the unit of the weights."""
        return majority_errors(self.class_weights)

    @property
    def unit_of_objective(self) -> float:
        """The weight of errors that adds 1 to the objective: L_hat; the weight of all rows if L_hat is 0."""
        return self.baseline or float(self.weights.sum())

    @property
    def lighter(self) -> Instance:
        """The instance with no row heavier than twice L_hat: more weight of a majority row changes no errors."""
        return replace(self, weights=np.minimum(self.weights, 2 * self.baseline))

    @property
    def shares_rows(self) -> bool:
        """Whether some tests send shares of rows down all branches."""
        return self.missing == "all_branches" and len(self.data.incomplete) > 0

    @property
    def size_cost(self) -> float:
        """The cost of a split (or a leaf, by the penalty) in the unit of the errors: alpha x L_hat."""
        return self.alpha * self.baseline

    @property
    def binary(self) -> bool:
        """Whether every split has two branches."""
        return not any(len(attribute.labels) > 2 for attribute in self.data.attributes)

    @property
    def most_levels(self) -> int:
        """The greatest depth that the limits allow: each level adds a split, and a leaf of enough rows."""
        limits = (self.max_depth, self.max_splits, self.data.rows // self.min_samples_leaf - 1)
        return max(min(limit for limit in limits if limit is not None), 0)

    def objective(self, errors: float, splits: int, leaves: int) -> float:
        """The objective of a tree with these errors, splits and leaves; if L_hat is 0, errors cost nothing."""
        size = splits if self.penalty == "splits" else leaves
        return (errors / self.baseline if self.baseline else 0.0) + self.alpha * size


def fewest_rows(min_samples_leaf: float, rows: int) -> int:
    """N_min as a number of rows; a share of them is rounded up, as scikit-learn's `min_samples_leaf` is."""
    return int(min_samples_leaf) if isinstance(min_samples_leaf, Integral) else math.ceil(min_samples_leaf * rows)
