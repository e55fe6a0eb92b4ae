"""Makes data sets from rows and their classes, or from a decision table."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from algorithms.data.data_set import Attribute, AttributeKind, DataSet, DataSetError, is_missing
from algorithms.data.inputs import Frame, Nominal, column_of_classes, data_set_of_frame, frame_of
from algorithms.data.recoding import MOSTLY, as_number
from algorithms.data.table import DecisionTable

__all__ = ["checked_classes", "data_set_of", "labelled"]

MANY_LABELS = 20
"""A warning is given only for a column with at least this many labels, which may be an identifier or a date."""


def data_set_of(X: Any, y: Any = None) -> DataSet:  # noqa: N803
    """Return rows and their classes as a data set, as estimators read them.

    Parameters
    ----------
    X : array-like of shape (n_rows, n_attributes) or DecisionTable
        A numpy array, a list of rows, a pandas or polars frame, or an Arrow table: numbers are numeric attributes;
        text, booleans and categories are nominal. If X is a decision table, its attributes are nominal, and its
        decisions are the classes. The data set does not contain the weights of the table's rows (`X.weights`).
    y : array-like of shape (n_rows,); left out if and only if X is a DecisionTable
        The class of each row.

    Returns
    -------
    DataSet

    Raises
    ------
    ValueError, TypeError
        X or y is not what estimators take, or they do not fit together.

    Examples
    --------
    >>> from orchard import data_set_of
    >>> data = data_set_of([["red", 1.5], ["blue", None]], ["stop", "go"])
    >>> [attribute.kind.value for attribute in data.attributes], data.classes
    (['nominal', 'numeric'], ('go', 'stop'))
    """
    if isinstance(X, DecisionTable):
        if y is not None:
            raise ValueError("X is a decision table, which already has classes: call data_set_of(table) without y")
        return _rows_of_table(X)
    if y is None:
        raise ValueError("y is missing: give the class of each row, as in data_set_of(X, y)")
    rows = X.copy() if hasattr(X, "copy") else X  # its array may be used again
    return labelled(frame_of(rows, None), checked_classes(y, "data_set_of"), "auto")[0]


def labelled(given: Frame, targets: NDArray[Any], nominal: Nominal) -> tuple[DataSet, NDArray[Any]]:
    """The data set of columns and the classes of its rows; and its classes as given, in order."""
    classes, decisions = _classes_and_codes(targets)
    if len(targets) != given.rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{given.rows}, {len(targets)}]")
    data = data_set_of_frame(given, nominal, [str(label) for label in classes.tolist()], decisions)
    for attribute in data.attributes:
        labels = len(attribute.labels)
        if labels < MANY_LABELS:
            continue
        texts = [label for label in attribute.labels if isinstance(as_number(label), str)]
        if 0 < MOSTLY * len(texts) <= labels - len(texts):
            warnings.warn(
                f"column {attribute.name!r} of X is text because of {texts[0]!r}, but {labels - len(texts):,} of its "
                f"{labels:,} labels are numbers. A split may have a branch for each label. If the column holds "
                f"numbers, convert it, in pandas by pd.to_numeric(X[{attribute.name!r}], errors='coerce')",
                stacklevel=4,
            )
        elif 2 * labels > data.rows:
            column = f"X[{attribute.name!r}]"
            dates = f"Dates can become numbers, in pandas by (pd.to_datetime({column}) - pd.Timestamp(0)).dt.days"
            texts_of_numbers = f"Text can become numbers, in pandas by pd.to_numeric({column})"
            warnings.warn(
                f"column {attribute.name!r} of X has {labels:,} labels in {data.rows:,} rows, and a split may have a "
                "branch for each label. If the column is an identifier, leave it out. "
                f"{dates if texts else texts_of_numbers}",
                stacklevel=4,
            )
    return data, classes


def checked_classes(y: Any, caller: str) -> NDArray[Any]:
    """(rows,): classes in any form, as an array.

    Raises ValueError if there is more than one column, a class is missing, they are of several types or dates, or they
    are numbers that look measured.
    """
    column = column_of_classes(y)
    targets: NDArray[Any] = column_or_1d(column, warn=True)
    if targets.dtype.kind in "mMV":  # a missing date is no NaN
        raise ValueError(
            f"Unknown label type: y holds {targets.dtype}: expected text, whole numbers or booleans; leave out "
            "rows without a class, and convert y, for example with y.astype(str)"
        )
    objects, what, mend = targets, "an array of objects", "y.astype(str)"
    if isinstance(column, list | tuple) and targets.dtype.kind == "U":  # numpy made text of other values, too
        objects, what, mend = np.array(column, dtype=object).ravel(), "a list with text", "list(map(str, y))"
    pairs = list(zip(objects.tolist(), targets.tolist(), strict=True)) if objects.dtype == object else []
    for row, (value, _) in enumerate(pairs):
        if is_missing(value):
            raise ValueError(
                f"Input y contains NaN: row {row} has {value} instead of a class; leave out rows without a class"
            )
    for row, (value, text) in enumerate(pairs):
        if not isinstance(value, str) or value != text:
            raise ValueError(
                f"Unknown label type: y is {what}, and its row {row} is {value!r}: expected text in each row; "
                f"convert y, for example with {mend}"
            )
    assert_all_finite(targets, estimator_name=caller, input_name="y")
    check_classification_targets(targets)
    return targets


def _rows_of_table(table: DecisionTable) -> DataSet:
    attributes = tuple(
        Attribute(name, AttributeKind.NOMINAL, _texts(f"attribute {name!r}", labels))
        for name, labels in zip(table.labels.attributes, table.labels.values, strict=True)
    )
    columns = tuple(np.array(column, np.int32) for column in table.codes.T)
    classes = _texts("the decision", table.labels.decisions)
    return DataSet(attributes, columns, classes, np.array(table.decisions, np.int32))


def _texts(what: str, labels: Sequence[Hashable]) -> tuple[str, ...]:
    """The texts of labels, by which a data set distinguishes them; DataSetError if two are equal."""
    texts = tuple(map(str, labels))
    if len(set(texts)) < len(texts):
        twice = next(text for text, number in Counter(texts).items() if number > 1)
        raise DataSetError(f"{what} has two labels with the text {twice!r}, such as 1 and '1': rename one of them")
    return texts


def _classes_and_codes(targets: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """The sorted distinct targets, and the index of each row's among them (rows,); small integers are counted."""
    if targets.dtype.kind == "i" and len(targets) and targets.min() >= 0 and targets.max() <= len(targets):
        present = np.bincount(targets) > 0
        if present.all():
            return np.arange(len(present), dtype=targets.dtype), targets.astype(np.int32)
        return present.nonzero()[0].astype(targets.dtype), (present.cumsum(dtype=np.int32) - np.int32(1))[targets]
    classes, codes = np.unique(targets, return_inverse=True)
    return classes, codes.astype(np.int32)
