"""The printed values of a declared comparison, read from its CSV, and the measures of them that a run has."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from pipeline.errors import ConfigError
from pipeline.grammar.columns import TITLE, Row
from pipeline.printed_table.figure import ALL, MEAN, PER_CENT
from pipeline.printed_table.measures import ACCURACY, MEAN_PRECISION, RANK
from pipeline.printed_table.measures import MEASURES as ALL_MEASURES
from pipeline.printed_table.reading import read_printed_table
from pipeline.sql import literals

CLASSES = "classes"
"""The column of the printed values with the number of classes that the data set declares."""
MEASURES = {name: measure for name, measure in ALL_MEASURES.items() if measure.column}
"""The measures of printed tables that a run has."""


def precisions(numbers: Mapping[str, int]) -> Mapping[str, str]:
    """A view of the fits with the mean precision over the declared classes, given by title; null if a fit failed."""
    declared = literals(numbers.items())
    return {
        "precisions": f"""select fits.*, case
  when not good then null
  when met > declared then error(title || ' declares ' || declared || ' classes, and a split has rows of ' || met)
  else coalesce(total, 0) / declared end as {MEAN_PRECISION}
from (select *, {TITLE} as title from fits) as fits
join (values {declared}) as printed_classes (title, declared) using (title)
left join (
  select source, part, repeat, fold, builder, count(*) as met,
    fsum(if(predicted > 0, correct / predicted, 0)) as total
  from classes group by all
) using (source, part, repeat, fold, builder)"""
    }


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
