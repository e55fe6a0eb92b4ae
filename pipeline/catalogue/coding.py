"""From columns of text to data sets: labels become codes, numbers numbers, and parts share both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import compute

from algorithms.data_set import MISSING, Attribute, AttributeKind, DataSet
from pipeline.catalogue.delimited import TextTable
from pipeline.catalogue.entry import Column, ColumnKind, Layout
from pipeline.catalogue.numbers import is_number, number
from pipeline.errors import DataError

__all__ = ["data_sets", "with_kinds"]

Codes = NDArray[np.int32]
Numbers = NDArray[np.float64]


def data_sets(parts: Mapping[str, TextTable], layout: Layout) -> dict[str, DataSet]:
    """The data set of each part; all have the same attributes, labels and classes.

    Codes follow the declared values, or else the labels in their order: as numbers where all are numbers.

    Raises
    ------
    DataError
        A text in a numeric column, or a label that is not declared; names file, line, column and text.
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
        No column is called `target`, or most values of a column are numbers and others are not.
    """
    names = [column.name for column in table.columns]
    if target is not None and target not in names:
        msg = f"{table.name}: there is no column '{target}' to be the class; columns: {', '.join(names)}"
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
    texts, indices = _distinct(table, place)
    known = [text not in missing for text in texts]
    numeric = [is_number(text) for text in texts]
    others = [text for text, is_known, is_numeric in zip(texts, known, numeric, strict=True) if is_known > is_numeric]
    numbers = sum(numeric)
    if numbers > len(others) > 0:
        rows = np.flatnonzero(np.isin(indices, [texts.index(text) for text in others]))
        msg = (
            f"{table.place(int(rows[0]))}, column '{table.columns[place].name}': {others[0][:60]!r} is no number, "
            f"as {numbers} other values are: mend it, or say in a catalogue's YAML that the column is nominal "
            "or that the text means missing"
        )
        raise DataError(msg)
    return numbers > 0


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
    if not column.recode:
        absent = compute.is_in(texts, pa.array(layout.missing, pa.string()))
        known = compute.if_else(absent, pa.scalar(None, pa.string()), texts)
        try:
            numbers = compute.cast(known, pa.float64()).to_numpy()
        except pa.ArrowInvalid:  # a form of number that Arrow does not know, or none: one by one
            pass
        else:
            if int(np.isnan(numbers).sum()) == known.null_count and not np.isinf(numbers).any():
                return np.asarray(numbers, np.float64) + 0.0  # no -0.0
    distinct, indices = _distinct(replace(table, texts=(texts,)), 0)
    values = np.full(len(distinct) + 1, np.nan)
    for index, text in enumerate(distinct):
        recoded = column.recode.get(text, text)
        if recoded not in layout.missing:
            value = number(recoded)
            if value is None:
                row = int(np.flatnonzero(indices == index)[0])
                msg = (
                    f"{table.place(row)}, column '{column.name}': {recoded[:60]!r} is no finite number: mend it, "
                    f"or add it to `missing` or make the column nominal in the catalogue's YAML"
                )
                raise DataError(msg)
            values[index] = value
    return np.asarray(values[indices] + 0.0)


def _codes(
    tables: Sequence[TextTable], place: int, column: Column, layout: Layout
) -> tuple[tuple[str, ...], list[Codes]]:
    """The labels of a nominal column, and its codes in each table."""
    found = []
    for table in tables:
        texts, indices = _distinct(table, place)
        found.append(([column.recode.get(text, text) for text in texts], indices))
    seen = {text for texts, _ in found for text in texts if text not in layout.missing}
    labels = column.labels or _in_order(seen)
    codes = {label: code for code, label in enumerate(labels)} | dict.fromkeys(layout.missing, MISSING)
    coded = []
    for table, (texts, indices) in zip(tables, found, strict=True):
        for index, text in enumerate(texts):
            if text not in codes:
                row = int(np.flatnonzero(indices == index)[0])
                msg = (
                    f"{table.place(row)}, column '{column.name}': {text[:60]!r} is none of its declared values, "
                    f"{', '.join(labels[:20])}: mend it, or add it to them or to `missing` in the catalogue's YAML"
                )
                raise DataError(msg)
        coded.append(np.array([*(codes[text] for text in texts), MISSING], np.int32)[indices])
    return labels, coded


def _in_order(labels: set[str]) -> tuple[str, ...]:
    if all(is_number(label) for label in labels):
        return tuple(sorted(labels, key=lambda label: (float(label), label)))
    return tuple(sorted(labels))
