"""A C4.5 tree that grows and is pruned: the arrays of its kernels, made longer when a kernel needs more."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from algorithms.array_types import Numbers
from algorithms.induction.c45.c45_growth import grow
from algorithms.induction.c45.c45_pruning import prune
from algorithms.induction.c45.entries import ALL_CELLS, LOGARITHMS, MOST_CELLS, Counting, Entries
from algorithms.induction.c45.gain_ratio import ScoredSplits
from algorithms.induction.c45.nodes import C45Nodes
from algorithms.induction.c45.shares import (
    N_NODES,
    N_PENDING,
    NODES_NEEDED,
    PENDING_NEEDED,
    ROWS_NEEDED,
    C45Columns,
    Parts,
    PendingNodes,
    Runs,
    TestKind,
)
from algorithms.kernel_arrays import arrays_of, longer
from algorithms.pruning.added_errors import Confidence

FEW_NODES = 64
"""The length of the arrays of nodes at first."""


class C45Tree:
    """The tree of the rows of a data set with their weights (rows,), above 0."""

    def __init__(self, columns: C45Columns, weights: Numbers) -> None:
        self._columns, self._weights, self.n_nodes = columns, weights, 0
        codes = max(2, int(columns.width[columns.kind == TestKind.EVERY_CODE].max(initial=0)))
        self._parts = arrays_of(Parts, codes=codes, rows=len(weights))
        self.nodes = arrays_of(C45Nodes, np.empty, nodes=FEW_NODES, classes=columns.classes)
        self._pending = arrays_of(PendingNodes, np.empty, pending=FEW_NODES)

    def grow(self, min_rows: int) -> None:
        """Grow the tree, and collapse it where it classifies the rows no better than a leaf."""
        columns, rows = self._columns, len(self._weights)
        cells = (columns.width + 1) * columns.classes
        counting = arrays_of(
            Counting,
            cells=min(int(cells[cells <= MOST_CELLS].sum()), ALL_CELLS),
            attributes=len(columns.width),
            rows=rows,
        )
        entries = arrays_of(
            Entries,
            np.empty,
            entries=max(rows, MOST_CELLS),
            classes=columns.classes,
            logarithms=min(rows, LOGARITHMS) + 1,
        )
        splits = arrays_of(ScoredSplits, np.empty, attributes=len(columns.width))
        used = np.zeros(len(columns.width), np.bool_)
        self._finish(
            lambda runs, state: grow(
                columns, min_rows, runs, self.nodes, self._pending, used, self._parts, counting, entries, splits, state
            ),
            pending=0,
        )

    def prune(self, confidence: Confidence, *, raising: bool) -> None:
        """Prune the tree."""
        leaf = np.zeros((1, self._columns.classes))
        pending, rows = self._pending, len(self._weights)
        pending.node[0], pending.first[0], pending.end[0] = 0, 0, rows  # the root
        pending.top[0], pending.done[0] = rows, 0
        self._finish(
            lambda runs, state: prune(
                self._columns, self.nodes, runs, self._pending, self._parts, confidence, raising, leaf, state
            ),
            pending=1,
        )

    def _finish(self, kernel: Callable[[Runs, np.ndarray], bool], pending: int) -> None:
        """Call a kernel with all rows, with longer arrays each time, until it is done."""
        runs, state = Runs(np.arange(len(self._weights), dtype=np.int32), self._weights.copy()), np.zeros(6, np.int64)
        state[N_NODES], state[N_PENDING] = self.n_nodes, pending
        while not kernel(runs, state):
            self.nodes = longer(self.nodes, state[NODES_NEEDED])
            self._pending = longer(self._pending, state[PENDING_NEEDED])
            runs = longer(runs, state[ROWS_NEEDED])
        self.n_nodes = int(state[N_NODES])
