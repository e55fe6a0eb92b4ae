"""Optimal classification trees over attributes of two values, by search with counts of pairs of attributes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from algorithms.kernels.compiling import Stopwatch
from algorithms.optimal.binary.bit_memo import find, hash_of, moved
from algorithms.optimal.binary.buffers import (
    bytes_of_entry,
    empty_block,
    empty_levels,
    empty_memo,
    empty_sides,
    planes_of,
    problem_of,
)
from algorithms.optimal.binary.pair_search import DONE, FULL, NONE, advance
from algorithms.optimal.binary.row_bits import RowBits
from algorithms.optimal.binary.side_bounds import bound_of_root
from algorithms.optimal.solution import Effort, Status

__all__ = ["BinarySearch", "Known"]

Numbers = NDArray[np.float64]
Words = NDArray[np.uint64]

SLICE_SECONDS = 0.02
"""A kernel runs about so long before time limits and Ctrl-C are looked at."""
FIRST_SLICE = 200_000
"""Pairs of attributes looked at before the speed is known."""
SMALLEST_MEMO = 1 << 11
NEVER = (1 << 63) - 1
"""More work than is ever done."""


@dataclass(frozen=True)
class Known:
    """What is known of a set of rows: the least cost, or the least errors by splits, and how to go on from its root.

    attribute : by size, a column of the rows, or -1 for a leaf; found : the depth below which that tree was found
    """

    value: Numbers
    attribute: NDArray[np.int32]
    found: NDArray[np.int8]


@dataclass
class BinarySearch:
    """A search over rows as bits, for trees of depth 2 or more.

    rows       : what is searched
    fewest     : rows in a leaf; split_cost : of a split, in units of the rows' weights
    sizes      : 1 for the least cost, else the number of sizes (splits, from 0) whose least errors are sought
    effort     : what it may take; clock : since when its seconds count
    """

    rows: RowBits
    fewest: int
    split_cost: float
    sizes: int
    effort: Effort
    clock: Stopwatch
    done: int = 0
    bounds: Numbers = field(init=False)

    def __post_init__(self) -> None:
        """Set up what all sets of rows share."""
        self._problem = problem_of(self.rows, self.fewest, self.split_cost, self.sizes)
        self._planes = planes_of(self.rows, self.fewest)
        self._sides, self._block = empty_sides(self.rows, self._planes, self.sizes), empty_block(self.rows)
        self._memo = empty_memo(SMALLEST_MEMO, self.sizes)
        self._levels = empty_levels(self.rows, self._planes, 1, self.sizes)
        self._key = np.empty(2, np.uint64)
        self.bounds = np.zeros(self.sizes)

    def run(self, mask: Words, depth: int, *, limited: bool = True, look: Callable[[], None] | None = None) -> Status:
        """Search a set of rows to a depth, and call `look` after each slice; returns how it ended.

        limited : whether the effort is a limit. `known` tells what was found, `bounds` what is proven
        """
        if len(self._levels.depth) < depth - 2:
            self._levels = empty_levels(self.rows, self._planes, depth - 2, self.sizes)
        self._levels.mask[0] = mask
        standing = np.array([NONE, self.done, depth], np.int64)
        try:
            status = self._searched(standing, limited=limited, look=look)
        except KeyboardInterrupt:
            status = Status.INTERRUPTED
        self.done = int(standing[1])
        return status

    def _searched(self, standing: NDArray[np.int64], *, limited: bool, look: Callable[[], None] | None) -> Status:
        """Search on from where the search stands, slice by slice; returns how it ended."""
        most = self.effort.work if limited and self.effort.work else NEVER
        piece = FIRST_SLICE
        while True:
            started, before = self.clock.seconds, standing[1]
            ended = advance(
                self._problem,
                self._levels,
                self._block,
                self._sides,
                self._memo,
                standing,
                min(int(before) + piece, most),
                self._memo_may_grow,
            )
            if ended == DONE:
                return Status.OPTIMAL
            bound_of_root(self._problem, self._levels, self.bounds)
            if look is not None:
                look()
            now = self.clock.seconds
            if ended == FULL:
                self._grow()
            elif standing[1] >= most:
                return Status.WORK_LIMIT
            elif limited and self.effort.seconds is not None and now >= self.effort.seconds:
                return Status.TIME_LIMIT
            elif standing[1] > before:
                speed = (standing[1] - before) / max(now - started, 1e-6)
                piece = max(int(speed * SLICE_SECONDS), 1)

    @property
    def settled_above(self) -> bool:
        """Whether the last run ended because no deeper tree can be better."""
        return bool(self._levels.current[0] < self._levels.depth[0])

    def root(self) -> Known:
        """The best trees that the last run has found."""
        levels = self._levels
        return Known(levels.best[0].copy(), levels.attribute[0].copy(), levels.found[0].copy())

    def known(self, mask: Words, depth: int) -> Known:
        """The best trees of a set of rows to a depth, as remembered; where it was forgotten, by another search."""
        hash_of(mask, self.rows.rows, True, self._key)
        place = find(self._memo, self._key, depth)
        if place < 0 or not self._memo.exact[place]:
            self.run(mask, depth, limited=False)
            return self.root()
        memo = self._memo
        return Known(memo.value[place].copy(), memo.attribute[place].copy(), memo.found[place].copy())

    @property
    def _memo_may_grow(self) -> bool:
        return 5 * len(self._memo.depth) * bytes_of_entry(self.sizes) <= self.effort.memory

    def _grow(self) -> None:
        larger = empty_memo(4 * len(self._memo.depth), self.sizes)
        moved(self._memo, larger)
        self._memo = larger
