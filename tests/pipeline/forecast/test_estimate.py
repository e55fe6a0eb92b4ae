"""What all items take, from samples of populations that are known; and that samples are spread."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.forecast.estimate import Block, core_seconds, stored_bytes
from pipeline.forecast.sample import blocks_of, spread

RANGES = st.lists(st.integers(0, 400), min_size=2, max_size=8, unique=True).map(sorted)


def sampled(times: np.ndarray, positions: list[int]) -> list[Block]:
    return [Block(index, 1, float(times[index]), 0.0) for index in positions]


@given(st.integers(1, 300))
def test_every_position_is_visited_once(positions: int) -> None:
    assert sorted(spread(positions)) == list(range(positions))


@pytest.mark.parametrize("taken", [5, 13, 40])
def test_the_first_positions_are_spread_over_all(taken: int) -> None:
    order = spread(10_000)
    result = sorted(next(order) for _ in range(taken))
    gaps = np.diff([0, *result, 10_000])
    assert gaps.max() <= 3 * 10_000 / taken


@given(RANGES, st.integers(1, 50))
def test_blocks_cover_what_is_left_and_nothing_else(edges: list[int], size: int) -> None:
    left = list(zip(edges[::2], edges[1::2], strict=False))
    results = [item for chunk in blocks_of(left, size) for item in range(chunk.first, chunk.stop)]
    assert sorted(results) == [item for first, stop in left for item in range(first, stop)]


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    draw = np.random.default_rng(5)
    held = narrow = 0
    for _ in range(300):
        levels = draw.lognormal(0, 1.5, 4)  # four sources, up to a hundred times as dear as each other
        times = np.concatenate([level * draw.gamma(4, 0.25, 500) for level in levels])
        start = int(draw.integers(0, 2000))
        blocks = sampled(times, [(index + start) % 2000 for index, _ in zip(spread(2000), range(60), strict=False)])
        estimate = core_seconds(blocks, 2000)
        held += estimate.low <= times.sum() <= estimate.high
        plain = 2000 * np.std([block.seconds for block in blocks], ddof=1) / math.sqrt(60)
        narrow += estimate.high - estimate.mean < 1.96 * plain
    assert held >= 0.92 * 300
    assert narrow >= 0.9 * 300  # since sources that differ are no spread


def test_blocks_of_all_items_leave_no_doubt() -> None:
    blocks = [Block(0, 3, 2.0, 0.0), Block(3, 1, 5.0, 0.0)]
    estimate = core_seconds(blocks, 4)
    assert (estimate.mean, estimate.low, estimate.high) == (7.0, 7.0, 7.0)


def test_a_single_block_has_no_spread() -> None:
    estimate = core_seconds([Block(0, 2, 3.0, 0.0)], 10)
    assert (estimate.mean, estimate.low, estimate.high) == (15.0, 3.0, math.inf)


def test_the_low_end_is_never_below_what_was_measured() -> None:
    estimate = core_seconds([Block(0, 1, 0.1, 0.0), Block(5, 1, 9.0, 0.0)], 8)
    assert estimate.low == pytest.approx(9.1)


def test_bytes_are_those_of_items_and_of_parts() -> None:
    assert stored_bytes([(10, 1200), (100, 3000)], 1000, 7) == pytest.approx(20 * 1000 + 1000 * 7)
    assert stored_bytes([(10, 1200)], 1000, 7) == pytest.approx(120_000)
