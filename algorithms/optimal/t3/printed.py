"""T2, T3, T3C by Algorithms 1 to 4 of Li, *Optimal Decision Tree*, which look one level below the cut of a number."""

from __future__ import annotations

import math
from itertools import pairwise

from algorithms.optimal.t3.coded_rows import CodedRows
from algorithms.optimal.t3.effort import Spent
from algorithms.optimal.t3.form import Form
from algorithms.optimal.t3.last_levels import LastLevels
from algorithms.optimal.t3.one_level import LEAF
from algorithms.optimal.t3.tree_search import Found, TreeSearch

__all__ = ["Printed"]

MOST_KNOWN = 2**16
"""Number of sets of rows whose trees are remembered: at most 30 MB."""


class Printed(TreeSearch):
    """The trees that the four algorithms of the slides build; `plan` is their Algorithms 1 and 2.

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
        self._known: dict[tuple[int, bytes], tuple[Found, float]] = {}

    def _least(self, rows: CodedRows, levels: int, limit: float) -> Found:
        if levels < 2:
            return self._one_level(rows, levels)
        key = (levels, rows.key)
        found, valid = self._known.get(key, (None, 0.0))  # up to which limit it answers
        if found is None or limit > valid:
            found = self._searched(rows, levels, limit)
            if len(self._known) == MOST_KNOWN:
                self._known.clear()
            self._known[key] = found, math.inf if found.errors < limit - rows.tie else limit
        return found

    def _one_level(self, rows: CodedRows, levels: int) -> Found:
        leaf = rows.leaf_errors()
        if levels == 0 or leaf <= self._form.acceptable * rows.weight + rows.tie:
            return Found(leaf)
        self._spent.add(len(rows.places) * rows.asked)
        errors, asked = rows.one_level(self._form.leaf_intervals)
        return Found(errors, 0 if asked == LEAF else 1, asked)

    def _searched(self, rows: CodedRows, levels: int, limit: float) -> Found:
        leaf = rows.leaf_errors()
        best = Found(leaf)
        if leaf <= self._form.acceptable * rows.weight + rows.tie:
            return best
        for asked in range(rows.asked):
            wanted = min(best.errors, limit)
            if wanted <= rows.tie:
                break
            found = self._split(rows, asked, levels, wanted)
            best = found if found.errors < wanted - rows.tie else best
        return best

    def _by_number(self, rows: CodedRows, asked: int, levels: int, limit: float) -> Found:
        ordered = rows.ordered(asked)
        if not ordered.values or (ordered.values == 1 and not len(ordered.unknown)):
            return Found(limit)
        cuts: tuple[int, ...] = ()
        if ordered.values > 1:
            # with one level below, what the cut is chosen by is the least that the tree can have
            cuts = self._last.cuts(rows, asked, 2, limit if levels == 2 else math.inf).places
            if not cuts:
                return Found(limit)
        parts = [ordered.between(first, stop) for first, stop in pairwise((0, *cuts, ordered.values))]
        if len(ordered.unknown):
            parts.append(ordered.unknown)
        total = 0.0
        for part in parts:
            if total >= limit - rows.tie:
                break
            total += self._errors(rows, part, levels - 1, limit - total)
        return Found(total, levels, asked, cuts)
