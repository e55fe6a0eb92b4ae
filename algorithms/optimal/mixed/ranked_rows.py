"""An instance as the exact search over mixed attributes reads it: ranks, sorted lists and integer weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Integers
from algorithms.data.data_set import Attribute, AttributeKind, DataSet, DataSetError, Matrix, missing_in
from algorithms.kernel_arrays import arrays_of
from algorithms.optimal.hashing import random_words
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed.merged_rows import (
    CLASS,
    COUNT,
    FIRST,
    FORCED,
    GRAINS,
    OF_ROW,
    WEIGHT,
    MergedRows,
    merge_rows,
)
from algorithms.optimal.mixed.packed_rows import (
    BELOW,
    BRANCHES,
    CLASS_BITS,
    CUTS,
    RANK_SHIFT,
    ROW_BITS,
    THREE_LABELS,
    PackedRows,
)
from algorithms.optimal.mixed.ranks import rank_few, write_ranks
from algorithms.optimal.mixed.sides import ALL_CODES
from algorithms.optimal.plan import Plan, split_by_values
from algorithms.row_weights import unit_exponent

MOST_CODES = 12
"""Most values of a nominal attribute that is split into two sets of values: 2,047 splits at a node."""

MANY_ROWS, FEW_VALUES = 4000, 512
"""With more rows than the first, values are ranked by hashing if there are at most the second; otherwise by sorting."""

RANK_BITS = 63 - ROW_BITS - CLASS_BITS


@dataclass(frozen=True, eq=False)
class RankedRows:
    """The rows of an instance, equal ones merged, without attributes that are constant or equal to others."""

    attribute: tuple[int, ...]  # index of each in the data set
    values: tuple[NDArray[Any], ...]  # its distinct values or codes, increasing; last NaN, if some are missing
    ranks: Integers  # (attributes, rows) index of each row's value among them
    kind: Integers  # (attributes,) see `packed_rows`; of an attribute that appears twice, CUTS
    rows: PackedRows  # as the kernels read them
    classes: Integers  # (rows,)
    of_row: Integers  # (rows of the instance,) the index of the row that each is merged into
    unit: float  # the weight that 1 in `rows.weight` means
    grain: int  # the greatest common divisor of `rows.weight`
    forced: int  # errors that no tree avoids, in the same unit

    @staticmethod
    def of(instance: Instance, *, subsets: bool) -> RankedRows:
        """The rows of an instance.

        Raises DataSetError for more than 8 million rows or 4,096 classes, and if `subsets` is True and a nominal
        attribute has more than `MOST_CODES` values.
        """
        data = instance.data
        _check_sizes(data)
        ranks, distinct = _ranked(data)
        attribute: list[int] = []
        kinds: list[int] = []
        seen: set[tuple[int, bytes]] = set()
        for index, (about, values) in enumerate(zip(data.attributes, distinct, strict=True)):
            kind = BRANCHES if about.kind is AttributeKind.NOMINAL and len(values) > 2 else CUTS
            if index in data.incomplete and about.kind is AttributeKind.NUMERIC and len(values) > 2:
                kind = len(values) - 1  # the rank of missing numbers, which have a branch of their own
            if kind == BRANCHES and subsets:
                check_sets(about, len(values))
            known = (kind, ranks[index].tobytes())
            if len(values) > 1 and known not in seen:
                seen.add(known)
                attribute.append(index)
                kinds.append(kind)
        if _may_cut_three_labels(instance, kinds, [len(distinct[index]) for index in attribute], subsets):
            kinds = [THREE_LABELS + 2 if kind == BRANCHES else kind for kind in kinds]
        slots, exponent = 1 << (2 * data.rows).bit_length(), unit_exponent(float(instance.weights.sum()))
        merged = arrays_of(MergedRows, rows=data.rows, classes=len(data.classes), slots=slots)
        merge_rows(ranks, data.decisions, np.asarray(instance.weights, np.float64), exponent, merged)
        _, number, grain = merged.number.tolist()
        row, key = merged.row[:, :number], np.empty((number, 2), np.uint64)
        random_words(key)
        return RankedRows(
            tuple(attribute),
            tuple(distinct[index] for index in attribute),
            ranks[attribute].take(row[FIRST], axis=1),  # in C order, which `[:, row[FIRST]]` is not
            np.array(kinds, np.int64),
            PackedRows(row[WEIGHT], row[COUNT], row[FORCED], row[GRAINS], key),
            row[CLASS],
            merged.row[OF_ROW],
            2.0**exponent,
            grain,
            int(row[FORCED].sum()),
        )

    @cached_property
    def kind_of_lists(self) -> Integers:
        """(attributes,): like `kind`, but BELOW and a negative rank for an attribute that appears twice."""
        kind = self.kind.copy()
        for index, above in enumerate(self.values[1:]):
            below, last = self.values[index], len(above) - 1
            if last > 1 and below[0] == -above[-1] and kind[index] == CUTS and np.array_equal(below[1:], above[:-1]):
                ranks = self.ranks[index]
                if np.array_equal(np.where(ranks > 0, ranks - 1, last), self.ranks[index + 1]):
                    kind[index], kind[index + 1] = BELOW, -last
        return kind

    @property
    def repeats(self) -> bool:
        """Whether an attribute appears twice, with its missing numbers below and above all others."""
        return bool((self.kind_of_lists == BELOW).any())

    @cached_property
    def words(self) -> Integers:
        """(attributes, rows): the words of the rows, sorted by the value of each attribute."""
        words = self.ranks << RANK_SHIFT
        words |= self.classes << ROW_BITS | np.arange(len(self.classes))
        words.sort(axis=1)
        return words

    def leaf_cost(self, rows: Integers) -> int:
        """The cost of a leaf for some rows, by index."""
        by_class = np.bincount(self.classes[rows], self.rows.weight[rows], 1)  # exact: whole, and less than 2**53
        return int(by_class.sum() - by_class.max())

    def parts(self, rows: Integers, attribute: int, split: int) -> list[Integers]:
        """The rows of each branch of a split of these rows, by index."""
        ranks, kind = self.ranks[attribute][rows], self.kind[attribute]
        if split == ALL_CODES:
            return [rows[ranks == code] for code in np.unique(ranks)]
        if kind != BRANCHES:
            low = ranks <= split
            if kind == CUTS:
                return [rows[low], rows[~low]]
            missing = ranks == kind % THREE_LABELS
            parts = rows[low & ~missing], rows[~low & ~missing], rows[missing]
            return [part for part in parts if len(part)]
        inside = (split >> ranks & 1).astype(bool)
        return [rows[inside], rows[~inside]]

    def plan(self, data: DataSet, parts: Sequence[Integers], attribute: int, children: Sequence[Plan]) -> Plan:
        """The node with these parts of its rows. A number is cut midway between rows of the node."""
        values = [self.values[attribute][self.ranks[attribute][part]] for part in parts]
        return split_by_values(data, self.attribute[attribute], values, children)

    def price(self, instance: Instance) -> int:
        """The cost of a split, or of a leaf; at most twice the weight of all rows, so that sums stay exact."""
        return round(min(instance.size_cost / self.unit, 2 * int(self.rows.weight.sum())))


def check_sets(attribute: Attribute, values: int, most: int = MOST_CODES) -> None:
    """Raise DataSetError if an attribute has too many values to be split into two sets of them."""
    if values > most:
        raise DataSetError(
            f"attribute {attribute.name!r} has {values} values: expected at most {most} values if `subsets` is "
            "True. Leave `subsets` out, or merge rare values"
        )


def _may_cut_three_labels(instance: Instance, kinds: list[int], values: list[int], subsets: bool) -> bool:
    """Whether three labels, of which one may be missing ones, are read as a number that has two values or is missing.

    The search then sweeps over cuts, which it cannot with BRANCHES. Three labels alone are not (see `paired_rows`).
    """
    if instance.missing != "own_branch" or instance.min_samples_leaf > 1 or instance.penalty != "splits" or subsets:
        return False
    labels = [number for kind, number in zip(kinds, values, strict=True) if kind == BRANCHES]
    return max(labels, default=0) == 3 < max(values)


def _check_sizes(data: DataSet) -> None:
    """Raise DataSetError if rows, ranks or classes do not fit into the fields of a word."""
    for what, result, bits in (("rows", data.rows, RANK_BITS), ("classes", len(data.classes), CLASS_BITS)):
        if result > 1 << bits:
            raise DataSetError(f"there are {result:,} {what}: expected at most {1 << bits:,} {what}")


def _ranked(data: DataSet) -> tuple[Integers, list[NDArray[np.float64]]]:
    """The ranks (attributes, rows) of the values, and the distinct values of each attribute, increasing."""
    columns = data.columns.cells.T if isinstance(data.columns, Matrix) else data.columns
    cells = np.array(columns, np.float64, order="C").reshape(len(columns), data.rows)
    cells += 0.0  # zeros become positive
    for index in data.incomplete:
        cells[index, missing_in(data.columns[index])] = np.inf  # which ranks last, and is equal to itself
    ranks, distinct = np.empty(cells.shape, np.int64), np.empty(cells.shape)
    number = np.full(len(cells), -1)
    if data.rows > MANY_ROWS:
        table = np.empty(2 * FEW_VALUES, np.int64)
        rank_few(cells, cells.view(np.int64), ranks, distinct, number, table)
    many = number < 0
    if many.any():
        write_ranks(cells, cells[many].argsort(axis=1), ranks, distinct, number)
    for index in data.incomplete:
        distinct[index, number[index] - 1] = np.nan
    return ranks, [values[:many] for values, many in zip(distinct, number.tolist(), strict=True)]
