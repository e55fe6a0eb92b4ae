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
    content = _bits(values) if values.dtype == np.bool_ else np.ascontiguousarray(values)
    present = None if null is None or not null.any() else pa.py_buffer(_bits(~null))
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [present, pa.py_buffer(content)])


def texts(values: Sequence[str | None]) -> pa.StringArray:
    """An array of texts; None becomes null."""
    encoded = [(value or "").encode() for value in values]
    ends = np.cumsum([0, *map(len, encoded)])
    if ends[-1] > np.iinfo(np.int32).max:  # more than one array can hold
        return pa.array(values, pa.string())
    null = np.array([value is None for value in values], np.bool_)
    present = pa.py_buffer(_bits(~null)) if null.any() else None
    buffers = [present, pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.string(), len(encoded), buffers)


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
    arrays = []
    for field in schema:
        column = columns.get(field.name)
        if column is None:
            column = pa.nulls(rows, field.type)
        elif isinstance(column, np.ndarray):
            column = array_of(column)
        arrays.append(column if column.type == field.type else column.cast(field.type))
    return pa.table(arrays, schema=schema)


def table_of_rows(rows: Sequence[Mapping[str, Any]], schema: pa.Schema | None = None) -> pa.Table:
    """A table of rows. Without a schema, the columns are the keys of the first row, with the types of their values.

    ValueError names a column with a value that its type cannot hold.
    """
    names = schema.names if schema else list(rows[0]) if rows else []
    types = schema.types if schema else [None] * len(names)
    arrays = [_column(name, [row.get(name) for row in rows], kind) for name, kind in zip(names, types, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema) if schema else pa.Table.from_arrays(arrays, names=names)


def _column(name: str, values: Sequence[Any], kind: pa.DataType | None) -> pa.Array:
    try:
        return _array(values, kind)
    except (pa.ArrowException, OverflowError, TypeError, ValueError) as error:
        for value in values:
            try:
                _array([value], kind)
            except (pa.ArrowException, OverflowError, TypeError, ValueError):
                raise ValueError(f"{name} is {value!r}: expected {_words(kind)}") from error
        raise


def _words(kind: pa.DataType | None) -> str:
    """The name of an Arrow type's values in messages."""
    kind = kind.value_type if isinstance(kind, pa.DictionaryType) else kind
    python_type = {pa.string(): str, pa.bool_(): bool, pa.float64(): float}.get(kind)
    return TYPES[python_type] if python_type else f"{TYPES[int]} ({kind})"


def _array(values: Sequence[Any], kind: pa.DataType | None) -> pa.Array:
    """An array of an Arrow type, by default the type of the values."""
    types = {type(value) for value in values} - {type(None)}
    if not types:
        return pa.nulls(len(values), kind or pa.null())
    if all(issubclass(each, str) for each in types) and kind in {None, pa.string()}:
        return texts(values)
    if kind is not None and pa.types.is_integer(kind) and any(issubclass(each, float) for each in types):
        values = [int(value) if isinstance(value, float) and value.is_integer() else value for value in values]
        if any(isinstance(value, float) for value in values):  # Arrow would drop the fractions
            raise ValueError("a fraction is not a whole number")
        return pa.array(values, kind)
    exact = _exact_type(types, kind)
    if exact is None or (exact is not bool and any(value is not None and abs(value) > MOST_EXACT for value in values)):
        return pa.array(values, kind)
    filled: NDArray[Any] = np.array([0 if value is None else value for value in values], exact)
    result = array_of(filled, np.array([value is None for value in values], np.bool_))
    return result if kind in {None, result.type} else result.cast(kind)


def _exact_type(types: set[type], kind: pa.DataType | None) -> type | None:
    """The Python type whose values become this Arrow type; None if there is none."""
    if types == {bool} and (kind is None or pa.types.is_boolean(kind)):
        return bool
    if types == {int} and (kind is None or pa.types.is_integer(kind)):
        return int
    return float if types <= {int, float} and (kind is None or pa.types.is_floating(kind)) else None


def _bits(values: NDArray[np.bool_]) -> NDArray[np.uint8]:
    return np.packbits(values, bitorder="little")
