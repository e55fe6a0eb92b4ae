"""A few items of a grid, worked as a worker does in a process of its own, to measure what all of them take."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from pipeline.errors import OrchardError
from pipeline.forecast.estimate import Block, core_seconds
from pipeline.plan import MOST_ROWS, Chunk, GridRun
from pipeline.storage.parts import Part, Range, publish, read
from pipeline.storage.scratch import scratch
from pipeline.work.own_process import EndedError, OwnProcess
from pipeline.work.publication import publish_chunk

__all__ = ["Sample", "blocks_of", "sampled", "spread"]

GOLDEN = (5**0.5 - 1) / 2
BLOCK_SECONDS = 0.25  # of work in a block of items, so that what a chunk costs once counts for little
MOST_TIMES_LARGER = 64
WARM_SECONDS = 1.0  # a first block that took longer counts, although the process was cold
ENOUGH_BLOCKS, ENOUGH_SECONDS, ENOUGH_SPREAD = 30, 3.0, 0.03
AGAIN = "they may be the next time"


@dataclass
class Sample:
    """The blocks that were worked, and how the sample ended.

    published : (items, bytes) of parts
    peak      : the most bytes that the process held
    error     : of the last cell that failed
    why       : what ended the sample before its end; empty: nothing did
    status    : exit status of the dry run
    """

    blocks: list[Block] = field(default_factory=list)
    published: list[tuple[int, int]] = field(default_factory=list)
    peak: int = 0
    error: str | None = None
    why: str = ""
    status: int = 0


def spread(places: int) -> Iterator[int]:
    """All places from 0, in an order whose every beginning is spread evenly over them."""
    seen: set[int] = set()
    step = 0
    while len(seen) < places:
        place = int(((step + 0.5) * GOLDEN) % 1 * places)
        step += 1
        if place not in seen:
            seen.add(place)
            yield place


def blocks_of(left: Sequence[Range], size: int) -> Iterator[Chunk]:
    """The items that are left in blocks of `size` consecutive ones, fewer at the end of a range, evenly spread."""
    counts = [-(-(stop - first) // size) for first, stop in left]
    for number in spread(sum(counts)):
        place = number
        for (first, stop), count in zip(left, counts, strict=True):
            if place < count:
                begin = first + place * size
                yield Chunk(begin, min(stop, begin + size))
                break
            place -= count


def sampled(run: GridRun, left: Sequence[Range], seconds: float) -> Sample:
    """Work and publish a sample of the items that are left, in a temporary folder, for so many seconds at most."""
    with tempfile.TemporaryDirectory(dir=scratch()) as folder:
        trial = GridRun(run.grid, "sample", "0" * 12, Path(folder))
        sampling = _Sampling(trial, seconds)
        with sampling.process:
            sampling.work(left)
        parts = sampling.parts
        sampling.found.published = [_published(trial, some) for some in (parts[:1], parts) if some]
    return sampling.found


class _Sampling:
    """The sample while it is taken."""

    def __init__(self, run: GridRun, seconds: float) -> None:
        self.found = Sample()
        self.process = OwnProcess(_Sampler(run), ends=time.monotonic() + seconds)
        self._run, self._seconds = run, seconds
        self._asked: Chunk | None = None
        self._began = self._compiled = 0.0
        self.parts: list[Part] = []

    def work(self, left: Sequence[Range]) -> None:
        """Work blocks until they tell enough, the time is over or something ends it."""
        try:
            self._ask(None)
            self._work(left)
        except OrchardError as error:
            self.found.why, self.found.status = str(error), error.exit_status
        except TimeoutError:
            self._note_late()
        except EndedError as error:
            if time.monotonic() < self.process.ends:
                self.found.why = f"{error.loss.error}{self._where()}"
            else:
                self._note_late()

    def _work(self, left: Sequence[Range]) -> None:
        blocks, items = self.found.blocks, sum(stop - first for first, stop in left)
        size = max(1, self._run.grid.first_items)
        self._ask(next(blocks_of(left, size)))
        if blocks[0].seconds <= WARM_SECONDS:  # the process was cold, which is not what the grid takes
            size *= max(1, min(MOST_TIMES_LARGER, int(BLOCK_SECONDS / blocks[0].seconds)))
            blocks.clear()
            self.parts.clear()
        for chunk in islice(blocks_of(left, size), len(blocks), None):
            self._ask(chunk)
            if self._enough(items):
                break

    def _ask(self, chunk: Chunk | None) -> None:
        """Have a block worked; without one, what the grid needs is made ready."""

        def question() -> Chunk | None:
            self._asked, self._began, self._compiled = chunk, time.monotonic(), self.process.compiled
            return chunk

        answer = self.process.ask(question, float("inf"))
        if isinstance(answer, OrchardError):
            raise answer
        if isinstance(answer, _Measured):
            self._asked = None
            self.found.blocks.append(answer.block)
            self.found.peak, self.found.error = answer.peak, answer.error or self.found.error
            self.parts += answer.parts

    def _enough(self, items: int) -> bool:
        """Whether more blocks would tell little more of so many items, or another is likely to end too late."""
        blocks = self.found.blocks
        if time.monotonic() + sum(one.seconds + one.waited for one in blocks) / len(blocks) > self.process.ends:
            return True
        if len(blocks) < ENOUGH_BLOCKS or sum(one.seconds for one in blocks) < ENOUGH_SECONDS:
            return False
        estimate = core_seconds(blocks, items)
        return estimate.high - estimate.low <= 2 * ENOUGH_SPREAD * estimate.mean

    def _note_late(self) -> None:
        """Say that the time was over, and count the open block if it took longer than all others: at least that.

        No cell is computed while kernels compile, which happens once on a machine.
        """
        found, after = self.found, f"after {self._seconds:.0f} seconds"
        found.why = f"ended {after}{self._where()}"
        if not found.blocks and (self.process.compiling or self._asked is None):
            what = "kernels, compiled once on this machine," if self.process.compiling else "data and kernels"
            found.why = f"nothing, for {what} were not ready {after}: {AGAIN}"
        if self._asked is not None and not self.process.compiling:
            lasted = time.monotonic() - self._began - (self.process.compiled - self._compiled)
            if lasted > max((one.seconds + one.waited for one in found.blocks), default=0.0):
                found.blocks.append(Block(self._asked.first, self._asked.items, lasted, 0.0, cut=True))

    def _where(self) -> str:
        """The block that was begun and not ended."""
        asked = self._asked
        return "" if asked is None else f", in the midst of the {asked.items:,} from number {asked.first:,}"


def _published(run: GridRun, parts: Sequence[Part]) -> tuple[int, int]:
    """The items and bytes of one part of all tables, with the rows of these parts, as many as a part may have."""
    import pyarrow as pa

    cells = run.grid.cells_per_item
    rows, found = 0, list[Part]()
    for part in parts:
        rows += (part.stop - part.first) * cells
        if found and rows > MOST_ROWS:
            break
        found.append(part)
    size, items = 0, sum(part.stop - part.first for part in found)
    for table in run.grid.tables:
        theirs = [path for one in found for path in _files(run.folder(table), one)]
        whole = pa.concat_tables([read(Part(0, 0, path)) for path in theirs])
        size += publish(whole, run.output / "merged" / table, run.id, 0, items).path.stat().st_size
    return items, size


def _files(folder: Path, part: Part) -> list[Path]:
    """The file of a table that covers the items of a part of the results."""
    return sorted(folder.glob(f"part-{part.first:09}-{part.stop:09}-*.parquet"))[:1]


@dataclass(frozen=True)
class _Measured:
    """What a block took, the parts of its rows, why the last of its failed cells failed, and the process's memory."""

    block: Block
    parts: tuple[Part, ...]
    error: str | None
    peak: int


@dataclass(frozen=True)
class _Sampler:
    """What the process does."""

    run: GridRun

    def ready(self) -> None:
        """Import nothing before the first question, which does."""

    def answer(self, chunk: Chunk | None) -> _Measured | OrchardError | None:
        """What a block took; for None the grid prepares. What ends a run is the answer too."""
        try:
            if chunk is not None:
                return self._measured(chunk)
            self.run.grid.prepare()
        except OrchardError as error:
            return error
        return None

    def _measured(self, chunk: Chunk) -> _Measured:
        """Work and publish a block; kernels that are compiled on the way take time that does not count."""
        from algorithms.kernels.compiling import Stopwatch

        cells = self.run.grid.cells_per_item
        waited, clock = _waited(), Stopwatch()
        failed, parts, error = chunk.items * cells, tuple[Part, ...](), None
        try:
            receipt = publish_chunk(self.run, chunk, None)
        except OrchardError:
            raise
        except Exception as found:  # the run makes rows of it
            error = f"{type(found).__name__}: {found}"
        else:
            failed, parts = receipt.failed + len(receipt.failures) * cells, receipt.parts
            error = receipt.failures[-1].loss.error if receipt.failures else None
        seconds = clock.seconds
        waited = min(seconds, _waited() - waited)
        for part in parts:
            error = next(iter(read(part)["error"].drop_null().to_pylist()), error)
        block = Block(chunk.first, chunk.items, max(seconds - waited, 1e-9), waited, failed)
        return _Measured(block, parts, error, _peak())


def _waited() -> float:
    """Seconds for which this thread was ready and others had the cores; Linux alone counts them."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def _peak() -> int:
    """The most bytes that this process has held."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else used * 1024
