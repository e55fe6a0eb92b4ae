"""What a worker does with a chunk: make its rows, publish them, say so in a few bytes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.errors import OutputError
from pipeline.grids.base import RESULTS_TABLE
from pipeline.plan import Chunk, GridRun
from pipeline.storage import storage_errors
from pipeline.store import Part, publish

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Receipt", "publish_chunk", "publish_failure"]


@dataclass(frozen=True)
class Receipt:
    """A chunk that is done: its part, seconds on the clock, CPU seconds of the work and of the publication."""

    part: Part
    seconds: float
    work_cpu_seconds: float
    publish_cpu_seconds: float


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
    except storage_errors() as error:
        raise OutputError.of(error, run.results) from error
    return Receipt(part, time.perf_counter() - began, worked - cpu, time.thread_time() - worked)


def publish_failure(run: GridRun, item: int, status: str, error: str) -> Part:
    """Publish the rows of an item that cannot be worked."""
    return _publish(run.grid.failure(item, status, error), run, item, item + 1)


def _publish(tables: Mapping[str, pa.Table], run: GridRun, first: int, stop: int) -> Part:
    """Publish a part of each table; the results', which is returned, comes last."""
    for name in run.grid.tables:
        if name != RESULTS_TABLE:
            publish(tables[name], run.folder(name), run.id, first, stop)
    return publish(tables[RESULTS_TABLE], run.results, run.id, first, stop)
