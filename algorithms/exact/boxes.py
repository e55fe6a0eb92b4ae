"""Rows of a table in boxes: all rows that combine one of some codes at each attribute, with one decision and weight.

Tables that were made by rule are many rows in few boxes: mushroom's 8,124 are 23, one for each species of its book.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import kernel, of_words
from algorithms.splitmix import GOLDEN

__all__ = ["LARGEST", "Boxes", "Room", "Sets", "merge"]

LARGEST = 64
"""Attributes have at most so many codes and sets of codes, or no sets."""

NONE = -1
ZERO, ONE = np.uint64(0), np.uint64(1)
MIX_SHIFT = np.uint64(32)


class Boxes(NamedTuple):
    """Boxes, at first a row each.

    codes     (boxes, attributes): the code of each attribute, or a set of its codes: sets are numbered after them
    decisions (boxes,)
    weights   (boxes,) int64: of each of their rows
    sizes     (boxes,) int64: sums of row weights
    """

    codes: Any
    decisions: Any
    weights: Any
    sizes: Any


class Sets(NamedTuple):
    """The sets of codes that boxes have of each attribute.

    codes  (attributes, LARGEST) uint64: of each set, a bit per code
    number (attributes,)
    """

    codes: Any
    number: Any


class Room(NamedTuple):
    """Room to merge boxes that differ in one attribute.

    key    (boxes,) uint64, all 0: equal where all codes are
    slots  (a power of two, at least two a box): the first of those that differ in that attribute alone
    first  (boxes,): likewise, for each of them
    codes  (boxes,) uint64: of such a first, their codes of the attribute, a bit each
    merged (boxes,): of such a first, the box that they have become, or NONE
    """

    key: Any
    slots: Any
    first: Any
    codes: Any
    merged: Any


@of_words
def _mixed(attribute, code):
    mixed = (np.uint64(attribute) << MIX_SHIFT | np.uint64(code)) * GOLDEN
    mixed = (mixed ^ mixed >> MIX_SHIFT) * GOLDEN
    return mixed ^ mixed >> MIX_SHIFT


@of_words
def _differ_in(boxes, attribute, one, other):
    """Whether two boxes have all in common but the codes of an attribute."""
    if boxes.decisions[one] != boxes.decisions[other] or boxes.weights[one] != boxes.weights[other]:
        return False
    for i in range(boxes.codes.shape[1]):
        if i != attribute and boxes.codes[one, i] != boxes.codes[other, i]:
            return False
    return True


@of_words
def _find_first(boxes, number, attribute, room):
    """Find for each box the first of those that differ from it in an attribute alone, and the codes of all of them."""
    room.slots[:] = NONE
    last_slot = np.uint64(len(room.slots) - 1)
    for i in range(number):
        code = boxes.codes[i, attribute]
        slot = (room.key[i] ^ _mixed(attribute, code)) & last_slot
        while room.slots[slot] != NONE and not _differ_in(boxes, attribute, i, room.slots[slot]):
            slot = (slot + ONE) & last_slot
        if room.slots[slot] == NONE:
            room.slots[slot] = i
            room.codes[i] = ZERO
        room.first[i] = room.slots[slot]
        room.codes[room.first[i]] |= ONE << np.uint64(code)


@of_words
def _numbered(sets, attribute, n_codes, codes):
    """The number of a set of codes, added if there is room for it; NONE where there is not, and for a single code."""
    if codes & (codes - ONE) == ZERO:
        return NONE
    for i in range(sets.number[attribute]):
        if sets.codes[attribute, i] == codes:
            return i
    if n_codes + sets.number[attribute] == LARGEST:
        return NONE
    sets.codes[attribute, sets.number[attribute]] = codes
    sets.number[attribute] += 1
    return sets.number[attribute] - 1


@of_words
def _move(boxes, room, box, to):
    boxes.decisions[to], boxes.weights[to], boxes.sizes[to] = boxes.decisions[box], boxes.weights[box], boxes.sizes[box]
    room.key[to] = room.key[box]
    for attribute in range(boxes.codes.shape[1]):
        boxes.codes[to, attribute] = boxes.codes[box, attribute]


@of_words
def _merge_by(boxes, number, attribute, n_codes, sets, room):
    """Merge boxes that differ in an attribute alone; how many are left, all at the front."""
    _find_first(boxes, number, attribute, room)
    end = 0
    for box in range(number):
        first = room.first[box]
        if first == box:
            found = _numbered(sets, attribute, n_codes, room.codes[box])
            room.merged[box] = NONE if found == NONE else end
        elif room.merged[first] != NONE:
            boxes.sizes[room.merged[first]] += boxes.sizes[box]
            continue
        _move(boxes, room, box, end)
        if room.merged[first] == end:
            joint = n_codes + found
            room.key[end] ^= _mixed(attribute, boxes.codes[end, attribute]) ^ _mixed(attribute, joint)
            boxes.codes[end, attribute] = joint
        end += 1
    return end


@kernel
def merge(boxes, n_codes, sets, room):
    """Merge boxes that differ in one attribute alone, for one after the other; how many are left, all at the front."""
    number = len(boxes.sizes)
    for box in range(number):
        for attribute in range(len(n_codes)):
            room.key[box] ^= _mixed(attribute, boxes.codes[box, attribute])
    for attribute in range(len(n_codes)):
        if 1 < n_codes[attribute] < LARGEST:
            number = _merge_by(boxes, number, attribute, n_codes[attribute], sets, room)
    return number
