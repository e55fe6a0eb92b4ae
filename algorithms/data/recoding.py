"""Recodes a column of rows to predict to an attribute of the fitting, for any types of the two.

Values that are equal in Python (True == 1 == 1.0) are the same value; text never equals a number or a boolean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.data.data_set import MISSING, Attribute, AttributeKind, Column, DataSetError

TRUTH = ("False", "True")
"""The labels of booleans."""
MOSTLY = 10
"""A column with at least this many different numbers for each other text is meant to be numeric."""


class Values(StrEnum):
    """The types of the values of a column, for any array that holds them."""

    NUMBERS = "numbers"
    BOOLEANS = "booleans"
    TEXT = "text"
    LABELS = "labels of a data set"
    """Text of a file, which may stand for any of the other types."""


@dataclass(frozen=True)
class Recoding:
    """How a column is recoded to an attribute of the fitting."""

    attribute: Attribute  # the attribute of the fitting
    before: Values  # the type of its values in the fitting
    now: Values  # the type of the column's values
    selected: str | None = None  # Python code that selects the column; None for an attribute of a data set

    def of(self, labels: tuple[str, ...], codes: NDArray[Any]) -> tuple[Attribute, Column]:
        """The attribute, with new labels after its own, and the column as its codes or numbers."""
        numeric = self.attribute.kind is AttributeKind.NUMERIC
        if self.now is not self.before or numeric:
            rows_of = np.bincount(codes + 1, minlength=len(labels) + 1)[1:]  # 0 counts MISSING
            self._check([label for label, rows in zip(labels, rows_of, strict=True) if rows])
        elif labels == self.attribute.labels:
            return self.attribute, codes
        if numeric:
            numbers = map(as_number, labels)
            finite = [np.nan if isinstance(number, str) else float(number) for number in numbers]  # of no row
            return self.attribute, np.array([*finite, np.nan])[codes]
        text = Values.TEXT in {self.before, self.now} or self.before is self.now is Values.LABELS
        value = str if text else as_number
        wider = list(self.attribute.labels)
        code_of: dict[str | float, int] = {}
        for code, label in enumerate(wider):
            code_of.setdefault(value(label), code)
        for label in labels:
            if code_of.setdefault(value(label), len(wider)) == len(wider):
                wider.append(label)
        to = np.array([*(code_of[value(label)] for label in labels), MISSING], np.int32)  # MISSING is index -1
        return self.attribute._replace(labels=tuple(wider)), to[codes]

    def _check(self, labels: Sequence[str]) -> None:
        """Raise DataSetError unless these labels, each of some row, can equal values of the fitting."""
        numeric = self.attribute.kind is AttributeKind.NUMERIC
        if not labels or not (numeric or self.attribute.labels):
            return  # one side has no values
        wrong = labels[0]
        if self.before is Values.LABELS and self.now is not Values.TEXT:
            fits = self.now is Values.LABELS or any(map(_is_number, self.attribute.labels))
        elif self.before in {Values.LABELS, Values.TEXT}:
            fits = self.now in {Values.LABELS, Values.TEXT}
        elif self.now in {Values.LABELS, Values.TEXT}:
            fits = self.now is Values.LABELS and not numeric and all(map(_is_number, labels))
        else:
            fits = True
        if fits and self.before is Values.BOOLEANS and self.now is not Values.BOOLEANS:
            wrong = next((label for label in labels if as_number(label) not in {0.0, 1.0}), "")
            fits = not wrong
        if not fits:
            raise DataSetError(self._refusal(wrong))

    def _refusal(self, wrong: str) -> str:
        old = f" such as {self.attribute.labels[0]!r}" if self.attribute.labels else ""
        example = repr(wrong) if self.now in {Values.LABELS, Values.TEXT} else wrong
        mend = "give values of the same kind as in fit, or fit again with data of this kind"
        if self.selected:
            true = 1 if self.now is Values.NUMBERS else "'True'"
            code = {Values.NUMBERS: ".astype(float)", Values.BOOLEANS: f" == {true}"}.get(self.before, ".astype(str)")
            mend = f"convert the column, for example {self.selected}{code}, or fit again with data of this kind"
        return (
            f"attribute {self.attribute.name!r} was fitted with {self.before.value}{old}, but now has {self.now.value} "
            f"such as {example}, which equals none of the values in fit: {mend}"
        )


def as_number(label: str) -> float | str:
    """The number that a label stands for, 0 and 1 for False and True; the label itself if it is not a number."""
    if label in TRUTH:
        return float(TRUTH.index(label))
    try:
        number = float(label)
    except ValueError:
        return label
    if not np.isfinite(number):
        return label
    return int(label) if label.removeprefix("-").isdecimal() else number  # an integer may be between two floats


def _is_number(label: str) -> bool:
    return not isinstance(as_number(label), str)
