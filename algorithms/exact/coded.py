"""A decision table as the search of subtables reads it: rows, or boxes of rows, as words and as branches.

A word is one or more machine words: for each column a field of its codes and, beside it, their complements. The OR of
the words of some rows shows on which columns they differ, and which code they share on each other column: see
`row_words_search`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from algorithms.array_types import Words
from algorithms.data.table import DecisionTable
from algorithms.exact.boxes import LARGEST, Boxes, MergeBuffers, Sets, merge
from algorithms.exact.memory import Array, Memory
from algorithms.exact.row_words_search import CodedTable


def coded_table(table: DecisionTable, memory: Memory, *, edges: bool) -> CodedTable:
    """The table with rows in boxes, codes without gaps, and decisions first in the words, so that no word is 0.

    Without `edges` rows stay single unless merging them leaves fewer than half: see `few_rows`.
    """
    n, attributes = table.codes.shape
    codes = memory.array((n, attributes), np.int32)
    distinct = [_without_gaps(*columns) for columns in zip(table.codes.T, codes.T, strict=True)]
    n_codes = np.array([len(column_codes) for column_codes in distinct], np.int64)
    memory.hold(sum(column_codes.nbytes for column_codes in distinct))
    sets = Sets(memory.array((attributes, LARGEST), np.uint64), memory.array(attributes, np.int64))
    rows = Boxes(codes, table.decisions, table.weights, table.weights)
    boxes = _merged(rows, n_codes, sets, memory)
    if not edges and n < 2 * len(boxes.codes):
        boxes, sets.number[:] = rows, 0
        # merging has overwritten the codes
        for column, into in zip(table.codes.T, codes.T, strict=True):
            _without_gaps(column, into)
    first_branch = np.cumsum([0, *(n_codes + sets.number), 1])
    first_joint = first_branch[:-1] + np.append(n_codes, 1)
    branch, column = _branches(boxes.codes, first_branch, memory)
    code = memory.array(0, np.uint8)
    if edges:
        code = memory.array(first_branch[-1], np.min_scalar_type(table.codes.max(initial=0)))
        for first, column_codes in zip(first_branch, distinct, strict=False):
            code[first : first + len(column_codes)] = column_codes
    memory.release(*distinct)
    del distinct
    attribute_of = memory.array(first_branch[-1], np.int64)
    for attribute, (first, end) in enumerate(pairwise(first_branch.tolist())):
        attribute_of[first:end] = attribute
    joined_codes, joint_branches = _joint_branches(first_branch, first_joint, sets, memory)
    bits = [(number - 1).bit_length() for number in n_codes.tolist()]
    bits.insert(0, max(1, int(table.decisions.max()).bit_length()))
    in_word, shift = field_positions(bits)
    word = memory.array((len(branch), in_word[-1] + 1), np.uint64)
    write_fields(word, [(bits[0], boxes.decisions)])
    for attribute, codes_and_sets in enumerate(boxes.codes.T):
        fields = _fields(bits[attribute + 1], int(n_codes[attribute]), sets.codes[attribute, : sets.number[attribute]])
        word[:, in_word[attribute + 1]] |= fields[codes_and_sets] << np.uint64(shift[attribute + 1])
    memory.release(codes)
    sizes = boxes.sizes[:] if (boxes.sizes != 1).any() else boxes.sizes[:0]
    sizes.flags.writeable = False  # like those of the rows, so that one compiled search serves both
    return CodedTable(
        word,
        branch,
        column,
        first_branch,
        first_joint,
        attribute_of,
        joined_codes,
        joint_branches,
        _decision_last(in_word),
        _decision_last(shift),
        _decision_last(bits),
        code,
        sizes,
    )


def _decision_last(numbers: list[int]) -> Array:
    return np.array(numbers[1:] + numbers[:1], np.uint64)


def _fields(bits: int, n_codes: int, sets: Array) -> Array:
    """(codes and sets,): the field of each, before it is shifted into position."""
    field = np.zeros((n_codes + len(sets), 1), np.uint64)
    write_fields(field[:n_codes], [(bits, np.arange(n_codes))])
    for index, codes in enumerate(sets.tolist(), n_codes):
        field[index] = np.bitwise_or.reduce(field[[i for i in range(n_codes) if codes >> i & 1]])
    return field[:, 0]


def _without_gaps(codes: Array, into: Array) -> Array:
    """Renumber the codes of a column without gaps, in increasing order; returns the distinct codes."""
    occurs = np.zeros(int(codes.max()) + 1, bool)
    occurs[codes] = True
    into[:] = (np.cumsum(occurs, dtype=np.int32) - 1)[codes]
    return np.flatnonzero(occurs)


def _merged(rows: Boxes, n_codes: Array, sets: Sets, memory: Memory) -> Boxes:
    """Rows in as few boxes as merging gives; their codes are overwritten."""
    n = len(rows.codes)
    memory.hold(rows.decisions.nbytes + rows.weights.nbytes + rows.sizes.nbytes)
    boxes = rows._replace(decisions=rows.decisions.copy(), weights=rows.weights.copy(), sizes=rows.sizes.copy())
    slots = 2 ** int(2 * n - 1).bit_length()
    arrays = [(n, np.uint64), (slots, np.int32), (n, np.int32), (n, np.uint64), (n, np.int32)]
    scratch = MergeBuffers(*(memory.array(length, kind) for length, kind in arrays))
    number = merge(boxes, n_codes, sets, scratch)
    memory.release(*scratch, boxes.decisions, boxes.weights)
    return Boxes(*(array[:number] for array in boxes))


def _branches(codes: Array, first_branch: Array, memory: Memory) -> tuple[Array, Array]:
    """`branch` and `column` of a table, from the codes (boxes, attributes)."""
    n, attributes = codes.shape
    kind = np.min_scalar_type(first_branch[-1])
    branch, column = memory.array((n, attributes + 1), kind), memory.array((attributes + 1, n), kind)
    np.add(codes, first_branch[:attributes], out=branch[:, :attributes], casting="unsafe")  # avoids sums in int64
    branch[:, attributes] = first_branch[attributes]
    column[:] = branch.T
    return branch, column


def _joint_branches(first_branch: Array, first_joint: Array, sets: Sets, memory: Memory) -> tuple[Array, Array]:
    """`joined_codes` and `joint_branches` of a table."""
    joined_codes, joint_branches = memory.array((2, first_branch[-1]), np.uint64)
    for attribute, number in enumerate(sets.number.tolist()):
        first, joint = int(first_branch[attribute]), int(first_joint[attribute])
        codes = sets.codes[attribute, :number]
        joined_codes[joint : joint + number] = codes
        bit = np.arange(joint - first, joint - first + number, dtype=np.uint64)
        for code in range(joint - first if number else 0):
            joint_branches[first + code] = np.bitwise_or.reduce((codes >> np.uint64(code) & np.uint64(1)) << bit)
    return joined_codes, joint_branches


def field_positions(bits: Sequence[int]) -> tuple[list[int], list[int]]:
    """(machine word, shift) of each field in order; a field is twice as wide as its number of bits.

    Fields are packed from the lowest bit up, in order; no field lies in two machine words.
    """
    in_word, shift, word, used = [], [], 0, 0
    for width in bits:
        if used + 2 * width > 64:
            word, used = word + 1, 0
        in_word.append(word)
        shift.append(used)
        used += 2 * width
    return in_word, shift


def write_fields(word: Words, fields: Sequence[tuple[int, Array]]) -> None:
    """Write fields, each (bits, codes (rows,)), into words (rows, machine words) that are 0.

    The low half of a field is the code, the high half its complement. So exactly `bits` bits of a field are set in the
    word of a row; in the OR of several rows both halves share a bit if and only if the rows differ there. The first
    machine word is never 0, which `slots` reserves for empty slots: it begins with the decision, of at least one bit.
    """
    in_word, shift = field_positions([bits for bits, _ in fields])
    for (bits, codes), column, low in zip(fields, in_word, shift, strict=True):
        complement = codes ^ ((1 << bits) - 1)
        word[:, column] |= (codes.astype(np.uint64) | complement.astype(np.uint64) << np.uint64(bits)) << np.uint64(low)
