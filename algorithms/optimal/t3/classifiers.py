"""T2, T3 and T3C: the fewest training errors of trees of two or three levels (Li, *Optimal Decision Tree*).

P. Auer, R. C. Holte, W. Maass: Theory and applications of agnostic PAC-learning with small decision trees, ICML 1995
(T2); C. Tjortjis, J. Keane: T3: a classification algorithm for data mining, IDEAL 2002; P. Tzirakis, C. Tjortjis: T3C:
improving a decision tree classification algorithm's interval splits on continuous attributes, Advances in Data Analysis
and Classification 11 (2017).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Annotated

import numpy as np

from algorithms.array_types import Numbers
from algorithms.data.data_set import DataSet
from algorithms.data.selected_columns import columns_selected
from algorithms.estimators.estimator import estimator
from algorithms.optimal.majority_rule import majority_errors
from algorithms.optimal.optimal_classifier import ProvenTreeClassifier
from algorithms.optimal.solution import LIMITS, Effort, OnProgress, Solution
from algorithms.optimal.t3.coded_rows import CodedRows
from algorithms.optimal.t3.limits import Form
from algorithms.optimal.t3.tree_search import Method, solve
from algorithms.options import Columns, Number, Whole

__all__ = ["T2Classifier", "T3CClassifier", "T3Classifier"]

Ignored = Sequence[str] | Sequence[int]


@estimator
class _ShallowTreeClassifier(ProvenTreeClassifier):
    """The base class of T2, T3 and T3C.

    Parameters
    ----------
    method : {"printed", "exhaustive"}, default="printed"
        "printed" is the algorithm of the papers. Its tree may have more errors than necessary where two levels follow
        a test of a number. "exhaustive" finds a tree with the fewest errors of all trees of this form, and, among such
        trees, a tree with the fewest levels. If the printed tree is such a tree, it is taken.
    ignore : list of str or int, default=()
        Attributes that are not tested, by name or position.
    max_intervals : int or None, default=None
        Maximum number of intervals of a numeric test whose branches are all leaves; other numeric tests have at most
        two (three in T3C). None: the number of classes that occur, plus one.
    max_branches : int or None, default=None
        Maximum number of branches of a test, not counting the branch for unknown values. A nominal attribute with more
        labels among the training rows is not tested, and a numeric test has at most this many intervals. None: no
        limit.
    """

    handles_missing = True
    max_depth, mae = 2, 0.0  # of T2

    method: Method = "printed"
    ignore: Annotated[Ignored, Columns()] = ()
    max_intervals: Annotated[int, Whole(2)] | None = None
    max_branches: Annotated[int, Whole(2)] | None = None
    time_limit: Annotated[float | None, LIMITS["time_limit"]] = None
    max_work: Annotated[int | None, LIMITS["max_work"]] = None

    @property
    @abstractmethod
    def inner_intervals(self) -> int:
        """The most intervals of a number whose branches are not all leaves."""

    def _solved(self, data: DataSet, weights: Numbers, on_progress: OnProgress | None) -> Solution:
        intervals = len(np.unique(data.decisions)) + 1 if self.max_intervals is None else self.max_intervals
        most = min(intervals, intervals if self.max_branches is None else self.max_branches, max(data.rows, 2))
        form = Form(self.max_depth, float(self.mae), most, min(self.inner_intervals, most))
        effort = Effort(seconds=self.time_limit, work=self.max_work)
        ignored = columns_selected("ignore", self.ignore, [attribute.name for attribute in data.attributes])
        # more weight of a row changes no errors and makes no other node a leaf, but sums would be rounded
        heaviest = 2 * majority_errors(np.bincount(data.decisions, weights)) / (self.mae or 1.0)
        limited = np.minimum(weights, heaviest or np.inf)
        rows = CodedRows.of(data, limited, frozenset(ignored), self.max_branches)
        return solve(data, weights, rows, form, self.method, effort, on_progress)


@estimator
class T3Classifier(_ShallowTreeClassifier):
    """T3: a tree of at most three levels, grown for the fewest errors on the training rows.

    A test of a nominal attribute has a branch for each label; a test of a number has a branch for each interval. Each
    test has one more branch, for values that are missing or were never seen. A branch without rows has the answer of
    its parent.

    Parameters
    ----------
    max_depth : int, default=3
        Maximum number of edges from the root to a leaf. The authors' value is 3; a larger value takes much longer.
    mae : float, default=0.0
        Maximum acceptable error: a node whose error rate is at most this is a leaf. The authors use 0 to 0.3.

    Notes
    -----
    The method is that of Tjortjis and Keane (2002). An exhaustive tree is optimal among the trees of its form that
    `mae` allows. A printed tree is optimal if `max_depth` is at most 2 and `mae` is 0. A tree is
    also optimal if all its errors are unavoidable, because they are on rows with equal values and different classes.
    Otherwise `solution_.bound` counts only the unavoidable errors. The default of `max_intervals` has not been checked
    against the authors' papers.

    References
    ----------
    - Tjortjis and Keane (2002), *T3: A Classification Algorithm for Data Mining*.
    - Li (slides), *Optimal Decision Tree*, section Finding the Global Optima - T3C.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import T3Classifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = T3Classifier().fit(X, y)
    >>> model.get_n_leaves()
    18
    >>> round(model.score(X, y), 2)
    1.0
    """

    inner_intervals = 2

    max_depth: Annotated[int, Whole(0)] = 3
    mae: Annotated[float, Number(0, 1, "left", what="rate")] = 0.0


@estimator
class T3CClassifier(T3Classifier):
    """T3C: T3 in which a number may have three intervals, not two, if some branches of the test are not leaves.

    With the branch for unknown values, these are the four branches that the authors of T3C use "in some cases". Their
    paper was not available: here, a number has three such intervals if they make fewer errors than two intervals. A
    test of a nominal attribute has a branch for each label; a test of a number has a branch for each interval. Each
    test has one more branch, for values that are missing or were never seen. A branch without rows has the answer of
    its parent.

    Notes
    -----
    The method is that of Tzirakis and Tjortjis (2017). An exhaustive tree is optimal among the trees of its form that
    `mae` allows. A printed tree is optimal if `max_depth` is at most 2 and `mae` is 0. A tree is
    also optimal if all its errors are unavoidable, because they are on rows with equal values and different classes.
    Otherwise `solution_.bound` counts only the unavoidable errors.

    References
    ----------
    - Tzirakis and Tjortjis (2017), *T3C: Improving a Decision Tree Classification Algorithm's Interval Splits on
      Continuous Attributes*.
    - Li (slides), *Optimal Decision Tree*, section Finding the Global Optima - T3C.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import T3CClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = T3CClassifier().fit(X, y)
    >>> model.get_n_leaves()
    27
    >>> round(model.score(X, y), 2)
    1.0
    """

    inner_intervals = 3


@estimator
class T2Classifier(_ShallowTreeClassifier):
    """T2: a tree of at most two levels, grown for the fewest errors on the training rows.

    A test of a nominal attribute has a branch for each label; a test of a number has a branch for each interval. Each
    test has one more branch, for values that are missing or were never seen. A branch without rows has the answer of
    its parent. The printed tree is optimal. The exhaustive tree has the same number of errors, but has only one level
    if one level is enough for this number.

    Notes
    -----
    The method is that of Auer, Holte and Maass (1995).

    References
    ----------
    - Auer, Holte and Maass (1995), *Theory and Applications of Agnostic PAC-Learning with Small Decision Trees*.
    - Li (slides), *Optimal Decision Tree*, section Finding the Global Optima - T3C.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import T2Classifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = T2Classifier().fit(X, y)
    >>> model.get_n_leaves()
    9
    >>> round(model.score(X, y), 2)
    0.99
    """

    inner_intervals = 2
