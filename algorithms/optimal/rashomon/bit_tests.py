"""The bits of an instance: its rows, and the tests that a node may make."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers, Words
from algorithms.data.data_set import AttributeKind, Column, DataSet, missing_in
from algorithms.optimal.equivalent_points import class_weights_of_points, points_of
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed.ranked_rows import check_sets
from algorithms.optimal.rashomon.node_splits import CODES, CUT, SET, BitTests, TreeTerms, WeightedBits, parts_of
from algorithms.optimal.solution import EffortSpentError
from algorithms.plurals import counted
from algorithms.row_weights import UNIT_BITS, whole_weights

WORD = 64
MOST_CODES = 16
"""Most labels of an attribute that is split into two sets of labels: k labels have 2**(k - 1) - 1 such splits."""
KEY_BITS = 62
"""Bits of the key that errors, splits and leaves share."""

TIE = 1e-9
"""Objectives that differ by less than this are equal."""


@dataclass(frozen=True, eq=False)
class BitRows:
    """An instance as bits."""

    rows: WeightedBits
    given: WeightedBits  # the same with the weights of the instance, where `rows` has lesser ones
    tests: BitTests
    terms: TreeTerms
    attributes_of: list[list[int]]  # (tests,) the attributes that make each test: several if they split all rows alike
    row: NDArray[np.int64]  # (64 * words,) the row of each bit, -1 without one
    all: Words  # (words,) all rows
    unit: float  # the weight that 1 in `rows.weight` means

    def multiplicity(self, without: int = -1) -> NDArray[np.int64]:
        """(tests,) how many attributes make each test, one of them left out."""
        return np.array([len(attributes) - attributes.count(without) for attributes in self.attributes_of], np.int64)

    def rows_of(self, words: Words) -> NDArray[np.int64]:
        """The rows of a set, increasing."""
        return np.sort(self.row[set_bits(words)])

    def parts(self, test: int, words: Words) -> Words:
        """(parts, words): the parts of a set of rows by a test, without empty ones."""
        first, last = self.tests.first[test : test + 2]
        parts = np.empty((max(2, last - first), len(words)), np.uint64)
        return parts[: parts_of(self.tests, test, words, parts)]


def set_bits(words: Words) -> NDArray[np.bool_]:
    """Whether each bit is set."""
    return np.unpackbits(words.view(np.uint8), bitorder="little").view(np.bool_)


def bit_rows(
    instance: Instance, memory: int, check: Callable[[], None], most: float, most_leaves: int, *, subsets: bool
) -> BitRows:
    """The rows and tests of an instance; with `subsets` nominal attributes are also split into two sets of codes.

    most        : the greatest weight that a good tree misclassifies. If the heaviest rows would round the others too
                  much, their weights are reduced, but not below this: no good tree misclassifies these rows
    most_leaves : the most leaves that a key must hold. Fewer leaves leave more bits for the errors

    Raises DataSetError if there are too many such sets, EffortSpentError if the masks take more than `memory` bytes,
    and what `check` raises, which is called for each mask.
    """
    data = instance.data
    order = np.argsort(data.decisions, kind="stable")
    of_class = np.bincount(data.decisions, minlength=1)
    start = np.concatenate([[0], np.cumsum(-(-of_class // WORD))])
    index = np.arange(data.rows) + np.repeat(start[:-1] * WORD - np.cumsum(of_class) + of_class, of_class)
    row = np.full(WORD * start[-1], -1)
    row[index] = order
    shift = most_leaves.bit_length()
    error_bits = min(UNIT_BITS, KEY_BITS - 2 * shift)
    whole, unit, rounded = _whole(instance.weights, error_bits)
    given = np.zeros(len(row), np.int64)
    given[index] = whole[order]
    lighter = False
    if 0 < TIE * instance.baseline < rounded * unit:
        beyond = 2 * (most + TIE * instance.baseline)  # a tree that misclassifies this weight is neither good nor tied
        light = np.minimum(instance.weights, max(beyond, float(instance.weights.min())))
        lighter = bool((light < instance.weights).any())
        whole, unit, rounded = _whole(light, error_bits)
    grain = int(np.gcd.reduce(whole))
    weight = np.zeros(len(row), np.int64)
    weight[index] = whole[order] // grain
    common_weight = weight[index[0]] if (weight[index] == weight[index[0]]).all() else 0

    def bits(inside: NDArray[np.bool_]) -> Words:
        spread = np.zeros(len(row), np.bool_)
        spread[index] = inside[order]
        return np.packbits(spread, bitorder="little").view(np.uint64)

    tests, attributes_of = _tests(instance, bits, memory, check, subsets=subsets)
    scale = instance.unit_of_objective / (unit * grain)
    rows = WeightedBits(start, weight, common_weight, bits(_forced(data, whole)))
    return BitRows(
        rows,
        rows._replace(weight=given, common_weight=0) if lighter else rows,
        tests,
        TreeTerms(
            split=instance.alpha * scale if instance.penalty == "splits" else 0.0,
            leaf=instance.alpha * scale if instance.penalty == "leaves" else 0.0,
            least=instance.min_samples_leaf,
            shift=shift,
            tie=TIE * scale + (rounded / grain if instance.baseline else 0.0),
        ),
        attributes_of,
        row,
        bits(np.ones(data.rows, np.bool_)),
        unit * grain,
    )


def _whole(weights: Numbers, bits: int) -> tuple[NDArray[np.int64], float, float]:
    """The weights (rows,) as whole numbers, their unit, and by how many units all of them are rounded."""
    whole, unit = whole_weights(weights, bits)
    return whole, unit, float(np.abs(weights / unit - whole).sum())


class _Test(NamedTuple):
    """A test; `alone` if its attribute has no other."""

    kind: int
    attribute: int
    inside: Iterable[NDArray[np.bool_]]
    chosen: int = 0
    alone: bool = False
    repeats: bool = False  # whether the attribute's first test has the mask of the rows that lack a value


def _tests(
    instance: Instance,
    bits: Callable[[NDArray[np.bool_]], Words],
    memory: int,
    check: Callable[[], None],
    *,
    subsets: bool,
) -> tuple[BitTests, list[list[int]]]:
    """The tests that a node may make, and the attributes of each.

    Attributes of two values that split all rows alike share a test. Raises what `bit_rows` raises.
    """
    kept: list[_Test] = []
    attributes_of: list[list[int]] = []
    masks: list[Words] = []
    ends: list[int] = []
    lacking: list[int] = []
    test_of_partition: dict[bytes, int] = {}
    first_mask: dict[int, int] = {}
    for test in _all_tests(instance, subsets=subsets):
        if test.alone:
            (inside,) = test.inside
            same = test_of_partition.setdefault(np.packbits(inside ^ inside[0]).tobytes(), len(kept))
            if same < len(kept):
                attributes_of[same].append(test.attribute)
                continue
        kept.append(test._replace(inside=()))  # all these rows together take much more memory than the masks
        attributes_of.append([test.attribute])
        first = first_mask.setdefault(test.attribute, len(masks))
        lacking.append(first if test.repeats else -1)
        for inside in test.inside:
            masks.append(bits(inside))
            check()
            if len(masks) * masks[-1].nbytes > memory:
                raise EffortSpentError(
                    f"the tests of {counted(len(instance.data.columns), 'attribute')} on {instance.data.rows:,} rows "
                    f"take more than the limit of {float(memory):,.0f} bytes: raise memory_limit, or leave out "
                    "attributes with many values"
                )
        ends.append(len(masks))
    tests = BitTests(
        np.array([test.kind for test in kept], np.uint8),
        np.array([test.attribute for test in kept], np.int64),
        np.array(lacking, np.int64),
        np.array([0, *ends], np.int64),
        np.array([test.chosen for test in kept], np.uint64),
        np.array(masks, np.uint64).reshape(len(masks), len(bits(np.ones(instance.data.rows, np.bool_)))),
    )
    return tests, attributes_of


def _all_tests(instance: Instance, *, subsets: bool) -> Iterator[_Test]:
    data = instance.data
    for index, (attribute, column) in enumerate(zip(data.attributes, data.columns, strict=True)):
        if index in data.incomplete and has_two_sides(instance, index):
            yield from _on_both_sides(index, column)
            continue
        values = np.unique(column)
        if attribute.kind is AttributeKind.NUMERIC or len(values) <= 2:
            alone = len(values) == 2
            yield from (_Test(CUT, index, [column <= value], alone=alone) for value in values[:-1])
            continue
        yield _Test(CODES, index, (column == value for value in values))
        if not subsets:
            continue
        check_sets(attribute, len(values), MOST_CODES)
        for chosen in range(1, 1 << (len(values) - 1)):
            codes = values[np.flatnonzero(chosen >> np.arange(len(values)) & 1)]
            yield _Test(SET, index, [np.isin(column, codes)], chosen)


def _on_both_sides(index: int, column: Column) -> Iterator[_Test]:
    """The cuts of an attribute whose value some rows lack: these rows alone, with those below, and with those above."""
    absent = missing_in(column)
    values = np.unique(column[~absent])
    yield _Test(CUT, index, [absent], alone=len(values) == 1)
    yield from (_Test(CUT, index, [absent | (column <= value)]) for value in values[:-1])
    yield from (_Test(CUT, index, [~absent & (column <= value)], repeats=True) for value in values[:-1])


def has_two_sides(instance: Instance, index: int) -> bool:
    """Whether a test of an attribute sends the rows that lack its value to one of two sides, or separates them."""
    data = instance.data
    column = data.columns[index]
    numeric = data.attributes[index].kind is AttributeKind.NUMERIC
    return numeric or (instance.missing == "best_side" and len(np.unique(column[~missing_in(column)])) <= 2)


def _forced(data: DataSet, weight: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(rows,): whether a row is not of the heaviest class of its equivalent point, the first of equals."""
    point = points_of((np.unique(column, return_inverse=True)[1] for column in data.columns), data.rows)
    by_class = class_weights_of_points(point, data.decisions, weight, len(data.classes))  # exact
    heaviest: NDArray[np.intp] = by_class.argmax(axis=1)
    return np.not_equal(heaviest[point], data.decisions)
