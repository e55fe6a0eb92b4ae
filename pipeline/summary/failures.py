"""The outcomes of a run's cells, and the messages of those that failed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pipeline.storage.parts import Part, metadata, read

OK = "ok"
SHOWN = 10
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
SHOWN_COLUMNS = ("source", "part", "group", "table_index", "repeat", "fold", "builder", "impurity_type", "uncertainty")
"""The columns that are shown of the first cell of a group of failures."""


@dataclass(frozen=True)
class FailureGroup:
    """Cells with the same status and the same message except for numbers: how many there are, and the first.

    error : message of the first
    first : the columns that identify the first
    """

    status: str
    error: str
    cells: int
    first: str


@dataclass(frozen=True)
class Failures:
    """The cells of a run by status, and the most frequent messages of those that are not ok.

    losses    : the messages; `summary.json` has them under this name
    more      : number of further messages
    made_with : number of cells by the digest of the versions that made them
    """

    statuses: dict[str, int]
    losses: tuple[FailureGroup, ...]
    more: int
    made_with: dict[str, int] = field(default_factory=dict)

    @property
    def cells(self) -> int:
        """Number of cells whose status is not ok."""
        return sum(count for status, count in self.statuses.items() if status != OK)


def failures(parts: Sequence[Part]) -> Failures:
    """Count the outcomes of the cells in verified part files. Messages are read only if there are any."""
    statuses, made_with = Counter[str](), Counter[str]()
    cells: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], FailureGroup] = {}
    for part in parts:
        of_part, made = outcomes_in(part)
        statuses += of_part
        made_with += made
        if set(of_part) == {OK}:
            continue
        for group in _failure_groups(part):
            message = group.status, NUMBER.sub("0", group.error)
            cells[message] += group.cells
            first.setdefault(message, group)
    common = cells.most_common(SHOWN)
    return Failures(
        dict(statuses.most_common()),
        tuple(replace(first[message], cells=count) for message, count in common),
        len(cells) - len(common),
        dict(made_with.most_common()),
    )


def outcomes_in(part: Part) -> tuple[Counter[str], Counter[str]]:
    """The numbers of rows of a part file by status, and by the digest of the versions that made them."""
    return _counted(part, "status"), _counted(part, "made_with")


def _failure_groups(part: Part) -> Iterator[FailureGroup]:
    """The messages of a part file's cells that are not ok, in order of first appearance."""
    import numpy as np
    import pyarrow.compute as pc

    from pipeline.arrow_arrays import array_of, texts

    rows = read(part, ["error", "status", *SHOWN_COLUMNS])
    rows = rows.filter(pc.not_equal(rows["status"], texts([OK])[0]))
    rows = rows.append_column("row", array_of(np.arange(rows.num_rows)))
    groups = rows.group_by(["status", "error"]).aggregate([("row", "count"), ("row", "min")]).sort_by("row_min")
    for group, row in zip(groups.to_pylist(), rows.take(groups["row_min"]).to_pylist(), strict=True):
        first = ", ".join(f"{name} {row[name]}" for name in SHOWN_COLUMNS if row[name] is not None)
        yield FailureGroup(group["status"], group["error"] or "", group["row_count"], first)


def _counted(part: Part, column: str) -> Counter[str]:
    """Count the rows of a part file by the text of a column; from the footer alone, if all rows have the same text."""
    footer = metadata(part)
    if column not in footer.schema.names:
        return Counter()
    result: Counter[str] = Counter()
    for group in map(footer.row_group, range(footer.num_row_groups)):
        found = group.column(footer.schema.names.index(column)).statistics
        if found is None or not found.has_min_max or found.null_count or found.min != found.max:
            return _read_and_counted(part, column)
        result[str(found.min)] += group.num_rows
    return result


def _read_and_counted(part: Part, column: str) -> Counter[str]:
    import pyarrow.compute as pc

    texts = read(part, [column], [column])[column].cast("string")
    counted: list[dict[str, Any]] = pc.value_counts(texts).to_pylist()
    return Counter({str(count["values"]): int(count["counts"]) for count in counted})
