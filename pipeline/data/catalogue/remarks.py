"""What a person may want to know of a file of their own before trees are built from it."""

from __future__ import annotations

import numpy as np

from algorithms.data_set import AttributeKind, DataSet
from pipeline.data.catalogue.delimited import TextTable
from pipeline.data.catalogue.entry import ColumnKind

__all__ = ["remarks_on"]


def remarks_on(table: TextTable, data: DataSet) -> tuple[str, ...]:
    """Classes that are seen once, rows without a class, and attributes whose values all differ or are all the same."""
    found = []
    counts = np.bincount(data.decisions[data.decisions >= 0], minlength=len(data.classes))
    for place in np.flatnonzero(counts == 1):
        row = int(np.flatnonzero(data.decisions == place)[0])
        found.append(
            f"{table.place(row)}: class '{data.classes[place]}' is seen once, so no split has it on both sides: "
            "leave the row out, or join the class with another"
        )
    if len(data.classes) == 1:
        found.append(f"{table.name}: all rows are of class '{data.classes[0]}', so there is nothing to tell apart")
    if (unknown := np.flatnonzero(data.decisions < 0)).size:
        found.append(
            f"{table.place(int(unknown[0]))}: no class, as in {unknown.size} rows: they cannot be learned from"
        )
    for attribute, column in zip(data.attributes, data.columns, strict=True):
        known = column[~np.isnan(column)] if column.dtype == np.float64 else column[column >= 0]
        different = len(np.unique(known))
        whole = attribute.kind is AttributeKind.NOMINAL or not np.any(known % 1)
        if data.rows > 1 and different == data.rows and whole:
            found.append(
                f"{table.name}: every row has its own value of '{attribute.name}', as an identifier has: if it is "
                f"one, take the column out, or make it `{ColumnKind.DROP}` in a YAML of your catalogue"
            )
        elif different <= 1:
            found.append(f"{table.name}: '{attribute.name}' has the same value in every row, so it tells nothing")
    return tuple(found)
