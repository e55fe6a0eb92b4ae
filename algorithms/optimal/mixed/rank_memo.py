"""The memo of the search over mixed attributes: a hash table of bounds and best splits by set of rows and depth.

Its keys are 128 random bits. The probability that two of n entries have the same key is below n² / 2¹²⁸.

The tables of `exact.slots` cannot be used: they need a first word that is never 0, but any word of these keys may be 0.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner, outer
from algorithms.kernel_arrays import array
from algorithms.optimal.never import NEVER
from algorithms.splitmix import GOLDEN

MEMO_LOW, MEMO_HIGH, MEMO_CHOICE = 0, 1, 2


class CostBoundsMemo(NamedTuple):
    """The entries. `slots` is a power of two, and at most three quarters are filled; `width` is `TreeRule.width`."""

    key: Any = array("slots 2", np.uint64)  # see `NODE`; zeros in an empty slot
    cost: Any = array("slots 3 width")
    """MEMO_LOW, a lower bound; MEMO_HIGH, the cost of the best tree so far; MEMO_CHOICE, the choice at its root."""
    used: Any = array("1")  # number of entries


@inner
def find(memo, key_0, key_1):
    """The slot of a key or, if it has no entry, the empty slot where it belongs."""
    mask = np.uint64(len(memo.key) - 1)
    slot = (key_0 ^ (key_1 * GOLDEN)) & mask
    while True:
        here_0, here_1 = memo.key[slot, 0], memo.key[slot, 1]
        if (here_0 == key_0 and here_1 == key_1) or (here_0 == 0 and here_1 == 0):
            return np.int64(slot)
        slot = (slot + np.uint64(1)) & mask


@inner
def put(memo, slot, key_0, key_1):
    """Write a key to the slot that `find` returned, unless the table is full; return whether it is there."""
    if memo.key[slot, 0] == key_0 and memo.key[slot, 1] == key_1:
        return True
    if 4 * (memo.used[0] + 1) > 3 * len(memo.key):
        return False
    memo.key[slot, 0], memo.key[slot, 1] = key_0, key_1
    for s in range(memo.cost.shape[2]):
        memo.cost[slot, MEMO_LOW, s] = 0
        memo.cost[slot, MEMO_HIGH, s] = NEVER
        memo.cost[slot, MEMO_CHOICE, s] = -1
    memo.used[0] += 1
    return True


@outer
def move_memo(old, new):
    """Copy all entries of `old` to `new`, which is empty and larger."""
    for slot in range(len(old.key)):
        if old.key[slot, 0] != 0 or old.key[slot, 1] != 0:
            at = find(new, old.key[slot, 0], old.key[slot, 1])
            new.key[at, 0], new.key[at, 1] = old.key[slot, 0], old.key[slot, 1]
            for kind in range(3):
                for s in range(old.cost.shape[2]):
                    new.cost[at, kind, s] = old.cost[slot, kind, s]
    new.used[0] = old.used[0]
