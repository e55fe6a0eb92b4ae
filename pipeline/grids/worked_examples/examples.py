"""The worked examples by name."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import resources

import numpy as np

from algorithms.data_set import Attribute, AttributeKind, DataSet
from pipeline.grids.worked_examples import cost_complexity, dual_information
from pipeline.grids.worked_examples.working import Working

__all__ = ["EXAMPLES", "Example", "printed_table"]


@dataclass(frozen=True)
class Example:
    """Where the rows of an example come from, and what works them."""

    data: Callable[[], DataSet]
    work: Callable[[DataSet], Working]

    def worked(self) -> Working:
        """The example, worked."""
        return self.work(self.data())


def printed_table(name: str) -> DataSet:
    """A table of `001_…` as its deck prints it: attributes A1, A2, …, the class Y, labels in sorted order."""
    text = resources.files(__package__).joinpath("tables", f"{name}.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    names = [column for column in rows[0] if column.startswith("A")]
    columns = [_coded([row[column] for row in rows]) for column in (*names, "Y")]
    (classes, decisions) = columns.pop()
    return DataSet(
        attributes=tuple(
            Attribute(name, AttributeKind.NOMINAL, labels) for name, (labels, _) in zip(names, columns, strict=True)
        ),
        columns=tuple(codes for _, codes in columns),
        classes=classes,
        decisions=decisions,
    )


def _coded(labels: list[str]) -> tuple[tuple[str, ...], np.ndarray[tuple[int], np.dtype[np.int32]]]:
    known, codes = np.unique(labels, return_inverse=True)
    return tuple(map(str, known)), codes.astype(np.int32)


def _printed(name: str) -> Example:
    return Example(partial(printed_table, name), dual_information.worked)


EXAMPLES: Mapping[str, Example] = {
    **{name: _printed(name) for name in ("restricted_partitions", "training_12", "lee_olafsson_25")},
    "cost_complexity": Example(cost_complexity.example_data, cost_complexity.worked),
}
"""By name. `000_…`, `003_…` and `004_…` have no example of their own."""
