"""What a worker does with a chunk: make its rows, publish them, say so in a few bytes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from pipeline.grids.base import Grid
from pipeline.plan import Chunk
from pipeline.store import Part, publish

__all__ = ["Receipt", "publish_chunk", "publish_failure"]


@dataclass(frozen=True)
class Receipt:
    """A chunk that is done: its part, seconds on the clock, CPU seconds of the work and of the publication."""

    part: Part
    seconds: float
    work_cpu_seconds: float
    publish_cpu_seconds: float


def publish_chunk(grid: Grid, chunk: Chunk, folder: Path, run: str) -> Receipt:
    """Work a chunk and publish its part; OSError where the part cannot be written."""
    began, cpu = time.perf_counter(), time.thread_time()
    rows = grid.work(chunk.first, chunk.stop)
    worked = time.thread_time()
    part = publish(rows, folder, run, chunk.first, chunk.stop)
    return Receipt(part, time.perf_counter() - began, worked - cpu, time.thread_time() - worked)


def publish_failure(grid: Grid, item: int, status: str, error: str, folder: Path, run: str) -> Part:
    """Publish the rows of an item that cannot be worked."""
    return publish(grid.failure(item, status, error), folder, run, item, item + 1)
