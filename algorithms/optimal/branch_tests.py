"""Smaller parts of the search for an optimal tree: one test at the root, and some of the tests of one of its branches.

The cost of a tree is the sum of the costs of its branches. So the least cost of one branch bounds all trees with the
same test at the root. Given this bound, a part searches the other branches only if it may find a better tree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import NamedTuple

import numpy as np

from algorithms.array_types import Integers
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.plan import Leaf, Plan, plan_of, split_by_values, tree_of_plan
from algorithms.optimal.root_tests import Root, RootTests, branch_of_rows, root_tests
from algorithms.optimal.solution import Effort, Solution, Status
from algorithms.rounding import EQUAL_SHARE

HARDEST, SECOND = 0, 1
"""Ranks of branches: the one with the most errors as a leaf, and the next."""

ALL = -1
"""The index of a part that has all tests of a branch."""


@dataclass(frozen=True)
class BranchTests:
    """Some of the tests that one branch of the root may make.

    attribute, cut : the test at the root of the tree
    rank           : of the branch, HARDEST or SECOND
    part           : the index of these tests among `parts` parts of the tests of the branch
    """

    attribute: int
    cut: int
    rank: int
    part: int
    parts: int


def divided_tests(instance: Instance, parts: int) -> Sequence[RootTests | BranchTests]:
    """The tests at the root of a tree in parts or, if there are enough parts, the tests of two branches of each.

    With fewer than four parts for each test at the root, these are the parts of `root_tests`. With more, every tree is
    in some part of a SECOND branch. The parts of HARDEST branches come first, those of one branch in a row; their
    results are bounds for the other parts. The number of splits of a tree must not be limited.
    """
    (every,) = root_tests(instance, 1)
    tests = sum(last - first + 1 for first, last in every.cuts.values())
    each = parts // (2 * tests) if tests and instance.most_levels > 1 else 0
    if each < 2:
        return root_tests(instance, parts)
    divided = [
        BranchTests(attribute, cut, rank, part, each)
        for rank in (HARDEST, SECOND)
        for at_root in root_tests(instance, tests)
        for attribute, (cut, _) in at_root.cuts.items()
        for part in range(each)
    ]
    return [*divided, *[RootTests({})] * (parts - len(divided))]


def solve_branches(
    instance: Instance,
    tests: BranchTests,
    *,
    below: float,
    lows: Sequence[float] = (),
    effort: Effort | None = None,
) -> Solution:
    """The best tree of a part, if its objective is less than `below` and it is proven best; or a leaf, with a bound.

    For tests of a SECOND branch, the bound is for the trees in which this branch makes one of the tests, or none. For
    those of a HARDEST branch, the result is a leaf, and the bound holds even if all other branches have no errors.

    lows : the bounds of the parts of the HARDEST branch; empty if they are not known. The tree does not depend on them
    """
    search = _BranchSearch(instance, tests, effort or Effort())
    price = instance.objective(0.0, 1, 0)
    wanted = search.parts([max(low - price, 0.0) for low in lows or [0.0] * tests.parts])
    low_of = {branch: min(parts.values()) for branch, parts in wanted.items()}
    chosen: dict[int, int] = {}
    for branch, parts in wanted.items():
        limit = below - price - sum(low for other, low in low_of.items() if other != branch)
        part, low_of[branch] = search.cheapest(branch, parts, limit)
        if part is None:
            break
        chosen[branch] = part
    plan: Plan = Leaf()
    if chosen and len(chosen) == len(search.branches) and search.status is Status.OPTIMAL:
        plan = search.plan({branch: (part, low_of[branch]) for branch, part in chosen.items()})
    bound = min(price + sum(low_of.values()), below) if wanted else below
    tree = tree_of_plan(plan, instance.data, instance.weights)
    return Solution.of(instance, tree, bound=bound, status=search.status, work=search.work)


class _Branch(NamedTuple):
    """The rows of a branch, the problem of its best tree, and its errors as a leaf, as a share of the root's."""

    rows: Integers
    instance: Instance
    share: float


class _BranchSearch:
    """Searches of the branches of one test at the root, within one effort.

    branches : by increasing value; none if one has too few rows
    """

    def __init__(self, instance: Instance, tests: BranchTests, effort: Effort) -> None:
        self.instance, self.tests, self.effort = instance, tests, effort
        self.branches = _branches(instance, tests)
        self.work, self.status = 0, Status.OPTIMAL

    def parts(self, lows: Sequence[float]) -> dict[int, dict[int, float]]:
        """For each branch to search, in this order, the parts of its tests, with a lower bound of the cost of each.

        lows : of the parts of the HARDEST branch
        """
        order = sorted(range(len(self.branches)), key=lambda branch: -self.branches[branch].share)
        own = {self.tests.part: 0.0}
        if not order or self.tests.rank == HARDEST:
            return dict.fromkeys(order[:1], own)
        hardest, second, *others = order
        return {second: own} | {branch: {ALL: 0.0} for branch in others} | {hardest: dict(enumerate(lows))}

    def cheapest(self, branch: int, lows: Mapping[int, float], limit: float) -> tuple[int | None, float]:
        """The part with the best tree of a branch, None if that does not cost less than a limit; and a lower bound.

        lows : lower bounds of the costs of the parts
        """
        chosen, bounds = None, dict(lows)
        for part in sorted(lows, key=lambda part: round(lows[part] / EQUAL_SHARE)):
            if lows[part] >= limit:
                continue
            share = self.branches[branch].share
            solution = self._solved(branch, part, limit, self.effort.after(0.0, self.work))
            self.status = self.status if solution.optimal else solution.status
            cost = self.instance.objective(solution.errors, solution.splits, solution.leaves)
            bounds[part] = max(lows[part], min(cost, solution.bound * share) if share else cost)
            if cost < limit:
                chosen, limit = part, cost
        return chosen, min(bounds.values())

    def plan(self, chosen: Mapping[int, tuple[int, float]]) -> Plan:
        """The tree whose branches are the best of a part each, given that part and its cost.

        Each branch is searched again below its own cost, so that the tree does not depend on limits.
        """
        data, attribute = self.instance.data, self.tests.attribute
        values = [data.columns[attribute][branch.rows] for branch in self.branches]
        best = [
            self._solved(branch, part, cost + EQUAL_SHARE, Effort()) for branch, (part, cost) in sorted(chosen.items())
        ]
        attributes = range(len(data.attributes))
        return split_by_values(data, attribute, values, [plan_of(solution.tree, attributes) for solution in best])

    def _solved(self, branch: int, part: int, below: float, effort: Effort) -> Solution:
        """The search of a part of the tests of a branch below a cost."""
        _, instance, share = self.branches[branch]
        tests = None if part == ALL else root_tests(instance, self.tests.parts)[part]
        solution = solve(instance, effort, root=Root(tests, below / share if share else inf))
        self.work += solution.work
        return solution


def _branches(instance: Instance, tests: BranchTests) -> list[_Branch]:
    taken = branch_of_rows(instance.data, tests.attribute, tests.cut)
    if np.bincount(taken).min() < instance.min_samples_leaf:
        return []
    made = []
    for branch in range(int(taken.max()) + 1):
        rows = np.flatnonzero(taken == branch)
        depth = None if instance.max_depth is None else instance.max_depth - 1
        part = replace(instance, data=instance.data.take(rows), weights=instance.weights[rows], max_depth=depth)
        if part.baseline:
            part = replace(part, alpha=instance.size_cost / part.baseline)
        made.append(_Branch(rows, part, part.baseline / instance.baseline if instance.baseline else 0.0))
    return made
