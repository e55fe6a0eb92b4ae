"""Computes a sample of a run's items, by the driver and one local worker, to estimate the cost of all items."""

from __future__ import annotations

import tempfile
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from itertools import accumulate, islice
from pathlib import Path

import psutil

from pipeline.cluster.base import Workers
from pipeline.cluster.local import LocalProcesses, start_fork_server
from pipeline.driver.signals import StopRequest, limited
from pipeline.driver.submission import submit_all
from pipeline.errors import OrchardError, TimeLimitError
from pipeline.forecast.estimate import Block, core_seconds
from pipeline.plain_text import note
from pipeline.plan import MOST_ROWS, Chunk, Chunks, GridRun
from pipeline.screen import tool
from pipeline.storage.parts import Part, Range, items_in, publish, read
from pipeline.storage.scratch import scratch
from pipeline.words import span
from pipeline.work.limits import Limits
from pipeline.work.publication import Receipt

GOLDEN = (5**0.5 - 1) / 2
BLOCK_SECONDS = 0.25  # of work in a block of items, so that the overhead of a chunk counts for little
MOST_TIMES_LARGER = 64
WARM_SECONDS = 1.0  # a first block that took longer counts, although the worker was cold
ENOUGH_BLOCKS, ENOUGH_SECONDS, ENOUGH_SPREAD = 30, 3.0, 0.03
ANSWER_SECONDS = 1.0  # in which a worker says whether it compiles


@dataclass
class Sample:
    """The measured blocks, and how the sample ended.

    published : (items, bytes) of part files
    peak      : the peak memory of a worker, in bytes
    error     : of the last cell that failed
    why       : the reason why the sample ended early; empty if it did not
    status    : exit status of the dry run
    """

    blocks: list[Block] = field(default_factory=list)
    published: list[tuple[int, int]] = field(default_factory=list)
    peak: int = 0
    error: str | None = None
    why: str = ""
    status: int = 0


def spread(count: int) -> Iterator[int]:
    """All indices below `count`, in an order in which every prefix is spread evenly over them.

    These are the fractional parts of multiples of the golden ratio (Knuth 1998, sect. 6.4).
    """
    seen: set[int] = set()
    step = 0
    while len(seen) < count:
        index = int(((step + 0.5) * GOLDEN) % 1 * count)
        step += 1
        if index not in seen:
            seen.add(index)
            yield index


def blocks_of(left: Sequence[Range], size: int) -> Iterator[Chunk]:
    """The missing items in blocks of `size` consecutive ones, fewer at the end of a range, evenly spread."""
    counts = [-(-(stop - first) // size) for first, stop in left]
    for number in spread(sum(counts)):
        offset = number
        for (first, stop), count in zip(left, counts, strict=True):
            if offset < count:
                begin = first + offset * size
                yield Chunk(begin, min(stop, begin + size))
                break
            offset -= count


def sampled(run: GridRun, left: Sequence[Range], limits: Limits, seconds: float) -> Sample:
    """Compute a sample of the missing items in a temporary folder, within a time limit."""
    with tempfile.TemporaryDirectory(dir=scratch()) as folder:
        sampling = _Sampling(GridRun(run.grid, "sample", "0" * 12, Path(folder)), limits, seconds)
        sampling.take(left)
        parts = sampling.parts
        sampling.sample.published = [_published(sampling.run, some) for some in (parts[:1], parts) if some]
    return sampling.sample


class _Blocks(Chunks):
    """Blocks instead of the chunks of a run, until there are enough.

    open_blocks : the blocks at the worker, by their first items, the oldest first
    """

    def __init__(self, blocks: Iterator[Chunk], enough: Callable[[], bool], open_blocks: dict[int, Chunk]) -> None:
        self.workers, self._blocks, self._enough, self._open = 1, blocks, enough, open_blocks
        self._next = deque(islice(blocks, 1))

    def __bool__(self) -> bool:
        """Whether another block is wanted."""
        return bool(self._next) and not self._enough()

    def next(self) -> Chunk:
        block = self._next.popleft()
        self._next.extend(islice(self._blocks, 0 if self._next else 1))
        self._open[block.first] = block
        return block

    def took(self, chunk: Chunk, seconds: float) -> None:
        """Do nothing: blocks have a fixed size."""

    def put_back(self, chunk: Chunk) -> None:
        """Put the end of a block before all others."""
        self._next.appendleft(chunk)


class _Sampling:
    def __init__(self, run: GridRun, limits: Limits, seconds: float) -> None:
        self.run, self.sample, self.parts = run, Sample(), list[Part]()
        self._limits, self._seconds, self._ends = limits, seconds, time.monotonic() + seconds
        self._workers: Workers | None = None
        self._open: dict[int, Chunk] = {}
        self._last_receipt = time.monotonic()

    def take(self, left: Sequence[Range]) -> None:
        """Compute blocks until they suffice, the time is over or something ends the sample.

        Processes that builders leave behind below a worker are ended, too.
        """
        process = psutil.Process()
        before, left_behind = set(process.children(recursive=True)), set[psutil.Process]()
        with ExitStack() as cluster:
            try:
                with limited(self._seconds, TimeLimitError()):
                    start_fork_server(self.run.package)
                    self.run.grid.prepare(note)
                    self.run.record_folder.mkdir(parents=True)
                    self._workers = cluster.enter_context(LocalProcesses(1).opened(self.run.record_folder, ()))
                    before = set(process.children(recursive=True))
                    self._last_receipt = time.monotonic()
                    self._submit_blocks(left)
            except TimeLimitError:
                self._record_timeout()
            except OrchardError as error:
                self.sample.why, self.sample.status = str(error), error.exit_status
            left_behind = set(process.children(recursive=True)) - before
        for child in left_behind:
            with suppress(psutil.NoSuchProcess):
                child.kill()

    def _submit_blocks(self, left: Sequence[Range]) -> None:
        blocks, items = self.sample.blocks, items_in(left)
        size = max(1, self.run.grid.first_items)
        self._submit(islice(blocks_of(left, size), 1), lambda: False)
        if blocks[0].seconds <= WARM_SECONDS:  # the worker was cold, which is not the cost of the grid
            size *= max(1, min(MOST_TIMES_LARGER, int(BLOCK_SECONDS / blocks[0].seconds)))
            blocks.clear()
            self.parts.clear()
        self._submit(islice(blocks_of(left, size), len(blocks), None), lambda: self._enough(items))

    def _submit(self, blocks: Iterator[Chunk], enough: Callable[[], bool]) -> None:
        assert self._workers is not None
        chunks = _Blocks(blocks, enough, self._open)
        submit_all(self._workers, self.run, chunks, self._limits, StopRequest(), self._take_receipt)

    def _take_receipt(self, receipt: Receipt) -> None:
        """Add a block for a receipt. The receipt of failed items has no seconds: that of their block had them."""
        sample = self.sample
        self.parts += receipt.parts
        sample.peak = max(sample.peak, receipt.peak_bytes)
        if not receipt.seconds:
            return
        first = min([part.first for part in receipt.parts] + [failed.item for failed in receipt.failed_items])
        self._open.pop(first, None)
        self._last_receipt = time.monotonic()
        for part in receipt.parts if receipt.failed else ():
            sample.error = next(iter(read(part, ["error"])["error"].drop_null().to_pylist()), sample.error)
        if receipt.failed_items:
            sample.error = receipt.failed_items[-1].failure.error
        waited = min(receipt.seconds, receipt.waited_seconds)
        failed = receipt.failed + len(receipt.failed_items) * self.run.grid.cells_per_item
        items = receipt.items + len(receipt.failed_items)
        sample.blocks.append(Block(first, items, max(receipt.seconds - waited, 1e-9), waited, failed))

    def _enough(self, items: int) -> bool:
        """Whether more blocks would add little information, or another block would probably end too late."""
        blocks = self.sample.blocks
        seconds = [block.seconds + block.waited for block in blocks]
        pace = sum(seconds[1:]) / (len(seconds) - 1) if seconds[1:] else sum(seconds) / 2  # the first is slow
        if time.monotonic() + pace * (len(self._open) + 1) > self._ends:
            return True
        if len(blocks) < ENOUGH_BLOCKS or sum(block.seconds for block in blocks) < ENOUGH_SECONDS:
            return False
        estimate = core_seconds(blocks, items)
        return estimate.high - estimate.low <= 2 * ENOUGH_SPREAD * estimate.mean

    def _record_timeout(self) -> None:
        """Record that the time was over, and count the open block, as a lower bound, if it took longer than all others.

        No cell is computed while kernels compile, which happens once on a machine.
        """
        sample, after = self.sample, f"after {self._seconds:.0f} seconds"
        block = next(iter(self._open.values()), None)
        lasted = time.monotonic() - self._last_receipt
        compiles, compiled = self._compiled() if block else (False, 0.0)
        cold = not sample.peak and lasted - compiled <= WARM_SECONDS  # which is not the cost of the grid
        if not sample.blocks and (compiles or block is None or cold):
            what = "kernels, compiled once on this machine," if compiles else "data and kernels"
            again = f"run the command again, or first {tool('warm')} BUILDER, which compiles the kernels of a builder"
            sample.why = f"none: {what} were not ready {after}; {again}"
            return
        sample.why = f"ended {after}{_unfinished(block) if block else ''}"
        longest = max((done.seconds + done.waited for done in sample.blocks), default=0)
        if block and not compiles and lasted - compiled > longest:
            sample.blocks.append(Block(block.first, block.items, lasted - compiled, 0.0, cut=True))

    def _compiled(self) -> tuple[bool, float]:
        """Whether the worker is compiling kernels, and the seconds spent so far."""
        from algorithms._numba.compiling import compilation_of_all_threads

        assert self._workers is not None
        with suppress(Exception):  # the worker does not answer, or has died
            client = self._workers.client
            (answer,) = client.sync(client._run, compilation_of_all_threads, callback_timeout=ANSWER_SECONDS).values()
            return bool(answer[0]), float(answer[1])
        return False, 0.0


def _published(run: GridRun, parts: Sequence[Part]) -> tuple[int, int]:
    """Publish the rows of these parts as one part file for each table; return its items and the bytes of the files."""
    import pyarrow as pa

    totals = list(accumulate(part.stop - part.first for part in parts))
    fitting = max(1, bisect_right(totals, MOST_ROWS // run.grid.cells_per_item))
    merged, items, size = parts[:fitting], totals[fitting - 1], 0
    for table in run.grid.tables:
        paths = [next(run.folder(table).glob(f"part-{part.first:09}-{part.stop:09}-*.parquet")) for part in merged]
        whole = pa.concat_tables([read(Part(0, 0, path)) for path in paths])
        size += publish(whole, run.output / "merged" / table, run.id, 0, items).path.stat().st_size
    return items, size


def _unfinished(block: Chunk) -> str:
    """Say which items, numbered from 1, were not done."""
    first, last = block.first + 1, block.first + block.items
    return f", before {span(first, last)} {'was' if first == last else 'were'} done"
