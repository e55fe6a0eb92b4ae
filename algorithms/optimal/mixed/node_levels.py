"""The state of an exact search over mixed attributes: the nodes from the root to the current one, and their costs.

The costs of a node are a vector: of trees with at most 0, 1, ... splits, or a single number if splits are not counted.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner
from algorithms.kernel_arrays import array
from algorithms.optimal.never import NEVER


class NodePhase(IntEnum):
    """The next step at a node."""

    ENTER = 0  # count its rows, write its first bounds, read the memo
    STUMP = 1  # find its best single split
    STUMPS = 2  # two levels left: find the best single splits of both sides of the current split
    NEXT_ATTRIBUTE = 3
    NEXT_CUT = 4
    NEXT_PARTITION = 5
    SPLIT = 6  # more than two levels left: write the children of the current split
    NEXT_CHILD = 7  # enter it, unless the bounds rule the split out
    RETURNED = 8  # a child is solved
    TRIED = 9  # the current split is solved, or ruled out
    BOUND = 10  # bound the other cuts by it
    KEEP = 11  # write the memo
    LEAVE = 12  # return to the parent
    SWEEP = 13  # two levels left: solve many cuts at once
    PAIRS = 14  # find its best tree of two levels from counts of pairs


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
            "phase", "base", "rows", "parent_lists", "n_parent_lists", "lists", "n_lists", "totals", "free", "top",
            "depth", "reach", "number", "leaf", "forced", "lowest", "width",
            "min_leaf", "only", "current", "by_cut", "table", "n_cuts", "queue", "head", "tail", "first", "last", "cut",
            "split", "price", "children", "n_children", "child", "relaxed",
        )),
        ("key_0", np.uint64),
        ("key_1", np.uint64),
    ],
    align=True,
)  # fmt: skip
"""The current node of a level. Its lists are in the arena.

base, rows            : start of its lists, which are in the order of the table `parent_lists`; rows in each
parent_lists, n_parent_lists : table of the lists of its parent, as pairs (attribute, start)
lists, n_lists        : the same for its own lists that are not constant, most promising first
totals, free, top     : weight of each class; start of its buffers; start of those of the level below
depth, width, number  : levels left; length of the vectors of costs; number of rows, counting equal ones
min_leaf              : fewest rows in a leaf
reach                 : greatest useful depth, as each level costs at least one split
leaf, forced, lowest  : cost of one leaf; errors that no tree avoids; lower bound of the cost
only                  : the attribute that the node is cut by, as KNOWN_ROWS says; else NO_CHOICE
current, by_cut       : index of the current attribute in `lists`; whether it is split by a cut of its values
table, n_cuts         : table of its cuts or codes; their number
queue, head, tail     : runs of cuts that are still to be searched
first, last           : the current run
cut, split, price     : the current cut or partition of codes; its name in a choice; its price
children, n_children  : table of the children: group, start, rows, bounds, bounds of relaxed trees
child                 : the next child
relaxed               : whether relaxed trees (see `cut_bounds`) are sought before those with leaves of `min_leaf` rows
key_0, key_1          : key in the memo, made of the rows, the depth and `min_leaf`
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
LOWEST, HIGH, COSTS, OTHER, SIDE_LOW, SIDE_RELAXED = 0, 1, 2, 3, 4, 6
TOTAL, LEFT = 0, 1
NEXT, SIZE, BASE = range(3)


class NodeBuffers(NamedTuple):
    """Buffers, and the results that a node returns to its parent.

    The vectors of `cost` are: the LOWEST and HIGHest cost of the node just left; buffers COSTS and OTHER; lower bounds
    of the left and the right side of a cut from SIDE_LOW on, and those of their relaxed trees from SIDE_RELAXED on.
    """

    state: Any = array("4")
    """Current LEVEL; WORK done; size of the arena that is WANTED; MAY_KEEP: whether the memo may grow."""
    cost: Any = array("8 width")
    count: Any = array("2 classes")  # TOTAL weight of each class; LEFT of a cut
    group_of: Any = array("rows", np.int32)  # the group of rows that a split makes of each row
    groups: Any = array("3 codes")  # of each group: position of the NEXT word; SIZE in rows; BASE of its lists
    tally: Any = array("codes classes+2")
    """Of each group: weight by class; errors that no tree avoids; number of rows, and then the cost of a leaf."""
    score: Any = array("attributes", np.float64)  # of each list: impurity after its best split
    root_cuts: Any = array("attributes 2")  # first and last cut of each attribute at level 0, by the rank it ends with


@inner
def width_of(rule, depth, leaves):
    """Length of the vectors of costs of a node with at most this many levels and leaves."""
    if not rule.counts_splits:
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
def write_limit(limit, best, useless, rest, price, counts_splits, width):
    """Write the limit of a child (len(limit),), below which it is useful if the others cost at least `rest`.

    best, useless : of the node, the cost of its best tree so far and its own limit
    """
    if not counts_splits:
        limit[0] = min(best[0], useless[0]) - price - rest[0]
        return
    for a in range(len(limit)):
        limit[a] = -NEVER
        for s in range(a + 1, width):
            limit[a] = max(limit[a], min(best[s], useless[s]) - price - rest[s - 1 - a])
