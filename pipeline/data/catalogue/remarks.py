"""Remarks for people about their own file, before trees are built from it."""

from __future__ import annotations

from collections.abc import Sized

import numpy as np

from algorithms.data_set import AttributeKind, DataSet
from pipeline.configuration.option_text import list_option
from pipeline.data.catalogue.delimited import TextTable
from pipeline.data.catalogue.entry import ColumnKind

__all__ = ["remarks_on"]

MOST_OF_A_KIND = 20
"""Most classes or columns that are listed; of more, only the number is given."""


def remarks_on(table: TextTable, data: DataSet, *, own: bool = False) -> tuple[str, ...]:
    """Report classes with one row, rows without a class, and attributes whose values all differ or are all equal.

    own : whether the table is a file of the user's own, in which the key `drop` can leave columns out
    """
    found = []
    counts = np.bincount(data.decisions[data.decisions >= 0], minlength=len(data.classes))
    once = np.flatnonzero(counts == 1)
    for place in once[:MOST_OF_A_KIND]:
        row = int(np.flatnonzero(data.decisions == place)[0])
        found.append(
            f"{table.place(row)}: class '{data.classes[place]}' is seen once, so no split has it on both sides: "
            "leave the row out, or join the class with another"
        )
    found += _others(table, once, "classes are seen once")
    if len(data.classes) == 1:
        found.append(f"{table.name}: all rows are of class '{data.classes[0]}', so there is nothing to tell apart")
    if (unknown := np.flatnonzero(data.decisions < 0)).size:
        found.append(
            f"{table.place(int(unknown[0]))}: no class, as in {unknown.size} rows: they cannot be learned from"
        )
    dates = {column.name for column in table.columns if column.unit}
    differ, same = [], []
    for attribute, column in zip(data.attributes, data.columns, strict=True):
        known = column[~np.isnan(column)] if column.dtype == np.float64 else column[column >= 0]
        different = len(np.unique(known))
        whole = attribute.kind is AttributeKind.NOMINAL or not np.any(known % 1)
        if data.rows > 1 and different == data.rows and whole and attribute.name not in dates:
            differ.append(attribute.name)
        elif different <= 1:
            same.append(attribute.name)
    found += [
        f"{table.name}: every row has its own value of '{name}', as an identifier has: if it is one, leave the column "
        f"out: {list_option('drop', name) if own else f'`{name}: {ColumnKind.DROP}` in its YAML'}"
        for name in differ[:MOST_OF_A_KIND]
    ]
    found += _others(table, differ, "columns have another value in every row")
    found += [
        f"{table.name}: '{name}' has the same value in every row, so it tells nothing" for name in same[:MOST_OF_A_KIND]
    ]
    found += _others(table, same, "columns have the same value in every row")
    return tuple(found)


def _others(table: TextTable, found: Sized, what: str) -> list[str]:
    more = len(found) - MOST_OF_A_KIND
    return [f"{table.name}: {more:,} more {what}"] if more > 0 else []
