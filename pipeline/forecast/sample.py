"""A few items of a grid worked and published in a process of its own, to measure what all of them take.

`python -m pipeline.forecast.sample` reads a pickled `Request` from its parent and answers in lines of JSON. Whatever a
builder does, the operating system ends it when its time is over.
"""

from __future__ import annotations

import json
import os
import pickle
import resource
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from pipeline.errors import OrchardError
from pipeline.forecast.estimate import Block, core_seconds
from pipeline.plan import MOST_ROWS, Chunk, GridRun
from pipeline.storage.parts import Part, Range, publish, read
from pipeline.work.publication import publish_chunk

if TYPE_CHECKING:
    from pipeline.grid import Grid

__all__ = ["Request", "blocks_of", "main", "spread"]

GOLDEN = (5**0.5 - 1) / 2
BLOCK_SECONDS = 0.25  # of work in a block of items, so that what a chunk costs once counts for little
MOST_TIMES_LARGER = 64
ENDING_SECONDS = 0.5  # to tell of the size of the last parts
WARM_SECONDS = 1.0  # a first block that took longer counts, although the process was cold
ENOUGH_BLOCKS, ENOUGH_SECONDS, ENOUGH_SPREAD = 30, 3.0, 0.03


@dataclass(frozen=True)
class Request:
    """What to sample.

    left    : the items still to be worked
    folder  : where parts may be published, and are thrown away
    seconds : after which the process ends, wherever it stands
    """

    grid: Grid
    left: tuple[Range, ...]
    folder: Path
    seconds: float


def main() -> int:
    """Answer the request on stdin with lines on stdout; nothing else of this process gets there."""
    request: Request = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our own parent
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, request.seconds)
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(2, 1)
        try:
            with _telling_of_compilation(answers):
                _sample(request, answers)
        except OrchardError as error:
            _say(answers, refused=str(error), status=error.exit_status)
    return 0


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


def _sample(request: Request, answers: IO[str]) -> None:
    ends = time.monotonic() + request.seconds - ENDING_SECONDS
    run = GridRun(request.grid, "sample", "0" * 12, request.folder)
    items = sum(stop - first for first, stop in request.left)
    request.grid.prepare()
    size = max(1, request.grid.first_items)
    worked = _Worked(run, answers)
    first = worked.work(next(blocks_of(request.left, size)))
    if first.seconds > WARM_SECONDS:
        worked.count(first)
    else:  # the process was cold, which is not what the grid takes
        worked.parts.clear()
        size *= max(1, min(MOST_TIMES_LARGER, int(BLOCK_SECONDS / first.seconds)))
    for chunk in islice(blocks_of(request.left, size), len(worked.blocks), None):
        worked.count(worked.work(chunk))
        if worked.enough(items, ends):
            break
    worked.publish()
    _say(answers, finished=True)


@dataclass
class _Worked:
    """The blocks that were worked, and the parts that they were published as."""

    run: GridRun
    answers: IO[str]
    blocks: list[Block] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    error: str | None = None

    def work(self, chunk: Chunk) -> Block:
        """Work and publish a chunk; kernels that are compiled on the way take time that does not count."""
        from algorithms.kernels.compiling import Stopwatch

        _say(self.answers, began=chunk.first, items=chunk.items, at=time.monotonic())
        waited, clock = _waited(), Stopwatch()
        failed, parts = chunk.items * self.run.grid.cells_per_item, tuple[Part, ...]()
        try:
            receipt = publish_chunk(self.run, chunk, None)
        except OrchardError:
            raise
        except Exception as error:  # the run makes rows of it
            self.error = f"{type(error).__name__}: {error}"
        else:
            failed, parts = receipt.failed + len(receipt.failures) * self.run.grid.cells_per_item, receipt.parts
            self.parts += parts
            self.error = receipt.failures[-1].loss.error if receipt.failures else self.error
        seconds = clock.seconds
        waited = min(seconds, _waited() - waited)
        for part in parts:
            self.error = next(iter(read(part)["error"].drop_null().to_pylist()), self.error)
        return Block(chunk.first, chunk.items, max(seconds - waited, 1e-9), waited, failed)

    def count(self, block: Block) -> None:
        """Tell of a block, and now and then of what its rows and those before it take on a disk."""
        self.blocks.append(block)
        _say(self.answers, block=asdict(block), peak=_peak(), error=self.error)
        if len(self.blocks).bit_count() == 1:
            self.publish()

    def publish(self) -> None:
        """Tell of the size of a part with all rows so far, as many as a part may have."""
        if self.parts:
            _say(self.answers, published=_published(self.run, self.parts))

    def enough(self, items: int, ends: float) -> bool:
        """Whether more blocks would tell little more of so many items, or another is likely to end too late."""
        if time.monotonic() + sum(one.seconds + one.waited for one in self.blocks) / len(self.blocks) > ends:
            return True
        if len(self.blocks) < ENOUGH_BLOCKS or sum(one.seconds for one in self.blocks) < ENOUGH_SECONDS:
            return False
        found = core_seconds(self.blocks, items)
        return found.high - found.low <= 2 * ENOUGH_SPREAD * found.mean


def _published(run: GridRun, parts: Sequence[Part]) -> dict[str, int]:
    """The rows and bytes of one part of all tables, with the rows of these parts, as many as a part may have."""
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
        theirs = [run.folder(table) / table_part for one in found for table_part in _names(run.folder(table), one)]
        whole = pa.concat_tables([read(Part(0, 0, path)) for path in theirs])
        size += publish(whole, run.output / "merged" / table, run.id, 0, items).path.stat().st_size
    return {"items": items, "rows": items * cells, "bytes": size}


def _names(folder: Path, part: Part) -> list[str]:
    """The file of a table that covers the items of a part of the results."""
    return sorted(path.name for path in folder.glob(f"part-{part.first:09}-{part.stop:09}-*.parquet"))[:1]


@contextmanager
def _telling_of_compilation(answers: IO[str]) -> Iterator[None]:
    """Tell when kernels begin to be compiled or loaded in the block, and when that ends."""
    from algorithms.kernels.compiling import observing_compilation

    with observing_compilation(
        lambda: _say(answers, compiling=True), lambda seconds: _say(answers, compiling=False, lasted=seconds)
    ):
        yield


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


def _say(answers: IO[str], **words: Any) -> None:
    answers.write(json.dumps(words) + "\n")
    answers.flush()


if __name__ == "__main__":
    from pipeline.forecast.sample import main as imported  # whose Request is the one that was pickled

    sys.exit(imported())
