"""How much a data set may hold before it is refused, so that a damaged or hostile file takes little memory."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.configuration.rules import whole_number
from pipeline.errors import DataError

__all__ = ["DEFAULT_LIMITS", "LARGEST", "Limits"]

LARGEST = 2**31
"""Bytes of a file, and of what is unpacked from it."""


@dataclass(frozen=True)
class Limits:
    """How many columns a file, and how many classes a data set may have; ConfigError where one is below 1."""

    columns: int = 100_000
    classes: int = 10_000

    def __post_init__(self) -> None:
        """Refuse limits that no data set is within."""
        for name, most in (("most_columns", self.columns), ("most_classes", self.classes)):
            whole_number(1).check(f"data.{name}", most)

    def check_columns(self, count: int, place: str) -> None:
        """Raise DataError where a file has too many columns; `place` is the file, and the line that shows it."""
        if count > self.columns:
            msg = (
                f"{place}: has {count:,} columns: expected {self.columns:,} at most; check the separator, take columns "
                f"out, or allow so many with data.most_columns={count}"
            )
            raise DataError(msg)

    def check_classes(self, count: int, place: str) -> None:
        """Raise DataError where a data set has too many classes; `place` is the file and the column."""
        if count > self.classes:
            msg = (
                f"{place}: has {count:,} different classes: expected {self.classes:,} at most; name the column of the "
                f"class with target=…, or allow so many with data.most_classes={count}"
            )
            raise DataError(msg)


DEFAULT_LIMITS = Limits()
