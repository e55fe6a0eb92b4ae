"""What became of a run's cells, and what those say that failed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pipeline.storage.parts import Part, read

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Failures", "Loss", "failures"]

OK = "ok"
SHOWN = 10
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
IDENTITY = ("source", "part", "group", "table_index", "repeat", "fold", "builder", "impurity_type", "uncertainty")


@dataclass(frozen=True)
class Loss:
    """Cells that have the same status and say the same but for numbers: how many there are, and the first of them.

    error : what the first says
    first : what it is called
    """

    status: str
    error: str
    cells: int
    first: str


@dataclass(frozen=True)
class Failures:
    """The cells of a run by status, and of those that are not ok the texts met most often.

    more : texts beyond those
    """

    statuses: dict[str, int]
    losses: tuple[Loss, ...]
    more: int

    @property
    def cells(self) -> int:
        """Cells whose status is not ok."""
        return sum(count for status, count in self.statuses.items() if status != OK)


def failures(parts: Sequence[Part]) -> Failures:
    """What became of the cells that verified parts hold; texts are read only where there is one to read."""
    statuses: Counter[str] = Counter()
    losses: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], Loss] = {}
    for part in parts:
        here = _statuses(part)
        statuses += here
        if set(here) == {OK}:
            continue
        for loss in _losses(part):
            said = loss.status, NUMBER.sub("0", loss.error)
            losses[said] += loss.cells
            first.setdefault(said, loss)
    common = losses.most_common(SHOWN)
    return Failures(
        dict(statuses.most_common()),
        tuple(replace(first[said], cells=cells) for said, cells in common),
        len(losses) - len(common),
    )


def _losses(part: Part) -> Iterator[Loss]:
    """What the cells of a part that are not ok say, in the order in which it is first said."""
    import pyarrow as pa
    import pyarrow.compute as pc

    rows = read(part, ["error", "status", *IDENTITY])
    rows = rows.filter(pc.not_equal(rows["status"], OK))
    rows = rows.append_column("row", pa.array(range(rows.num_rows), pa.int64()))
    said = rows.group_by(["status", "error"]).aggregate([("row", "count"), ("row", "min")]).sort_by("row_min")
    for one, row in zip(said.to_pylist(), rows.take(said["row_min"]).to_pylist(), strict=True):
        named = ", ".join(f"{name} {row[name]}" for name in IDENTITY if row[name] is not None)
        yield Loss(one["status"], one["error"] or "", one["row_count"], named)


def _statuses(part: Part) -> Counter[str]:
    """How many of a part's rows have each status."""
    import pyarrow.compute as pc

    column: pa.ChunkedArray = read(part, ["status"], ["status"])["status"]
    counted: list[dict[str, Any]] = pc.value_counts(column.cast("string")).to_pylist()
    return Counter({str(one["values"]): int(one["counts"]) for one in counted})
