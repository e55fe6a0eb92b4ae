"""The result of a search for an optimal tree, and its proven bound."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.optimal.instance import Instance
from algorithms.options import Constraints, Number, Whole, check_parameters
from algorithms.pictures.fronts import DrawnFront, Points
from algorithms.rounding import EQUAL_RATIO
from algorithms.trees.arrays import TERMINAL
from algorithms.trees.decision_tree import DecisionTree

__all__ = [
    "LIMITS",
    "Effort",
    "EffortSpentError",
    "Frontier",
    "FrontierPoint",
    "OnProgress",
    "Progress",
    "Solution",
    "Status",
    "Stopped",
    "gap",
    "measures",
    "proven",
]


class Status(StrEnum):
    """How a search ended."""

    OPTIMAL = "optimal"
    """The tree is proven best."""
    HEURISTIC = "heuristic"
    """The search ended normally, but its tree is not proven best, or it chose another good tree on purpose. The bound
    holds for all allowed trees."""
    TIME_LIMIT = "time_limit"
    WORK_LIMIT = "work_limit"
    MEMORY_LIMIT = "memory_limit"
    INTERRUPTED = "interrupted"
    """Ctrl-C ended the search."""

    @property
    def parameter(self) -> str:
        """The parameter of an estimator that sets this limit."""
        return "max_work" if self is Status.WORK_LIMIT else self.value


class Stopped(Exception):  # noqa: N818
    """The search ended before it was done."""

    def __init__(self, status: Status) -> None:
        super().__init__(status.value)
        self.status = status


class EffortSpentError(RuntimeError):
    """A search reached a limit before it had a result."""


LIMITS: Constraints = {
    "time_limit": [Number(0, closed="right"), None],
    "max_work": [Whole(1), None],
    "memory_limit": [Number(0, closed="right")],
}
"""The allowed values of the parameters that limit the search of an estimator, as `Effort` does."""


@dataclass(frozen=True)
class Effort:
    """The limits of a search. A search that reaches a limit returns the best tree so far.

    Parameters
    ----------
    seconds : float or None, default=None
        Wall time in seconds, without the time to compile and load kernels. A search may exceed it by about a tenth of a
        second for a million values. If this limit ends a search, its result differs from run to run. None: no limit.
    work : int or None, default=None
        Units of work. With this limit alone, results are the same on any machine. None: no limit.
    memory : int, default=2**30
        Maximum number of bytes that the stored results of the search take.

    Raises
    ------
    ParameterError
        A limit has a wrong type or is not positive.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import Effort, data_set_of, fewest_leaves
    >>> fewest_leaves(data_set_of(*load_iris(return_X_y=True)), Effort(work=1_000_000)).leaves
    8
    """

    seconds: float | None = None
    work: int | None = None
    memory: int = 1 << 30

    def __post_init__(self) -> None:
        """Check that all limits are positive numbers."""
        time, work, memory = LIMITS["time_limit"], LIMITS["max_work"], LIMITS["memory_limit"]
        check_parameters({"seconds": time, "work": work, "memory": memory}, vars(self))

    def reached(self, seconds: float, work: int) -> Status | None:
        """The limit that this much work or time reaches, if any."""
        if self.work is not None and work >= self.work:
            return Status.WORK_LIMIT
        return Status.TIME_LIMIT if self.seconds is not None and seconds >= self.seconds else None

    @property
    def unlimited(self) -> bool:
        """Whether neither time nor work is limited."""
        return self.seconds is None and self.work is None

    def after(self, seconds: float, work: int = 0) -> Effort:
        """The effort that remains: at least a thousandth of the seconds, and a unit of work."""
        if self.unlimited:
            return self
        return Effort(
            None if self.seconds is None else max(self.seconds - seconds, self.seconds / 1000),
            None if self.work is None else max(self.work - work, 1),
            self.memory,
        )


@dataclass(frozen=True)
class Progress:
    """The state of a search at a time.

    Attributes
    ----------
    seconds : float
        Seconds since the search began, compiling excluded.
    objective : float
        The objective of the best tree so far: the primal bound.
    bound : float
        No allowed tree has a smaller objective: the dual bound.

    Examples
    --------
    >>> from orchard import OCTClassifier
    >>> model = OCTClassifier(max_depth=1, trace=True).fit([[0], [1], [1]], [0, 1, 1])
    >>> model.trace_[-1].objective, model.trace_[-1].bound
    (0.0, 0.0)
    """

    seconds: float
    objective: float
    bound: float


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, eq=False)
class FrontierPoint:
    """The fewest errors of an allowed tree with at most this number of splits.

    Attributes
    ----------
    splits : int
        Number of splits of the tree.
    errors : float
        The weight of the training rows that the tree classifies wrongly.
    bound : float
        No allowed tree with at most this number of splits has fewer errors.
    tree : DecisionTree
    """

    splits: int
    errors: float
    bound: float
    tree: DecisionTree

    @property
    def optimal(self) -> bool:
        """Whether `errors` is proven to be the least for trees with at most `splits` splits."""
        return self.bound >= self.errors


class Frontier(DrawnFront, tuple[FrontierPoint, ...]):
    """The trees of fewest errors by their number of splits, as a tuple of FrontierPoint.

    Each point has more splits and fewer errors than the point before. `OCTClassifier(frontier=True)` and
    `TunedOCTClassifier(refit=False)` compute the frontier; otherwise it is empty. A notebook shows the picture that
    `plot` draws, with the errors against the splits.

    Examples
    --------
    >>> from orchard import OCTClassifier
    >>> rows = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> frontier = OCTClassifier(max_depth=2, frontier=True).fit(rows, [0, 1, 1, 1]).solution_.frontier
    >>> [(point.splits, point.errors) for point in frontier]
    [(0, 1.0), (2, 0.0)]
    """

    def _points(self) -> Points:
        return Points(("splits", "errors"), tuple((point.splits, point.errors) for point in self))


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """The best tree that a search found.

    Attributes
    ----------
    tree : DecisionTree
    errors : float
        The weight of the training rows that the tree classifies wrongly.
    splits : int
        Number of nonterminal nodes.
    leaves : int
        Number of terminal nodes; in T2, T3 and T3C, only those that training rows reach.
    objective : float
        What is minimised: errors / L + alpha x splits (or leaves, by `penalty`), where L are the errors of a tree
        without splits. With conditions, it is the objective of `Conditions`.
    bound : float
        No allowed tree has a smaller objective.
    status : Status
        How the search ended.
    work : int
        Units of work done; the unit is that of the search.
    frontier : Frontier
        If it was requested, the trees of fewest errors for each number of splits. It does not depend on alpha.
    forced : float
        The weight of errors that no tree can avoid, because rows with equal values have different classes.
    stopped : Status or None
        The limit that ended the search, if the tree is proven best nevertheless; otherwise None.

    Examples
    --------
    >>> from orchard import OCTClassifier
    >>> solution = OCTClassifier(max_depth=1).fit([[0], [1], [1]], [0, 1, 1]).solution_
    >>> solution.errors, solution.splits, solution.status.value
    (0.0, 1, 'optimal')
    """

    tree: DecisionTree
    errors: float
    splits: int
    leaves: int
    objective: float
    bound: float
    status: Status
    work: int = 0
    frontier: Frontier = field(default_factory=Frontier)
    forced: float = 0.0
    stopped: Status | None = None

    @staticmethod
    def of(
        instance: Instance,
        tree: DecisionTree,
        *,
        bound: float,
        status: Status,
        work: int = 0,
        frontier: Iterable[FrontierPoint] = (),
        forced: float = 0.0,
    ) -> Solution:
        """The solution for a tree that has counts of the training rows; optimal if its objective reaches the bound."""
        errors, splits, leaves = measures(tree, tree.decision)
        objective = instance.objective(errors, splits, leaves)
        met = bound >= objective * EQUAL_RATIO
        limited = status not in {Status.OPTIMAL, Status.HEURISTIC}
        return Solution(
            tree=tree,
            errors=errors,
            splits=splits,
            leaves=leaves,
            objective=objective,
            bound=objective if met else bound,
            status=Status.OPTIMAL if met and limited else status,
            work=work,
            frontier=Frontier(frontier),
            forced=min(forced, errors),  # sums that are rounded in another order
            stopped=status if met and limited else None,
        )

    def __repr__(self) -> str:
        """One line; the trees are in `tree` and `frontier`."""
        tree = f"errors={self.errors:g}, splits={self.splits}, objective={self.objective:g}"
        points = f", frontier of {len(self.frontier)}" if self.frontier else ""
        return f"Solution({self.status}, {tree}, gap={self.gap:g}{points})"

    @property
    def optimal(self) -> bool:
        """Whether the tree is proven best."""
        return self.status is Status.OPTIMAL

    @property
    def exhausted(self) -> bool:
        """Whether the search reached no limit, so that every tree of the frontier is proven best.

        The fewest errors of a tree with at most k splits are the errors of the last point with at most k splits.
        """
        return self.optimal and self.stopped is None

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the search."""
        return Status.INTERRUPTED in {self.status, self.stopped}

    @property
    def gap(self) -> float:
        """The distance of the objective from the bound, as a share of the objective; 0 if they are equal."""
        return gap(self.objective, self.bound)


def gap(objective: float, bound: float) -> float:
    """The distance of an objective from a lower bound, as a share of the objective."""
    return (objective - bound) / objective if objective > bound else 0.0


def measures(tree: DecisionTree, decision: NDArray[Any] | None = None) -> tuple[float, int, int]:
    """(errors, splits, leaves) of a tree over the rows that it counts.

    `decision` has the class of each node; by default it is the most common class of the node's rows.
    """
    leaf = (tree.kind == TERMINAL).nonzero()[0]
    wrong, leaves = tree.counts[leaf], len(leaf)
    of_leaf = wrong.argmax(axis=1) if decision is None else decision[leaf]
    wrong[np.arange(leaves), of_leaf] = 0  # a difference of sums would be rounded, and may be negative
    return float(wrong.sum()), tree.nodes - leaves, leaves


def proven(best: Solution, *, every_size: bool = False) -> Solution:
    """The solution, if its tree is proven best and, with `every_size`, all trees of its frontier.

    If they are not proven best, raises KeyboardInterrupt if Ctrl-C ended the search, otherwise EffortSpentError.
    """
    if best.interrupted and (every_size or not best.optimal):
        raise KeyboardInterrupt
    if every_size and best.stopped is not None:
        raise EffortSpentError(
            f"the search reached its limit ({best.stopped.parameter}) before it proved the fewest errors for each "
            "number of splits. Raise the limit, reduce the depth, or require larger leaves"
        )
    if not best.optimal:
        raise EffortSpentError(
            f"the search reached its limit ({best.status.parameter}) before it proved a tree best: the least objective "
            f"is between {best.bound:g} and {best.objective:g}. Raise the limit, reduce the depth, require larger "
            "leaves, or increase alpha"
        )
    return best
