"""Trees of one level, and of two with a given attribute at the root: `two_level_cuts` within limits, and its memo."""

from __future__ import annotations

import numpy as np

from algorithms.kernel_arrays import arrays_of
from algorithms.optimal.t3.coded_rows import CodedRows, Rows
from algorithms.optimal.t3.cuts import Cuts
from algorithms.optimal.t3.limits import Form, Spent
from algorithms.optimal.t3.one_level import NO_CLASS, best_attribute
from algorithms.optimal.t3.two_level_cuts import (
    ENTRIES,
    EVALUATED,
    MOST_WORK,
    RECENT,
    SLICE,
    STOPPED,
    WORK,
    T3Node,
    TwoLevelBuffers,
    copy_memo,
    cut_number,
    split_labels,
)

MOST_ENTRIES = 2**18
"""Number of sets of rows whose errors are kept between searches: 25 MB, more if a single search needs more."""
FIRST_SLOTS = 2**14
SLICE_WORK = 2_000_000
"""Work between two checks of the clock, some hundredths of a second; later an eighth of the work done."""


class LastLevels:
    """Searches for trees of one or two levels, for the rows of a data set and of its nodes.

    The errors of one level on a set of rows are remembered, because different splits lead to the same rows. They count
    as work again, so that a work limit does not depend on the memo. If weights are not whole, their sums depend on the
    order of the rows, and nothing is kept between searches.

    Raises ValueError if `inner_intervals` of the form is above 3.
    """

    def __init__(self, rows: CodedRows, form: Form, spent: Spent) -> None:
        if form.inner_intervals > 3:
            raise ValueError(f"inner_intervals is {form.inner_intervals}: expected at most 3")
        known = int(rows.width.max(initial=0))
        self._form = form
        self._spent = spent
        self._whole = bool((rows.weights == np.rint(rows.weights)).all())
        self._scratch = arrays_of(
            TwoLevelBuffers,
            rows=len(rows.indices),
            known=known,
            classes=rows.classes,
            words=known // 64 + 1,
            intervals=form.leaf_intervals,
            attributes=len(rows.attributes),
            recent=RECENT,
            slots=FIRST_SLOTS,
        )
        self._scratch.only[:] = NO_CLASS

    def one_level(self, rows: CodedRows, part: Rows | None = None) -> tuple[float, int]:
        """The fewest errors of a one-level tree over all or some rows, and its attribute; LEAF if a leaf is as good."""
        some = np.arange(len(rows.indices)) if part is None else part
        errors, attribute = best_attribute(self._node(rows, 0.0), some, self._scratch)
        return float(errors), int(attribute)

    def by_label(self, rows: CodedRows, attribute: int, limit: float) -> float:
        """The fewest errors of one-level trees for the rows of each label, in total; see `split_labels`."""
        tally = self._scratch.tally
        tally[WORK] = 0
        errors = split_labels(self._node(rows, self._form.acceptable), attribute, limit, self._scratch)
        self._spent.add(int(tally[WORK]))
        return float(errors)

    def cuts(self, rows: CodedRows, attribute: int, fewest: int, limit: float) -> Cuts:
        """The cuts of `best_cuts` into `fewest` to `inner_intervals` intervals, if no errors are acceptable."""
        tally, node = self._scratch.tally, self._node(rows, 0.0)
        if not self._whole or tally[ENTRIES] >= MOST_ENTRIES:
            self._forget(FIRST_SLOTS)
        evaluated, tally[SLICE] = 0, SLICE_WORK
        while True:
            tally[WORK] = tally[EVALUATED] = tally[STOPPED] = 0
            tally[MOST_WORK] = self._spent.left
            errors, number = cut_number(node, attribute, fewest, self._form.inner_intervals, limit, self._scratch)
            if not tally[STOPPED] or tally[WORK] > tally[MOST_WORK]:
                self._spent.add(int(tally[WORK]))
                return Cuts(errors, tuple(self._scratch.cuts[2, :number].tolist()))
            self._spent.add(0)
            evaluated += int(tally[EVALUATED])
            tally[SLICE] = max(SLICE_WORK, evaluated // 8)
            if 2 * tally[ENTRIES] >= len(self._scratch.keys):
                self._grow()

    def _node(self, rows: CodedRows, acceptable: float) -> T3Node:
        return T3Node(
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
        """Double the memo."""
        old = self._scratch
        self._forget(2 * len(old.keys))
        copy_memo(old.keys, old.errors, self._scratch)

    def _forget(self, slots: int) -> None:
        """Clear the memo, with capacity for half as many sets of rows as slots."""
        self._scratch.tally[ENTRIES] = 0
        self._scratch = self._scratch._replace(keys=np.zeros((slots, 2), np.uint64), errors=np.empty(slots))
