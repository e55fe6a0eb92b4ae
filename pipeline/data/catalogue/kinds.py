"""Which columns of a file are numeric, dates or nominal, where nothing is declared of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from pyarrow import compute

from pipeline.configuration.option_text import mapping_option
from pipeline.data.catalogue.coding import cast_numbers, cell_place, distinct_texts
from pipeline.data.catalogue.column_choice import AS_FOUND, ColumnChoice
from pipeline.data.catalogue.dates import Dates, NoDateError, dates_in
from pipeline.data.catalogue.delimited import TextTable
from pipeline.data.catalogue.entry import Column, ColumnKind
from pipeline.decimal_text import is_number
from pipeline.errors import DataError

__all__ = ["with_kinds"]

MOSTLY = 10
"""A column of a file of which nothing is declared, with so many numbers to each other text, is meant to be numeric."""


def with_kinds(table: TextTable, missing: Sequence[str], choice: ColumnChoice = AS_FOUND) -> TextTable:
    """The table of a file of which nothing is declared, its columns determined from their texts.

    A column is numeric if all its values are numbers, dates or times, and nominal otherwise. What `choice` says of a
    column comes first.

    Raises
    ------
    DataError
        `choice` does not fit the columns or their values; a column has a text or a few among numbers, ten different
        ones to each; or texts among dates.
    """
    types = dict(choice.types)
    columns = []
    for place, column in enumerate(choice.marked(table)):
        asked = types.get(column.name)
        if column.kind in {ColumnKind.CLASS, ColumnKind.DROP}:
            columns.append(column)
        elif asked == ColumnKind.NOMINAL:
            columns.append(replace(column, kind=ColumnKind.NOMINAL))
        elif asked is not None or (column.kind is ColumnKind.NOMINAL and not column.labels):
            columns.append(_numeric(table, place, missing, asked=asked is not None) or column)
        else:
            columns.append(column)
    return replace(table, columns=tuple(columns))


def _numeric(table: TextTable, place: int, missing: Sequence[str], *, asked: bool) -> Column | None:
    """The column with its numbers; None where it is nominal. `asked`: whether it must be numeric."""
    column = replace(table.columns[place], kind=ColumnKind.NUMERIC, labels=())
    numbers = cast_numbers(compute.utf8_trim_whitespace(table.texts[place]), missing)
    if numbers is not None:
        return column if asked or not np.isnan(numbers).all() else None
    texts, indices = distinct_texts(table, place)
    known = [text for text in texts if text not in missing]
    dates = _dates(table, place, known)
    if dates is not None:
        return replace(column, recode=dates.numbers, unit=dates.unit)
    others = [index for index, text in enumerate(texts) if text not in missing and not is_number(text)]
    numeric = len(known) - len(others)
    if others and (asked or numeric >= MOSTLY * len(others)):
        first = indices[np.isin(indices, others)][0]
        why = "types says that the column is numeric" if asked else f"{numeric} other values are"
        msg = (
            f"{cell_place(table, indices, first, column)}: {texts[first][:60]!r} is not a number, but {why}: mend it, "
            f"leave the cell empty if the value is unknown, or say {mapping_option('types', column.name, 'nominal')}"
        )
        raise DataError(msg)
    return column if numeric and not others else None


def _dates(table: TextTable, place: int, texts: Sequence[str]) -> Dates | None:
    try:
        return dates_in(texts)
    except NoDateError as error:
        column, (distinct, indices) = table.columns[place], distinct_texts(table, place)
        at = [index for index, text in enumerate(distinct) if text == error.text]
        first = indices[np.isin(indices, at)][0]
        msg = (
            f"{cell_place(table, indices, first, column)}: {error.text[:60]!r} {error}: write all values as 2026-01-31 "
            "or all as 2026-01-31T13:45:00, leave the cell empty if the value is unknown, or say "
            f"{mapping_option('types', column.name, 'nominal')}"
        )
        raise DataError(msg) from error
