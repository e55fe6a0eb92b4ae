"""Independent parts of the search for an optimal tree: in each, the root may make only some of its tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from operator import itemgetter

import numpy as np

from algorithms.array_types import Integers, Numbers
from algorithms.data.data_set import Attribute, AttributeKind, DataSet
from algorithms.measures.uncertainty import gini_by_weight
from algorithms.optimal.instance import Instance

BELOW_RATIO = 1 - 1e-10
"""An objective is below another if it is less than this share of it, so that rounding alone does not make it less.

It is closer to 1 than `rounding.EQUAL_RATIO`: every tree that is left out is, for `Solution`, equally good or worse.
"""


@dataclass(frozen=True)
class RootTests:
    """Some of the tests that the root of a tree may make.

    cuts : for each attribute, by index, its first and its last cut. The cuts of a number are counted from 0 by
           increasing threshold; all splits of a nominal attribute are its cut 0
    """

    cuts: Mapping[int, tuple[int, int]]


@dataclass(frozen=True)
class Root:
    """What a search excludes.

    tests : the root makes one of these tests; None: any test
    below : trees are of interest only if their objective is below this
    """

    tests: RootTests | None = None
    below: float = inf

    def limit(self, instance: Instance, unit: float) -> float:
        """The cost below which trees are of interest. A cost of 1 is an error of weight `unit`; splits are included."""
        if not instance.baseline:
            return inf
        first_leaf = instance.alpha if instance.penalty == "leaves" else 0.0  # costs of a search count further leaves
        return max(0.0, (self.below * BELOW_RATIO - first_leaf) * instance.baseline / unit)


NOTHING_EXCLUDED = Root()


def root_tests(instance: Instance, parts: int) -> list[RootTests]:
    """All tests that the root of a tree may make, in parts of about equal numbers of tests.

    A part has consecutive tests, by attribute and then by threshold. An attribute that splits the rows as an earlier
    one does is left out, as the search leaves it out. The part of the least Gini impurity after a test comes first. If
    there are fewer tests than parts, the last ones have none.
    """
    impurity = _impurity_after_tests(instance)
    first = np.cumsum([0, *map(len, impurity)])
    ends = np.arange(parts + 1) * int(first[-1]) // parts
    made: list[tuple[float, RootTests]] = []
    for start, stop in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        cuts, least = {}, inf
        for attribute, values in enumerate(impurity):
            begin, end = max(start - int(first[attribute]), 0), min(stop - int(first[attribute]), len(values))
            if begin < end:
                cuts[attribute] = begin, end - 1
                least = min(least, float(values[begin:end].min()))
        made.append((least, RootTests(cuts)))
    return [tests for _, tests in sorted(made, key=itemgetter(0))]


def branch_of_rows(data: DataSet, attribute: int, cut: int) -> Integers:
    """(rows,): the branch that each row takes by a test, by increasing value."""
    values, codes = np.unique(data.columns[attribute], return_inverse=True)
    return codes if _is_multiway(data.attributes[attribute], len(values)) else (codes > cut).astype(np.int64)


def _is_multiway(attribute: Attribute, values: int) -> bool:
    """Whether a test of an attribute with this number of values has a branch for each."""
    return attribute.kind is AttributeKind.NOMINAL and values > 2


def _impurity_after_tests(instance: Instance) -> list[Numbers]:
    """For each attribute, the weighted Gini impurity after each cut, or after the split by its labels (cuts,)."""
    data, known, result = instance.data, set(), []
    for attribute, column in zip(data.attributes, data.columns, strict=True):
        values, codes = np.unique(column, return_inverse=True)
        multiway = _is_multiway(attribute, len(values))
        partition = multiway, (codes ^ codes[0] if len(values) == 2 else codes).tobytes()
        counts = np.zeros((len(values), len(data.classes)))
        np.add.at(counts, (codes, data.decisions), instance.weights)
        if len(values) < 2 or partition in known:
            result.append(np.empty(0))
        elif multiway:
            result.append(np.array([gini_by_weight(counts).sum()]))
        else:
            left = counts.cumsum(axis=0)
            result.append(gini_by_weight(left[:-1]) + gini_by_weight(left[-1] - left[:-1]))
        known.add(partition)
    return result
