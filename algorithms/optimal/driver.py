"""The driver of the exact searches on bits and on ranks.

It runs a compiled search in slices, within limits, and keeps the best trees and the bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from algorithms._numba.compiling import Stopwatch
from algorithms.optimal.cart_start import cart_within
from algorithms.optimal.instance import Instance
from algorithms.optimal.never import NEVER
from algorithms.optimal.plan import Leaf, Plan
from algorithms.optimal.solution import (
    Effort,
    Frontier,
    FrontierPoint,
    OnProgress,
    Progress,
    Solution,
    Status,
    Stopped,
    measures,
)
from algorithms.trees.decision_tree import DecisionTree

Costs = NDArray[Any]
"""(sizes,): for each greatest number of splits, from 0; or (1,): for any number of splits."""

SLICE_SECONDS = 0.015
"""About how long a compiled search runs between checks of the clock, Ctrl-C and progress."""
SMALLEST_SLICE = 1000


class Result(NamedTuple):
    """The results of a compiled search for some rows."""

    best: Costs  # the cost of the best tree so far
    choice: Costs  # the split at its root, as the kernel encodes it
    depth: Any  # a depth that allows this tree: one number, or one for each number of splits
    low: Costs  # a lower bound of the cost of the allowed trees


class Kernel(Protocol):
    """A compiled search for the best trees of some rows, which can stop after any amount of work and continue."""

    unit: float  # the weight of misclassified rows that costs 1
    priced: bool  # whether costs include the cost of splits; otherwise they are errors alone
    slack: float  # costs are equal if they differ by no more than this
    first_slice: int  # units of work in the first slice

    @property
    def work(self) -> int:
        """Units of work done."""

    def advance(self, until: int) -> bool:
        """Continue until this much work is done or an array must grow; return whether the search has ended."""

    def grow(self) -> None:
        """Enlarge the array that stopped `advance`, if one did."""

    def bound(self) -> Result:
        """The results so far for the rows of the search."""

    def tree(self, plan: Plan) -> DecisionTree:
        """The tree of a plan, with counts of the rows."""

    def reconstruct(self, result: Result, splits: int, search: Callable[[bool], None]) -> Plan:
        """The best tree of all rows with at most this number of splits, from a result of `bound`.

        Where the memo no longer has a subtree, the kernel begins a new search for it. Then `search` runs this search to
        its end, within the limits if the argument is True.
        """


class Driver:
    """Runs a kernel for an instance within an effort, and keeps the best trees and the bounds.

    cost    : (sizes,) the cost of the best tree so far; at first that of a leaf
    low     : (sizes,) a lower bound of the cost of the allowed trees
    results : for each size, the best tree so far: a plan, or the kernel's result that the tree can be rebuilt from
    below   : trees whose objective is not below this are not searched for
    """

    def __init__(
        self,
        instance: Instance,
        kernel: Kernel,
        effort: Effort,
        clock: Stopwatch,
        on_progress: OnProgress | None,
        cost: Costs,
        low: Costs,
        below: float = np.inf,
    ) -> None:
        self.instance, self.kernel, self.effort, self.clock = instance, kernel, effort, clock
        self.cost, self.low, self.below = cost, low, below
        self.results: list[Plan | Result] = [Leaf()] * len(cost)
        self._on_progress = on_progress
        self._slice = kernel.first_slice
        self._beyond: Costs | None = None

    def run(self, strategy: Callable[[], None]) -> Status:
        """Run a strategy, which calls `solve`; return how it ended."""
        try:
            self._report()
            strategy()
        except Stopped as stopped:
            return stopped.status
        except KeyboardInterrupt:
            return Status.INTERRUPTED
        return Status.OPTIMAL

    def solve(self, beyond: Costs, until: int = NEVER) -> None:
        """Run the search that the kernel has begun for all rows, and keep its results even if it is stopped.

        beyond : a lower bound of the cost of the allowed trees that are not searched; NEVER if all are searched
        until  : units of work after which to stop

        Raises Stopped if the effort is spent.
        """
        self._beyond = beyond
        try:
            self.advance(until)
        finally:
            self._beyond = None
            self.cost, self.low, self.results = self._improved_by(self.kernel.bound(), beyond)

    def advance(self, until: int = NEVER) -> None:
        """Run the search that the kernel has begun, for any rows, slice by slice.

        Raises Stopped if a limit is reached. The time is also checked before the first slice of all but the first
        search.
        """
        if self.kernel.work:
            self._check_time()
        self._advance(until)

    def _advance(self, until: int = NEVER, *, limited: bool = True) -> None:
        """Run slices. If the search is `limited`, raise Stopped after the slice in which a limit is reached."""
        kernel, effort = self.kernel, self.effort
        most = effort.work if limited and effort.work is not None else NEVER
        while kernel.work < until:
            started, before = self.clock.seconds, kernel.work
            if kernel.advance(min(until, before + self._slice, most)):
                return
            done, seconds = kernel.work - before, max(self.clock.seconds - started, SLICE_SECONDS / 4)
            if done >= self._slice or seconds > SLICE_SECONDS / 4:
                self._slice = max(SMALLEST_SLICE, int(done * SLICE_SECONDS / seconds))
            kernel.grow()
            self._report()
            if kernel.work >= most:
                raise Stopped(Status.WORK_LIMIT)
            if limited:
                self._check_time()

    def _check_time(self) -> None:
        if self.effort.seconds is not None and self.clock.seconds > self.effort.seconds:
            raise Stopped(Status.TIME_LIMIT)

    def take(self, plan: Plan, cost: float, splits: int) -> None:
        """Keep a tree for each number of splits that allows it, if it is better than the best tree so far."""
        for allowed in range(splits if len(self.cost) > 1 else 0, len(self.cost)):
            if cost < self.cost[allowed] - self.kernel.slack:
                self.cost[allowed], self.results[allowed] = cost, plan

    @property
    def proven(self) -> bool:
        """Whether the trees so far are proven best."""
        return bool((self.cost <= self.low).all())

    def solution(
        self, status: Status, *, forced: float, points: Sequence[FrontierPoint] = (), with_cart: bool = False
    ) -> Solution:
        """The best tree by the objective, its bound and the work.

        points    : the frontier, whose trees need not be built again
        with_cart : if the tree is not proven best, take CART's tree within the same limits if that is better
        """
        splits = int(self._objectives(self.cost).argmin()) if len(self.cost) > 1 else 0
        trees = {point.splits: point.tree for point in points}
        tree = trees[splits] if splits in trees else self._tree(splits)
        if with_cart and status is not Status.OPTIMAL:
            tree = cart_within(self.instance, tree)
        bound = self.below
        if status is not Status.OPTIMAL:
            bound = min(bound, float(self._objectives(self.low).min()))
        return Solution.of(
            self.instance,
            tree,
            bound=bound,
            status=status,
            work=self.kernel.work,
            frontier=points,
            forced=forced,
        )

    def frontier(self, status: Status) -> Frontier:
        """The trees of fewest errors for each number of splits, each with fewer errors than the one before."""
        points: list[FrontierPoint] = []
        least = np.inf
        for splits, cost in enumerate(self.cost):
            if cost >= least - self.kernel.slack:
                continue
            least = cost
            tree = self._tree(splits)
            errors, used, _ = measures(tree)
            if points and errors >= points[-1].errors:
                continue  # fewer only by the weights that the search rounded
            exact = status is Status.OPTIMAL or self.low[splits] >= cost
            bound = errors if exact else float(self.low[splits]) * self.kernel.unit
            points.append(FrontierPoint(used, errors, bound, tree))
        return Frontier(points)

    def _tree(self, splits: int) -> DecisionTree:
        tree = self.results[splits]
        if isinstance(tree, Result):
            known = min(splits, len(tree.best) - 1)
            tree = self.kernel.reconstruct(tree, known, lambda limited: self._advance(limited=limited))
        return self.kernel.tree(tree)

    def _improved_by(self, result: Result, beyond: Costs) -> tuple[Costs, Costs, list[Plan | Result]]:
        """The costs, bounds and trees so far, improved by results for all rows."""
        best, low = result.best, result.low
        if len(best) < len(self.cost):  # further splits improve nothing
            known = np.minimum(np.arange(len(self.cost)), len(best) - 1)
            best, low = best[known], low[known]
        better = best < self.cost
        trees = [result if new else old for new, old in zip(better, self.results, strict=True)]
        low = np.maximum(self.low, np.minimum(low, beyond))
        return np.where(better, best, self.cost), low, trees

    def _objectives(self, costs: Costs) -> Costs:
        """The objective of trees of these costs."""
        instance = self.instance
        share = costs * self.kernel.unit / instance.baseline if instance.baseline else np.zeros(len(costs))
        size = np.zeros(len(costs)) if self.kernel.priced or not instance.baseline else np.arange(len(costs))
        at_leaf = 1 if instance.penalty == "leaves" else 0  # a binary tree has one more leaf than splits
        return np.asarray(share + instance.alpha * (size + at_leaf))

    def _report(self) -> None:
        if self._on_progress is None:
            return
        cost, low = self.cost, self.low
        if self._beyond is not None:
            cost, low, _ = self._improved_by(self.kernel.bound(), self._beyond)
        best = float(self._objectives(cost).min())
        self._on_progress(Progress(self.clock.seconds, best, min(float(self._objectives(low).min()), best)))
