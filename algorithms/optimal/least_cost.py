"""The least cost of a set of trees, by number of splits, and how many have it."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["LeastCost", "least_of"]


@dataclass(frozen=True)
class LeastCost:
    """Of the trees over some rows, by number of splits (or once, for any number): least cost, and how many have it."""

    cost: tuple[float, ...]
    number: tuple[int, ...]

    def joined(self, other: LeastCost, tie: float) -> LeastCost:
        """Every tree of this beside every tree of the other: costs and numbers of splits add up."""
        length = len(self.cost)
        pairs = [(k, i) for k in range(length) for i in range(k + 1) if k - i < len(other.cost)]
        terms = [(k, self.cost[i] + other.cost[k - i], self.number[i] * other.number[k - i]) for k, i in pairs]
        return least_of(terms, length, tie)

    def or_else(self, other: LeastCost, tie: float) -> LeastCost:
        """The trees of both."""
        both = [(k, *pair) for one in (self, other) for k, pair in enumerate(zip(one.cost, one.number, strict=True))]
        return least_of(both, len(self.cost), tie)


def least_of(terms: list[tuple[int, float, int]], length: int, tie: float) -> LeastCost:
    """Of trees told as (splits, cost, number): the least costs by splits below `length`, and the numbers of trees."""
    cost, number = [math.inf] * length, [0] * length
    for k, value, _ in terms:
        cost[k] = min(cost[k], value)
    for k, value, times in terms:
        if value <= cost[k] + tie and value < math.inf:
            number[k] += times
    return LeastCost(tuple(cost), tuple(number))
