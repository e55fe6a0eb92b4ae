"""Rows that a user gives to an estimator, as a data set: numpy, pandas, Arrow and lists in, numbers and codes out.

Numbers are numeric; strings, booleans and categories are nominal, and so are the columns of numbers that the user
selects. None, NaN and pandas.NA are missing values. A label is the text of its value. Labels are in sorted order,
numbers by size, those of a category in the order of the category.

Rows to predict may have a column of another type than the rows of the fitting. Values that are equal in Python
(True == 1 == 1.0) are the same value. Text never equals a number or a boolean; such a column is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sklearn.utils import check_array

from algorithms.array_types import unmasked
from algorithms.data.data_set import (
    MISSING,
    Attribute,
    AttributeKind,
    Column,
    DataSet,
    Matrix,
    labels_of_numbers,
    number_text,
)
from algorithms.data.input_errors import refuse_infinity, too_large, uneven
from algorithms.data.recoding import TRUTH, Recoding, Values
from algorithms.data.selected_columns import columns_selected

MOST_EXACT = 2**53
"""Integers up to this size are distinct as float64."""

VALUES = "each value in this argument must be a string or a number (or a boolean or a category)."
DAYS = "(X['day'] - pd.Timestamp(0)).dt.days"
READABLE = f"{VALUES} Leave the column out, or convert it; dates and times can become numbers, in pandas by {DAYS}"

Nominal = Literal["auto"] | Sequence[str] | Sequence[int] | Sequence[bool]
"""The columns of numbers that are nominal: "auto" for none, else names or positions, or a mask of all columns."""


@dataclass(frozen=True, eq=False)
class Frame:
    """Columns by name, each (rows,): float64 with NaN for missing values if they are numbers, otherwise an Arrow array.

    The columns of a numpy array are a `Matrix`; booleans are int32 0 and 1. `named` is whether the names were given.
    """

    names: tuple[str, ...]
    columns: tuple[Any, ...] | Matrix
    rows: int
    named: bool


def frame_of(given: Any, estimator: Any) -> Frame:
    """The columns of X (rows, columns), as a Frame.

    X may be a numpy array, a list of rows, a pandas frame, an Arrow table, or an object with `__arrow_c_stream__`, such
    as a polars frame. Columns without a name are f1, f2, … Raises ValueError and TypeError as scikit-learn's
    `check_array` does.
    """
    if _is_pandas(given):
        names = [str(name) for name in given.columns]
        named = all(isinstance(name, str) for name in given.columns)
        columns = [_arrow_array(name, given.iloc[:, index]) for index, name in enumerate(names)]
        return _frame_of_arrays(names, columns, given.shape, estimator, named=named)
    given = unmasked(given)
    if len(getattr(given, "shape", "XY")) == 1:
        given = np.asarray(given, dtype=object)  # may be one row: `check_array` says how to make it a table
    if hasattr(given, "__arrow_c_stream__"):
        try:
            table = pa.table(given)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise TypeError(
                f"X is a {type(given).__name__} with values that pyarrow does not know: {READABLE} ({error})"
            ) from error
        columns = [_combined(column) for column in table.columns]
        return _frame_of_arrays(table.column_names, columns, table.shape, estimator, named=True)
    if isinstance(given, list | tuple):
        try:
            array = np.asarray(given)
        except ValueError as error:
            raise uneven(given) from error
        # numbers beside text stay numbers, and booleans beside numbers stay booleans
        mixed = array.dtype.kind in "US" or (array.dtype.kind in "iuf" and array.ndim == 2 and _has_booleans(given))
        given = np.asarray(given, dtype=object) if mixed else array
    kind = getattr(getattr(given, "dtype", None), "kind", None)
    if kind in {"M", "m"}:
        raise TypeError(f"X holds {given.dtype}: {READABLE}")
    if kind in {"O", "U", "S", "T"}:  # T: numpy's strings of any length
        cells = check_array(given, dtype=None, ensure_all_finite=False, estimator=estimator, input_name="X")
        names = list(_plain_names(cells.shape[1]))
        columns = [_arrow_array(name, column.tolist()) for name, column in zip(names, cells.T, strict=True)]
        return _frame_of_arrays(names, columns, cells.shape, estimator, named=False)
    if type(given) is not np.ndarray or given.ndim != 2 or not given.size or kind not in {"b", "i", "u", "f"}:
        if hasattr(given, "collect_schema") or (kind is None and not np.asarray(given).ndim):
            mend = "such as pandas.DataFrame(X), or X.collect() for a LazyFrame"
            raise TypeError(f"X is of type {type(given).__name__}: expected an array or a data frame, {mend}")
        given = check_array(
            given,
            dtype=None if kind == "b" else np.float64,
            ensure_all_finite=False,
            estimator=estimator,
            input_name="X",
        )
    matrix = _matrix(given)
    names_of_columns = _plain_names(len(matrix))
    if not matrix.finite:
        for name, numbers in zip(names_of_columns, matrix, strict=True):
            refuse_infinity(name, numbers)
    return Frame(names_of_columns, matrix, len(given), named=False)


def header(names: Sequence[str]) -> pa.Table:
    """A table with these names and no rows, so that scikit-learn can check names of any form of rows."""
    return pa.table({name: pa.array([], pa.float64()) for name in names})


def data_set_of_frame(frame: Frame, nominal: Nominal, classes: Sequence[str], decisions: NDArray[np.int32]) -> DataSet:
    """The data set of these columns; the labels of an attribute are those in its rows, or those of its category."""
    chosen: set[int] = set()
    if not isinstance(nominal, str):
        chosen = columns_selected("categorical_features", nominal, frame.names)
    if isinstance(frame.columns, Matrix) and not chosen:
        return DataSet(*_attributes_and_codes(frame.columns), tuple(classes), decisions)
    attributes: list[Attribute] = []
    columns: list[Column] = []
    for index, (name, column) in enumerate(zip(frame.names, frame.columns, strict=True)):
        if _is_numeric(column) and index not in chosen:
            attributes.append(Attribute(name, AttributeKind.NUMERIC))
            columns.append(column)
        else:
            labels, codes = _labels_and_codes(column)
            attributes.append(Attribute(name, AttributeKind.NOMINAL, labels))
            columns.append(codes)
    return DataSet(tuple(attributes), tuple(columns), tuple(classes), decisions)


def values_of(given: Frame | DataSet) -> tuple[Values, ...]:
    """The type of the values of each column."""
    if isinstance(given, DataSet):
        numeric = AttributeKind.NUMERIC
        return tuple(Values.NUMBERS if attribute.kind is numeric else Values.LABELS for attribute in given.attributes)
    if isinstance(given.columns, Matrix):
        return (Values.BOOLEANS if _holds_booleans(given.columns) else Values.NUMBERS,) * len(given.columns)
    return tuple(map(_values_of_column, given.columns))


def frame_as_fitted(
    frame: Frame, attributes: Sequence[Attribute], fitted: Sequence[Values], classes: Sequence[str]
) -> DataSet:
    """The data set of these columns with the attributes of the fitting, by position; all classes are missing.

    `fitted` has the types of the columns of the fitting, by `values_of`. New values of an attribute get new codes after
    the codes that it has. Raises DataSetError for values that cannot equal those of the fitting, such as text where
    there were numbers.
    """
    decisions = np.full(frame.rows, MISSING, np.int32)
    if isinstance(frame.columns, Matrix) and _is_as_fitted(frame.columns, attributes, fitted):
        return DataSet(tuple(attributes), frame.columns, tuple(classes), decisions)
    pairs: list[tuple[Attribute, Column]] = []
    columns_and_values = zip(attributes, fitted, frame.columns, values_of(frame), strict=True)
    for index, (attribute, before, column, now) in enumerate(columns_and_values):
        if attribute.kind is AttributeKind.NUMERIC and _is_numeric(column):
            pairs.append((attribute, column))
            continue
        selected = f"X[{attribute.name!r}]" if frame.named else f"X[:, {index}]"
        pairs.append(Recoding(attribute, before, now, selected).of(*_labels_and_codes(column)))
    wider, columns = zip(*pairs, strict=True)
    return DataSet(wider, columns, tuple(classes), decisions)


def data_set_as_fitted(data: DataSet, attributes: Sequence[Attribute], fitted: Sequence[Values]) -> DataSet:
    """The data set with the codes of the attributes of the fitting, by position; new labels get new codes after those.

    If an attribute is nominal in the fitting and numeric here, its numbers become labels. Raises DataSetError if it is
    nominal here and numeric in the fitting, or its labels cannot equal the values of the fitting.
    """
    pairs: list[tuple[Attribute, Column]] = []
    attributes_and_values = zip(data.attributes, attributes, fitted, data.columns, values_of(data), strict=True)
    for attribute, fitted_attribute, before, column, now in attributes_and_values:
        numeric = attribute.kind is AttributeKind.NUMERIC
        if numeric and fitted_attribute.kind is AttributeKind.NUMERIC:
            pairs.append((fitted_attribute, column))
            continue
        labels, codes = _labels_and_codes(column) if numeric else (attribute.labels, column)
        pairs.append(Recoding(fitted_attribute, before, now).of(labels, codes))
    wider, columns = zip(*pairs, strict=True) if pairs else ((), ())
    return DataSet(wider, columns, data.classes, data.decisions)


def _is_as_fitted(matrix: Matrix, attributes: Sequence[Attribute], fitted: Sequence[Values]) -> bool:
    """Whether the cells are numbers, or codes of both booleans, and so were the values of all attributes."""
    if _holds_booleans(matrix):
        of_both = all(attribute.labels == TRUTH for attribute in attributes)
        return of_both and all(values is Values.BOOLEANS for values in fitted)
    return all([attribute.kind is AttributeKind.NUMERIC for attribute in attributes])  # noqa: C419 - quicker


def _has_booleans(rows: Sequence[Sequence[Any]]) -> bool:
    """Whether some column holds only booleans."""
    truth = {bool, np.bool_}
    if truth.isdisjoint(map(type, chain.from_iterable(rows))):  # quicker than the columns
        return False
    return any(truth.issuperset(map(type, column)) for column in zip(*rows, strict=True))


def _is_pandas(given: Any) -> bool:
    return type(given).__module__.split(".")[0] == "pandas" and hasattr(given, "iloc") and hasattr(given, "columns")


@lru_cache(maxsize=8)
def _plain_names(columns: int) -> tuple[str, ...]:
    return tuple(f"f{index + 1}" for index in range(columns))


@lru_cache(maxsize=8)
def _plain_numbers(columns: int) -> tuple[Attribute, ...]:
    return tuple(Attribute(name, AttributeKind.NUMERIC) for name in _plain_names(columns))


def _matrix(given: NDArray[Any]) -> Matrix:
    """The cells as int32 or float64, copied only if they are of another type."""
    if given.dtype == bool:
        return Matrix(given.astype(np.int32), AttributeKind.NOMINAL)
    small = given.dtype.kind in "iu" and np.can_cast(given.dtype, np.int32)
    if given.dtype.kind in "iu" and not small:
        beyond = np.flatnonzero(((given < -MOST_EXACT) | (given > MOST_EXACT)).any(axis=0))
        if len(beyond):
            raise too_large(_plain_names(given.shape[1])[beyond[0]])
    return Matrix(given.astype(np.int32 if small else np.float64, copy=False), AttributeKind.NUMERIC)


def _holds_booleans(columns: tuple[Any, ...] | Matrix) -> bool:
    return isinstance(columns, Matrix) and columns.kind is AttributeKind.NOMINAL


def _attributes_and_codes(matrix: Matrix) -> tuple[tuple[Attribute, ...], Matrix]:
    """The attributes of a matrix and, if it holds booleans, its columns as codes of their labels."""
    if not _holds_booleans(matrix):
        return _plain_numbers(len(matrix)), matrix
    least, most = matrix.cells.min(axis=0), matrix.cells.max(axis=0)
    attributes = tuple(
        Attribute(name, AttributeKind.NOMINAL, TRUTH[low : high + 1])
        for name, low, high in zip(_plain_names(len(matrix)), least.tolist(), most.tolist(), strict=True)
    )
    return attributes, Matrix(matrix.cells - least, AttributeKind.NOMINAL)


def _is_numeric(column: Any) -> bool:
    return isinstance(column, np.ndarray) and column.dtype == np.float64


def _values_of_column(column: Any) -> Values:
    if isinstance(column, np.ndarray):
        return Values.NUMBERS
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_boolean(kind):
        return Values.BOOLEANS
    return Values.NUMBERS if pa.types.is_integer(kind) or pa.types.is_floating(kind) else Values.TEXT


def column_of_classes(y: Any) -> Any:
    """Classes in a form that scikit-learn reads: masked and Arrow arrays as plain ones.

    scikit-learn would read integers and booleans of pandas' nullable types, and categories of booleans, as float64. It
    does not read numpy's strings of any length.
    """
    kind = getattr(y, "dtype", None)
    if hasattr(kind, "numpy_dtype"):
        y = pa.array(y, from_pandas=True)
    elif getattr(getattr(getattr(kind, "categories", None), "dtype", None), "kind", None) == "b":
        y = np.asarray(y)
    elif getattr(kind, "kind", None) == "T":
        y = y.astype(object)
    return y.to_numpy(zero_copy_only=False) if isinstance(y, pa.Array | pa.ChunkedArray) else unmasked(y)


def ordered_categories(y: Any) -> list[Any]:
    """The categories of y in their order; empty if y is no ordered category of pandas, Enum of polars, or the like."""
    of_frame = len(getattr(y, "shape", ())) == 2
    if hasattr(y, "iloc") and of_frame:
        y = y.iloc[:, 0]
    kind: Any = getattr(y, "dtype", None)
    if getattr(kind, "ordered", False):
        return list(kind.categories)
    if hasattr(kind, "pyarrow_dtype"):
        y = pa.chunked_array(pa.array(y))
    elif hasattr(y, "__arrow_c_stream__") and not hasattr(y, "iloc"):  # of polars, or of Arrow
        y = pa.table(y).column(0) if of_frame else pa.chunked_array(y)
    column = _combined(y) if isinstance(y, pa.ChunkedArray) else y
    ordered = isinstance(column, pa.DictionaryArray) and column.type.ordered
    return column.dictionary.to_pylist() if ordered else []


def _arrow_array(name: str, values: Any) -> pa.Array:
    if str(getattr(values, "dtype", "")).startswith("Sparse"):
        values = np.asarray(values)
    try:
        array = pa.array(values, from_pandas=True)
    except OverflowError as error:
        raise too_large(name) from error
    except (pa.ArrowInvalid, TypeError, pa.ArrowNotImplementedError, UnicodeError) as error:
        kind = str(getattr(values, "dtype", object.__name__))
        if kind == object.__name__:
            raise TypeError(
                f"column {name!r} of X has values that are not of one readable type: {VALUES} Convert all values to "
                f"numbers, with NaN for missing values, or all values to text ({error})"
            ) from error
        raise TypeError(f"column {name!r} of X holds {kind}: {READABLE} ({error})") from error
    return _combined(array) if isinstance(array, pa.ChunkedArray) else array


def _combined(column: pa.ChunkedArray) -> pa.Array:
    """The chunks of a column as one array. Arrow does not combine all empty slices, nor dictionaries with nulls."""
    chunks = [chunk for chunk in column.chunks if len(chunk)]
    if pa.types.is_dictionary(column.type) and any(chunk.dictionary.null_count for chunk in chunks):
        chunks = [_without_null(chunk) for chunk in chunks]
    kind = chunks[0].type if chunks else column.type
    return pa.chunked_array(chunks, kind).unify_dictionaries().combine_chunks()


def _without_null(chunk: pa.DictionaryArray) -> pa.DictionaryArray:
    """The same values by a dictionary without nulls."""
    absent = chunk.dictionary.is_null().to_numpy(zero_copy_only=False)
    codes = pa.array(np.cumsum(~absent) - 1, mask=absent)
    return pa.DictionaryArray.from_arrays(codes.take(chunk.indices), chunk.dictionary.drop_null())


def _frame_of_arrays(
    names: list[str], columns: list[pa.Array], shape: tuple[int, int], estimator: Any, *, named: bool
) -> Frame:
    check_array(np.broadcast_to(0.0, shape), estimator=estimator, input_name="X")  # reports an empty X
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"two columns of X are called {twice!r}: rename one of them")
    plain = tuple(_frame_column(name, column) for name, column in zip(names, columns, strict=True))
    for name, column in zip(names, plain, strict=True):
        if _is_numeric(column):
            refuse_infinity(name, column)
    return Frame(tuple(names), plain, shape[0], named)


def _frame_column(name: str, column: pa.Array) -> Any:
    """An Arrow array in the form of a frame's columns."""
    kind = column.type
    value_kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if pa.types.is_null(value_kind):
        return np.full(len(column), np.nan)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        try:
            whole = pa.types.is_decimal(kind) and kind.scale <= 0  # checked as integers are
            return (column.cast(pa.int64()) if whole else column).cast(pa.float64()).to_numpy(zero_copy_only=False)
        except pa.ArrowInvalid as error:
            raise too_large(name) from error
    numbers = pa.types.is_integer(value_kind) or pa.types.is_floating(value_kind)
    text = pa.types.is_string(value_kind) or pa.types.is_large_string(value_kind) or pa.types.is_string_view(value_kind)
    if not (text or pa.types.is_boolean(value_kind) or (numbers and value_kind != kind)):
        raise TypeError(f"column {name!r} of X holds {kind}: {READABLE}")
    return column


def _labels_and_codes(column: Any) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """The labels of a column in order, and the code of each row."""
    if _is_numeric(column):
        return labels_of_numbers(column)
    if isinstance(column, np.ndarray):  # booleans
        return TRUTH[column.min() : column.max() + 1], column - column.min()
    category = pa.types.is_dictionary(column.type)
    encoded = column if category else column.dictionary_encode()
    values = encoded.dictionary.to_pylist()
    codes = encoded.indices.cast(pa.int32()).fill_null(MISSING).to_numpy(zero_copy_only=False)
    if not category:
        order = sorted(range(len(values)), key=values.__getitem__)
        to = np.empty(len(values) + 1, np.int32)
        to[order], to[-1] = np.arange(len(values)), MISSING  # MISSING indexes the last entry
        values, codes = [values[index] for index in order], to[codes]
    texts = [None if value is None or value != value else _text(value) for value in values]  # noqa: PLR0124 - NaN
    code_of = {text: code for code, text in enumerate(dict.fromkeys(text for text in texts if text is not None))}
    # a dictionary may hold a value twice, or a missing value, for which -1 and the last entry stand
    to = np.array([*(MISSING if text is None else code_of[text] for text in texts), MISSING], np.int32)
    return tuple(code_of), to[codes]


def _text(value: str | bool | float) -> str:
    return number_text(value) if isinstance(value, float) else str(value)
