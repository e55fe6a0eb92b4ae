"""Data sets: attributes of mixed kinds, perhaps with missing values, and a class."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algorithms.options import made_by
from algorithms.plurals import counted

__all__ = [
    "DAYS",
    "MISSING",
    "SECONDS",
    "Attribute",
    "AttributeKind",
    "DataSet",
    "DataSetError",
    "Matrix",
    "is_finite",
    "is_missing",
    "labels_of_numbers",
    "missing_in",
    "number_text",
]

MISSING = -1
"""The code of a missing nominal value or class; a missing number is NaN."""

DAYS, SECONDS = "days since 1970-01-01", "seconds since 1970-01-01T00:00:00"
"""The units of attributes that are dates and times. Times in UTC have a Z at the end of their unit."""

ROWS_AT_A_TIME = 2048
"""Columns are made into rows in blocks of this many rows, which fit into a cache."""

Column = NDArray[np.int32] | NDArray[np.float64]


class DataSetError(ValueError):
    """The arrays are not a valid data set, or not of the required kind; the message says why."""


class AttributeKind(StrEnum):
    """The kind of the values of an attribute."""

    NOMINAL = "nominal"
    """One of a list of labels, held as codes."""
    NUMERIC = "numeric"
    """A number."""


class Attribute(NamedTuple):
    """A column of a data set.

    Parameters
    ----------
    name : str
    kind : AttributeKind
    labels : tuple of str, default ()
        The label of each code of a nominal attribute; a numeric attribute has no labels.
    unit : str, default ""
        The unit of the numbers of a numeric attribute. Trees show thresholds in days or seconds since 1970-01-01 as
        dates and times.

    Examples
    --------
    >>> from orchard import Attribute, AttributeKind
    >>> Attribute("wind", AttributeKind.NOMINAL, ("weak", "strong")).labels[1]
    'strong'
    """

    name: str
    kind: AttributeKind
    labels: tuple[str, ...] = ()
    unit: str = ""


class Matrix:
    """The columns of a matrix of int32 or float64, of shape (rows, columns); all columns are of one kind.

    An array is made for a column when the column is first read. Code that reads `cells` needs no such arrays.
    """

    def __init__(self, cells: NDArray[Any], kind: AttributeKind) -> None:
        self.cells, self.kind = cells, kind
        self._columns: dict[int, Any] = {}

    def __len__(self) -> int:
        return int(self.cells.shape[1])

    def __getitem__(self, index: int) -> Column:
        if index not in self._columns:
            self._columns[index] = np.ascontiguousarray(self.cells[:, index], self._dtype)
        column: Column = self._columns[index]
        return column

    def __iter__(self) -> Iterator[Column]:
        if len(self._columns) < len(self):
            self._columns = dict(enumerate(np.asfortranarray(self.cells, self._dtype).T))
        return (self._columns[index] for index in range(len(self)))

    @cached_property
    def finite(self) -> bool:
        """Whether no cell is infinite or NaN."""
        return self.cells.dtype == np.int32 or is_finite(self.cells)

    @property
    def _dtype(self) -> type[np.float64 | np.int32]:
        return np.float64 if self.kind is AttributeKind.NUMERIC else np.int32

    def is_complete(self, attributes: Sequence[Attribute], rows: int) -> bool:
        """Whether all rows are known to have a value of each attribute; if False, each column must be checked."""
        if self.cells.shape != (rows, len(attributes)) or not self.cells.size:
            return False
        if not all([attribute.kind is self.kind for attribute in attributes]):  # noqa: C419 - quicker as a list
            return False
        if self.kind is AttributeKind.NUMERIC:
            return self.finite
        labels = [len(attribute.labels) for attribute in attributes]
        return bool(self.cells.min() >= 0 and (self.cells.max(axis=0) < labels).all())


@made_by("data_set_of(X, y)")
@dataclass(frozen=True, eq=False)
class DataSet:
    """Columns side by side, and a class for each row. `data_set_of(X, y)` makes one.

    Parameters
    ----------
    attributes : tuple of Attribute
        The name, the kind and the labels of each column.
    columns : tuple of ndarray, or Matrix
        A column of shape (rows,) for each attribute: int32 codes of its labels, or float64 numbers. A missing code is
        MISSING, a missing number is NaN. If all columns are of one kind, they may be a `Matrix`.
    classes : tuple of str
        The label of each class.
    decisions : ndarray of shape (rows,), int32
        The index in `classes` of the class of each row, or MISSING if the class is missing.

    Attributes
    ----------
    incomplete : tuple of int
        The indices of the attributes that have missing values.
    unlabelled : bool
        Whether classes are missing.

    Raises
    ------
    DataSetError
        The parameters do not fit together, an array has a wrong type or infinite numbers, two attributes have the same
        name, or an attribute or the class has a label twice.

    Examples
    --------
    >>> from orchard import data_set_of
    >>> data = data_set_of([["sun", 21.5], ["rain", 12.0]], ["play", "stay"])
    >>> data.attributes[0].labels, data.rows
    (('rain', 'sun'), 2)
    """

    attributes: tuple[Attribute, ...]
    columns: tuple[Column, ...] | Matrix
    classes: tuple[str, ...]
    decisions: NDArray[np.int32]
    incomplete: tuple[int, ...] = field(init=False)
    unlabelled: bool = field(init=False)

    def __post_init__(self) -> None:
        """Check that the arrays fit together."""
        if len(self.attributes) != len(self.columns):
            sizes = f"{counted(len(self.columns), 'column')} and {counted(len(self.attributes), 'attribute')}"
            raise DataSetError(f"the data set has {sizes}: expected one column for each attribute")
        names = [attribute.name for attribute in self.attributes]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise DataSetError(f"two attributes are called {twice!r}: rename one of them")
        for attribute in self.attributes:
            _check_labels(f"attribute {attribute.name!r}", attribute.labels)
        _check_labels("the class", self.classes)
        object.__setattr__(self, "unlabelled", _check_codes("`decisions`", self.decisions, len(self.classes)))
        complete = isinstance(self.columns, Matrix) and self.columns.is_complete(self.attributes, self.rows)
        checked = () if complete else enumerate(zip(self.attributes, self.columns, strict=True))
        incomplete = tuple(index for index, (attribute, column) in checked if self._is_incomplete(attribute, column))
        object.__setattr__(self, "incomplete", incomplete)

    def __repr__(self) -> str:
        attributes, classes = counted(len(self.attributes), "attribute"), counted(len(self.classes), "class", "classes")
        return f"<DataSet: {counted(self.rows, 'row')}, {attributes}, {classes}>"

    def _is_incomplete(self, attribute: Attribute, column: Column) -> bool:
        """Whether a column has missing values; raises DataSetError if it is not valid."""
        if column.shape != self.decisions.shape:
            shapes = f"{column.shape}: expected {self.decisions.shape}, the shape of `decisions`"
            raise DataSetError(f"the column of attribute {attribute.name!r} has shape {shapes}")
        if attribute.kind is AttributeKind.NOMINAL:
            return _check_codes(f"attribute {attribute.name!r}", column, len(attribute.labels))
        complete = column.dtype == np.float64 and is_finite(column)
        if not complete and (column.dtype != np.float64 or np.isinf(column).any()):
            found = "infinite values" if column.dtype == np.float64 else f"values of type {column.dtype}"
            raise DataSetError(
                f"numeric attribute {attribute.name!r} has {found}: expected finite float64 numbers, or NaN"
            )
        return not complete

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.decisions)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """(rows, attributes): whether each value is missing."""
        absent = [missing_in(column) for column in self.columns]
        return np.stack(absent, axis=1) if absent else np.zeros((self.rows, 0), bool)

    def values(self) -> NDArray[np.float64]:
        """(rows, attributes): the codes and numbers that a tree reads; NaN for missing values."""
        if isinstance(self.columns, Matrix) and not self.incomplete:
            return np.array(self.columns.cells, np.float64, order="C")
        values = np.empty((self.rows, len(self.columns)))
        for first in range(0, self.rows, ROWS_AT_A_TIME):
            rows = slice(first, first + ROWS_AT_A_TIME)
            for index, column in enumerate(self.columns):
                part = column[rows]
                values[rows, index] = part if part.dtype.kind == "f" else np.where(part == MISSING, np.nan, part)
        return values

    def take(self, rows: NDArray[np.integer[Any]] | NDArray[np.bool_]) -> DataSet:
        """The data set of some of the rows, by index or by mask; attributes and classes keep all their labels."""
        return replace(self, columns=tuple(column[rows] for column in self.columns), decisions=self.decisions[rows])

    def select(self, attributes: Sequence[int]) -> DataSet:
        """The data set of some of the attributes, by index."""
        return replace(
            self,
            attributes=tuple(self.attributes[index] for index in attributes),
            columns=tuple(self.columns[index] for index in attributes),
        )


def missing_in(column: Column) -> NDArray[np.bool_]:
    """(rows,): whether each value of a column is missing."""
    return np.isnan(column) if column.dtype.kind == "f" else column == MISSING


def labels_of_numbers(numbers: NDArray[Any]) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """A label for each distinct number, in increasing order, and the code of each row; the code of NaN is MISSING."""
    known = ~np.isnan(numbers)
    distinct, inverse = np.unique(numbers[known], return_inverse=True)
    codes = np.full(len(numbers), MISSING, np.int32)
    codes[known] = inverse
    return tuple(map(number_text, distinct.tolist())), codes


def is_finite(numbers: NDArray[Any]) -> bool:
    """Whether no number is infinite or NaN."""
    with np.errstate(over="ignore", invalid="ignore"):  # a sum may overflow though all numbers are finite
        return math.isfinite(np.add.reduce(numbers, axis=None)) or bool(np.isfinite(numbers).all())


def is_missing(value: Any) -> bool:
    """Whether a value is None, pandas.NA, NaN or NaT. Only NaN and NaT differ from themselves."""
    return value is None or type(value).__name__ == "NAType" or bool(value != value)  # noqa: PLR0124


def number_text(number: float) -> str:
    """The shortest text that reads as the same number, for labels; a whole number has no decimal point."""
    return "0" if number == 0 else repr(float(number)).removesuffix(".0")


def _check_labels(what: str, labels: tuple[str, ...]) -> None:
    """Raise DataSetError if two labels are equal: rows of text, and exported trees, could not tell them apart."""
    if len(set(labels)) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        raise DataSetError(f"{what} has the label {twice!r} twice: rename one of the two labels")


def _check_codes(what: str, codes: NDArray[Any], labels: int) -> bool:
    """Whether some of the codes are MISSING; raises DataSetError if a code is not below the number of labels."""
    if codes.dtype != np.int32 or codes.ndim != 1:
        raise DataSetError(
            f"{what} has codes of type {codes.dtype} and shape {codes.shape}: expected type int32 and shape (rows,)"
        )
    least, most = (int(codes.min()), int(codes.max())) if codes.size else (0, -1)
    if codes.size and not MISSING <= least <= most < labels:
        raise DataSetError(
            f"{what} has codes from {least} to {most}: expected codes from {MISSING} (missing) to {labels - 1}"
        )
    return least == MISSING
