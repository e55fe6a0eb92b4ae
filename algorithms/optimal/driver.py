"""The one driver of exact searches: slices of a compiled search, its limits, the best trees so far and their bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from algorithms._numba.compiling import Stopwatch
from algorithms.optimal.cart_start import cart_within
from algorithms.optimal.instance import Instance
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

__all__ = ["NEVER", "Driver", "Found", "Kernel"]

Costs = NDArray[Any]
"""(sizes,) by number of splits, from 0; or (1,) for any number."""

SLICE_SECONDS = 0.015
"""A compiled search runs about so long before the clock, Ctrl-C and progress are looked at."""
SMALLEST_SLICE = 1000

NEVER = 1 << 60
"""More work than is ever done, and more than any tree costs."""


@dataclass(frozen=True, eq=False)
class Found:
    """What a compiled search knows of some rows.

    best   : the least cost of the trees that it has met
    choice : what such a tree asks at its root, as the search codes it
    depth  : the levels that the tree may have
    low    : no allowed tree costs less
    """

    best: Costs
    choice: Costs
    depth: Any
    low: Costs


class Kernel(Protocol):
    """A compiled search for the best trees of some rows, which stops at any amount of work and can be continued.

    unit        : the weight of a cost of 1
    priced      : whether costs include those of splits, not of errors alone
    slack       : costs that differ by no more are equal
    first_slice : units of work in the first slice
    """

    unit: float
    priced: bool
    slack: float
    first_slice: int

    @property
    def work(self) -> int:
        """Units of work done."""

    def advance(self, until: int) -> bool:
        """Search on until so much work is done, or an array must grow: whether the search has ended."""

    def grow(self) -> None:
        """Enlarge the array for which `advance` stopped, where it stopped for one."""

    def bound(self) -> Found:
        """What is known by now of the rows that are searched."""

    def tree(self, plan: Plan) -> DecisionTree:
        """The tree of a plan, with the rows counted."""

    def reconstruct(self, found: Found, splits: int, search: Callable[[bool], None]) -> Plan:
        """The best tree of all rows with at most so many splits, of what `bound` returned.

        What the kernel no longer remembers it begins again; `search` runs it to its end, within the limits if True.
        """


class Driver:
    """Runs a kernel for an instance within an effort, and keeps the best trees and what is proven.

    cost  : by number of splits, the least cost of the trees so far; at first that of a leaf
    low   : no allowed tree costs less
    found : the trees, as plans or as the kernel knows them
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
    ) -> None:
        self.instance, self.kernel, self.effort, self.clock = instance, kernel, effort, clock
        self.cost, self.low = cost, low
        self.found: list[Plan | Found] = [Leaf()] * len(cost)
        self._on_progress = on_progress
        self._slice = kernel.first_slice
        self._beyond: Costs | None = None

    def run(self, strategy: Callable[[], None]) -> Status:
        """Run a strategy, which calls `solve`: how it ended."""
        try:
            strategy()
        except Stopped as stopped:
            return stopped.status
        except KeyboardInterrupt:
            return Status.INTERRUPTED
        return Status.OPTIMAL

    def solve(self, beyond: Costs, until: int = NEVER) -> None:
        """Run the search of all rows that the kernel has begun, and take what it finds, also where it is stopped.

        beyond : what no allowed tree that is not searched costs less than; NEVER where all are
        until  : units of work after which it is left

        Raises Stopped where the effort is spent.
        """
        self._beyond = beyond
        try:
            self.advance(until)
        finally:
            self._beyond = None
            self.cost, self.low, self.found = self._with(self.kernel.bound(), beyond)

    def advance(self, until: int = NEVER, *, limited: bool = True) -> None:
        """Run the search that the kernel has begun, of any rows, slice by slice.

        Raises Stopped where the effort is spent, unless it is not `limited`.
        """
        kernel, effort = self.kernel, self.effort
        most = effort.work if limited and effort.work is not None else NEVER
        while kernel.work < until:
            started, before = self.clock.seconds, kernel.work
            if kernel.advance(min(until, before + self._slice, most)):
                return
            seconds = self.clock.seconds - started
            if seconds > SLICE_SECONDS / 4:
                pace = (kernel.work - before) / seconds
                self._slice = max(SMALLEST_SLICE, int(min(pace * SLICE_SECONDS, 4 * self._slice)))
            kernel.grow()
            self._report()
            if kernel.work >= most:
                raise Stopped(Status.WORK_LIMIT)
            if limited and effort.seconds is not None and self.clock.seconds > effort.seconds:
                raise Stopped(Status.TIME_LIMIT)

    def take(self, plan: Plan, cost: float, splits: int) -> None:
        """Take a tree where it is better, for as many splits as it has and more."""
        for allowed in range(splits if len(self.cost) > 1 else 0, len(self.cost)):
            if cost < self.cost[allowed]:
                self.cost[allowed], self.found[allowed] = cost, plan

    @property
    def proven(self) -> bool:
        """Whether no tree is better than those so far."""
        return bool((self.cost <= self.low).all())

    def solution(
        self, status: Status, *, forced: float, points: Sequence[FrontierPoint] = (), with_cart: bool = False
    ) -> Solution:
        """The best tree by the objective, its bound and the work.

        points    : of the frontier, whose trees need not be built again
        with_cart : where the tree is not proven, take CART's within the same limits if that is better
        """
        splits = int(self._objectives(self.cost).argmin())
        trees = {point.splits: point.tree for point in points}
        tree = trees[splits] if splits in trees else self._tree(splits)
        if with_cart and status is not Status.OPTIMAL:
            tree = cart_within(self.instance, tree)
        bound = np.inf if status is Status.OPTIMAL else float(self._objectives(self.low).min())
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
        """The trees of fewest errors by splits, where costs are errors: each has fewer than the one before."""
        points: list[FrontierPoint] = []
        least = np.inf
        for splits, cost in enumerate(self.cost):
            if cost >= least - self.kernel.slack:
                continue
            least = cost
            tree = self._tree(splits)
            errors, used, _ = measures(tree)
            exact = status is Status.OPTIMAL or self.low[splits] >= cost
            bound = errors if exact else float(self.low[splits]) * self.kernel.unit
            points.append(FrontierPoint(used, errors, bound, tree))
        return Frontier(points)

    def _tree(self, splits: int) -> DecisionTree:
        found = self.found[splits]
        if isinstance(found, Found):
            known = min(splits, len(found.best) - 1)
            found = self.kernel.reconstruct(found, known, lambda limited: self.advance(limited=limited))
        return self.kernel.tree(found)

    def _with(self, found: Found, beyond: Costs) -> tuple[Costs, Costs, list[Plan | Found]]:
        """What is known with what was found of all rows: costs, bounds and trees."""
        best, low = found.best, found.low
        if len(best) < len(self.cost):  # with more splits nothing is better
            known = np.minimum(np.arange(len(self.cost)), len(best) - 1)
            best, low = best[known], low[known]
        better = best < self.cost
        trees = [found if new else old for new, old in zip(better, self.found, strict=True)]
        low = np.maximum(self.low, np.minimum(low, beyond))
        return np.where(better, best, self.cost), low, trees

    def _objectives(self, costs: Costs) -> Costs:
        """The objective of trees of these costs."""
        instance = self.instance
        share = costs * self.kernel.unit / instance.baseline if instance.baseline else np.zeros(len(costs))
        size = np.zeros(len(costs)) if self.kernel.priced or not instance.baseline else np.arange(len(costs))
        at_leaf = 1 if instance.penalty == "leaves" else 0  # a binary tree has a leaf more than splits
        return np.asarray(share + instance.alpha * (size + at_leaf))

    def _report(self) -> None:
        if self._on_progress is None:
            return
        cost, low = self.cost, self.low
        if self._beyond is not None:
            cost, low, _ = self._with(self.kernel.bound(), self._beyond)
        best = float(self._objectives(cost).min())
        self._on_progress(Progress(self.clock.seconds, best, min(float(self._objectives(low).min()), best)))
