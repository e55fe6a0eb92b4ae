"""The rows of an instance packed as bits, for nodes that are solved from counts of pairs of codes (`code_pairs`)."""

from __future__ import annotations

import numpy as np

from algorithms._numba.primitives import LANES
from algorithms.kernel_arrays import arrays_of
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed.code_pairs import MOST_BRANCHES, CodePairs
from algorithms.optimal.mixed.packed_rows import BRANCHES, TreeRule
from algorithms.optimal.mixed.ranked_rows import RankedRows
from algorithms.optimal.mixed.sides import ALL_CODES

MOST_IN_16_BITS = (1 << 15) // MOST_BRANCHES
"""If the weight of all rows is below this, in units of `grain`, the errors of three branches together fit in an int16:
each branch may count all rows as errors."""


def paired_rows(instance: Instance, coded: RankedRows, rule: TreeRule, memory: float) -> CodePairs | None:
    """The rows as bits, with buffers; None if pairs are not counted or the arrays take more than `memory` bytes."""
    if not _counts_pairs(instance, coded, rule):
        return None
    grains, total = coded.rows.grains, int(coded.rows.grains.sum())
    bits = 16 if total < MOST_IN_16_BITS else 32 if total < MOST_IN_16_BITS << 16 else 64
    attribute = np.argsort(-coded.kind, kind="stable")
    number, with_three = len(attribute), int((coded.kind == BRANCHES).sum())
    half = -(-number // LANES) * LANES
    order = np.lexsort((grains, coded.classes))
    changes = np.diff(coded.classes[order]) | np.diff(grains[order])
    begin = np.concatenate([[0], 1 + np.flatnonzero(changes)])  # where each segment of one class and weight begins
    rows = np.diff(begin, append=len(order))
    first = np.concatenate([[0], np.cumsum(-(-rows // 64))])  # each segment starts at a new word
    columns, words = half + with_three, int(first[-1])
    if 8 * words * (9 * columns + 4 * half + MOST_BRANCHES * number) > memory:
        return None
    bit = np.empty_like(order)
    bit[order] = np.arange(len(order)) + np.repeat(64 * first[:-1] - begin, rows)
    cells = np.zeros((columns, 64 * words), np.bool_)
    cells[:number, bit] = coded.ranks[attribute] == 1
    cells[half:, bit] = coded.ranks[attribute[:with_three]] == 2
    return arrays_of(
        CodePairs,
        columns=columns,
        words=words,
        segments=len(rows),
        classes=int(rule.classes),
        rows=len(order),
        attributes=number,
        width=int(rule.width),
        narrow=words * (64 // bits),
        stride=2 * half,
        lane=LANES,
        word=f"u{bits // 8}",
        count=f"i{bits // 8}",
    )._replace(
        bits=np.packbits(cells, axis=1, bitorder="little").view(np.uint64),
        first=first,
        segment_of=np.searchsorted(coded.classes[order[begin]], np.arange(int(rule.classes) + 1)),
        weight=grains[order[begin]].astype(f"i{bits // 8}"),
        bit=bit,
        ones=np.full((1, words * (64 // bits)), np.iinfo(f"u{bits // 8}").max, f"u{bits // 8}"),
        attribute=attribute,
        split=np.where(coded.kind[attribute] == BRANCHES, ALL_CODES, 0),
    )


def _counts_pairs(instance: Instance, coded: RankedRows, rule: TreeRule) -> bool:
    """Whether nodes with two levels left are solved from counts of pairs.

    This needs attributes of at most three codes, the same price for a split with two and with three branches, and rows
    of equal weight if leaves have a minimum size. It is done only if missing labels have a branch of their own, because
    it may return another of several equally good trees than the search of sorted lists.
    """
    one_price = not (rule.subsets or (rule.per_leaf and rule.price))
    sizes_known = rule.min_leaf == 1 or rule.row_weight
    if rule.binary or instance.missing != "own_branch" or not one_price or not sizes_known:
        return False
    codes = np.where(coded.kind == BRANCHES, MOST_BRANCHES, 2)
    return bool((coded.kind <= BRANCHES).all()) and [*map(len, coded.values)] == codes.tolist()
