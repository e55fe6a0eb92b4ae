"""A hash table, with linear probing, from the words of subtables (several machine words each) to numbers.

A slot is empty if its first machine word is 0. No word of a subtable begins with 0: see `coded.write_fields`.

Other hash tables have their own loops: those of `boxes`, `hashing` and `bit_columns` hold indices, whose entries they
compare; those of `few_rows` and `word_minima` hold keys of another form, and results beside them.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inlined, outer
from algorithms.splitmix import GOLDEN

ZERO, ONE = np.uint64(0), np.uint64(1)
MIX_SHIFT = np.uint64(32)


class Slots(NamedTuple):
    """The slots. Their number is a power of two."""

    word: Any  # (slots, machine words) uint64
    number: Any  # (slots,)


@inlined
def hash_of_word(words, at, width):
    """A hash of the first `width` machine words of words[at]."""
    mixed = ZERO
    for i in range(width):
        mixed = (mixed ^ words[at, i]) * GOLDEN
        mixed ^= mixed >> MIX_SHIFT
    return mixed


@inlined
def first_slot(slots, words, at):
    """The slot where the search for words[at] begins: it is there, unless another word took this slot first."""
    return hash_of_word(words, at, words.shape[1]) & np.uint64(len(slots.number) - 1)


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
    """Write words[at] and its number into a slot."""
    for i in range(words.shape[1]):
        slots.word[slot, i] = words[at, i]
    slots.number[slot] = number


@outer
def rehash(slots, larger):
    """Copy all entries of `slots` into `larger`, an empty table."""
    for old in range(len(slots.number)):
        if slots.word[old, 0] != ZERO:
            put(larger, find_slot(larger, slots.word, old), slots.word, old, slots.number[old])
