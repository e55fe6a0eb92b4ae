"""The tests that a node may make: their prices and costs, the conditions that remain below them, and their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from heapq import heappop, heappush
from itertools import pairwise, product
from math import inf
from typing import Any, NamedTuple

import numpy as np

from algorithms.array_types import Numbers
from algorithms.optimal.conditions.conditioned_rows import Branches, ConditionedRows, RowShares
from algorithms.optimal.conditions.free_rows import FreeRows
from algorithms.optimal.conditions.split_costs import APART, COUNT_TOLERANCE, leaf_of, try_tests
from algorithms.optimal.conditions.terms import UNRANKED, ConditionTerms, bits_of
from algorithms.optimal.conditions.two_level_costs import NONE, best_of_tests, sum_node

CHUNK = 10**6
"""About the sums that tests of two levels read between checks of the limits."""
FIRST_TESTS = 4
"""Tests that are tried first at the root of a tree of two levels."""


class State(NamedTuple):
    """The conditions that remain for the trees of some rows."""

    splits: float  # splits at most
    required: int  # attributes that must be tested, as bits
    rank: int  # no attribute of a lower rank may be tested
    tested: int  # attributes that the path has tested and that rows can be split by again, as bits
    lowest: int  # the lowest class of a leaf
    highest: int  # the highest


def allotments(required: int, splits: float, *, is_last: bool) -> Iterator[tuple[int, float]]:
    """The possible shares of a branch in the remaining required attributes (bits) and splits; the last one gets all."""
    numbers = [splits] if is_last or splits == inf else range(int(splits) + 1)
    return product([required] if is_last else _subsets(required), numbers)


def _subsets(bits: int) -> Iterator[int]:
    """All sets of some bits."""
    subset = 0
    yield subset
    while subset != bits:
        subset = (subset - bits) & bits
        yield subset


class ConditionedNode(NamedTuple):
    """The rows of a node, and costs of trees for them."""

    rows: RowShares
    leaf: float  # the cost of a leaf
    decision: int  # its class
    forced: float  # the cost that no tree avoids, without prices of splits and leaves
    weight: float
    size: float  # the number of rows, each counted by its share


class PathTests(NamedTuple):
    """The attributes that a path allows to test."""

    allowed: Any  # (attributes,) whether each may be tested
    prices: Numbers  # (attributes,) the cost of that for a row of weight 1
    free: bool  # whether trees have no other condition, see `FreeRows.is_free`


class NodeTests:
    """The tests of nodes.

    cost, bound : (tests,) what `try_all` writes: the cost of each test with leaves below it, inf where it cannot be
                  made, and a lower bound with any trees below it
    width       : most branches of a test
    """

    def __init__(self, rows: ConditionedRows, terms: ConditionTerms, free: FreeRows) -> None:
        self.rows, self.terms, self.free = rows, terms, free
        repeatable = np.diff(rows.coded.first) > 1
        self._limited = repeatable & _mask(terms.once, len(repeatable))  # a second test could split rows, but may not
        self._noted = bits_of(np.flatnonzero(self._limited | (repeatable & (terms.price > 0))).tolist())
        of_cut = 3 if (rows.coded.missing == APART).any() else 2
        self.width = max([of_cut, *rows.coded.values[~rows.coded.numeric].tolist()])
        self._capacity = cache(lambda levels: inf if levels > 40 else sum(self.width**level for level in range(levels)))
        self.cost, self.bound = np.empty(len(rows.attribute)), np.empty(len(rows.attribute))
        self._states = cache(self._branch_states)
        self.allow(terms.allowed)

    def allow(self, attributes: int) -> None:
        """Allow these attributes only, as bits."""
        self._allowed = attributes
        self.on_path = cache(self._on_path)

    def _on_path(self, rank: int, tested: int) -> PathTests:
        terms, number = self.terms, len(self.terms.rank)
        allowed = _mask(self._allowed & ~(tested & terms.once), number)
        allowed &= (terms.rank == UNRANKED) | (terms.rank >= rank)
        prices = np.where(_mask(tested, number), 0.0, terms.price)
        return PathTests(allowed, prices, self.free.is_free(allowed, prices, self._limited))

    def node(self, rows: RowShares, state: State) -> ConditionedNode:
        """The node of some rows."""
        return ConditionedNode(rows, *leaf_of(self.rows.coded, *rows, state.lowest, state.highest, self.rows.scratch))

    def states(self, state: State, test: int, branches: Branches) -> list[tuple[State, ...]]:
        """The states of the branches of a test, for each way to divide the classes between sides of a monotone one.

        Each branch has all splits and required attributes that are left; `allotments` divides them among the branches.
        """
        return self._states(state, int(self.rows.attribute[test]), len(branches.parts), branches.in_order)

    def _branch_states(self, state: State, attribute: int, branches: int, in_order: bool) -> list[tuple[State, ...]]:
        bit, sign = 1 << attribute, int(self.terms.monotone[attribute])
        after = state._replace(
            splits=state.splits - 1,
            required=state.required & ~bit,
            rank=max(state.rank, int(self.terms.rank[attribute])),
            tested=state.tested | (bit & self._noted),  # if it matters below
        )
        if not (sign and in_order):
            return [(after,) * branches]
        middles = range(state.lowest, state.highest + 1)
        ends = [(after._replace(highest=middle), after._replace(lowest=middle)) for middle in middles]
        return [(*pair[::sign], *(after,) * (branches - 2)) for pair in ends]

    def is_leaf(self, node: ConditionedNode, levels: int, state: State) -> bool:
        """Whether a leaf is the only tree, or no tree can cost less than a leaf."""
        if levels == 0 or state.required:
            return levels == 0
        return bool(state.lowest == state.highest or node.leaf <= self.bound_with_split(node))

    def useful(self, node: ConditionedNode, levels: int, state: State) -> tuple[int, State]:
        """The levels and splits that trees for the rows can use: each level and each split adds a leaf.

        A limit of splits that no such tree reaches becomes inf, so that the memo has one entry for all such limits.
        """
        leaves = int(node.size // self.rows.coded.least)
        levels = max(min(levels, leaves - 1), 0)
        most = min(leaves - 1, self._capacity(levels))
        if state.splits < levels:
            levels = int(state.splits)
        return levels, state if state.splits < most else state._replace(splits=inf)

    def cheapest(self, test: int, branches: Branches, state: State) -> tuple[State, ...]:
        """The states of the branches of a test with which leaves cost least."""
        choices = self.states(state, test, branches)
        costs = [sum(node.leaf for node in map(self.node, branches.parts, states)) for states in choices]
        return choices[int(np.argmin(costs))]

    def bound_with_split(self, node: ConditionedNode) -> float:
        """A lower bound of the cost of trees with a split."""
        return float(node.forced + self.rows.coded.split + 2 * self.rows.coded.leaf)

    def price(self, node: ConditionedNode, state: State, test: int) -> float:
        """The cost of a test without its branches."""
        prices = self.on_path(state.rank, state.tested).prices
        return float(prices[self.rows.attribute[test]] * node.weight + self.rows.coded.split)

    def try_all(
        self, node: ConditionedNode, levels: int, state: State, *, at_root: bool = False, least: int | None = None
    ) -> None:
        """Write the cost and the bound of each test.

        least : fewest rows in a leaf, by default those of the instance
        """
        allowed, prices, _ = self.on_path(state.rank, state.tested)
        cost, bound, terms, coded = self.cost, self.bound, self.terms, self.rows.coded
        if levels == 1 and state.required:
            allowed = allowed & _mask(state.required, len(allowed))
        if at_root and terms.first is not None:
            allowed = allowed & _mask(1 << terms.first, len(allowed))
        if least is not None:
            coded = coded._replace(least=least - COUNT_TOLERANCE)
        try_tests(coded, *node.rows, allowed, prices, state.lowest, state.highest, self.rows.scratch, cost, bound)
        if at_root and terms.threshold is not None:
            values = self.rows.values[terms.first or 0]
            others = coded.cut != np.searchsorted(values, terms.threshold, "right") - 1
            cost[others] = bound[others] = np.inf

    def best_of_two_levels(
        self, node: ConditionedNode, state: State, best: float, spend: Callable[[int], None]
    ) -> tuple[float, int]:
        """(the least cost below `best` of trees of two levels whose root `try_all` tried, the root's test or NONE).

        The tests with the best leaves come first.

        spend : counts the tests, and raises Stopped at a limit
        """
        coded, sums, allowed = self.rows.coded, self.rows.value_sums, self.on_path(state.rank, state.tested).allowed
        sum_node(coded, *node.rows, sums)
        few, chosen = max(1, CHUNK // len(sums.node)), NONE
        promising = np.argsort(self.cost, kind="stable")[:FIRST_TESTS].tolist()
        ranges = [(int(self.rows.attribute[test]), test, test + 1) for test in promising]
        for attribute, (start, end) in enumerate(pairwise(coded.first.tolist())):
            ranges += [(attribute, test, min(test + few, end)) for test in range(start, end, few)]
        for attribute, start, end in ranges:
            if (self.bound[start:end] < best).any():
                spend(end - start)
                tests = attribute, start, end
                best, test = best_of_tests(coded, tests, *node.rows, allowed, self.bound, best, self.rows.scratch, sums)
                chosen = chosen if test == NONE else test
        return best, int(chosen)


def _mask(bits: int, number: int) -> Any:
    """(number,): a set as Booleans."""
    return np.array([bits >> index & 1 for index in range(number)], np.bool_)


Range = list[int]
"""Tests that are bounded together: cuts of one attribute, increasing, or one test."""


class TestsByBound:
    """Pairs of a lower bound and a test, the least bound first; it is a bound of all tests that follow, too.

    Of tests of equal bounds, that of the least `cost` comes first.

    bound_of : a lower bound of all tests from the first to the last of a range
    best     : the least cost so far, which the caller updates; the pairs end when no further test can be better
    """

    def __init__(self, ranges: list[Range], cost: Numbers, bound_of: Callable[[int, int], float], best: float) -> None:
        self._cost, self._bound_of, self.best = cost, bound_of, best
        self._waiting: list[tuple[float, float, Range]] = []
        for cuts in ranges:
            self._add(cuts, 0.0)

    def _add(self, cuts: Range, least: float) -> None:
        bound = max(self._bound_of(cuts[0], cuts[-1]), least)
        if bound < self.best:
            heappush(self._waiting, (bound, float(self._cost[cuts].min()), cuts))

    def __iter__(self) -> Iterator[tuple[float, int]]:
        while self._waiting:
            bound, _, cuts = heappop(self._waiting)
            if bound >= self.best:
                return
            if len(cuts) == 1:
                yield bound, cuts[0]
            else:
                middle = len(cuts) // 2
                self._add(cuts[:middle], bound)
                self._add(cuts[middle:], bound)


def ranges_of_cuts(tests: Any, attributes: Any, cuts: Any, together: Any) -> list[Range]:
    """The tests, increasing, in ranges of rising cuts of one attribute.

    attributes, cuts : (tests,) the attribute and the cut of each
    together         : (all attributes,) whether their cuts can be bounded together; otherwise each is a range
    """
    ends = np.flatnonzero((np.diff(attributes) != 0) | (np.diff(cuts) <= 0) | ~together[attributes[1:]]) + 1
    return [in_range.tolist() for in_range in np.split(tests, ends)] if len(tests) else []
