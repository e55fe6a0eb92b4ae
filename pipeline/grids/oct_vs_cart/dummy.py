"""Dummy coding of nominal attributes, as in the data sets that OCT was compared on (Li, *Optimal Decision Tree*)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from algorithms.data_set import MISSING, Attribute, AttributeKind, DataSet

__all__ = ["dummy_attributes"]

NO_YES = ("no", "yes")


def dummy_attributes(data: DataSet) -> DataSet:
    """Replace each nominal attribute by one binary attribute for every label but the first; numeric attributes stay.

    Labels that no row has are ignored. An attribute of k labels becomes k - 1 attributes named `name=label`. An
    attribute of two labels stays as it is, without labels that no row has, and one of a single label is dropped. A
    missing value is missing in all attributes that replace its own.
    """
    attributes, columns = [], []
    for attribute, column in zip(data.attributes, data.columns, strict=True):
        if attribute.kind is AttributeKind.NUMERIC:
            attributes.append(attribute)
            columns.append(column)
            continue
        present = np.unique(column[column != MISSING]).tolist()
        labels = [attribute.labels[code] for code in present]
        for code, label in zip(present[1:], labels[1:], strict=True):
            binary = np.where(column == MISSING, MISSING, column == code).astype(np.int32)
            same = Attribute(attribute.name, attribute.kind, (labels[0], labels[1]))
            dummy = Attribute(f"{attribute.name}={label}", attribute.kind, NO_YES)
            attributes.append(same if len(present) == 2 else dummy)
            columns.append(binary)
    return replace(data, attributes=tuple(attributes), columns=tuple(columns))
