"""Least costs of the trees over sets of rows, and exactly how many trees have them, by dynamic programming.

The cost of a tree is the sum of its errors and of the costs of its splits or leaves, in the unit of the weights. If the
instance limits the splits, there is one least cost for each number of splits; otherwise there is one for any number.

Each subtree of an optimal tree is optimal for its rows, its depth and its number of splits. So the costs and numbers of
a node follow from those of the branches of each of its splits. A split is dropped as soon as its branches are known to
cost more than is allowed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algorithms._numba.compiling import Stopwatch
from algorithms.array_types import Numbers
from algorithms.data_set import Attribute, AttributeKind, Column, DataSet
from algorithms.optimal.instance import Instance
from algorithms.optimal.node_splits import NodeSplit, node_splits
from algorithms.optimal.solution import Effort

__all__ = ["CountedCosts", "EffortSpentError", "LeastCost"]

Rows = NDArray[np.int64]

TIE = 1e-9
"""Objectives that differ by less than this are equal."""

ENTRY_BYTES = 500
"""About what an entry of the table takes in addition to its key."""


class EffortSpentError(RuntimeError):
    """The optimal trees could not be counted within the effort allowed."""


@dataclass(frozen=True)
class LeastCost:
    """The least cost of the trees over some rows, and how many trees have it.

    Both have an element for each number of splits, from 0, or only one, for any number of splits.
    """

    cost: tuple[float, ...]
    number: tuple[int, ...]

    def joined(self, other: LeastCost, tie: float) -> LeastCost:
        """Each tree of this paired with each tree of the other: costs and numbers of splits add up."""
        length = len(self.cost)
        pairs = [(k, i) for k in range(length) for i in range(k + 1) if k - i < len(other.cost)]
        terms = [(k, self.cost[i] + other.cost[k - i], self.number[i] * other.number[k - i]) for k, i in pairs]
        return least_of(terms, length, tie)

    def or_else(self, other: LeastCost, tie: float) -> LeastCost:
        """The trees of both."""
        both = [(k, *pair) for one in (self, other) for k, pair in enumerate(zip(one.cost, one.number, strict=True))]
        return least_of(both, len(self.cost), tie)


@dataclass(eq=False)
class CountedCosts:
    """The table of the dynamic programme: the results for the sets of rows that were met so far.

    `of` raises EffortSpentError if the effort does not suffice.
    """

    instance: Instance
    effort: Effort = field(default_factory=Effort)
    subsets: bool = False

    data: DataSet = field(init=False)
    weights: Numbers = field(init=False)
    tie: float = field(init=False)
    at_split: float = field(init=False)
    at_leaf: float = field(init=False)
    root: Rows = field(init=False)
    depth: int = field(init=False)
    length: int = field(init=False)
    work: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        """Sort the rows by class and weight, and mark which rows are below each cut."""
        data, weights = self.instance.data, self.instance.weights
        order = np.lexsort((weights, data.decisions))
        self.data, self.weights = data.take(order), weights[order]
        self.tie = TIE * self.instance.baseline
        self.at_split = self.instance.size_cost if self.instance.penalty == "splits" else 0.0
        self.at_leaf = self.instance.size_cost if self.instance.penalty == "leaves" else 0.0
        two = [about.kind is AttributeKind.NUMERIC or len(np.unique(c)) <= 2 for about, c in _columns(data)]
        self._below = _below(self.data.select([place for place, one in enumerate(two) if one]), self.effort.memory)
        self._wide = self.data.select([place for place, one in enumerate(two) if not one])
        self._by_class = np.eye(len(data.classes))[self.data.decisions] * self.weights[:, None]
        self._forced = _forced(self.data, self.weights)
        self._clock = Stopwatch()
        self._known: dict[tuple[bytes, int], tuple[float, LeastCost]] = {}
        self._one_level_costs: dict[bytes, LeastCost] = {}
        self._held = self._below.inside.nbytes
        self.root = np.arange(data.rows)
        self.depth, self.length = self._limits()

    def of(self, rows: Rows, depth: int, ceiling: float = math.inf) -> LeastCost:
        """The least costs of the trees over rows, in order, of at most this depth.

        A cost above the ceiling may be given as infinite.
        """
        depth = self.useful_depth(rows, depth, ceiling)
        if depth == 0:
            leaf = self.leaf(rows)
            return LeastCost((leaf,), (int(leaf < math.inf),))
        key = self._key(rows), depth
        known_to, known = self._known.get(key, (-math.inf, None))
        if known is not None and (ceiling <= known_to or (len(known.cost) == 1 and known.cost[0] <= known_to)):
            return known
        self._spend(len(rows))
        if depth == 1:
            return self._one_level_known(key[0], rows)
        found = self._more_levels(rows, depth, ceiling)
        self._known[key] = ceiling, found
        self._held += len(key[0]) + ENTRY_BYTES
        return found

    def useful_depth(self, rows: Rows, depth: int, ceiling: float = math.inf) -> int:
        """The greatest depth, at most this one, of trees that can cost no more than a leaf and than the ceiling."""
        depth = min(depth, len(rows) // self.instance.min_samples_leaf - 1)
        if depth <= 0 or self.instance.baseline == 0:
            return 0
        if self.instance.size_cost > 0:
            saved = min(self.leaf(rows), ceiling) - self.least(rows) + self.tie
            depth = int(min(depth, max(saved // self.instance.size_cost, 0)))
        return depth

    def splits(self, rows: Rows) -> Iterator[NodeSplit]:
        """The splits of a node with these rows."""
        return node_splits(self.data, rows, self.instance.min_samples_leaf, subsets=self.subsets)

    def leaf(self, rows: Rows) -> float:
        """The cost of a leaf with these rows; infinite if they are too few for a leaf."""
        if len(rows) < self.instance.min_samples_leaf:
            return math.inf
        return self._errors(rows) + self.at_leaf

    def least(self, rows: Rows) -> float:
        """A lower bound of the cost of any tree over these rows: the errors on rows that no split can separate."""
        return float(self._forced[rows].sum()) + self.at_leaf

    def least_through(self, split: NodeSplit) -> float:
        """A lower bound of the cost of any tree that has this split at its root."""
        return self.at_split + sum(map(self.least, split.parts))

    def through(self, split: NodeSplit, depth: int, ceiling: float) -> LeastCost | None:
        """The least costs of the trees of at most this depth with this split at the root.

        None if all of them cost more than `ceiling`.
        """
        return self._through(split, depth, ceiling)[0]

    def _through(self, split: NodeSplit, depth: int, ceiling: float) -> tuple[LeastCost | None, list[float]]:
        """The result of `through`, and for each branch a lower bound of the cost of its trees."""
        least = [self.least(part) for part in split.parts]
        trees = LeastCost((self.at_split,), (1,)) if self.length == 1 else self._one_split_first()
        for place in sorted(range(len(least)), key=lambda place: -len(split.parts[place])):
            most = ceiling - self.at_split - sum(least) + least[place]
            if least[place] > most + self.tie:
                return None, least
            part = self.of(split.parts[place], depth - 1, most)
            cost = min(part.cost)
            if cost > most + self.tie:
                least[place] = most
                return None, least
            least[place] = cost
            trees = trees.joined(part, self.tie)
        return trees, least

    def _more_levels(self, rows: Rows, depth: int, ceiling: float) -> LeastCost:
        leaf = self.leaf(rows)
        found = LeastCost((leaf, *(math.inf,) * (self.length - 1)), (int(leaf < math.inf), *(0,) * (self.length - 1)))
        ceiling = min(ceiling, leaf)
        if self.length == 1 and depth > 2:
            ceiling = min(ceiling, self.of(rows, depth - 1, ceiling).cost[0])
        by_attribute = [list(splits) for _, splits in groupby(self.splits(rows), key=lambda split: split.attribute)]
        errors = [min(sum(map(self._errors, split.parts)) for split in splits) for splits in by_attribute]
        for place in sorted(range(len(errors)), key=lambda place: errors[place]):
            found = self._through_any(by_attribute[place], depth, ceiling, found)
        return found

    def _through_any(self, splits: list[NodeSplit], depth: int, ceiling: float, found: LeastCost) -> LeastCost:
        """`found`, extended by the trees that have one of the splits of an attribute at the root.

        If a leaf may have a single row, trees over more rows cost no less. So a lower bound for the lower branch of a
        cut holds for the lower branches of all higher cuts, and one for its upper branch for those of all lower cuts.
        """
        beside = splits[0].groups == () and self.instance.min_samples_leaf == 1
        waiting = [(0, len(splits), 0.0, 0.0)]  # first, last + 1, lower bounds of the lower and the upper branch
        while waiting:
            low, high, lower, upper = waiting.pop()
            ceiling = min(ceiling, found.cost[0])  # trees of more splits that cost more are never wanted
            if low >= high or self.at_split + lower + upper > ceiling + self.tie:
                continue
            cut = (low + high) // 2 if beside else low
            trees, least = self._through(splits[cut], depth, ceiling)
            if trees is not None:
                found = found.or_else(trees, self.tie)
            if beside:
                waiting += [(low, cut, lower, max(upper, least[1])), (cut + 1, high, max(lower, least[0]), upper)]
            else:
                waiting.append((low + 1, high, 0.0, 0.0))
        return found

    def _one_level_known(self, key: bytes, rows: Rows) -> LeastCost:
        """The result of `_one_level`, remembered while memory allows, as most sets of rows are met many times."""
        if key not in self._one_level_costs:
            if self._held + (len(self._one_level_costs) + 1) * (len(key) + ENTRY_BYTES) > self.effort.memory:
                self._one_level_costs.clear()
            self._one_level_costs[key] = self._one_level(rows)
        return self._one_level_costs[key]

    def _one_level(self, rows: Rows) -> LeastCost:
        """The least costs of the leaf and of the trees of one split; all two-way splits are computed at once."""
        inside, of_class = self._below.inside[rows], self._by_class[rows]
        number, below, both = inside.sum(axis=0), inside.T @ of_class, of_class.sum(axis=0)
        before = np.where(self._below.first, 0, np.concatenate([[0], number[:-1]]))
        least = self.instance.min_samples_leaf
        allowed = (number > before) & (number >= least) & (number <= len(rows) - max(least, 1))
        errors = [of.sum(axis=1) - of.max(axis=1) for of in (below[allowed], both - below[allowed])]
        wide = node_splits(self._wide, rows, least, subsets=self.subsets)
        of_wide = [sum(self._errors(part) + self.at_leaf for part in split.parts) for split in wide]
        costs = self.at_split + np.concatenate([errors[0] + errors[1] + 2 * self.at_leaf, of_wide])
        least_cost, leaf = costs.min(initial=math.inf), self.leaf(rows)
        number_of = int(np.count_nonzero(costs <= least_cost + self.tie)) if len(costs) else 0
        terms = [(0, leaf, int(leaf < math.inf)), (min(self.length - 1, 1), float(least_cost), number_of)]
        return least_of(terms, min(self.length, 2), self.tie)

    def _one_split_first(self) -> LeastCost:
        """The cost of a split alone, before those of its branches are added."""
        rest = self.length - 2
        return LeastCost((math.inf, self.at_split, *(math.inf,) * rest), (0, 1, *(0,) * rest))

    def _errors(self, rows: Rows) -> float:
        of_class = np.bincount(self.data.decisions[rows], self.weights[rows])
        return float(of_class.sum()) - float(of_class.max())

    def _limits(self) -> tuple[int, int]:
        """(greatest depth, length of a `LeastCost`: 1 if the number of splits is not limited)."""
        instance, rows = self.instance, self.data.rows
        depth = self.useful_depth(self.root, rows if instance.max_depth is None else instance.max_depth)
        if instance.max_splits is None:
            return depth, 1
        widest = max(
            [2, *(len(np.unique(c)) for a, c in zip(self.data.attributes, self.data.columns, strict=True) if a.labels)]
        )
        splits = min(sum(widest**level for level in range(depth)), rows // self.instance.min_samples_leaf - 1)
        depth = min(depth, instance.max_splits)
        return depth, 1 if splits <= instance.max_splits else instance.max_splits + 1

    def _key(self, rows: Rows) -> bytes:
        inside = np.zeros(self.data.rows, np.bool_)
        inside[rows] = True
        return np.packbits(inside).tobytes()

    def _spend(self, rows: int) -> None:
        """Count a set of rows as work; raise EffortSpentError if a limit is reached."""
        self.work += rows
        limits = (
            (
                self.effort.work is not None and self.work > self.effort.work,
                f"its limit of {self.effort.work} units of work",
            ),
            (
                self.effort.seconds is not None and self._clock.seconds > self.effort.seconds,
                f"its limit of {self.effort.seconds} seconds",
            ),
            (self._held > self.effort.memory, f"its limit of {self.effort.memory:,} bytes"),
        )
        for reached, limit in limits:
            if reached:
                msg = (
                    f"counting the optimal trees of {self.data.rows:,} rows and {len(self.data.columns):,} attributes "
                    f"reached {limit}, with {len(self._known):,} sets of rows known. Raise the limit, or ask for less "
                    "depth, fewer splits, larger leaves or a larger alpha"
                )
                raise EffortSpentError(msg)


class _Below(NamedTuple):
    """Which rows are below each cut of each numeric or two-valued attribute.

    inside : (rows, cuts); first : (cuts,) whether a cut is the first of its attribute
    """

    inside: NDArray[np.uint8]
    first: NDArray[np.bool_]


def _below(data: DataSet, memory: int) -> _Below:
    values = [np.unique(column) for column in data.columns]
    cuts = sum(len(of) - 1 for of in values)
    if data.rows * cuts > memory:
        msg = (
            f"{data.rows:,} rows and {cuts:,} values take {data.rows * cuts:,} bytes, but {memory:,} are "
            "allowed: raise the limit, or cut the numbers into fewer intervals"
        )
        raise EffortSpentError(msg)
    inside = [np.less_equal.outer(column, of[:-1]) for column, of in zip(data.columns, values, strict=True)]
    first = [np.arange(len(of) - 1) == 0 for of in values]
    nothing = np.zeros((data.rows, 0), np.bool_)
    return _Below(np.hstack([nothing, *inside]).astype(np.uint8), np.concatenate([np.zeros(0, np.bool_), *first]))


def _columns(data: DataSet) -> Iterator[tuple[Attribute, Column]]:
    return zip(data.attributes, data.columns, strict=True)


def _forced(data: DataSet, weights: Numbers) -> Numbers:
    """(rows,): the weight of each row that is not of the most common class of the rows with equal values."""
    _, kind = np.unique(data.values(), axis=0, return_inverse=True)
    of_class = np.zeros((kind.max() + 1, len(data.classes)))
    np.add.at(of_class, (kind.ravel(), data.decisions), weights)
    return np.where(of_class.argmax(axis=1)[kind.ravel()] == data.decisions, 0.0, weights)


def least_of(terms: list[tuple[int, float, int]], length: int, tie: float) -> LeastCost:
    """The least cost for each number of splits below `length`, from terms (splits, cost, number of trees)."""
    cost, number = [math.inf] * length, [0] * length
    for k, value, _ in terms:
        cost[k] = min(cost[k], value)
    for k, value, times in terms:
        if value <= cost[k] + tie and value < math.inf:
            number[k] += times
    return LeastCost(tuple(cost), tuple(number))
