"""The search for an optimal classification tree, with binary, multiway and numeric splits."""

from __future__ import annotations

from algorithms.optimal.binary.row_bits import RowBits
from algorithms.optimal.binary.solve_bits import solve_binary
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed.solve_ranks import solve_mixed
from algorithms.optimal.solution import Effort, OnProgress, Solution

__all__ = ["solve"]


def solve(
    instance: Instance,
    effort: Effort | None = None,
    *,
    subsets: bool = False,
    frontier: bool = False,
    on_progress: OnProgress | None = None,
) -> Solution:
    """The best tree of an instance, and whether it is proven best.

    A nominal attribute has a branch for each of its values in the rows of a node. A numeric attribute is split at any
    threshold between two of its values.

    effort      : the limits of the search; when it reaches one, the best tree so far is returned
    subsets     : whether nominal attributes may also be split into two sets of values
    frontier    : whether to find the fewest errors for each number of splits in the same search
    on_progress : called several times a second with the best objective and the bound so far

    If no attribute has more than two values, a faster search on bits is used.
    """
    effort = effort or Effort()
    rows = RowBits.of(instance)
    if rows is not None:
        return solve_binary(instance, rows, effort, frontier=frontier, on_progress=on_progress)
    return solve_mixed(instance, effort, subsets=subsets, frontier=frontier, on_progress=on_progress)
