"""What `algorithms._numba.pair_scan` does, for rows of any weights: sums of weights instead of counts."""

from __future__ import annotations

from algorithms._numba.decorators import inner
from algorithms._numba.primitives import LANES, tile_counts


@inner
def write_weights_of_pairs(block, plane, weights, rows_plane, stride, attribute, tiles, counts):
    """Write the weight of each plane of `attribute` and of each of the first tiles of others.

    counts : (planes, stride); the plane after those of the classes, if there is one, counts rows
    """
    end = tiles * LANES
    counts[:, :end] = 0
    width = block.columns.shape[1]
    for s in range(len(plane)):
        first, last = block.start[s], block.start[s + 1]
        if first == last:
            continue
        for tile in range(tiles):
            at = tile * LANES
            tile_counts(block.counted, at, block.lanes, at, stride, block.columns, attribute * width, first, last)
        into, weight = counts[plane[s]], weights[s]
        for j in range(end):
            into[j] += weight * block.counted[j]
        if rows_plane >= 0:
            rows = counts[rows_plane]
            for j in range(end):
                rows[j] += block.counted[j]


@inner
def scan_weights(counts, singles, totals, classes, min_leaf, first, tiles, scratch, after):
    """Lower the errors after a second split for `first` and each attribute of the first tiles, in either order.

    counts, singles (planes, stride), totals (planes,); after (2, stride); scratch (9, stride)
    """
    end = tiles * LANES
    scratch[:, :end] = 0
    everything = 0.0
    for c in range(classes):
        q, s = counts[c], singles[c]
        one, zero = s[first], totals[c] - s[first]
        everything += totals[c]
        for j in range(end):
            mine, other = one - q[j], s[j] - q[j]
            none = zero - other
            scratch[0, j] += q[j]
            scratch[1, j] += mine
            scratch[2, j] += other
            scratch[3, j] += none
            scratch[4, j] = max(scratch[4, j], q[j])
            scratch[5, j] = max(scratch[5, j], mine)
            scratch[6, j] = max(scratch[6, j], other)
            scratch[7, j] = max(scratch[7, j], none)
    for cell in range(4):
        for j in range(end):
            scratch[cell, j] -= scratch[4 + cell, j]
    if min_leaf > 1:
        rows, of, last = counts[classes], singles[classes], totals[classes]
        for j in range(end):
            both = rows[j]
            if both < min_leaf:
                scratch[0, j] = everything
            if of[first] - both < min_leaf:
                scratch[1, j] = everything
            if of[j] - both < min_leaf:
                scratch[2, j] = everything
            if last - of[first] - of[j] + both < min_leaf:
                scratch[3, j] = everything
    one, zero = after[0], after[1]
    best_one, best_zero = one[first], zero[first]
    for j in range(end):
        best_one = min(best_one, scratch[0, j] + scratch[1, j])
        best_zero = min(best_zero, scratch[2, j] + scratch[3, j])
        one[j] = min(one[j], scratch[0, j] + scratch[2, j])
        zero[j] = min(zero[j], scratch[1, j] + scratch[3, j])
    one[first], zero[first] = best_one, best_zero
