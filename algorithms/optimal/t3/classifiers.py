"""T2, T3 and T3C, which seek the fewest training errors of trees of two or three levels (`002_…`).

P. Auer, R. C. Holte, W. Maass: Theory and applications of agnostic PAC-learning with small decision trees, ICML 1995
(T2); C. Tjortjis, J. Keane: T3: a classification algorithm for data mining, IDEAL 2002; P. Tzirakis, C. Tjortjis: T3C:
improving a decision tree classification algorithm's interval splits on continuous attributes, Advances in Data Analysis
and Classification 11 (2017).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from algorithms.class_weight import ClassWeight
from algorithms.data_set import DataSet
from algorithms.inputs import Nominal, columns_selected
from algorithms.optimal.oct_classifier import ProvenTreeClassifier
from algorithms.optimal.solution import LIMITS, Effort, Solution
from algorithms.optimal.t3.coded_rows import CodedRows
from algorithms.optimal.t3.form import CONSTRAINTS, Form
from algorithms.optimal.t3.search import Method, solve
from algorithms.options import Choice, Columns, Constraints

__all__ = ["T2Classifier", "T3CClassifier", "T3Classifier"]

Numbers = NDArray[np.float64]
Ignored = Sequence[str] | Sequence[int]


class _ShallowTreeClassifier(ProvenTreeClassifier):
    """What the three have in common: their options, told at `T3Classifier`."""

    handles_missing = True
    _parameter_constraints: ClassVar[Constraints] = ProvenTreeClassifier._parameter_constraints | {
        "method": [Choice(get_args(Method))],
        "ignore": [Columns()],
        "max_intervals": CONSTRAINTS["max_intervals"],
        "max_branches": CONSTRAINTS["max_branches"],
        "time_limit": LIMITS["time_limit"],
        "max_work": LIMITS["max_work"],
    }

    method: Method
    ignore: Ignored
    max_intervals: int | None
    max_branches: int | None
    time_limit: float | None
    max_work: int | None
    nominal: Nominal

    @abstractmethod
    def _form(self, classes: int) -> Form:
        """The trees to choose among, where so many classes occur."""

    def _solved(self, data: DataSet, weights: Numbers) -> Solution:
        form = self._form(len(np.unique(data.decisions)))
        effort = Effort(seconds=self.time_limit, work=self.max_work)
        ignored = columns_selected("ignore", self.ignore, [attribute.name for attribute in data.attributes])
        rows = CodedRows.of(data, weights, frozenset(ignored), self.max_branches)
        return solve(data, weights, rows, form, self.method, effort)


class T3Classifier(_ShallowTreeClassifier):
    """T3: a tree of at most three levels, grown for the fewest errors on the training rows.

    A nominal attribute has a branch for each of its labels; a number has intervals; each node has one branch more, for
    values that are missing or were never seen. A branch without rows says what its parent would.

    method        : "printed", the four algorithms of the slides, or "exhaustive", the tree that really has the fewest
                    errors of all trees of the form, which two levels below a number the printed one need not have;
                    of such trees it has the fewest levels, and is the printed one where none is better
    max_depth     : edges from the root to a leaf at most; the authors' is 3, more takes much longer
    mae           : maximum acceptable error: a node whose error rate is no more is a leaf. The authors take 0 to 0.3
    ignore        : attributes that are not asked, by name or place
    max_intervals : of a number where all its branches are leaves; None for the number of classes and one. Elsewhere a
                    number has at most two
    max_branches  : branches of known values at most: a nominal attribute with more labels among the training rows is
                    not asked, and a number has no more intervals; None for no limit
    time_limit    : seconds until the best tree so far is taken; None for no limit
    max_work      : the same in units of work, a row and attribute looked at, for results that are the same everywhere
    nominal       : columns of numbers that are nominal, by name or place

    `solution_` says what is proven: an exhaustive tree is optimal among the trees of its form (with `mae`, those that
    it allows), and so is a printed one of at most two levels without `mae`, and any that has no more errors than rows
    with equal values force. Otherwise its bound is those errors. The default of `max_intervals` is not verified: it is
    how the authors' papers are remembered.
    """

    inner_intervals = 2
    _parameter_constraints: ClassVar[Constraints] = _ShallowTreeClassifier._parameter_constraints | CONSTRAINTS

    def __init__(
        self,
        *,
        method: Method = "printed",
        max_depth: int = 3,
        mae: float = 0.0,
        ignore: Ignored = (),
        max_intervals: int | None = None,
        max_branches: int | None = None,
        time_limit: float | None = None,
        max_work: int | None = None,
        class_weight: ClassWeight = None,
        nominal: Nominal = "auto",
    ) -> None:
        self.method = method
        self.max_depth = max_depth
        self.mae = mae
        self.ignore = ignore
        self.max_intervals = max_intervals
        self.max_branches = max_branches
        self.time_limit = time_limit
        self.max_work = max_work
        self.class_weight = class_weight
        self.nominal = nominal

    def _form(self, classes: int) -> Form:
        return Form.of(
            classes,
            self.inner_intervals,
            max_depth=self.max_depth,
            mae=self.mae,
            max_intervals=self.max_intervals,
            max_branches=self.max_branches,
        )


class T3CClassifier(T3Classifier):
    """T3C: as `T3Classifier`, but a number may have three intervals where not all its branches are leaves.

    With the branch for unknown values these are the four nodes that its authors split into "in some cases"; which, they
    say in a paper that was not to be had. Here it is where three intervals have fewer errors than two.
    """

    inner_intervals = 3


class T2Classifier(_ShallowTreeClassifier):
    """T2: as `T3Classifier`, of at most two levels, and without an acceptable error.

    As printed it is optimal; the exhaustive tree has as many errors, in one level where that can be.
    """

    def __init__(
        self,
        *,
        method: Method = "printed",
        ignore: Ignored = (),
        max_intervals: int | None = None,
        max_branches: int | None = None,
        time_limit: float | None = None,
        max_work: int | None = None,
        class_weight: ClassWeight = None,
        nominal: Nominal = "auto",
    ) -> None:
        self.method = method
        self.ignore = ignore
        self.max_intervals = max_intervals
        self.max_branches = max_branches
        self.time_limit = time_limit
        self.max_work = max_work
        self.class_weight = class_weight
        self.nominal = nominal

    def _form(self, classes: int) -> Form:
        return Form.of(
            classes, 2, max_depth=2, mae=0.0, max_intervals=self.max_intervals, max_branches=self.max_branches
        )
