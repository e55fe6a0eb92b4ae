"""Discretisation: cuts numeric attributes into intervals, at fitted or given cut points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algorithms.array_types import Numbers
from algorithms.data.attributes.fayyad_irani import fayyad_irani
from algorithms.data.attributes.thresholds import Thresholds, finite_numbers, short
from algorithms.data.data_set import Attribute, AttributeKind, DataSet, DataSetError
from algorithms.options import check_choice, check_type, check_whole

__all__ = [
    "MOST_BINS",
    "discretised",
    "equal_frequency",
    "equal_width",
    "fitted_thresholds",
    "with_thresholds",
]

MOST_BINS = 2**20

Method = Literal["fayyad_irani", "equal_width", "equal_frequency"]


def discretised(
    data: DataSet,
    rows_to_fit: NDArray[np.integer[Any]] | NDArray[np.bool_],
    method: Method = "fayyad_irani",
    *,
    bins: int = 10,
) -> DataSet:
    """Return the data set with its numeric attributes made nominal, with a label for each interval.

    Parameters
    ----------
    data : DataSet
    rows_to_fit : ndarray
        The training rows, by index or by mask. The cut points are fitted on these alone.
    method : {"fayyad_irani", "equal_width", "equal_frequency"}, default "fayyad_irani"
    bins : int, default 10
        Intervals of equal width or frequency; "fayyad_irani" finds their number from the rows.

    Returns
    -------
    DataSet
        Trees that are grown from it, and their exports, test the labels of the intervals, not the numbers.

    Raises
    ------
    TypeError
        `data` is not a data set, or `rows_to_fit` is neither indices nor a mask.
    IndexError
        The data set has no row with an index in `rows_to_fit`.
    ParameterError
        `method` has an unknown value, or the method needs `bins` and `bins` is not a whole number from 1 to 2**20.

    Examples
    --------
    >>> from orchard import data_set_of, discretised
    >>> data = data_set_of([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])
    >>> discretised(data, [0, 1, 2, 3], "equal_width", bins=2).attributes[0].labels
    ('<= 2.5', '> 2.5')
    """
    check_type("data", data, DataSet, "data_set_of(X, y)")
    rows = np.asarray(rows_to_fit)
    if rows.size and rows.dtype.kind not in "biu":
        raise TypeError(
            f"`rows_to_fit` has values of type {rows.dtype}: expected the training rows, by index or by mask, such as "
            "range(data.rows) for all rows"
        )
    return with_thresholds(data, fitted_thresholds(data.take(rows_to_fit), method, bins=bins))


def fitted_thresholds(data: DataSet, method: Method = "fayyad_irani", *, bins: int = 10) -> dict[str, Thresholds]:
    """The thresholds of each numeric attribute, by its name.

    `method` names the function that finds them; `bins` is for intervals of equal width or frequency.

    Raises ValueError for another method, or `bins` outside 1 to `MOST_BINS`.
    """
    check_choice("method", method, get_args(Method))
    fitted = {}
    for attribute, column in zip(data.attributes, data.columns, strict=True):
        if attribute.kind is AttributeKind.NUMERIC:
            if method == "fayyad_irani":
                fitted[attribute.name] = fayyad_irani(column, data.decisions)
            else:
                fitted[attribute.name] = (equal_width if method == "equal_width" else equal_frequency)(column, bins)
    return fitted


def with_thresholds(data: DataSet, thresholds: Mapping[str, Thresholds]) -> DataSet:
    """The data set with the named attributes made nominal, with a label per interval; other attributes do not change.

    Missing values stay missing. An attribute without cut points gets one label and is kept, so that attributes have the
    same indices whichever rows the thresholds were fitted on.

    Raises DataSetError if a name is not the name of a numeric attribute.
    """
    kinds = {attribute.name: attribute.kind for attribute in data.attributes}
    for name in thresholds:
        if kinds.get(name) is not AttributeKind.NUMERIC:
            problem = f"attribute {name!r} is {kinds[name]}" if name in kinds else f"there is no attribute {name!r}"
            numeric = [repr(numeric) for numeric, kind in kinds.items() if kind is AttributeKind.NUMERIC]
            wanted = f"one of {', '.join(numeric)}" if numeric else "a numeric attribute, but the data set has none"
            raise DataSetError(f"{problem}: expected {wanted}")
    attributes, columns = list(data.attributes), list(data.columns)
    for index, attribute in enumerate(data.attributes):
        if attribute.name in thresholds:
            cuts = thresholds[attribute.name]
            attributes[index] = Attribute(attribute.name, AttributeKind.NOMINAL, cuts.labels)
            columns[index] = cuts.codes(data.columns[index])
    return replace(data, attributes=tuple(attributes), columns=tuple(columns))


def equal_width(values: ArrayLike, bins: int) -> Thresholds:
    """Return cut points that divide the range of the known values into intervals of equal width.

    Inner intervals may be empty. A value equal to a cut point belongs to the interval below it.

    Parameters
    ----------
    values : array-like of shape (rows,)
        Numbers; NaN for a missing value.
    bins : int
        Number of intervals. If all values are equal, there are no cut points.

    Returns
    -------
    Thresholds

    Raises
    ------
    ValueError
        `bins` is not a whole number from 1 to 2**20, or a value is infinite or of another type, such as text.

    Examples
    --------
    >>> from orchard import equal_width
    >>> equal_width([0, 1, 2, 100], bins=2).cuts
    (50.0,)
    """
    bins = check_whole("bins", bins, 1, MOST_BINS)
    known = _known(values)
    if not len(known):
        return Thresholds()
    least, largest = known.min(), known.max()
    half_width = (largest / 2 - least / 2) / bins  # halves: the range itself may overflow
    cuts = short(2 * (least / 2 + half_width * np.arange(1, bins)), half_width)
    return Thresholds(tuple(np.unique(cuts[(least <= cuts) & (cuts < largest)]).tolist()))


def equal_frequency(values: ArrayLike, bins: int) -> Thresholds:
    """Return cut points that divide the known values into intervals of about equally many values.

    There are at most `bins` - 1 cuts, each midway between neighbouring distinct values. Cut i is the possible cut for
    which the share of the values below it is nearest to i / bins; if two cuts are equally near, it is the lower cut.
    Equal cuts are merged. Equal values are never separated, and no interval is empty. The intervals that the values
    belong to depend only on the order and the counts of the values.

    Parameters
    ----------
    values : array-like of shape (rows,)
        Numbers; NaN for a missing value.
    bins : int
        Largest number of intervals.

    Returns
    -------
    Thresholds

    Raises
    ------
    ValueError
        `bins` is not a whole number from 1 to 2**20, or a value is infinite or of another type, such as text.

    Examples
    --------
    >>> from orchard import equal_frequency
    >>> equal_frequency([1, 2, 3, 100], bins=2).cuts
    (2.5,)
    """
    bins = check_whole("bins", bins, 1, MOST_BINS)
    distinct, counts = np.unique(_known(values), return_counts=True)
    if len(distinct) < 2:
        return Thresholds()
    up_to = np.cumsum(counts)  # values below the cut after each distinct value
    reached, targets = up_to[:-1] * bins, up_to[-1] * np.arange(1, bins)
    higher = np.searchsorted(reached, targets).clip(max=len(reached) - 1)
    lower = (higher - 1).clip(min=0)
    nearest = np.unique(np.where(abs(reached[lower] - targets) <= abs(reached[higher] - targets), lower, higher))
    return Thresholds.between(distinct[nearest], distinct[nearest + 1])


def _known(values: ArrayLike) -> Numbers:
    numbers = finite_numbers(values)
    return numbers[~np.isnan(numbers)]
