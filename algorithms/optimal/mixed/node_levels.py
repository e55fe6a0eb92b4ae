"""The state of an exact search over mixed attributes: the nodes from the root to the current one, and their costs.

The costs of a node are a vector (width,): element s is of trees with at most s splits. If splits are not counted, the
vector has one element, for any number of splits.
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
    STUMP = 1  # find its best stump
    STUMPS = 2  # two levels left: find the best stumps of both sides of the current split
    NEXT_ATTRIBUTE = 3
    NEXT_CUT = 4
    NEXT_PARTITION = 5
    SPLIT = 6  # write the children of the current split
    NEXT_CHILD = 7  # enter the next child, unless the bounds rule the split out
    RETURNED = 8  # a child is solved
    TRIED = 9  # the current split is solved, or ruled out
    BOUND = 10  # raise the bounds of the other cuts by the results of the current one
    KEEP = 11  # write the memo
    LEAVE = 12  # return to the parent
    SWEEP = 13  # two levels left: solve many cuts at once
    PAIRS = 14  # find the best tree of two levels from counts of pairs


class Ended(IntEnum):
    """Why the search returned: it is done, the work is `until`, or the named array must grow."""

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
"""The current node of a level. Its lists and tables are in the arena, and fields that name a place are indices into it.

base, rows            : position of the first of its sorted lists, which follow each other; merged rows in each
parent_lists, n_parent_lists : table of the lists of its parent, as pairs (attribute, place); their number. Its own
                        lists are in this order
lists, n_lists        : the same for those of its own lists that have two values or more, most promising first
totals, free, top     : places of the weight of each class, of its tables, and of those of the level below
depth, width, number  : levels left; length of the vectors of costs; number of rows, counted before merging
min_leaf              : fewest rows in a leaf, counted before merging
reach                 : greatest depth of a useful tree, since each level costs at least one split
leaf, forced, lowest  : cost as a leaf; equivalent points bound; lower bound of the cost
only                  : the attribute that the node must test, if its parent was split by KNOWN_ROWS; else NO_CHOICE
current, by_cut       : index of the current attribute in `lists`; whether it is split by cuts
table, n_cuts         : position of the table of cuts (see `cut_bounds`); number of cuts, or of partitions of codes
queue, head, tail     : queue of intervals of cuts to search, as pairs (first, last); the next to take; the end
first, last           : the current interval
cut, split, price     : index of the current cut or partition; its split in a choice; its cost
children, n_children  : table of the children (see `children.HEAD`); their number
child                 : index of the next child
relaxed               : whether the children are being solved for relaxed trees (see `cut_bounds`), which comes first
key_0, key_1          : key in the memo, made of the rows, `depth`, `min_leaf` and `only`
"""

PAIR_LEVELS = 2
"""Greatest depth of the trees that are found from counts of pairs."""

NO_CHOICE = -1
SPLIT_BITS = 32
"""A choice is an int64 that names the split at the root of a tree; NO_CHOICE is a leaf.

- Bits 0 to 31 (SPLIT_BITS): the last rank of the first branch of a cut; or `sides.ALL_CODES`; or a set of codes, with a
  bit for each of at most 12 codes.
- Bits from 32 on: the index of the attribute.
"""

KNOWN_ROWS = -1
"""A `split` of a node by a number that some rows lack. These rows are one child. The others are a second child of the
same depth, which must cut the same number; the choice of this child becomes the choice of the node."""


class NodeLevels(NamedTuple):
    """The nodes from the root to the current one, and their vectors of costs."""

    node: Any = array("levels", NODE)
    best: Any = array("levels width")  # the best cost so far
    choice: Any = array("levels width")  # the choice at the root of such a tree
    limit: Any = array("levels width")  # the cost below which a tree is useful
    low: Any = array("levels width")  # a lower bound from other searches
    solved: Any = array("levels width")  # the cost of the children that are solved so far


LEVEL, WORK, WANTED, MEMO_MAY_GROW = range(4)
TOTAL, LEFT = 0, 1


class NodeBuffers(NamedTuple):
    """Buffers, and the results that a node returns to its parent. A *group* is the rows of one branch of a split."""

    state: Any = array("4")
    """The current LEVEL; WORK done; words of the arena that are WANTED; whether MEMO_MAY_GROW."""
    lowest: Any = array("width")  # lower bounds of the node just left; `high`: its upper bounds
    high: Any = array("width")
    costs: Any = array("width")  # this and the next: buffers
    other: Any = array("width")
    side_low: Any = array("2 width")  # lower bounds of both sides of a cut; `side_relaxed`: of their relaxed trees
    side_relaxed: Any = array("2 width")
    count: Any = array("2 classes")  # weight of each class: TOTAL, and LEFT of a cut
    group_of: Any = array("rows", np.int32)  # the group of each row
    next_word: Any = array("codes")  # of each group: position of the next word to write
    group_size: Any = array("codes")  # of each group: number of rows
    group_base: Any = array("codes")  # of each group: position of its lists
    tally: Any = array("codes classes+2")
    """Of each group: weight of each class; equivalent points bound; number of rows, later the cost as a leaf."""
    score: Any = array("attributes", np.float64)  # of each attribute: impurity, or fewest errors, after its best split
    root_cuts: Any = array("attributes 2")  # first and last cut that the root may make, as the rank before the cut


@inner
def width_of(rule, depth, leaves):
    """The length of the vectors of costs of a node with at most this many levels and leaves."""
    if not rule.counts_splits:
        return 1
    most = leaves - 1
    if rule.binary and depth < 30:
        most = min(most, (1 << depth) - 1)
    return min(rule.width, most + 1)


@inner
def add_costs(into, costs, width, scratch):
    """Add the costs of a child to those of the children before it: the least sums for each total number of splits.

    into    : (n,) costs of the children before it; written
    costs   : (width or more,) costs of the child
    scratch : (n or more,) a buffer
    """
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
