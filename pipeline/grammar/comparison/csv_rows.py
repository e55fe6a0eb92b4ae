"""The rows of a CSV beside a `comparison.yaml`, each with the place that a message about it names."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from pipeline.errors import ConfigError

__all__ = ["csv_rows"]


def csv_rows(
    file: Path, columns: Sequence[str], keys: Sequence[str], why: str = ""
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield `FILE, line NUMBER` and a row, for each row below the headings; fields that are not there are empty.

    Parameters
    ----------
    file : Path
    columns : sequence of str
        What the CSV must have; it may have more.
    keys : sequence of str
        The columns in which no two rows are the same.
    why : str, default ""
        Where the columns are declared, for the message of one that is absent.

    Raises
    ------
    ConfigError
        A column is absent, or a row repeats another.
    """
    with file.open(encoding="utf-8", newline="") as text:
        reader = csv.DictReader(text, restval="")
        lacking = [name for name in columns if name not in (reader.fieldnames or ())]
        if lacking:
            here = ", ".join(reader.fieldnames or ())
            msg = f"{file}: no column '{lacking[0]}' among {here}: expected {', '.join(columns)}{why}"
            raise ConfigError(msg)
        lines: dict[tuple[str, ...], int] = {}
        for row in reader:
            what, line = tuple(row[key] for key in keys), reader.line_num
            first = lines.setdefault(what, line)
            if first != line:
                again = ", ".join(filter(None, what))
                msg = f"{file}, line {line}: repeats line {first} ({again}): remove one of them"
                raise ConfigError(msg)
            yield f"{file}, line {line}", row
