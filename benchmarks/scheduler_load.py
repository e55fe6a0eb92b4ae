"""Chunks per second that one scheduler and one driver can serve; the workers only wait.

The driver is `submit_all` with its own window, chunks, tasks and receipts. The scheduler is a process of its own. The
workers are Dask's own, many in one process; for each chunk they sleep instead of growing trees. So the cost of a chunk
to the driver and the scheduler is measured as in a real run, and the rate at which they no longer keep up. Only the
cores of the workers are missing.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from distributed import Client
from sleeping_workers import FIT, NO_LIMIT, SleepingWorkers, cluster

from algorithms.data.random_tables import RandomTables
from algorithms.measures.impurity import IMPURITY_FUNCTIONS
from pipeline.driver.signals import StopRequest
from pipeline.driver.submission import submit_all
from pipeline.grids.greedy_vs_dp.grid import GreedyVsDpGrid
from pipeline.plan import Chunks, GridRun
from pipeline.work.publication import Receipt

ITEMS = 1000  # items of a chunk; none is computed
TICKS = os.sysconf("SC_CLK_TCK")
HEADING = """\
          seconds    chunks a second     keeps   CPU ms a chunk              bytes kept a chunk
  workers a chunk   asked for  done      up      driver  scheduler  workers  driver  scheduler"""


@dataclass(frozen=True)
class Moment:
    """The time at which a number of chunks was done, and CPU seconds and resident MiB of each process."""

    chunks: int
    clock: float
    cpu: tuple[float, ...]
    mib: tuple[float, ...]

    @staticmethod
    def now(chunks: int, pids: Sequence[int]) -> Moment:
        """The measurement at this time."""
        stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
        cpu = tuple((int(fields[11]) + int(fields[12])) / TICKS for fields in stats)
        mib = tuple(int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 2**20 for fields in stats)
        return Moment(chunks, time.monotonic(), cpu, mib)


@dataclass(frozen=True)
class Load:
    """The measurements between two times at which every worker was busy.

    The first process is the driver, the second the scheduler; the others contain the workers.
    """

    moments: tuple[Moment, ...]

    @property
    def chunks(self) -> int:
        """The chunks that were done between the first and the last measurement."""
        return self.moments[-1].chunks - self.moments[0].chunks

    @property
    def rate(self) -> float:
        """Chunks per second."""
        return self.chunks / (self.moments[-1].clock - self.moments[0].clock)

    @property
    def milliseconds(self) -> tuple[float, float, float]:
        """CPU per chunk of the driver, of the scheduler, and of all workers' processes together."""
        driver, scheduler, *theirs = (
            (end - begin) / self.chunks * 1e3
            for begin, end in zip(self.moments[0].cpu, self.moments[-1].cpu, strict=True)
        )
        return driver, scheduler, sum(theirs)

    @property
    def bytes_kept(self) -> tuple[float, float]:
        """The growth of driver and scheduler per chunk, in the second half."""
        half = self.moments[len(self.moments) // 2]
        driver, scheduler, *_ = (
            (end - begin) * 2**20 / (self.moments[-1].chunks - half.chunks)
            for begin, end in zip(half.mib, self.moments[-1].mib, strict=True)
        )
        return driver, scheduler


def loaded(
    client: Client, pids: Sequence[int], workers: int, seconds: float, chunks: int, fit: bool, looks: int
) -> Load:
    """Run a number of chunks of a number of seconds; measure them a number of times."""
    grid = GreedyVsDpGrid(
        seed=0,
        groups=1,
        count=chunks * ITEMS,
        shape=RandomTables(),
        equal_rows="majority",
        heuristics=IMPURITY_FUNCTIONS,
    )
    run = GridRun(grid, "greedy_vs_dp", "0123456789ab", Path("outputs"))
    fleet = SleepingWorkers(
        client=client,
        wanted=workers,
        patience=60.0,
        resources=FIT if fit else {},
        present=lambda: workers,
        why_none=lambda: "",
        chunk_seconds=seconds,
    )
    first, last = 2 * workers, chunks - 2 * workers  # before and after, some workers have nothing to do
    at = {first + (last - first) * look // looks for look in range(looks + 1)}
    done, moments = 0, []

    def on_receipt(_: Receipt) -> None:
        nonlocal done
        done += 1
        if done in at:
            moments.append(Moment.now(done, pids))

    submit_all(fleet, run, Chunks([(0, grid.items)], grid, workers, ITEMS), NO_LIMIT, StopRequest(), on_receipt)
    return Load(tuple(moments))


def main() -> None:
    """Print a line for each number of workers and length of a chunk."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[100, 300, 1000], help="numbers of workers")
    parser.add_argument("--seconds", type=float, nargs="+", default=[2.0, 5.0, 10.0], help="seconds that a chunk takes")
    parser.add_argument("--chunks", type=int, default=10_000, help="chunks of each measurement, more than 4 per worker")
    parser.add_argument("--fit", action="store_true", help="tasks ask for a resource that all workers have")
    parser.add_argument("--memory", action="store_true", help="print the memory of driver and scheduler ten times")
    options = parser.parse_args()
    if options.chunks <= 4 * max(options.workers):
        parser.error(f"--chunks {options.chunks}: expected more than 4 for each of {max(options.workers)} workers")
    print(HEADING, flush=True)
    for workers in options.workers:
        with cluster(workers, options.fit) as (client, others):
            for seconds in options.seconds:
                pids = [os.getpid(), *others]
                load = loaded(client, pids, workers, seconds, options.chunks, options.fit, looks=10)
                wanted, (driver, scheduler, theirs), kept = workers / seconds, load.milliseconds, load.bytes_kept
                print(
                    f"{workers:9,} {seconds:7.2f}   {wanted:9.1f}  {load.rate:7.1f}  {load.rate / wanted:5.2f}"
                    f"   {driver:6.2f}  {scheduler:9.2f}  {theirs:7.2f}  {kept[0]:6.0f}  {kept[1]:9.0f}",
                    flush=True,
                )
                for moment in load.moments if options.memory else ():
                    print(f"          {moment.chunks:9,} chunks: {moment.mib[0]:.1f} MiB, {moment.mib[1]:.1f} MiB")


if __name__ == "__main__":
    main()
