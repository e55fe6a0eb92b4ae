"""Subtables by the words of their rows, and the search results stored for them.

The word of a subtable is the OR of the words of its rows. Every attribute, and the decision, has a field in it: the
code and beside it the code's complement. The word identifies the subtable, and shows on which attributes its rows
differ (see `algorithms.exact.row_words_search`).
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.copies import copy_into
from algorithms._numba.decorators import allocating
from algorithms.exact.row_words_branches import varies
from algorithms.exact.slots import Slots, rehash


class RowWords(NamedTuple):
    """The rows as words."""

    word: Any  # (rows, machine words) uint64
    in_word: Any  # (attributes + 1,) uint64: the word with the field of each attribute, and last that of the decision
    shift: Any  # (attributes + 1,) uint64: where the field begins
    bits: Any  # (attributes + 1,) uint64: half its width


class SubtableMemo(NamedTuple):
    """The results: the word of a subtable and, as one more machine word, the levels left are the key."""

    slots: Any
    value: Any  # (half as many as slots,): the least cost
    attribute: Any  # (half as many as slots,): the first attribute that has it
    used: Any  # (1,): number of entries


@allocating
def write_word(words, rows, first, end, into):
    """Write the word of the subtable of the rows from `first` to `end`."""
    width = words.word.shape[1]
    for k in range(width):
        into[k] = words.word[rows[first], k]
    for i in range(first + 1, end):
        for k in range(width):
            into[k] |= words.word[rows[i], k]


@allocating
def write_varying(words, word, at, into):
    """Write the attributes on which the rows of word[at] differ; returns their number."""
    varying = 0
    for attribute in range(len(words.bits) - 1):
        if varies(words, word, at, attribute):
            into[varying] = attribute
            varying += 1
    return varying


@allocating
def with_capacity(memo, limit):
    """The memo with space for one more entry; unchanged if that would take more than `limit` bytes."""
    if memo.used[0] < len(memo.value):
        return memo
    length, width = 2 * len(memo.slots.number), memo.slots.word.shape[1]
    entry = 8 * (width + 1) + 6  # of a slot, with half of a value and an attribute
    if (length + length // 2) * entry > limit:  # old and new are held at one time
        return memo
    slots = Slots(np.zeros((length, width), np.uint64), np.zeros(length, np.int64))
    rehash(memo.slots, slots)
    value, attribute = np.zeros(length // 2), np.zeros(length // 2, np.int32)
    copy_into(memo.value, value)
    copy_into(memo.attribute, attribute)
    return SubtableMemo(slots, value, attribute, memo.used)
