"""Rows as bits by class and weight, stored by column and by lane.

A block of rows is divided into *segments*, the rows of one class and one weight. Each begins with a new word; the bits
behind its rows are 0. *Columns* (attributes, words) uint64 have the words of an attribute one after another, with 64
rows each. *Lanes* have the same bits with the words of all attributes side by side: word w of attribute a is element
w * stride + a. Their words have 16, 32 or 64 bits, as many as a count.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner
from algorithms._numba.primitives import LANES, pack, popcount
from algorithms.kernel_arrays import array

ZERO = np.uint64(0)
FULL = np.uint64(0xFFFFFFFFFFFFFFFF)


class Lanes(NamedTuple):
    """A block of rows for counting, and buffers. `stride` is the number of attributes, a multiple of LANES."""

    lanes: Any = array("narrow*stride", "word")  # word by word, attributes side by side
    columns: Any = array("attributes narrow", "word")  # the same words, attribute by attribute
    start: Any = array("segments+1")  # the first narrow word of each segment; last, the number of words
    counted: Any = array("stride", "count")  # buffer: counts of one segment, as wide as the words
    chosen: Any = array("words", np.uint64)  # buffer: a set of rows
    kept: Any = array("attributes")  # buffer: local indices of attributes


@inner
def pack_columns(columns, start, chosen, attributes, into, into_start):
    """Pack the bits of chosen rows of some attributes as columns and, last, the set of all these rows.

    columns    : (attributes, words) uint64, of a larger block
    start      : (segments + 1,) the first word of each of its segments; last, the number of words
    chosen     : (words,) uint64, the rows to take
    attributes : (kept,) indices of the columns to take
    into       : (kept + 1 or more, words) uint64, written
    into_start : (segments + 1,) written, like `start`
    """
    segments = len(start) - 1
    into_start[0] = 0
    for s in range(segments):
        rows = 0
        for w in range(start[s], start[s + 1]):
            rows += np.int64(popcount(chosen[w]))
        into_start[s + 1] = into_start[s] + (rows + 63) // 64
        for w in range(into_start[s], into_start[s + 1]):
            left = rows - (w - into_start[s]) * 64
            into[len(attributes), w] = FULL if left >= 64 else (np.uint64(1) << np.uint64(left)) - np.uint64(1)
    for index in range(len(attributes)):
        attribute = attributes[index]
        for s in range(segments):
            at = into_start[s]
            held, fill = ZERO, 0
            for w in range(start[s], start[s + 1]):
                mask = chosen[w]
                if mask == ZERO:
                    continue
                bits = pack(columns[attribute, w], mask)
                held |= bits << np.uint64(fill)
                more = fill + np.int64(popcount(mask))
                if more >= 64:
                    into[index, at] = held
                    at += 1
                    held = bits >> np.uint64(64 - fill) if fill else ZERO
                    more -= 64
                fill = more
            if fill:
                into[index, at] = held


@inner
def pack_lanes(columns, start, chosen, attributes, stride, block):
    """Pack the bits of chosen rows of a block of columns as the `lanes`, `columns` and `start` of another block.

    columns, start, chosen : as in `pack_columns`
    attributes : number of columns to take, from the first
    stride     : of the lanes
    block      : `Lanes`, or a tuple with these fields
    """
    segments = len(start) - 1
    lanes, narrowed = block.lanes, block.columns
    width = lanes.itemsize * 8
    narrow = lanes.dtype.type
    block.start[0] = 0
    for s in range(segments):
        rows = 0
        for w in range(start[s], start[s + 1]):
            rows += np.int64(popcount(chosen[w]))
        block.start[s + 1] = block.start[s] + (rows + width - 1) // width
    for at in range(block.start[segments]):
        for lane in range(attributes, (attributes + LANES - 1) // LANES * LANES):
            lanes[at * stride + lane] = 0
    for index in range(attributes):
        for s in range(segments):
            at = block.start[s]
            held, fill = ZERO, 0
            for w in range(start[s], start[s + 1]):
                mask = chosen[w]
                if mask == ZERO:
                    continue
                bits = pack(columns[index, w], mask)
                held |= bits << np.uint64(fill)
                more = fill + np.int64(popcount(mask))
                if more >= 64:
                    for part in range(64 // width):
                        word = narrow(held >> np.uint64(part * width))
                        narrowed[index, at] = word
                        lanes[at * stride + index] = word
                        at += 1
                    held = bits >> np.uint64(64 - fill) if fill else ZERO
                    more -= 64
                fill = more
            while fill > 0:
                word = narrow(held)
                narrowed[index, at] = word
                lanes[at * stride + index] = word
                at += 1
                held = held >> np.uint64(width) if width < 64 else ZERO
                fill -= width
