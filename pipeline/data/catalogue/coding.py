"""Convert columns of text to data sets: labels become codes, texts of numbers become numbers, alike in all parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import compute

from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet
from pipeline.configuration.option_text import list_option, mapping_option
from pipeline.data.catalogue.delimited import TextTable
from pipeline.data.catalogue.entry import Column, ColumnKind, FileLayout
from pipeline.data.catalogue.limits import check_classes
from pipeline.data.catalogue.lines import some
from pipeline.errors import DataError
from pipeline.words import is_number

MOST_WHOLE = 2.0**53
"""Below this, all whole numbers are doubles."""

Codes = NDArray[np.int32]
Numbers = NDArray[np.float64]


def data_sets(parts: Mapping[str, TextTable], layout: FileLayout) -> dict[str, DataSet]:
    """The data set of each part; all have the same attributes, labels and classes.

    Codes follow the declared values, or else the sorted labels: as numbers if all are numbers.

    Raises DataError: a numeric column has a text, a label is not declared, or there are too many classes; the
    message names file, line, column and text.
    """
    tables = [table.kept() for table in parts.values()]
    attributes: list[Attribute] = []
    columns: list[Sequence[Codes] | Sequence[Numbers]] = []
    classes: tuple[str, ...] = ()
    decisions: list[Codes] = []
    for index, column in enumerate(tables[0].columns):
        if column.kind is ColumnKind.NUMERIC:
            attributes.append(Attribute(column.name, AttributeKind.NUMERIC, unit=column.unit))
            columns.append([_numbers(table, index, column, layout) for table in tables])
            continue
        labels, codes = _codes(tables, index, column, layout)
        if column.kind is ColumnKind.CLASS:
            check_classes(len(labels), f"{tables[0].name}, column '{column.name}'")
            classes, decisions = labels, codes
        else:
            attributes.append(Attribute(column.name, AttributeKind.NOMINAL, labels))
            columns.append(codes)
    return {
        part: DataSet(tuple(attributes), tuple(column[index] for column in columns), classes, decisions[index])
        for index, part in enumerate(parts)
    }


def distinct_texts(table: TextTable, column: int) -> tuple[list[str], NDArray[np.int64]]:
    """The distinct texts of a column, stripped, and the index of each row's text among them; -1 for null.

    Texts that differ only in surrounding blanks appear once for each form.
    """
    encoded = table.texts[column].combine_chunks().dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.unify_dictionaries().combine_chunks()
    texts = [text.strip() for text in encoded.dictionary.to_pylist()]
    indices = compute.fill_null(encoded.indices, -1)
    return texts, indices.to_numpy(zero_copy_only=False).astype(np.int64)


def _numbers(table: TextTable, position: int, column: Column, layout: FileLayout) -> Numbers:
    texts = compute.utf8_trim_whitespace(table.texts[position])
    if layout.decimal_comma:
        texts = compute.replace_substring(texts, ",", ".")
    if not column.recode and (numbers := cast_numbers(texts, layout.missing)) is not None:
        return numbers
    distinct, indices = distinct_texts(replace(table, texts=(texts,)), 0)
    values = np.full(len(distinct) + 1, np.nan)
    for index, text in enumerate(distinct):
        recoded = column.recode.get(text, text)
        if recoded not in layout.missing:
            if not is_number(recoded):
                raise DataError(
                    f"{location_of(table, indices, index, column)}: {recoded[:60]!r} is not a finite number: change "
                    "the value. If a catalogue's YAML describes the file, you can instead add the value to `missing` "
                    "there, or make the column nominal"
                )
            values[index] = value = float(recoded)
            if abs(value) >= MOST_WHOLE and recoded.lstrip("+-").isdigit() and int(value) != int(recoded):
                raise DataError(
                    f"{location_of(table, indices, index, column)}: {recoded[:60]} has more digits than a number can "
                    f"hold exactly: leave the column out by {list_option('drop', column.name)}, or make it nominal by "
                    f"{mapping_option('types', column.name, 'nominal')}; for a data set of a catalogue, change its "
                    "YAML file instead"
                )
    return np.asarray(values[indices] + 0.0)


def cast_numbers(texts: pa.ChunkedArray, missing: Sequence[str]) -> Numbers | None:
    """Convert stripped texts to numbers, all at once; None if one may not be a number."""
    absent = compute.is_in(texts, pa.array(missing, pa.string()))
    known = compute.if_else(absent, pa.scalar(None, pa.string()), texts)
    try:
        numbers = np.asarray(compute.cast(known, pa.float64()).to_numpy(), np.float64)
    except pa.ArrowInvalid:
        return None
    if int(np.isnan(numbers).sum()) != known.null_count or np.isinf(numbers).any():
        return None
    if np.abs(numbers).max(initial=0, where=~np.isnan(numbers)) >= MOST_WHOLE:
        return None  # checked one by one
    return numbers + 0.0  # no -0.0


def _codes(
    tables: Sequence[TextTable], position: int, column: Column, layout: FileLayout
) -> tuple[tuple[str, ...], list[Codes]]:
    """The labels of a nominal column, and its codes in each table."""
    distinct = [distinct_texts(table, position) for table in tables]
    recoded = [([column.recode.get(text, text) for text in texts], indices) for texts, indices in distinct]
    seen = {text for texts, _ in recoded for text in texts if text not in layout.missing}
    labels = column.labels or _in_order(seen)
    codes = dict.fromkeys(layout.missing, MISSING) | {label: code for code, label in enumerate(labels)}
    coded = []
    for table, (texts, indices) in zip(tables, recoded, strict=True):
        for index, text in enumerate(texts):
            if text not in codes:
                raise DataError(
                    f"{location_of(table, indices, index, column)}: {text[:60]!r} is not declared: expected "
                    f"a declared value, such as {some(labels)}. Change the value, or declare it; in a catalogue's "
                    "YAML, you can instead add it to `missing`"
                )
        coded.append(np.array([*(codes[text] for text in texts), MISSING], np.int32)[indices])
    return labels, coded


def location_of(table: TextTable, indices: NDArray[np.int64], index: int, column: Column) -> str:
    """The file, the line and the column in which the text with an index first appears."""
    return f"{table.location(int(np.flatnonzero(indices == index)[0]))}, column '{column.name}'"


def _in_order(labels: set[str]) -> tuple[str, ...]:
    if all(is_number(label) for label in labels):
        return tuple(sorted(labels, key=lambda label: (float(label), label)))
    return tuple(sorted(labels))
