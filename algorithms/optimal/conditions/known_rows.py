"""Lower bounds by the fast search, where some rows are shared among branches.

A row without missing values goes to one branch of each test, with its whole weight. So no tree for all rows costs less
than the best tree for these rows alone, or for some of them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed.rank_search import RankSearch
from algorithms.optimal.mixed.ranked_rows import RankedRows
from algorithms.optimal.mixed.solve_ranks import tree_rule
from algorithms.optimal.never import NEVER

SLICE = 10**6
"""Units of work between checks of the limits."""


class KnownRows:
    """The rows of an instance without missing values, and the search that bounds the cost of their trees.

    instance : these rows
    rows     : (rows,) their indices among all rows, increasing
    memory   : limit of the memo, in bytes
    """

    def __init__(self, instance: Instance, rows: NDArray[np.integer[Any]], memory: float, *, subsets: bool) -> None:
        self._rows, self._coded = rows, RankedRows.of(instance, subsets=subsets)
        rule = tree_rule(instance, self._coded, subsets, frontier=False)
        self._search = RankSearch(instance, self._coded, rule, memory)

    def bound(
        self, rows: NDArray[np.integer[Any]], levels: int, limit: float, most_work: int, check: Callable[[], None]
    ) -> tuple[float, int]:
        """(a lower bound of the cost of trees for some rows, the work); the least cost if that is below a limit.

        rows      : their indices among all rows
        most_work : units of work after which the bound so far is taken
        check     : called after each slice; raises Stopped at a limit
        """
        search, unit = self._search, self._coded.unit
        chosen = np.unique(self._coded.of_row[np.searchsorted(self._rows, rows)])
        ceiling = NEVER if limit == inf else min(int(np.ceil(limit / unit)) + 1, NEVER)
        search.begin(chosen, levels, np.array([ceiling]))
        began, end = search.work, search.work + most_work
        while not search.advance(min(search.work + SLICE, end)) and search.work < end:
            search.grow()
            check()
        return float(search.bound().low[0]) * unit, search.work - began
