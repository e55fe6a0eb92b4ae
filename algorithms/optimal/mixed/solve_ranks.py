"""Optimal trees over nominal attributes, split by value, and numeric ones, split at any threshold, by exact search.

The search is a depth-first branch and bound with these techniques:

- The cost of a cut bounds the cuts near it, so the cuts of an attribute are searched from the middle (ConTree, Briţa et
  al. 2025; see `cut_bounds`).
- At a node with two levels left, one pass over the sorted rows finds the best stumps of both sides of many cuts, if no
  attribute is split by value (see `sweeps`).
- If all attributes have two labels and missing labels have a branch of their own, the best tree of two levels is found
  from counts of pairs of labels (MurTree, Demirović et al. 2022; see `code_pairs`). The similarity bound then rules
  out splits of the node above.
- A split must save more errors than it costs (the incremental progress bound of OSDT, Hu et al. 2019).
- Rows with equal values and different classes cause errors in every tree (the equivalent points bound).
- A memo keeps the costs and bounds of sets of rows.
- If leaves have a minimum size, relaxed trees with smaller leaves give the bounds (see `cut_bounds`).

A long search looks for trees that cost little more than the lower bound, and raises the bound until it reaches the best
tree. If leaves have a minimum size, it also uses bounds from the weights of the classes (see `cut_bounds.raise_lows`).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from algorithms._numba.compiling import Stopwatch
from algorithms.array_types import Integers
from algorithms.data.data_set import DataSet
from algorithms.optimal.cart_start import cart_within, effort_beside_cart
from algorithms.optimal.driver import Driver
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed.cut_windows import HEAVIEST
from algorithms.optimal.mixed.node_levels import NO_CHOICE
from algorithms.optimal.mixed.packed_rows import BRANCHES, TreeRule
from algorithms.optimal.mixed.rank_search import RankSearch
from algorithms.optimal.mixed.ranked_rows import RankedRows
from algorithms.optimal.never import NEVER
from algorithms.optimal.plan import Leaf, Plan, split_by_values, tree_of_plan
from algorithms.optimal.root_tests import NOTHING_EXCLUDED, Root
from algorithms.optimal.solution import Effort, OnProgress, Solution, Status, measures
from algorithms.trees.decision_tree import DecisionTree

BRIEF_WORK, LONG_WORK = 12_000_000, 36_000_000
"""Units of work after which a search takes heuristic trees, and further units after which it raises the bound in steps.
A short search ends sooner without these."""

SHALLOW_LEVELS = (2, 3)
"""Depths that are searched first in two cases. If splits are counted, trees of few splits have few levels. If missing
numbers may go to either side, the results bound the cuts that separate few rows from all others (see `cut_bounds`)."""

FIRST_STEP_DIVISOR = 2
"""In a long search, the first step raises the bound by this fraction of the gap: 1 / FIRST_STEP_DIVISOR."""

FEW_SPLITS = 3
"""If splits are counted, a long search first raises the bounds of trees with at most this many splits. These have few
levels, and if splits are expensive, one of them is the best."""

LEVELS_AHEAD = 2
"""Levels that the heuristic tree looks ahead at each node."""


def solve_mixed(
    instance: Instance,
    effort: Effort,
    *,
    subsets: bool = False,
    frontier: bool = False,
    on_progress: OnProgress | None = None,
    root: Root = NOTHING_EXCLUDED,
) -> Solution:
    """The best tree of an instance, or the best that is found within the effort, with a bound.

    A split of a nominal attribute has a branch for each code of the node's rows; with `subsets`, it may also have two
    branches, for two sets of codes. A split of a numeric attribute has two branches; its threshold is midway between
    neighbouring values of the node's rows. Rows that lack the value have a branch of their own. With `frontier`, the
    tree of fewest errors is found for each number of splits.

    A unit of work is one row in the sorted list of one attribute. Weights of merged rows are rounded to multiples of a
    unit, which is at most 2⁻⁵¹ of the sum of all weights; costs are exact sums of these. Of equally good trees, a leaf
    is preferred to a split and, if splits are counted, fewer splits to more. Of the others, the first that the search
    finds is kept, which is the same on any machine.

    Raises DataSetError for more than 2²³ rows or 2¹² classes and, with `subsets`, for too many values of an attribute.
    """
    clock = Stopwatch()
    coded = RankedRows.of(instance, subsets=subsets)
    if frontier:
        rule = tree_rule(instance, coded, subsets, frontier=True)
        splits_give_size = rule.binary or instance.penalty == "splits"  # then the best tree is one of the frontier
        by_splits = _Strategy(instance, coded, effort, clock, on_progress if splits_give_size else None, rule)
        status = by_splits.run()
        points = by_splits.driver.frontier(status)
        if splits_give_size:
            return replace(by_splits.solution(status), frontier=points)
    rule = tree_rule(instance, coded, subsets, frontier=False)
    by_cost = _Strategy(instance, coded, effort, clock, on_progress, rule, root)
    solution = by_cost.solution(by_cost.run())
    if not frontier:
        return solution
    stopped = solution.stopped if status is Status.OPTIMAL else status
    return replace(solution, frontier=points, work=solution.work + by_splits.search.work, stopped=stopped)


def tree_rule(instance: Instance, coded: RankedRows, subsets: bool, *, frontier: bool) -> TreeRule:
    """The rule for the kernels. Splits are counted for a frontier, and if `max_splits` excludes trees."""
    binary = not coded.kind.any()
    most = len(coded.classes) - 1
    if binary and instance.max_depth is not None and instance.max_depth < 30:
        most = min(most, 2**instance.max_depth - 1)
    allowed = most if instance.max_splits is None else min(most, instance.max_splits)
    counts_splits = frontier or allowed < most
    min_leaf, per_leaf, classes = instance.min_samples_leaf, instance.penalty == "leaves", len(instance.data.classes)
    useful = min(allowed, instance.data.rows // min_leaf - 1)  # more splits need more leaves than there are rows for
    grain, bits, grains = coded.grain, min(30, 63 // (2 * classes)), coded.rows.grains
    all_weight = int(grains.sum())
    weight_bounds = binary or (min_leaf == 1 and not per_leaf)
    has_branches = not binary and bool((coded.kind == BRANCHES).any())
    sweep_bits = _sweep_bits(grains, all_weight) if weight_bounds and not has_branches else 0
    alike = bool((grains == coded.rows.count).all())
    packed = all_weight < 1 << bits and (min_leaf == 1 or alike)
    return TreeRule(
        price=0 if frontier else coded.price(instance),
        per_leaf=per_leaf,
        min_leaf=min_leaf,
        subsets=subsets,
        weight_bounds=weight_bounds,
        counts_splits=counts_splits,
        width=useful + 1 if counts_splits else 1,
        binary=binary,
        classes=classes,
        packed_bits=bits if packed and not sweep_bits else 0,
        sweep_bits=sweep_bits,
        grain=grain,
        row_weight=grain if alike else 0,
        repeats=coded.repeats,
        thorough=False,
    )


def _sweep_bits(grains: Integers, all_weight: int) -> int:
    """Bits of the integers of sweeps: they hold twice the weight of all rows; 64 if a row is too heavy for a mark."""
    if all_weight < 1 << 14:
        return 16
    return 32 if all_weight < 1 << 30 and int(grains.max()) <= HEAVIEST else 64


class _Strategy:
    """The order in which the search of an instance looks for trees, by depth and cost.

    depth    : greatest depth of a useful tree
    any_root : whether the root may make any test, and trees of any cost are of interest
    cart_due : whether CART's tree must still be tried
    """

    def __init__(
        self,
        instance: Instance,
        coded: RankedRows,
        effort: Effort,
        clock: Stopwatch,
        on_progress: OnProgress | None,
        rule: TreeRule,
        root: Root = NOTHING_EXCLUDED,
    ) -> None:
        self.instance, self.coded, self.rule = instance, coded, rule
        self.effort = effort
        effort, has_time = effort_beside_cart(instance, effort)
        self.any_root = root == NOTHING_EXCLUDED
        self.cart_due = has_time and self.any_root
        self.rows = np.arange(len(coded.classes))
        leaf = coded.leaf_cost(self.rows)
        low = np.full(rule.width, min(leaf, rule.price + coded.forced))
        if rule.counts_splits:
            low[0] = leaf
        self.search = RankSearch(instance, coded, rule, effort.memory, root.tests)
        cost = np.full(rule.width, min(leaf, root.limit(instance, coded.unit)), np.int64)
        self.driver = Driver(instance, self.search, effort, clock, on_progress, cost, low, root.below)
        self.depth = len(self.rows) - 1
        if instance.max_depth is not None:
            self.depth = min(self.depth, instance.max_depth)
        if rule.counts_splits:  # each level needs at least one split
            self.depth = min(self.depth, rule.width - 1)

    def run(self) -> Status:
        """Search until the best trees are proven or the effort is spent."""
        status = self.driver.run(self._find_best)
        if status is not Status.OPTIMAL:
            self._take_cart()
        return status

    def solution(self, status: Status) -> Solution:
        """The best tree by the objective, and the bound."""
        return self.driver.solution(status, forced=self.coded.forced * self.coded.unit)

    def _find_best(self) -> None:
        """Search briefly, then with heuristic trees, then by raising the bound, until the best trees are proven."""
        driver = self.driver
        for levels in SHALLOW_LEVELS if self.rule.counts_splits or self.rule.repeats else ():
            if levels < self.depth and not driver.proven:
                self._search(driver.cost, self.search.work + BRIEF_WORK, levels)
        if self.depth and not driver.proven:
            self._search(driver.cost, self.search.work + BRIEF_WORK)
        if self.depth and not driver.proven:
            self._take_cart()
            if self.depth > LEVELS_AHEAD and self.any_root:
                driver.take(*self._look_ahead(self.rows, self.depth))
            self._search(driver.cost, self.search.work + LONG_WORK)
            self._raise_bound()

    def _raise_bound(self) -> None:
        """Search for trees that cost little more than the bound, and raise it if there are none, until the proof.

        A search with a low limit excludes most sets of rows, and the memo keeps its results for the next one. The
        bounds of trees with few splits are raised first. Each step is at least as long as all steps before it together.
        If leaves have a minimum size, the search is thorough, and the bound starts at that of the classes.
        """
        driver = self.driver
        if driver.proven:
            return
        if self.rule.min_leaf > 1:
            self.search.rule = self.rule._replace(thorough=True)
            self._search_below(driver.low, self.rule.width)
        grain = 1 if self.rule.price else self.rule.grain
        start, first_step = driver.low.copy(), -((driver.low - driver.cost) // (FIRST_STEP_DIVISOR * grain)) * grain
        for sizes in (FEW_SPLITS + 1, self.rule.width):
            while (driver.low < driver.cost)[:sizes].any():
                step = np.maximum(first_step, driver.low - start)
                self._search_below(np.minimum(driver.low + step, driver.cost), sizes)

    def _search_below(self, limit: Integers, sizes: int) -> None:
        """Search for trees that cost less than the first `sizes` elements of a limit, where the bound allows some."""
        wanted = (limit > self.driver.low) & (np.arange(self.rule.width) < sizes)
        levels = min(self.depth, sizes - 1) if self.rule.counts_splits else self.depth
        self._search(np.where(wanted, limit, 0), levels=levels)

    def _search(self, limit: Integers, until: int = NEVER, levels: int = 0) -> None:
        """Search for trees that cost less than a limit, and keep the results, even if the search is stopped.

        limit  : (width,) in the unit of the weights
        until  : work after which to stop
        levels : greatest depth of the trees; 0: that of the deepest useful tree
        """
        levels = levels or self.depth
        self.search.begin(self.rows, levels, limit)
        needed = (
            np.minimum(np.arange(self.rule.width), self.depth) if self.rule.counts_splits else np.array([self.depth])
        )
        self.driver.solve(np.where(levels >= needed, NEVER, 0), until)

    def _take_cart(self) -> None:
        """Take CART's tree if it is better and has not been tried."""
        if not self.cart_due:
            return
        self.cart_due, self.driver.effort = False, self.effort  # the rest of the search gets the time reserved for CART
        grown = cart_within(self.instance, tree_of_plan(Leaf(), self.instance.data, self.instance.weights))
        errors, splits, _ = measures(grown)
        plan = plan_of_tree(self.instance.data, grown)
        self.driver.take(plan, round(errors / self.coded.unit) + int(self.rule.price) * splits, splits)

    def _look_ahead(self, rows: Integers, depth: int) -> tuple[Plan, int, int]:
        """A tree whose nodes each have the root split of the best tree of LEVELS_AHEAD levels; its cost; its splits."""
        self.search.begin(rows, min(depth, LEVELS_AHEAD), np.full(self.rule.width, NEVER))
        self.driver.advance()
        result = self.search.bound()
        choice = int(result.choice[-1])
        if choice == NO_CHOICE:
            return Leaf(), int(result.best[-1]), 0
        attribute, parts = self.search.split(rows, choice)
        below = [self._look_ahead(part, depth - 1) for part in parts]
        plan = self.coded.plan(self.instance.data, parts, attribute, [plan for plan, _, _ in below])
        cost = self.search.price(len(parts)) + sum(cost for _, cost, _ in below)
        return plan, cost, 1 + sum(splits for _, _, splits in below)


def plan_of_tree(data: DataSet, tree: DecisionTree) -> Plan:
    """The plan of a tree of cuts and single codes, such as CART's, with the same splits of the rows."""
    rows_of, plans = dict(tree.rows_of_nodes(data.values())), dict[int, Plan]()
    for node in reversed(range(tree.nodes)):
        attribute = int(tree.attribute[node])
        below = [(data.columns[attribute][rows_of[child]], plans[child]) for child in tree.children(node)]
        below = sorted((pair for pair in below if len(pair[0])), key=lambda pair: pair[0].min())
        plans[node] = split_by_values(data, attribute, *zip(*below, strict=True)) if below else Leaf()
    return plans[0]
