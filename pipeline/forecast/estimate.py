"""Estimates the cost of all items from a sample."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

QUANTILE = 0.975  # of Student's t, for a two-sided 95 % interval


@dataclass(frozen=True)
class Block:
    """Consecutive items that were computed.

    first, items : the first item, and their number
    seconds      : their computing time, without the time that the process waited for a core
    waited       : the seconds of waiting for a core
    failed       : cells that failed or met a limit
    cut          : whether they were stopped before the end, so that `seconds` is a lower bound
    """

    first: int
    items: int
    seconds: float
    waited: float
    failed: int = 0
    cut: bool = False


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % interval; infinite if there is a single block."""

    mean: float
    low: float
    high: float


def core_seconds(blocks: Sequence[Block], items: int) -> Interval:
    """The core-seconds of this many items, estimated from blocks that are spread evenly over them.

    The estimate is the ratio of seconds to items, times the items. As in systematic sampling (Wolter 2007, ch. 8), the
    variance comes from the differences of neighbouring blocks, so differences between sources that are all sampled add
    nothing to it. The measured items are certain; blocks that cover all items give an interval of width 0.
    """
    seconds, measured = sum(block.seconds for block in blocks), sum(block.items for block in blocks)
    mean = seconds / measured * items
    left = max(0.0, 1 - measured / items)
    if not left:
        return Interval(mean, mean, mean)
    if len(blocks) < 2:
        return Interval(mean, seconds, math.inf)
    from scipy.special import stdtrit

    ordered = sorted(blocks, key=lambda block: block.first)
    excess = [block.seconds - mean / items * block.items for block in ordered]
    variance = sum((after - before) ** 2 for before, after in pairwise(excess)) / (2 * (len(excess) - 1))
    error = items / measured * math.sqrt(len(excess) * variance * left)
    half = float(stdtrit(len(excess) - 1, QUANTILE)) * error
    return Interval(mean, max(seconds, mean - half), mean + half)


def stored_bytes(published: Sequence[tuple[int, int]], items: int, parts: int) -> float:
    """The bytes of this many items in this many part files, from the (items, bytes) of published part files.

    The size is linear in the items; both coefficients come from the smallest and the largest part file.
    """
    (few_items, small), (many_items, large) = min(published), max(published)
    if few_items == many_items:
        return large / many_items * items
    per_item = max(0.0, (large - small) / (many_items - few_items))
    return per_item * items + max(0.0, small - per_item * few_items) * parts
