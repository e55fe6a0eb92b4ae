"""T2, T3, T3C by Algorithms 1 to 4 of Li, *Optimal Decision Tree*, which look one level below the cut of a number."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from algorithms.optimal.plan import Leaf, Plan
from algorithms.optimal.t3.coded_rows import CodedRows, Ordered
from algorithms.optimal.t3.cuts import best_cuts
from algorithms.optimal.t3.effort import Spent
from algorithms.optimal.t3.form import Form
from algorithms.optimal.t3.splits import one_level_plan, split_plan

__all__ = ["Printed"]

Rows = NDArray[np.intp]
Grown = tuple[Plan, float]
"""A tree and its errors; a leaf and infinite errors, where it would not have fewer than wanted."""

TOO_MANY: Grown = (Leaf(), math.inf)


class Printed:
    """The trees that the slides' four algorithms build; `build` is their Algorithms 1 and 2.

    Attributes are asked in order and the first of fewest errors stands. A nominal attribute has a branch for each value
    (Algorithm 3), a number at the last level the intervals of fewest errors, and elsewhere the two, or of T3C up to
    three, whose best trees of *one* level have the fewest errors together (Algorithm 4): the trees below are built
    after the cut is chosen, so that with two levels below it the cut need not be the best.

    What the slides leave open: rows of unknown value are parted first, and have no say in the cuts; the second split
    may ask the same attribute, and looks past the acceptable error rate; three intervals where they have fewer errors
    than two; an attribute that would have but one branch with rows is passed over.
    """

    def __init__(self, form: Form, spent: Spent) -> None:
        self._form = form
        self._spent = spent

    def build(self, rows: CodedRows, depth: int, limit: float = math.inf) -> Grown:
        """The tree of at most so many levels; where it has as many errors as the limit, it need not be built."""
        leaf = rows.leaf_errors()
        if depth == 0 or leaf <= self._form.acceptable * rows.weight + rows.tie:
            return Leaf(), leaf
        if depth == 1:
            self._spent.add(len(rows.places) * rows.asked)
            errors, asked = rows.one_level(self._form.leaf_intervals)
            return one_level_plan(rows, asked, self._form.leaf_intervals), errors
        best: Grown = (Leaf(), leaf)
        for asked in range(rows.asked):
            wanted = min(best[1], limit)
            if wanted <= rows.tie:
                break
            found = (
                self._by_number(rows, asked, depth, wanted)
                if rows.numeric[asked]
                else self._by_label(rows, asked, depth, wanted)
            )
            best = found if found[1] < best[1] - rows.tie else best
        return best

    def _by_label(self, rows: CodedRows, asked: int, depth: int, limit: float) -> Grown:
        parts = rows.by_value(asked)
        return self._split(rows, asked, (), list(parts.values()), depth, limit) if len(parts) > 1 else TOO_MANY

    def _by_number(self, rows: CodedRows, asked: int, depth: int, limit: float) -> Grown:
        ordered = rows.ordered(asked)
        if not ordered.values or (ordered.values == 1 and not len(ordered.unknown)):
            return TOO_MANY
        cuts: tuple[int, ...] = ()
        if ordered.values > 1:
            # with one level below, what the cut is chosen by is the least that the tree can have
            found = self._cuts(rows, ordered, limit if depth == 2 else math.inf)
            if not found:
                return TOO_MANY
            cuts = found
        parts = [ordered.between(first, stop) for first, stop in pairwise((0, *cuts, ordered.values))]
        if len(ordered.unknown):
            parts.append(ordered.unknown)
        return self._split(rows, asked, cuts, parts, depth, limit)

    def _cuts(self, rows: CodedRows, ordered: Ordered, limit: float) -> tuple[int, ...]:
        """The cuts of fewest errors of trees of one level between them; none where they are not below the limit."""

        def errors(first: int, stop: int, _: float) -> float:
            there = ordered.between(first, stop)
            self._spent.add(len(there) * rows.asked)
            return rows.one_level(self._form.leaf_intervals, there)[0]

        return best_cuts(
            rows.weight_before(ordered),
            errors,
            fewest=2,
            most=self._form.inner_intervals,
            limit=limit,
            tie=rows.tie,
        ).places

    def _split(
        self, rows: CodedRows, asked: int, cuts: tuple[int, ...], parts: list[Rows], depth: int, limit: float
    ) -> Grown:
        """The split into parts, each with its own tree below."""
        grown: dict[int, Plan] = {}
        total = 0.0
        for part in parts:
            plan, errors = self.build(rows.take(part), depth - 1, limit - total)
            total += errors
            if total >= limit - rows.tie:
                return TOO_MANY
            grown[int(part[0])] = plan
        return split_plan(rows, asked, cuts, lambda there: grown[int(there[0])]), total
