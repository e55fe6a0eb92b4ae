"""The state of an exact search over mixed attributes: the nodes from the root to the current one, and their costs.

The costs of a node are a vector: of trees with at most 0, 1, ... splits, or a single number if splits are not counted.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner
from algorithms.kernel_arrays import array
from algorithms.optimal.mixed.packed_rows import NEVER


class NodePhase(IntEnum):
    """The next step at a node."""

    ENTER = 0
    STUMP = 1
    STUMPS = 2
    NEXT_ATTRIBUTE = 3
    NEXT_CUT = 4
    NEXT_PARTITION = 5
    PART = 6
    NEXT_CHILD = 7
    RETURNED = 8
    TRIED = 9
    BOUND = 10
    KEEP = 11
    LEAVE = 12
    SWEEP = 13
    PAIRS = 14


class Ended(IntEnum):
    """Why the search returned: it is done, the work limit is reached, or an array must grow."""

    DONE = 0
    PAUSED = 1
    ARENA = 2
    LEVELS = 3
    MEMO = 4


NODE = np.dtype(
    [
        *((name, np.int64) for name in (
            "phase", "base", "rows", "given", "n_given", "lists", "n_lists", "totals", "free", "top",
            "depth", "reach", "number", "leaf", "forced", "lowest", "width",
            "least", "only", "current", "by_cut", "table", "n_cuts", "queue", "head", "tail", "first", "last", "cut",
            "split", "price", "children", "n_children", "child", "relaxed",
        )),
        ("key_0", np.uint64),
        ("key_1", np.uint64),
    ],
    align=True,
)  # fmt: skip
"""The current node of a level. Its lists are in the arena.

base, rows            : start of its lists, which are in the order of the table at `given`; rows in each
given, n_given        : table of the lists of its parent, as pairs (attribute, start)
lists, n_lists        : the same for its own lists that are not constant, most promising first
totals, free, top     : weight of each class; start of its buffers; start of those of the level below
depth, width, number  : levels left; length of the vectors of costs; number of rows, counting equal ones
least                 : fewest rows in a leaf
reach                 : levels of the deepest useful tree: each costs at least a split
leaf, forced, lowest  : cost of one leaf; errors that no tree avoids; lower bound of the cost
only                  : the attribute that the node is cut by, as KNOWN_ROWS says; else NO_CHOICE
current, by_cut       : index of the current attribute in `lists`; whether it is split by a cut of its values
table, n_cuts         : table of its cuts or codes; their number
queue, head, tail     : runs of cuts that are still to be searched
first, last           : the current run
cut, split, price     : the current cut or partition of codes; its name in a choice; its price
children, n_children  : table of the children: group, start, rows, bounds, bounds of relaxed trees
child                 : the next child
relaxed               : whether relaxed trees (see `cut_bounds`) are sought before those with leaves of `least` rows
key_0, key_1          : key in the memo, made of the rows, the depth and `least`
"""

BEST, CHOICE, LIMIT, LOW, SOLVED = range(5)

PAIR_LEVELS = 2
"""Levels left of a node that is solved from counts of pairs, if it is."""

NO_CHOICE = -1
SPLIT_BITS = 32
"""A choice is attribute << SPLIT_BITS | split: the rank that ends the first branch of a cut, ALL_CODES, or a set of
codes as bits. NO_CHOICE is a leaf."""

KNOWN_ROWS = -1
"""Instead of a split of a node: its rows that lack the number are a branch, and the others are a node of the same
depth, which a cut of the same number splits. The choice of that node is the choice of this one."""


class NodeLevels(NamedTuple):
    """The nodes from the root to the current one, and their costs.

    The vectors of a node are: the BEST cost so far and its CHOICE of split; the LIMIT below which a tree is useful; a
    lower bound LOW from earlier searches; the cost of the children that are SOLVED.
    """

    node: Any = array("levels", NODE)
    cost: Any = array("levels 5 width")


LEVEL, WORK, WANTED, MAY_KEEP = range(4)
LOWEST, HIGH, COSTS, OTHER, PART, RELAXED = 0, 1, 2, 3, 4, 6
TOTAL, LEFT = 0, 1
FIRST, SIZE, BASE = range(3)


class NodeBuffers(NamedTuple):
    """Buffers, and the results that a node returns to its parent.

    The vectors of `cost` are: the LOWEST and HIGHest cost of the node just left; buffers COSTS and OTHER; the bounds of
    both sides of a cut, PART, and those of their RELAXED trees.
    """

    state: Any = array(
        "4"
    )  # current LEVEL; WORK done; size of the arena that is WANTED; whether the memo MAY grow to KEEP more
    cost: Any = array("8 width")
    count: Any = array("2 classes")  # TOTAL weight of each class; LEFT of a cut
    part: Any = array("3 codes")  # of each part: position of its next word, FIRST; SIZE in rows; BASE of its lists
    tally: Any = array("codes classes+2")  # counts of parts
    group: Any = array("rows", np.int32)  # part of each row
    score: Any = array("attributes", np.float64)
    root_cuts: Any = array("attributes 2")  # first and last cut of each attribute at level 0, by the rank it ends with


@inner
def width_of(rule, depth, leaves):
    """Length of the vectors of costs of a node with at most this many levels and leaves."""
    if not rule.budgeted:
        return 1
    most = leaves - 1
    if rule.binary and depth < 30:
        most = min(most, (1 << depth) - 1)
    return min(rule.width, most + 1)


@inner
def add_costs(into, costs, width, scratch):
    """Add the costs of a child (width,) to `into`, those of the children before it, by number of splits."""
    if len(into) == 1:
        into[0] += costs[0]
        return
    top = len(into)
    for s in range(top):
        scratch[s] = NEVER
    for b in range(min(width, top)):
        for a in range(top - b):
            scratch[a + b] = min(scratch[a + b], into[a] + costs[b])
    for s in range(top):
        into[s] = scratch[s]


@inner
def limit_part(limit, best, useless, rest, price, budgeted, width):
    """Write the limit of a child (len(limit),), below which it is useful if the others cost at least `rest`."""
    if not budgeted:
        limit[0] = min(best[0], useless[0]) - price - rest[0]
        return
    for a in range(len(limit)):
        limit[a] = -NEVER
        for s in range(a + 1, width):
            limit[a] = max(limit[a], min(best[s], useless[s]) - price - rest[s - 1 - a])
