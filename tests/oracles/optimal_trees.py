"""Optimal classification trees by trying every tree there is; of the project, only the shape of a question is used.

A tree is a leaf, or an attribute, a partition of the node's rows that it makes, and a tree for each part. Trees that
ask the same attribute for the same partitions are one, wherever their thresholds lie; leaves have the fewest errors
they can. Rows without a number, or without one of two labels, are on either side of a split, or alone. Errors are whole
numbers of the largest unit that measures all weights, so that no sum is rounded.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache

from algorithms.optimal.instance import Instance

Rows = int
"""A set of rows: bit k is set if row k is in it."""
Partition = tuple[Rows, ...]
"""The sets of rows of all branches, the least first."""
Size = tuple[Fraction, int, int]
"""(errors, splits, leaves) of a tree."""

TIE = 1e-9
"""Objectives that differ by less are equal: alpha is seldom a number that floats hold exactly."""


@lru_cache(maxsize=4)
def trees_by_size(instance: Instance, *, subsets: bool = False) -> Counter[Size]:
    """How many allowed trees there are of each size; none, where even one leaf is too small."""
    weights = [Fraction(weight) for weight in instance.weights.tolist()]
    units = math.lcm(*(weight.denominator for weight in weights))
    whole = _trees_by_whole_size(instance, [int(weight * units) for weight in weights], subsets=subsets)
    return Counter({(Fraction(errors, units), splits, leaves): n for (errors, splits, leaves), n in whole.items()})


def _trees_by_whole_size(instance: Instance, weights: list[int], *, subsets: bool) -> dict[tuple[int, int, int], int]:
    """The same with whole weights; errors are in their unit."""
    columns = instance.data.values().T.tolist()
    ordered = [attribute.kind == "numeric" for attribute in instance.data.attributes]
    decisions = instance.data.decisions.tolist()
    having: list[tuple[list[Rows], Rows]] = []  # of each attribute: the rows with each value, and those without one
    for column in columns:
        known = sorted({value for value in column if not math.isnan(value)})
        of_value = [sum(1 << row for row, each in enumerate(column) if each == value) for value in known]
        having.append((of_value, sum(1 << row for row, value in enumerate(column) if math.isnan(value))))
    one_side = [
        bool(lacking) and (is_ordered or (instance.missing == "best_side" and len(of_value) <= 2))
        for (of_value, lacking), is_ordered in zip(having, ordered, strict=True)
    ]

    @cache
    def partitions(rows: Rows) -> list[Partition]:
        result: list[Partition] = []
        for (of_value, without), is_ordered, has_one_side in zip(having, ordered, one_side, strict=True):
            known, lacking = [some & rows for some in of_value if some & rows], without & rows
            values = [*known, lacking] if lacking else known
            below = [0, *itertools.accumulate(known, int.__or__)]
            lefts: set[Rows] = set()
            if has_one_side:
                lefts = {left | more for left in below for more in (0, lacking)}
            elif is_ordered:
                lefts = {*below}
            elif subsets:
                lefts = {sum(some) for k in range(1, len(values)) for some in itertools.combinations(values, k)}
            distinct = {(min(left, rows - left), max(left, rows - left)) for left in lefts - {0, rows}}
            if not is_ordered and not has_one_side and len(values) > 1:
                distinct.add(tuple(sorted(values)))
            result += distinct
        return result

    @cache
    def fewest(rows: Rows) -> int:
        """The errors of a leaf."""
        of_class: Counter[int] = Counter()
        for row, decision in enumerate(decisions):
            if rows >> row & 1:
                of_class[decision] += weights[row]
        return of_class.total() - max(of_class.values())

    def trees(rows: Rows, depth: int) -> dict[tuple[int, int, int], int]:
        return of_depth(rows, min(depth, rows.bit_count() - 1))  # each split parts some rows

    @cache
    def of_depth(rows: Rows, depth: int) -> dict[tuple[int, int, int], int]:
        result: dict[tuple[int, int, int], int] = {}
        if rows.bit_count() >= instance.min_samples_leaf:
            result[fewest(rows), 0, 1] = 1
        for partition in partitions(rows) if depth > 0 else ():
            together = {(0, 1, 0): 1}
            for part in partition:
                below, longer = trees(part, depth - 1).items(), dict[tuple[int, int, int], int]()
                for (e, s, n), number in together.items():
                    for (errors, splits, leaves), times in below:
                        if s + splits <= most_splits:
                            size = e + errors, s + splits, n + leaves
                            longer[size] = longer.get(size, 0) + number * times
                together = longer
            for size, number in together.items():
                result[size] = result.get(size, 0) + number
        return result

    most_splits = math.inf if instance.max_splits is None else instance.max_splits
    deepest = len(decisions) if instance.max_depth is None else instance.max_depth
    if instance.max_splits is not None:
        deepest = min(deepest, instance.max_splits)
    return trees((1 << len(decisions)) - 1, deepest)


def fewest_errors(instance: Instance, *, subsets: bool = False) -> dict[int, float]:
    """The fewest weighted errors by number of splits, over all allowed trees of exactly so many."""
    return _fewest((splits, errors) for errors, splits, _ in trees_by_size(instance, subsets=subsets))


def fewest_errors_by_leaves(instance: Instance, *, subsets: bool = False) -> dict[int, float]:
    """The same by number of leaves."""
    return _fewest((leaves, errors) for errors, _, leaves in trees_by_size(instance, subsets=subsets))


def best_objective(instance: Instance, *, subsets: bool = False) -> float:
    """The least objective of all allowed trees."""
    return min(instance.objective(float(e), s, leaves) for e, s, leaves in trees_by_size(instance, subsets=subsets))


def number_of_optimal_trees(instance: Instance, *, subsets: bool = False) -> int:
    """How many allowed trees have it."""
    sizes = trees_by_size(instance, subsets=subsets)
    objectives = {size: instance.objective(float(size[0]), *size[1:]) for size in sizes}
    least = min(objectives.values())
    return sum(number for size, number in sizes.items() if objectives[size] <= least + TIE)


def without_attribute(instance: Instance, attribute: int) -> Instance:
    """The instance without one of its attributes."""
    data = instance.data
    kept = [index for index in range(len(data.columns)) if index != attribute]
    attributes, columns = [data.attributes[index] for index in kept], [data.columns[index] for index in kept]
    return replace(instance, data=replace(data, attributes=tuple(attributes), columns=tuple(columns)))


def _fewest(pairs: Iterable[tuple[int, Fraction]]) -> dict[int, float]:
    least: dict[int, Fraction] = {}
    for size, errors in pairs:
        least[size] = min(errors, least.get(size, errors))
    return {size: float(errors) for size, errors in sorted(least.items())}
