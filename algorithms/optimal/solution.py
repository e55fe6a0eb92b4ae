"""What a search for an optimal tree found, and how much of it is proven."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from algorithms.fronts.drawn import DrawnFront, Points
from algorithms.optimal.instance import Instance
from algorithms.options import Constraints, Number, Whole, check_parameters
from algorithms.trees.arrays import NodeKind
from algorithms.trees.decision_tree import DecisionTree

__all__ = [
    "LIMITS",
    "Effort",
    "Frontier",
    "FrontierPoint",
    "OnProgress",
    "Progress",
    "Solution",
    "Status",
    "Stopped",
    "measures",
]


ROUNDING = 1e-9
"""Objectives that differ by less than this share are the same."""


class Status(StrEnum):
    """How a search ended."""

    OPTIMAL = "optimal"
    """The tree is proven best."""
    HEURISTIC = "heuristic"
    """A method that proves nothing ended as it should; the bound is one that holds for every tree."""
    TIME_LIMIT = "time_limit"
    WORK_LIMIT = "work_limit"
    MEMORY_LIMIT = "memory_limit"
    INTERRUPTED = "interrupted"
    """By Ctrl-C."""


class Stopped(Exception):  # noqa: N818
    """The search ended before it was done."""

    def __init__(self, status: Status) -> None:
        super().__init__(status.value)
        self.status = status


LIMITS: Constraints = {
    "time_limit": [Number(0, closed="right"), None],
    "max_work": [Whole(1), None],
    "memory_limit": [Number(0, closed="right")],
}
"""What the parameters of an estimator may be that limit its search, as `Effort` does."""


@dataclass(frozen=True)
class Effort:
    """What a search may take before it returns the best tree so far.

    seconds : of wall time, kept to within a tenth; None for no limit. Compiling kernels, or loading them, does not
              count. Results that end by it differ from run to run
    work    : units of work, the same wherever it runs; None for no limit
    memory  : bytes that what it remembers may take
    """

    seconds: float | None = None
    work: int | None = None
    memory: int = 1 << 30

    def __post_init__(self) -> None:
        """Check that all are positive numbers."""
        time, work, memory = LIMITS["time_limit"], LIMITS["max_work"], LIMITS["memory_limit"]
        check_parameters({"seconds": time, "work": work, "memory": memory}, vars(self))


@dataclass(frozen=True)
class Progress:
    """Where a search stands: seconds since it began, the best objective so far, and the bound proven."""

    seconds: float
    objective: float
    bound: float


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, eq=False)
class FrontierPoint:
    """The fewest errors of all allowed trees with at most so many splits.

    splits : of the tree; errors : of the tree, in the unit of the weights; bound : proven for this many splits
    """

    splits: int
    errors: float
    bound: float
    tree: DecisionTree

    @property
    def optimal(self) -> bool:
        """Whether no tree with as many splits has fewer errors."""
        return self.bound >= self.errors


class Frontier(DrawnFront, tuple[FrontierPoint, ...]):
    """The trees of fewest errors by splits, each with fewer errors than the one before.

    In a notebook it shows the errors against the splits.
    """

    def _points(self) -> Points:
        return Points(("splits", "errors"), tuple((point.splits, point.errors) for point in self))


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """The best tree that was found.

    errors    : weight of the training rows that it gets wrong
    splits    : nonterminal nodes; leaves : terminal nodes
    objective : what was minimised, of this tree; bound : no allowed tree has less
    status    : how the search ended
    work      : units of work done, in the search's own unit
    frontier  : where it was asked for, the trees of fewest errors by splits, each with fewer errors than the one
                before; alpha has no part in it
    forced    : weight of errors that no tree avoids, since rows with equal values have different classes
    stopped   : what ended the search where its tree is proven best all the same; None where nothing did
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
        """The solution that a tree is, which holds the counts of the training rows; it is optimal at its bound."""
        leaf = (tree.kind == int(NodeKind.TERMINAL)).nonzero()[0]
        errors = float(tree.counts[leaf].sum() - tree.counts[leaf, tree.decision[leaf]].sum())
        splits, leaves = tree.nodes - len(leaf), len(leaf)
        objective = instance.objective(errors, splits, leaves)
        met = bound >= objective * (1 - ROUNDING)
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
            forced=forced,
            stopped=status if met and limited else None,
        )

    def __repr__(self) -> str:
        """A line for a person; the trees are in `tree` and `frontier`."""
        told = f"{self.status}, errors={self.errors:g}, splits={self.splits}, objective={self.objective:g}"
        points = f", frontier of {len(self.frontier)}" if self.frontier else ""
        return f"Solution({told}, gap={self.gap:g}{points})"

    @property
    def optimal(self) -> bool:
        """Whether the tree is proven best."""
        return self.status is Status.OPTIMAL

    @property
    def exhausted(self) -> bool:
        """Whether the search ended by itself: then trees of any number of splits are proven, not the best one alone.

        The fewest errors with so many splits are those of the frontier's last point that has no more.
        """
        return self.optimal and self.stopped is None

    @property
    def gap(self) -> float:
        """How far the objective is above the bound, as a share of the objective; 0 where they are equal."""
        above = self.objective - self.bound
        return above / self.objective if above > 0 else 0.0


def measures(tree: DecisionTree) -> tuple[float, int, int]:
    """(errors, splits, leaves) of a tree over the rows that it counts, each leaf deciding for its most common class."""
    leaf = tree.kind == NodeKind.TERMINAL
    counts = tree.counts[leaf]
    return float((counts.sum(axis=1) - counts.max(axis=1)).sum()), int((~leaf).sum()), int(leaf.sum())
