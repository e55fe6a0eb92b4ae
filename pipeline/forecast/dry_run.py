"""What a run would do and take: its plan, then what a sample of it measures. Nothing of its output is touched."""

from __future__ import annotations

import json
import math
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
from rich.markup import escape

from pipeline.cluster.kinds import kind_of
from pipeline.forecast.estimate import Block, core_seconds, stored_bytes
from pipeline.forecast.sample import Request
from pipeline.masking import masked
from pipeline.plan import Chunks, GridRun, chunk_seconds
from pipeline.record import provenance
from pipeline.screen import console, counted, duration, note
from pipeline.storage.parts import Range, missing_from_any, named_parts
from pipeline.storage.scratch import scratch

if TYPE_CHECKING:
    from rich.console import Console

    from pipeline.cluster.base import Cluster
    from pipeline.configuration.settings import Settings

__all__ = ["dry_run"]

SECONDS = 20.0  # from the start of the command, after which all is said
LEAST_SECONDS = 8.0  # for the sample, however long the start took
ENDING_SECONDS = 1.5
AGAIN = "they may be the next time"
MOST_CHUNKS = 100_000  # that are counted by cutting them
MOST_WAITED = 0.2  # share of the clock, above which others used the cores so much that it is worth a word


def dry_run(planned: GridRun, cluster: Cluster, settings: Settings, command: str) -> int:
    """Show the plan of a run, then what a measured sample says that it takes; the exit status."""
    out = console()
    left = _left(planned)
    for label, words in _plan(planned, cluster, settings, left):
        _line(out, label, words)
    script = cluster.job_script()
    if script:
        _line(out, "Job script", "")
        out.print(masked(script), markup=False, soft_wrap=True)
    status = 0
    if left:
        seconds = max(LEAST_SECONDS, SECONDS - ENDING_SECONDS - (time.time() - psutil.Process().create_time()))
        note(f"measuring a sample, {seconds:.0f} seconds at most ...")
        found = _sampled(planned, left, seconds)
        for label, words in _measured(planned, cluster, settings, left, found):
            _line(out, label, words)
        status = found.status
    _line(out, "Next", command if not status else f"mend that, then {command}")
    return status


def _line(out: Console, label: str, words: str) -> None:
    out.print(f"[bold]{label:10}[/] {escape(masked(words))}", soft_wrap=True)


def _left(planned: GridRun) -> list[Range]:
    """The items that are not done yet, by the names of the parts there are."""
    return missing_from_any([named_parts(planned.folder(table)) for table in planned.grid.tables], planned.grid.items)


def _plan(planned: GridRun, cluster: Cluster, settings: Settings, left: Sequence[Range]) -> Iterator[tuple[str, str]]:
    grid = planned.grid
    todo = sum(stop - first for first, stop in left)
    done = f"{grid.items - todo:,} done, " if todo < grid.items else ""
    yield "Run", f"{planned.id} of grid {planned.name}"
    yield "Items", f"{grid.items:,} {grid.noun} of {grid.cells_per_item:,} cells each: {done}{todo:,} left"
    if settings.chunk:
        yield "Chunks", f"{sum(-(-(stop - first) // settings.chunk) for first, stop in left):,} of {settings.chunk:,}"
    elif left:
        yield (
            "Chunks",
            f"of about {chunk_seconds(cluster.wanted or 1):.0f} seconds of work each: how many, the sample tells",
        )
    workers = "as many workers as are there" if cluster.wanted is None else counted(cluster.wanted, "worker")
    yield "Cluster", f"{kind_of(settings.cluster)}, {workers}; none is started now"
    there = "" if planned.results.is_dir() else ", which is not there yet"
    yield "Output", f"{planned.results}{there}"
    ours = provenance.difference(planned.notes)
    if ours and todo < grid.items and left and settings.versions == "same":
        yield "Versions", f"refused as it is: its rows were made with {ours}"


@dataclass
class _Sample:
    """What the sampling process has told, and how it ended.

    published : (items, bytes) of parts
    open      : (first item, items, monotonic clock at its beginning) of the block that was never told to be done
    why       : what ended it before its end; empty: nothing did
    status    : exit status of the dry run
    """

    blocks: list[Block] = field(default_factory=list)
    published: list[tuple[int, int]] = field(default_factory=list)
    peak: int = 0
    open: tuple[int, int, float] | None = None
    compiling: bool = False
    compiled: float = 0.0
    error: str | None = None
    why: str = ""
    status: int = 0


def _sampled(planned: GridRun, left: Sequence[Range], seconds: float) -> _Sample:
    """Have a process of its own measure a sample of the items that are left."""
    with tempfile.TemporaryDirectory(dir=scratch()) as temporary:
        request, answers, complaints = (Path(temporary) / name for name in ("request", "answers", "stderr"))
        request.write_bytes(pickle.dumps(Request(planned.grid, tuple(left), Path(temporary) / "output", seconds)))
        # files, for a pipe has no end while anything holds it that a builder has started and that left our group
        with request.open("rb") as asked, answers.open("wb") as told, complaints.open("wb") as errors:
            child = subprocess.Popen(
                [sys.executable, "-P", "-m", "pipeline.forecast.sample"],
                stdin=asked,
                stdout=told,
                stderr=errors,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
                start_new_session=True,
            )
        try:
            with suppress(subprocess.TimeoutExpired):
                child.wait(seconds + 1)
        finally:
            _end(child)
        ended = time.monotonic()
        found = _told(answers.read_text(errors="replace").splitlines())
        if child.returncode in {-signal.SIGALRM, -signal.SIGKILL}:
            found.why = _late(seconds, found)
            _count_open(found, ended)
        elif child.returncode and not found.why:
            said = complaints.read_text(errors="replace").strip().splitlines()
            found.why = _crash(child.returncode, said[-1:] if found.open is None else [], found)
        return found


def _count_open(found: _Sample, ended: float) -> None:
    """Count what was being worked at the end, if it took longer than all others: it takes at least that.

    While kernels are compiled, which happens once on a machine, nothing is worked.
    """
    if found.open is not None and not found.compiling:
        first, items, began = found.open
        lasted = ended - began - found.compiled
        if lasted > max((one.seconds + one.waited for one in found.blocks), default=0.0):
            found.blocks.append(Block(first, items, lasted, 0.0, cut=True))


def _end(child: subprocess.Popen[bytes]) -> None:
    """End the process and all that it has started and that is of its group still."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def _told(lines: Sequence[str]) -> _Sample:
    found = _Sample()
    for line in lines:
        try:
            words: dict[str, Any] = json.loads(line)
        except ValueError:  # the last line, cut short
            continue
        if "began" in words:
            found.open = words["began"], words["items"], words["at"]
            found.compiled = 0.0
        if "compiling" in words:
            found.compiling = words["compiling"]
            found.compiled += words.get("lasted", 0.0)
        if "block" in words:
            found.blocks.append(Block(**words["block"]))
            found.peak, found.error, found.open = words["peak"], words["error"], None
        if "published" in words:
            found.published.append((words["published"]["items"], words["published"]["bytes"]))
        if "finished" in words:
            found.open = None
        if "refused" in words:
            found.why, found.status, found.open = words["refused"], words["status"], None
    return found


def _late(seconds: float, found: _Sample) -> str:
    if not found.blocks and found.compiling:
        return (
            f"nothing, for kernels, compiled once on this machine, were not ready after {seconds:.0f} seconds: {AGAIN}"
        )
    if found.open is None and not found.blocks:
        return f"nothing, for data and kernels were not ready after {seconds:.0f} seconds: {AGAIN}"
    return f"ended after {seconds:.0f} seconds{_where(found)}"


def _crash(code: int, said: Sequence[str], found: _Sample) -> str:
    how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended itself with status {code}"
    return f"its process {how}{_where(found)}{': ' + said[0] if said else ''}"


def _where(found: _Sample) -> str:
    return "" if found.open is None else f", in the midst of the {found.open[1]:,} from number {found.open[0]:,}"


def _measured(
    planned: GridRun, cluster: Cluster, settings: Settings, left: Sequence[Range], found: _Sample
) -> Iterator[tuple[str, str]]:
    grid = planned.grid
    items = sum(stop - first for first, stop in left)
    worked, seconds = sum(one.items for one in found.blocks if not one.cut), sum(one.seconds for one in found.blocks)
    cut = any(one.cut for one in found.blocks)
    if not found.blocks:
        yield "Sample", found.why or "nothing could be measured"
        return
    told = [f"{worked:,} of {items:,} {grid.noun} in {duration(seconds)}"]
    if found.why and worked < items:
        told.append(found.why)
    lost = sum(one.failed for one in found.blocks)
    if lost:
        told.append(f"{lost:,} of their cells failed{f', the last with {found.error}' if found.error else ''}")
    yield "Sample", "; ".join(told)
    total = core_seconds(found.blocks, items)
    sides = f"95 %: {_hours(total.low)} to {_hours(total.high)}"
    if math.isinf(total.high):
        sides = "no spread from one block"
    yield "Core-hours", f"{'at least ' if cut else ''}{_hours(total.mean)} ({sides}), that is {duration(total.mean)}"
    waited = sum(one.waited for one in found.blocks)
    if waited > MOST_WAITED * (seconds + waited):
        share = waited / (seconds + waited)
        yield "", f"others had the cores for {100 * share:.0f} % of the time, which does not count here"
    workers = max(1, min(cluster.wanted or 1, items))
    longest = max(one.seconds / one.items for one in found.blocks)
    wall = duration(max(total.mean / workers, longest))
    supposed = " (as many as come)" if cluster.wanted is None else ""
    yield "Wall time", f"about {wall} on {counted(workers, 'worker')}{supposed}, beside start and summary"
    chunks = _chunks(planned, workers, settings.chunk, left, total.mean / items)
    if found.published:
        size = stored_bytes(found.published, items, chunks)
        rows = items * grid.cells_per_item
        yield "Disk", f"{_bytes(size)} in about {chunks:,} parts, {size / rows:.1f} bytes a cell"
    else:
        yield "Disk", "not measured: no part was published"
    if found.peak:
        yield "Memory", f"{_bytes(found.peak)} at most in the sampling process; a worker needs about as much"


def _chunks(planned: GridRun, workers: int, size: int | None, left: Sequence[Range], pace: float) -> int:
    """How many chunks the run is cut into at so many seconds an item."""
    items = sum(stop - first for first, stop in left)
    if size is not None:
        return sum(-(-(stop - first) // size) for first, stop in left)
    chunks, count = Chunks(left, planned.grid, workers, None), 0
    most = chunks.most_items(1 / max(pace, 1e-9))
    if items > MOST_CHUNKS * most:
        return math.ceil(items / most)
    while chunks:
        chunk = chunks.next()
        chunks.took(chunk, chunk.items * pace)
        count += 1
    return count


def _hours(seconds: float) -> str:
    return f"{seconds / 3600:,.0f}" if seconds >= 360_000 else f"{seconds / 3600:.3g}"


def _bytes(size: float) -> str:
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.3g} {unit}" if unit != "bytes" else f"{size:.0f} bytes"
        size /= 1024
    return f"{size:,.1f} TiB"
