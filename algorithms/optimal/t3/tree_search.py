"""The searches for trees of T2, T3 and T3C: printed ones by the algorithms of the slides, or the best of the form."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from algorithms.optimal.plan import ByBounds, ByCodes, Leaf, Plan
from algorithms.optimal.t3.coded_rows import NOBODY, CodedRows
from algorithms.optimal.t3.cuts import best_cuts
from algorithms.optimal.t3.effort import Spent
from algorithms.optimal.t3.form import Form
from algorithms.optimal.t3.last_levels import LastLevels
from algorithms.optimal.t3.one_level import LEAF

__all__ = ["Exhaustive", "Printed", "split_plan"]

Rows = NDArray[np.intp]

MOST_KNOWN = 2**16
"""Number of sets of rows whose printed trees are remembered: at most 30 MB."""


@dataclass(frozen=True)
class Found:
    """A tree whose root split is known."""

    errors: float
    levels: int = 0  # of the tree
    asked: int = LEAF  # attribute tested at the root, LEAF if there is no split
    cuts: tuple[int, ...] = ()


class TreeSearch(ABC):
    """A search for a tree of a form, within limits."""

    def __init__(self, form: Form, spent: Spent, last: LastLevels) -> None:
        self._form = form
        self._spent = spent
        self._last = last

    def plan(self, rows: CodedRows, levels: int, limit: float = math.inf) -> tuple[Plan, float] | None:
        """The tree of at most this many levels and its errors; None if they are not below the limit."""
        found = self._least(rows, levels, limit)
        if found.errors >= limit:
            return None
        if found.asked == LEAF:
            return Leaf(), found.errors
        if found.levels < 2:
            cuts: tuple[int, ...] = ()
            if rows.numeric[found.asked]:
                cuts = rows.leaf_cuts(found.asked, rows.ordered(found.asked), self._form.leaf_intervals)
            return split_plan(rows, found.asked, cuts, lambda _: Leaf()), found.errors

        def below(there: Rows) -> Plan:
            grown = self.plan(rows.take(there), found.levels - 1)
            assert grown is not None  # because there is no limit
            return grown[0]

        return split_plan(rows, found.asked, found.cuts, below), found.errors

    @abstractmethod
    def _least(self, rows: CodedRows, levels: int, limit: float) -> Found:
        """The tree; if it has no fewer errors than the limit, any tree with at least that many errors."""

    @abstractmethod
    def _by_number(self, rows: CodedRows, asked: int, levels: int, limit: float) -> Found:
        """The same for trees of this many levels whose root tests a number."""

    def _at_most_one_level(self, rows: CodedRows, levels: int) -> tuple[Found, bool]:
        """The best leaf or tree of one level, and whether no more levels are allowed."""
        leaf = rows.leaf_errors()
        if levels == 0 or leaf <= self._form.acceptable * rows.weight + rows.tie:
            return Found(leaf), True
        self._spent.add(len(rows.places) * rows.asked)
        errors, asked = rows.one_level(self._form.leaf_intervals)
        return Found(errors, 0 if asked == LEAF else 1, asked), False

    def _improved(self, rows: CodedRows, levels: int, best: Found, limit: float) -> Found:
        """The first best tree of this many levels if it has fewer errors than `best` and the limit; else `best`."""
        for asked in range(rows.asked):
            wanted = min(best.errors, limit)
            if wanted <= rows.tie:
                break
            by = self._by_number if rows.numeric[asked] else self._by_label
            found = by(rows, asked, levels, wanted)
            best = found if found.errors < wanted - rows.tie else best
        return best

    def _by_label(self, rows: CodedRows, asked: int, levels: int, limit: float) -> Found:
        if levels == 2:
            return Found(self._last.by_label(rows, asked, limit), levels, asked)
        parts = sorted(rows.by_value(asked).values(), key=len, reverse=True)  # large subsets have most errors
        return Found(self._sum(rows, parts, levels, limit) if len(parts) > 1 else limit, levels, asked)

    def _sum(self, rows: CodedRows, parts: list[Rows], levels: int, limit: float) -> float:
        """The errors of the trees below a split in total; if not below the limit, any number from it."""
        total = 0.0
        for part in parts:
            if total >= limit - rows.tie:
                break
            total += self._errors(rows, part, levels - 1, limit - total)
        return total

    def _errors(self, rows: CodedRows, there: Rows, levels: int, limit: float) -> float:
        """The errors of the tree of some of the rows; if not below the limit, any number from it."""
        if limit <= 0:
            return limit
        if levels == 1 and self._form.monotone:
            self._spent.add(len(there) * rows.asked)
            return rows.one_level(self._form.leaf_intervals, there)[0]
        return self._least(rows.take(there), levels, limit).errors


class Exhaustive(TreeSearch):
    """The search among all trees of a form for the fewest errors on the training rows.

    Ties in errors go to fewer levels, then to the first attribute, then to fewer intervals, then to the first cut. If
    no tree has fewer errors than the limit, the search returns the limit, a lower bound.
    """

    def _least(self, rows: CodedRows, levels: int, limit: float) -> Found:
        best, final = self._at_most_one_level(rows, levels)
        if final:
            return best
        for number in range(2, levels + 1):
            best = self._improved(rows, number, best, limit)
        return best if best.errors < limit else Found(limit)

    def _by_number(self, rows: CodedRows, asked: int, levels: int, limit: float) -> Found:
        values, nobody = int(rows.width[asked]), rows.unknown(asked)
        if not values or (values == 1 and not len(nobody)):
            return Found(limit)
        unknown = self._errors(rows, nobody, levels - 1, limit) if len(nobody) else 0.0
        fewest = 1 if len(nobody) else 2
        if levels == 2 and self._form.monotone:
            found = self._last.cuts(rows, asked, fewest, limit - unknown)
            return Found(unknown + found.errors, levels, asked, found.places)
        ordered = rows.ordered(asked)
        found = best_cuts(
            rows.weight_before(ordered),
            lambda first, stop, most: self._errors(rows, ordered.between(first, stop), levels - 1, most),
            fewest=fewest,
            most=self._form.inner_intervals,
            limit=limit - unknown,
            tie=rows.tie,
            monotone=self._form.monotone,
        )
        return Found(unknown + found.errors, levels, asked, found.places)


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
        self._known: dict[tuple[int, bytes], tuple[Found, float]] = {}

    def _least(self, rows: CodedRows, levels: int, limit: float) -> Found:
        if levels < 2:
            return self._at_most_one_level(rows, levels)[0]
        key = (levels, rows.key)
        result, valid = self._known.get(key, (None, 0.0))  # up to which limit it answers
        if result is None or limit > valid:
            result = Found(rows.leaf_errors())
            if result.errors > self._form.acceptable * rows.weight + rows.tie:
                result = self._improved(rows, levels, result, limit)
            if len(self._known) == MOST_KNOWN:
                self._known.clear()
            self._known[key] = result, math.inf if result.errors < limit - rows.tie else limit
        return result

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
        return Found(self._sum(rows, parts, levels, limit), levels, asked, cuts)


def split_plan(rows: CodedRows, asked: int, cuts: tuple[int, ...], grow: Callable[[Rows], Plan]) -> Plan:
    """A branch for each value or interval, and one for unknown values; a branch without rows leads to a leaf.

    cuts : the values of a number before which intervals begin; grow : makes the subtree of a branch from its rows
    """

    def below(there: Rows) -> Plan:
        return grow(there) if len(there) else Leaf()

    place = rows.attributes[asked]
    if rows.numeric[asked]:
        ordered = rows.ordered(asked)
        parts = [ordered.between(first, stop) for first, stop in pairwise((0, *cuts, ordered.values))]
        bounds = rows.bounds(asked, ordered, cuts)
        return ByBounds(place, bounds, tuple(map(below, parts)), below(ordered.unknown))
    found, known = rows.by_value(asked), int(rows.width[asked])
    children = tuple(below(found.get(code, NOBODY)) for code in range(known))
    return ByCodes(place, tuple((code,) for code in range(known)), children, below(found.get(known, NOBODY)))
