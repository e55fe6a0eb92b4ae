"""The measures of printed values that a run has, and the view of the one that needs the number of classes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pipeline.grammar.columns import TITLE
from pipeline.printed_table import measures
from pipeline.printed_table.measures import MEAN_PRECISION, Measure
from pipeline.sql import literals

CLASSES = "classes"
"""The column of the printed values with the number of classes that the data set declares."""
MEASURES: Mapping[str, Measure] = MappingProxyType(
    {name: measure for name, measure in measures.MEASURES.items() if measure.column}
)
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
