"""The trees of the form of T2, T3 and T3C that really have the fewest errors on the training rows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from algorithms.optimal.plan import Plan
from algorithms.optimal.t3.coded_rows import CodedRows, Ordered
from algorithms.optimal.t3.cuts import best_cuts
from algorithms.optimal.t3.effort import Spent
from algorithms.optimal.t3.form import Form
from algorithms.optimal.t3.one_level import LEAF
from algorithms.optimal.t3.splits import one_level_plan, split_plan

__all__ = ["Exhaustive"]

Rows = NDArray[np.intp]
MOST_KNOWN = 2**18
"""Sets of rows whose errors are kept: 70 MB at most."""


@dataclass(frozen=True)
class Found:
    """A best tree, of which the split at its root is known.

    levels : that the tree has; asked : by the root, LEAF where there is no split
    """

    errors: float
    levels: int = 0
    asked: int = LEAF
    cuts: tuple[int, ...] = ()


class Exhaustive:
    """The search among all trees of a form.

    Of trees with equally few errors it takes one of fewest levels, then the first attribute, then the fewest intervals,
    then the first cut; but what is found need have no fewer errors than a limit that it is given.
    """

    def __init__(self, form: Form, spent: Spent) -> None:
        self._form = form
        self._spent = spent
        self._known: dict[int, float] = {}

    def plan(self, rows: CodedRows, levels: int, limit: float = math.inf) -> tuple[Plan, float] | None:
        """The best tree of at most so many levels and its errors; None where they are not below the limit."""
        found = self._least(rows, levels, limit)
        if found.errors >= limit:
            return None
        if found.levels < 2:
            return one_level_plan(rows, found.asked, self._form.leaf_intervals), found.errors

        def below(there: Rows) -> Plan:
            grown = self.plan(rows.take(there), found.levels - 1)
            assert grown is not None  # for there is no limit
            return grown[0]

        return split_plan(rows, found.asked, found.cuts, below), found.errors

    def _least(self, rows: CodedRows, levels: int, limit: float) -> Found:
        """The best tree, or one with errors from the limit up to its own, where these are not fewer than the limit."""
        leaf = rows.leaf_errors()
        best = Found(leaf)
        if levels == 0 or leaf <= self._form.acceptable * rows.weight + rows.tie:
            return best
        self._spent.add(len(rows.places) * rows.asked)
        errors, asked = rows.one_level(self._form.leaf_intervals)
        if asked != LEAF:
            best = Found(errors, 1, asked)
        for number in range(2, levels + 1):
            for asked in range(rows.asked):
                wanted = min(best.errors, limit)
                if wanted <= rows.tie:
                    break
                split = self._by_number if rows.numeric[asked] else self._by_label
                found = split(rows, asked, number, wanted)
                best = found if found.errors < wanted - rows.tie else best
        return best if best.errors < limit else Found(limit)

    def _by_label(self, rows: CodedRows, asked: int, levels: int, limit: float) -> Found:
        parts = sorted(rows.by_value(asked).values(), key=len, reverse=True)  # large parts have most errors
        total = 0.0 if len(parts) > 1 else limit
        for part in parts:
            if total >= limit - rows.tie:
                break
            total += self._errors(rows, part, levels - 1, limit - total)
        return Found(total, levels, asked)

    def _by_number(self, rows: CodedRows, asked: int, levels: int, limit: float) -> Found:
        ordered = rows.ordered(asked)
        if not ordered.values or (ordered.values == 1 and not len(ordered.unknown)):
            return Found(limit)
        unknown = self._errors(rows, ordered.unknown, levels - 1, limit) if len(ordered.unknown) else 0.0
        found = best_cuts(
            rows.weight_before(ordered),
            lambda first, stop, most: self._errors_between(rows, ordered, first, stop, levels - 1, most),
            fewest=1 if len(ordered.unknown) else 2,
            most=self._form.inner_intervals,
            limit=limit - unknown,
            tie=rows.tie,
            monotone=self._form.monotone,
        )
        return Found(unknown + found.errors, levels, asked, found.places)

    def _errors_between(
        self, rows: CodedRows, ordered: Ordered, first: int, stop: int, levels: int, limit: float
    ) -> float:
        """The errors of `_errors` on the rows with some of the numbers.

        Those of one level are kept: different cuts above and beside lead to the same rows. They count as work again.
        """
        if levels > 1 or limit <= 0 or not (self._form.monotone and ordered.masks):
            return self._errors(rows, ordered.between(first, stop), levels, limit)
        mask = ordered.masks[stop] ^ ordered.masks[first]
        errors = self._known.get(mask)
        if errors is not None:
            self._spent.add((ordered.ends[stop] - ordered.ends[first]) * rows.asked)
            return errors
        if len(self._known) == MOST_KNOWN:
            self._known.clear()
        self._known[mask] = errors = self._errors(rows, ordered.between(first, stop), levels, limit)
        return errors

    def _errors(self, rows: CodedRows, there: Rows, levels: int, limit: float) -> float:
        """The fewest errors on some of the rows, or from the limit up to them."""
        if limit <= 0:
            return limit
        if levels == 1 and self._form.monotone:
            self._spent.add(len(there) * rows.asked)
            return rows.one_level(self._form.leaf_intervals, there)[0]
        return self._least(rows.take(there), levels, limit).errors
