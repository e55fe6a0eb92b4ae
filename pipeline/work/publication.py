"""A worker's computation of a chunk: compute its rows, publish them, return a short receipt."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import getfile
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import ConfigError, OutputError, raised_in
from pipeline.failures import UNHARMED, Failure
from pipeline.grid import RESULTS_TABLE, Grid, PartialViews
from pipeline.plan import Chunk, GridRun
from pipeline.record.environment import made_with
from pipeline.storage.locations import storage_errors
from pipeline.storage.parts import Part, publish, verified
from pipeline.work.limits import UNLIMITED, Limits
from pipeline.work.separation import Tables, divisible, separated, tried

if TYPE_CHECKING:
    import pyarrow as pa

MOST_FAILURES = 20
"""Number of items that may fail before the first success."""


@dataclass(frozen=True)
class FailedItem:
    """An item that cannot be computed, and the reason."""

    item: int
    failure: Failure


@dataclass(frozen=True)
class Receipt:
    """The result of a chunk.

    parts          : published part files
    failed_items   : items in no part file, whose rows are still to be published
    left           : the end of the chunk, given back because all items before it failed
    failed         : result rows of the part files whose cell failed or met a limit
    seconds        : wall time, without compiling kernels
    tries          : number of starts of the chunk; more than one if workers died
    waited_seconds : seconds of waiting for a core; 0 if unknown
    peak_bytes     : peak memory of the worker so far; 0 if unknown
    """

    parts: tuple[Part, ...]
    failed_items: tuple[FailedItem, ...]
    left: Chunk | None
    failed: int
    seconds: float
    work_cpu_seconds: float
    publish_cpu_seconds: float
    tries: int = 1
    waited_seconds: float = 0.0
    peak_bytes: int = 0

    @property
    def items(self) -> int:
        """Number of items in the parts."""
        return sum(part.stop - part.first for part in self.parts)


@dataclass
class ChunkResult:
    """The result of a chunk: the tables of its stretches that succeeded, and the items between them that failed."""

    stretches: list[tuple[Chunk, list[Tables]]] = field(default_factory=list)
    failed_items: list[FailedItem] = field(default_factory=list)
    left: Chunk | None = None

    def add(self, item: int, outcome: Tables | Failure) -> None:
        """Add the outcome of the next item."""
        if isinstance(outcome, Failure):
            self.failed_items.append(FailedItem(item, outcome))
        elif self.stretches and self.stretches[-1][0].stop == item:
            chunk, tables = self.stretches[-1]
            self.stretches[-1] = (Chunk(chunk.first, item + 1), [*tables, outcome])
        else:
            self.stretches.append((Chunk(item, item + 1), [outcome]))

    def published(self, run: GridRun, began: float, work_cpu_seconds: float, tries: int = 1) -> Receipt:
        """Publish the stretches, a part file each; `began` is the start of the chunk, by time.perf_counter.

        Raises OutputError if a part file cannot be written.
        """
        cpu = time.thread_time()
        parts, failed = [], 0
        for chunk, items in self.stretches:
            tables = items[0] if len(items) == 1 else _joined(items)
            failed += _count_failed(tables[RESULTS_TABLE])
            try:
                parts.append(_publish(tables, run, chunk.first, chunk.stop))
            except storage_errors() as error:
                raise OutputError.of(error, run.results) from error
        return Receipt(
            parts=tuple(parts),
            failed_items=tuple(self.failed_items),
            left=self.left,
            failed=failed,
            seconds=time.perf_counter() - began,
            work_cpu_seconds=work_cpu_seconds,
            publish_cpu_seconds=time.thread_time() - cpu,
            tries=tries,
        )


def publish_chunk(run: GridRun, chunk: Chunk, limits: Limits = UNLIMITED) -> Receipt:
    """Compute a chunk in this process and publish its part file; if that raises, compute its items one by one.

    A chunk that takes too long, or crashes, ends the process; `pipeline.work.suspects` then computes it again.
    The state of the process is restored before anything is published.

    Raises OutputError: a part file cannot be written.
    """
    from algorithms._numba.compiling import Stopwatch

    clock, cpu, waited = Stopwatch(), time.thread_time(), _waited()
    began = time.perf_counter()
    limits = limits.on_this_worker()
    with limits.in_force():
        result = _computed(run.grid, chunk, limits)
    receipt = result.published(run, began, time.thread_time() - cpu)
    return replace(receipt, seconds=clock.seconds, waited_seconds=_waited() - waited, peak_bytes=_peak())


def _waited() -> float:
    """Seconds in which this thread was ready but had no core; only Linux counts them."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def _peak() -> int:
    """The peak memory of this process, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # in KiB, except on macOS
    return peak if sys.platform == "darwin" else peak * 1024


def _computed(grid: Grid, chunk: Chunk, limits: Limits) -> ChunkResult:
    outcome = _tried(grid, chunk, limits)
    if not isinstance(outcome, Failure):
        return ChunkResult([(chunk, [outcome])])
    if chunk.items == 1 and outcome.status == "failed" and not divisible(grid):  # it would fail again
        return ChunkResult(failed_items=[FailedItem(chunk.first, outcome)])

    def compute(item: int) -> Tables | Failure:
        def attempt(left_out: Mapping[int, Failure], times: int) -> Tables | Failure:
            return _tried(grid.leaving_out(left_out), Chunk(item, item + 1), limits.for_cells(times))

        return separated(grid, attempt, skip_whole=chunk.items == 1)

    return one_by_one(chunk, compute)


def _tried(grid: Grid, chunk: Chunk, limits: Limits) -> Tables | Failure:
    """The tables of a chunk, or its failure; if it takes too long, this worker ends."""
    return tried(grid, chunk, limits.ending_worker(), limits.limiting_memory())


def one_by_one(chunk: Chunk, attempt: Callable[[int], Tables | Failure]) -> ChunkResult:
    """Attempt the items of a chunk one by one; stop if MOST_FAILURES items failed and none succeeded."""
    result = ChunkResult()
    for item in range(chunk.first, chunk.stop):
        result.add(item, attempt(item))
        if not result.stretches and len(result.failed_items) == MOST_FAILURES and item + 1 < chunk.stop:
            result.left = Chunk(item + 1, chunk.stop)
            break
    return result


def publish_failed(run: GridRun, failed: FailedItem) -> Receipt:
    """Publish the rows of an item that cannot be computed.

    Raises ConfigError: the grid cannot make the rows, or gives more or fewer result rows than the item has cells.
    """
    item, failure, expected = failed.item, failed.failure, run.grid.cells_per_item
    try:
        tables = run.grid.failed_item(item, failure.status, failure.error)
    except Exception as error:  # such as a `parameters` of a user's grid that fails for this item
        where = raised_in(error, Path(getfile(type(run.grid))).parent)
        raise ConfigError(
            f"grid {run.name}: a failed item gets rows that only identify its cells, but they cannot be made: {where}. "
            "Change `parameters`, `row_identity` or `failed_rows`, which must return rows for each item. (The item "
            f"itself failed with: {failure.error})"
        ) from error
    if (rows := tables[RESULTS_TABLE].num_rows) != expected:  # its part file would be rejected, and computed again
        raise ConfigError(
            f"grid {run.name}: `failed_rows` and `failed_rows_in` return {rows} result rows for a failed item: "
            f"expected {expected}, one for each cell. (The item itself failed with: {failure.error})"
        )
    part = _publish(tables, run, item, item + 1)
    return Receipt((part,), (), None, run.grid.cells_per_item, 0.0, 0.0, 0.0)


def _joined(items: list[Tables]) -> Tables:
    import pyarrow as pa

    return {name: pa.concat_tables([tables[name] for tables in items]).unify_dictionaries() for name in items[0]}


def _count_failed(results: pa.Table) -> int:
    """The number of rows whose cell failed or met a limit; skipped cells do not count."""
    counts = results["status"].value_counts().to_pylist()
    return sum(int(count["counts"]) for count in counts if count["values"] not in UNHARMED)


def _publish(tables: Tables, run: GridRun, first: int, stop: int) -> Part:
    """Publish a part file of each table; the results' file is published last and returned."""
    for name in run.grid.tables:
        if name != RESULTS_TABLE:
            publish(_with_origin(tables[name]), run.folder(name), run.id, first, stop)
    return publish(_with_origin(tables[RESULTS_TABLE]), run.results, run.id, first, stop)


def _with_origin(table: pa.Table) -> pa.Table:
    """The table with the column of the versions that made its rows."""
    from pipeline.arrow_arrays import constant
    from pipeline.schema import MADE_WITH

    return table.append_column(MADE_WITH, constant(made_with(), table.num_rows))


def merged_views(run: GridRun, names: Sequence[str], computed: Sequence[PartialViews] = ()) -> PartialViews:
    """The merged views of result part files and of views; OSError if a file is gone or not a part file."""
    return run.grid.views(verified((run.results / name for name in names), run.id, run.cells_per_item), computed)
