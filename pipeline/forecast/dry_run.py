"""Show what a run would do and cost: its plan, then estimates from a sample. The output folder is not changed."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence

import psutil

from pipeline.cluster.base import Cluster
from pipeline.cluster.kinds import kind_of
from pipeline.configuration.settings import Settings
from pipeline.forecast.estimate import core_seconds, stored_bytes
from pipeline.forecast.sample import Sample, sampled
from pipeline.masking import masked
from pipeline.plain_text import note
from pipeline.plan import Chunks, GridRun, chunk_seconds
from pipeline.record import provenance
from pipeline.screen import console, labelled
from pipeline.storage.locations import storage_errors_named
from pipeline.storage.parts import Range, items_in, missing_by_names
from pipeline.words import counted, duration
from pipeline.work.limits import Limits

SECONDS = 20.0  # from the start of the command until the report
LEAST_SECONDS = 8.0  # for the sample, however long the start took
ENDING_SECONDS = 1.5
MOST_CHUNKS = 100_000  # up to which chunks are counted by cutting them
MOST_WAITED = 0.2  # share of the time waiting for a core above which the contention is reported


def dry_run(planned: GridRun, cluster: Cluster, settings: Settings, command: str) -> int:
    """Show the plan of a run, then its estimated cost from a measured sample; returns the exit status.

    Raises OutputError if existing part files of the run cannot be read.
    """
    with storage_errors_named(settings.output):
        left = missing_by_names(map(planned.folder, planned.grid.tables), planned.grid.items)
        labelled(_plan(planned, cluster, settings, left))
        if script := cluster.job_script():
            labelled([("Job script", "")])
            console().print(masked(script), markup=False, soft_wrap=True)
        status = 0
        if left:
            seconds = sample_seconds()
            note(f"measuring a sample, {seconds:.0f} seconds at most ...")
            limits = Limits.of(settings.limits, cluster.wanted if cluster.on_this_machine else None)
            sample = sampled(planned, left, limits, seconds)
            labelled(_measured(planned, cluster, settings, left, sample))
            status = sample.status
        labelled([("Next", command if not status else f"remove the cause of this error, then {command}")])
        return status


def sample_seconds() -> float:
    """The most that the sample may take, by the time since the command began, unless the clock was set back."""
    elapsed: float = max(0.0, time.time() - psutil.Process().create_time())
    return max(LEAST_SECONDS, SECONDS - ENDING_SECONDS - elapsed)


def _plan(planned: GridRun, cluster: Cluster, settings: Settings, left: Sequence[Range]) -> Iterator[tuple[str, str]]:
    grid = planned.grid
    todo = items_in(left)
    done = f"{grid.items - todo:,} done, " if todo < grid.items else ""
    yield "Run", f"{planned.id} of grid {planned.name}"
    yield "Items", f"{grid.items:,} ({grid.noun}) of {counted(grid.cells_per_item, 'cell')} each: {done}{todo:,} left"
    if settings.chunk:
        chunks = counted(_fixed_chunks(left, settings.chunk), "chunk")
        yield "Chunks", f"{chunks} of at most {counted(settings.chunk, 'item')}"
    elif left:
        yield (
            "Chunks",
            f"about {chunk_seconds(cluster.wanted or 1):.0f} seconds of work each; their number follows from the "
            "sample",
        )
    workers = "as many workers as are available" if cluster.wanted is None else counted(cluster.wanted, "worker")
    yield "Cluster", f"{kind_of(settings.cluster)}, {workers}; a dry run starts none"
    missing = "" if planned.results.is_dir() else ", which does not exist yet"
    yield "Output", f"{planned.results}{missing}"
    difference = provenance.difference(planned.record_folder)
    if difference and todo < grid.items and left and settings.versions == "same":
        yield "Versions", f"this run would be refused: its rows were made with {difference}; versions=any allows it"


def _measured(
    planned: GridRun, cluster: Cluster, settings: Settings, left: Sequence[Range], sample: Sample
) -> Iterator[tuple[str, str]]:
    grid, items, blocks = planned.grid, items_in(left), sample.blocks
    if not blocks:
        yield "Sample", sample.why or "nothing could be measured"
        return
    measured, seconds = sum(block.items for block in blocks if not block.cut), sum(block.seconds for block in blocks)
    sentences = [f"{measured:,} of {items:,} {grid.noun} in {duration(seconds)}"]
    if sample.why and measured < items:
        sentences.append(sample.why)
    failed = sum(block.failed for block in blocks)
    if failed:
        sentences.append(
            f"{failed:,} of their cells failed{f'; the last error: {sample.error}' if sample.error else ''}"
        )
    yield "Sample", "; ".join(sentences)
    total = core_seconds(blocks, items)
    sides = f"95 %: {_hours(total.low)} to {_hours(total.high)}"
    if math.isinf(total.high):
        sides = "the sample is too small for an interval"
    least = "at least " if any(block.cut for block in blocks) else ""
    yield "Core-hours", f"{least}{_hours(total.mean)} ({sides}), that is {duration(total.mean)}"
    waited = sum(block.waited for block in blocks)
    if waited > MOST_WAITED * (seconds + waited):
        share = waited / (seconds + waited)
        yield "", f"{100 * share:.0f} % of the time was spent waiting for a CPU, and is not counted"
    workers = max(1, min(cluster.wanted or 1, items))
    longest = max(block.seconds / block.items for block in blocks)
    wall = duration(max(total.mean / workers, longest))
    supposed = ", less if more connect" if cluster.wanted is None else ""
    yield "Wall time", f"about {wall} on {counted(workers, 'worker')}{supposed}, without start and summary"
    chunks = _chunks(planned, workers, settings.chunk, left, total.mean / items)
    if sample.published:
        size = stored_bytes(sample.published, items, chunks)
        rows = items * grid.cells_per_item
        yield "Disk", f"{_bytes(size)} in about {counted(chunks, 'part file')}, {size / rows:.1f} bytes a cell"
    else:
        yield "Disk", "not measured, because no part file was published"
    if sample.peak:
        yield "Memory", f"{_bytes(sample.peak)} at most in the worker of the sample"


def _chunks(planned: GridRun, workers: int, size: int | None, left: Sequence[Range], pace: float) -> int:
    """The number of chunks of the run at this many seconds an item."""
    if size is not None:
        return _fixed_chunks(left, size)
    items = items_in(left)
    chunks, count = Chunks(left, planned.grid, workers, None), 0
    most = chunks.most_items(1 / max(pace, 1e-9))
    if items > MOST_CHUNKS * most:
        return math.ceil(items / most)
    while chunks:
        chunk = chunks.next()
        chunks.took(chunk, chunk.items * pace)
        count += 1
    return count


def _fixed_chunks(left: Sequence[Range], size: int) -> int:
    """The number of chunks of a fixed size; none crosses the end of a range."""
    return sum(-(-(stop - first) // size) for first, stop in left)


def _hours(seconds: float) -> str:
    return f"{seconds / 3600:,.0f}" if seconds >= 360_000 else f"{seconds / 3600:.3g}"


def _bytes(size: float) -> str:
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.3g} {unit}" if unit != "bytes" else f"{size:.0f} bytes"
        size /= 1024
    return f"{size:,.1f} TiB"
