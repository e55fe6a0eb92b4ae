"""Where an exact search over mixed attributes stands: its nodes from the root to the one in hand, and vectors of costs.

A node's costs are a vector: of trees with at most 0, 1, ... splits, or a single number where splits are not counted.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner
from algorithms.kernel_arrays import array
from algorithms.optimal.mixed.packed_rows import NEVER

__all__ = [
    "BASE",
    "BEST",
    "CHOICE",
    "COSTS",
    "FIRST",
    "HIGH",
    "LEFT",
    "LEVEL",
    "LIMIT",
    "LOOSE",
    "LOW",
    "LOWEST",
    "MAY_KEEP",
    "NODE",
    "NO_CHOICE",
    "OTHER",
    "PART",
    "SIZE",
    "SOLVED",
    "SPLIT_BITS",
    "TOTAL",
    "WANTED",
    "WORK",
    "Ended",
    "Levels",
    "Phase",
    "Room",
    "add_costs",
    "limit_part",
    "width_of",
]


class Phase(IntEnum):
    """What is done next at a node."""

    ENTER = 0
    STUMP = 1
    STUMPS = 2
    NEXT_ATTRIBUTE = 3
    NEXT_CUT = 4
    NEXT_PARTING = 5
    PART = 6
    NEXT_CHILD = 7
    RETURNED = 8
    PARTED = 9
    BOUND = 10
    KEEP = 11
    LEAVE = 12
    SWEEP = 13


class Ended(IntEnum):
    """Why the search returns: it is done, the work allowed is done, or something must be larger to go on."""

    DONE = 0
    PAUSED = 1
    ARENA = 2
    LEVELS = 3
    FOUND = 4


NODE = np.dtype(
    [
        *((name, np.int64) for name in (
            "phase", "base", "rows", "laid", "n_laid", "lists", "n_lists", "totals", "room", "top",
            "depth", "reach", "number", "leaf", "forced", "lowest", "width",
            "least", "place", "table", "n_cuts", "queue", "head", "tail", "first", "last", "cut", "split", "price",
            "children", "n_children", "child", "loose",
        )),
        ("key_0", np.uint64),
        ("key_1", np.uint64),
    ],
    align=True,
)  # fmt: skip
"""A node in hand. Its lists stand in the arena.

base, rows            : where its lists begin, in the order of the table at `laid` (`n_laid` pairs, attribute first)
lists, n_lists        : table of its lists that are not constant (attribute, beginning), most promising first
totals, room, top     : weight of each class; where it may write, and where what lies below may
depth, width, number  : levels left; numbers of splits told apart; number of rows, each as often as it stands for
least                 : fewest rows in a leaf
reach                 : levels that a tree of use may have, for each costs a split
leaf, forced, lowest  : cost without a split; errors that no tree avoids; least cost of a split or less
place                 : the attribute in hand
table, n_cuts         : its cuts, or its codes
queue, head, tail, first, last : runs of cuts that are to be searched; the run in hand
cut, split, price     : the cut or parting in hand, what it is called, and what it costs
children, n_children, child : table of its parts (group, beginning, rows, least costs, those of looser trees) in their
                        order; the next
loose                 : whether looser trees (see `cut_bounds`) are sought before those with leaves of `least` rows
key_0, key_1          : of the rows, the depth and `least`
"""

BEST, CHOICE, LIMIT, LOW, SOLVED = range(5)

NO_CHOICE = -1
SPLIT_BITS = 32
"""A choice is attribute << SPLIT_BITS | split: the rank that ends the first branch of a cut, ALL_CODES, or a set of
codes as bits. NO_CHOICE is a leaf."""


class Levels(NamedTuple):
    """The nodes from the root to the one in hand, and their vectors.

    `cost` has the BEST so far, and its CHOICE of split; the LIMIT from which on a tree is of no use; LOW, which no tree
    is below by what was found before; what the parts that are SOLVED cost together.
    """

    node: Any = array("levels", NODE)
    cost: Any = array("levels 5 width")


LEVEL, WORK, WANTED, MAY_KEEP = range(4)
LOWEST, HIGH, COSTS, OTHER, PART, LOOSE = 0, 1, 2, 3, 4, 6
TOTAL, LEFT = 0, 1
FIRST, SIZE, BASE = range(3)


class Room(NamedTuple):
    """Room to work in, and what a node returns to the one above.

    `cost` has the LOWEST and HIGHest cost of the node that was left; room for COSTS and OTHER; the costs of two PARTs,
    and the same of looser trees, LOOSE.
    """

    state: Any = array("4")  # LEVEL in hand; WORK done; words of the arena that are WANTED; whether more MAY be KEPT
    cost: Any = array("8 width")
    count: Any = array("2 classes")  # TOTAL weight of each class; LEFT of a cut
    part: Any = array("3 codes")  # FIRST of each part: where its next word goes; SIZE in rows; BASE of its lists
    tally: Any = array("codes classes+2")  # counts of parts
    group: Any = array("rows", np.int32)  # part of each row
    score: Any = array("attributes", np.float64)


@inner
def width_of(rule, depth, leaves):
    """Numbers of splits that are told apart at a node of so many levels and, at most, leaves."""
    if not rule.budgeted:
        return 1
    most = leaves - 1
    if rule.binary and depth < 30:
        most = min(most, (1 << depth) - 1)
    return min(rule.width, most + 1)


@inner
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


@inner
def limit_part(limit, best, useless, rest, price, budgeted, width):
    """Write what a part may cost (len(limit),), where all others cost at least `rest`, to be of use in (width,)."""
    if not budgeted:
        limit[0] = min(best[0], useless[0]) - price - rest[0]
        return
    for a in range(len(limit)):
        limit[a] = -NEVER
        for s in range(a + 1, width):
            limit[a] = max(limit[a], min(best[s], useless[s]) - price - rest[s - 1 - a])
