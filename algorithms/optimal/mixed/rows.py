"""An instance as the exact search over mixed attributes reads it: ranks, sorted lists, whole-number weights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.data_set import AttributeKind, DataSet, DataSetError
from algorithms.kernels.mixed.rows import BRANCHES, CLASS_BITS, CUTS, ROW_BITS, Rows
from algorithms.optimal.instance import Instance

__all__ = ["MOST_CODES", "CodedRows"]

Integers = NDArray[np.int64]

MOST_CODES = 12
"""Values that a nominal attribute may have where it is split into two sets of them: 2047 ways at a node."""

RANK_BITS = 63 - ROW_BITS - CLASS_BITS

UNIT_BITS = 52
"""Weights are whole numbers that sum to less than 2 to this: whole and dyadic ones exactly."""


@dataclass(frozen=True, eq=False)
class CodedRows:
    """Rows of equal values and class as one, by the attributes that tell rows apart.

    attribute : place of each in the data set; values : its distinct values or codes, increasing
    ranks     : (attributes, rows) place of each row's value among them
    rows      : as the kernels read them; classes : (rows,)
    unit      : weight of 1 in `rows.weight`
    forced    : errors that no tree avoids, in units
    """

    attribute: tuple[int, ...]
    values: tuple[NDArray[Any], ...]
    ranks: Integers
    rows: Rows
    classes: Integers
    unit: float
    forced: int

    @staticmethod
    def of(instance: Instance, *, subsets: bool) -> CodedRows:
        """The rows of an instance.

        Raises DataSetError where `subsets` are asked of a nominal attribute of more than `MOST_CODES` values, or there
        are more rows (8 million) or classes (4,096) than the search can tell apart.
        """
        data = instance.data
        attribute: list[int] = []
        values: list[NDArray[Any]] = []
        ranks: list[Integers] = []
        kinds: list[int] = []
        seen: set[tuple[int, bytes]] = set()
        for place, column in enumerate(data.columns):
            distinct, rank = np.unique(column, return_inverse=True)
            nominal = data.attributes[place].kind is AttributeKind.NOMINAL
            kind = BRANCHES if nominal and len(distinct) > 2 else CUTS
            if kind == BRANCHES and subsets and len(distinct) > MOST_CODES:
                msg = (
                    f"attribute {data.attributes[place].name!r} has {len(distinct)} values: to split it into two sets "
                    f"of them at most {MOST_CODES} are allowed. Leave `subsets` out, or merge rare values"
                )
                raise DataSetError(msg)
            known = (kind, rank.tobytes())
            if len(distinct) > 1 and known not in seen:
                seen.add(known)
                attribute.append(place)
                values.append(distinct)
                ranks.append(rank)
                kinds.append(kind)
        _check_sizes(data)
        told = np.array([*ranks, data.decisions], np.int64)
        rows, of_row = _distinct_columns(told)
        _, point = _distinct_columns(told[:-1, rows])
        exponent = UNIT_BITS - math.ceil(math.log2(float(instance.weights.sum())))
        weight = np.rint(np.ldexp(np.bincount(of_row, instance.weights, len(rows)), exponent)).astype(np.int64)
        forced = _forced(point, told[-1, rows], weight)
        return CodedRows(
            tuple(attribute),
            tuple(values),
            told[:-1, rows],
            Rows(
                weight=weight,
                count=np.bincount(of_row, minlength=len(rows)).astype(np.int64),
                forced=forced,
                grains=weight // np.gcd.reduce(weight),
                key=np.random.default_rng(0).integers(1, 2**64, (len(rows), 2), np.uint64, endpoint=False),
                kind=np.array(kinds, np.uint8),
            ),
            told[-1, rows],
            2.0**-exponent,
            int(forced.sum()),
        )

    @cached_property
    def words(self) -> Integers:
        """(attributes, rows): the rows as words, sorted by the value of each attribute."""
        rows = np.arange(len(self.classes))
        words = (self.ranks << (ROW_BITS + CLASS_BITS)) | (self.classes << ROW_BITS) | rows
        return np.sort(words, axis=1)


def _check_sizes(data: DataSet) -> None:
    """Rows, ranks and classes must fit into the fields of a word."""
    for what, found, bits in (("rows", data.rows, RANK_BITS), ("classes", len(data.classes), CLASS_BITS)):
        if found > 1 << bits:
            msg = f"there are {found:,} {what}: the search takes at most {1 << bits:,}"
            raise DataSetError(msg)


def _distinct_columns(columns: Integers) -> tuple[Integers, Integers]:
    """(first of each of the distinct columns in order, place of each column among them)."""
    rows = np.ascontiguousarray(columns.T)
    if not rows.shape[1]:
        return np.zeros(1, np.int64), np.zeros(len(rows), np.int64)
    as_bytes = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, place = np.unique(as_bytes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return first[order], np.argsort(order)[place.ravel()]


def _forced(point: Integers, classes: Integers, weight: Integers) -> Integers:
    """(rows,): the errors that no tree avoids at rows of equal values, told at the first of them."""
    by_class = np.zeros((point.max(initial=-1) + 1, classes.max(initial=-1) + 1), np.int64)
    np.add.at(by_class, (point, classes), weight)
    _, first = np.unique(point, return_index=True)
    forced = np.zeros(len(point), np.int64)
    forced[first] = by_class.sum(axis=1) - by_class.max(axis=1)
    return forced
