"""A hash table from words of several machine words to numbers, for the graph of separable subtables.

A slot is empty if its first machine word is 0. No word of a subtable begins with 0: see `row_words.write_fields`.

Other hash tables have loops of their own. Those of `boxes`, `hashing` and `bit_columns` hold only indices, and compare
the entries; those of `few_rows` and `word_minima` hold words of another form, and results beside them.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inlined, outer
from algorithms.splitmix import GOLDEN

ZERO, ONE = np.uint64(0), np.uint64(1)
MIX_SHIFT = np.uint64(32)


class Slots(NamedTuple):
    """The slots, a power of two of them."""

    word: Any  # (slots, machine words) uint64
    number: Any  # (slots,)


@inlined
def first_slot(slots, words, at):
    """The slot where words[at] is, unless another word came there first."""
    mixed = ZERO
    for i in range(words.shape[1]):
        mixed = (mixed ^ words[at, i]) * GOLDEN
        mixed ^= mixed >> MIX_SHIFT
    return mixed & np.uint64(len(slots.number) - 1)


@inlined
def same(slots, slot, words, at):
    """Whether words[at] is in a slot."""
    equal = slots.word[slot, 0] == words[at, 0]
    for i in range(1, words.shape[1]):
        equal &= slots.word[slot, i] == words[at, i]
    return equal


@inlined
def is_empty(slots, slot):
    """Whether a slot is empty."""
    return slots.word[slot, 0] == ZERO


@inlined
def find_slot(slots, words, at):
    """The slot that holds words[at], or the empty slot where it belongs."""
    slot = first_slot(slots, words, at)
    while not is_empty(slots, slot) and not same(slots, slot, words, at):
        slot = (slot + ONE) & np.uint64(len(slots.number) - 1)
    return slot


@inlined
def put(slots, slot, words, at, number):
    """Write words[at] into a slot."""
    for i in range(words.shape[1]):
        slots.word[slot, i] = words[at, i]
    slots.number[slot] = number


@outer
def rehash(slots, larger):
    """Copy all words of `slots` into `larger`, which are empty."""
    for old in range(len(slots.number)):
        if slots.word[old, 0] != ZERO:
            put(larger, find_slot(larger, slots.word, old), slots.word, old, slots.number[old])
