"""From columns of text to data sets: labels become codes, numbers numbers, and parts share both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import compute

from algorithms.data_set import MISSING, Attribute, AttributeKind, DataSet
from pipeline.data.catalogue.delimited import TextTable
from pipeline.data.catalogue.entry import Column, ColumnKind, Layout
from pipeline.data.catalogue.limits import DEFAULT_LIMITS, Limits
from pipeline.data.catalogue.lines import some
from pipeline.decimal_text import is_number
from pipeline.errors import DataError

__all__ = ["data_sets", "with_kinds"]

MOST_WHOLE = 2.0**53
"""Below which all whole numbers are doubles."""

MOSTLY = 10
"""A column of a file of which nothing is declared, with so many numbers to each other text, is meant to be numeric."""

Codes = NDArray[np.int32]
Numbers = NDArray[np.float64]


def data_sets(parts: Mapping[str, TextTable], layout: Layout, limits: Limits = DEFAULT_LIMITS) -> dict[str, DataSet]:
    """The data set of each part; all have the same attributes, labels and classes.

    Codes follow the declared values, or else the labels in their order: as numbers where all are numbers.

    Raises
    ------
    DataError
        A text in a numeric column, a label that is not declared, or more classes than the limits allow; names file,
        line, column and text.
    """
    tables = [table.kept() for table in parts.values()]
    attributes: list[Attribute] = []
    columns: list[Sequence[Codes] | Sequence[Numbers]] = []
    classes: tuple[str, ...] = ()
    decisions: list[Codes] = []
    for place, column in enumerate(tables[0].columns):
        if column.kind is ColumnKind.NUMERIC:
            attributes.append(Attribute(column.name, AttributeKind.NUMERIC))
            columns.append([_numbers(table, place, column, layout) for table in tables])
            continue
        labels, codes = _codes(tables, place, column, layout)
        if column.kind is ColumnKind.CLASS:
            limits.check_classes(len(labels), f"{tables[0].name}, column '{column.name}'")
            classes, decisions = labels, codes
        else:
            attributes.append(Attribute(column.name, AttributeKind.NOMINAL, labels))
            columns.append(codes)
    return {
        part: DataSet(tuple(attributes), tuple(column[place] for column in columns), classes, decisions[place])
        for place, part in enumerate(parts)
    }


def with_kinds(table: TextTable, missing: Sequence[str], target: str | None) -> TextTable:
    """The table of a file of which nothing is declared, its columns told from their texts.

    A column is numeric if all its values are numbers, and nominal otherwise; the class is `target`, or the last.

    Raises
    ------
    DataError
        No column is called `target`, or a column has a text or a few among numbers, ten different ones to each.
    """
    names = [column.name for column in table.columns]
    if target is not None and target not in names:
        msg = f"{table.name}: there is no column '{target}' to be the class; columns: {some(names)}"
        raise DataError(msg)
    of_class = len(names) - 1 if target is None else names.index(target)
    columns = []
    for place, column in enumerate(table.columns):
        if place == of_class:
            columns.append(replace(column, kind=ColumnKind.CLASS))
        elif column.kind is ColumnKind.NOMINAL and not column.labels and _all_numbers(table, place, missing):
            columns.append(replace(column, kind=ColumnKind.NUMERIC))
        else:
            columns.append(column)
    return replace(table, columns=tuple(columns))


def _all_numbers(table: TextTable, place: int, missing: Sequence[str]) -> bool:
    numbers = _cast(compute.utf8_trim_whitespace(table.texts[place]), missing)
    if numbers is not None:
        return not np.isnan(numbers).all()
    texts, indices = _distinct(table, place)
    others = [index for index, text in enumerate(texts) if text not in missing and not is_number(text)]
    numeric = sum(is_number(text) for text in texts)
    if others and numeric >= MOSTLY * len(others):
        first = indices[np.isin(indices, others)][0]
        msg = (
            f"{_cell(table, indices, first, table.columns[place])}: {texts[first][:60]!r} is not a number, "
            f"but {numeric} other values are: mend it, or say in a catalogue's YAML that the column is nominal "
            "or that the text means missing"
        )
        raise DataError(msg)
    return numeric > 0 and not others


def _distinct(table: TextTable, place: int) -> tuple[list[str], NDArray[np.int64]]:
    """The different texts of a column, stripped, and for each row its text's place among them; -1 for nothing.

    Texts that are different only in the blanks around them stand there as often.
    """
    encoded = table.texts[place].combine_chunks().dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.unify_dictionaries().combine_chunks()
    texts = [text.strip() for text in encoded.dictionary.to_pylist()]
    indices = compute.fill_null(encoded.indices, -1)
    return texts, indices.to_numpy(zero_copy_only=False).astype(np.int64)


def _numbers(table: TextTable, place: int, column: Column, layout: Layout) -> Numbers:
    texts = compute.utf8_trim_whitespace(table.texts[place])
    if layout.decimal_comma:
        texts = compute.replace_substring(texts, ",", ".")
    if not column.recode and (numbers := _cast(texts, layout.missing)) is not None:
        return numbers
    distinct, indices = _distinct(replace(table, texts=(texts,)), 0)
    values = np.full(len(distinct) + 1, np.nan)
    for index, text in enumerate(distinct):
        recoded = column.recode.get(text, text)
        if recoded not in layout.missing:
            if not is_number(recoded):
                msg = (
                    f"{_cell(table, indices, index, column)}: {recoded[:60]!r} is not a finite number: mend it, "
                    f"or add it to `missing` or make the column nominal in the catalogue's YAML"
                )
                raise DataError(msg)
            values[index] = value = float(recoded)
            if abs(value) >= MOST_WHOLE and recoded.lstrip("+-").isdigit() and int(value) != int(recoded):
                msg = (
                    f"{_cell(table, indices, index, column)}: {recoded[:60]} has more digits than a number can "
                    "hold exactly: take the column out, or make it nominal in a YAML of your catalogue"
                )
                raise DataError(msg)
    return np.asarray(values[indices] + 0.0)


def _cast(texts: pa.ChunkedArray, missing: Sequence[str]) -> Numbers | None:
    """The numbers that stripped texts are, all at once; None where one may be none."""
    absent = compute.is_in(texts, pa.array(missing, pa.string()))
    known = compute.if_else(absent, pa.scalar(None, pa.string()), texts)
    try:
        numbers = np.asarray(compute.cast(known, pa.float64()).to_numpy(), np.float64)
    except pa.ArrowInvalid:
        return None
    if int(np.isnan(numbers).sum()) != known.null_count or np.isinf(numbers).any():
        return None
    if np.abs(numbers).max(initial=0, where=~np.isnan(numbers)) >= MOST_WHOLE:
        return None  # looked at one by one
    return numbers + 0.0  # no -0.0


def _codes(
    tables: Sequence[TextTable], place: int, column: Column, layout: Layout
) -> tuple[tuple[str, ...], list[Codes]]:
    """The labels of a nominal column, and its codes in each table."""
    distinct = [_distinct(table, place) for table in tables]
    found = [([column.recode.get(text, text) for text in texts], indices) for texts, indices in distinct]
    seen = {text for texts, _ in found for text in texts if text not in layout.missing}
    labels = column.labels or _in_order(seen)
    codes = {label: code for code, label in enumerate(labels)} | dict.fromkeys(layout.missing, MISSING)
    coded = []
    for table, (texts, indices) in zip(tables, found, strict=True):
        for index, text in enumerate(texts):
            if text not in codes:
                msg = (
                    f"{_cell(table, indices, index, column)}: {text[:60]!r} is not one of its declared values, "
                    f"{some(labels)}: mend it, or add it to them or to `missing` in the catalogue's YAML"
                )
                raise DataError(msg)
        coded.append(np.array([*(codes[text] for text in texts), MISSING], np.int32)[indices])
    return labels, coded


def _cell(table: TextTable, indices: NDArray[np.int64], index: int, column: Column) -> str:
    """Where the text of an index stands first: the file, the line and the column."""
    return f"{table.place(int(np.flatnonzero(indices == index)[0]))}, column '{column.name}'"


def _in_order(labels: set[str]) -> tuple[str, ...]:
    if all(is_number(label) for label in labels):
        return tuple(sorted(labels, key=lambda label: (float(label), label)))
    return tuple(sorted(labels))
