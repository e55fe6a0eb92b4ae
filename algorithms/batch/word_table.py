"""A decision table of at most 64 rows in machine words: a subtable is a word with a bit per row."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import kernel, of_words

__all__ = ["MAX_ROWS", "WordTable", "differing", "empty_word_table", "load"]

MAX_ROWS = 64
ZERO, ONE = np.uint64(0), np.uint64(1)


class WordTable(NamedTuple):
    """Arrays that hold one table after another; rows keep the order in which they first appear.

    value_rows      (attributes, values): the rows with a value
    decision_rows   (decisions,): the rows with a decision
    other_decision  (65,): the rows whose decision differs from that of a row; entry 64 is empty
    code            (64,): the row's codes, `code_bits` bits an attribute, the first attribute lowest
    code_bits       width of a field
    field_tops      the highest bit of every attribute's field in a code
    field_rests     the other bits of every field
    """

    value_rows: Any
    decision_rows: Any
    other_decision: Any
    code: Any
    code_bits: Any
    field_tops: Any
    field_rests: Any


def empty_word_table(attributes: int, values: int, decisions: int) -> WordTable:
    """A WordTable for tables of these sizes; `attributes * code_bits` is at most 64."""
    code_bits = 1
    while 1 << code_bits < values:
        code_bits += 1
    fields = (1 << attributes * code_bits) - 1
    field_tops = sum(1 << bit for bit in range(code_bits - 1, attributes * code_bits, code_bits))
    return WordTable(
        np.zeros((attributes, values), np.uint64),
        np.zeros(decisions, np.uint64),
        np.zeros(MAX_ROWS + 1, np.uint64),
        np.zeros(MAX_ROWS, np.uint64),
        code_bits,
        np.uint64(field_tops),
        np.uint64(fields & ~field_tops),
    )


@kernel
def load(table, codes, decisions, votes):
    """Put one table (codes (rows, attributes), decisions (rows,)) into `table` and return the word of all its rows.

    Equal rows become one row with their most common decision, the smallest of several. `votes` (64, decisions) is
    scratch.
    """
    value_rows, decision_rows, other_decision, code, code_bits, _, _ = table
    for attribute in range(value_rows.shape[0]):
        for value in range(value_rows.shape[1]):
            value_rows[attribute, value] = ZERO
    for decision in range(len(decision_rows)):
        decision_rows[decision] = ZERO
    rows = 0
    for i in range(codes.shape[0]):
        packed = ZERO
        for attribute in range(codes.shape[1]):
            packed |= np.uint64(codes[i, attribute]) << np.uint64(attribute * code_bits)
        row = 0
        while row < rows and code[row] != packed:
            row += 1
        if row == rows:
            code[row] = packed
            for decision in range(len(decision_rows)):
                votes[row, decision] = 0
            rows += 1
            for attribute in range(codes.shape[1]):
                value_rows[attribute, codes[i, attribute]] |= ONE << np.uint64(row)
        votes[row, decisions[i]] += 1
    for row in range(rows):
        common = 0
        for decision in range(1, len(decision_rows)):
            if votes[row, decision] > votes[row, common]:
                common = decision
        decision_rows[common] |= ONE << np.uint64(row)
    every_row = ~ZERO >> np.uint64(64 - rows)
    for decision in range(len(decision_rows)):
        for row in range(rows):
            if decision_rows[decision] >> np.uint64(row) & ONE:
                other_decision[row] = every_row & ~decision_rows[decision]
    return every_row


@of_words
def differing(code, field_tops, field_rests, left, right):
    """The attributes on which two rows differ, as the highest bits of their fields."""
    difference = code[left] ^ code[right]
    return (((difference & field_rests) + field_rests) | difference) & field_tops
