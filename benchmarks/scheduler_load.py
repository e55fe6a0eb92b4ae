"""How many chunks a second one scheduler and one driver stand: real ones of both, and workers that only wait.

The driver is `submit_all` with its own window, chunks, tasks and receipts; the scheduler is a process of its own. The
workers are Dask's own, many to a process; in place of trees a chunk gets so many seconds of sleep. What a chunk costs
the driver and the scheduler is thus measured as it is, and so is where they no longer keep up; only the workers' cores
are missing.
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

from algorithms.impurity import IMPURITY_FUNCTIONS
from algorithms.random_tables import RandomTables
from pipeline.driver.signals import StopRequest
from pipeline.driver.submission import submit_all
from pipeline.grids.greedy_vs_dp.grid import GreedyVsDpGrid
from pipeline.plan import Chunks, GridRun
from pipeline.work.publication import Receipt

ITEMS = 1000  # of a chunk; of them nothing is done
TICKS = os.sysconf("SC_CLK_TCK")
HEADING = """\
          seconds    chunks a second     keeps   CPU ms a chunk              bytes kept a chunk
  workers a chunk   asked for  done      up      driver  scheduler  workers  driver  scheduler"""


@dataclass(frozen=True)
class Moment:
    """When so many chunks were done: the clock, and CPU seconds and resident MiB of each process."""

    chunks: int
    clock: float
    cpu: tuple[float, ...]
    mib: tuple[float, ...]

    @staticmethod
    def now(chunks: int, pids: Sequence[int]) -> Moment:
        """The moment that it is."""
        stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
        cpu = tuple((int(fields[11]) + int(fields[12])) / TICKS for fields in stats)
        mib = tuple(int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 2**20 for fields in stats)
        return Moment(chunks, time.monotonic(), cpu, mib)


@dataclass(frozen=True)
class Load:
    """What was measured, moment by moment, between two at which every worker was busy.

    Of the processes the driver is the first, the scheduler the second, and the others are workers'.
    """

    moments: tuple[Moment, ...]

    @property
    def chunks(self) -> int:
        """How many were done meanwhile."""
        return self.moments[-1].chunks - self.moments[0].chunks

    @property
    def rate(self) -> float:
        """Chunks a second."""
        return self.chunks / (self.moments[-1].clock - self.moments[0].clock)

    @property
    def milliseconds(self) -> tuple[float, float, float]:
        """CPU that a chunk cost the driver, the scheduler, and the workers' processes together."""
        driver, scheduler, *theirs = (
            (end - begin) / self.chunks * 1e3
            for begin, end in zip(self.moments[0].cpu, self.moments[-1].cpu, strict=True)
        )
        return driver, scheduler, sum(theirs)

    @property
    def bytes_kept(self) -> tuple[float, float]:
        """By how much the driver and the scheduler grew for a chunk, in the second half."""
        half = self.moments[len(self.moments) // 2]
        driver, scheduler, *_ = (
            (end - begin) * 2**20 / (self.moments[-1].chunks - half.chunks)
            for begin, end in zip(half.mib, self.moments[-1].mib, strict=True)
        )
        return driver, scheduler


def loaded(
    client: Client, pids: Sequence[int], workers: int, seconds: float, chunks: int, fit: bool, looks: int
) -> Load:
    """Have so many chunks of so many seconds worked; looked at so many times."""
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
    """Print a line per number of workers and seconds of a chunk."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[100, 300, 1000])
    parser.add_argument("--seconds", type=float, nargs="+", default=[2.0, 5.0, 10.0], help="that a chunk takes")
    parser.add_argument("--chunks", type=int, default=10_000, help="of each measurement; more than 4 a worker")
    parser.add_argument("--fit", action="store_true", help="tasks ask for a resource that all workers have")
    parser.add_argument("--memory", action="store_true", help="print what driver and scheduler hold, ten times")
    asked = parser.parse_args()
    if asked.chunks <= 4 * max(asked.workers):
        parser.error(f"--chunks {asked.chunks}: expected more than 4 for each of {max(asked.workers)} workers")
    print(HEADING, flush=True)
    for workers in asked.workers:
        with cluster(workers, asked.fit) as (client, others):
            for seconds in asked.seconds:
                pids = [os.getpid(), *others]
                load = loaded(client, pids, workers, seconds, asked.chunks, asked.fit, looks=10)
                wanted, (driver, scheduler, theirs), kept = workers / seconds, load.milliseconds, load.bytes_kept
                print(
                    f"{workers:9,} {seconds:7.2f}   {wanted:9.1f}  {load.rate:7.1f}  {load.rate / wanted:5.2f}"
                    f"   {driver:6.2f}  {scheduler:9.2f}  {theirs:7.2f}  {kept[0]:6.0f}  {kept[1]:9.0f}",
                    flush=True,
                )
                for moment in load.moments if asked.memory else ():
                    print(f"          {moment.chunks:9,} chunks: {moment.mib[0]:.1f} MiB, {moment.mib[1]:.1f} MiB")


if __name__ == "__main__":
    main()
