"""Cut points of a numeric attribute, and the intervals between them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algorithms.array_types import Numbers, unmasked
from algorithms.data.data_set import MISSING, number_text


@dataclass(frozen=True)
class Thresholds:
    """The cut points of one attribute: n cut points make n + 1 intervals, each including its upper end.

    Raises ValueError if the cut points are not finite and increasing.
    """

    cuts: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        """Check that the cut points are finite and increasing."""
        if not np.isfinite(self.cuts).all() or any(lower >= upper for lower, upper in pairwise(self.cuts)):
            raise ValueError(f"the cut points are {list(self.cuts)}: expected finite numbers in increasing order")

    @property
    def labels(self) -> tuple[str, ...]:
        """The intervals in words, such as "<= 2.5", "(2.5, 4]", "> 4"; "any" if there are no cut points."""
        if not self.cuts:
            return ("any",)
        ends = [number_text(cut) for cut in self.cuts]
        return (f"<= {ends[0]}", *(f"({lower}, {upper}]" for lower, upper in pairwise(ends)), f"> {ends[-1]}")

    def codes(self, values: ArrayLike) -> NDArray[np.int32]:
        """(rows,): the interval of each number, counted from 0; MISSING for NaN."""
        numbers = np.asarray(unmasked(values), np.float64)
        intervals = np.searchsorted(np.array(self.cuts), numbers, side="left")
        return np.where(np.isnan(numbers), MISSING, intervals).astype(np.int32)

    @staticmethod
    def between(lower: Numbers, upper: Numbers) -> Thresholds:
        """The cut points midway between neighbouring numbers, each less than its upper number.

        A cut is the lower number itself if no other float lies between the two numbers.
        """
        return Thresholds(tuple(midway(lower, upper).tolist()))


def midway(lower: Numbers, upper: Numbers) -> Numbers:
    """A cut point between each pair of numbers, by `cut_between`."""
    return np.array(list(map(cut_between, lower.tolist(), upper.tolist())), np.float64)


def cut_between(lower: float, upper: float) -> float:
    """A short cut point about midway between two numbers, below the upper; the lower if no float lies between them."""
    middle = lower / 2 + upper / 2  # halves: the sum may overflow
    if not middle < upper:
        middle = lower
    return _shortened(middle, upper / 2 - lower / 2)


def finite_numbers(values: ArrayLike) -> Numbers:
    """The values as numbers of shape (rows,), NaN if missing. Raises ValueError if a value is infinite or text."""
    try:
        numbers = np.asarray(unmasked(values), np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"the values are not all numbers ({error}): expected numbers, or NaN if missing") from error
    if numbers.ndim != 1 or np.isinf(numbers).any():
        problem = "include infinity" if np.isinf(numbers).any() else f"have shape {numbers.shape}"
        raise ValueError(
            f"the values {problem}: expected shape (rows,), with finite numbers, or NaN for missing values"
        )
    return numbers


def short(cuts: Numbers, scale: float) -> Numbers:
    """The cut points rounded to 12 digits, if that moves them by less than a part in 10⁹ of `scale`.

    This prints 3.35 instead of 3.3499999999999996, and keeps a value of 0.9 at or below a cut at 0.9.
    """
    return np.array([_shortened(cut, scale) for cut in cuts.tolist()], np.float64)


def _shortened(cut: float, scale: float) -> float:
    rounded = float(f"{cut:.12g}")
    return rounded if abs(rounded - cut) <= 1e-9 * scale else cut
