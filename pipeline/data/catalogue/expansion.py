"""Rows of rules, in which a text stands for any value of its column, expanded to the rows that they describe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import prod

import numpy as np
import pyarrow as pa

from pipeline.data.catalogue.delimited import TextTable
from pipeline.data.catalogue.entry import Column, ColumnKind
from pipeline.errors import DataError

__all__ = ["expanded"]

MOST_ROWS = 1_000_000


def expanded(table: TextTable, any_value: str) -> TextTable:
    """Replace `any_value` in each row by the declared values.

    A row becomes one row for each combination of the declared values of those columns, the last column changing
    fastest. A row that equals an earlier one in every column is dropped, because rules may overlap.

    Raises
    ------
    DataError
        There would be more than a million rows.
    """
    rows = list(zip(*(column.to_pylist() for column in table.texts), strict=True))
    found: dict[tuple[str | None, ...], int] = {}
    for number, row in enumerate(rows):
        choices = [_choices(column, text, any_value) for column, text in zip(table.columns, row, strict=True)]
        if len(found) + prod(map(len, choices)) > MOST_ROWS:
            msg = (
                f"{table.place(number)}: with each {any_value!r} replaced by every value there are more than "
                f"{MOST_ROWS:,} rows: declare fewer values, or leave `any_value` out of the catalogue's YAML"
            )
            raise DataError(msg)
        for values in product(*choices):
            found.setdefault(values, number)
    texts = (pa.chunked_array([pa.array(column, pa.string())]) for column in zip(*found, strict=True))
    places = np.fromiter(found.values(), np.int64, len(found))
    return replace(table, texts=tuple(texts), rows=places if table.rows is None else table.rows[places])


def _choices(column: Column, text: str | None, any_value: str) -> Sequence[str | None]:
    meant = text is not None and text.strip() == any_value
    return column.labels if meant and column.kind is ColumnKind.NOMINAL and column.labels else (text,)
