"""A grid becomes a run, with an identity and folders, and a stream of chunks in order."""

from __future__ import annotations

import hashlib
import json
import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.grid import Grid
from pipeline.import_path import CarriesPlugins
from pipeline.storage.parts import Range
from pipeline.storage.run_folders import RunFolders

SCHEMA_VERSION = 3
"""Version of the columns of result rows. It is raised when they change, which makes a new run.

The columns of a grid's other tables have their own version: `columns_version` of the grid, by default 1.
"""

CHUNK_SECONDS = 2.0
LEAST_SECONDS = 0.1  # of the last chunks, which get smaller so that all workers finish together
CHUNKS_A_SECOND = 100  # that a scheduler can bear: docs/scale.md; with many workers, chunks are longer
MOST_ROWS = 600_000  # of a part file, so that a worker's memory does not grow with the run; about 200 bytes each


@dataclass(frozen=True, order=True)
class Chunk:
    """Items `first` to `stop` - 1. A worker computes a chunk at a time, and a part file holds one."""

    first: int
    stop: int

    @property
    def items(self) -> int:
        """Number of items."""
        return self.stop - self.first


class Chunks:
    """The chunks still to be computed, cut on demand.

    Unless the size is fixed, a chunk is about two seconds of work at the observed pace. Towards the end it is half of a
    worker's share of the remaining items, so that all finish together (Polychronopoulos & Kuck 1987). With more than a
    hundred workers chunks are longer, because a scheduler can hand out only so many a second. The size changes no row:
    part files are known by the items they hold.

    workers      : number of workers, which may change during the run
    most_seconds : upper limit of a chunk's duration, if there is one
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
        self._first_items, self._most_by_rows = grid.first_items, max(1, MOST_ROWS // grid.cells_per_item)
        self.workers = workers
        self._size, self._most_seconds = size, most_seconds
        self._seconds, self._items = 0.0, 0

    def __bool__(self) -> bool:
        """Whether any chunks are left."""
        return bool(self._ranges)

    def took(self, chunk: Chunk, seconds: float) -> None:
        """Record the duration of a chunk."""
        self._seconds += seconds
        self._items += chunk.items

    def next(self) -> Chunk:
        """The next chunk."""
        span = self._ranges.popleft()
        stop = min(span.stop, span.first + (self._size or self._next_items()))
        if stop < span.stop:
            self._ranges.appendleft(Chunk(stop, span.stop))
        self._left -= stop - span.first
        return Chunk(span.first, stop)

    def put_back(self, chunk: Chunk) -> None:
        """Put a chunk first, to be taken whole or in smaller chunks."""
        self._ranges.appendleft(chunk)
        self._left += chunk.items

    def _next_items(self) -> int:
        fair_share = -(-self._left // (2 * self.workers))
        if not self._items:
            return min(self._first_items, fair_share)
        items_a_second = self._items / max(self._seconds, 1e-9)
        least = int(max(LEAST_SECONDS, self.workers / CHUNKS_A_SECOND) * items_a_second)
        return min(max(fair_share, least, 1), self.most_items(items_a_second))

    def most_items(self, items_a_second: float) -> int:
        """Number of items in a chunk at this pace, while many are left."""
        seconds = min(chunk_seconds(self.workers), self._most_seconds)
        return max(1, min(int(seconds * items_a_second), self._most_by_rows))


def chunk_seconds(workers: int) -> float:
    """Seconds of work in a chunk, for this many workers."""
    return max(CHUNK_SECONDS, 2 * workers / CHUNKS_A_SECOND)


def run_id(grid: Grid) -> str:
    """Twelve hexadecimal digits that identify everything that can change a result of the grid."""
    version = getattr(grid, "columns_version", 1)
    columns = {} if version == 1 else {"columns_version": version}
    identity = {"schema_version": SCHEMA_VERSION, **columns, **grid.identity()}
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class GridRun(RunFolders, CarriesPlugins):
    """A grid with its resolved configuration, and the folders of its files."""

    grid: Grid
    name: str
    id: str
    output: Path

    @property
    def package(self) -> str:
        """The package of the grid's class."""
        return type(self.grid).__module__.rpartition(".")[0]

    @property
    def cells_per_item(self) -> int:
        """Number of result rows of an item."""
        return self.grid.cells_per_item
