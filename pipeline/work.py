"""What a worker does with a chunk: make its rows, publish them, say so in a few bytes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.environment import made_with
from pipeline.errors import OutputError
from pipeline.grids.base import RESULTS_TABLE
from pipeline.plan import Chunk, GridRun
from pipeline.store import Part, publish

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Receipt", "publish_chunk", "publish_failure"]


@dataclass(frozen=True)
class Receipt:
    """A chunk that is done: its part, seconds on the clock, CPU seconds of the work and of the publication.

    failed : cells that failed or met a limit, of which their rows tell
    """

    part: Part
    seconds: float
    work_cpu_seconds: float
    publish_cpu_seconds: float
    failed: int = 0


def publish_chunk(run: GridRun, chunk: Chunk) -> Receipt:
    """Work a chunk and publish its part.

    Raises
    ------
    OutputError
        The part cannot be written.
    """
    began, cpu = time.perf_counter(), time.thread_time()
    tables = run.grid.work(chunk.first, chunk.stop)
    worked = time.thread_time()
    try:
        part = _publish(tables, run, chunk.first, chunk.stop)
    except OSError as error:
        raise OutputError.of(error, run.results) from error
    failed = _failed(tables[RESULTS_TABLE])
    return Receipt(part, time.perf_counter() - began, worked - cpu, time.thread_time() - worked, failed)


def publish_failure(run: GridRun, item: int, status: str, error: str) -> Part:
    """Publish the rows of an item that cannot be worked."""
    return _publish(run.grid.failure(item, status, error), run, item, item + 1)


def _publish(tables: Mapping[str, pa.Table], run: GridRun, first: int, stop: int) -> Part:
    """Publish a part of each table; the results', which is returned, comes last."""
    for name in run.grid.tables:
        if name != RESULTS_TABLE:
            publish(_with_origin(tables[name]), run.folder(name), run.id, first, stop)
    return publish(_with_origin(tables[RESULTS_TABLE]), run.results, run.id, first, stop)


def _with_origin(table: pa.Table) -> pa.Table:
    """The table with the column that tells what its rows were made with."""
    import pyarrow as pa

    from pipeline.schema import MADE_WITH

    places = pa.repeat(pa.scalar(0, pa.int8()), table.num_rows)
    return table.append_column(MADE_WITH, pa.DictionaryArray.from_arrays(places, pa.array([made_with()])))


def _failed(results: pa.Table) -> int:
    """How many rows say that their cell failed or met a limit; one that was skipped did neither."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from pipeline.schema import UNHARMED

    unharmed = pc.sum(pc.is_in(results["status"], pa.array(UNHARMED)))
    return int(results.num_rows) - int(unharmed.as_py() or 0)
