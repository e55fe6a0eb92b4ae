"""What a worker does with a chunk: make its rows, publish them, say so in a few bytes."""

from __future__ import annotations

import time
from dataclasses import dataclass

from pipeline.errors import OutputError
from pipeline.plan import Chunk, GridRun
from pipeline.store import Part, publish

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
    rows = run.grid.work(chunk.first, chunk.stop)
    worked = time.thread_time()
    try:
        part = publish(rows, run.results, run.id, chunk.first, chunk.stop)
    except OSError as error:
        raise OutputError.of(error, run.results) from error
    return Receipt(part, time.perf_counter() - began, worked - cpu, time.thread_time() - worked)


def publish_failure(run: GridRun, item: int, status: str, error: str) -> Part:
    """Publish the rows of an item that cannot be worked."""
    return publish(run.grid.failure(item, status, error), run.results, run.id, item, item + 1)
