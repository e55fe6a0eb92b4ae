"""The number of cells of a run with each status, and the versions that made them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from pipeline.record.kept import KeptRun, current_summary, note_left_out
from pipeline.status.state import Status
from pipeline.storage.parts import Part, named_parts, read
from pipeline.storage.places import endless, storage_errors
from pipeline.summary.record import UnreadableSummaryError

__all__ = ["UNHARMED", "cells_of"]

UNHARMED = {"ok", "skipped"}  # as in pipeline.schema, which imports pyarrow
READERS = 16  # part files that are read at a time: object stores answer slowly
COLUMNS = ["status", "made_with"]


def cells_of(status: Status) -> tuple[Counter[str], dict[str, int]]:
    """The number of cells with each status, and with each digest of versions, from a run's summary if it has one."""
    if not status.left:
        try:
            failures = current_summary(status.run).failures
        except UnreadableSummaryError:
            pass
        else:
            return Counter(failures.statuses), failures.made_with
    return _cells_of_parts(status.run)


def _cells_of_parts(run: KeptRun) -> tuple[Counter[str], dict[str, int]]:
    """The same from the part files; unreadable ones are left out."""
    statuses, made = Counter[str](), Counter[str]()
    with ThreadPoolExecutor(READERS) as pool:
        for found in pool.map(_counted(), named_parts(run.results)):
            for (status, digest), count in found.items():
                statuses[status] += count
                made[digest] += count
    return statuses, dict(made)


def _counted() -> Callable[[Part], dict[tuple[str, str], int]]:
    """Counts the rows of a part file by status and digest; a note names an unreadable one."""
    import pyarrow as pa

    def counted(part: Part) -> dict[tuple[str, str], int]:
        try:
            if endless(part.path):
                note_left_out(part.path, "is a pipe or a device, and no file; the run's command makes it again")
                return {}
            rows = read(part, COLUMNS, COLUMNS).group_by(COLUMNS).aggregate([([], "count_all")]).to_pydict()
        except (
            KeyError,
            pa.ArrowException,
            *storage_errors(),
        ):  # damaged, or merged into another part file
            if part.path.exists():
                note_left_out(part.path, "cannot be read; the run's command makes it again")
            return {}
        return dict(zip(zip(*(rows[name] for name in COLUMNS), strict=True), rows["count_all"], strict=True))

    return counted
