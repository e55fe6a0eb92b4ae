"""The compiled search over mixed attributes, as a kernel for the driver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import numpy as np

from algorithms._numba.primitives import LANES
from algorithms.array_types import Integers
from algorithms.kernel_arrays import arrays_of
from algorithms.optimal.driver import Result
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed.code_pairs import MOST_BRANCHES, CodePairs
from algorithms.optimal.mixed.cut_windows import empty_sweep, scratch_of_sweeps
from algorithms.optimal.mixed.node_levels import (
    LEVEL,
    MEMO_MAY_GROW,
    NO_CHOICE,
    PAIR_LEVELS,
    SPLIT_BITS,
    WANTED,
    WORK,
    Ended,
    NodeBuffers,
    NodeLevels,
    NodePhase,
)
from algorithms.optimal.mixed.packed_rows import BRANCHES, TreeRule
from algorithms.optimal.mixed.phases import search, words_of_node
from algorithms.optimal.mixed.rank_memo import CostBoundsMemo, move_memo
from algorithms.optimal.mixed.ranked_rows import RankedRows
from algorithms.optimal.mixed.ranks import begin_node
from algorithms.optimal.mixed.sides import ALL_CODES, SideCounts
from algorithms.optimal.never import NEVER
from algorithms.optimal.plan import Leaf, Plan, tree_of_plan
from algorithms.optimal.root_tests import RootTests
from algorithms.optimal.solution import Status, Stopped
from algorithms.trees.decision_tree import DecisionTree

FIRST_SLICE = 1_000_000
"""Units of work in the first slice; fewer if splits are counted, for which a unit takes longer."""

FIRST_MEMO = 1 << 17
"""Bytes of the first memo, approximately."""
FIRST_LEVELS = 16
"""Levels for which there are buffers at first."""
ALL_CUTS = np.array([0, NEVER])
"""The ranks before the first and the last cut of an attribute that the root may make, if it may make all."""
NO_CUT = NEVER, -1
"""The same if it may make none."""
MOST_IN_16_BITS = (1 << 15) // MOST_BRANCHES
"""If the weight of all rows is below this, in units of `grain`, the errors of three branches together fit in an int16:
each branch may count all rows as errors."""


class RankSearch:
    """Searches of sets of rows of an instance, one at a time, with a common memo.

    A unit of work is one row in the sorted list of one attribute.

    memory     : limit of the memo, in bytes
    root_tests : the tests that the root may make in a search of all rows; None: any
    """

    def __init__(
        self, instance: Instance, coded: RankedRows, rule: TreeRule, memory: float, root_tests: RootTests | None = None
    ) -> None:
        self.instance, self.coded, self.rule = instance, coded, rule
        self.unit, self.priced, self.slack = coded.unit, bool(rule.price > 0), 0.0
        self._memory = memory
        rows, classes, width = len(coded.classes), int(rule.classes), int(rule.width)
        self.first_slice = max(1, FIRST_SLICE // width)
        codes = max([len(values) for values in coded.values], default=1)
        self.arena = np.zeros(1 << 14, np.int64)
        self.levels = arrays_of(NodeLevels, levels=FIRST_LEVELS, width=width)
        self.levels.node["min_leaf"][0], self.levels.node["only"][0] = rule.min_leaf, -1
        self._chosen = np.zeros(rows, np.bool_)
        slots = 1 << max(6, (FIRST_MEMO // (16 + 24 * width)).bit_length())
        self.memo = arrays_of(CostBoundsMemo, slots=slots, width=width)
        self.kind = coded.kind_of_lists if coded.kind_of_lists.any() else None
        self.sides = arrays_of(SideCounts, rows=rows, classes=classes, codes=codes)
        all_sweep = rule.sweep_bits and (rule.min_leaf == 1 or rule.row_weight)  # see `node_entry.may_sweep`
        self.packed = None if all_sweep else np.zeros((rows, 2), np.int64)
        window = min(len(coded.attribute), 2 * LANES if coded.repeats else LANES)
        self.sweep = empty_sweep(rows, classes, window) if rule.sweep_bits else None
        self.numbers = scratch_of_sweeps(rule.sweep_bits, classes) if rule.sweep_bits else None
        self.grains = coded.rows.grains if rule.sweep_bits == 64 else None
        self.fewest = np.zeros((4, LANES), np.int64) if rule.sweep_bits and rule.min_leaf > 1 else None
        self.pairs = paired_rows(instance, coded, rule, memory)
        attributes = len(coded.attribute)
        self.scratch = arrays_of(
            NodeBuffers, rows=rows, classes=classes, attributes=attributes, codes=max(2, codes), width=max(2, width)
        )
        self.scratch.state[MEMO_MAY_GROW] = 1
        self.scratch.root_cuts[:] = ALL_CUTS
        self._root_cuts = None
        if root_tests is not None:
            cuts = [root_tests.cuts.get(index, NO_CUT) for index in coded.attribute]
            self._root_cuts = np.array(cuts, np.int64).reshape(-1, 2)  # of this type without attributes, too
        self._no_limit = np.full(width, NEVER)
        self._ended = int(Ended.PAUSED)

    @property
    def work(self) -> int:
        """Units of work done."""
        return int(self.scratch.state[WORK])

    def begin(self, rows: Integers, depth: int, limit: Integers, *, look: bool = False) -> None:
        """Begin a search of some rows for trees within a depth that cost less than a limit.

        rows  : (chosen rows,) indices of merged rows
        limit : (width,) by number of splits, in the unit of the weights
        look  : whether only to look up what is known about the rows
        """
        words = self.coded.words
        if self.pairs is not None and (look or depth <= PAIR_LEVELS):
            words = words[:1]  # any list has all rows, and none need be sorted
        attributes, size = len(words), len(words) * len(rows)
        wanted = 2 * attributes + size + int(words_of_node(len(rows), attributes, self.rule.width, self.rule.classes))
        if wanted > len(self.arena):
            self._grow_arena(wanted)
        begin_node(words, rows, depth, limit, self._chosen, self.arena, self.levels)
        self.scratch.state[LEVEL] = 0
        if self._root_cuts is not None:
            self.scratch.root_cuts[:] = self._root_cuts if len(rows) == len(self.coded.classes) else ALL_CUTS

    def advance(self, until: int) -> bool:
        """Continue until this much work is done or an array must grow; return whether the search has ended."""
        self._ended = self._search(until, look=False)
        return self._ended == Ended.DONE

    def grow(self) -> None:
        """Enlarge the array that stopped the search."""
        if self._ended == Ended.ARENA:
            self._grow_arena(int(self.scratch.state[WANTED]))
        elif self._ended == Ended.LEVELS:
            self._grow_levels()
        elif self._ended == Ended.MEMO:
            self._grow_memo()

    def bound(self) -> Result:
        """The results so far for the rows of the search."""
        node = self.levels.node[0]
        levels, width = self.levels, node["width"]
        best, choice = levels.best[0, :width].copy(), levels.choice[0, :width].copy()
        low = np.maximum(levels.low[0, :width], node["lowest"])
        if self.rule.counts_splits:
            low[0] = node["leaf"]
        if self.scratch.state[LEVEL] == 0 and node["phase"] == NodePhase.LEAVE:
            low = np.maximum(low, np.minimum(best, levels.limit[0, :width]))
        return Result(best, choice, int(node["depth"]), np.minimum(low, best))

    def tree(self, plan: Plan) -> DecisionTree:
        """The tree of a plan, with the rows counted."""
        return tree_of_plan(plan, self.instance.data, self.instance.weights)

    def reconstruct(self, result: Result, splits: int, search: Callable[[bool], None]) -> Plan:
        """The best tree of all rows with at most this many splits."""
        return self._plan(np.arange(len(self.coded.classes)), result, splits, search)

    def _plan(self, rows: Integers, result: Result, splits: int, search: Callable[[bool], None]) -> Plan:
        """The best tree of some rows with at most this many splits, from their results and the memo."""
        choice = int(result.choice[splits])
        if choice == NO_CHOICE:
            return Leaf()
        attribute, parts = self.split(rows, choice)
        if result.depth == 1:
            return self.coded.plan(self.instance.data, parts, attribute, [Leaf()] * len(parts))
        children = [self._look(part, result.depth - 1) for part in parts]
        price = self.price(len(parts))
        allowed = self._splits_of_children(children, splits)
        cost = price + sum(int(child.best[s]) for child, s in zip(children, allowed, strict=True))
        if cost > result.best[splits]:  # the memo was full and lacks these results
            with suppress(Stopped):
                children = [self._solved(part, result.depth - 1, search) for part in parts]
            allowed = self._splits_of_children(children, splits)
        below = [self._plan(part, child, s, search) for part, child, s in zip(parts, children, allowed, strict=True)]
        return self.coded.plan(self.instance.data, parts, attribute, below)

    def split(self, rows: Integers, choice: int) -> tuple[int, list[Integers]]:
        """The attribute of a choice, and the parts into which it splits some rows."""
        attribute, split = choice >> SPLIT_BITS, choice & ((1 << SPLIT_BITS) - 1)
        return attribute, self.coded.parts(rows, attribute, split)

    def _solved(self, rows: Integers, depth: int, search: Callable[[bool], None]) -> Result:
        self.begin(rows, depth, self._no_limit)
        search(True)
        return self.bound()

    def price(self, branches: int) -> int:
        """The cost of a split with this many branches, in units."""
        return int(self.rule.price) * (branches - 1 if self.rule.per_leaf else 1)

    def _splits_of_children(self, children: Sequence[Result], splits: int) -> list[int]:
        """The number of splits of each child for the least total cost; their sum is at most `splits` - 1."""
        if not self.rule.counts_splits:
            return [0] * len(children)
        tables = [np.zeros(splits, np.int64)]
        for child in children:
            before = tables[-1]
            table = before + child.best[0]
            for mine, cost in enumerate(child.best[1:splits].tolist(), 1):
                np.minimum(table[mine:], before[:-mine] + cost, out=table[mine:])
            tables.append(table)
        allowed, left = [], splits - 1
        for child, table in zip(reversed(children), reversed(tables[:-1]), strict=True):
            costs = child.best[np.minimum(np.arange(left + 1), len(child.best) - 1)]
            mine = int((table[left::-1] + costs).argmin())
            allowed.append(min(mine, len(child.best) - 1))
            left -= mine
        return allowed[::-1]

    def _look(self, rows: Integers, depth: int) -> Result:
        """The results that the memo, or the search for a stump, has for some rows."""
        classes = self.coded.classes[rows]
        if (classes == classes[0]).all():
            nothing = np.zeros(1, np.int64)
            return Result(nothing, nothing + NO_CHOICE, 0, nothing)
        self.begin(rows, depth, self._no_limit, look=True)
        self._search(NEVER, look=True)
        node = self.levels.node[0]
        best, choice = (vectors[0, : node["width"]].copy() for vectors in (self.levels.best, self.levels.choice))
        return Result(best, choice, int(node["depth"]), best)

    def _search(self, until: int, *, look: bool) -> int:
        rows, rule, branches = self.coded.rows, self.rule, None if self.rule.binary else True
        arrays = self.arena, self.levels, self.memo, self.sides, self.packed, self.sweep, self.numbers, self.grains
        return int(search(rows, self.kind, branches, rule, *arrays, self.fewest, self.pairs, self.scratch, until, look))

    def _grow_arena(self, wanted: int) -> None:
        """Enlarge the arena. Raises Stopped if the costs by number of splits take more than the limit of memory."""
        if self.rule.counts_splits and 8 * wanted > self._memory:
            raise Stopped(Status.MEMORY_LIMIT)
        arena = np.empty(max(wanted, 2 * len(self.arena)), np.int64)
        arena[: len(self.arena)] = self.arena
        self.arena = arena

    def _grow_levels(self) -> None:
        old = self.levels
        self.levels = arrays_of(NodeLevels, levels=2 * len(old.node), width=int(self.rule.width))
        for before, now in zip(old, self.levels, strict=True):
            now[: len(before)] = before

    def _grow_memo(self) -> None:
        slots = len(self.memo.key)
        entry = 16 + 24 * int(self.rule.width)
        if 3 * slots * entry > self._memory:  # the old and the new table exist at the same time
            self.scratch.state[MEMO_MAY_GROW] = 0
            return
        larger = arrays_of(CostBoundsMemo, slots=2 * slots, width=int(self.rule.width))
        move_memo(self.memo, larger)
        self.memo = larger


def paired_rows(instance: Instance, coded: RankedRows, rule: TreeRule, memory: float) -> CodePairs | None:
    """The rows as bits for `code_pairs`; None if pairs are not counted or the arrays take more than `memory` bytes."""
    if not _counts_pairs(instance, coded, rule):
        return None
    grains, total = coded.rows.grains, int(coded.rows.grains.sum())
    bits = 16 if total < MOST_IN_16_BITS else 32 if total < MOST_IN_16_BITS << 16 else 64
    attribute = np.argsort(-coded.kind, kind="stable")
    number, with_three = len(attribute), int((coded.kind == BRANCHES).sum())
    half = -(-number // LANES) * LANES
    order = np.lexsort((grains, coded.classes))
    changes = np.diff(coded.classes[order]) | np.diff(grains[order])
    begin = np.concatenate([[0], 1 + np.flatnonzero(changes)])  # where each segment of one class and weight begins
    rows = np.diff(begin, append=len(order))
    first = np.concatenate([[0], np.cumsum(-(-rows // 64))])  # each segment starts at a new word
    columns, words = half + with_three, int(first[-1])
    if 8 * words * (9 * columns + 4 * half + MOST_BRANCHES * number) > memory:
        return None
    bit = np.empty_like(order)
    bit[order] = np.arange(len(order)) + np.repeat(64 * first[:-1] - begin, rows)
    cells = np.zeros((columns, 64 * words), np.bool_)
    cells[:number, bit] = coded.ranks[attribute] == 1
    cells[half:, bit] = coded.ranks[attribute[:with_three]] == 2
    return arrays_of(
        CodePairs,
        columns=columns,
        words=words,
        segments=len(rows),
        classes=int(rule.classes),
        rows=len(order),
        attributes=number,
        width=int(rule.width),
        narrow=words * (64 // bits),
        stride=2 * half,
        lane=LANES,
        word=f"u{bits // 8}",
        count=f"i{bits // 8}",
    )._replace(
        bits=np.packbits(cells, axis=1, bitorder="little").view(np.uint64),
        first=first,
        segment_of=np.searchsorted(coded.classes[order[begin]], np.arange(int(rule.classes) + 1)),
        weight=grains[order[begin]].astype(f"i{bits // 8}"),
        bit=bit,
        ones=np.full((1, words * (64 // bits)), np.iinfo(f"u{bits // 8}").max, f"u{bits // 8}"),
        attribute=attribute,
        split=np.where(coded.kind[attribute] == BRANCHES, ALL_CODES, 0),
    )


def _counts_pairs(instance: Instance, coded: RankedRows, rule: TreeRule) -> bool:
    """Whether nodes with two levels left are solved from counts of pairs.

    This needs attributes of at most three codes, the same price for a split with two and with three branches, and rows
    of equal weight if leaves have a minimum size. It is done only if missing labels have a branch of their own, because
    it may return another of several equally good trees than the search of sorted lists.
    """
    one_price = not (rule.subsets or (rule.per_leaf and rule.price))
    sizes_known = rule.min_leaf == 1 or rule.row_weight
    if rule.binary or instance.missing != "own_branch" or not one_price or not sizes_known:
        return False
    codes = np.where(coded.kind == BRANCHES, MOST_BRANCHES, 2)
    return bool((coded.kind <= BRANCHES).all()) and [*map(len, coded.values)] == codes.tolist()
