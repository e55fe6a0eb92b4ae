"""Where an exact search over mixed attributes stands: its nodes from the root to the one in hand, and vectors of costs.

A node's costs are a vector: of trees with at most 0, 1, ... splits, or a single number where splits are not counted.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from algorithms.kernels.mixed_rows import NEVER

__all__ = ["VECTORS", "Ended", "Levels", "Phase", "add_costs", "empty_levels", "limit_part", "width_of"]


class Phase(IntEnum):
    """What is done next at a node."""

    ENTER = 0
    NEXT_ATTRIBUTE = 1
    NEXT_CUT = 2
    NEXT_SET = 3
    PART = 4
    NEXT_CHILD = 5
    RETURNED = 6
    PARTED = 7
    KEEP = 8
    LEAVE = 9


class Ended(IntEnum):
    """Why the search returns: it is done, the work allowed is done, or something must be larger to go on."""

    DONE = 0
    PAUSED = 1
    ARENA = 2
    LEVELS = 3
    FOUND = 4


class Levels(NamedTuple):
    """The nodes in hand, level by level (levels,), and their vectors (levels, width).

    Lists stand in the arena: `base` is where those of a node begin, in the order of the table at `laid` (n_laid pairs,
    attribute first); `lists` is the node's own table of those that are not constant (attribute, beginning), most
    promising first. `room` is where it may write, `top` where what lies below may.

    depth, leaf, forced, lowest, width : levels left; cost without a split; what no tree avoids; least cost of a split
                                         or less; numbers of splits told apart
    place                              : attribute in hand
    table, n_cuts                      : its cuts
    queue, head, tail, first, last     : runs of cuts to be searched; the run in hand
    cut, split, price                  : the cut or set in hand, what it is called, and what it costs
    children, n_children, child        : table of its parts (group, beginning, rows, least costs), in the order of search
    best, choice, limit, low, solved   : least cost so far and its split; what is of no use; least cost by what was found
                                         before; costs of the parts that are solved
    key (levels, 2)                    : of the rows
    """

    phase: Any
    base: Any
    rows: Any
    laid: Any
    n_laid: Any
    lists: Any
    n_lists: Any
    room: Any
    top: Any
    depth: Any
    leaf: Any
    forced: Any
    lowest: Any
    width: Any
    place: Any
    table: Any
    n_cuts: Any
    queue: Any
    head: Any
    tail: Any
    first: Any
    last: Any
    cut: Any
    split: Any
    price: Any
    children: Any
    n_children: Any
    child: Any
    best: Any
    choice: Any
    limit: Any
    low: Any
    solved: Any
    key: Any


VECTORS = ("best", "choice", "limit", "low", "solved")


def empty_levels(levels: int, width: int) -> Levels:
    """Room for so many levels."""
    shapes = {name: (levels, width) if name in VECTORS else (levels,) for name in Levels._fields}
    arrays = {name: np.zeros(shape, np.int64) for name, shape in shapes.items()}
    return Levels(**arrays | {"key": np.zeros((levels, 2), np.uint64)})


@njit(nogil=True, cache=True)
def width_of(rule, depth, rows):
    """Numbers of splits that are told apart at a node of so many levels and rows."""
    if not rule.budgeted:
        return 1
    most = rows - 1
    if rule.binary and depth < 30:
        most = min(most, (1 << depth) - 1)
    return min(rule.width, most + 1)


@njit(nogil=True, cache=True)
def add_costs(into, costs, width, room):
    """Add the costs of a part (width,) to those of the parts before it, `into`, for each number of splits of both."""
    if len(into) == 1:
        into[0] += costs[0]
        return
    top = len(into)
    for s in range(top):
        room[s] = NEVER
    for b in range(min(width, top)):
        for a in range(top - b):
            room[a + b] = min(room[a + b], into[a] + costs[b])
    for s in range(top):
        into[s] = room[s]


@njit(nogil=True, cache=True)
def limit_part(limit, best, useless, rest, price, budgeted, width):
    """Write what a part may cost (len(limit),), where all others cost at least `rest`, to be of use in (width,)."""
    if not budgeted:
        limit[0] = min(best[0], useless[0]) - price - rest[0]
        return
    for a in range(len(limit)):
        limit[a] = -NEVER
        for s in range(a + 1, width):
            limit[a] = max(limit[a], min(best[s], useless[s]) - price - rest[s - 1 - a])
