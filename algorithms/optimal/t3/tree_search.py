"""The searches for trees of T2, T3 and T3C: by the algorithms of the slides, or for the best tree of the form."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from algorithms.array_types import Numbers
from algorithms.data.data_set import DataSet
from algorithms.optimal.plan import ByBounds, ByCodes, Leaf, Plan, tree_of_plan
from algorithms.optimal.solution import Effort, OnProgress, Progress, Solution, Status, Stopped, measures
from algorithms.optimal.t3.coded_rows import NO_ROWS, CodedRows, Rows
from algorithms.optimal.t3.cuts import best_cuts
from algorithms.optimal.t3.last_levels import LastLevels
from algorithms.optimal.t3.limits import Form, Spent
from algorithms.optimal.t3.one_level import LEAF
from algorithms.trees.arrays import NodeKind

Method = Literal["printed", "exhaustive"]

MOST_ENTRIES = 2**16
"""Number of sets of rows whose printed trees are remembered: at most 30 MB."""


@dataclass(frozen=True)
class RootSplit:
    """The root split of a tree, and the errors of the tree."""

    errors: float
    levels: int = 0  # of the tree
    attribute: int = LEAF  # tested at the root, LEAF if there is no split
    cuts: tuple[int, ...] = ()


class TreeSearch(ABC):
    """A search for a tree of a form, within limits."""

    def __init__(self, form: Form, spent: Spent, last: LastLevels) -> None:
        self._form = form
        self._spent = spent
        self._last = last

    def plan(self, rows: CodedRows, levels: int, limit: float = math.inf) -> tuple[Plan, float] | None:
        """The tree of at most this many levels and its errors; None if they are not below the limit."""
        split = self._root_split(rows, levels, limit)
        if split.errors >= limit:
            return None
        if split.attribute == LEAF:
            return Leaf(), split.errors
        if split.levels < 2:
            cuts: tuple[int, ...] = ()
            if rows.numeric[split.attribute]:
                cuts = rows.leaf_cuts(split.attribute, self._form.leaf_intervals)
            return split_plan(rows, split.attribute, cuts, lambda _: Leaf()), split.errors

        def below(part: Rows) -> Plan:
            subtree = self.plan(rows.take(part), split.levels - 1)
            assert subtree is not None  # because there is no limit
            return subtree[0]

        return split_plan(rows, split.attribute, split.cuts, below), split.errors

    @abstractmethod
    def _root_split(self, rows: CodedRows, levels: int, limit: float) -> RootSplit:
        """The root of the tree; if its errors are not below the limit, of any tree with at least as many errors."""

    @abstractmethod
    def _by_number(self, rows: CodedRows, attribute: int, levels: int, limit: float) -> RootSplit:
        """The same for trees of this many levels whose root tests a given number."""

    def _at_most_one_level(self, rows: CodedRows, levels: int) -> tuple[RootSplit, bool]:
        """The best leaf or tree of one level, and whether no more levels are allowed."""
        leaf = rows.leaf_errors()
        if levels == 0 or leaf <= self._form.acceptable * rows.weight + rows.tie:
            return RootSplit(leaf), True
        self._spent.add(len(rows.indices) * len(rows.attributes))
        errors, attribute = self._last.one_level(rows)
        return RootSplit(errors, 0 if attribute == LEAF else 1, attribute), False

    def _improved(self, rows: CodedRows, levels: int, best: RootSplit, limit: float) -> RootSplit:
        """The first best tree of this many levels if it has fewer errors than `best` and the limit; else `best`."""
        for attribute in range(len(rows.attributes)):
            most = min(best.errors, limit)
            if most <= rows.tie:
                break
            by = self._by_number if rows.numeric[attribute] else self._by_label
            split = by(rows, attribute, levels, most)
            best = split if split.errors < most - rows.tie else best
        return best

    def _by_label(self, rows: CodedRows, attribute: int, levels: int, limit: float) -> RootSplit:
        if levels == 2:
            return RootSplit(self._last.by_label(rows, attribute, limit), levels, attribute)
        parts = sorted(rows.by_value(attribute).values(), key=len, reverse=True)  # large subsets have most errors
        errors = self._errors_of_parts(rows, parts, levels, limit) if len(parts) > 1 else limit
        return RootSplit(errors, levels, attribute)

    def _errors_of_parts(self, rows: CodedRows, parts: list[Rows], levels: int, limit: float) -> float:
        """The errors of the trees of all parts in total; if not below the limit, any number that is not."""
        total = 0.0
        for part in parts:
            if total >= limit - rows.tie:
                break
            total += self._errors_of_part(rows, part, levels - 1, limit - total)
        return total

    def _errors_of_part(self, rows: CodedRows, part: Rows, levels: int, limit: float) -> float:
        """The errors of the tree of a part of the rows; if not below the limit, any number that is not."""
        if limit <= 0:
            return limit
        if levels == 1 and self._form.monotone:
            self._spent.add(len(part) * len(rows.attributes))
            return self._last.one_level(rows, part)[0]
        return self._root_split(rows.take(part), levels, limit).errors


class Exhaustive(TreeSearch):
    """The search among all trees of a form for the fewest errors on the training rows.

    Ties in errors go to fewer levels, then to the first attribute, then to fewer intervals, then to the first cut. If
    no tree has fewer errors than the limit, the search returns the limit, a lower bound.
    """

    def _root_split(self, rows: CodedRows, levels: int, limit: float) -> RootSplit:
        best, final = self._at_most_one_level(rows, levels)
        if final:
            return best
        for number in range(2, levels + 1):
            best = self._improved(rows, number, best, limit)
        return best if best.errors < limit else RootSplit(limit)

    def _by_number(self, rows: CodedRows, attribute: int, levels: int, limit: float) -> RootSplit:
        values, unknown = int(rows.width[attribute]), rows.unknown(attribute)
        if not values or (values == 1 and not len(unknown)):
            return RootSplit(limit)
        unknown_errors = self._errors_of_part(rows, unknown, levels - 1, limit) if len(unknown) else 0.0
        fewest = 1 if len(unknown) else 2
        if levels == 2 and self._form.monotone:
            best = self._last.cuts(rows, attribute, fewest, limit - unknown_errors)
            return RootSplit(unknown_errors + best.errors, levels, attribute, best.starts)
        ordered = rows.ordered(attribute)
        best = best_cuts(
            rows.weight_before(ordered),
            lambda first, stop, most: self._errors_of_part(rows, ordered.between(first, stop), levels - 1, most),
            fewest=fewest,
            most=self._form.inner_intervals,
            limit=limit - unknown_errors,
            tie=rows.tie,
            monotone=self._form.monotone,
        )
        return RootSplit(unknown_errors + best.errors, levels, attribute, best.starts)


class Printed(TreeSearch):
    """The trees that Algorithms 1 to 4 of Li, *Optimal Decision Tree*, build; `plan` is Algorithms 1 and 2.

    Attributes are tried in order, and the first of fewest errors is chosen. A nominal attribute has a branch for each
    value (Algorithm 3). A number at the last level has the intervals of fewest errors. Elsewhere it has the two
    intervals, or in T3C up to three, whose best trees of *one* level have the fewest errors in total (Algorithm 4). The
    trees below are built after the cut is chosen, so with two levels below it the cut need not be the best.

    Details that the slides leave open are decided as follows. Rows of unknown value are separated first and do not
    affect the cuts. The second split may test the same attribute, and ignores the acceptable error rate. Three
    intervals are used if they have fewer errors than two. An attribute with only one branch that has rows is skipped.

    The same rows are reached through different orders of attributes. Their tree is searched once.
    """

    def __init__(self, form: Form, spent: Spent, last: LastLevels) -> None:
        super().__init__(form, spent, last)
        self._memo: dict[tuple[int, bytes], tuple[RootSplit, float]] = {}

    def _root_split(self, rows: CodedRows, levels: int, limit: float) -> RootSplit:
        if levels < 2:
            return self._at_most_one_level(rows, levels)[0]
        key = (levels, rows.key)
        result, valid = self._memo.get(key, (None, 0.0))  # the result holds for limits up to `valid`
        if result is None or limit > valid:
            result = RootSplit(rows.leaf_errors())
            if result.errors > self._form.acceptable * rows.weight + rows.tie:
                result = self._improved(rows, levels, result, limit)
            if len(self._memo) == MOST_ENTRIES:
                self._memo.clear()
            self._memo[key] = result, math.inf if result.errors < limit - rows.tie else limit
        return result

    def _by_number(self, rows: CodedRows, attribute: int, levels: int, limit: float) -> RootSplit:
        ordered = rows.ordered(attribute)
        if not ordered.values or (ordered.values == 1 and not len(ordered.unknown)):
            return RootSplit(limit)
        cuts: tuple[int, ...] = ()
        if ordered.values > 1:
            # with one level below, the errors that the cut is chosen by are those of the tree
            cuts = self._last.cuts(rows, attribute, 2, limit if levels == 2 else math.inf).starts
            if not cuts:
                return RootSplit(limit)
        parts = ordered.parts(cuts)
        if len(ordered.unknown):
            parts.append(ordered.unknown)
        return RootSplit(self._errors_of_parts(rows, parts, levels, limit), levels, attribute, cuts)


def split_plan(rows: CodedRows, attribute: int, cuts: tuple[int, ...], grow: Callable[[Rows], Plan]) -> Plan:
    """A branch for each value or interval, and one for unknown values; a branch without rows leads to a leaf.

    cuts : the values of a number before which intervals begin; grow : makes the subtree of a branch from its rows
    """

    def below(part: Rows) -> Plan:
        return grow(part) if len(part) else Leaf()

    index = rows.attributes[attribute]
    if rows.numeric[attribute]:
        ordered = rows.ordered(attribute)
        bounds = rows.bounds(attribute, ordered, cuts)
        return ByBounds(index, bounds, tuple(map(below, ordered.parts(cuts))), below(ordered.unknown))
    rows_of, values = rows.by_value(attribute), int(rows.width[attribute])
    children = tuple(below(rows_of.get(code, NO_ROWS)) for code in range(values))
    return ByCodes(index, tuple((code,) for code in range(values)), children, below(rows_of.get(values, NO_ROWS)))


def solve(
    data: DataSet,
    weights: Numbers,
    rows: CodedRows,
    form: Form,
    method: Method,
    effort: Effort | None = None,
    on_progress: OnProgress | None = None,
) -> Solution:
    """The tree of a form for the rows of a data set, given in codes as `rows`; weights (rows,) are positive.

    The objective is errors / L_hat, where L_hat are the errors of the majority rule. The bound holds for all trees of
    the form. Leaves that no row reaches, such as those of unknown values if all are known, are not counted as leaves.
    `on_progress` is called for each tree that replaces another.
    """
    forced, majority = rows.forced_errors(), rows.leaf_errors()
    spent = Spent(Effort() if effort is None else effort)

    def report(errors: float) -> None:
        if on_progress is not None:
            on_progress(Progress(spent.seconds, errors / (majority or 1.0), forced / (majority or 1.0)))

    plan, errors, status = _search(rows, form, method, spent, forced, report)
    tree = tree_of_plan(plan, data, weights)
    if errors <= forced + rows.tie:  # no tree has fewer errors
        status = Status.OPTIMAL
    errors, splits, _ = measures(tree, tree.decision)  # the search may have counted up to a tie less at a node
    bound = errors if status is Status.OPTIMAL else forced
    terminal = tree.kind == NodeKind.TERMINAL
    return Solution(
        tree=tree,
        errors=errors,
        splits=splits,
        leaves=int((terminal & (tree.counts.sum(axis=1) > 0)).sum()),
        objective=errors / majority if majority else 0.0,
        bound=bound / majority if majority else 0.0,
        status=status,
        work=spent.work,
        forced=min(forced, errors),
    )


def _search(
    rows: CodedRows, form: Form, method: Method, spent: Spent, forced: float, report: Callable[[float], None]
) -> tuple[Plan, float, Status]:
    """The plan, its errors, and how the search for it ended; the errors of the trees on the way are reported."""
    last = LastLevels(rows, form, spent)
    best: tuple[Plan, float] = (Leaf(), rows.leaf_errors())
    proven = method == "exhaustive" or (form.depth <= 2 and form.monotone)
    printed, exhaustive = Printed(form, spent, last), Exhaustive(form, spent, last)
    try:
        for levels in range(form.depth + 1):  # after a limit, this tree has as many levels as could be searched
            best = printed.plan(rows, levels) or best
            report(best[1])
        if method == "exhaustive":
            best = _fewest_levels(rows, form, exhaustive, best)
            report(best[1])
            if best[1] > forced + rows.tie:
                best = exhaustive.plan(rows, form.depth, best[1]) or best
    except Stopped as limit:
        return *best, limit.status
    except KeyboardInterrupt:
        return *best, Status.INTERRUPTED
    return *best, Status.OPTIMAL if proven else Status.HEURISTIC


def _fewest_levels(rows: CodedRows, form: Form, search: Exhaustive, start: tuple[Plan, float]) -> tuple[Plan, float]:
    """The best tree with fewer levels, as few as possible, that has no more errors than `start`."""
    best, limit = start, start[1] + 2 * rows.tie
    for levels in range(1, form.depth):
        tree = search.plan(rows, levels, limit)
        if tree:
            best, limit = tree, tree[1]
    return best
