"""What all items take, from a sample of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["Block", "Interval", "core_seconds", "stored_bytes"]

SIDE = 0.975  # of a 95 % interval


@dataclass(frozen=True)
class Block:
    """Consecutive items that were worked.

    first, items : the first of them, and how many
    seconds      : that they took, without those in which the process waited for a core that others had
    waited       : those
    failed       : cells that failed or met a limit
    cut          : whether they were ended before they were done, so that they take longer than that
    """

    first: int
    items: int
    seconds: float
    waited: float
    failed: int = 0
    cut: bool = False


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % interval; infinite where a single block tells nothing of the spread."""

    mean: float
    low: float
    high: float


def core_seconds(blocks: Sequence[Block], items: int) -> Interval:
    """The seconds that so many items take one core, from blocks that are spread evenly over them.

    The ratio of seconds to items, times the items. As in systematic sampling, the spread is that of neighbouring blocks
    (successive differences): sources that differ from each other, but are all sampled, add none to it. What was
    measured already is certain, and blocks that cover all items leave no doubt.
    """
    measured, worked = sum(one.seconds for one in blocks), sum(one.items for one in blocks)
    mean = measured / worked * items
    left = max(0.0, 1 - worked / items)
    if not left:
        return Interval(mean, mean, mean)
    if len(blocks) < 2:
        return Interval(mean, measured, math.inf)
    from scipy.special import stdtrit

    over = [one.seconds - mean / items * one.items for one in sorted(blocks, key=lambda one: one.first)]
    variance = sum((after - before) ** 2 for before, after in pairwise(over)) / (2 * (len(over) - 1))
    error = items / worked * math.sqrt(len(over) * variance * left)
    half = float(stdtrit(len(over) - 1, SIDE)) * error
    return Interval(mean, max(measured, mean - half), mean + half)


def stored_bytes(published: Sequence[tuple[int, int]], items: int, parts: int) -> float:
    """The bytes of so many items in so many parts, from the (items, bytes) of parts that were published.

    A part has a size of its own, and one for each item: both from the smallest and the largest part.
    """
    (few, small), (many, large) = min(published), max(published)
    if few == many:
        return large / many * items
    each = max(0.0, (large - small) / (many - few))
    return each * items + max(0.0, small - each * few) * parts
