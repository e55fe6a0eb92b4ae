"""A grid becomes a run, with an identity and folders, and an ordered stream of chunks."""

from __future__ import annotations

import hashlib
import json
import math
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.grid import Grid
from pipeline.import_path import Carried
from pipeline.storage.parts import Part, Range, verified
from pipeline.storage.run_folders import StoredRun

__all__ = ["SCHEMA_VERSION", "Chunk", "Chunks", "GridRun", "chunk_seconds", "run_id"]

SCHEMA_VERSION = 3
"""Version of the result rows' columns; raised when they change, so that rows of two kinds are of two runs.

The columns of a grid's other tables have a version of their own: `columns_version` of the grid, 1 where it has none.
"""

CHUNK_SECONDS = 2.0
LEAST_SECONDS = 0.1  # of the last chunks, which get smaller so that all workers finish together
CHUNKS_A_SECOND = 100  # that a scheduler stands: docs/scale.md; chunks of many workers are longer, so that fewer end
MOST_ROWS = 600_000  # of a part, so that a worker's memory does not grow with the run; some 200 bytes each


@dataclass(frozen=True, order=True)
class Chunk:
    """The items from `first` up to, not including, `stop`: what a worker takes at a time, and what a part covers."""

    first: int
    stop: int

    @property
    def items(self) -> int:
        """Number of items."""
        return self.stop - self.first


class Chunks:
    """The chunks still to be worked, cut as they are asked for.

    Without a fixed size a chunk is about two seconds of work at the pace seen so far, less towards the end, so that all
    workers finish together; more where there are more than a hundred workers, whose chunks would else end faster than a
    scheduler can hand out others. The size changes no row, since parts are known by the items they cover.

    workers      : how many there are, which may change as they come and go
    most_seconds : that a chunk shall take, where there is a limit
    """

    def __init__(
        self,
        missing: Sequence[Range],
        grid: Grid,
        workers: int,
        size: int | None,
        most_seconds: float = math.inf,
    ) -> None:
        self._ranges = deque(Chunk(*span) for span in missing)
        self._left = sum(span.items for span in self._ranges)
        self._first, self._most = grid.first_items, max(1, MOST_ROWS // grid.cells_per_item)
        self.workers = workers
        self._size, self._most_seconds = size, most_seconds
        self._seconds, self._items = 0.0, 0

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._ranges)

    def took(self, chunk: Chunk, seconds: float) -> None:
        """Note how long a chunk took."""
        self._seconds += seconds
        self._items += chunk.items

    def next(self) -> Chunk:
        """The next chunk."""
        span = self._ranges.popleft()
        stop = min(span.stop, span.first + (self._size or self._at_pace()))
        if stop < span.stop:
            self._ranges.appendleft(Chunk(stop, span.stop))
        self._left -= stop - span.first
        return Chunk(span.first, stop)

    def put_back(self, chunk: Chunk) -> None:
        """Put a chunk before all others, to be taken as it is or in smaller ones."""
        self._ranges.appendleft(chunk)
        self._left += chunk.items

    def _at_pace(self) -> int:
        fair_share = -(-self._left // (2 * self.workers))
        if not self._items:
            return min(self._first, fair_share)
        items_a_second = self._items / max(self._seconds, 1e-9)
        least = int(max(LEAST_SECONDS, self.workers / CHUNKS_A_SECOND) * items_a_second)
        return min(max(fair_share, least, 1), self.most_items(items_a_second))

    def most_items(self, items_a_second: float) -> int:
        """Items of a chunk at such a pace, while many are left."""
        seconds = min(chunk_seconds(self.workers), self._most_seconds)
        return max(1, min(int(seconds * items_a_second), self._most))


def chunk_seconds(workers: int) -> float:
    """Seconds of work that a chunk should be, on so many workers."""
    return max(CHUNK_SECONDS, 2 * workers / CHUNKS_A_SECOND)


def run_id(grid: Grid) -> str:
    """Twelve hexadecimal digits of all that can change a number of the grid."""
    own = getattr(grid, "columns_version", 1)
    identity = {"schema_version": SCHEMA_VERSION, **({} if own == 1 else {"columns_version": own}), **grid.identity()}
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class GridRun(StoredRun, Carried):
    """One grid with one resolved configuration, and where its files are."""

    grid: Grid
    name: str
    id: str
    output: Path

    @property
    def items(self) -> int:
        """How many items it has."""
        return self.grid.items

    @property
    def noun(self) -> str:
        """What an item is called, in the plural."""
        return self.grid.noun

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that it writes."""
        return self.grid.tables

    @property
    def cells_per_item(self) -> int:
        """How many result rows an item gives."""
        return self.grid.cells_per_item

    def result_parts(self, names: Iterable[str]) -> tuple[Part, ...]:
        """Those of its result parts that are called so, verified; OSError if one is not there or is no part."""
        return verified((self.results / name for name in names), self.id, self.grid.cells_per_item)
