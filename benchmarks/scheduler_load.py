"""How many chunks a second one scheduler and one driver stand: real ones of both, and workers that only wait.

The driver is `submit_all` with its own window, chunks, tasks and receipts; the scheduler is a process of its own. The
workers are Dask's own, hundreds of them in each of a few event loops; in place of trees a chunk gets so many seconds of
sleep. What a chunk costs the driver and the scheduler is thus measured as it is, and so is where they no longer keep up;
only the workers' cores are missing.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distributed import Client, Future, Worker

from algorithms.impurity import IMPURITY_FUNCTIONS
from algorithms.random_tables import RandomTables
from pipeline.cluster.base import Workers
from pipeline.grids.greedy_vs_dp import GreedyVsDpGrid
from pipeline.plan import Chunk, Chunks, GridRun
from pipeline.signals import StopRequest
from pipeline.store import Part
from pipeline.submission import submit_all
from pipeline.work import Receipt

TABLES_A_SECOND = 4000  # of a worker: about the pace of the main job's tables, which sets how many items a chunk has
SPREAD = 0.2  # of the seconds that a chunk takes, up and down, lest all workers end together
LOOPS = 2  # processes that the workers are in
START_SECONDS = 300.0
TICKS = os.sysconf("SC_CLK_TCK")
FIT = {"fit": 1.0}
QUIET = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",  # statistics of thousands of idle workers in a process
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
    "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error",
}


@dataclass(frozen=True)
class SleepingWorkers(Workers):
    """Workers that are given a sleep where a run would give them tables."""

    chunk_seconds: float = 1.0

    def submit(self, task: Callable[..., Any], *arguments: Any) -> Future:
        """The task's own arguments travel; what is done with them is `slept`."""
        return super().submit(slept, *arguments, self.chunk_seconds)


async def slept(run: GridRun, chunk: Chunk, seconds: float) -> Receipt:
    """A receipt as a worker gives it, after about so many seconds."""
    seconds *= random.uniform(1 - SPREAD, 1 + SPREAD)
    await asyncio.sleep(seconds)
    name = f"part-{chunk.first:09}-{chunk.stop:09}-0123456789abcdef.parquet"
    return Receipt(Part(chunk.first, chunk.stop, run.results / name), seconds, seconds, 0.0)


@dataclass(frozen=True)
class Moment:
    """When so many chunks were done: the clock, and CPU seconds and resident MiB of each process."""

    chunks: int
    clock: float
    cpu: tuple[float, ...]
    mib: tuple[float, ...]

    @staticmethod
    def now(chunks: int, pids: Sequence[int]) -> Moment:
        """The driver's first, the scheduler's, then the workers'."""
        stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
        cpu = tuple((int(fields[11]) + int(fields[12])) / TICKS for fields in stats)
        mib = tuple(int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 2**20 for fields in stats)
        return Moment(chunks, time.monotonic(), cpu, mib)


@dataclass(frozen=True)
class Load:
    """What was measured between two moments, both with every worker busy."""

    begin: Moment
    end: Moment

    @property
    def rate(self) -> float:
        """Chunks a second."""
        return (self.end.chunks - self.begin.chunks) / (self.end.clock - self.begin.clock)

    def milliseconds(self, process: int) -> float:
        """CPU that a chunk cost a process."""
        return (self.end.cpu[process] - self.begin.cpu[process]) / (self.end.chunks - self.begin.chunks) * 1e3

    def bytes_a_chunk(self, process: int) -> float:
        """Memory that a process kept of each chunk."""
        grown = self.end.mib[process] - self.begin.mib[process]
        return grown * 2**20 / (self.end.chunks - self.begin.chunks)


@contextmanager
def cluster(workers: int, fit: bool) -> Iterator[tuple[Client, list[int]]]:
    """A scheduler with so many workers, its client, and the processes: this one, the scheduler's, the workers'."""
    environment = {**os.environ, **QUIET}
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "scheduler.json"
        started = [_started(["--scheduler", str(file)], environment)]
        try:
            while not file.exists():
                _alive(started)
                time.sleep(0.05)
            shares = [workers // LOOPS + (place < workers % LOOPS) for place in range(LOOPS)]
            started += [
                _started(["--host", str(file), str(share), *(["--fit"] if fit else [])], environment)
                for share in shares
                if share
            ]
            with Client(scheduler_file=str(file), set_as_default=False) as client:
                deadline = time.monotonic() + START_SECONDS
                while len(client.scheduler_info(n_workers=-1)["workers"]) < workers:
                    _alive(started)
                    if time.monotonic() > deadline:
                        sys.exit(f"fewer than {workers} workers after {START_SECONDS:.0f} s")
                    time.sleep(0.5)
                yield client, [os.getpid(), *(process.pid for process in started)]
        finally:
            for process in reversed(started):
                process.kill()
                process.wait()


def _started(arguments: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, __file__, *arguments], env=environment)


def _alive(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        if process.poll() is not None:
            sys.exit(f"{' '.join(map(str, process.args))} ended with {process.returncode}")


async def schedule(file: str) -> None:
    """A scheduler as `dask scheduler` starts it, its address in a file, until it is killed."""
    from distributed import Scheduler

    async with Scheduler(host="127.0.0.1", port=0, dashboard=False, scheduler_file=file) as scheduler:
        await scheduler.finished()


async def host(file: str, workers: int, fit: bool) -> None:
    """So many workers in this process's one event loop, until it is killed."""
    with tempfile.TemporaryDirectory() as scratch:
        hosted = [
            Worker(
                scheduler_file=file,
                host="127.0.0.1",
                nthreads=1,
                memory_limit=0,
                dashboard=False,
                local_directory=scratch,
                resources=FIT if fit else {},
                name=f"{os.getpid()}-{place}",
            )
            for place in range(workers)
        ]
        for some in range(0, workers, 50):
            await asyncio.gather(*hosted[some : some + 50])
        await asyncio.gather(*(worker.finished() for worker in hosted))


def loaded(client: Client, pids: Sequence[int], asked: argparse.Namespace, seconds: float) -> tuple[Load, list[Moment]]:
    """Submit so many chunks of so many seconds; the load between the moments at which all workers were busy."""
    workers, items = asked.workers_now, max(1, round(seconds * TABLES_A_SECOND))
    grid = GreedyVsDpGrid(0, 1, asked.chunks * items, RandomTables(), "majority", IMPURITY_FUNCTIONS)
    run = GridRun(grid, "greedy_vs_dp", "0123456789ab", Path("outputs"))
    fleet = SleepingWorkers(
        client=client,
        wanted=workers,
        patience=60.0,
        resources=FIT if asked.fit else {},
        present=lambda: workers,
        why_none=lambda: "",
        chunk_seconds=seconds,
    )
    done, moments = 0, [Moment.now(0, pids)]
    every = max(1, asked.chunks // asked.moments)

    def on_receipt(_: Receipt) -> None:
        nonlocal done
        done += 1
        if done % every == 0 or done in {2 * workers, asked.chunks - 2 * workers}:
            moments.append(Moment.now(done, pids))

    submit_all(fleet, run, Chunks([(0, grid.items)], grid, workers, items), StopRequest(), on_receipt)
    busy = [moment for moment in moments if 2 * workers <= moment.chunks <= asked.chunks - 2 * workers]
    return Load(busy[0], busy[-1]), moments


def main() -> None:
    """Print a line per number of workers and seconds of a chunk."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[100, 300, 1000])
    parser.add_argument("--seconds", type=float, nargs="+", default=[2.0, 5.0, 10.0], help="that a chunk takes")
    parser.add_argument("--chunks", type=int, default=10_000, help="of each measurement; at least 5 a worker")
    parser.add_argument("--fit", action="store_true", help="tasks ask for a resource that all workers have")
    parser.add_argument("--moments", type=int, default=10, help="at which memory is looked at")
    parser.add_argument("--memory", action="store_true", help="print memory at each of them")
    parser.add_argument("--scheduler", metavar="FILE", help=argparse.SUPPRESS)
    parser.add_argument("--host", nargs=2, metavar=("FILE", "COUNT"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.scheduler:
        asyncio.run(schedule(asked.scheduler))
        return
    if asked.host:
        asyncio.run(host(asked.host[0], int(asked.host[1]), asked.fit))
        return
    print("          seconds    chunks a second     keeps   CPU ms a chunk              bytes kept a chunk")
    print("  workers a chunk   asked for  done      up      driver  scheduler  workers  driver  scheduler", flush=True)
    for workers in asked.workers:
        asked.workers_now = workers
        with cluster(workers, asked.fit) as (client, pids):
            for seconds in asked.seconds:
                load, moments = loaded(client, pids, asked, seconds)
                asked_for = workers / seconds
                theirs = sum(load.milliseconds(place) for place in range(2, len(pids)))
                print(
                    f"{workers:9,} {seconds:7.2f}   {asked_for:9.1f}  {load.rate:7.1f}  {load.rate / asked_for:5.2f}"
                    f"   {load.milliseconds(0):6.2f}  {load.milliseconds(1):9.2f}  {theirs:7.2f}"
                    f"  {load.bytes_a_chunk(0):6.0f}  {load.bytes_a_chunk(1):9.0f}",
                    flush=True,
                )
                for moment in moments if asked.memory else []:
                    print(f"          {moment.chunks:9,} chunks: {moment.mib[0]:.1f} MiB, {moment.mib[1]:.1f} MiB")


if __name__ == "__main__":
    main()
