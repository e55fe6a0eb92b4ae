"""Rows by class as bits, stored by column and by lane.

A block of rows is divided into segments, each of rows of one class and one weight, each starting at a new word. Columns
hold one attribute after another, in words of 64 rows. Lanes hold the same bits one word after another, attributes side
by side, in words as narrow as the counts allow (see `algorithms._numba.primitives`).
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner
from algorithms._numba.primitives import LANES, pack, popcount
from algorithms.kernel_arrays import array

ZERO = np.uint64(0)
FULL = np.uint64(0xFFFFFFFFFFFFFFFF)


class Segments(NamedTuple):
    """The common properties of the rows of each segment."""

    plane: Any  # (segments,) int64: their class
    alike: Any  # True if all rows weigh 1, else None
    weight: Any  # (segments,) float64: of each row; None if all weigh 1
    rows_plane: Any  # int: the plane after those of the classes, which counts rows; -1 without such a plane


class Lanes(NamedTuple):
    """A block of rows for counting, and which rows of which attributes they are."""

    lanes: Any = array("narrow*stride", "word")  # word by word, attributes side by side, a multiple of LANES
    columns: Any = array("attributes narrow", "word")  # the same words, attribute by attribute
    start: Any = array("segments+1")  # the words of each segment
    counted: Any = array("stride", "count")  # scratch for the counts of one segment, as wide as the words
    chosen: Any = array("words", np.uint64)
    kept: Any = array("attributes")


@inner
def pack_columns(columns, start, chosen, attributes, into, into_start):
    """Write the columns of the chosen rows of some attributes and, last, which of their bits are rows."""
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
    """Write the lanes of the chosen rows of all attributes of a block of columns."""
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
