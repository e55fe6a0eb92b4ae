"""A mixed-integer programme, independent of any solver: columns, rows, a sparse matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix

from algorithms.array_types import Numbers

Indices = NDArray[np.int64]

MOST_NONZEROS = 5_000_000
"""A model with more coefficients is refused, because solvers would need gigabytes before their first step."""


class ModelSizeError(ValueError):
    """A model would be too large for any solver here; the message has the estimate."""


@dataclass(frozen=True, eq=False)
class Model:
    """Minimise `costs @ x + constant` with lower <= x <= upper and row_lower <= matrix @ x <= row_upper."""

    costs: Numbers
    constant: float
    lower: Numbers
    upper: Numbers
    whole: NDArray[np.bool_]  # (columns,) which columns must be whole numbers
    matrix: csr_matrix
    row_lower: Numbers
    row_upper: Numbers


class Draft:
    """A model under construction: `columns` returns the indices of new columns, `rows` adds rows over them."""

    def __init__(self) -> None:
        self._costs: list[Numbers] = []
        self._upper: list[Numbers] = []
        self._whole: list[NDArray[np.bool_]] = []
        self._count = 0
        self._rows = 0
        self._entries: list[tuple[Indices, Indices, Numbers]] = []  # (rows, columns, coefficients)
        self._row_lower: list[Numbers] = []
        self._row_upper: list[Numbers] = []

    def columns(self, *shape: int, cost: ArrayLike = 0.0, upper: ArrayLike = 1.0, whole: bool = False) -> Indices:
        """The indices, of this shape, of new columns from 0 to `upper`; cost and upper are broadcast to the shape."""
        count = int(np.prod(shape))
        self._costs.append(np.broadcast_to(np.asarray(cost, np.float64), shape).ravel())
        self._upper.append(np.broadcast_to(np.asarray(upper, np.float64), shape).ravel())
        self._whole.append(np.full(count, whole))
        self._count += count
        return np.arange(self._count - count, self._count).reshape(shape)

    def rows(
        self,
        *terms: tuple[Indices, ArrayLike],
        lower: ArrayLike = -np.inf,
        upper: ArrayLike = np.inf,
    ) -> None:
        """Add as many rows as the terms have: each is (indices, coefficients), of shape (rows, columns) or (rows,).

        Coefficients are broadcast to the indices; those of a column that appears twice in a row are added.
        """
        count = len(terms[0][0])
        for indices, coefficients in terms:
            column, value = indices.reshape(count, -1), np.asarray(coefficients, np.float64)
            value = np.broadcast_to(value[:, None] if value.ndim == 1 and indices.ndim == 1 else value, column.shape)
            row = np.broadcast_to(np.arange(self._rows, self._rows + count)[:, None], column.shape)
            self._entries.append((row.ravel(), column.ravel(), value.ravel()))
        self._row_lower.append(np.broadcast_to(np.asarray(lower, np.float64), (count,)))
        self._row_upper.append(np.broadcast_to(np.asarray(upper, np.float64), (count,)))
        self._rows += count

    def model(self, constant: float = 0.0) -> Model:
        """The model of all columns and rows."""
        row, column, value = (np.concatenate(part) for part in zip(*self._entries, strict=True))
        matrix: Any = csr_matrix((value, (row, column)), (self._rows, self._count))
        matrix.eliminate_zeros()
        return Model(
            costs=np.concatenate(self._costs),
            constant=constant,
            lower=np.zeros(self._count),
            upper=np.concatenate(self._upper),
            whole=np.concatenate(self._whole),
            matrix=matrix,
            row_lower=np.concatenate(self._row_lower),
            row_upper=np.concatenate(self._row_upper),
        )


def check_size(columns: int, rows: int, nonzeros: int, depth: int, advice: str) -> None:
    """Raise ModelSizeError if a model of this estimated size is too large."""
    if nonzeros > MOST_NONZEROS:
        raise ModelSizeError(
            f"the model at depth {depth} would have about {_rounded(columns)} columns, {_rounded(rows)} rows and "
            f"{_rounded(nonzeros)} coefficients: expected at most {MOST_NONZEROS:,} coefficients. {advice}"
        )


def _rounded(number: int) -> str:
    return f"{number:,}" if number < 10**12 else f"10^{len(str(number)) - 1}"
