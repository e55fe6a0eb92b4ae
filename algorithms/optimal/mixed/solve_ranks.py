"""The best tree over nominal attributes split by their values and numeric ones at any threshold, by search.

Depth first with bounds. At each node the splits of an attribute that may still be better are
searched, from the middle; what is found of one cut bounds those beside it (ConTree, arXiv 2501.07903); two levels from
the end a single pass over the sorted rows finds both children, of many cuts at once where all attributes are numeric or
have two values; a split must save more than it costs (GOSDT, Branches); what is found is kept by the set of rows. A
long search is for trees that cost little more than the bound, which rises.

Leaves of a least size: what is found of one cut still bounds those that leave fewer rows on its side; for those that
leave more, each side is searched first for trees whose leaves may be so much smaller as the other cuts have more rows.

A long search for such trees is thorough: what the classes of rows weigh bounds their cost before any split of them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from algorithms._numba.compiling import Stopwatch
from algorithms.optimal.cart_start import cart_within
from algorithms.optimal.driver import NEVER, Driver
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed.cut_windows import HEAVIEST
from algorithms.optimal.mixed.node_levels import NO_CHOICE, SPLIT_BITS
from algorithms.optimal.mixed.packed_rows import BRANCHES, Rule
from algorithms.optimal.mixed.plan_of_ranks import parts_of_split, plan_of_split, plan_of_tree
from algorithms.optimal.mixed.rank_search import RankSearch
from algorithms.optimal.mixed.ranked_rows import CodedRows
from algorithms.optimal.plan import Leaf, Plan, tree_of_plan
from algorithms.optimal.solution import Effort, OnProgress, Solution, Status, measures

__all__ = ["solve_mixed"]

Integers = NDArray[np.int64]

BRIEF, LONG = 12_000_000, 36_000_000
"""Units of work after which a search goes on with good trees, and so many more after which it goes on with a bound that
rises in steps; one that is shorter ends sooner without them."""

SHALLOW = (2, 3)
"""Levels that are searched first where splits are counted: for a tree of few splits has few levels."""

STEPS = 2
"""In a long search, the part of the way from the bound to the best tree that the first step goes is one in so many."""

FEW = 3
"""Splits of the trees for which a long search raises the bound first, where splits are counted. They have few levels,
and if a split costs much, one of them is the best."""

AHEAD = 2
"""Levels that are solved at once at each node of the first tree, which the search then has to better."""


def solve_mixed(
    instance: Instance,
    effort: Effort,
    *,
    subsets: bool = False,
    frontier: bool = False,
    on_progress: OnProgress | None = None,
) -> Solution:
    """The best tree for an instance, or the best that the effort allows and a bound.

    A nominal node has a branch for each code among its rows; with `subsets` it may also part them into two sets. A
    numeric node has two branches, cut midway between neighbouring values of its rows. With `frontier` the trees of
    fewest errors are found for every number of splits.

    The unit of work is a row looked at in the sorted list of one attribute. Costs are compared to within 2⁻⁵² of the
    sum of all weights. Of equally good trees a leaf is preferred to a split, fewer splits to more where they are
    counted, and then the first that is met, which is the same everywhere.

    Raises DataSetError where `subsets` are asked of a nominal attribute with too many values.
    """
    clock = Stopwatch()
    coded = CodedRows.of(instance, subsets=subsets)
    if frontier:
        rule = _rule(instance, coded, subsets, frontier=True)
        alone = rule.binary or instance.penalty == "splits"  # or the leaves of its trees are not known
        free = _Climb(instance, coded, effort, clock, on_progress if alone else None, rule)
        status = free.run()
        points = free.driver.frontier(status)
        if alone:
            return replace(free.solution(status), frontier=points)
    climb = _Climb(instance, coded, effort, clock, on_progress, _rule(instance, coded, subsets, frontier=False))
    solution = climb.solution(climb.run())
    if not frontier:
        return solution
    stopped = solution.stopped if status is Status.OPTIMAL else status
    return replace(solution, frontier=points, work=solution.work + free.search.work, stopped=stopped)


def _rule(instance: Instance, coded: CodedRows, subsets: bool, *, frontier: bool) -> Rule:
    """What is asked of the kernels; where a number of splits binds, or is asked for, splits are counted."""
    binary = not (coded.kind == BRANCHES).any()
    most = len(coded.classes) - 1
    if binary and instance.max_depth is not None and instance.max_depth < 30:
        most = min(most, 2**instance.max_depth - 1)
    allowed = most if instance.max_splits is None else min(most, instance.max_splits)
    budgeted = frontier or allowed < most
    least, per_leaf, classes = instance.min_samples_leaf, instance.penalty == "leaves", len(instance.data.classes)
    weight, count = coded.rows.weight, coded.rows.count
    grain, bits = int(np.gcd.reduce(weight)), min(30, 63 // (2 * classes))
    all_weight = int(weight.sum()) // grain
    lanes = _lanes(coded, all_weight) if binary else 0
    alike = bool((weight == grain * count).all())
    packed = all_weight < 1 << bits and (least == 1 or alike)
    return Rule(
        price=0 if frontier else min(round(instance.size_cost / coded.unit), 2 * int(coded.rows.weight.sum())),
        per_leaf=per_leaf,
        least=least,
        subsets=subsets,
        sheds=binary or (least == 1 and not per_leaf),
        budgeted=budgeted,
        width=allowed + 1 if budgeted else 1,
        binary=binary,
        classes=classes,
        bits=bits if packed and not lanes else 0,
        lanes=lanes,
        grain=grain,
        row=grain if alike else 0,
        thorough=False,
    )


def _lanes(coded: CodedRows, all_weight: int) -> int:
    """Bits of the numbers that cuts are swept with: they must hold twice all weight, and marks the heaviest row."""
    if int(coded.rows.grains.max()) > HEAVIEST:
        return 64
    return next((bits for bits in (16, 32) if all_weight < 1 << (bits - 2)), 64)


class _Climb:
    """The search of one instance: the driver's best trees, and how deep and how far it looks for better ones.

    depth : the greatest that may be of use
    """

    def __init__(
        self,
        instance: Instance,
        coded: CodedRows,
        effort: Effort,
        clock: Stopwatch,
        on_progress: OnProgress | None,
        rule: Rule,
    ) -> None:
        self.instance, self.coded, self.rule = instance, coded, rule
        self.with_cart = False
        self.rows = np.arange(len(coded.classes))
        leaf = _leaf_cost(coded, self.rows)
        low = np.minimum(leaf, rule.price + coded.forced) * np.ones(rule.width, np.int64)
        if rule.budgeted:
            low[0] = leaf
        self.search = RankSearch(instance, coded, rule, effort.memory)
        cost = np.full(rule.width, leaf, np.int64)
        self.driver = Driver(instance, self.search, effort, clock, on_progress, cost, low)
        self.depth = len(self.rows) - 1
        if instance.max_depth is not None:
            self.depth = min(self.depth, instance.max_depth)
        if rule.budgeted:  # a level more is a split more
            self.depth = min(self.depth, rule.width - 1)

    def run(self) -> Status:
        """Search until all is proven or the effort is spent."""
        status = self.driver.run(self._climb)
        if status is not Status.OPTIMAL:
            self._take_cart()
        return status

    def solution(self, status: Status) -> Solution:
        """The best tree by the objective, and the bound."""
        return self.driver.solution(status, forced=self.coded.forced * self.coded.unit)

    def _climb(self) -> None:
        driver = self.driver
        for levels in SHALLOW if self.rule.budgeted else ():
            if levels < self.depth and not driver.proven:
                self._solve(driver.cost, self.search.work + BRIEF, levels)
        if self.depth and not driver.proven:
            self._solve(driver.cost, self.search.work + BRIEF)
        if self.depth and not driver.proven:
            self._take_cart()
            if self.depth > AHEAD:
                driver.take(*self._rolled(self.rows, self.depth))
            self._solve(driver.cost, self.search.work + LONG)
            self._rise()

    def _rise(self) -> None:
        """Search for trees that cost little more than the bound, which rises where there are none, until all is proven.

        The bound of trees with few splits is raised first. Each step is as long as all before it. Few sets of rows are
        searched for trees that would have to be so good, and what was found of them is remembered. Where leaves have a
        least size, the bound begins where the classes put it, and the search is thorough.
        """
        driver = self.driver
        if driver.proven:
            return
        if self.rule.least > 1:
            self.search.rule = self.rule._replace(thorough=True)
            self._raise_to(driver.low, self.rule.width)
        grain = 1 if self.rule.price else int(np.gcd.reduce(self.coded.rows.weight))
        start, least = driver.low.copy(), -((driver.low - driver.cost) // (STEPS * grain)) * grain
        for sizes in (FEW + 1, self.rule.width):
            while (driver.low < driver.cost)[:sizes].any():
                self._raise_to(np.minimum(driver.low + np.maximum(least, driver.low - start), driver.cost), sizes)

    def _raise_to(self, limit: Integers, sizes: int) -> None:
        """Search for trees that cost less than a limit, of the first numbers of splits, where there may be some."""
        wanted = (limit > self.driver.low) & (np.arange(self.rule.width) < sizes)
        levels = min(self.depth, sizes - 1) if self.rule.budgeted else self.depth
        self._solve(np.where(wanted, limit, 0), levels=levels)

    def _solve(self, limit: Integers, until: int = NEVER, levels: int = 0) -> None:
        """Search for trees that cost less than a limit, and take what is found, also where the search is stopped.

        levels : at most; as many as are allowed if left out
        """
        levels = levels or self.depth
        self.search.begin(self.rows, levels, limit)
        needed = np.minimum(np.arange(self.rule.width), self.depth) if self.rule.budgeted else self.depth
        self.driver.solve(np.where(levels >= needed, NEVER, 0) * np.ones(self.rule.width, np.int64), until)

    def _take_cart(self) -> None:
        """Take CART's tree, once, where it is better; it is one of those searched if all splits have two branches."""
        if self.with_cart:
            return
        self.with_cart = True
        rows = np.arange(self.instance.data.rows)
        grown = cart_within(self.instance, tree_of_plan(Leaf(), self.instance.data, self.instance.weights))
        errors, splits, _ = measures(grown)
        plan = plan_of_tree(self.instance.data, grown, rows)
        self.driver.take(plan, round(errors / self.coded.unit) + int(self.rule.price) * splits, splits)

    def _rolled(self, rows: Integers, depth: int) -> tuple[Plan, int, int]:
        """A tree in which each node is the root of the best tree of few levels for its rows; its cost, its splits."""
        self.search.begin(rows, min(depth, AHEAD), np.full(self.rule.width, NEVER))
        self.driver.advance()
        found = self.search.bound()
        choice = int(found.choice[-1])
        if choice == NO_CHOICE:
            return Leaf(), int(found.best[-1]), 0
        attribute, split = choice >> SPLIT_BITS, choice & ((1 << SPLIT_BITS) - 1)
        parts = parts_of_split(self.coded, rows, attribute, split)
        below = [self._rolled(part, depth - 1) for part in parts]
        plan = plan_of_split(self.coded, self.instance.data, parts, attribute, [plan for plan, _, _ in below])
        cost = self.search.price(len(parts)) + sum(cost for _, cost, _ in below)
        return plan, cost, 1 + sum(splits for _, _, splits in below)


def _leaf_cost(coded: CodedRows, rows: Integers) -> int:
    by_class = np.bincount(coded.classes[rows], coded.rows.weight[rows], 1)  # exact: whole, and less than 2**53
    return int(by_class.sum() - by_class.max())
