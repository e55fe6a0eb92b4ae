"""The rows of a node as the searches of T2, T3 and T3C read them: labels as codes, numbers as ranks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers, Words
from algorithms.data.attributes.thresholds import midway
from algorithms.data.data_set import AttributeKind, DataSet, missing_in
from algorithms.optimal.equivalent_points import class_weights_of_points, points_of, unavoidable_errors
from algorithms.optimal.hashing import random_words
from algorithms.optimal.majority_rule import majority_errors, tolerance
from algorithms.optimal.t3.one_level import interval_cuts, recoded

Rows = NDArray[np.intp]

MOST_BYTES = 1 << 32
"""The most memory for the intervals of a number: a byte for each value, interval and class."""

NO_ROWS: Rows = np.zeros(0, np.intp)


@dataclass(frozen=True, eq=False)
class Ordered:
    """Rows sorted by the values of one numeric attribute."""

    rows: Rows  # rows whose number is known, sorted by it
    ends: list[int]  # (distinct numbers + 1,) rows[ends[i] : ends[j]] have the numbers i to j - 1
    unknown: Rows  # rows whose number is missing

    @property
    def values(self) -> int:
        """The number of distinct numbers."""
        return len(self.ends) - 1

    def between(self, first: int, stop: int) -> Rows:
        """The rows with some of the numbers."""
        return self.rows[self.ends[first] : self.ends[stop]]

    def parts(self, cuts: tuple[int, ...]) -> list[Rows]:
        """The rows of the intervals that begin before these numbers, and of the first one."""
        return [self.between(first, stop) for first, stop in pairwise((0, *cuts, self.values))]


@dataclass(frozen=True, eq=False)
class CodedRows:
    """Rows of a data set, with each attribute that a form may test in codes."""

    data: DataSet
    codes: NDArray[np.int32]
    """(attributes, rows) a label's code, or a number's rank among these rows, from 0; `width` if unknown."""
    width: NDArray[np.int64]  # (attributes,) the number of possible known values
    numeric: NDArray[np.bool_]  # (attributes,) whether their values are numbers
    attributes: tuple[int, ...]  # the index in the data set of each attribute that may be tested
    decisions: NDArray[np.int32]  # (rows,) indices into the classes that occur
    classes: int  # how many classes occur
    weights: Numbers  # (rows,)
    indices: Rows  # (rows,) the index of each row in the data set
    words: Words  # (rows, 2) random words of each row, by which sets of rows are hashed
    tie: float  # weights that differ by no more are equal, so that rounding decides nothing

    @staticmethod
    def of(data: DataSet, weights: Numbers, ignored: frozenset[int], most_labels: int | None) -> CodedRows:
        """All rows of a data set, without ignored attributes and those with more labels than `most_labels`."""
        codes, width, attributes = [], [], []
        for index, (attribute, column) in enumerate(zip(data.attributes, data.columns, strict=True)):
            if index in ignored:
                continue
            unknown = missing_in(column)
            known, rank = np.unique(column[~unknown], return_inverse=True)
            if attribute.kind is AttributeKind.NOMINAL:
                if most_labels is not None and len(known) > most_labels:
                    continue
                coded, values = column.astype(np.int32), len(attribute.labels)
            else:
                coded, values = np.zeros(data.rows, np.int32), len(known)
                coded[~unknown] = rank
            coded[unknown] = values
            codes.append(coded)
            width.append(values)
            attributes.append(index)
        words = np.empty((data.rows, 2), np.uint64)
        random_words(words)
        present, decisions = np.unique(data.decisions, return_inverse=True)
        return CodedRows(
            data=data,
            codes=np.array(codes, np.int32).reshape(len(codes), data.rows),
            width=np.array(width, np.int64),
            numeric=np.array([data.attributes[index].kind is AttributeKind.NUMERIC for index in attributes], np.bool_),
            attributes=tuple(attributes),
            decisions=decisions.astype(np.int32),
            classes=len(present),
            weights=weights,
            indices=np.arange(data.rows),
            words=words,
            tie=tolerance(majority_errors(np.bincount(decisions, weights)), float(weights.sum())),
        )

    @property
    def weight(self) -> float:
        """The weight of all rows."""
        return float(self.weights.sum())

    @cached_property
    def key(self) -> bytes:
        """The exclusive or of the words of all rows, which identifies the set of rows."""
        combined: Words = np.bitwise_xor.reduce(self.words, axis=0)
        return combined.tobytes()

    def leaf_errors(self) -> float:
        """The weight of the rows that are not of the most common class."""
        counts = np.bincount(self.decisions, self.weights, 1)
        return float(counts.sum() - counts.max())

    def take(self, rows: Rows) -> CodedRows:
        """Some of the rows."""
        codes, width = recoded(self.codes, self.width, self.numeric, rows)
        return replace(
            self,
            codes=codes,
            width=width,
            decisions=self.decisions[rows],
            weights=self.weights[rows],
            indices=self.indices[rows],
            words=self.words[rows],
        )

    def by_value(self, attribute: int) -> dict[int, Rows]:
        """The rows with each value that occurs, keyed by its code; the unknown value has the code `width`."""
        column = self.codes[attribute]
        return {int(code): np.flatnonzero(column == code) for code in np.unique(column)}

    def unknown(self, attribute: int) -> Rows:
        """The rows whose value is unknown."""
        return np.flatnonzero(self.codes[attribute] == self.width[attribute])

    def ordered(self, attribute: int) -> Ordered:
        """The rows sorted by a number."""
        column, known = self.codes[attribute], int(self.width[attribute])
        order = np.argsort(column, kind="stable")
        ends = np.searchsorted(column[order], np.arange(known + 1)).tolist()
        return Ordered(order[: ends[-1]], ends, order[ends[-1] :])

    def leaf_cuts(self, attribute: int, intervals: int) -> tuple[int, ...]:
        """The values before which intervals begin, after the first, if leaves are to have the fewest errors.

        Raises MemoryError if these are more than `MOST_BYTES` to search.
        """
        values = int(self.width[attribute])
        intervals = min(intervals, values)
        if values * intervals * self.classes > MOST_BYTES:
            name = self.data.attributes[self.attributes[attribute]].name
            raise MemoryError(
                f"the search for {intervals:,} intervals of the {values:,} values of attribute {name!r}, with "
                f"{self.classes:,} classes, takes more than {MOST_BYTES >> 30} GiB: reduce max_intervals, or give "
                "fewer classes"
            )
        table = np.zeros((values + 1, self.classes))
        np.add.at(table, (self.codes[attribute], self.decisions), self.weights)
        return tuple(interval_cuts(table[:-1], intervals, self.tie).tolist())

    def bounds(self, attribute: int, ordered: Ordered, cuts: tuple[int, ...]) -> tuple[float, ...]:
        """The threshold of each cut, midway between the numbers on its two sides."""
        numbers = self.data.columns[self.attributes[attribute]][self.indices[ordered.rows]].astype(np.float64)
        starts = [ordered.ends[cut] for cut in cuts]
        return tuple(midway(numbers[[start - 1 for start in starts]], numbers[starts]).tolist()) if cuts else ()

    def weight_before(self, ordered: Ordered) -> list[float]:
        """The weight of the rows with the numbers before each, and of all, shape (distinct numbers + 1,)."""
        total = np.concatenate([[0.0], np.cumsum(self.weights[ordered.rows])])
        return [float(total[end]) for end in ordered.ends]

    def forced_errors(self) -> float:
        """The weight that every tree misclassifies, because rows with equal values have different classes."""
        point = points_of(self.codes, len(self.indices))
        by_class = class_weights_of_points(point, self.decisions, self.weights, self.classes)
        errors = np.zeros(len(point))  # (rows,), since the sum of fractional weights depends on the length
        errors[: len(by_class)] = unavoidable_errors(by_class)
        return float(errors.sum())
