"""Sum the weights of the training rows that trees classify correctly, 64 rows at a time.

A test is applied to all rows of a machine word at once. The codes of an attribute are stored as bit planes, one for
each binary digit. One operation per digit compares 64 codes with a cut (Lamport, *Multiple Byte Processing with
Full-Word Instructions*, 1975; databases call such columns bit-sliced). Large data is processed in blocks, whose masks
stay in the processor's first cache.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import allocating
from algorithms._numba.primitives import popcount
from algorithms.evolutionary.population import level_of
from algorithms.trees.node_kinds import NO_ATTRIBUTE

BLOCK = 128
"""Machine words of a block of 8,192 rows."""


class BitPlanes(NamedTuple):
    """The training rows. Sets of rows are uint64 words: row i is bit i % 64 of word i // 64; all other bits are 0."""

    planes: Any  # (planes, words): see `ordered`
    first: Any
    """(attributes + 1,): the planes of attribute a are those from first[a] up to, not including, first[a + 1]."""
    ordered: Any
    """(attributes,) bool. If True, a test sends the codes up to its cut to the left, and those above it to the right.
    The planes are then the complemented binary digits of the code, the lowest first. If False, there is a plane for
    each code. A test then sends the rows of the code `cut` to the left, and all others to the right."""
    of_class: Any  # (classes, words): the rows of each class
    weight: Any  # (digits, words): the binary digits of the weight of each row, an integer, the lowest first
    every: Any  # (words,): all rows
    majority: Any  # bool: whether a terminal node predicts the most common class of its rows instead of its label


class EvaluationBuffers(NamedTuple):
    """Scratch of the evaluation."""

    masks: Any
    """(levels, 2, words of a block) uint64: the rows of a block that reach a left (0) and a right (1) node of each
    level. With `majority`, all rows must be one block."""
    waiting: Any  # (2 * levels, 3) int64: a stack of nodes whose masks are computed: position, level, side


@allocating
def correct_weight(rows, tree, scratch):
    """Weight of the rows that a tree, (nodes,) NODE, classifies correctly."""
    correct = 0
    block = scratch.masks.shape[2]
    for begin in range(0, len(rows.every), block):
        end = min(begin + block, len(rows.every))
        _select_all(rows, begin, end, scratch)
        correct += _correct_weight_below(rows, begin, end, tree, np.int64(0), scratch)
    return correct


@allocating
def change_of_correct_weight(rows, before, after, position, scratch):
    """Change of the correctly classified weight between two trees that differ only in the subtree at `position`."""
    change = 0
    block = scratch.masks.shape[2]
    for begin in range(0, len(rows.every), block):
        end = min(begin + block, len(rows.every))
        _select_all(rows, begin, end, scratch)
        if _follow_path(rows, begin, end, before, before[position].index, scratch):
            change += _correct_weight_below(rows, begin, end, after, position, scratch)
            change -= _correct_weight_below(rows, begin, end, before, position, scratch)
    return change


@allocating
def _select_all(rows, begin, end, scratch):
    """Set the first mask to all rows of a block."""
    for w in range(end - begin):
        scratch.masks[0, 0, w] = rows.every[begin + w]


@allocating
def _follow_path(rows, begin, end, tree, index, scratch):
    """Reduce the first mask to the rows that reach the node with this `index`; return whether there are any."""
    position = 0
    for level in range(level_of(index) - 1, -1, -1):
        node, side = tree[position], index >> level & 1
        reached = _split(rows, begin, end, node.attribute, node.cut, scratch.masks[0, 0], scratch.masks[1])
        if not reached[side]:
            return False
        for w in range(end - begin):
            scratch.masks[0, 0, w] = scratch.masks[1, side, w]
        position = node.left + side
    return True


@allocating
def _correct_weight_below(rows, begin, end, tree, position, scratch):
    """Weight of the rows in the first mask that the subtree at `position` classifies correctly."""
    masks, waiting = scratch.masks, scratch.waiting
    correct = 0
    waiting[0, 0], waiting[0, 1], waiting[0, 2] = position, 0, 0
    number = 1
    while number:
        number -= 1
        node, level, side = tree[waiting[number, 0]], waiting[number, 1], waiting[number, 2]
        if node.attribute == NO_ATTRIBUTE:
            if rows.majority:
                correct += _greatest_weight_in(rows, begin, end, masks[level, side])
            else:
                correct += _weight_in(rows, begin, end, masks[level, side], rows.of_class[node.label])
            continue
        reached = _split(rows, begin, end, node.attribute, node.cut, masks[level, side], masks[level + 1])
        for child in range(2):
            if reached[child]:
                waiting[number, 0], waiting[number, 1], waiting[number, 2] = node.left + child, level + 1, child
                number += 1
    return correct


@allocating
def _greatest_weight_in(rows, begin, end, mask):
    """Weight of the rows of the most common class among the rows of a block in `mask`."""
    most, left = np.int64(0), _weight_in(rows, begin, end, mask, rows.every)
    for label in range(len(rows.of_class)):
        if most >= left:
            break
        weight = _weight_in(rows, begin, end, mask, rows.of_class[label])
        most, left = max(most, weight), left - weight
    return most


@allocating
def _weight_in(rows, begin, end, mask, among):
    """Weight of the rows of a block that are in `mask`, (words of a block,), and in `among`, (words,)."""
    weight = 0
    for digit in range(len(rows.weight)):
        count = 0
        for w in range(end - begin):
            word = mask[w] & among[begin + w] & rows.weight[digit, begin + w]
            count += np.int64(popcount(word))
        weight += count << digit
    return weight


@allocating
def _split(rows, begin, end, attribute, cut, mask, sides):
    """Write the rows of `mask` that go left and right at a test into `sides`, (2, words of a block).

    Returns whether any go left, and whether any go right.
    """
    left, right, words = sides[0], sides[1], end - begin
    plane, last = rows.first[attribute], rows.first[attribute + 1]
    if not rows.ordered[attribute]:
        plane, last = plane + cut, plane + cut + 1
    else:
        while cut & 1:  # no code exceeds the cut in its trailing ones
            plane, cut = plane + 1, cut >> 1
    bits = rows.planes[plane, begin:end]
    for w in range(words):
        left[w] = bits[w]
    for higher in range(plane + 1, last):
        cut >>= 1
        bits = rows.planes[higher, begin:end]
        if cut & 1:
            for w in range(words):
                left[w] |= bits[w]
        else:
            for w in range(words):
                left[w] &= bits[w]
    any_left, any_right = np.uint64(0), np.uint64(0)
    for w in range(words):
        inside = mask[w] & left[w]
        outside = mask[w] ^ inside
        left[w], right[w] = inside, outside
        any_left |= inside
        any_right |= outside
    return any_left != 0, any_right != 0
