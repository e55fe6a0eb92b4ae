"""Read the CSVs of a declared comparison: its printed values, and tables of other facts."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

from pipeline.errors import ConfigError
from pipeline.grammar.columns import Row
from pipeline.grammar.comparison.measures import CLASSES
from pipeline.printed_table.figure import ALL, MEAN, PER_CENT
from pipeline.printed_table.measures import ACCURACY, MEAN_PRECISION, RANK
from pipeline.printed_table.reading import read_printed_table
from pipeline.words import TYPES, counted


def printed_values_of(
    file: Path,
    builders: Mapping[str, str],
    measure: str = ACCURACY,
    rounding: float | None = None,
    *,
    point: float = 1.0,
    ranks: bool = False,
) -> list[Row]:
    """Read a row for each printed value of these columns, in the order of the CSV's rows and columns.

    Its rounding is by default half a unit of its last digit in the CSV: 0.05 for 94.0, and 0.5 for 94. If the measure
    is the mean precision, the CSV has the number of classes that each data set declares.

    point : a percentage point in the unit of the values, 0.01 for shares from 0 to 1
    ranks : whether to read the ranks, and those of the case `average`, instead of the other values

    Raises
    ------
    ConfigError
        A cell cannot be read; or a data set lacks our name or, where needed, its number of classes.
    """
    result: list[Row] = []
    for figure in read_printed_table(file, builders, measure, strict=True).figures:
        where, average = f"{file}, line {figure.line}, column", figure.source == MEAN
        if figure.source == ALL or (average and not ranks) or (figure.measure.name == RANK) is not ranks:
            continue
        if not (figure.known or average):
            msg = f"{where} source: the cell is empty: expected our name of the data set, such as uci/iris"
            raise ConfigError(msg)
        if measure == MEAN_PRECISION and figure.classes is None:
            msg = f"{where} {CLASSES}: the cell is empty: expected the number of classes declared, such as 2"
            raise ConfigError(msg)
        shares = figure.measure.share and point < 1
        unit = Fraction(1, PER_CENT if shares else 1)
        result.append(
            {
                "case": "average" if average else figure.source,
                "source": figure.known or None,
                "remark": figure.note or None,
                CLASSES: figure.classes,
                "builder": figure.builder,
                "value": float(figure.value * unit),
                "corrected": None if figure.corrected is None else float(figure.corrected * unit),
                "text": figure.text if shares else figure.shown,
                "rounding": float(Fraction(1, 10) ** figure.digits / 2 * unit) if rounding is None else float(rounding),
                "line": figure.line,
                "place": len(result),
            }
        )
    return result


def csv_rows(
    file: Path, columns: Sequence[str], keys: Sequence[str], numbers: Mapping[str, type] | None = None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield `FILE, line NUMBER` and a row, for each row below the headings.

    columns : that the CSV must have; it may have more
    keys    : columns that together identify a row
    numbers : the types of columns with numbers; an empty cell of these is None, except in a key

    Raises
    ------
    ConfigError
        The file has no row or is not UTF-8, a column is missing, a number cannot be read, or a row has more or fewer
        cells than the headings or repeats another.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")  # spreadsheets begin a CSV with a byte order mark
    except UnicodeDecodeError as error:
        msg = f"{file}: byte {error.start + 1} is not UTF-8: save the file as CSV in UTF-8"
        raise ConfigError(msg) from error
    reader = csv.DictReader(StringIO(text, newline=""), skipinitialspace=True)
    if not reader.fieldnames:
        msg = f"{file}: the file is empty: expected the columns {', '.join(columns)}"
        raise ConfigError(msg)
    lacking = [name for name in columns if name not in reader.fieldnames]
    if lacking:
        existing = ", ".join(reader.fieldnames)
        commas = "; separate the cells by commas" if len(reader.fieldnames) == 1 else ""
        msg = f"{file}: no column '{lacking[0]}' among {existing}: expected {', '.join(columns)}{commas}"
        raise ConfigError(msg)
    lines: dict[tuple[str, ...], int] = {}
    for row in reader:
        line, headings = reader.line_num, len(reader.fieldnames)
        cells = headings - list(row.values()).count(None) + len(row.get(None, ()))
        if cells != headings:
            msg = (
                f"{file}, line {line}: {counted(cells, 'cell')} below {counted(headings, 'heading')}: write"
                " commas for empty cells, and quotes around a cell with a comma"
            )
            raise ConfigError(msg)
        key = tuple(row[name] for name in keys)
        first = lines.setdefault(key, line)
        if first != line:
            repeated = ", ".join(filter(None, key))
            msg = f"{file}, line {line}: repeats line {first} ({repeated}): remove one of them"
            raise ConfigError(msg)
        for name, kind in (numbers or {}).items():
            try:
                row[name] = kind(row[name]) if row[name] or name in keys else None
            except ValueError as error:
                msg = f"{file}, line {line}, column {name}: '{row[name]}': expected {TYPES[kind]}"
                raise ConfigError(msg) from error
        yield f"{file}, line {line}", row
    if not lines:
        msg = f"{file}: no row: expected one below the names of the columns"
        raise ConfigError(msg)
