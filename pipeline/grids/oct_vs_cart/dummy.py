"""Dummy coding of nominal attributes, as in the data sets that OCT was compared on (Li, *Optimal Decision Tree*)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from algorithms.data_set import MISSING, Attribute, AttributeKind, DataSet

__all__ = ["dummy_attributes"]

NO_YES = ("no", "yes")


def dummy_attributes(data: DataSet) -> DataSet:
    """The data set with a binary attribute for each label of a nominal one but the first; numeric ones stay.

    A label that no row has does not count. So an attribute of k labels becomes k - 1 attributes `name=label`, one of
    two labels stays as it is, but for labels that no row has, and one of a single label is left out. Values that are
    missing are missing in all attributes that theirs became.
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
            two = Attribute(attribute.name, attribute.kind, (labels[0], labels[1]))
            one = Attribute(f"{attribute.name}={label}", attribute.kind, NO_YES)
            attributes.append(two if len(present) == 2 else one)
            columns.append(binary)
    return replace(data, attributes=tuple(attributes), columns=tuple(columns))
