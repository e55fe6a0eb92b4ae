"""Decision tables from data sets.

Alkhalid, Chikalov, Moshkov and others use these conventions for tables of the UCI repository: they drop attributes that
have a different value in every row, fill missing values with the attribute's most common value, and merge equal rows
into one row with their most common decision. If several decisions are the most common, they take the decision that
comes first in the order of the rows: published values for house-votes-84 and SPECT agree with this rule and not with
the sorted order. These conventions are the defaults of `decision_table`; a grid may choose others by its options.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from algorithms.data.data_set import MISSING, Attribute, AttributeKind, Column, DataSet, DataSetError, labels_of_numbers
from algorithms.data.table import DecisionTable, DecisionTies, Labels
from algorithms.options import check_choice, check_type
from algorithms.plurals import counted

__all__ = [
    "OPTIONS",
    "decision_table",
    "filled_with_modes",
    "missing_as_value",
    "numbers_as_values",
]

MissingValues = Literal["mode", "value", "drop_rows"]
NumericAttributes = Literal["refuse", "values"]
DistinctAttributes = Literal["drop", "keep"]
RowWeights = Literal["one", "multiplicity"]

OPTIONS: dict[str, tuple[str, ...]] = {
    "missing": get_args(MissingValues),
    "numeric": get_args(NumericAttributes),
    "distinct_attributes": get_args(DistinctAttributes),
    "decision_ties": get_args(DecisionTies),
    "row_weights": get_args(RowWeights),
}
"""The allowed values of each option of `decision_table`."""


def decision_table(
    data: DataSet,
    *,
    missing: MissingValues = "mode",
    numeric: NumericAttributes = "refuse",
    distinct_attributes: DistinctAttributes = "drop",
    decision_ties: DecisionTies = "first_seen",
    row_weights: RowWeights = "one",
) -> DecisionTable:
    """The decision table of a data set, in the order of its rows.

    Rows whose class is missing are always left out first. Then the options apply in this order, except that
    missing="value" applies after `numeric`.

    Parameters
    ----------
    data : DataSet
        The rows, such as `data_set_of(X, y)` gives.
    missing : {"mode", "value", "drop_rows"}, default="mode"
        "mode" replaces missing values by the most common value of their attribute (`filled_with_modes`), "value" makes
        "missing" a value of the attribute (`missing_as_value`), and "drop_rows" leaves out rows with missing values.
    numeric : {"refuse", "values"}, default="refuse"
        "refuse" raises an error for a numeric attribute; `discretised` can cut such attributes into intervals first.
        "values" makes the attribute nominal, with a label for each distinct number (`numbers_as_values`), as the papers
        do with the whole-number codes of UCI sets.
    distinct_attributes : {"drop", "keep"}, default="drop"
        Whether to leave out attributes that have a different value in every row, such as names. A data set with a
        single row keeps all attributes.
    decision_ties : {"first_seen", "sorted"}, default="first_seen"
        Equal rows become one row, at the position of the first, with their most common decision. If several decisions
        are the most common, "first_seen" takes the decision that comes first in the order of the rows, and "sorted"
        takes the decision that comes first in `data.classes`.
    row_weights : {"one", "multiplicity"}, default="one"
        "one" gives each row of the table weight 1. "multiplicity" gives it the number of rows that it represents, so
        that the total path length and the average depth are those of the data set.

    Returns
    -------
    DecisionTable
        It keeps all labels of attributes and classes, even if no row has them. So a code means the same in all tables
        from rows of one data set.

    Raises
    ------
    DataSetError
        An attribute is numeric and `numeric` is "refuse"; an attribute has no known value to fill with; or no row is
        left.
    ValueError
        An option has a value that is not listed here.

    Examples
    --------
    >>> from orchard import data_set_of, decision_table
    >>> rows = [["sun", "weak"], ["sun", "weak"], ["sun", "strong"], ["rain", "weak"]]
    >>> decision_table(data_set_of(rows, ["play", "play", "stay", "stay"]))
    <DecisionTable: 3 rows, 2 attributes, 2 decisions>
    """
    given = (missing, numeric, distinct_attributes, decision_ties, row_weights)
    for (name, allowed), value in zip(OPTIONS.items(), given, strict=True):
        check_choice(name, value, allowed)
    check_type("data", data, DataSet, "data_set_of(X, y)")
    data = _rows_with_class(data)
    if missing == "mode":
        data = filled_with_modes(data)
    elif missing == "drop_rows":
        data = _rows_without_missing(data)
    if numeric == "values":
        data = numbers_as_values(data)
    _check_all_nominal(data)
    if missing == "value":
        data = missing_as_value(data)
    if distinct_attributes == "drop":
        values = [len(np.unique(column)) for column in data.columns]
        data = data.select([index for index, number in enumerate(values) if number < data.rows or data.rows == 1])
    codes = np.stack(list(data.columns), axis=1) if data.columns else np.zeros((data.rows, 0), np.int32)
    return DecisionTable.from_codes(
        codes,
        data.decisions,
        weights=np.ones(data.rows, np.int64) if row_weights == "multiplicity" else None,
        decision_ties=decision_ties,
        labels=Labels.of(data.attributes, data.classes),
    )


def filled_with_modes(data: DataSet) -> DataSet:
    """Return the data set with each missing value replaced by the most common value of its attribute.

    If several values are the most common, the first label in sorted order or the smallest number is taken.

    Parameters
    ----------
    data : DataSet

    Returns
    -------
    DataSet

    Raises
    ------
    DataSetError
        An attribute has no known value.

    Examples
    --------
    >>> from orchard import data_set_of, filled_with_modes
    >>> filled_with_modes(data_set_of([[1.0], [1.0], [float("nan")]], [0, 0, 1])).columns[0].tolist()
    [1.0, 1.0, 1.0]
    """
    check_type("data", data, DataSet, "data_set_of(X, y)")
    columns = []
    for attribute, column, absent in zip(data.attributes, data.columns, data.missing.T, strict=True):
        columns.append(np.where(absent, _mode(attribute, column[~absent]), column) if absent.any() else column)
    return replace(data, columns=tuple(columns))


def missing_as_value(data: DataSet) -> DataSet:
    """Return the data set in which a missing value of a nominal attribute is a value of its own.

    The label of the new value is "?" and comes last. If an attribute already has a label "?", the new label is "??",
    and so on. Numeric attributes, and attributes without missing values, do not change.

    Parameters
    ----------
    data : DataSet

    Returns
    -------
    DataSet

    Examples
    --------
    >>> from orchard import data_set_of, missing_as_value
    >>> missing_as_value(data_set_of([["sun"], [None]], [0, 1])).attributes[0].labels
    ('sun', '?')
    """
    check_type("data", data, DataSet, "data_set_of(X, y)")
    attributes, columns = list(data.attributes), list(data.columns)
    for index, (attribute, column) in enumerate(zip(data.attributes, data.columns, strict=True)):
        if attribute.kind is AttributeKind.NOMINAL and (column == MISSING).any():
            label = "?"
            while label in attribute.labels:
                label += "?"
            attributes[index] = attribute._replace(labels=(*attribute.labels, label))
            columns[index] = np.where(column == MISSING, np.int32(len(attribute.labels)), column)
    return replace(data, attributes=tuple(attributes), columns=tuple(columns))


def numbers_as_values(data: DataSet) -> DataSet:
    """Return the data set in which numeric attributes are nominal: a label for each distinct number.

    Labels are in increasing order, and missing values stay missing. The codes depend on the rows, so apply this before
    splitting a data set.

    Parameters
    ----------
    data : DataSet

    Returns
    -------
    DataSet

    Examples
    --------
    >>> from orchard import data_set_of, numbers_as_values
    >>> numbers_as_values(data_set_of([[2.5], [1.0]], [0, 1])).attributes[0].labels
    ('1', '2.5')
    """
    check_type("data", data, DataSet, "data_set_of(X, y)")
    attributes, columns = list(data.attributes), list(data.columns)
    for index, (attribute, column) in enumerate(zip(data.attributes, data.columns, strict=True)):
        if attribute.kind is AttributeKind.NUMERIC:
            labels, columns[index] = labels_of_numbers(column)
            attributes[index] = Attribute(attribute.name, AttributeKind.NOMINAL, labels)
    return replace(data, attributes=tuple(attributes), columns=tuple(columns))


def _rows_with_class(data: DataSet) -> DataSet:
    labelled = np.flatnonzero(data.decisions != MISSING)
    if not len(labelled):
        raise DataSetError("no row has a class: a decision table needs at least one row with a class")
    return data.take(labelled)


def _rows_without_missing(data: DataSet) -> DataSet:
    absent = data.missing
    complete = np.flatnonzero(~absent.any(axis=1))
    if not len(complete):
        worst = int(absent.sum(axis=0).argmax())
        raise DataSetError(
            f"each row has a missing value, so no row is left. Attribute {data.attributes[worst].name!r} has "
            f"{counted(int(absent[:, worst].sum()), 'missing value')}: leave this attribute out, "
            'or pass missing="mode" or missing="value"'
        )
    return data.take(complete)


def _mode(attribute: Attribute, known: Column) -> float:
    """The most common value of a column; of several the first label in sorted order, or the smallest number."""
    if not len(known):
        raise DataSetError(
            f"attribute {attribute.name!r} has only missing values, so no value can fill them: leave the "
            'attribute out, or pass missing="value"'
        )
    values, counts = np.unique(known, return_counts=True)
    most_common = values[counts == counts.max()]
    if attribute.kind is AttributeKind.NUMERIC:
        return float(most_common[0])
    return int(min(most_common, key=lambda code: attribute.labels[code]))


def _check_all_nominal(data: DataSet) -> None:
    numeric = [attribute.name for attribute in data.attributes if attribute.kind is AttributeKind.NUMERIC]
    if numeric:
        others = f" (like {counted(len(numeric) - 1, 'other attribute')})" if len(numeric) > 1 else ""
        raise DataSetError(
            f"attribute {numeric[0]!r}{others} is numeric, but a decision table has only nominal attributes: cut "
            'numbers into intervals with orchard.discretised, or make each number a value with numeric="values"'
        )
