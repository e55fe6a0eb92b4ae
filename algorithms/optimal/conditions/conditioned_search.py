"""The best tree for rows whose paths must meet conditions: branch and bound with a memo."""

from __future__ import annotations

from collections.abc import Generator
from functools import cache, partial
from hashlib import blake2b
from math import inf
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.compiling import Stopwatch
from algorithms.array_types import Numbers
from algorithms.optimal.conditions.branch_states import State, branch_states
from algorithms.optimal.conditions.conditioned_rows import ConditionedRows, Rows
from algorithms.optimal.conditions.free_rows import FreeRows
from algorithms.optimal.conditions.one_test import look, try_tests
from algorithms.optimal.conditions.terms import UNRANKED, Terms
from algorithms.optimal.plan import Leaf, Plan
from algorithms.optimal.solution import Effort, Status, Stopped

__all__ = ["Search"]

LEAF, UNKNOWN, FREE = -1, -2, -3
"""In place of a test: no test; only a bound is known; a tree of the fast search."""
ENTRY_BYTES = 400
"""About what an entry of the memo takes."""


class Node(NamedTuple):
    """Some rows."""

    rows: Rows
    leaf: float  # the cost of a leaf
    decision: int  # its class
    forced: float  # no tree for them costs less, prices of its size apart
    weight: float


class Entry(NamedTuple):
    """What is known of rows, levels and a state."""

    cost: float  # the least, or a lower bound
    test: int  # of the root of such a tree, LEAF or UNKNOWN
    states: tuple[State, ...] = ()  # of its branches; none if they are leaves
    plan: Plan | None = None  # the tree, if the fast search has found it


Steps = Generator["Steps", Any, Any]


class Search:
    """Best trees for the rows of an instance.

    allowed : the attributes that nodes may test, as bits; it can be narrowed by `restrict`
    low     : a lower bound of the cost of the trees that the last call of `best` looked for
    """

    def __init__(self, rows: ConditionedRows, terms: Terms, free: FreeRows, effort: Effort, clock: Stopwatch) -> None:
        self.rows, self.terms, self.free, self.effort, self.clock = rows, terms, free, effort, clock
        self.coded, self.work, self.low, self.allowed = rows.coded, 0, 0.0, terms.allowed
        self._wider: dict[tuple[bytes, int, State], Entry] = {}  # the memo with all allowed attributes
        self._memo = self._wider
        again = (rows.coded.numeric & (rows.coded.values > 2)) | (np.diff(rows.coded.first) > 1)
        priced = terms.price > 0
        self._twice = again & _mask(terms.once, len(again))
        self._noted = sum(1 << a for a in np.flatnonzero(self._twice | (again & priced)).tolist())
        self._width = max([2, *rows.coded.values[~rows.coded.numeric].tolist()])
        self._cost, self._bound = np.empty(len(rows.attribute)), np.empty(len(rows.attribute))
        self._open = cache(self._allowed_now)
        self._shares = cache(partial(branch_states, terms, self._noted))
        self._capacity = cache(
            lambda levels: inf if levels > 40 else sum(self._width**level for level in range(levels))
        )
        self._found = Entry(inf, UNKNOWN)

    def restrict(self, allowed: int) -> None:
        """Allow fewer attributes; costs with more of them remain as bounds."""
        self.allowed = allowed
        self._memo = self._wider if allowed == self.terms.allowed else {}
        self._open.cache_clear()

    def best(self, levels: int, splits: float, ceiling: float) -> tuple[float, Plan] | None:
        """The least cost below the ceiling of the trees of at most so many levels and splits, and such a tree.

        None if there is no such tree. Raises Stopped if the effort is spent; `interrupted` returns the best tree then.
        """
        state = State(splits, self.terms.required, UNRANKED, 0, 0, len(self.rows.classes) - 1)
        self._found, self.low = Entry(ceiling, UNKNOWN), 0.0
        self.root = self._node(np.arange(self.rows.rows, dtype=np.int32), state)
        self._asked = levels, state
        _run(self._at_root(levels, state, ceiling))
        return self.interrupted()

    def interrupted(self) -> tuple[float, Plan] | None:
        """What `best` has found so far."""
        if self._found.test == UNKNOWN:
            return None
        return self._found.cost, _run(self._plan_of(self.root, *self._asked, self._found, self.terms.threshold))

    def _at_root(self, levels: int, state: State, ceiling: float) -> Steps:
        root, terms = self.root, self.terms
        levels, state = self._useful(root, levels, state)
        if not state.required and terms.first is None and root.leaf < ceiling:
            self._found = Entry(root.leaf, LEAF)
        ended = levels == 0 or (terms.first is None and self._is_leaf(root, levels, state))
        if ended or (state.required and not self._can_test(root, levels, state)):
            self.low = self._found.cost
            return
        self._spend()
        if terms.first is None and self._is_free(state):
            self._take_free(root, levels, state, ceiling)
            return
        self._try(root, levels, state, at_root=True)
        yield from self._branch(root, levels, state, self._found.cost, at_root=True)

    def _node(self, rows: Rows, state: State) -> Node:
        leaf, decision, forced, weight = look(self.coded, rows, state.low, state.high, self.rows.scratch)
        return Node(rows, leaf, decision, forced, weight)

    def _useful(self, node: Node, levels: int, state: State) -> tuple[int, State]:
        """The levels and splits that trees for the rows can have: each level and each split adds a leaf."""
        leaves = len(node.rows) // self.coded.least
        levels = max(min(levels, leaves - 1), 0)
        most = min(leaves - 1, self._capacity(levels))
        if state.splits < levels:
            levels = int(state.splits)
        return levels, state if state.splits < most else state._replace(splits=inf)

    def _is_leaf(self, node: Node, levels: int, state: State) -> bool:
        """Whether no tree is better than a leaf, or a leaf is the only one."""
        if levels == 0 or state.required:
            return levels == 0
        return state.low == state.high or node.leaf <= node.forced + self.coded.split + 2 * self.coded.leaf

    def _known(self, node: Node, levels: int, state: State, ceiling: float) -> float | None:
        """The least cost, if it is below the ceiling; else a lower bound from the ceiling on. None: to be searched."""
        levels, state = self._useful(node, levels, state)
        if state.required and not self._can_test(node, levels, state):
            return inf
        leaf = inf if state.required else node.leaf
        through = node.forced + self.coded.split + 2 * self.coded.leaf
        if self._is_leaf(node, levels, state):
            return leaf
        if through >= ceiling:
            return float(min(leaf, through))
        key = blake2b(node.rows.tobytes(), digest_size=16).digest(), levels, state
        entry = self._memo.get(key)
        if entry and (entry.test != UNKNOWN or entry.cost >= ceiling):
            return entry.cost
        if self._memo is not self._wider:
            wider = self._wider.get(key)
            if wider and wider.cost >= ceiling:
                return wider.cost
        if levels > 1:
            return None
        self._spend()
        self._try(node, levels, state)
        entry = self._one_level(leaf)
        self._memo[key] = entry if entry.test != UNKNOWN else Entry(leaf, LEAF)
        return entry.cost

    def _search(self, node: Node, levels: int, state: State, ceiling: float) -> Steps:
        """As `_known`, where that gives None."""
        levels, state = self._useful(node, levels, state)
        key = blake2b(node.rows.tobytes(), digest_size=16).digest(), levels, state
        leaf = inf if state.required else node.leaf
        self._spend()
        if self._is_free(state):
            entry, _, status = self._freed(node, levels, state)
            if status is not Status.OPTIMAL:
                raise Stopped(status)
            self._memo[key] = entry
            return entry.cost
        self._try(node, levels, state)
        entry = yield from self._branch(node, levels, state, min(leaf, ceiling))
        if entry.test == UNKNOWN and leaf < ceiling:
            entry = Entry(leaf, LEAF)
        self._memo[key] = entry
        return entry.cost

    def _branch(self, node: Node, levels: int, state: State, best: float, *, at_root: bool = False) -> Steps:
        """The best of the tests that were tried, if it costs less than `best`."""
        if levels == 1:
            entry = self._one_level(best)
            if at_root:
                self.low = entry.cost
                self._found = self._found if entry.test == UNKNOWN else entry
            return entry
        tests = np.flatnonzero(self._bound < best)
        tests = tests[np.argsort(self._cost[tests], kind="stable")]
        bounds = self._bound[tests]
        rest = np.append(np.minimum.accumulate(bounds[::-1])[::-1], inf)
        entry = Entry(best, UNKNOWN)
        for place, (test, bound) in enumerate(zip(tests.tolist(), bounds.tolist(), strict=True)):
            if at_root:
                self.low = min(best, rest[place])
            if bound >= best:
                continue
            attribute = int(self.rows.attribute[test])
            price = float(self._open(state.rank, state.tested)[1][attribute]) * node.weight + self.coded.split
            parts = self.rows.parts(node.rows, test)
            for states in self._shares(state, attribute, len(parts)):
                children = [self._node(part, below) for part, below in zip(parts, states, strict=True)]
                total = yield from self._together(children, levels - 1, states, best - price)
                if price + total < best:
                    best = price + total
                    entry = Entry(best, test, states)
                    if at_root:
                        self._found = entry
        if at_root:
            self.low = best
        return entry

    def _one_level(self, best: float) -> Entry:
        """The best test with leaves below it, if it costs less than `best`."""
        test = int(self._cost.argmin()) if len(self._cost) else UNKNOWN
        return Entry(best, UNKNOWN) if test < 0 or self._cost[test] >= best else Entry(float(self._cost[test]), test)

    def _can_test(self, node: Node, levels: int, state: State) -> bool:
        """Whether the rows differ in all required attributes, and levels and splits suffice for these."""
        required = [a for a in range(len(self.terms.rank)) if state.required >> a & 1]
        if len(required) > state.splits or (levels < 2 and len(required) > levels):
            return False
        return all((codes != codes[0]).any() for codes in (self.coded.code[a][node.rows] for a in required))

    def _together(self, nodes: list[Node], levels: int, states: tuple[State, ...], most: float) -> Steps:
        """The cost of the best trees for the branches of a test; inf if it is `most` or more."""
        through = self.coded.split + 2 * self.coded.leaf
        bounds = [
            node.forced + through if state.required else min(node.leaf, node.forced + through)
            for node, state in zip(nodes, states, strict=True)
        ]
        total, rest = 0.0, sum(bounds)
        for node, state, bound in zip(nodes, states, bounds, strict=True):
            rest -= bound
            ceiling = most - total - rest
            cost = self._known(node, levels, state, ceiling)
            if cost is None:
                cost = yield self._search(node, levels, state, ceiling)
            if cost >= ceiling:
                return inf
            total += cost
        return total

    def _try(self, node: Node, levels: int, state: State, *, at_root: bool = False) -> None:
        """Write the cost and the bound of each test."""
        allowed, prices, _ = self._open(state.rank, state.tested)
        cost, bound, terms = self._cost, self._bound, self.terms
        if levels == 1 and state.required:
            allowed = allowed & _mask(state.required, len(allowed))
        if at_root and terms.first is not None:
            allowed = allowed & _mask(1 << terms.first, len(allowed))
        try_tests(self.coded, node.rows, allowed, prices, state.low, state.high, self.rows.scratch, cost, bound)
        if at_root and terms.threshold is not None:
            values = self.rows.values[terms.first or 0]
            test = self.coded.first[terms.first] + np.searchsorted(values, terms.threshold, "right") - 1
            others = np.arange(len(cost)) != test
            cost[others] = bound[others] = inf

    def is_free(self) -> bool:
        """Whether the fast search finds the best trees of all rows."""
        return self.terms.first is None and not self.terms.required and self._open(UNRANKED, 0)[2]

    def _is_free(self, state: State) -> bool:
        every = state.low == 0 and state.high == len(self.rows.classes) - 1
        return every and not state.required and self._open(state.rank, state.tested)[2]

    def _freed(self, node: Node, levels: int, state: State) -> tuple[Entry, float, Status]:
        """The best tree by the fast search within what is left of the effort, a lower bound, and how it ended."""
        effort = self.effort
        if effort.work is not None and self.work >= effort.work:
            raise Stopped(Status.WORK_LIMIT)
        left = Effort(
            None if effort.seconds is None else max(effort.seconds - self.clock.seconds, effort.seconds / 1000),
            None if effort.work is None else effort.work - self.work,
            effort.memory,
        )
        allowed = self._open(state.rank, state.tested)[0]
        found, scale, plan = self.free.best(node.rows, allowed, levels, state.splits, left)
        self.work += found.work
        return Entry(found.objective * scale, FREE, plan=plan), found.bound * scale, found.status

    def _take_free(self, root: Node, levels: int, state: State, ceiling: float) -> None:
        entry, low, status = self._freed(root, levels, state)
        self.low = min(ceiling, low)
        if entry.cost < ceiling:
            self._found = entry
        if status is not Status.OPTIMAL:
            raise Stopped(status)

    def _allowed_now(self, rank: int, tested: int) -> tuple[Any, Numbers, bool]:
        """(attributes,), (attributes,): which may be tested on a path, at what price; whether nothing else binds."""
        terms, number = self.terms, len(self.terms.rank)
        allowed = _mask(self.allowed & ~(tested & terms.once), number)
        allowed &= (terms.rank == UNRANKED) | (terms.rank >= rank)
        prices = np.where(_mask(tested, number), 0.0, terms.price)
        return allowed, prices, self.free.holds(allowed, prices, self._twice)

    def _plan(self, node: Node, levels: int, state: State) -> Steps:
        """The best tree, of which all is in the memo."""
        levels, state = self._useful(node, levels, state)
        if self._is_leaf(node, levels, state):
            return Leaf(int(self.rows.classes[node.decision]))
        key = blake2b(node.rows.tobytes(), digest_size=16).digest(), levels, state
        entry = self._memo.get(key) or Entry(node.leaf, LEAF)  # a leaf below the ceiling is not in the memo
        return (yield from self._plan_of(node, levels, state, entry, None))

    def _plan_of(self, node: Node, levels: int, state: State, entry: Entry, threshold: float | None) -> Steps:
        if entry.plan is not None:
            return entry.plan
        if entry.test in {LEAF, UNKNOWN}:
            return Leaf(int(self.rows.classes[node.decision]))
        parts, states = self.rows.parts(node.rows, entry.test), entry.states
        if not states:
            shares = self._shares(
                state._replace(required=0, splits=inf), int(self.rows.attribute[entry.test]), len(parts)
            )
            costs = [sum(self._node(*one).leaf for one in zip(parts, states, strict=True)) for states in shares]
            states = shares[int(np.argmin(costs))]
        children = []
        for part, below in zip(parts, states, strict=True):
            children.append((yield self._plan(self._node(part, below), levels - 1 if entry.states else 0, below)))
        return self.rows.split(node.rows, entry.test, threshold, tuple(children))

    def _spend(self) -> None:
        """Count a unit of work. Raises Stopped if a limit is reached."""
        self.work += 1
        effort = self.effort
        if effort.work is not None and self.work > effort.work:
            self.work = effort.work
            raise Stopped(Status.WORK_LIMIT)
        if effort.seconds is not None and self.clock.seconds > effort.seconds:
            raise Stopped(Status.TIME_LIMIT)
        entries = len(self._wider) + (0 if self._memo is self._wider else len(self._memo))
        held = ENTRY_BYTES * entries + self.rows.nbytes
        if held > effort.memory:
            raise Stopped(Status.MEMORY_LIMIT)


def _run(steps: Steps) -> Any:
    """The result of steps, which yield the steps whose results they need: as calls, however deep."""
    waiting, value = [steps], None
    while True:
        try:
            waiting.append(waiting[-1].send(value))
            value = None
        except StopIteration as ended:
            waiting.pop()
            value = ended.value
            if not waiting:
                return value


def _mask(bits: int, number: int) -> Any:
    """(number,): a set as Booleans."""
    return np.array([bits >> place & 1 for place in range(number)], np.bool_)
