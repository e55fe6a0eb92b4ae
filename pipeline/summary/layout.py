"""How a paper lays out the values that a summary table has in one row each."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

V = TypeVar("V")
NEAR = 1e-9
"""Numbers that differ by more than this are not equal."""


@dataclass(frozen=True)
class Pair:
    """Our value and the printed one, by the names of their columns.

    ours    : a column, or several joined by a slash, such as `impurity_type/uncertainty`
    printed : null in rows that the paper does not print
    """

    ours: str
    printed: str = "printed"

    @property
    def of_ours(self) -> tuple[str, ...]:
        """The columns that make up our value."""
        return tuple(self.ours.split("/"))

    def ours_in(self, row: Mapping[str, V]) -> V | str:
        """Our value in a row."""
        first, *others = (row[name] for name in self.of_ours)
        return "/".join(map(str, (first, *others))) if others else first


@dataclass(frozen=True)
class Layout:
    """Which columns of a summary table determine the position of a row in the paper's table.

    lines   : columns whose values head a line
    columns : columns whose values head a column; if empty, each pair has a column
    pairs   : the contents of a cell; the paper prints a row if it prints any of them
    tables  : columns whose values each have a table of their own; if empty, there is one table
    """

    lines: tuple[str, ...]
    columns: tuple[str, ...] = ()
    pairs: tuple[Pair, ...] = ()
    tables: str = ""

    def naming(self, fixed: Container[str] = ()) -> tuple[str, ...]:
        """The columns whose values name a cell, with the name of its table if that is not in `fixed`."""
        table = () if not self.tables or self.tables in fixed else (self.tables,)
        return (*table, *self.lines, *self.columns)

    @property
    def named(self) -> Iterator[str]:
        """All columns that it names."""
        yield from (*self.lines, *self.columns, *filter(None, [self.tables]))
        for pair in self.pairs:
            yield from (*pair.of_ours, pair.printed)


def same(ours: object, printed: object) -> bool:
    """Whether a value equals the printed one; for numbers, to the printed digits."""
    if not isinstance(ours, int | float) or not isinstance(printed, int | float):
        return ours == printed
    digits = len(f"{Decimal(repr(float(printed))):f}".partition(".")[2])
    return abs(ours - printed) <= 0.5 * 10.0**-digits + NEAR
