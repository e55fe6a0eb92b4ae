"""Round the numbers of a table's column for people: all with a number of decimals that suits the column."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

DIGITS = 4
DECADES = 4  # range of magnitudes in a column beyond which one number of decimals does not suit
MOST_DECIMALS = 10
LARGE = 1000.0  # from here on, numbers are shown without decimals
NOISE = 1e-12  # numbers below this share of the largest of a column are rounding errors
PRINTED = "printed"
PRINTED_DIGITS = 8
TEXT = "_text"
"""The hidden column of printed figures as the paper writes them, such as `71.0`."""


def is_printed(column: str) -> bool:
    """Whether a column has printed figures of a document, judged by its name."""
    return column.startswith(PRINTED)


def reader_of(column: str, values: Iterable[object], wider: Iterable[object] = ()) -> Callable[[float], str]:
    """The function that formats the floats of a column.

    Printed figures have as many decimals as most of them, so that a 94.0 stays 94.0; if no number suits most, as many
    as most of `wider`, the column that the values are part of; otherwise each keeps its own. Other numbers are rounded
    to four digits, with the same decimals in a column of similar magnitudes, and with more if these show it exactly. A
    number that these would show as 0 has two digits, unless it is a rounding error beside the largest of the column.
    """
    sizes = _sizes(values)
    noise = NOISE * max(sizes, default=0)
    if is_printed(column):
        decimals = _printed_decimals(sizes)
        decimals = _printed_decimals(_sizes(wider)) if decimals is None else decimals
    else:
        decimals = _decimals([size for size in sizes if size > noise])
    if decimals is not None:
        least = max(noise, 0.5 * 10.0**-decimals)
        return lambda value: f"{value:.2g}" if noise < abs(value) < least else f"{value:.{decimals}f}"
    if is_printed(column):
        return f"{{:.{PRINTED_DIGITS}g}}".format
    return lambda value: f"{value:.0f}" if abs(value) >= LARGE else f"{value:.{DIGITS}g}"


def as_printed(figure: float, text: str | None, scale: float = 1.0) -> str:
    """A printed figure, shown `scale` times as large, with the digits of its text in the paper if that is known."""
    if text is None:
        return f"{figure:.6g}"
    decimals = len(text.partition(".")[2]) - round(math.log10(scale))
    return f"{figure:.{max(decimals, 0)}f}"


def with_minus(number: str) -> str:
    """A formatted number with a minus sign for its hyphen; a zero has no sign."""
    if not number.startswith("-"):
        return number
    return f"−{number[1:]}" if number.strip("-0.") else number[1:]


def _sizes(values: Iterable[object]) -> list[float]:
    return [abs(value) for value in values if isinstance(value, float) and math.isfinite(value)]


def _printed_decimals(sizes: list[float]) -> int | None:
    """The largest number of decimals of a figure, if most have it; None if not, or if there are means of figures."""
    decimals = [len(f"{size:.{PRINTED_DIGITS}g}".partition(".")[2]) for size in sizes]
    most = max(decimals, default=0)
    return most if most <= DIGITS and 2 * decimals.count(most) > len(decimals) else None


def _decimals(sizes: list[float]) -> int | None:
    """The number of decimals that suits all numbers of a column, 0 if all are whole; None if sizes differ too much."""
    if not sizes or max(sizes) / min(sizes) >= 10**DECADES:
        return None
    if all(size.is_integer() for size in sizes):
        return 0
    suitable = min(max(DIGITS - 1 - math.floor(math.log10(max(sizes))), 0), MOST_DECIMALS)
    most = DIGITS if max(sizes) < LARGE else suitable
    return next((number for number in range(suitable, most) if _are_exact(sizes, number)), suitable)


def _are_exact(sizes: list[float], decimals: int) -> bool:
    """Whether numbers have no more than these decimals, rounding errors aside."""
    return all(math.isclose(round(size, decimals), size, rel_tol=NOISE) for size in sizes)
