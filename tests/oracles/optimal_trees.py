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

from algorithms.optimal.instance import Instance

Rows = frozenset[int]
Partition = frozenset[Rows]
Size = tuple[Fraction, int, int]
"""(errors, splits, leaves) of a tree."""

TIE = 1e-9
"""Objectives that differ by less are equal: alpha is seldom a number that floats hold exactly."""


def trees_by_size(instance: Instance, *, subsets: bool = False) -> Counter[Size]:
    """How many allowed trees there are of each size; none, where even one leaf is too small."""
    weights = [Fraction(weight) for weight in instance.weights.tolist()]
    units = math.lcm(*(weight.denominator for weight in weights))
    whole = _trees_by_whole_size(instance, [int(weight * units) for weight in weights], subsets=subsets)
    return Counter({(Fraction(errors, units), splits, leaves): n for (errors, splits, leaves), n in whole.items()})


def _trees_by_whole_size(instance: Instance, weights: list[int], *, subsets: bool) -> dict[tuple[int, int, int], int]:
    """The same with whole weights; errors are in their unit."""
    columns = [
        [None if math.isnan(value) else value for value in column] for column in instance.data.values().T.tolist()
    ]
    ordered = [attribute.kind == "numeric" for attribute in instance.data.attributes]
    one_side = [
        None in column and (is_ordered or (instance.missing == "best_side" and len({*column} - {None}) <= 2))
        for column, is_ordered in zip(columns, ordered, strict=True)
    ]
    decisions = instance.data.decisions.tolist()
    known: dict[tuple[Rows, int], dict[tuple[int, int, int], int]] = {}

    def partitions(rows: Rows) -> Iterable[Partition]:
        for column, is_ordered, has_one_side in zip(columns, ordered, one_side, strict=True):
            by_value: dict[float | None, set[int]] = {}
            for row in rows:
                by_value.setdefault(column[row], set()).add(row)
            known = sorted(value for value in by_value if value is not None)
            values = [*known, *(value for value in by_value if value is None)]
            chosen: list[tuple[float | None, ...]] = []
            if has_one_side:
                chosen = [(*known[:k], *lacking) for k in range(len(known) + 1) for lacking in ((), (None,))]
            elif is_ordered:
                chosen = [tuple(values[:k]) for k in range(1, len(values))]
            elif subsets:
                chosen = [some for k in range(1, len(values)) for some in itertools.combinations(values, k)]
            result = set()
            for some in chosen:
                left = frozenset(row for row in rows if column[row] in some)
                if left and left != rows:
                    result.add(frozenset((left, rows - left)))
            if not is_ordered and not has_one_side and len(values) > 1:
                result.add(frozenset(frozenset(part) for part in by_value.values()))
            yield from result

    def trees(rows: Rows, depth: int) -> dict[tuple[int, int, int], int]:
        if (rows, depth) in known:
            return known[rows, depth]
        result: dict[tuple[int, int, int], int] = {}
        if len(rows) >= instance.min_samples_leaf:
            of_class: dict[int, int] = {}
            for row in rows:
                of_class[decisions[row]] = of_class.get(decisions[row], 0) + weights[row]
            result[sum(of_class.values()) - max(of_class.values()), 0, 1] = 1
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
        known[rows, depth] = result
        return result

    most_splits = math.inf if instance.max_splits is None else instance.max_splits
    deepest = len(decisions) if instance.max_depth is None else instance.max_depth  # each split parts some rows
    if instance.max_splits is not None:
        deepest = min(deepest, instance.max_splits)
    return trees(frozenset(range(len(decisions))), deepest)


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
