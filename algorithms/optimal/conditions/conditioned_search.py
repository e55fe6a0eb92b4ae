"""The best tree that meets conditions, by branch and bound with a memo.

The *fast search* is that of `exact_search`, which knows no conditions; see `FreeRows`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from math import inf
from typing import NamedTuple

import numpy as np

from algorithms._numba.compiling import Stopwatch
from algorithms.optimal.conditions.conditioned_rows import Branches, ConditionedRows
from algorithms.optimal.conditions.free_rows import FreeRows
from algorithms.optimal.conditions.node_tests import (
    ConditionedNode,
    NodeTests,
    State,
    TestsByBound,
    allotments,
    ranges_of_cuts,
)
from algorithms.optimal.conditions.steps import Steps, run
from algorithms.optimal.conditions.terms import UNRANKED, ConditionTerms
from algorithms.optimal.plan import Leaf, Plan
from algorithms.optimal.solution import Effort, Status, Stopped

LEAF, UNKNOWN, FREE = -1, -2, -3
"""Values of `Entry.test` that are no test: a leaf is best; only a bound is known; `plan` is a tree of the fast search.
"""
ENTRY_BYTES = 400
"""About the bytes of an entry of the memo."""
BOUND_WORK = 10**7
"""Limit of a fast search for a bound, in units of work."""


class Entry(NamedTuple):
    """The best tree that is known for some rows, a number of levels and a state."""

    cost: float  # the least cost; a lower bound if `test` is UNKNOWN
    test: int  # at the root, or LEAF, FREE or UNKNOWN
    states: tuple[State, ...] = ()  # of the branches; () if they are leaves
    plan: Plan | None = None  # the tree, if `test` is FREE


class ConditionedSearch:
    """Best trees for the rows of an instance.

    work     : units of work so far
    low      : a lower bound of the cost of the trees that the last call of `best` looked for
    improved : called when a better tree of all rows is known, or a higher bound
    """

    def __init__(
        self, rows: ConditionedRows, terms: ConditionTerms, free: FreeRows, effort: Effort, clock: Stopwatch
    ) -> None:
        self.rows, self.terms, self.free, self.effort, self.clock = rows, terms, free, effort, clock
        self.coded, self.work, self.low = rows.coded, 0, 0.0
        self.improved: Callable[[], None] = lambda: None
        self.tests = NodeTests(rows, terms, free)
        self._sums_values = self.coded.shared and rows.bytes_of_sums < effort.memory / 4
        self._wider: dict[tuple[bytes, int, State], Entry] = {}  # the memo with all allowed attributes
        self._memo = self._wider
        self._bounds: dict[tuple[bytes, int, State], float] = {}  # of trees that need not meet all conditions
        self._best_so_far = Entry(inf, UNKNOWN)

    def restrict(self, allowed: int) -> None:
        """Allow only these attributes, as bits. The costs with all attributes remain as lower bounds."""
        self._memo = self._wider if allowed == self.terms.allowed else {}
        self.tests.allow(allowed)
        self._bounds.clear()

    def best(self, levels: int, splits: float, ceiling: float) -> tuple[float, Plan] | None:
        """The cost and the plan of the best tree of at most this many levels and splits.

        None if none costs less than the ceiling. Raises Stopped at a limit; then `interrupted` returns the best tree so
        far.
        """
        state = self.root_state(splits)
        self._best_so_far, self.low = Entry(ceiling, UNKNOWN), 0.0
        self.root = self.tests.node(self.rows.all_rows(), state)
        self._root_limits = levels, state
        run(self._at_root(levels, state, ceiling))
        return self.interrupted()

    @property
    def cost(self) -> float:
        """The cost of the best tree that `best` has found so far, or its ceiling."""
        return self._best_so_far.cost

    def interrupted(self) -> tuple[float, Plan] | None:
        """The best tree that `best` has found so far, as it returns it."""
        entry = self._best_so_far
        if entry.test == UNKNOWN:
            return None
        return entry.cost, run(self._plan_of(self.root, *self._root_limits, entry, self.terms.threshold))

    def _at_root(self, levels: int, state: State, ceiling: float) -> Steps:
        """Search for the best tree of all rows, and keep it in `_best_so_far` and its bound in `low`."""
        root, terms = self.root, self.terms
        levels, state = self.tests.useful(root, levels, state)
        if not state.required and terms.first is None and root.leaf < ceiling:
            self._best_so_far = Entry(root.leaf, LEAF)
        is_leaf = levels == 0 or (terms.first is None and self.tests.is_leaf(root, levels, state))
        if is_leaf or (state.required and not self._can_test(root, levels, state)):
            self.low = self._best_so_far.cost
            return
        self.spend()
        if terms.first is None and self._is_free(state) and self.free.can_solve(root.rows):
            entry, low, status = self._search_free(root, levels, state)
            self.low = min(ceiling, low)
            if entry.cost < ceiling:
                self._best_so_far = entry
            if status is not Status.OPTIMAL:
                raise Stopped(status)
            return
        self.tests.try_all(root, levels, state, at_root=True)
        yield from self._branch(root, levels, state, self._best_so_far.cost, at_root=True)

    def _without_search(self, node: ConditionedNode, levels: int, state: State, ceiling: float) -> float | None:
        """The least cost if it is below the ceiling, else a lower bound that is not; None if that needs a search."""
        levels, state = self.tests.useful(node, levels, state)
        if state.required and not self._can_test(node, levels, state):
            return inf
        leaf = inf if state.required else node.leaf
        with_split = self.tests.bound_with_split(node)
        if self.tests.is_leaf(node, levels, state):
            return leaf
        if with_split >= ceiling:
            return float(min(leaf, with_split))
        key = _key(node, levels, state)
        entry = self._memo.get(key)
        if entry and (entry.test != UNKNOWN or entry.cost >= ceiling):
            return entry.cost
        if self._memo is not self._wider:
            wider = self._wider.get(key)
            if wider and wider.cost >= ceiling:
                return wider.cost
        if levels > 1:
            return None
        self.spend()
        self.tests.try_all(node, levels, state)
        entry = self._one_level(leaf)
        self._memo[key] = entry if entry.test != UNKNOWN else Entry(leaf, LEAF)
        return entry.cost

    def _search(self, node: ConditionedNode, levels: int, state: State, ceiling: float) -> Steps:
        """The same cost by a search, where `_without_search` returns None."""
        levels, state = self.tests.useful(node, levels, state)
        key = _key(node, levels, state)
        leaf = inf if state.required else node.leaf
        self.spend()
        if self._is_free(state) and self.free.can_solve(node.rows):
            entry, _, status = self._search_free(node, levels, state)
            if status is not Status.OPTIMAL:
                raise Stopped(status)
            self._memo[key] = entry
            return entry.cost
        self.tests.try_all(node, levels, state)
        entry = yield from self._branch(node, levels, state, min(leaf, ceiling))
        if entry.test == UNKNOWN and leaf < ceiling:
            entry = Entry(leaf, LEAF)
        self._memo[key] = entry
        return entry.cost

    def _branch(self, node: ConditionedNode, levels: int, state: State, best: float, *, at_root: bool = False) -> Steps:
        """The tree with the best of the tests that `try_all` tried; UNKNOWN if none costs less than `best`."""
        two_levels = levels == 2 and state.splits == inf and self._sums_values and self._is_free(state)
        if levels == 1 or two_levels:
            entry = self._two_levels(node, state, best) if two_levels else self._one_level(best)
            if at_root:
                self.low = entry.cost
                self._best_so_far = self._best_so_far if entry.test == UNKNOWN else entry
            return entry
        entry = Entry(best, UNKNOWN)
        tests = self._tests_by_bound(node, levels, state, best)
        for low, test in tests:
            if at_root and low > self.low:
                self.low = low
                self.improved()
            price, branches = self.tests.price(node, state, test), self.rows.branches(node.rows, test)
            for states in self.tests.states(state, test, branches):
                total, chosen = yield from self._cheapest_branches(branches, levels - 1, states, best - price)
                if chosen and price + total < best:
                    best = tests.best = price + total
                    entry = Entry(best, test, chosen)
                    if at_root:
                        self._best_so_far = entry
                        self.improved()
        if at_root:
            self.low = best
        return entry

    def _tests_by_bound(self, node: ConditionedNode, levels: int, state: State, best: float) -> TestsByBound:
        """The tests of a node whose trees can cost less than the best, by the bounds of `_relaxed_bound`."""
        tests = np.flatnonzero(self.tests.bound < best)
        relaxed = state._replace(required=0)

        def bound_of(first: int, last: int) -> float:
            branches = self.rows.branches(node.rows, first, last)
            ways = [zip(branches.parts, states, strict=True) for states in self.tests.states(relaxed, first, branches)]
            bounds = [
                sum(self._relaxed_bound(self.tests.node(part, below), levels - 1, below, best) for part, below in way)
                for way in ways
            ]
            return self.tests.price(node, state, first) + min(bounds)

        # without the rows between two cuts, rows that lack the number have other shares: a bound of one level uses them
        together = self.coded.numeric & (not self.coded.shared or levels > 2)
        ranges = ranges_of_cuts(tests, self.rows.attribute[tests], self.coded.cut[tests], together)
        return TestsByBound(ranges, self.tests.cost.copy(), bound_of, best)

    def _relaxed_bound(self, node: ConditionedNode, levels: int, state: State, limit: float = inf) -> float:
        """A lower bound of the cost of trees for these rows, and for any superset of them.

        It is the least cost under relaxed conditions: leaves may have a single row, and no attribute is required. For
        trees of more than one level, only the allowed attributes remain as a condition. If some rows are shared among
        branches, the bound of these trees is that of the other rows, and its search ends once it reaches the limit.
        """
        state = state._replace(required=0)
        if levels > 1:
            state = state._replace(lowest=0, highest=len(self.rows.classes) - 1)
            node = self.tests.node(self.free.without_shared(node.rows), state)
        if self.tests.is_leaf(node, levels, state):
            return node.leaf
        if levels > 1 and not self.free.can_bound(node.rows):
            return self.tests.bound_with_split(node)
        if levels > 1 and self.coded.shared:
            return self._bound_of_known(node, levels, limit)
        key = _key(node, levels, state)
        if key not in self._bounds:
            self.spend()
            if levels == 1:
                self.tests.try_all(node, levels, state, least=1)
                self._bounds[key] = min(node.leaf, self.tests.cost.min(initial=inf))
            else:
                self._bounds[key] = self._bound_of_free(node, levels, state)
        return self._bounds[key]

    def _bound_of_known(self, node: ConditionedNode, levels: int, limit: float) -> float:
        """A lower bound by the fast search on the rows that lack no value. Its memo serves later calls."""
        self.spend()
        work = BOUND_WORK if self.effort.work is None else min(BOUND_WORK, self.effort.work - self.work + 1)
        low, work = self.free.bound_of_known(node.rows.indices, levels, limit, work, partial(self.spend, 0))
        self.work += work
        return low

    def _two_levels(self, node: ConditionedNode, state: State, best: float) -> Entry:
        """Like `_branch`, for trees of two levels, by the sums of values."""
        best, chosen = self.tests.best_of_two_levels(node, state, best, self.spend)
        if chosen < 0:
            return Entry(best, UNKNOWN)
        branches = self.rows.branches(node.rows, chosen)
        states = self.tests.states(state, chosen, branches)[0]
        for part, below in zip(branches.parts, states, strict=True):
            self._without_search(self.tests.node(part, below), 1, below, inf)  # stores the test of the branch
        return Entry(best, chosen, states)

    def _bound_of_free(self, node: ConditionedNode, levels: int, state: State) -> float:
        """A lower bound by a short fast search of trees whose leaves may have a single row."""
        effort = self._left()
        effort = replace(effort, work=BOUND_WORK if effort.work is None else min(effort.work, BOUND_WORK))
        allowed = self.tests.on_path(state.rank, state.tested).allowed
        result, scale = self.free.best(node.rows, allowed, levels, state.splits, effort, least=1)
        self.work += result.work
        if result.status not in {Status.OPTIMAL, Status.WORK_LIMIT}:
            raise Stopped(result.status)
        return result.bound * scale

    def _one_level(self, best: float) -> Entry:
        """Like `_branch`, for trees of one level."""
        cost = self.tests.cost
        test = int(cost.argmin()) if len(cost) else UNKNOWN
        return Entry(best, UNKNOWN) if test < 0 or cost[test] >= best else Entry(float(cost[test]), test)

    def _can_test(self, node: ConditionedNode, levels: int, state: State) -> bool:
        """Whether the rows differ in all required attributes, and levels and splits suffice for these."""
        required = [a for a in range(len(self.terms.rank)) if state.required >> a & 1]
        if len(required) > state.splits or (levels < 2 and len(required) > levels):
            return False
        return all((codes != codes[0]).any() for codes in (self.coded.code[a][node.rows.indices] for a in required))

    def _cheapest_branches(self, branches: Branches, levels: int, states: tuple[State, ...], most: float) -> Steps:
        """The least cost of trees for the branches of a test, and their states; inf and () if it is not below `most`.

        Dynamic programming over the branches divides splits and required attributes: for each remainder of them, it
        keeps the least cost of the branches so far.

        states : of the branches, each with all splits and all required attributes
        """
        nodes = list(map(self.tests.node, branches.parts, states))
        bounds = [self._relaxed_bound(node, levels, state, most) for node, state in zip(nodes, states, strict=True)]
        rest = sum(bounds)
        best: dict[tuple[int, float], tuple[float, tuple[State, ...]]] = {
            (states[0].required, states[0].splits): (0.0, ())
        }
        for node, state, bound in zip(nodes, states, bounds, strict=True):
            rest -= bound
            before, best = best, {}
            for (required, splits), (total, above) in before.items():
                for need, number in allotments(required, splits, is_last=node is nodes[-1]):
                    below, ceiling = state._replace(required=need, splits=number), most - total - rest
                    cost = self._without_search(node, levels, below, ceiling)
                    if cost is None:
                        cost = yield self._search(node, levels, below, ceiling)
                    left = required & ~need, inf if splits == inf else splits - number
                    if cost < ceiling and (left not in best or total + cost < best[left][0]):
                        best[left] = total + cost, (*above, below)
        return next(iter(best.values()), (inf, ()))

    def root_state(self, splits: float) -> State:
        """The conditions for trees of at most this many splits."""
        return State(splits, self.terms.required, UNRANKED, 0, 0, len(self.rows.classes) - 1)

    def is_fast(self) -> bool:
        """Whether the fast search finds the best trees of all rows."""
        return self.terms.first is None and self.free.can_solve() and self._is_free(self.root_state(inf))

    def _is_free(self, state: State) -> bool:
        """Whether trees have no condition except which attributes they may test."""
        all_classes = state.lowest == 0 and state.highest == len(self.rows.classes) - 1
        return all_classes and not state.required and self.tests.on_path(state.rank, state.tested).free

    def _search_free(self, node: ConditionedNode, levels: int, state: State) -> tuple[Entry, float, Status]:
        """The best tree by the fast search within the remaining effort, a lower bound, and how the search ended."""
        allowed = self.tests.on_path(state.rank, state.tested).allowed
        result, scale = self.free.best(node.rows, allowed, levels, state.splits, self._left())
        self.work += result.work
        plan = self.free.plan(node.rows, allowed, result)
        return Entry(result.objective * scale, FREE, plan=plan), result.bound * scale, result.status

    def _left(self) -> Effort:
        """The remaining effort. Raises Stopped if no work remains."""
        effort = self.effort
        if effort.work is not None and self.work >= effort.work:
            raise Stopped(Status.WORK_LIMIT)
        return effort.after(self.clock.seconds, self.work)

    def _plan(self, node: ConditionedNode, levels: int, state: State) -> Steps:
        """The best tree, from the memo."""
        levels, state = self.tests.useful(node, levels, state)
        if self.tests.is_leaf(node, levels, state):
            return Leaf(int(self.rows.classes[node.decision]))
        entry = self._memo.get(_key(node, levels, state)) or Entry(node.leaf, LEAF)  # the memo lacks some leaves
        return (yield from self._plan_of(node, levels, state, entry, None))

    def _plan_of(
        self, node: ConditionedNode, levels: int, state: State, entry: Entry, threshold: float | None
    ) -> Steps:
        if entry.plan is not None:
            return entry.plan
        if entry.test in {LEAF, UNKNOWN}:
            return Leaf(int(self.rows.classes[node.decision]))
        branches, states = self.rows.branches(node.rows, entry.test), entry.states
        parts = branches.parts
        if not states:
            states = self.tests.cheapest(entry.test, branches, state._replace(required=0, splits=inf))
        children = []
        for part, below in zip(parts, states, strict=True):
            children.append((yield self._plan(self.tests.node(part, below), levels - 1 if entry.states else 0, below)))
        return self.rows.split(node.rows, entry.test, threshold, tuple(children))

    def spend(self, work: int = 1) -> None:
        """Count units of work. Raises Stopped if a limit is reached."""
        self.work += work
        effort = self.effort
        if effort.work is not None and self.work > effort.work:
            self.work = effort.work
            raise Stopped(Status.WORK_LIMIT)
        if effort.seconds is not None and self.clock.seconds > effort.seconds:
            raise Stopped(Status.TIME_LIMIT)
        entries = len(self._bounds) + len(self._wider) + (0 if self._memo is self._wider else len(self._memo))
        if ENTRY_BYTES * entries + self.rows.nbytes > effort.memory:
            raise Stopped(Status.MEMORY_LIMIT)


def _key(node: ConditionedNode, levels: int, state: State) -> tuple[bytes, int, State]:
    """The key of a memo: a hash of the rows, with the levels and the state."""
    digest = blake2b(node.rows.indices.tobytes(), digest_size=16)
    digest.update(node.rows.shares.tobytes())
    return digest.digest(), levels, state
