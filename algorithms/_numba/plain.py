"""Plain twins of all code that uses numba's private parts: the same results from public numba alone.

They compile and run slower. `primitives` selects them if the private parts are switched off or fail to import.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import njit

__all__ = [
    "BRANCHES_AT_ONCE",
    "LANES",
    "MOST_WORDS",
    "any_bit",
    "by_reference",
    "cells",
    "choose_least",
    "fold",
    "keep_if",
    "lane_min",
    "list_sweeps",
    "lowest",
    "pack",
    "part_masks",
    "popcount",
    "read",
    "scan_both_sides",
    "scan_both_sides_of_two_classes",
    "scan_counted_side",
    "scan_counted_side_of_two_classes",
    "scan_other_side",
    "scan_other_side_of_two_classes",
    "scan_three_branches",
    "scan_three_branches_of_two_classes",
    "sum_of_each",
    "tile_counts",
    "width",
    "with_bit",
    "without_lowest",
    "write",
]

LANES = 32
"""Attributes per vector, as in `lanes`: buffers have this width in either case."""

BRANCHES_AT_ONCE = 8
"""Branches by which arrays are longer than there are branches, as in `part_masks`."""

MOST_WORDS = 1
"""Machine words of the widest word; unlike `bits`, there are no tuples of words."""

ONE, TWO, FOUR, TOP_BYTE = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
PAIRS, NIBBLES = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
BYTES, EACH_BYTE = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)

LANE_TOPS, TO_LANE_BOTTOM = np.uint64(0x8000_8000_8000_8000), np.uint64(15)

plain = njit(nogil=True)


@plain
def by_reference(values):
    return values


@plain
def cells(array):
    return array


@plain
def popcount(word):
    """Number of set bits of a uint64, as a uint64: sums over pairs, nibbles and bytes."""
    word = word - ((word >> ONE) & PAIRS)
    word = (word & NIBBLES) + ((word >> TWO) & NIBBLES)
    return (((word + (word >> FOUR)) & BYTES) * EACH_BYTE) >> TOP_BYTE


@plain
def lowest(word):
    """Index of the lowest set bit of a uint64, as a uint64; 64 if none is set."""
    return popcount(~word & (word - ONE))


@plain
def without_lowest(word):
    return word & (word - ONE)


@plain
def with_bit(word, index):
    """A word with the bit at an index, an int64, set."""
    return word | ONE << np.uint64(index)


@plain
def any_bit(word):
    return word != word ^ word


@plain
def keep_if(mask, word):
    return mask & word


@plain
def lane_min(left, right):
    """The lesser of each pair of four numbers below 2**15, in two uint64."""
    tops = ((left | LANE_TOPS) - right) & LANE_TOPS
    return left ^ ((left ^ right) & (tops - (tops >> TO_LANE_BOTTOM)))


@plain
def sum_of_each(left, right):
    return left + right


@plain
def width(_word):
    return ONE


@plain
def fold(word, _factor):
    return word


@plain
def read(array, index, _like):
    """The word at a flat index of an array."""
    return array.reshape(-1)[index]


@plain
def write(array, index, word):
    """Write a word at a flat index of an array."""
    array.reshape(-1)[index] = word


@plain
def part_masks(value_rows, decision_rows, rows, branch, edge, first, last):
    """The bits of `part_masks.part_masks`, branch by branch."""
    threes, mores, wholes = rows ^ rows, rows ^ rows, rows ^ rows
    for b in range(first, last):
        part, decisions = rows & read(value_rows, b, rows), 0
        for decision in range(len(decision_rows)):
            decisions += part & decision_rows[decision, 0] != rows ^ rows
        branch[edge + (b - first)] = min(decisions, 2)
        bit, size = ONE << (b - first), popcount(part)
        if decisions > 1 and size == TWO + ONE:
            threes |= bit
        if decisions > 1 and size > TWO + ONE and part != rows:
            mores |= bit
        if part == rows:
            wholes |= bit
    return threes, mores, wholes


@plain
def choose_least(value_rows, decision_rows, entropy_terms, rows, rounding, chosen):
    """The choices of `least_impurities.choose_least`, attribute by attribute."""
    least = np.full(16, np.inf)
    for attribute in range(value_rows.shape[0]):
        worst, total, constant = np.zeros(8), np.zeros(8), False
        for value in range(value_rows.shape[1]):
            part = rows & value_rows[attribute, value, 0]
            constant |= part == rows
            size, most, squares, terms = np.int64(popcount(part)), 0, 0, 0.0
            for decision in range(len(decision_rows)):
                count = np.int64(popcount(part & decision_rows[decision, 0]))
                most, squares, terms = max(most, count), squares + count * count, terms + entropy_terms[count]
            share, rt = 1.0 / max(size, 1), np.float64((size * size - squares) // 2)
            me, gini, ent = np.float64(size - most), 2.0 * rt * share, entropy_terms[size] - terms
            impurities = (ent * share, gini * share, me, rt, ent, gini, me * size, rt * size)
            for measure, impurity in enumerate(impurities):
                worst[measure] = max(worst[measure], impurity)
                total[measure] += impurity
        for algorithm in range(16):
            impurity = (total if algorithm // 4 % 2 else worst)[algorithm % 4 + algorithm // 8 * 4]
            if not constant and impurity < least[algorithm] * rounding:
                least[algorithm], chosen[algorithm] = impurity, attribute


@plain
def pack(word, chosen):
    """The bits of a uint64 selected by `chosen`, moved together at its low end, in order."""
    packed, bit = word ^ word, ONE
    while chosen != packed ^ packed:
        below = chosen & (chosen - ONE)
        if word & (chosen ^ below):
            packed |= bit
        bit = bit << ONE
        chosen = below
    return packed


@plain
def _shared_bits(lanes, lane_at, stride, words, word_at, first, end):
    """The number of bits that two attributes share in the words from `first` to `end`."""
    counted = 0
    for w in range(first, end):
        counted += np.int64(popcount(np.uint64(lanes[lane_at + w * stride] & words[word_at + w])))
    return counted


@plain
def tile_counts(into, at, lanes, lane_at, stride, words, word_at, first, end):
    """Write from `at` on the number of bits that LANES attributes share with one, as `lanes.tile_counts`."""
    into, words = into.reshape(-1), words.reshape(-1)
    for lane in range(LANES):
        into[at + lane] = _shared_bits(lanes, lane_at + lane, stride, words, word_at, first, end)


@plain
def _errors_of_cell(rows, most, everything, fewest):
    """The errors of a leaf for a cell of two attributes: all rows where it has too few."""
    return everything if rows < fewest else rows - most


@plain
def _scan_side(
    lanes, words, start, singles, totals, after, pairs, pairs_at, first, side, tiles, stride, width, classes, fewest
):
    one_at, zero_at, planes_at, everything = 2 * side * stride, (2 * side + 1) * stride, side * classes, 0
    for c in range(classes):
        everything += totals[planes_at + c]
    best_one, best_zero = np.int64(after[one_at + first]), np.int64(after[zero_at + first])
    rows, most = np.empty(4, np.int64), np.empty(4, np.int64)
    for second in range(tiles * LANES):
        rows[:] = 0
        most[:] = 0
        for c in range(classes):
            at = (planes_at + c) * stride
            q = _shared_bits(lanes, second, stride, words, first * width, start[c], start[c + 1])
            if pairs_at >= 0:
                q = pairs[pairs_at + c * stride * stride + second] - q
            only_first, only_second = singles[at + first] - q, singles[at + second] - q
            neither = totals[planes_at + c] - singles[at + first] - only_second
            for cell, number in enumerate((q, only_first, only_second, neither)):
                rows[cell] += number
                most[cell] = max(most[cell], number)
        both = _errors_of_cell(rows[0], most[0], everything, fewest)
        only_first = _errors_of_cell(rows[1], most[1], everything, fewest)
        only_second = _errors_of_cell(rows[2], most[2], everything, fewest)
        neither = _errors_of_cell(rows[3], most[3], everything, fewest)
        best_one, best_zero = min(best_one, both + only_first), min(best_zero, only_second + neither)
        after[one_at + second] = min(after[one_at + second], both + only_second)
        after[zero_at + second] = min(after[zero_at + second], only_first + neither)
    after[one_at + first] = min(after[one_at + first], best_one)
    after[zero_at + first] = min(after[zero_at + first], best_zero)


def _scan(*, counted_side: bool, other_side: bool, two_classes: bool) -> Any:
    """The twin of a `pair_scan` kernel: of both sides or of one of them."""

    @plain
    def scan(
        lanes, words, start, singles, totals, after, pairs, pairs_at, first, side, tiles, stride, width, classes, fewest
    ):
        words, singles, totals = words.reshape(-1), singles.reshape(-1), totals.reshape(-1)
        after, pairs = after.reshape(-1), pairs.reshape(-1)
        rest = (tiles, stride, width, classes, 0 if two_classes else fewest)
        if counted_side:  # its pairs are counted here; those of the other side are the difference to all
            _scan_side(lanes, words, start, singles, totals, after, pairs, -1, first, side, *rest)
        if other_side:
            _scan_side(lanes, words, start, singles, totals, after, pairs, pairs_at, first, 1 - side, *rest)

    return scan


scan_both_sides_of_two_classes = _scan(counted_side=True, other_side=True, two_classes=True)
scan_counted_side_of_two_classes = _scan(counted_side=True, other_side=False, two_classes=True)
scan_other_side_of_two_classes = _scan(counted_side=False, other_side=True, two_classes=True)
scan_both_sides = _scan(counted_side=True, other_side=True, two_classes=False)
scan_counted_side = _scan(counted_side=True, other_side=False, two_classes=False)
scan_other_side = _scan(counted_side=False, other_side=True, two_classes=False)


@plain
def scan_three_branches(
    lanes, words, start, segments, weight, singles, totals, after, first, three, tiles, stride, width, classes, fewest
):
    """Lower the errors after a second split, as `pair_scan.scan_three_branches`."""
    words, half, everything = words.reshape(-1), stride // 2, 0
    rows, most = np.empty((3, 3), np.int64), np.empty((3, 3), np.int64)
    for c in range(classes):
        everything += totals[c]
    for second in range(tiles * LANES):
        rows[:] = 0
        most[:] = 0
        for c in range(classes):
            cell = np.zeros((3, 3), np.int64)
            for s in range(segments[c], segments[c + 1]):
                for a in range(2 if first < three else 1):
                    for b in range(2 if second < three else 1):
                        lane, word = second + b * half, (first + a * half) * width
                        cell[a, b] += weight[s] * _shared_bits(lanes, lane, stride, words, word, start[s], start[s + 1])
            for a in range(2):
                cell[a, 2] = singles[c, first + a * half] - cell[a, 0] - cell[a, 1]
                cell[2, a] = singles[c, second + a * half] - cell[0, a] - cell[1, a]
            cell[2, 2] = totals[c] - cell.sum()
            rows += cell
            most = np.maximum(most, cell)
        for a in range(3):
            for b in range(3):
                few = 0 < rows[a, b] < fewest
                rows[a, b] = everything if few else rows[a, b] - most[a, b]
        for branch in range(3):
            after[branch, first] = min(after[branch, first], rows[branch].sum())
            after[branch, second] = min(after[branch, second], rows[:, branch].sum())


scan_three_branches_of_two_classes = scan_three_branches


def list_sweeps(rank_shift: int, row_mask: int, weight_shift: int, bits: int) -> tuple[Any, Any]:
    """The twins of `list_sweeps`: `sweep_list_of_two_classes` and `sweep_list`; all numbers have 64 bits here."""
    return _sweeps(rank_shift, row_mask, weight_shift, of_units=bits == 64)


@cache
def _sweeps(rank_shift: int, row_mask: int, weight_shift: int, *, of_units: bool) -> tuple[Any, Any]:
    low_mask, lanes = (1 << weight_shift) - 1, np.arange(LANES)

    @plain
    def sweep_list_of_two_classes(arena, begin, end, mark, unit, total, fewest, most):
        before, everything = np.zeros((2, 2, LANES), np.int64), total[0] + total[1]
        for at in range(begin, end - 1):
            row = arena[at] & row_mask
            class_index, is_before = (mark[row] & low_mask) >> LANES, (mark[row] >> lanes) & 1
            weight = (mark[row] >> weight_shift) * (unit[row] if of_units else 1)
            before[class_index, 0] += is_before * weight
            before[class_index, 1] += (1 - is_before) * weight
            if (arena[at] ^ arena[at + 1]) >> rank_shift:
                for index in range(2 if fewest is None else 4):
                    side = index % 2
                    so_far, ahead = before[0, side] + before[1, side], before[0, side] - before[1, side]
                    for lane in range(LANES):
                        if fewest is None or (
                            fewest[index, lane] <= so_far[lane] <= everything[side, lane] - fewest[index, lane]
                        ):
                            most[2 * index, lane] = max(most[2 * index, lane], ahead[lane])
                            most[2 * index + 1, lane] = min(most[2 * index + 1, lane], ahead[lane])

    @plain
    def sweep_list(arena, begin, end, mark, unit, classes, total, fewest, right, buffer):
        so_far, most, greatest = buffer[0], np.zeros((2, LANES), np.int64), np.zeros((2, LANES), np.int64)
        so_far[:classes] = 0
        for at in range(begin, end - 1):
            row = arena[at] & row_mask
            class_index, is_before = (mark[row] & low_mask) >> LANES, (mark[row] >> lanes) & 1
            weight = (mark[row] >> weight_shift) * (unit[row] if of_units else 1)
            so_far[class_index, 0] += is_before * weight
            so_far[class_index, 1] += (1 - is_before) * weight
            most = np.maximum(most, so_far[class_index])
            if (arena[at] ^ arena[at + 1]) >> rank_shift:
                greatest[:] = 0
                for c in range(classes):
                    greatest = np.maximum(greatest, total[c] - so_far[c])
                for index in range(2 if fewest is None else 4):
                    side = index % 2
                    here, everything = so_far[:classes, side].sum(0), total[:classes, side].sum(0)
                    for lane in range(LANES):
                        if fewest is None or (
                            fewest[index, lane] <= here[lane] <= everything[lane] - fewest[index, lane]
                        ):
                            both = most[side, lane] + greatest[side, lane]
                            right[index, lane] = max(right[index, lane], both)

    return sweep_list_of_two_classes, sweep_list
