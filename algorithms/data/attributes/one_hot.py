"""Data sets as matrices: a column per number and per label (1-of-n), for learners that accept only numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from algorithms.array_types import Numbers
from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet, DataSetError, missing_in
from algorithms.rounding import first_largest
from algorithms.row_weights import scaled

PairColumns = Literal[1, 2]

NO_LABEL = MISSING - 1
"""The code of the only column of an attribute without labels: all its values are missing."""


@dataclass(frozen=True, eq=False)
class OneHot:
    """A column for each numeric attribute and for each label of a nominal attribute: 1 if a row has the label, else 0.

    A nominal attribute of two labels may have one column instead: 1 if a row has the second label, else 0. A row whose
    label is missing or unknown is 0 in all columns of the attribute; a missing number is NaN.
    """

    attribute: NDArray[np.int32]  # (columns,) the index of the attribute of a column
    code: NDArray[np.int32]
    """(columns,) MISSING for a number; NO_LABEL for the column, always 0, of an attribute without labels."""

    @classmethod
    def of(cls, attributes: Sequence[Attribute], *, pair_columns: PairColumns = 2) -> OneHot:
        """The columns of these attributes, in the order of attributes and labels.

        `pair_columns` is the number of columns of a nominal attribute of two labels; Weka's NominalToBinary makes 1.
        """
        columns = [
            (index, code)
            for index, attribute in enumerate(attributes)
            for code in _codes(attribute)[2 - pair_columns if len(attribute.labels) == 2 else 0 :]
        ]
        pairs = np.array(columns, np.int32).reshape(-1, 2)
        return cls(pairs[:, 0].copy(), pairs[:, 1].copy())

    def matrix(self, data: DataSet, dtype: DTypeLike = np.float64, largest: float = np.inf) -> NDArray[Any]:
        """(rows, columns): the data set of these attributes as numbers, each at most `largest` in size."""
        matrix = np.zeros((data.rows, len(self.code)), dtype)
        largest = min(largest, float(np.finfo(matrix.dtype).max))
        cells, starts = matrix.reshape(-1), np.arange(data.rows) * len(self.code)
        firsts = np.flatnonzero(np.diff(self.attribute, prepend=-1)).tolist()
        for first, end in zip(firsts, [*firsts[1:], len(self.code)], strict=True):
            column = data.columns[self.attribute[first]]
            if self.code[first] == MISSING:
                with np.errstate(over="ignore"):
                    matrix[:, first] = column
                if (np.abs(matrix[:, first]) > largest).any():
                    raise DataSetError(
                        f"attribute {data.attributes[self.attribute[first]].name!r} has a number that is too large for "
                        f"{matrix.dtype}, with which the learner computes: expected numbers from -{largest:.2g} to "
                        f"{largest:.2g}; scale the numbers"
                    )
            else:
                label = column - self.code[first]
                inside = label.view(np.uint32) < end - first  # others are outside
                cells_of_rows = starts + label
                cells[first:][cells_of_rows if inside.all() else cells_of_rows[inside]] = 1
        return matrix

    def names(self, attributes: Sequence[Attribute]) -> tuple[str, ...]:
        """(columns,): an attribute's name, or `name=label`."""
        return tuple(
            f"{attributes[index].name}={attributes[index].labels[code]}" if code >= 0 else attributes[index].name
            for index, code in zip(self.attribute.tolist(), self.code.tolist(), strict=True)
        )


def _codes(attribute: Attribute) -> Sequence[int]:
    if attribute.kind is AttributeKind.NUMERIC:
        return [MISSING]
    return range(len(attribute.labels)) if attribute.labels else [NO_LABEL]


def usual_values(data: DataSet, weights: Numbers) -> tuple[float, ...]:
    """For each attribute, the value to fill missing values with: the mean, or the first of the most common codes.

    The rows are weighted. If all values of an attribute are missing, its value is NaN for numbers, MISSING for codes.
    """
    return tuple(
        _mean(column, weights) if attribute.kind is AttributeKind.NUMERIC else _mode(column, weights)
        for attribute, column in zip(data.attributes, data.columns, strict=True)
    )


def filled(data: DataSet, values: Sequence[float]) -> DataSet:
    """The data set with missing values replaced by the given values, one value for each attribute.

    A numeric attribute whose value is NaN had no values in training: it becomes 0 in all rows.
    """
    columns = []
    for column, value in zip(data.columns, values, strict=True):
        if np.isnan(value):
            columns.append(np.zeros_like(column))
            continue
        absent = missing_in(column)
        columns.append(np.where(absent, column.dtype.type(value), column) if absent.any() else column)
    return replace(data, columns=tuple(columns))


def _mean(column: NDArray[Any], weights: Numbers) -> float:
    known = ~np.isnan(column)
    if not known.any():
        return np.nan
    exponent = int(np.frexp(np.abs(column[known]).max())[1])  # a power of 2, so that sums and products stay in range
    return float(np.ldexp(np.average(np.ldexp(column[known], -exponent), weights=scaled(weights[known])), exponent))


def _mode(column: NDArray[Any], weights: Numbers) -> int:
    known = column != MISSING
    return int(first_largest(np.bincount(column[known], weights=weights[known]))) if known.any() else MISSING
