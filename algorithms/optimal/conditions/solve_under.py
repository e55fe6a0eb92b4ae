"""The search for an optimal tree under conditions, within limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import NamedTuple

import numpy as np

from algorithms._numba.compiling import Stopwatch
from algorithms.optimal.conditions.conditioned_rows import ConditionedRows
from algorithms.optimal.conditions.conditioned_search import ConditionedSearch
from algorithms.optimal.conditions.conditions import Conditions
from algorithms.optimal.conditions.free_rows import FreeRows
from algorithms.optimal.conditions.node_tests import ConditionedNode, State
from algorithms.optimal.conditions.steps import Steps, run
from algorithms.optimal.conditions.terms import ConditionTerms, bits_of, terms_of
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.missing_values import solved
from algorithms.optimal.plan import Leaf, Plan, tree_of_plan
from algorithms.optimal.solution import (
    Effort,
    EffortSpentError,
    OnProgress,
    Progress,
    Solution,
    Status,
    Stopped,
    measures,
)
from algorithms.options import ParameterError
from algorithms.plurals import counted
from algorithms.rounding import EQUAL_SHARE
from algorithms.trees.arrays import ALL_BRANCHES, NO_NODE, NodeKind

__all__ = ["ConditionsPrice", "solve_under", "solve_with_price"]

SECONDS_BETWEEN = 0.015
"""The least time between two reports of a bound."""
NO_REPORT = Progress(-inf, inf, 0.0)
SHALLOW = (0, 1, 2, 3)
"""Depths that are searched before the greatest depth, so that some tree is known early."""


class ConditionsPrice(NamedTuple):
    """Two objectives: of the best tree that meets the conditions, and of the best tree without any condition.

    Both are errors / L + alpha x size, where L are the errors of the majority rule. They do not include the costs of
    attributes and of misclassification that the conditions may have.

    Attributes
    ----------
    with_conditions : float
        The objective of the tree that meets the conditions.
    without : float
        The objective of the best tree without any condition.
    proven : bool
        Whether both trees are proven best. If not, a limit ended at least one of the two searches.
    """

    with_conditions: float
    without: float
    proven: bool

    @property
    def difference(self) -> float:
        """How much the conditions cost: `with_conditions` minus `without`."""
        return self.with_conditions - self.without


def solve_with_price(
    instance: Instance,
    conditions: Conditions,
    effort: Effort,
    *,
    subsets: bool = False,
    on_progress: OnProgress | None = None,
) -> tuple[Solution, ConditionsPrice]:
    """The result of `solve_under`, and the cost of the conditions.

    The first search, without the conditions, may take half of the seconds. Its bound is a bound for the second search,
    too. Each search may do all units of work. Only the second search reports to `on_progress`.
    """
    terms_of(conditions, instance)  # reports wrong conditions before any search
    clock, seconds = Stopwatch(), effort.seconds
    half = effort if seconds is None else replace(effort, seconds=seconds / 2)
    if not instance.shares_rows:
        without = solved(instance, partial(solve, effort=half, subsets=subsets))
    else:
        without = solve_under(instance, Conditions(), half, subsets=subsets)
    if without.interrupted:
        raise KeyboardInterrupt  # there is no tree that meets the conditions yet
    least = 0.0 if conditions.costly else without.bound
    left = effort.after(clock.seconds)
    solution = solve_under(instance, conditions, left, subsets=subsets, least=least, on_progress=on_progress)
    objective = instance.objective(solution.errors, solution.splits, solution.leaves)
    return solution, ConditionsPrice(objective, without.objective, solution.optimal and without.optimal)


def solve_under(
    instance: Instance,
    conditions: Conditions,
    effort: Effort | None = None,
    *,
    subsets: bool = False,
    least: float = 0.0,
    on_progress: OnProgress | None = None,
) -> Solution:
    """The best tree of an instance that meets the conditions, and whether it is proven best.

    Its objective is that of `Conditions`.

    effort      : the limits of the search; when it reaches one, the best tree so far is returned
    subsets     : whether nominal attributes may also be split into two sets of labels
    least       : a lower bound of the objective; the search ends with the first tree that reaches it
    on_progress : called with each better objective, and several times a second with better bounds

    Raises
    ------
    ParameterError
        A condition is wrong, or no tree meets the conditions.
    EffortSpentError
        A limit is reached before a tree that meets the conditions is found. If Ctrl-C ends the search,
        KeyboardInterrupt is raised.
    """
    effort, clock = effort or Effort(), Stopwatch()
    terms = terms_of(conditions, instance)
    rows = ConditionedRows.of(instance, terms, subsets=subsets)
    free = FreeRows(instance, terms, rows.coded.split + rows.coded.leaf, effort.memory / 2, subsets=subsets)
    in_set = ConditionedSearch(rows, terms, free, effort, clock)
    search = _AttributeSetSearch(instance, terms, in_set, _Reports(on_progress, clock, rows.scale), least * rows.scale)
    status = search.run()
    if search.plan is None:
        if status is Status.INTERRUPTED:
            raise KeyboardInterrupt
        if status is Status.OPTIMAL:
            tree = f"no tree for {counted(rows.rows, 'row')}"
            raise ParameterError(f"{tree} meets {conditions}: allow more splits, or give fewer conditions")
        ended = f"the search reached its limit ({status.parameter}) before it found a tree that meets {conditions}"
        raise EffortSpentError(f"{ended}: raise this limit")
    return _solution(instance, search, rows, status)


@dataclass(eq=False)
class _Reports:
    """Sends the progress of a search to a receiver, if there is one."""

    on_progress: OnProgress | None
    clock: Stopwatch
    scale: float
    last: Progress = NO_REPORT

    def __call__(self, cost: float, low: float) -> None:
        """Report a lower cost of a tree, or at most several times a second a higher bound."""
        if self.on_progress is None or cost == inf:
            return
        now = Progress(self.clock.seconds, cost / self.scale, min(low, cost) / self.scale)
        if now.objective < self.last.objective or now.seconds > self.last.seconds + SECONDS_BETWEEN:
            self.last = now
            self.on_progress(now)


@dataclass(eq=False)
class _AttributeSetSearch:
    """Branch and bound over the sets of attributes that a tree may test, for the limit on their number.

    The cost of the best tree of a set is a lower bound for the set. If this tree tests too many attributes, the set is
    branched on each of them in turn: it is forbidden in one part, and chosen in the parts that follow.
    """

    instance: Instance
    terms: ConditionTerms
    in_set: ConditionedSearch  # for the best tree of one set
    report: _Reports
    low: float  # a lower bound of the cost
    cost: float = inf  # of the best tree so far
    plan: Plan | None = None

    def run(self) -> Status:
        """Search until the best tree is proven or a limit is reached."""
        instance, terms = self.instance, self.terms
        splits = inf if instance.max_splits is None else instance.max_splits
        levels = instance.data.rows if instance.max_depth is None else instance.max_depth
        at_once = self.in_set.is_fast() and terms.most >= len(terms.rank)
        shallower = [] if at_once else [depth for depth in SHALLOW if depth < levels]
        try:
            for shallow in (*shallower, levels):
                if self._proven():
                    break
                self._search_sets(shallow, splits, last=shallow == levels)
                if shallow == 0 < levels and splits == inf and not (terms.required or terms.first is not None):
                    self.in_set.restrict(terms.allowed)
                    self._take(_greedy_tree(self.in_set, levels))
        except Stopped as stopped:
            return Status.OPTIMAL if self._proven() else stopped.status
        except KeyboardInterrupt:
            return Status.OPTIMAL if self._proven() else Status.INTERRUPTED
        return Status.OPTIMAL

    def _proven(self) -> bool:
        return self.plan is not None and self.cost <= self.low + EQUAL_SHARE * abs(self.low)

    def _search_sets(self, levels: int, splits: float, *, last: bool) -> None:
        """Search all sets for trees of at most this many levels; `last` if no tree may have more levels."""
        first = () if self.terms.first is None else (self.terms.first,)
        chosen = self.terms.required | bits_of(first)
        waiting = [(self.low, chosen, self.terms.allowed if chosen.bit_count() < self.terms.most else chosen)]
        while waiting:
            low, chosen, allowed = waiting.pop()
            if low >= self.cost:
                continue
            self.in_set.restrict(allowed)
            lows = [low, *(bound for bound, _, _ in waiting)] if last else None
            self.in_set.improved = partial(self._improved, lows)
            try:
                result = self.in_set.best(levels, splits, self.cost)
            except BaseException:
                self.low = self._bound(lows)
                self._take(self.in_set.interrupted())
                raise
            if self._take(result) or result is None:
                continue
            cost, plan = result
            for attribute in [a for a in _attributes(plan) if not chosen >> a & 1]:
                waiting.append((cost, chosen, allowed & ~(1 << attribute)))
                chosen |= 1 << attribute
                if chosen.bit_count() == self.terms.most:
                    waiting.append((cost, chosen, chosen))
                    break
        if last:
            self.low = max(self.low, self.cost)

    def _bound(self, lows: Sequence[float] | None) -> float:
        """A lower bound of the cost of all trees, from the bounds of the set that is searched and of those that wait.

        They are None while only shallower trees are searched, because these bounds do not hold for deeper trees.
        """
        return self.low if lows is None else max(self.low, min(max(lows[0], self.in_set.low), *lows[1:], self.cost))

    def _improved(self, lows: Sequence[float] | None) -> None:
        """Report the state of a search in a set. Its tree may test too many attributes, unless there is no limit."""
        any_tree = self.terms.most >= len(self.terms.rank)
        self.report(min(self.cost, self.in_set.cost) if any_tree else self.cost, self._bound(lows))

    def _take(self, result: tuple[float, Plan] | None) -> bool:
        """Keep a tree if it tests few enough attributes; return whether it does."""
        if result is None or len(_attributes(result[1])) > self.terms.most:
            return False
        if result[0] < self.cost:
            self.cost, self.plan = result
            self.report(self.cost, self.low)
        return True


def _greedy_tree(search: ConditionedSearch, levels: int) -> tuple[float, Plan]:
    """The cost of a tree whose nodes take the tests that are best with leaves as their branches, and the tree.

    levels : of the tree at most; it may have any number of splits, and no attribute may be required or first
    """
    rows, tests = search.rows, search.tests

    def grown(node: ConditionedNode, levels: int, state: State) -> Steps:
        levels, state = tests.useful(node, levels, state)
        leaf = node.leaf, Leaf(int(rows.classes[node.decision]))
        if tests.is_leaf(node, levels, state):
            return leaf
        search.spend()
        tests.try_all(node, levels, state)
        if tests.cost.min(initial=inf) == inf:
            return leaf
        test = int(tests.cost.argmin())
        branches, total, children = rows.branches(node.rows, test), tests.price(node, state, test), list[Plan]()
        for part, below in zip(branches.parts, tests.cheapest(test, branches, state), strict=True):
            cost, plan = yield grown(tests.node(part, below), levels - 1, below)
            total += cost
            children.append(plan)
        return leaf if total >= node.leaf else (total, rows.split(node.rows, test, None, tuple(children)))

    state = search.root_state(inf)
    result: tuple[float, Plan] = run(grown(tests.node(rows.all_rows(), state), levels, state))
    return result


def _attributes(plan: Plan) -> list[int]:
    """The attributes that a tree tests, each once, those of higher nodes first."""
    level, result = [plan], list[int]()
    while level:
        splits = [node for node in level if not isinstance(node, Leaf)]
        result += [node.attribute for node in splits]
        level = [child for node in splits for child in node.children]
        level += [node.unknown for node in splits if not isinstance(node.unknown, int)]
    return list(dict.fromkeys(result))


def _solution(instance: Instance, search: _AttributeSetSearch, rows: ConditionedRows, status: Status) -> Solution:
    assert search.plan is not None
    tree = tree_of_plan(search.plan, instance.data, instance.weights)
    if instance.missing == "all_branches":  # also where no row lacked the value
        unknown_to = np.where(tree.kind == NodeKind.TERMINAL, NO_NODE, ALL_BRANCHES).astype(np.int32)
        tree = replace(tree, unknown_to=unknown_to)
    errors, splits, leaves = measures(tree, tree.decision)
    objective = search.cost / rows.scale
    bound = objective if status is Status.OPTIMAL else min(search.low / rows.scale, objective)
    return Solution(
        tree=tree,
        errors=errors,
        splits=splits,
        leaves=leaves,
        objective=objective,
        bound=bound,
        status=status,
        work=search.in_set.work,
        forced=min(rows.unavoidable, errors),
    )
