"""Data sets recoded to binary attributes, as most exact solvers need: a label or not, at most a cut point or above."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from algorithms.data.attributes.discretisation import equal_frequency
from algorithms.data.data_set import Attribute, AttributeKind, Column, DataSet, DataSetError, number_text
from algorithms.options import check_type

__all__ = ["NO_YES", "binary_attributes"]

NO_YES = ("no", "yes")
"""The labels of an attribute that states whether a condition holds."""

BinaryColumn = tuple[Attribute, Column]


def binary_attributes(data: DataSet, *, bins: int | None = 5) -> DataSet:
    """Return a data set of binary attributes, in the order of the attributes that they are made from.

    A nominal attribute with two labels in these rows becomes one attribute, a test for the later label. A nominal
    attribute with more labels becomes one attribute for each label. A nominal attribute with a single label is left
    out. A numeric attribute becomes one attribute for each cut point.

    Parameters
    ----------
    data : DataSet
    bins : int or None, default 5
        Number of intervals of about equal frequency, which the cut points separate. None: numeric attributes are kept
        as they are.

    Returns
    -------
    DataSet

    Raises
    ------
    DataSetError
        Values are missing.

    Examples
    --------
    >>> from orchard import binary_attributes, data_set_of
    >>> data = binary_attributes(data_set_of([["sun"], ["rain"], ["fog"]], [0, 1, 1]))
    >>> len(data.attributes)
    3
    """
    check_type("data", data, DataSet, "data_set_of(X, y)")
    if data.missing.any():
        name = data.attributes[int(data.missing.any(axis=0).argmax())].name
        raise DataSetError(f"attribute {name!r} has missing values: fill them, or leave out the rows that have them")
    tests: list[BinaryColumn] = []
    for attribute, column in zip(data.attributes, data.columns, strict=True):
        if attribute.kind is AttributeKind.NOMINAL:
            codes = np.unique(column).tolist()
            codes = codes if len(codes) > 2 else codes[1:]
            tests += [_question(f"{attribute.name} = {attribute.labels[code]}", column == code) for code in codes]
        elif bins is None:
            tests.append((attribute, column))
        else:
            cuts = equal_frequency(column, bins).cuts
            tests += [_question(f"{attribute.name} <= {number_text(cut)}", column <= cut) for cut in cuts]
    return replace(data, attributes=tuple(test for test, _ in tests), columns=tuple(column for _, column in tests))


def _question(name: str, holds: NDArray[np.bool_]) -> BinaryColumn:
    return Attribute(name, AttributeKind.NOMINAL, NO_YES), holds.astype(np.int32)
