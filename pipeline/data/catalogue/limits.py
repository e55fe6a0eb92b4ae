"""Limits on the size of a data set, so that a damaged or hostile file takes little memory."""

from __future__ import annotations

from pipeline.errors import DataError

LARGEST = 2**31
"""Most bytes of a file, and of its unpacked content."""
MOST_COLUMNS = 100_000
MOST_CLASSES = 10_000


def check_columns(count: int, location: str) -> None:
    """Raise DataError if a file has too many columns; `location` is the file, and perhaps the line."""
    if count > MOST_COLUMNS:
        raise DataError(
            f"{location}: there are {count:,} columns, but at most {MOST_COLUMNS:,} are read: check the separator, or "
            "take columns out of the file"
        )


def check_classes(count: int, location: str) -> None:
    """Raise DataError if a data set has too many classes; `location` is the file and the column."""
    if count > MOST_CLASSES:
        raise DataError(
            f"{location}: there are {count:,} different classes, but at most {MOST_CLASSES:,} are allowed: choose "
            "another column as the class with target=…, or merge classes"
        )
