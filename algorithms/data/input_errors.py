"""Errors of rows that estimators cannot read; each names the column or the row."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.plurals import counted


def uneven(rows: Sequence[Any]) -> ValueError:
    """The error for a list of rows of which numpy makes no array."""
    sizes = [len(row) if isinstance(row, Sized) else None for row in rows]
    other = next((index for index, size in enumerate(sizes) if size != sizes[0]), None)
    if other is None:
        return ValueError("the rows of X have cells that are lists of different lengths: expected a value in each cell")
    lengths = [f"row {row} has {counted(sizes[row] or 0, 'cell')}" for row in (0, other)]
    return ValueError(f"the rows of X differ in length: {' and '.join(lengths)}. Expected a cell for each column")


def refuse_infinity(name: str, numbers: NDArray[Any]) -> None:
    """Raise ValueError if a column has an infinite number."""
    infinite = np.isinf(numbers)
    if infinite.any():
        row = int(infinite.argmax())
        raise ValueError(
            f"Input X contains infinity: column {name!r} has {numbers[row]} in row {row}. Expected finite numbers of "
            "float64, or NaN for missing values"
        )


def too_large(name: str) -> ValueError:
    """The error for a column with integers that float64 may round."""
    return ValueError(
        f"column {name!r} of X holds integers beyond 2**53, which float64 cannot always tell apart: "
        "convert the column with .astype(float), which rounds them, or with .astype(str), which makes them labels"
    )
