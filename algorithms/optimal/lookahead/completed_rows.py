"""Greedy trees for the rows of an instance, and the best split above them, within the limits of a search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from algorithms._numba.compiling import Stopwatch
from algorithms.array_types import Integers
from algorithms.kernel_arrays import arrays_of
from algorithms.optimal.instance import Instance
from algorithms.optimal.lookahead.completions import (
    ATTRIBUTE,
    BEST_ATTRIBUTE,
    BEST_COST,
    BEST_SPLIT,
    CURSOR_FIELDS,
    LEAF_COST,
    NODES,
    PARENT,
    SPLIT,
    SPLIT_COST,
    WORK,
    grow,
    search_splits,
)
from algorithms.optimal.lookahead.greedy_splits import GreedyBuffers, GreedyProblem
from algorithms.optimal.mixed.packed_rows import CUTS, ROW_MASK
from algorithms.optimal.mixed.ranked_rows import RankedRows
from algorithms.optimal.mixed.sides import ALL_CODES
from algorithms.optimal.never import NEVER
from algorithms.optimal.plan import Leaf, Plan
from algorithms.optimal.solution import Effort, Status
from algorithms.rounding import EQUAL_SHARE
from algorithms.trees.node_kinds import NO_ATTRIBUTE

SLICE = 8_000_000
"""Units of work between checks of the limits, divided by the number of classes: some 20 ms."""

MOST_LOGS = 1 << 16
"""The most values of w log2 w that are tabulated."""


class CompletedSplit(NamedTuple):
    """A split of some rows, and its cost with the trees below it."""

    cost: int  # in units of `RankedRows.unit`
    attribute: int  # index in `RankedRows`
    split: int  # the greatest rank of the left branch; ALL_CODES: a branch for each value


class CompletedRows:
    """The rows of an instance, with greedy trees for any of them.

    stopped : the limit that has been reached, if any. After it, greedy trees are grown, but no splits are searched
    weights : (rows of the instance,) those of `instance`, or those of `instance.lighter` if the heaviest rows would
              round the others too much
    """

    def __init__(self, instance: Instance, effort: Effort, thresholds: int | None) -> None:
        self.instance, self.effort = instance, effort
        self.stopped: Status | None = None
        self.clock = Stopwatch()
        self.weights, self.coded = instance.weights, RankedRows.of(instance, subsets=False)
        if 0 < EQUAL_SHARE * instance.baseline < self.rounding_error:
            lighter = instance.lighter
            self.weights, self.coded = lighter.weights, RankedRows.of(lighter, subsets=False)
        coded = self.coded
        rows = len(coded.classes)
        self.problem = GreedyProblem(
            rows=coded.rows,
            kind=coded.kind,
            price=coded.price(instance),
            per_leaf=instance.penalty == "leaves",
            least=instance.min_samples_leaf,
            grain=coded.grain,
            thresholds=rows if thresholds is None else min(thresholds, rows),
        )
        logs = min(int(coded.rows.grains.sum()) + 1, MOST_LOGS)
        self.scratch = arrays_of(
            GreedyBuffers,
            attributes=len(coded.attribute),
            rows=rows,
            codes=max([2, *map(len, coded.values)]),
            classes=len(instance.data.classes),
            logs=logs,
        )
        counts = np.arange(logs, dtype=np.float64)
        self.scratch.logs[1:] = counts[1:] * np.log2(counts[1:])

    @property
    def work(self) -> int:
        """Units of work done; a unit is one row in the list of one attribute."""
        return int(self.scratch.state[WORK])

    @property
    def all_rows(self) -> Integers:
        """The index of each row."""
        return np.arange(len(self.coded.classes))

    @property
    def price(self) -> int:
        """The cost of a split in two."""
        return int(self.problem.price)

    @property
    def rounding_error(self) -> float:
        """The greatest error of a sum of weights, because they are rounded to whole units."""
        coded = self.coded
        weights = np.bincount(coded.of_row, self.weights)
        return float(np.abs(weights - coded.rows.weight * coded.unit).sum())

    def price_of(self, branches: int) -> int:
        """The cost of a split into this number of branches."""
        return self.price * (branches - 1 if self.problem.per_leaf else 1)

    def lower_bound(self, rows: Integers) -> int:
        """A lower bound of the cost of trees for some rows."""
        return min(self.coded.leaf_cost(rows), self.price + int(self.coded.rows.forced[rows].sum()))

    def greedy(self, rows: Integers, depth: int) -> tuple[int, CompletedSplit | None]:
        """The cost of the greedy tree for some rows, and the split that it tries at its root, if any."""
        if not depth or not self.coded.attribute:
            return self.coded.leaf_cost(rows), None
        cost = int(grow(self.problem, self.scratch, self._words(rows), depth))
        root = self.scratch.nodes[0].tolist()
        return cost, None if root[ATTRIBUTE] == NO_ATTRIBUTE else CompletedSplit(
            root[SPLIT_COST], root[ATTRIBUTE], root[SPLIT]
        )

    def greedy_tree(self, rows: Integers, depth: int) -> Plan:
        """The greedy tree for some rows."""
        if not depth or not self.coded.attribute:
            return Leaf()
        grow(self.problem, self.scratch, self._words(rows), depth)
        return self._plan(self.scratch.nodes[: self.scratch.state[NODES]].tolist(), rows)

    def best_split(self, rows: Integers, depth: int, limit: int = NEVER) -> CompletedSplit | None:
        """The split of least cost if greedy trees complete its branches; None if none costs less than the limit.

        Of several, it is the first. If the effort is spent, it is the best split so far.
        """
        cursor = np.zeros(CURSOR_FIELDS, np.int64)
        cursor[BEST_COST], cursor[BEST_ATTRIBUTE] = limit, NO_ATTRIBUTE
        words = self._words(rows)
        floor = self.price + int(self.coded.rows.forced[rows].sum())
        of_slice = SLICE // len(self.instance.data.classes)
        while not self.spent():
            until = min(self.work + of_slice, NEVER if self.effort.work is None else self.effort.work)
            if search_splits(self.problem, self.scratch, words, depth - 1, floor, cursor, until):
                break
        best, attribute, split = cursor[[BEST_COST, BEST_ATTRIBUTE, BEST_SPLIT]].tolist()
        return None if attribute == NO_ATTRIBUTE else CompletedSplit(best, attribute, split)

    def splits(self, rows: Integers) -> list[tuple[int, int]]:
        """The attribute and the split of each split that `best_split` tries, in its order."""
        result: list[tuple[int, int]] = []
        for attribute, kind in enumerate(self.coded.kind):
            ranks, at, sizes = np.unique(self.coded.ranks[attribute, rows], return_inverse=True, return_counts=True)
            counts = np.bincount(at, self.coded.rows.count[rows])
            if kind == CUTS:
                left = counts.cumsum()[:-1]
                large = np.minimum(left, counts.sum() - left) >= self.problem.least
                share = sizes.cumsum()[:-1] * (self.problem.thresholds + 1) // len(rows)
                result += [(attribute, rank) for rank in ranks[:-1][large & (np.diff(share, prepend=0) > 0)].tolist()]
            elif len(ranks) > 1 and counts.min() >= self.problem.least:
                result.append((attribute, ALL_CODES))
        return result

    def node(self, parts: list[Integers], attribute: int, below: list[Plan]) -> Plan:
        """The node that has these parts, and a tree for each."""
        return self.coded.plan(self.instance.data, parts, attribute, below)

    def _words(self, rows: Integers) -> Integers:
        """(attributes, rows): the lists of some rows, see `completions`."""
        words = self.coded.words
        if len(rows) == words.shape[1]:
            return words
        chosen = np.zeros(words.shape[1], np.bool_)
        chosen[rows] = True
        result: Integers = words[chosen[words & ROW_MASK]].reshape(len(words), len(rows))
        return result

    def spent(self) -> bool:
        """Whether a limit has been reached."""
        self.stopped = self.stopped or self.effort.reached(self.clock.seconds, self.work)
        return self.stopped is not None

    def _plan(self, nodes: list[list[int]], rows: Integers) -> Plan:
        """The plan of the tree whose nodes `grow` wrote, parents first; some of them are better as leaves."""
        below: list[list[int]] = [[] for _ in nodes]
        for node in range(1, len(nodes)):
            below[nodes[node][PARENT]].append(node)
        rows_of, parts = {0: rows}, {}
        for node, record in enumerate(nodes):
            if node in rows_of and record[SPLIT_COST] < record[LEAF_COST]:
                parts[node] = self.coded.parts(rows_of[node], record[ATTRIBUTE], record[SPLIT])
                rows_of |= zip(below[node], parts[node], strict=False)  # at the last level the parts are leaves
        plans: dict[int, Plan] = {}
        for node in reversed(parts):
            children = [plans.get(child, Leaf()) for child in below[node]] or [Leaf()] * len(parts[node])
            plans[node] = self.node(parts[node], nodes[node][ATTRIBUTE], children)
        return plans.get(0, Leaf())
