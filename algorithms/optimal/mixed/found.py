"""What an exact search has found of sets of rows: bounds, costs and splits, in a hash table that may stop to grow.

A set is known by 128 random bits, so that two are taken for one with a chance of about (sets looked at)² / 2¹²⁸.

It is no table of `exact.slots`, where a key whose first word is 0 is an empty slot: a random word may be 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner, outer
from algorithms._numba.primitives import by_reference
from algorithms.kernel_arrays import array
from algorithms.optimal.mixed.packed_rows import NEVER
from algorithms.splitmix import GOLDEN

__all__ = ["FOUND_CHOICE", "FOUND_HIGH", "FOUND_LOW", "Found", "find", "larger_found", "put"]

FOUND_LOW, FOUND_HIGH, FOUND_CHOICE = 0, 1, 2


class Found(NamedTuple):
    """The findings, of which three quarters of `slots`, a power of two, may be taken; `width` as in Rule."""

    key: Any = array("slots 2", np.uint64)  # of the rows and the depth; zeros where the slot is empty
    cost: Any = array("slots 3 width")  # no tree costs less; a tree costs this; its split, see `node_levels.NO_CHOICE`
    used: Any = array("1")  # slots taken


@inner
def find(found, key_0, key_1):
    """The slot of a key, or the empty one where it is to stand."""
    mask = np.uint64(len(found.key) - 1)
    slot = (key_0 ^ (key_1 * GOLDEN)) & mask
    while True:
        here_0, here_1 = found.key[slot, 0], found.key[slot, 1]
        if (here_0 == key_0 and here_1 == key_1) or (here_0 == 0 and here_1 == 0):
            return np.int64(slot)
        slot = (slot + np.uint64(1)) & mask


@inner
def put(found, slot, key_0, key_1):
    """Let a key stand in the slot that is its own: whether there was room."""
    if found.key[slot, 0] == key_0 and found.key[slot, 1] == key_1:
        return True
    if 4 * (found.used[0] + 1) > 3 * len(found.key):
        return False
    found.key[slot, 0], found.key[slot, 1] = key_0, key_1
    for s in range(found.cost.shape[2]):
        found.cost[slot, FOUND_LOW, s] = 0
        found.cost[slot, FOUND_HIGH, s] = NEVER
        found.cost[slot, FOUND_CHOICE, s] = -1
    found.used[0] += 1
    return True


@outer
def larger_found(old, new):
    """Put all that stands in `old` into `new`, which is empty and larger."""
    old, new = by_reference(old), by_reference(new)
    for slot in range(len(old.key)):
        if old.key[slot, 0] != 0 or old.key[slot, 1] != 0:
            at = find(new, old.key[slot, 0], old.key[slot, 1])
            new.key[at, 0], new.key[at, 1] = old.key[slot, 0], old.key[slot, 1]
            for kind in range(3):
                for s in range(old.cost.shape[2]):
                    new.cost[at, kind, s] = old.cost[slot, kind, s]
    new.used[0] = old.used[0]
