"""Read the CSVs of a declared comparison: its printed values, and tables of other facts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from pipeline.errors import ConfigError
from pipeline.grammar.columns import Row
from pipeline.grammar.comparison.measures import CLASSES
from pipeline.printed_table.figure import ALL, MEAN, PER_CENT
from pipeline.printed_table.measures import ACCURACY, MEAN_PRECISION, RANK
from pipeline.printed_table.reading import read_printed_table


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
        A cell cannot be read or has an upper bound; or a data set lacks our name or a needed number of classes.
    """
    result: list[Row] = []
    for figure in read_printed_table(file, builders, measure, strict=True).figures:
        where, average = f"{file}, line {figure.line}, column", figure.source == MEAN
        if figure.source == ALL or (average and not ranks) or (figure.measure.name == RANK) is not ranks:
            continue
        if figure.below:
            raise ConfigError(
                f"{where} {figure.column}: {figure.text} is an upper bound: expected a number, or an empty cell"
            )
        if not (figure.known or average):
            raise ConfigError(
                f"{where} source: the cell is empty: expected the catalogue's name of the data set, such as uci/iris"
            )
        if measure == MEAN_PRECISION and figure.classes is None:
            raise ConfigError(
                f"{where} {CLASSES}: the cell is empty: expected the number of classes of the data set, such as 2"
            )
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
