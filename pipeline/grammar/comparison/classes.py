"""What builders do for each class: counts of test rows over all splits, and the measures of these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pipeline.grammar.questions import WHERE_ITS_SOURCE
from pipeline.summary.tables import SummaryTable

__all__ = ["class_measures", "class_table"]

Row = Mapping[str, Any]

COLUMNS = (*("source", "part", "builder", "class", "support", "predicted", "correct", "precision", "recall", "f1"),)
QUESTION = (
    'select source, part, builder, "class", sum(support) as support, sum(predicted) as predicted, '
    "sum(correct) as correct, sum(correct) / nullif(sum(predicted), 0) as precision, "
    "sum(correct) / nullif(sum(support), 0) as recall, "
    "2 * sum(correct) / nullif(sum(support) + sum(predicted), 0) as f1 "
    f'from classes {WHERE_ITS_SOURCE} and builder = {{builder}} and "class" = {{class}} group by all'
)


def class_table(rows: Iterable[Row]) -> SummaryTable:
    """A row for each data set, builder and class: its counts over all splits, and the measures of these."""
    sums: dict[tuple[str, ...], list[int]] = {}
    for row in rows:
        counts = sums.setdefault((row["source"], row["part"], row["builder"], row["class"]), [0, 0, 0])
        for place, name in enumerate(("support", "predicted", "correct")):
            counts[place] += row[name]
    note = (
        "Counts are of test rows, over all splits; precision, recall and f1 are those of the counts. precision: "
        "correct / predicted; recall: correct / support; f1: 2 correct / (support + predicted); empty where there is "
        "nothing to divide by."
    )
    shown = [(*key, *counts, *class_measures(*counts)) for key, counts in sums.items()]
    return SummaryTable("classes", "Builders on the classes of data sets", COLUMNS, shown, note, QUESTION)


def class_measures(support: int, predicted: int, correct: int) -> tuple[float | None, float | None, float | None]:
    """Precision, recall and F1, None where the divisor is 0."""
    return (
        correct / predicted if predicted else None,
        correct / support if support else None,
        2 * correct / (support + predicted) if support + predicted else None,
    )
