"""The conditions of rules: on one attribute, or on a sum of attributes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers
from algorithms.data.table import Labels
from algorithms.trees.text import attribute_name, sum_text, threshold_text, unit_of, values_text

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class OneOf:
    """The attribute has one of these codes, in increasing order. A missing value has none of them."""

    attribute: int
    codes: tuple[int, ...]

    def holds(self, values: Numbers) -> Mask:
        """(rows,): whether each row of `values` (rows, attributes), NaN if missing, meets it."""
        return np.isin(values[:, self.attribute], self.codes)

    def text(self, labels: Labels | None = None) -> str:
        """As text, such as `outlook = rain`; without labels, numbers as they are and attributes from f1."""
        return f"{attribute_name(self.attribute, labels)} {_codes(self, labels)}"


@dataclass(frozen=True)
class NoneOf:
    """The attribute has none of these codes, in increasing order, or is missing."""

    attribute: int
    codes: tuple[int, ...]

    def holds(self, values: Numbers) -> Mask:
        """(rows,): whether each row of `values` (rows, attributes), NaN if missing, meets it."""
        return ~np.isin(values[:, self.attribute], self.codes)

    def text(self, labels: Labels | None = None) -> str:
        """As text, such as `not outlook = rain`."""
        return f"not {attribute_name(self.attribute, labels)} {_codes(self, labels)}"


@dataclass(frozen=True)
class Interval:
    """The attribute is above `lower` and at most `upper`; if `unknown`, it may also be missing.

    If `lower` is infinite, only missing values meet it.
    """

    attribute: int
    lower: float = -np.inf
    upper: float = np.inf
    unknown: bool = False

    def holds(self, values: Numbers) -> Mask:
        """(rows,): whether each row of `values` (rows, attributes), NaN if missing, meets it."""
        return _within(values[:, self.attribute], self)

    def text(self, labels: Labels | None = None) -> str:
        """As text, such as `2.5 < width <= 4`."""
        return _interval(attribute_name(self.attribute, labels), self, unit_of(self.attribute, labels))


@dataclass(frozen=True)
class LinearInterval:
    """An `Interval` of the sum of the attributes times the coefficients.

    The sum is missing if an attribute with a coefficient other than 0 is missing.
    """

    coefficients: tuple[float, ...]
    lower: float = -np.inf
    upper: float = np.inf
    unknown: bool = False

    def holds(self, values: Numbers) -> Mask:
        """(rows,): whether each row of `values` (rows, attributes), NaN if missing, meets it."""
        total = np.zeros(len(values))
        for index, coefficient in enumerate(self.coefficients):
            if coefficient:
                total += coefficient * values[:, index]
        return _within(total, self)

    def text(self, labels: Labels | None = None) -> str:
        """As text, such as `2 width + -1 height <= 3`."""
        return _interval(sum_text(self.coefficients, labels), self, "")


Condition = OneOf | NoneOf | Interval | LinearInterval


def conjoined(conditions: tuple[Condition, ...], new: Condition) -> tuple[Condition, ...]:
    """The conditions and a new one, merged with one on the same attribute if a single condition can express both."""
    for index, old in enumerate(conditions):
        joined = _both(old, new)
        if joined is not None:
            return (*conditions[:index], joined, *conditions[index + 1 :])
    return (*conditions, new)


def ends(condition: Condition) -> list[Condition]:
    """An interval with two ends as two conditions with one end each; other conditions unchanged."""
    if isinstance(condition, OneOf | NoneOf) or np.isinf([condition.lower, condition.upper]).any():
        return [condition]
    return [replace(condition, upper=np.inf), replace(condition, lower=-np.inf)]


def _both(first: Condition, second: Condition) -> Condition | None:
    """Join two conditions into one that holds when both do; None if no single one does, as with two attributes."""
    if isinstance(first, LinearInterval) or isinstance(second, LinearInterval) or first.attribute != second.attribute:
        return None
    if isinstance(first, Interval) and isinstance(second, Interval):
        lower, upper = max(first.lower, second.lower), min(first.upper, second.upper)
        return Interval(first.attribute, lower, upper, first.unknown and second.unknown)
    if isinstance(first, NoneOf) and isinstance(second, NoneOf):
        return NoneOf(first.attribute, tuple(sorted({*first.codes, *second.codes})))
    if isinstance(first, NoneOf):
        first, second = second, first
    if not isinstance(first, OneOf) or isinstance(second, Interval):
        return None
    in_both = isinstance(second, OneOf)
    return OneOf(first.attribute, tuple(code for code in first.codes if (code in second.codes) == in_both))


def _within(numbers: Numbers, interval: Interval | LinearInterval) -> Mask:
    missing = np.isnan(numbers)
    within: Mask = (numbers > interval.lower) & (numbers <= interval.upper)
    if interval.lower == -np.inf:
        within |= (numbers == -np.inf) & (interval.upper > -np.inf)
    return within | missing if interval.unknown else within


def _codes(condition: OneOf | NoneOf, labels: Labels | None) -> str:
    values = labels.values[condition.attribute] if labels else ()
    return values_text([str(values[code] if code < len(values) else code) for code in condition.codes])


def _interval(name: str, interval: Interval | LinearInterval, unit: str) -> str:
    lower, upper = interval.lower, interval.upper
    least, most = threshold_text(lower, unit), threshold_text(upper, unit)
    if lower == np.inf:
        return f"{name} is unknown"
    if np.isinf(lower):
        text = f"{name} is known" if np.isinf(upper) else f"{name} <= {most}"
    elif np.isinf(upper):
        text = f"{name} > {least}"
    else:
        text = f"{least} < {name} <= {most}"
    return f"({text} or unknown)" if interval.unknown else text
