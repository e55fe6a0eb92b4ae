"""Optimal classification trees by exact search, with binary, multiway and numeric splits."""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn.base import clone

from algorithms.estimator import estimator
from algorithms.optimal.binary.row_bits import RowBits
from algorithms.optimal.binary.solve_bits import solve_binary
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed.solve_ranks import solve_mixed
from algorithms.optimal.optimal_classifier import OptimalClassifier
from algorithms.optimal.optimal_trees import OptimalTrees
from algorithms.optimal.solution import LIMITS, Effort, OnProgress, Solution
from algorithms.options import Constraints

__all__ = ["OCTClassifier", "solve"]

DEFAULT_MEMORY = 1 << 30


def solve(
    instance: Instance,
    effort: Effort | None = None,
    *,
    subsets: bool = False,
    frontier: bool = False,
    on_progress: OnProgress | None = None,
) -> Solution:
    """The best tree of an instance, and whether it is proven best.

    A nominal attribute has a branch for each of its values in the rows of a node. A numeric attribute is split at any
    threshold between two of its values.

    effort      : the limits of the search; when it reaches one, the best tree so far is returned
    subsets     : whether nominal attributes may also be split into two sets of values
    frontier    : whether to find the fewest errors for each number of splits in the same search
    on_progress : called several times a second with the best objective and the bound so far

    If no attribute has more than two values, a faster search on bits is used.
    """
    effort = effort or Effort()
    rows = RowBits.of(instance)
    if rows is not None:
        return solve_binary(instance, rows, effort, frontier=frontier, on_progress=on_progress)
    return solve_mixed(instance, effort, subsets=subsets, frontier=frontier, on_progress=on_progress)


@estimator
class OCTClassifier(OptimalClassifier):
    """The optimal classification tree, found and proven by an exact search.

    It minimises errors / L + alpha x splits, where L are the errors of the majority rule. A nominal attribute has a
    branch for each of its labels, a number is split at any threshold. Missing values are refused.

    Parameters
    ----------
    subsets : bool, default=False
        Whether nominal attributes may also be split into two sets of labels.
    memory_limit : float, default=2**30
        Bytes for what the search remembers. Allowed: a number above 0.
    frontier : bool, default=False
        Whether to find the fewest errors for each number of splits, too: `solution_.frontier`.

    Notes
    -----
    The objective is that of Bertsimas & Dunn 2017, as Li describes it. Nominal attributes are split as they are, not
    as binary columns. If no attribute has more than two values, a faster search on packed rows is used.

    References
    ----------
    - Bertsimas & Dunn (2017), *Optimal Classification Trees*, as told by Li (slides), *Optimal Decision Tree*,
      section Finding the Global Optima - OCT.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import OCTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OCTClassifier(max_depth=2).fit(X, y)
    >>> model.get_n_leaves()
    3
    >>> round(model.score(X, y), 2)
    0.96
    """

    _parameter_constraints: ClassVar[Constraints] = (
        OptimalClassifier._parameter_constraints | LIMITS | {"subsets": [bool], "frontier": [bool]}
    )

    subsets: bool = False
    max_work: int | None = None
    memory_limit: int = DEFAULT_MEMORY
    frontier: bool = False

    def optimal_trees(self, X: Any, y: Any = None, sample_weight: Any = None) -> OptimalTrees:  # noqa: N803
        """Return all optimal trees for the rows that `fit` takes, counted, whether it has been called or not.

        `labels_` of the fitted estimator names what their nodes test. Counting takes longer than `fit`: it is for
        hundreds of rows and a `max_depth` of 2 or 3.

        Returns
        -------
        OptimalTrees
            How many they are, and each by its index.

        Raises
        ------
        EffortSpentError
            `time_limit`, `max_work` or `memory_limit` is reached.
        ParameterError, ValueError, TypeError
            As `fit` does.
        """
        model = clone(self)
        instance = model._instance(*model._rows_to_learn(X, y, sample_weight))
        return OptimalTrees.of(instance, model._effort(), subsets=model.subsets)

    def _solution(self, instance: Instance) -> Solution:
        return solve(instance, self._effort(), subsets=self.subsets, frontier=self.frontier)

    def _effort(self) -> Effort:
        return Effort(self.time_limit, self.max_work, self.memory_limit)


OCTSearchClassifier = OCTClassifier
"""The former name, by which pickles find the class."""
