"""Rows by class as bits, and how many rows of each class have two binary attributes at once.

A block of rows is cut into segments, each of rows of one class and one weight, each starting a new word. Columns hold
an attribute after the other, in words of 64 rows; lanes hold the same bits a word after the other, attributes side by
side, in words as narrow as the counts allow (see `algorithms.kernels.lanes`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from algorithms.kernels.bits import popcount
from algorithms.kernels.lanes import LANES, pack, tile_counts_1, tile_counts_2, tile_counts_4

__all__ = ["Lanes", "Segments", "pack_columns", "pack_lanes", "write_pair_counts"]

ZERO = np.uint64(0)
FULL = np.uint64(0xFFFFFFFFFFFFFFFF)


class Segments(NamedTuple):
    """What the rows of each segment have in common.

    plane  (segments,) int64 : their class
    weight (segments,) float64 : of each row; None where all weigh 1
    rows_plane int : the plane after those of the classes, which counts rows whatever they weigh; -1 if there is none
    """

    plane: Any
    weight: Any
    rows_plane: Any


class Lanes(NamedTuple):
    """A block of rows for counting.

    lanes   (words * stride,) uint16, uint32 or uint64 : word by word, attributes side by side, a multiple of LANES
    columns (attributes, words) the same words, attribute by attribute
    start   (segments + 1,) int64 : the words of each segment
    counted (stride,) signed, as wide as the words : room for the counts of one segment
    """

    lanes: Any
    columns: Any
    start: Any
    counted: Any


@njit(nogil=True, cache=True)
def pack_columns(columns, start, chosen, attributes, into, into_start):
    """Write the columns of the chosen rows of some attributes, and last which of their bits are rows."""
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
    for place in range(len(attributes)):
        column = columns[attributes[place]]
        for s in range(segments):
            at = into_start[s]
            held, fill = ZERO, 0
            for w in range(start[s], start[s + 1]):
                mask = chosen[w]
                if mask == ZERO:
                    continue
                bits = pack(column[w], mask)
                held |= bits << np.uint64(fill)
                more = fill + np.int64(popcount(mask))
                if more >= 64:
                    into[place, at] = held
                    at += 1
                    held = bits >> np.uint64(64 - fill) if fill else ZERO
                    more -= 64
                fill = more
            if fill:
                into[place, at] = held


@njit(nogil=True, cache=True)
def pack_lanes(columns, start, chosen, attributes, stride, block):
    """Write the lanes of the chosen rows of all attributes of a block of columns."""
    segments = len(start) - 1
    width = block.lanes.itemsize * 8
    narrow = block.lanes.dtype.type
    block.start[0] = 0
    for s in range(segments):
        rows = 0
        for w in range(start[s], start[s + 1]):
            rows += np.int64(popcount(chosen[w]))
        block.start[s + 1] = block.start[s] + (rows + width - 1) // width
    for at in range(block.start[segments]):
        for lane in range(attributes, (attributes + LANES - 1) // LANES * LANES):
            block.lanes[at * stride + lane] = 0
    for place in range(attributes):
        column = columns[place]
        mine = block.columns[place]
        for s in range(segments):
            at = block.start[s]
            held, fill = ZERO, 0
            for w in range(start[s], start[s + 1]):
                mask = chosen[w]
                if mask == ZERO:
                    continue
                bits = pack(column[w], mask)
                held |= bits << np.uint64(fill)
                more = fill + np.int64(popcount(mask))
                if more >= 64:
                    for part in range(64 // width):
                        word = narrow(held >> np.uint64(part * width))
                        mine[at] = word
                        block.lanes[at * stride + place] = word
                        at += 1
                    held = bits >> np.uint64(64 - fill) if fill else ZERO
                    more -= 64
                fill = more
            while fill > 0:
                word = narrow(held)
                mine[at] = word
                block.lanes[at * stride + place] = word
                at += 1
                held = held >> np.uint64(width) if width < 64 else ZERO
                fill -= width


@njit(nogil=True, cache=True)
def write_pair_counts(block, segments, stride, attribute, tiles, counts):
    """Write how many rows, or how much weight, each plane has of `attribute` and of each of the first tiles of others.

    counts : (planes, stride)
    """
    _write(block, segments.plane, segments.weight, segments.rows_plane, stride, attribute, tiles, counts)


@njit(nogil=True, cache=True)
def _write(block, planes, weights, rows_plane, stride, attribute, tiles, counts):
    if weights is None:  # of an argument, so that only one of the two is compiled
        for plane in range(len(counts)):
            counts[plane, : tiles * LANES] = 0
        for s in range(len(planes)):  # one for each class that there is
            _write_counts(block, s, stride, attribute, tiles, counts[planes[s]])
        if rows_plane >= 0:
            _write_sums(rows_plane, tiles, counts)
    else:
        for plane in range(len(counts)):
            counts[plane, : tiles * LANES] = 0
        for s in range(len(planes)):
            if block.start[s] == block.start[s + 1]:
                continue
            _write_counts(block, s, stride, attribute, tiles, block.counted)
            into, weight = counts[planes[s]], weights[s]
            for j in range(tiles * LANES):
                into[j] += weight * block.counted[j]
            if rows_plane >= 0:
                rows = counts[rows_plane]
                for j in range(tiles * LANES):
                    rows[j] += block.counted[j]


@njit(nogil=True, cache=True)
def _write_sums(rows_plane, tiles, counts):
    rows = counts[rows_plane]
    for plane in range(rows_plane):
        for j in range(tiles * LANES):
            rows[j] = rows.dtype.type(rows[j] + counts[plane, j])


@njit(nogil=True, cache=True)
def _write_counts(block, segment, stride, attribute, tiles, into):
    first, words = block.start[segment], block.start[segment + 1] - block.start[segment]
    lanes, mine = block.lanes[first * stride :], block.columns[attribute, first:]
    tile = 0
    while tile + 4 <= tiles:
        tile_counts_4(into[tile * LANES :], lanes[tile * LANES :], stride, mine, words)
        tile += 4
    if tile + 2 <= tiles:
        tile_counts_2(into[tile * LANES :], lanes[tile * LANES :], stride, mine, words)
        tile += 2
    if tile < tiles:
        tile_counts_1(into[tile * LANES :], lanes[tile * LANES :], stride, mine, words)
