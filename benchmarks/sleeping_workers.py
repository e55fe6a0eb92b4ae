"""A cluster whose workers only wait: a scheduler in its own process, and Dask's workers, many in one process.

As a script this file is the scheduler (`--scheduler FILE`) or a process of workers (`--host FILE COUNT`).
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

from distributed import Client, Future, Scheduler, Worker

from pipeline.cluster.base import Workers
from pipeline.plan import Chunk, GridRun
from pipeline.storage.parts import Part
from pipeline.work.dask_log import log_to_file
from pipeline.work.limits import Limits
from pipeline.work.publication import Receipt

__all__ = ["FIT", "NO_LIMIT", "SleepingWorkers", "cluster", "slept"]

SPREAD = 0.2  # random share added to or taken from a chunk's seconds, or all workers would end together
LOOPS = 2  # processes that contain the workers
TOGETHER = 50  # workers that a process starts at a time
START_SECONDS = 300.0
FIT = {"fit": 1.0}
NO_LIMIT = Limits(1e6, None)
QUIET = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",  # statistics of thousands of idle workers in a process
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
    "DASK_DISTRIBUTED__ADMIN__LOW_LEVEL_LOG_LENGTH": "20",  # messages kept of each connection, as our own schedulers do
}


@dataclass(frozen=True)
class SleepingWorkers(Workers):
    """Workers that sleep for about `chunk_seconds` per chunk instead of working it."""

    chunk_seconds: float = 1.0

    def submit(self, _: Callable[..., Any], *arguments: Any) -> Future:
        """Submit `slept` with the arguments of the task."""
        return super().submit(slept, self.chunk_seconds, *arguments)


async def slept(seconds: float, run: GridRun, chunk: Chunk, *_: object) -> Receipt:
    """Sleep for about the given seconds, and return a receipt as a worker does."""
    seconds *= random.uniform(1 - SPREAD, 1 + SPREAD)
    await asyncio.sleep(seconds)
    part = Part(
        chunk.first, chunk.stop, run.results / f"part-{chunk.first:09}-{chunk.stop:09}-0123456789abcdef.parquet"
    )
    return Receipt((part,), (), None, 0, seconds, seconds, 0.0)


@contextmanager
def cluster(workers: int, fit: bool = False) -> Iterator[tuple[Client, list[int]]]:
    """Start workers, with the resource FIT if asked for; yield a client, and the processes, the scheduler's first."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "scheduler.json"
        started = [_started("--scheduler", str(file))]
        try:
            while not file.exists():
                _check_alive(started)
                time.sleep(0.05)
            shares = [workers // LOOPS + (index < workers % LOOPS) for index in range(LOOPS)]
            resource = ["--fit"] if fit else []
            started += [_started("--host", str(file), str(share), *resource) for share in shares if share]
            with Client(scheduler_file=str(file), set_as_default=False) as client:
                deadline = time.monotonic() + START_SECONDS
                while len(client.scheduler_info(n_workers=-1)["workers"]) < workers:
                    _check_alive(started)
                    if time.monotonic() > deadline:
                        raise TimeoutError(f"fewer than {workers} workers after {START_SECONDS:.0f} s")
                    time.sleep(0.2)
                yield client, [process.pid for process in started]
        finally:
            for process in reversed(started):
                process.kill()
                process.wait()


def _started(*arguments: str) -> subprocess.Popen[bytes]:
    path = os.pathsep.join(filter(None, [str(Path(__file__).parent), os.environ.get("PYTHONPATH")]))
    environment = {**QUIET, **os.environ, "PYTHONPATH": path}  # PYTHONSAFEPATH may keep this folder off the path
    return subprocess.Popen([sys.executable, __file__, *arguments], env=environment)


def _check_alive(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        if process.poll() is not None:
            raise ChildProcessError(f"{process.args} ended with {process.returncode}")


async def schedule(file: str) -> None:
    """Run a scheduler that writes its address to a file."""
    async with Scheduler(host="127.0.0.1", port=0, dashboard_address="127.0.0.1:0", scheduler_file=file):
        await orphaned()


async def host(file: str, workers: int, fit: bool) -> None:
    """Run a number of workers in the one event loop of this process."""
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
                name=f"{os.getpid()}-{index}",
            )
            for index in range(workers)
        ]
        for first in range(0, workers, TOGETHER):
            await asyncio.gather(*hosted[first : first + TOGETHER])
        await orphaned()


async def orphaned() -> None:
    """Wait until the process that started this one has ended; as a rule it ends this one first."""
    parent = os.getppid()
    while os.getppid() == parent:
        await asyncio.sleep(1)


def main() -> None:
    """Run as one of the processes of the cluster."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scheduler", metavar="FILE")
    parser.add_argument("--host", nargs=2, metavar=("FILE", "COUNT"))
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    log_to_file()  # without a run's folder it logs to no file
    if options.scheduler:
        asyncio.run(schedule(options.scheduler))
    elif options.host:
        asyncio.run(host(options.host[0], int(options.host[1]), options.fit))


if __name__ == "__main__":
    main()
