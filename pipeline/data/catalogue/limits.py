"""Limits on the size of a data set, so that a damaged or hostile file takes little memory."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.configuration.rules import whole_number
from pipeline.errors import DataError

LARGEST = 2**31
"""Most bytes of a file, and of its unpacked content."""


@dataclass(frozen=True)
class Limits:
    """The most columns of a file, and the most classes of a data set; ConfigError if one is below 1."""

    columns: int = 100_000
    classes: int = 10_000

    def __post_init__(self) -> None:
        """Check that both are at least 1."""
        for name, most in (("most_columns", self.columns), ("most_classes", self.classes)):
            whole_number(1).check(f"data.{name}", most)

    def check_columns(self, count: int, location: str) -> None:
        """Raise DataError if a file has too many columns; `location` is the file, and perhaps the line."""
        if count > self.columns:
            raise DataError(
                f"{location}: there are {count:,} columns, but at most {self.columns:,} are allowed: check the "
                f"separator, take columns out, or allow all columns with data.most_columns={count}"
            )

    def check_classes(self, count: int, location: str) -> None:
        """Raise DataError if a data set has too many classes; `location` is the file and the column."""
        if count > self.classes:
            raise DataError(
                f"{location}: there are {count:,} different classes, but at most {self.classes:,} are allowed: choose "
                f"another column as the class with target=…, or allow all classes with data.most_classes={count}"
            )


DEFAULT_LIMITS = Limits()
