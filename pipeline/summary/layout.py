"""How a paper lays out the values that a summary table has in a row each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Layout", "Pair", "same"]

NEAR = 1e-9
"""By which numbers differ that are not the same."""


@dataclass(frozen=True)
class Pair:
    """A value of ours and the printed one, by the names of their columns.

    ours    : of one column, or of several, `impurity_type/uncertainty`
    printed : null in rows that the paper does not print
    """

    ours: str
    printed: str = "printed"

    @property
    def of_ours(self) -> tuple[str, ...]:
        """The columns that ours is made of."""
        return tuple(self.ours.split("/"))


@dataclass(frozen=True)
class Layout:
    """Which columns of a summary table say where in the paper's table a row of it is.

    lines   : their values head a line
    columns : their values head a column; none: each pair has a column
    pairs   : what a cell holds; the paper prints a row where any of them is printed
    tables  : the paper has a table for each of its values; empty: one table
    """

    lines: tuple[str, ...]
    columns: tuple[str, ...] = ()
    pairs: tuple[Pair, ...] = ()
    tables: str = ""

    @property
    def named(self) -> Iterator[str]:
        """All columns that it names."""
        yield from (*self.lines, *self.columns, *filter(None, [self.tables]))
        for pair in self.pairs:
            yield from (*pair.of_ours, pair.printed)


def same(ours: object, printed: object) -> bool:
    """Whether a value is the printed one: of numbers, as far as the printed digits show."""
    if not isinstance(ours, int | float) or not isinstance(printed, int | float):
        return ours == printed
    digits = len(repr(float(printed)).partition(".")[2])
    return abs(ours - printed) <= 0.5 * 10.0**-digits + NEAR
