"""Trees of two levels with a given attribute at the root: `two_level_cuts` within limits, and what it remembers."""

from __future__ import annotations

import numpy as np

from algorithms.optimal.t3.coded_rows import CodedRows
from algorithms.optimal.t3.cuts import Cuts
from algorithms.optimal.t3.effort import Spent
from algorithms.optimal.t3.form import Form
from algorithms.optimal.t3.one_level import NOBODY
from algorithms.optimal.t3.room import (
    ENTRIES,
    EVALUATED,
    MOST_WORK,
    RECENT,
    SLICE,
    STOPPED,
    VALUES,
    WORK,
    Node,
    Room,
)
from algorithms.optimal.t3.two_level_cuts import copy_known, cut_number, split_labels

__all__ = ["LastLevels"]

MOST_KNOWN = 2**18
"""Sets of rows whose errors are kept from one search to the next: 25 MB, more if a single search needs more."""
FIRST_SLOTS = 2**14
SLICE_WORK = 2_000_000
"""Work between two looks at the clock, some hundredths of a second; later an eighth of what is done."""


class LastLevels:
    """Searches in the rows of a data set and of its nodes.

    The errors of one level on a set of rows are kept, as different splits lead to the same rows. They count as work
    again, so that a limit of work does not depend on what is kept. Where weights are not whole, their sums depend on
    the order of the rows, and nothing is kept from one search to the next.

    Raises ValueError where `inner_intervals` of the form is above 3.
    """

    def __init__(self, rows: CodedRows, form: Form, spent: Spent) -> None:
        if form.inner_intervals > 3:
            msg = f"inner_intervals is {form.inner_intervals}: expected at most 3"
            raise ValueError(msg)
        attributes, known = rows.asked, int(rows.width.max(initial=0))
        self._form = form
        self._spent = spent
        self._whole = bool((rows.weights == np.rint(rows.weights)).all())
        self._room = Room(
            order=np.empty(len(rows.places), np.int64),
            ends=np.empty(known + 2, np.int64),
            before=np.empty(known + 1),
            hashes=np.empty((known + 1, 2), np.uint64),
            counts=np.zeros((known + 1, rows.classes)),
            there=np.zeros(known // 64 + 1, np.uint64),
            only=np.full(known + 1, NOBODY),
            right=np.empty((form.leaf_intervals, rows.classes)),
            most=np.empty(form.leaf_intervals),
            total=np.empty(rows.classes),
            queue=np.empty(attributes, np.int64),
            bounds=np.empty((RECENT + 1, attributes)),
            recent=np.zeros((RECENT + 1, 2), np.int64),
            ranges=np.empty((2, known + 2, 7)),
            state=np.empty((2, 10)),
            places=np.empty((3, 2), np.int64),
            parts=np.empty(known + 1, np.int64),
            keys=np.zeros((FIRST_SLOTS, 2), np.uint64),
            errors=np.empty(FIRST_SLOTS),
            tally=np.zeros(VALUES + 1, np.int64),
        )

    def by_label(self, rows: CodedRows, asked: int, limit: float) -> float:
        """The fewest errors of trees of one level for the rows with each label together, or from `limit` up to them."""
        tally = self._room.tally
        tally[WORK] = 0
        errors = split_labels(self._node(rows, self._form.acceptable), asked, limit, self._room)
        self._spent.add(int(tally[WORK]))
        return float(errors)

    def cuts(self, rows: CodedRows, asked: int, fewest: int, limit: float) -> Cuts:
        """The cuts of `best_cuts` into `fewest` to `inner_intervals` parts, where no errors are acceptable."""
        tally, node = self._room.tally, self._node(rows, 0.0)
        if not self._whole or tally[ENTRIES] >= MOST_KNOWN:
            self._forget(FIRST_SLOTS)
        evaluated, tally[SLICE] = 0, SLICE_WORK
        while True:
            tally[WORK] = tally[EVALUATED] = tally[STOPPED] = 0
            tally[MOST_WORK] = self._spent.left
            errors, number = cut_number(node, asked, fewest, self._form.inner_intervals, limit, self._room)
            if not tally[STOPPED] or tally[WORK] > tally[MOST_WORK]:
                self._spent.add(int(tally[WORK]))
                return Cuts(errors, tuple(self._room.places[2, :number].tolist()))
            self._spent.add(0)
            evaluated += int(tally[EVALUATED])
            tally[SLICE] = max(SLICE_WORK, evaluated // 8)
            if 2 * tally[ENTRIES] >= len(self._room.keys):
                self._grow()

    def _node(self, rows: CodedRows, acceptable: float) -> Node:
        return Node(
            rows.codes,
            rows.width,
            rows.numeric,
            rows.decisions,
            rows.weights,
            rows.words,
            self._form.leaf_intervals,
            acceptable,
            rows.tie,
        )

    def _grow(self) -> None:
        """Make room for twice as many."""
        old = self._room
        self._forget(2 * len(old.keys))
        copy_known(old.keys, old.errors, self._room)

    def _forget(self, slots: int) -> None:
        """Remember nothing, with room for half as many sets of rows."""
        self._room.tally[ENTRIES] = 0
        self._room = self._room._replace(keys=np.zeros((slots, 2), np.uint64), errors=np.empty(slots))
