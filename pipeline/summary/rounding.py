"""The numbers of a table's column as people read them: all with as many decimals as suit the column."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

__all__ = ["is_printed", "reader_of"]

DIGITS = 4
DECADES = 4  # from the smallest to the largest of a column, beyond which one number of decimals does not do
MOST_DECIMALS = 10
LARGE = 1000.0  # from which on a number is read without decimals
PRINTED = "printed"
PRINTED_DIGITS = 8


def is_printed(column: str) -> bool:
    """Whether a column holds figures of a document, by its name."""
    return column.startswith(PRINTED)


def reader_of(column: str, values: Iterable[object]) -> Callable[[float], str]:
    """What writes a float of a column.

    Figures of a document have as many decimals as most of them, so that a 94.0 among them stays one; without a number
    that suits most, each has its own. Other numbers are rounded to four digits, those of one column to the same
    decimals where they are of about one size.
    """
    sizes = [abs(value) for value in values if isinstance(value, float) and math.isfinite(value)]
    decimals = _printed_decimals(sizes) if is_printed(column) else _decimals([size for size in sizes if size])
    if decimals is not None:
        return f"{{:.{decimals}f}}".format
    if is_printed(column):
        return f"{{:.{PRINTED_DIGITS}g}}".format
    return lambda value: f"{value:.0f}" if abs(value) >= LARGE else f"{value:.{DIGITS}g}"


def _printed_decimals(sizes: list[float]) -> int | None:
    """The most decimals that a figure has, if most have as many; None if not, or if means of figures are among them."""
    places = [len(f"{size:.{PRINTED_DIGITS}g}".partition(".")[2]) for size in sizes]
    most = max(places, default=0)
    return most if most <= DIGITS and 2 * places.count(most) > len(places) else None


def _decimals(sizes: list[float]) -> int | None:
    """Decimals that suit all numbers of a column, none where all are whole; None where they are too far apart."""
    if not sizes or max(sizes) / min(sizes) >= 10**DECADES:
        return None
    if all(size.is_integer() for size in sizes):
        return 0
    return min(max(DIGITS - 1 - math.floor(math.log10(max(sizes))), 0), MOST_DECIMALS)
