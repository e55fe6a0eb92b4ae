"""LicketySPLIT and SPLIT by their definitions, in exact fractions over sets of rows, without bounds or shortcuts.

Of the project, only the shape of a question is used. Costs are errors plus the price of the splits, in the unit of the
weights; a leaf's own price is left out.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

from algorithms.optimal.instance import Instance

__all__ = ["Lookahead"]

Rows = tuple[int, ...]
Parts = tuple[Rows, ...]
Upper = tuple[tuple[Rows, int], ...]
"""The ends of an upper part: their rows, and the levels that may follow."""

TIE = 1e-11


class Lookahead:
    """The costs of an instance's trees by each method, for sets of its rows and levels that the tree may have."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.columns = [column.tolist() for column in instance.data.columns]
        self.numeric = [attribute.kind == "numeric" for attribute in instance.data.attributes]
        self.classes = instance.data.decisions.tolist()
        self.weights = [Fraction(weight) for weight in instance.weights.tolist()]
        self.price = Fraction(instance.size_cost)
        self.rows = tuple(range(len(self.classes)))
        self.depth = len(self.rows) if instance.max_depth is None else instance.max_depth
        self.greedy, self.node_by_node = cache(self.greedy), cache(self.node_by_node)  # type: ignore[method-assign]
        self.optimum, self.upper_part = cache(self.optimum), cache(self.upper_part)  # type: ignore[method-assign]

    def objective(self, cost: Fraction) -> float:
        """The objective of a tree of this cost."""
        of_leaf = self.instance.alpha if self.instance.penalty == "leaves" else 0.0
        return (float(cost / Fraction(self.instance.baseline)) if self.instance.baseline else 0.0) + of_leaf

    def split(self, rows: Rows, depth: int, levels: int) -> Fraction:
        """The cost of SPLIT: the best upper part of some levels over greedy trees, each of them then replaced."""
        if levels >= depth:
            return self.optimum(rows, depth)
        _, ends, splits = self.upper_part(rows, depth, levels)
        return splits + sum((self.optimum(*end) for end in ends), Fraction(0))

    def upper_part(self, rows: Rows, depth: int, levels: int) -> tuple[Fraction, Upper, Fraction]:
        """The first upper part of least cost, over greedy trees: that cost, its ends, and what its splits cost."""
        if levels == 0:
            return self.greedy(rows, depth), ((rows, depth),), Fraction(0)
        best = self.leaf(rows), ((rows, depth),), Fraction(0)
        for parts in self.splits(rows):
            below = [self.upper_part(part, depth - 1, levels - 1) for part in parts]
            price = self.price_of(parts)
            cost = price + sum(cost for cost, _, _ in below)
            if cost < best[0]:
                best = cost, sum((ends for _, ends, _ in below), ()), price + sum(splits for _, _, splits in below)
        return best

    def node_by_node(self, rows: Rows, depth: int) -> Fraction:
        """The cost of LicketySPLIT: of all splits, the first whose branches cost least as greedy trees, and so on."""
        splits = self.splits(rows)
        if depth < 2 or not splits:
            return self.greedy(rows, depth)
        costs = [self.price_of(parts) + sum(self.greedy(part, depth - 1) for part in parts) for parts in splits]
        parts = splits[costs.index(min(costs))]
        return min(self.leaf(rows), self.price_of(parts) + sum(self.node_by_node(part, depth - 1) for part in parts))

    def greedy(self, rows: Rows, depth: int) -> Fraction:
        """The cost of the tree by the greatest information gain, the last level by cost, pruned where that saves."""
        leaf, splits = self.leaf(rows), self.splits(rows)
        if depth == 0 or not splits:
            return leaf
        if depth == 1:
            return min(leaf, *(self.price_of(parts) + sum(map(self.leaf, parts)) for parts in splits))
        left = [sum(map(self.information, parts)) for parts in splits]
        tie = TIE * (1 + self.information_at_most(rows))
        chosen = 0
        for index, information in enumerate(left):
            if information < left[chosen] - tie:
                chosen = index
        parts = splits[chosen]
        return min(leaf, self.price_of(parts) + sum(self.greedy(part, depth - 1) for part in parts))

    def optimum(self, rows: Rows, depth: int) -> Fraction:
        """The least cost of any tree."""
        best = self.leaf(rows)
        for parts in self.splits(rows) if depth else ():
            best = min(best, self.price_of(parts) + sum(self.optimum(part, depth - 1) for part in parts))
        return best

    def splits(self, rows: Rows) -> list[Parts]:
        """The branches of each allowed split, by attribute and then by threshold."""
        collected: list[Parts] = []
        for column, numeric in zip(self.columns, self.numeric, strict=True):
            values = sorted({column[row] for row in rows})
            if numeric:
                cuts = [(values[:index], values[index:]) for index in range(1, len(values))]
            else:
                cuts = [tuple([value] for value in values)] if len(values) > 1 else []
            collected += [tuple(tuple(row for row in rows if column[row] in some) for some in cut) for cut in cuts]
        return [parts for parts in collected if min(map(len, parts)) >= self.instance.min_samples_leaf]

    def price_of(self, parts: Parts) -> Fraction:
        """What a split into these branches costs."""
        return self.price * (len(parts) - 1 if self.instance.penalty == "leaves" else 1)

    def leaf(self, rows: Rows) -> Fraction:
        """The weight of the rows that are not of the most common class."""
        by_class = self._by_class(rows)
        return sum(by_class) - max(by_class)

    def information(self, rows: Rows) -> float:
        """The entropy of the class times the weight, in bits."""
        by_class = self._by_class(rows)
        weight = float(sum(by_class))
        return math.fsum(float(each) * (math.log2(weight) - math.log2(each)) for each in by_class if each)

    def information_at_most(self, rows: Rows) -> float:
        """The same if each class were as common, in a scale that no sum of such numbers exceeds."""
        return float(sum(self._by_class(rows))) * len(self.instance.data.classes)

    def _by_class(self, rows: Rows) -> list[Fraction]:
        result = [Fraction(0)] * len(self.instance.data.classes)
        for row in rows:
            result[self.classes[row]] += self.weights[row]
        return result
