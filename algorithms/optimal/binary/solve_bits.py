"""Optimal classification trees over attributes of two values."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from algorithms.kernels.compiling import Stopwatch
from algorithms.optimal.binary.bit_search import BinarySearch
from algorithms.optimal.binary.buffers import bytes_of_levels, planes_of, slack_of
from algorithms.optimal.binary.plan_of_bits import best_single_split, count_rows, plan_found, split_plan
from algorithms.optimal.binary.row_bits import RowBits
from algorithms.optimal.cart_start import cart_within, seconds_of_cart
from algorithms.optimal.instance import Instance
from algorithms.optimal.plan import Leaf, Plan, counted_tree
from algorithms.optimal.solution import Effort, FrontierPoint, OnProgress, Progress, Solution, Status
from algorithms.tree import DecisionTree

__all__ = ["solve_binary"]

Numbers = NDArray[np.float64]

FIRST_DEPTH = 6
"""What a search without a limit of depth tries first, then twice as much, and on."""


@dataclass(frozen=True)
class _Found:
    """What a search came to: by size the least errors (or the one least cost), what bounds them, and their plans."""

    values: Numbers
    bounds: Numbers
    plans: list[Plan]
    status: Status
    work: int


def solve_binary(
    instance: Instance,
    rows: RowBits,
    effort: Effort,
    *,
    frontier: bool = False,
    on_progress: OnProgress | None = None,
) -> Solution:
    """The best tree of an instance whose attributes have two values each, and whose rows as bits are given.

    frontier : find the fewest errors for every number of splits, too, from the same search

    A unit of work is a pair of attributes whose counts are looked at.

    Raises ValueError where the frontier is asked for without any limit of depth or splits.
    """
    if frontier and instance.max_depth is None and instance.max_splits is None:
        msg = "the frontier of trees without a limit has no end: give max_depth or max_splits"
        raise ValueError(msg)
    by_size = frontier or instance.max_splits is not None
    clock = Stopwatch()
    forced = rows.forced_weight()
    depth = _deepest(instance, rows, None if frontier else forced)
    found = _searched(instance, rows, depth, by_size, effort, clock, on_progress)
    return _solution(instance, rows, found, forced, frontier=frontier)


def _deepest(instance: Instance, rows: RowBits, forced: float | None) -> int:
    """No tree need be deeper; by what splits cost, too, where errors that none avoids are given."""
    limits = [rows.number, instance.data.rows // instance.min_rows_leaf - 1]
    limits += [limit for limit in (instance.max_depth, instance.max_splits) if limit is not None]
    if instance.size_cost and forced is not None:
        limits.append(math.ceil((instance.baseline - forced) / instance.size_cost))
    return max(min(limits), 0) if instance.baseline else 0


def _searched(
    instance: Instance,
    rows: RowBits,
    depth: int,
    by_size: bool,
    effort: Effort,
    clock: Stopwatch,
    on_progress: OnProgress | None,
) -> _Found:
    fewest, cost = instance.min_rows_leaf, instance.size_cost / rows.unit
    if depth < 2:
        return _shallow(instance, rows, depth, cost, by_size)
    most_splits = min(2**depth - 1, instance.data.rows - 1, instance.max_splits or instance.data.rows)
    sizes = most_splits + 1 if by_size else 1
    tried = min(depth, FIRST_DEPTH) if instance.max_depth is None else depth
    needed = bytes_of_levels(rows, planes_of(rows, fewest), max(tried - 2, 1), sizes)
    if needed > effort.memory:
        msg = (
            f"the counts of the pairs of {rows.number} attributes take {needed:.3g} bytes for trees of depth {tried}, "
            f"and {effort.memory:.3g} are allowed: the tree is CART's, not searched for. Allow more, or choose "
            "attributes"
        )
        warnings.warn(msg, RuntimeWarning, stacklevel=4)
        least = np.full(sizes, rows.forced_weight() / rows.unit)
        leaf = np.full(sizes, instance.baseline / rows.unit)
        return _Found(leaf, least, [Leaf()] * sizes, Status.MEMORY_LIMIT, 0)
    if effort.seconds is not None:
        left = max(effort.seconds - seconds_of_cart(instance), 0.0)
        effort = Effort(left or 1e-9, effort.work, effort.memory)
    search = BinarySearch(rows, fewest, cost, sizes, effort, clock)

    def look() -> None:
        if on_progress is not None:
            best, bound = (_objective(instance, rows, of) for of in (search.root().value, search.bounds))
            on_progress(Progress(clock.seconds, best, bound))

    while True:
        status = search.run(rows.rows, tried, look=look)
        if status is not Status.OPTIMAL or search.settled_above or tried >= depth:
            break
        tried = min(2 * tried, depth)
    known = search.root()
    bounds = known.value.copy() if status is Status.OPTIMAL else search.bounds.copy()
    if status is not Status.OPTIMAL and tried < depth:
        deeper = rows.forced_weight() / rows.unit + cost * (tried + 1) * (sizes == 1)
        bounds = np.minimum(bounds, deeper)
    plans = [plan_found(search, instance.data, rows.rows, known, size) for size in range(sizes)]
    return _Found(known.value, bounds, plans, status, search.done)


def _shallow(instance: Instance, rows: RowBits, depth: int, cost: float, by_size: bool) -> _Found:
    """The best of trees with at most one split."""
    single = best_single_split(rows, rows.rows, instance.min_rows_leaf)
    values: list[float] = [single.leaf_errors]
    plans: list[Plan] = [Leaf()]
    if depth and single.errors + (0 if by_size else cost) < single.leaf_errors:
        split = split_plan(rows, instance.data, single.column, Leaf(), Leaf())
        values = [*values, single.errors] if by_size else [single.errors + cost]
        plans = [*plans, split] if by_size else [split]
    return _Found(np.array(values), np.array(values), plans, Status.OPTIMAL, rows.number)


def _objective(instance: Instance, rows: RowBits, values: Numbers) -> float:
    """The objective of the best of values by size; or of the one least cost."""
    least = float(_costs(instance, rows, values).min())
    return least / instance.baseline + (instance.alpha if instance.penalty == "leaves" else 0.0)


def _costs(instance: Instance, rows: RowBits, values: Numbers) -> Numbers:
    """By size, errors and what the splits cost, in the unit of the weights; or the one least cost."""
    return values * rows.unit + instance.size_cost * np.arange(len(values))


def _solution(instance: Instance, rows: RowBits, found: _Found, forced: float, *, frontier: bool) -> Solution:
    size = int(_costs(instance, rows, found.values).argmin())
    trees = {size: _tree(instance, rows, found.plans[size])}
    best = trees[size] if found.status is Status.OPTIMAL else cart_within(instance, trees[size])
    bound = _objective(instance, rows, found.bounds) if instance.baseline else instance.objective(0, 0, 1)
    points = []
    if frontier:
        for k in _falling(found.values, slack_of(rows)):
            tree = trees.get(k) or _tree(instance, rows, found.plans[k])
            points.append(
                FrontierPoint(k, float(found.values[k] * rows.unit), float(found.bounds[k] * rows.unit), tree)
            )
    return Solution.of(
        instance, best, bound=bound, status=found.status, work=found.work, frontier=tuple(points), forced=forced
    )


def _falling(values: Numbers, slack: float) -> list[int]:
    """The first place, and those of the values that fall below the last one taken by more than the slack."""
    places = [0]
    for k in range(1, len(values)):
        if values[k] < values[places[-1]] - slack:
            places.append(k)
    return places


def _tree(instance: Instance, rows: RowBits, plan: Plan) -> DecisionTree:
    return counted_tree(plan, len(instance.data.classes), partial(count_rows, rows))
