"""The memo of the search for good trees: the least costs of the trees for sets of rows.

Unlike in `bit_memo`, no entry is replaced: the memo grows, and the search stops at the memory limit.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inlined, outer
from algorithms.kernel_arrays import array
from algorithms.splitmix import GOLDEN

ENTRIES, WORK, UNTIL = 0, 1, 2
"""Indices of `LeastCostMemo.state`."""
NO_KEY, ONE = np.uint64(0), np.uint64(1)


class LeastCostMemo(NamedTuple):
    """A hash table with linear probing, from a set of rows and a depth to a cost; slots are a power of two."""

    key: Any = array("slots 2", np.uint64)  # a hash of 128 bits of the set, see `hash_of`; zeros in an empty slot
    depth: Any = array("slots", np.int32)  # greatest depth of the trees
    value: Any = array("slots", np.float64)  # the least cost, or a lower bound
    exact: Any = array("slots", np.bool_)  # whether `value` is the least cost
    state: Any = array("3")  # number of entries; units of work done; units of work after which to stop


@inlined
def find(memo, key, depth):
    """The slot of a set of rows at a depth, or the empty slot for it."""
    slots = np.uint64(len(memo.depth) - 1)
    slot = (key[1] + np.uint64(depth) * GOLDEN) & slots
    while memo.key[slot, 0] != NO_KEY and not (
        memo.key[slot, 0] == key[0] and memo.key[slot, 1] == key[1] and memo.depth[slot] == depth
    ):
        slot = (slot + ONE) & slots
    return slot


@inlined
def keep(memo, key, depth, value, exact):
    """Store the least cost of a set of rows at a depth, or a lower bound."""
    slot = find(memo, key, depth)
    memo.state[ENTRIES] += memo.key[slot, 0] == NO_KEY
    memo.key[slot, 0], memo.key[slot, 1], memo.depth[slot] = key[0], key[1], depth
    memo.value[slot], memo.exact[slot] = value, exact


@outer
def copy_entries(memo, larger):
    """Copy all entries into a larger memo."""
    for slot in range(len(memo.depth)):
        if memo.key[slot, 0] != NO_KEY:
            keep(larger, memo.key[slot], memo.depth[slot], memo.value[slot], memo.exact[slot])


@inlined
def is_stopped(memo):
    """Whether the memo is half full, so that it must grow, or the allowed work is done."""
    return 2 * memo.state[ENTRIES] >= len(memo.depth) or memo.state[WORK] > memo.state[UNTIL]
