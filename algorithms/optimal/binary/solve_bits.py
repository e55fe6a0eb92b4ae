"""Optimal classification trees over two-valued attributes."""

from __future__ import annotations

import math
import warnings
from functools import partial

import numpy as np

from algorithms._numba.compiling import Stopwatch
from algorithms.optimal.binary.bit_search import BitSearch, SharedMemo
from algorithms.optimal.binary.row_bits import RowBits
from algorithms.optimal.cart_start import effort_beside_cart
from algorithms.optimal.driver import Driver
from algorithms.optimal.instance import Instance
from algorithms.optimal.plan import Leaf
from algorithms.optimal.root_tests import NOTHING_EXCLUDED, Root
from algorithms.optimal.solution import Effort, OnProgress, Solution, Status, Stopped

FIRST_DEPTH = 6
"""First depth of a search without a depth limit; the depth is doubled until no deeper tree can be better."""


def solve_binary(
    instance: Instance,
    rows: RowBits,
    effort: Effort,
    *,
    frontier: bool = False,
    on_progress: OnProgress | None = None,
    root: Root = NOTHING_EXCLUDED,
    memo: SharedMemo | None = None,
) -> Solution:
    """The best tree of an instance whose attributes have two values each, given its rows as bits.

    frontier : whether to find the fewest errors for each number of splits in the same search

    A unit of work is the examination of a pair of attributes.

    Raises ValueError if `frontier` is True and neither the depth nor the number of splits is limited.
    """
    if frontier and instance.max_depth is None and instance.max_splits is None:
        raise ValueError(
            "no attribute has more than two values: in this case, frontier=True needs a limit on the size of trees. "
            "Give max_depth or max_splits"
        )
    clock = Stopwatch()
    forced = rows.forced_weight()
    least = forced / rows.unit
    depth = _deepest(instance, rows, None if frontier else forced)
    most_splits = min(2**depth - 1, instance.data.rows - 1, instance.max_splits or instance.data.rows)
    sizes = most_splits + 1 if frontier or instance.max_splits is not None else 1
    search = BitSearch(instance, rows, instance.size_cost / rows.unit, sizes, effort.memory, root, memo)
    effort, with_cart = effort_beside_cart(instance, effort)
    driver = Driver(
        instance,
        search,
        effort,
        clock,
        on_progress,
        cost=np.full(sizes, instance.baseline / rows.unit),
        low=np.full(sizes, least),
        below=root.below,
    )
    status = driver.run(partial(_deepen, driver, search, depth, least, effort.memory))
    points = driver.frontier(status) if frontier else ()
    return driver.solution(status, forced=forced, points=points, with_cart=with_cart or status is Status.MEMORY_LIMIT)


def _deepen(driver: Driver, search: BitSearch, depth: int, least: float, memory: float) -> None:
    """Search to a depth; if the instance has no depth limit, to FIRST_DEPTH first, and then twice as deep each time."""
    rows, instance = search.rows, driver.instance
    if depth < 2:
        single = search.one_level(rows.rows)
        search.spend(rows.number)
        if depth and single.choice[-1] >= 0:
            plan = search.split(int(single.choice[-1]), Leaf(), Leaf())
            driver.take(plan, float(single.best[-1]), 1)
        return
    tried = min(depth, FIRST_DEPTH) if instance.max_depth is None else depth
    needed = search.bytes_of_levels(max(tried - 2, 1))
    if needed > memory:
        warnings.warn(
            f"the counts of all pairs of {rows.number} attributes take {needed:.3g} bytes for trees of depth {tried}, "
            f"but the memory limit is {memory:.3g} bytes: CART's tree is returned without a search. Raise the limit, "
            "or select fewer attributes",
            RuntimeWarning,
            stacklevel=5,
        )
        raise Stopped(Status.MEMORY_LIMIT)
    while True:
        search.begin(rows.rows, tried, all_rows=True)
        deeper = least + search.cost * (tried + 1) * search.priced if tried < depth else np.inf
        driver.solve(np.full(search.sizes, deeper))
        if search.needs_no_deeper_search or tried >= depth:
            return
        tried = min(2 * tried, depth)


def _deepest(instance: Instance, rows: RowBits, forced: float | None) -> int:
    """The greatest useful depth; given the equivalent points bound, splits must also save more than they cost."""
    limits: list[float] = [rows.number, instance.most_levels]
    if instance.size_cost and forced is not None:
        limits.append((instance.baseline - forced) / instance.size_cost)
    return max(math.ceil(min(limits)), 0) if instance.baseline else 0
