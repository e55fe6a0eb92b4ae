"""Sweeps over a list of rows find the same splits as trying each one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

from algorithms._numba.primitives import LANES
from algorithms.optimal.mixed.cut_windows import WEIGHT_SHIFT, scratch_of_sweeps
from algorithms.optimal.mixed.list_sweeps import sweep_list, sweep_list_of_two_classes
from algorithms.optimal.mixed.packed_rows import RANK_SHIFT

Integers = NDArray[np.int64]


@njit
def sweep_two(
    arena: Any, mark: Any, lacks: Any, unit: Any, total: Any, fewest: Any, most: Any, scratch: Any, end: int
) -> None:
    sweep_list_of_two_classes(arena, 0, end, len(arena), mark, lacks, unit, total, fewest, most, scratch)


@njit
def sweep_many(arena: Any, mark: Any, lacks: Any, unit: Any, total: Any, fewest: Any, right: Any, scratch: Any) -> None:
    sweep_list(arena, 0, len(arena), mark, lacks, unit, len(total), total, fewest, right, scratch)


@pytest.mark.parametrize(("relaxed", "in_three"), [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize(
    ("rows", "values", "bits", "unit"),
    [
        *(
            (60, 12, 16, 1),
            (60, 12, 32, 1),
            (60, 12, 64, 1),
            (60, 12, 64, 1 << 40),
            (60, 2, 32, 1),
            (60, 2, 64, 1 << 40),
        ),
        *((2000, 1800, 16, 1), (5000, 4000, 32, 1), (5000, 4000, 64, 1 << 40), (5000, 600, 32, 1)),
    ],
)
def test_a_sweep_finds_the_best_split_on_both_sides_of_each_cut(
    rows: int, values: int, bits: int, unit: int, classes: int, relaxed: bool, in_three: bool
) -> None:
    rng = np.random.default_rng(rows + values + bits)
    rank, order = np.sort(rng.integers(0, values, rows)), rng.permutation(rows)
    slot, weight = rng.integers(0, classes, rows), rng.integers(1, 9, rows)
    before = rng.random((rows, LANES)) < rng.random(LANES)
    on_neither = (rng.random((rows, LANES)) < 0.2) & ~before & in_three
    sides = np.stack([before, ~(before | on_neither)], 1)[:, None]  # (rows, 1, 2, LANES)
    weights = sides * (slot[:, None] == np.arange(classes))[..., None, None] * (weight * unit)[:, None, None, None]
    total = weights.sum(0)
    fewest = None
    if relaxed:
        fewest = rng.integers(1, rows // 3, (4, LANES)) * unit
        fewest[2:] = fewest[:2] - fewest[:2] // 3
    mark = weight << WEIGHT_SHIFT | slot << LANES | (before << np.arange(LANES)).sum(1)
    lacks = (on_neither << np.arange(LANES)).sum(1) if in_three else None
    given = (rank << RANK_SHIFT | order, mark, lacks, np.full(rows, unit) if bits == 64 else None, total, fewest)
    scratch, so_far = scratch_of_sweeps(bits, classes), weights[order].cumsum(0)[:-1][np.diff(rank) > 0]
    if classes == 2:
        lead, ahead = so_far[:, 0] - so_far[:, 1], total[0] - total[1]
        most = np.concatenate([np.maximum(ahead, 0), np.minimum(ahead, 0)] * (2 if relaxed else 1))
        expected = np.concatenate(
            [
                np.concatenate(
                    [
                        np.maximum(start[:2], np.where(there, lead, start[:2]).max(0)),
                        np.minimum(start[2:], np.where(there, lead, start[2:]).min(0)),
                    ]
                )
                for there, start in zip(_allowed(so_far, total, fewest), most.reshape(-1, 4, LANES), strict=True)
            ]
        )
        sweep_two(*given, most, scratch, rows)
        assert most.tolist() == expected.tolist()
    leaf = total.max(0)
    right, correct = np.tile(leaf, (2 if relaxed else 1, 1)), so_far.max(1) + (total - so_far).max(1)
    expected = np.concatenate(
        [np.where(there, np.maximum(correct, leaf), leaf).max(0) for there in _allowed(so_far, total, fewest)]
    )
    sweep_many(*given, right, scratch)
    assert right.tolist() == expected.tolist()


@pytest.mark.parametrize(("rows", "known", "values"), [(60, 50, 12), (60, 3, 1), (2000, 1500, 900), (2000, 1990, 3)])
def test_a_sweep_tries_missing_numbers_on_either_side_of_each_split(rows: int, known: int, values: int) -> None:
    rng = np.random.default_rng(rows + known)
    rank = np.append(np.sort(rng.integers(0, values, known)), np.full(rows - known, values))
    order, slot, weight = rng.permutation(rows), rng.integers(0, 2, rows), rng.integers(1, 9, rows)
    before = rng.random((rows, LANES)) < rng.random(LANES)
    lead = np.stack([before, ~before], 1) * np.where(slot, -weight, weight)[:, None, None]  # (rows, 2, LANES)
    ahead, so_far = lead.sum(0), lead[order].cumsum(0)
    lacking = ahead - so_far[known - 1]
    cuts = so_far[: known - 1][np.diff(rank[:known]) > 0]
    most = np.concatenate([np.maximum(ahead, 0), np.minimum(ahead, 0)])
    splits = np.concatenate([cuts, cuts + lacking, lacking[None], most.reshape(2, 2, LANES)])
    mark = weight << WEIGHT_SHIFT | slot << LANES | (before << np.arange(LANES)).sum(1)
    total = np.zeros((2, 2, LANES), np.int64)  # is not read
    sweep_two(rank << RANK_SHIFT | order, mark, None, None, total, None, most, scratch_of_sweeps(32, 2), known)
    assert most.tolist() == np.concatenate([splits.max(0), splits.min(0)]).tolist()


def _allowed(so_far: Integers, total: Integers, fewest: Integers | None) -> list[NDArray[np.bool_]]:
    """Of each kind of split sought, (splits, 2, LANES): whether the leaves have their weight."""
    before, everything = so_far.sum(1), total.sum(0)
    if fewest is None:
        return [np.ones(before.shape, bool)]
    return [(before >= least) & (everything - before >= least) for least in fewest.reshape(2, 2, LANES)]
