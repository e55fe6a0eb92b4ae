"""A memo of search results for subtables, which are identified by the words of their rows.

The word of a subtable is the OR of the words of its rows. It has a field for every attribute and for the decision: the
code in the low half, the complement of the code in the high half. The word identifies the subtable, and shows on which
attributes its rows differ (see `algorithms.exact.row_words_search`).
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.copies import copy_into
from algorithms._numba.decorators import allocating
from algorithms._numba.primitives import by_reference
from algorithms.exact.row_words_branches import varies
from algorithms.exact.slots import Slots, rehash


class RowWords(NamedTuple):
    """The rows as words."""

    word: Any  # (rows, machine words) uint64
    in_word: Any  # (attributes + 1,) uint64: the machine word with the field of each attribute, last of the decision
    shift: Any  # (attributes + 1,) uint64: the lowest bit of the field
    bits: Any  # (attributes + 1,) uint64: the bits of a code, half the width of the field


class SubtableMemo(NamedTuple):
    """The results. A key is the word of a subtable, followed by the number of levels left as one more machine word."""

    slots: Any  # `algorithms.exact.slots.Slots`: the index of each key in `value` and `attribute`
    value: Any  # (half as many as slots,): the least cost
    attribute: Any  # (half as many as slots,): the first attribute that has it
    used: Any  # (1,): number of entries


@allocating
def write_word(words, rows, first, end, into):
    """Write the word of the subtable of rows[first:end] into `into`, (machine words or more,)."""
    width = words.word.shape[1]
    for k in range(width):
        into[k] = words.word[rows[first], k]
    for i in range(first + 1, end):
        for k in range(width):
            into[k] |= words.word[rows[i], k]


@allocating
def write_varying(words, word, at, into):
    """Write the attributes on which the rows of the subtable word[at] differ into `into`; return their number."""
    varying = 0
    for attribute in range(len(words.bits) - 1):
        if varies(words, word, at, attribute):
            into[varying] = attribute
            varying += 1
    return varying


@allocating
def with_capacity(memo, limit):
    """The memo, or a copy of twice the size if it is full; the full memo if the copy would exceed `limit` bytes."""
    if memo.used[0] < len(memo.value):
        return memo
    length, width = 2 * len(memo.slots.number), memo.slots.word.shape[1]
    entry = 8 * (width + 1) + 6  # bytes of a slot, and half of those of a value and an attribute
    if (length + length // 2) * entry > limit:  # both memos exist during the copy
        return memo
    slots = Slots(np.zeros((length, width), np.uint64), np.zeros(length, np.int64))
    rehash(by_reference(memo.slots), by_reference(slots))
    value, attribute = np.zeros(length // 2), np.zeros(length // 2, np.int32)
    copy_into(memo.value, value)
    copy_into(memo.attribute, attribute)
    return SubtableMemo(slots, value, attribute, memo.used)
