"""A decision table in machine words: a subtable is a wide word with a bit per row."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import of_words, outer
from algorithms._numba.primitives import (
    BRANCHES_AT_ONCE,
    any_bit,
    lowest,
    read,
    sum_of_each,
    width,
    with_bit,
    without_lowest,
    write,
)

MOST_ATTRIBUTES = 64
"""A set of attributes is one machine word, and so is the depth of a tree, with a bit per level; see `packed_cost`."""

BITS = 64
ZERO, ONE = np.uint64(0), np.uint64(1)
SIX, LAST_SIX_BITS = np.uint64(6), np.uint64(63)


class WordTable(NamedTuple):
    """Arrays of uint64 that hold one table after another; rows keep the order in which they first appear.

    Sets of rows and codes of rows are wide words, see `algorithms._numba.bits`. Row i is bit i % 64 of machine word
    i // 64 of a set. The code of a row has a field of `code_bits` bits for each attribute. A machine word has space for
    f = 64 // code_bits fields: attribute a is field a % f, from the lowest bits on, of machine word a // f. The bits
    above the last field are 0.
    """

    value_rows: Any  # (attributes, values, words): the rows with a value; after them there are zeros, see `part_masks`
    decision_rows: Any  # (decisions, words): the rows with a decision
    other_decision: Any
    """(64 * words + 1, words): the rows whose decision differs from that of a row. The last set is empty: its index is
    `lowest` of the empty set."""
    code: Any  # (rows, machine words of a code): the code of each row
    code_bits: Any  # int: width of a field
    field_tops: Any  # a code with the highest bit of every field
    field_rests: Any  # a code with the other bits of every field
    no_rows: Any  # the empty set


def _code_bits(values: int) -> int:
    return max(1, (values - 1).bit_length())


def words_needed(rows: int, attributes: int, values: int) -> int:
    """The fewest machine words that have enough bits for a set of rows, and for the code of a row.

    A code may take more words, because fields do not fill each word; but no more than MOST_WORDS for 64 attributes of
    256 values.
    """
    return max(-(-rows // BITS), -(-attributes * _code_bits(values) // BITS))


def empty_word_table(rows: int, attributes: int, values: int, decisions: int) -> WordTable:
    """A WordTable for tables of these sizes."""
    code_bits = _code_bits(values)
    words, fields = -(-rows // BITS), BITS // code_bits
    tops, rests = [], []
    for first in range(0, attributes, fields):
        bits = min(fields, attributes - first) * code_bits
        tops.append(sum(1 << bit for bit in range(code_bits - 1, bits, code_bits)))
        rests.append((1 << bits) - 1 & ~tops[-1])
    branches = attributes * values
    padded = np.zeros((branches + BRANCHES_AT_ONCE) * words, np.uint64)
    return WordTable(
        padded[: branches * words].reshape(attributes, values, words),
        np.zeros((decisions, words), np.uint64),
        np.zeros((words * BITS + 1, words), np.uint64),
        np.zeros((rows, len(tops)), np.uint64),
        code_bits,
        _wide(tops),
        _wide(rests),
        _wide([0] * words),
    )


def _wide(words: list[int]) -> Any:
    """Convert a list of machine words into a wide word, the first lowest."""
    return np.uint64(words[0]) if len(words) == 1 else tuple(map(np.uint64, words))


@outer
def load(table, codes, decisions, votes):
    """Pack one table, codes (rows, attributes) and decisions (rows,), into `table`; return the set of its rows.

    Equal rows become one row with their most common decision; if several are most common, with the smallest. `votes`
    (rows, decisions) is scratch.
    """
    value_rows, decision_rows, other_decision = table.value_rows, table.decision_rows, table.other_decision
    code, field_tops, no_rows = table.code, table.field_tops, table.no_rows
    values, attributes, fields = value_rows.shape[1], codes.shape[1], BITS // table.code_bits
    for index in range(value_rows.shape[0] * values):
        write(value_rows, index, no_rows)
    for decision in range(len(decision_rows)):
        write(decision_rows, decision, no_rows)
    rows, every_row = 0, no_rows
    for i in range(codes.shape[0]):
        first = 0
        for word in range(code.shape[1]):
            packed = ZERO
            for attribute in range(first, min(first + fields, attributes)):
                packed |= np.uint64(codes[i, attribute]) << np.uint64((attribute - first) * table.code_bits)
            code[rows, word] = packed
            first += fields
        row, row_code = 0, read(code, rows, field_tops)
        while read(code, row, field_tops) != row_code:
            row += 1
        if row == rows:
            for decision in range(len(decision_rows)):
                votes[row, decision] = 0
            rows += 1
            every_row = with_bit(every_row, row)
            for attribute in range(attributes):
                index = attribute * values + codes[i, attribute]
                write(value_rows, index, with_bit(read(value_rows, index, no_rows), row))
        votes[row, decisions[i]] += 1
    for row in range(rows):
        common = 0
        for decision in range(1, len(decision_rows)):
            if votes[row, decision] > votes[row, common]:
                common = decision
        write(decision_rows, common, with_bit(read(decision_rows, common, no_rows), row))
    for decision in range(len(decision_rows)):
        same = read(decision_rows, decision, no_rows)
        left, other = same, every_row & ~same
        while any_bit(left):
            write(other_decision, lowest(left), other)
            left = without_lowest(left)
    return every_row


@of_words
def unlike(other_decision, like, left, right):
    """1 if two rows, uint64 indices, differ in decision, else 0; `like` is any set of rows, for its width."""
    if width(like) == ONE:
        return (other_decision[left, 0] >> right) & ONE
    return (other_decision[left, right >> SIX] >> (right & LAST_SIX_BITS)) & ONE


@of_words
def differing(code, field_tops, field_rests, left, right):
    """The attributes on which two rows, uint64 indices, differ, as the highest bits of their fields."""
    difference = read(code, left, field_tops) ^ read(code, right, field_tops)
    # the sum carries into the highest bit of a field if another bit of it differs
    return (sum_of_each(difference & field_rests, field_rests) | difference) & field_tops
