"""Filling of missing values, by what the training rows have: the most common label, the mean of the numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from algorithms.data_set import MISSING, Attribute, AttributeKind, Column, DataSet, DataSetError

__all__ = ["Filling"]


@dataclass(frozen=True)
class Filling:
    """What a missing value of each attribute is replaced by.

    attributes : of the data set it was fitted on
    values     : a code or a number for each
    """

    attributes: tuple[Attribute, ...]
    values: tuple[float, ...]

    @staticmethod
    def fitted(data: DataSet) -> Filling:
        """The most common code of nominal attributes, the first label of several; the mean of numeric ones.

        An attribute of which no value is known tells nothing, and is filled with its first label, or with 0, as
        scikit-learn's SimpleImputer does that keeps empty features.
        """
        pairs = zip(data.attributes, data.columns, strict=True)
        return Filling(data.attributes, tuple(_value(attribute, column) for attribute, column in pairs))

    def filled(self, data: DataSet) -> DataSet:
        """The data set without missing values; DataSetError where its attributes are others."""
        if data.attributes != self.attributes:
            msg = f"the filling was fitted on other attributes: {', '.join(one.name for one in self.attributes)}"
            raise DataSetError(msg)
        attributes, columns = list(data.attributes), list(data.columns)
        for place, value in enumerate(self.values):
            column = data.columns[place]
            absent = np.isnan(column) if column.dtype.kind == "f" else column == MISSING
            if absent.any():
                columns[place] = np.where(absent, column.dtype.type(value), column)
                if attributes[place].kind is AttributeKind.NOMINAL and not attributes[place].labels:
                    attributes[place] = replace(attributes[place], labels=("?",))
        return replace(data, attributes=tuple(attributes), columns=tuple(columns))


def _value(attribute: Attribute, column: Column) -> float:
    if attribute.kind is AttributeKind.NUMERIC:
        known = column[~np.isnan(column)]
        return float(known.mean()) if len(known) else 0.0
    counts = np.bincount(column[column != MISSING], minlength=1)
    return int(counts.argmax())
