"""The common part of the searches for printed and exhaustive trees: a split by label, and the tree of a result."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from algorithms.optimal.plan import Plan
from algorithms.optimal.t3.coded_rows import CodedRows
from algorithms.optimal.t3.effort import Spent
from algorithms.optimal.t3.form import Form
from algorithms.optimal.t3.last_levels import LastLevels
from algorithms.optimal.t3.one_level import LEAF
from algorithms.optimal.t3.splits import one_level_plan, split_plan

__all__ = ["Found", "TreeSearch"]

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Found:
    """A tree whose root split is known.

    levels : of the tree; asked : attribute tested at the root, LEAF if there is no split
    """

    errors: float
    levels: int = 0
    asked: int = LEAF
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
        if found.levels < 2:
            return one_level_plan(rows, found.asked, self._form.leaf_intervals), found.errors

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

    def _split(self, rows: CodedRows, asked: int, levels: int, limit: float) -> Found:
        """The same for trees of this many levels whose root tests an attribute."""
        return (self._by_number if rows.numeric[asked] else self._by_label)(rows, asked, levels, limit)

    def _by_label(self, rows: CodedRows, asked: int, levels: int, limit: float) -> Found:
        if levels == 2:
            return Found(self._last.by_label(rows, asked, limit), levels, asked)
        parts = sorted(rows.by_value(asked).values(), key=len, reverse=True)  # large subsets have most errors
        total = 0.0 if len(parts) > 1 else limit
        for part in parts:
            if total >= limit - rows.tie:
                break
            total += self._errors(rows, part, levels - 1, limit - total)
        return Found(total, levels, asked)

    def _errors(self, rows: CodedRows, there: Rows, levels: int, limit: float) -> float:
        """The errors of the tree of some of the rows; if not below the limit, any number from it."""
        if limit <= 0:
            return limit
        if levels == 1 and self._form.monotone:
            self._spent.add(len(there) * rows.asked)
            return rows.one_level(self._form.leaf_intervals, there)[0]
        return self._least(rows.take(there), levels, limit).errors
