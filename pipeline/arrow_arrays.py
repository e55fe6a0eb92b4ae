"""Convert NumPy arrays, texts and rows to Arrow arrays and back, without pandas.

`pyarrow.array`, `pyarrow.scalar`, `Array.to_numpy` and their callers import pandas wherever it is installed, although
nothing here needs it: .4 s and 45 MB for each process. Cases that these functions do not know are left to pyarrow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.words import TYPES

__all__ = ["array_of", "constant", "numpy_of", "table_of_columns", "table_of_rows", "texts"]

MOST_EXACT = 2**53
"""Every whole number up to this is a float."""


def array_of(values: NDArray[Any], null: NDArray[np.bool_] | None = None) -> pa.Array:
    """An array of whole numbers, fractions or booleans.

    Parameters
    ----------
    values : ndarray of shape (rows,)
    null : ndarray of bool of shape (rows,), optional
        True where the result is null.
    """
    held = _bits(values) if values.dtype == np.bool_ else np.ascontiguousarray(values)
    present = None if null is None or not null.any() else pa.py_buffer(_bits(~null))
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [present, pa.py_buffer(held)])


def texts(values: Sequence[str | None]) -> pa.StringArray:
    """An array of texts; None becomes null."""
    known = [(value or "").encode() for value in values]
    ends = np.cumsum([0, *map(len, known)])
    if ends[-1] > np.iinfo(np.int32).max:  # more than one array can hold
        return pa.array(values, pa.string())
    null = np.array([value is None for value in values], np.bool_)
    present = pa.py_buffer(_bits(~null)) if null.any() else None
    buffers = [present, pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(b"".join(known))]
    return pa.Array.from_buffers(pa.string(), len(known), buffers)


def constant(text: str, rows: int) -> pa.DictionaryArray:
    """An array that repeats one text."""
    return pa.DictionaryArray.from_arrays(array_of(np.zeros(rows, np.int8)), texts([text]))


def numpy_of(array: pa.Array | pa.ChunkedArray) -> NDArray[Any]:
    """The numbers of an array, without a copy if it is one chunk. Whole numbers become floats if there are nulls."""
    whole = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    return whole.to_numpy(zero_copy_only=False) if whole.null_count else np.from_dlpack(whole)


def table_of_columns(columns: Mapping[str, pa.Array | NDArray[Any]], schema: pa.Schema) -> pa.Table:
    """A table of these columns. A missing column is null. ArrowInvalid if a value does not fit its type."""
    rows = len(next(iter(columns.values())))
    found = []
    for field in schema:
        column = columns.get(field.name)
        if column is None:
            column = pa.nulls(rows, field.type)
        elif isinstance(column, np.ndarray):
            column = array_of(column)
        found.append(column if column.type == field.type else column.cast(field.type))
    return pa.table(found, schema=schema)


def table_of_rows(rows: Sequence[Mapping[str, Any]], schema: pa.Schema | None = None) -> pa.Table:
    """A table of rows. Without a schema, the columns are the keys of the first row, with the types of their values.

    ValueError names a column with a value that its type cannot hold.
    """
    names = schema.names if schema else list(rows[0]) if rows else []
    types = schema.types if schema else [None] * len(names)
    found = [_column(name, [row.get(name) for row in rows], of) for name, of in zip(names, types, strict=True)]
    return pa.Table.from_arrays(found, schema=schema) if schema else pa.Table.from_arrays(found, names=names)


def _column(name: str, values: Sequence[Any], of: pa.DataType | None) -> pa.Array:
    try:
        return _array(values, of)
    except (pa.ArrowException, OverflowError, TypeError, ValueError) as error:
        for value in values:
            try:
                _array([value], of)
            except (pa.ArrowException, OverflowError, TypeError, ValueError):
                msg = f"{name} is {value!r}: expected {_words(of)}"
                raise ValueError(msg) from error
        raise


def _words(of: pa.DataType | None) -> str:
    """The name of a type's values in messages."""
    of = of.value_type if isinstance(of, pa.DictionaryType) else of
    kind = {pa.string(): str, pa.bool_(): bool, pa.float64(): float}.get(of)
    return TYPES[kind] if kind else f"{TYPES[int]} ({of})"


def _array(values: Sequence[Any], of: pa.DataType | None) -> pa.Array:
    """An array of an Arrow type, by default the type of the values."""
    kinds = {type(value) for value in values} - {type(None)}
    if not kinds:
        return pa.nulls(len(values), of or pa.null())
    if all(issubclass(kind, str) for kind in kinds) and of in {None, pa.string()}:
        return texts(values)
    if of is not None and pa.types.is_integer(of) and any(issubclass(kind, float) for kind in kinds):
        values = [int(value) if isinstance(value, float) and value.is_integer() else value for value in values]
        if any(isinstance(value, float) for value in values):  # Arrow would drop the fractions
            msg = "a fraction is no whole number"
            raise ValueError(msg)
        return pa.array(values, of)
    kind = _kind(kinds, of)
    if kind is None or (kind is not bool and any(value is not None and abs(value) > MOST_EXACT for value in values)):
        return pa.array(values, of)
    known: NDArray[Any] = np.array([0 if value is None else value for value in values], kind)
    found = array_of(known, np.array([value is None for value in values], np.bool_))
    return found if of in {None, found.type} else found.cast(of)


def _kind(kinds: set[type], of: pa.DataType | None) -> type | None:
    """The Python type whose values become this Arrow type; None if there is none."""
    if kinds == {bool} and (of is None or pa.types.is_boolean(of)):
        return bool
    if kinds == {int} and (of is None or pa.types.is_integer(of)):
        return int
    return float if kinds <= {int, float} and (of is None or pa.types.is_floating(of)) else None


def _bits(values: NDArray[np.bool_]) -> NDArray[np.uint8]:
    return np.packbits(values, bitorder="little")
