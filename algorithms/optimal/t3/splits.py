"""A split of a node of T2, T3 and T3C as a plan: a branch for each value or interval, and one for unknown values."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from algorithms.optimal.plan import ByBounds, ByCodes, Leaf, Plan
from algorithms.optimal.t3.coded_rows import CodedRows
from algorithms.optimal.t3.one_level import LEAF

__all__ = ["one_level_plan", "split_plan"]

Rows = NDArray[np.intp]
Grow = Callable[[Rows], Plan]
"""Makes the subtree of a branch from its rows."""


def split_plan(rows: CodedRows, asked: int, cuts: tuple[int, ...], grow: Grow) -> Plan:
    """Split rows by an attribute, a number before the given values; a branch without rows leads to a leaf."""

    def below(there: Rows) -> Plan:
        return grow(there) if len(there) else Leaf()

    place = rows.attributes[asked]
    if rows.numeric[asked]:
        ordered = rows.ordered(asked)
        parts = [ordered.between(first, stop) for first, stop in pairwise((0, *cuts, ordered.values))]
        bounds = rows.bounds(asked, ordered, cuts)
        return ByBounds(place, bounds, tuple(map(below, parts)), below(ordered.unknown))
    found, known = rows.by_value(asked), int(rows.width[asked])
    nobody = np.zeros(0, np.intp)
    children = tuple(below(found.get(code, nobody)) for code in range(known))
    return ByCodes(place, tuple((code,) for code in range(known)), children, below(found.get(known, nobody)))


def one_level_plan(rows: CodedRows, asked: int, intervals: int) -> Plan:
    """The tree of one level with fewest errors that tests an attribute; a leaf if there is none."""
    if asked == LEAF:
        return Leaf()
    cuts = rows.leaf_cuts(asked, rows.ordered(asked), intervals) if rows.numeric[asked] else ()
    return split_plan(rows, asked, cuts, lambda _: Leaf())
