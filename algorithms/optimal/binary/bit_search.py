"""The compiled search over two-valued attributes, as a kernel for the driver."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from algorithms._numba.primitives import LANES
from algorithms.array_types import Numbers, Words
from algorithms.kernel_arrays import arrays_of
from algorithms.optimal.binary.bit_columns import best_split, write_counts
from algorithms.optimal.binary.bit_memo import RowSetMemo, find_rows, move_memo
from algorithms.optimal.binary.pair_counts import Lanes
from algorithms.optimal.binary.pair_levels import PairLevels, PairProblem, SideBuffers
from algorithms.optimal.binary.pair_search import DEPTH, DONE, FULL, LEVEL, NONE, PAUSED, WORK, advance
from algorithms.optimal.binary.row_bits import MOST_ROWS_OF_16_BITS, RowBits
from algorithms.optimal.binary.side_bounds import bound_of_root
from algorithms.optimal.driver import Result
from algorithms.optimal.instance import Instance
from algorithms.optimal.plan import Leaf, Plan, counted_tree, split_by_values
from algorithms.optimal.root_tests import NOTHING_EXCLUDED, Root
from algorithms.trees.decision_tree import DecisionTree

FIRST_SLICE = 200_000
"""Units of work in the first slice; fewer if the rows take more than FEW_WORDS, since a unit reads them all."""
FEW_WORDS = 100
SMALLEST_MEMO = 1 << 11


@dataclass
class SharedMemo:
    """The results for sets of rows that searches of one instance share, each with its own tests at the root."""

    entries: RowSetMemo | None = None


class BitSearch:
    """A search over rows as bits, for trees of depth 2 or more. A unit of work is a pair of attributes examined.

    cost   : of a split, in units of the rows' weights
    sizes  : 1: find the least cost; n > 1: find the fewest errors for each number of splits from 0 to n - 1
    memory : limit of the memo, in bytes
    root   : limits on trees for all rows: tests that the root may make, and the objective to improve
    memo   : results of earlier searches of the instance, which this search reuses and extends
    """

    def __init__(
        self,
        instance: Instance,
        rows: RowBits,
        cost: float,
        sizes: int,
        memory: float,
        root: Root = NOTHING_EXCLUDED,
        memo: SharedMemo | None = None,
    ) -> None:
        self.instance, self.rows, self.cost, self.sizes = instance, rows, cost, sizes
        self.unit, self.priced, self.slack = rows.unit, sizes == 1, rows.slack()
        self.first_slice = max(1, FIRST_SLICE * FEW_WORDS // (FEW_WORDS + len(rows.rows)))
        self._memory = memory
        min_leaf, attributes = instance.min_samples_leaf, max(rows.number, 1)
        count_rows, stride = min_leaf > 1 and not rows.alike, -(-attributes // LANES) * LANES
        self.problem = PairProblem(
            columns=rows.columns,
            start=rows.start,
            forced=rows.forced,
            plane=rows.class_of,
            alike=True if rows.alike else None,
            weight=None if rows.alike else rows.weight,
            rows_plane=rows.classes if count_rows else -1,
            classes=rows.classes,
            min_leaf=min_leaf,
            split_cost=cost,
            sizes=sizes,
            stride=stride,
            slack=rows.slack(cost),
            barred=np.zeros(rows.number, np.bool_),
        )
        tests = root.tests
        self._barred = tests is not None and [index not in tests.cuts for index in rows.attributes.tolist()]
        self._limit = root.limit(instance, rows.unit) if sizes == 1 else np.inf
        bits = 64 if not rows.alike else 16 if instance.data.rows <= MOST_ROWS_OF_16_BITS else 32
        whole = {"word": f"u{bits // 8}", "count": f"i{bits // 8}"}
        self._lengths: dict[str, Any] = {
            "attributes": attributes,
            "segments": len(rows.weight),
            "words": len(rows.rows),
            "narrow": len(rows.rows) * (64 // bits),
            "planes": rows.classes + count_rows,  # the last plane counts rows
            "stride": stride,
            "sizes": sizes,
            "count": np.dtype(whole["count"] if rows.alike else np.float64),
        }
        self._sides = arrays_of(SideBuffers, **self._lengths)
        self._block = arrays_of(Lanes, **self._lengths | whole)
        self._shared = memo or SharedMemo()
        self._memo = self._shared.entries or arrays_of(RowSetMemo, slots=SMALLEST_MEMO, sizes=sizes)
        self._shared.entries = self._memo
        self._levels = arrays_of(PairLevels, levels=0, **self._lengths)
        self._state = np.array([NONE, 0, 0], np.int64)  # LEVEL, WORK, DEPTH
        self._ended = PAUSED

    @property
    def work(self) -> int:
        """Units of work done."""
        return int(self._state[WORK])

    def spend(self, work: int) -> None:
        """Add work that is done elsewhere."""
        self._state[WORK] += work

    def bytes_of_levels(self, levels: int) -> int:
        """The size of the largest arrays of a search with this many levels, in bytes."""
        pairs = self._lengths["planes"] * self._lengths["stride"] ** 2 * self._lengths["count"].itemsize
        columns = self.rows.columns.nbytes
        return int(levels * (pairs + columns + 16 * self.rows.number * self.sizes) + 2 * columns)

    def begin(self, mask: Words, depth: int, *, all_rows: bool = False) -> None:
        """Begin with a set of rows, for trees up to a depth."""
        levels = max(depth - 2, 1)
        if len(self._levels.depth) < levels:
            self._levels = arrays_of(PairLevels, levels=levels, **self._lengths)
        limit = self._limit + self.problem.slack if all_rows else np.inf  # from which the kernel subtracts the slack
        self._levels.mask[0], self._levels.limit[0] = mask, limit
        self.problem.barred[:] = all_rows and self._barred
        self._state[LEVEL], self._state[DEPTH], self._ended = NONE, depth, PAUSED

    def advance(self, until: int) -> bool:
        """Continue until this much work is done or the memo is full; return whether the search has ended."""
        bytes_of_entry = 18 + 13 * self.sizes
        may_grow = 5 * len(self._memo.depth) * bytes_of_entry <= self._memory
        arrays = (self.problem, self._levels, self._block, self._sides, self._memo, self._state)
        self._ended = advance(*arrays, until, may_grow)
        return bool(self._ended == DONE)

    def grow(self) -> None:
        """Enlarge the memo if it is full."""
        if self._ended == FULL:
            larger = arrays_of(RowSetMemo, slots=4 * len(self._memo.depth), sizes=self.sizes)
            move_memo(self._memo, larger)
            self._memo = self._shared.entries = larger

    def bound(self) -> Result:
        """The results so far for the rows that are searched."""
        if self._state[LEVEL] == NONE:
            nothing = np.full(self.sizes, np.inf)
            return Result(nothing, np.full(self.sizes, -1), np.zeros(self.sizes), np.zeros(self.sizes))
        levels = self._levels
        best, low = levels.best[0].copy(), levels.best[0].copy()
        if self._ended != DONE:
            bound_of_root(self.problem, levels, low)
        low = np.minimum(low, levels.limit[0] - self.problem.slack)
        return Result(best, levels.attribute[0].copy(), levels.search_depth[0].copy(), low)

    @property
    def needs_no_deeper_search(self) -> bool:
        """Whether the search has ended because no deeper tree can be better."""
        return bool(self._levels.current_depth[0] < self._levels.depth[0])

    def one_level(self, mask: Words) -> Result:
        """The best leaf or single split of a set of rows, as the results of a search for depth 1."""
        rows, problem = self.rows, self.problem
        split, scratch = np.empty(3), np.empty((2, rows.classes))
        best_split(rows.columns, rows.start, rows.class_of, rows.weight, mask, problem.min_leaf, scratch, split)
        column, errors, leaf = split.tolist()
        more = problem.sizes - 1
        best, choice = [leaf, *[min(errors, leaf)] * more], [-1, *[int(column)] * more]
        if not more and errors + problem.split_cost < leaf - rows.slack():
            best, choice = [errors + problem.split_cost], [int(column)]
        return Result(np.array(best), np.array(choice), [1] * problem.sizes, np.array(best))

    def known(self, mask: Words, depth: int, search: Callable[[bool], None]) -> Result:
        """The best trees of a set of rows up to a depth, from the memo or, if they were replaced, by another search."""
        if depth == 1:
            return self.one_level(mask)
        index = find_rows(self._memo, mask, np.empty(2, np.uint64), depth)
        if index < 0 or not self._memo.exact[index]:
            self.begin(mask, depth)
            with suppress(KeyboardInterrupt):
                search(False)
            return self.bound()
        memo = self._memo
        best = memo.value[index].copy()
        return Result(best, memo.attribute[index].copy(), memo.search_depth[index].copy(), best)

    def tree(self, plan: Plan) -> DecisionTree:
        """The tree of a plan, with the rows counted."""
        return counted_tree(plan, len(self.instance.data.classes), self._count_rows)

    def reconstruct(self, result: Result, splits: int, search: Callable[[bool], None]) -> Plan:
        """The best tree of all rows with at most this many splits, or of least cost."""
        return self._plan(self.rows.rows, result, splits, search)

    def split(self, column: int, zero: Plan, one: Plan) -> Plan:
        """A node that tests the attribute of a column."""
        rows = self.rows
        return split_by_values(
            self.instance.data, int(rows.attributes[column]), rows.values[column][:, None], (zero, one)
        )

    def _plan(self, mask: Words, result: Result, size: int, search: Callable[[bool], None]) -> Plan:
        """The tree that a search found for a set of rows: of least cost, or of at most `size` splits."""
        column, depth = int(result.choice[size]), int(result.depth[size])
        if column < 0:
            return Leaf()
        if depth == 1:
            return self.split(column, Leaf(), Leaf())
        sides = [side for value in (0, 1) if (side := self.rows.side(mask, column, value)).any()]
        below = [self.known(side, depth - 1, search) for side in sides]
        if len(sides) == 1:  # it has all rows, so the split below is the tree
            return self._plan(mask, below[0], size, search)
        allowed = (0, 0)
        if len(result.best) > 1:
            allowed = _splits_of_sides(below[0].best, below[1].best, size, self.rows.slack())
        sides_and_results = zip(sides, below, allowed, strict=True)
        return self.split(column, *(self._plan(*side, search) for side in sides_and_results))

    def _count_rows(self, tree: DecisionTree) -> None:
        """Add the rows to the `counts` of the nodes of a tree."""
        rows = self.rows
        column = np.searchsorted(rows.attributes, tree.attribute)
        masks = np.empty((tree.nodes, len(rows.rows)), np.uint64)
        masks[0] = rows.rows
        weight = rows.weight * rows.unit
        write_counts(
            rows.columns, rows.start, rows.decision, weight, column, tree.edges, tree.edge_to, masks, tree.counts
        )


def _splits_of_sides(zero: Numbers, one: Numbers, size: int, slack: float) -> tuple[int, int]:
    """The number of splits of each side, `size` - 1 in total, that gives the fewest errors."""
    least, chosen = np.inf, (0, 0)
    for both in range(size):
        for first in range(both + 1):
            second = both - first
            if first < len(zero) and second < len(one) and zero[first] + one[second] < least - slack:
                least, chosen = zero[first] + one[second], (first, second)
    return chosen
