"""What a printed table may measure on test rows, in percent, and the views that compute it from a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from pipeline.grammar.columns import TITLE, Row
from pipeline.sql import literal

__all__ = ["CLASSES", "MEASURES", "Measure"]

CLASSES = "classes"
"""The column of a CSV of printed values with the number of classes that the data set declares."""


@dataclass(frozen=True)
class Measure:
    """A measure of a fit on its test rows, in percent.

    name   : of the column of our means
    of     : the view of the fits that has it as a column of this name
    one, several : what a value is called, and several are
    axis   : label of the axis of a figure
    views  : the views it needs besides those of every comparison, of the printed values
    classed : whether the printed values must say how many classes each data set declares
    note   : how it is computed, for a reader of the table
    """

    name: str
    of: str
    one: str
    several: str
    axis: str
    views: Callable[[Sequence[Row]], Mapping[str, str]] = lambda _: {}
    classed: bool = False
    note: str = ""


def _precisions(values: Sequence[Row]) -> Mapping[str, str]:
    """The fits with the mean over the declared classes of each class's precision; null where a fit failed."""
    numbers = {str(row["source"]): int(row[CLASSES]) for row in values}
    declared = ", ".join(f"({literal(title)}, {number})" for title, number in numbers.items())
    return {
        "precisions": f"""select fits.*, 100 * case
  when not good then null
  when met > declared then error(title || ' declares ' || declared || ' classes, and a split has rows of ' || met)
  else coalesce(total, 0) / declared end as mean_precision
from (select *, {TITLE} as title from fits) as fits
join (values {declared}) as printed_classes (title, declared) using (title)
left join (
  select source, part, repeat, fold, builder, count(*) as met,
    fsum(if(predicted > 0, correct / predicted, 0)) as total
  from classes group by all
) using (source, part, repeat, fold, builder)"""
    }


MEASURES: Mapping[str, Measure] = MappingProxyType(
    {
        measure.name: measure
        for measure in (
            Measure("accuracy", "fits", "accuracy", "accuracies", "test accuracy, % of test rows"),
            Measure(
                *("mean_precision", "precisions", "mean precision", "mean precisions"),
                axis="mean over the classes of the precision on test rows, %",
                views=_precisions,
                classed=True,
                note="mean_precision: the mean over the declared classes of correct / predicted, 0 where nothing is "
                "predicted to be of the class.",
            ),
        )
    }
)
