"""The memo of a search over two-valued attributes, by set of rows and depth.

The key of a set of rows is a hash of 127 bits. Two sets with the same key would be confused; among a billion sets, the
probability is below 10⁻²⁰.

The tables of `exact.slots` cannot be used, because they place keys elsewhere. Since entries may be replaced, the work
of a search depends on where each key is placed.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner, outer
from algorithms._numba.primitives import cells
from algorithms.kernel_arrays import array
from algorithms.splitmix import FACTOR, GOLDEN, finished

PROBES = 16
"""Slots that a key may take. If all are filled, the entry of least depth, which is the cheapest to compute again, is
replaced; but if all have greater depths than the new entry, that is not stored."""

SECOND = np.uint64(0xC2B2AE3D27D4EB4F)
"""An odd constant like GOLDEN, for the second word of a hash."""


class RowSetMemo(NamedTuple):
    """The entries. `slots` is a power of two. `sizes` is 1, or the greatest number of splits + 1."""

    key: Any = array("slots 2", np.uint64)  # hash of the rows, whose bit 0 is 1; zeros in an empty slot
    depth: Any = array("slots", np.int8)  # greatest depth of the trees
    exact: Any = array("slots", np.bool_)  # whether `value` is the minimum; else it is a lower bound
    value: Any = array("slots sizes", np.float64)  # the least cost; or the fewest errors for each number of splits
    attribute: Any = array("slots sizes", np.int32)  # the attribute at the root of such a tree; -1 for a leaf
    search_depth: Any = array("slots sizes", np.int8)  # the greatest depth in the search that found it
    used: Any = array("1")  # number of entries


@outer
def hash_of(mask, column, value, key):
    """Write the key (2,) of the rows of `mask` (words,) whose bit in `column` (words,) is `value`."""
    first, second = GOLDEN, SECOND
    flip = np.uint64(0) if value else np.uint64(0xFFFFFFFFFFFFFFFF)
    for w in range(len(mask)):
        word = mask[w] & (column[w] ^ flip)
        index = np.uint64(w + 1)
        first += finished(word ^ (index * GOLDEN))
        second += finished((word * FACTOR) ^ (index * SECOND))
    key[0] = finished(first) | np.uint64(1)  # never that of an empty slot
    key[1] = finished(second)


@inner
def _start(memo, key, depth):
    return np.int64((key[1] + np.uint64(depth) * GOLDEN) & np.uint64(len(memo.depth) - 1))


@outer
def find_rows(memo, rows, key, depth):
    """The slot of the entry of some rows (words,) and a depth, or -1; write the key (2,) of the rows."""
    rows, key = cells(rows), cells(key)
    hash_of(rows, rows, True, key)
    return find(memo, key, depth)


@inner
def find(memo, key, depth):
    """The slot of the entry of a set of rows and a depth, or -1."""
    index = _start(memo, key, depth)
    for _ in range(PROBES):
        if memo.key[index, 0] == key[0] and memo.key[index, 1] == key[1] and memo.depth[index] == depth:
            return index
        if memo.key[index, 0] == 0:
            return -1
        index = (index + 1) & (len(memo.depth) - 1)
    return -1


@inner
def keep(memo, key, depth, exact, value, attribute, search_depth):
    """Store the results for a set of rows and a depth, in place of any earlier ones; see PROBES."""
    index = _start(memo, key, depth)
    taken = -1
    for _ in range(PROBES):
        empty = memo.key[index, 0] == 0
        if empty or (memo.key[index, 0] == key[0] and memo.key[index, 1] == key[1] and memo.depth[index] == depth):
            taken = index
            memo.used[0] += empty
            break
        if memo.depth[index] <= depth and (taken < 0 or memo.depth[index] < memo.depth[taken]):
            taken = index
        index = (index + 1) & (len(memo.depth) - 1)
    if taken < 0:
        return
    memo.key[taken, 0], memo.key[taken, 1] = key[0], key[1]
    memo.depth[taken] = depth
    memo.exact[taken] = exact
    for k in range(memo.value.shape[1]):
        memo.value[taken, k] = value[k]
        memo.attribute[taken, k] = attribute[k]
        memo.search_depth[taken, k] = search_depth[k]


@outer
def move_memo(old, new):
    """Copy all entries of `old` to `new`, which is empty and larger."""
    for index in range(len(old.depth)):
        if old.key[index, 0] != 0:
            keep(
                new,
                old.key[index],
                old.depth[index],
                old.exact[index],
                old.value[index],
                old.attribute[index],
                old.search_depth[index],
            )
