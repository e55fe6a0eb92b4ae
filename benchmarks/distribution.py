"""The cost of distribution: two workers against one, and the driver's CPU time per chunk.

`scaling`: the main job with one worker and with two, in turn, on a machine of two cores. The clock runs while chunks
are submitted and received. It includes the driver, the scheduler, the publication of parts, and the first and
last chunks. It excludes what happens once per run: starting the cluster, warming the workers, and the summary. The same
work is also done by one and by two processes without Dask, which shows what the second core is worth.

`overhead`: chunks of one small table each, so that nearly all CPU time is overhead. It prints the CPU time per
chunk of the driver's process, which also contains the scheduler of a local cluster.
"""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from peer import spread

from algorithms.data.random_tables import RandomTables
from algorithms.measures.impurity import IMPURITY_FUNCTIONS
from pipeline.cluster.base import Workers
from pipeline.cluster.local import LocalProcesses
from pipeline.driver.signals import StopRequest
from pipeline.driver.submission import submit_all
from pipeline.grids.greedy_vs_dp.grid import GreedyVsDpGrid
from pipeline.plan import Chunk, Chunks, GridRun
from pipeline.work.limits import Limits
from pipeline.work.publication import Receipt, publish_chunk

SMALL = RandomTables(rows=6, attributes=3)
WARMING = 2000  # tables
NO_LIMIT = Limits(1e6, None)
BARE_CHUNK = 5000  # tables that a process without Dask takes at a time


@dataclass(frozen=True)
class Timed:
    """Seconds of a run: wall time, and CPU time of the driver, of the work and of publication; and the chunks."""

    wall: float
    driver: float
    work: float
    publish: float
    chunks: int


def run_of(shape: RandomTables, tables: int, folder: Path, seed: int = 0) -> GridRun:
    """A run of the main job with tables of one shape, all in one group."""
    grid = GreedyVsDpGrid(
        seed=seed, groups=1, count=tables, shape=shape, equal_rows="majority", heuristics=IMPURITY_FUNCTIONS
    )
    return GridRun(grid, "greedy_vs_dp", f"{seed:012}", folder)


def submitted(fleet: Workers, run: GridRun, chunk: int | None) -> Timed:
    """Submit all chunks of a run, and wait for them."""
    receipts: list[Receipt] = []
    chunks = Chunks([(0, run.grid.items)], run.grid, fleet.wanted, chunk)
    began, cpu = time.perf_counter(), time.process_time()
    submit_all(fleet, run, chunks, NO_LIMIT, StopRequest(), receipts.append)
    return Timed(
        time.perf_counter() - began,
        time.process_time() - cpu,
        sum(receipt.work_cpu_seconds for receipt in receipts),
        sum(receipt.publish_cpu_seconds for receipt in receipts),
        len(receipts),
    )


def by_workers(workers: int, shape: RandomTables, tables: int, chunk: int | None) -> Timed:
    """Time `tables` tables on a local cluster that is started and warm."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        with LocalProcesses(workers).opened(folder, ()) as fleet:
            submitted(fleet, run_of(shape, WARMING * workers, folder, seed=1), WARMING // 2)
            return submitted(fleet, run_of(shape, tables, folder), chunk)


def by_processes(processes: int, tables: int) -> float:
    """Seconds that processes without Dask take to publish the same rows, an equal share each."""
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as scratch:
        ready, begin = context.Barrier(processes + 1), context.Barrier(processes + 1)
        share = tables // processes
        started = [
            context.Process(target=bare, args=(Path(scratch), index * share, (index + 1) * share, ready, begin))
            for index in range(processes)
        ]
        for process in started:
            process.start()
        ready.wait()
        begin.wait()
        began = time.perf_counter()
        for process in started:
            process.join()
        return time.perf_counter() - began


def bare(folder: Path, first: int, stop: int, ready: object, begin: object) -> None:
    """Publish the parts of some items, after one item that warms the process."""
    publish_chunk(run_of(RandomTables(), WARMING, folder, seed=1), Chunk(0, WARMING))
    run = run_of(RandomTables(), 10**9, folder)
    ready.wait()
    begin.wait()
    for at in range(first, stop, BARE_CHUNK):
        publish_chunk(run, Chunk(at, min(at + BARE_CHUNK, stop)))


def scaling(tables: int, rounds: int) -> None:
    """Print T1 / (2 T2) for workers and for processes without Dask, and where the time goes."""
    ours, machines = [], []
    for turn in range(rounds):
        by_one, by_two = (by_workers(workers, RandomTables(), tables, None) for workers in (1, 2))
        ours.append(by_one.wall / (2 * by_two.wall))
        machines.append(by_processes(1, tables // 4) / (2 * by_processes(2, tables // 4)))
        print(f"round {turn + 1}: of perfect {ours[-1]:.3f}, without Dask {machines[-1]:.3f}", flush=True)
        for workers, run in ((1, by_one), (2, by_two)):
            busy = (run.work + run.publish) / (workers * run.wall)
            print(
                f"  {workers} worker{'s' * (workers > 1)}: {run.wall:.2f} s, {tables / run.wall:,.0f} tables a second, "
                f"workers busy {busy:.3f}; CPU s: work {run.work:.2f}, publication {run.publish:.2f}, "
                f"driver {run.driver:.2f}; {run.chunks} chunks",
                flush=True,
            )
    print(
        f"from 1 to 2 workers, {tables:,} tables: {spread(ours)} of perfect; processes without Dask {spread(machines)}"
    )


def overhead(chunks: int, rounds: int) -> None:
    """Print CPU and wall milliseconds for a chunk."""
    results = [by_workers(2, SMALL, chunks, 1) for _ in range(rounds)]
    print(f"{chunks:,} chunks of one table, two workers, for each:")
    print(f"  driver with scheduler {spread([run.driver / chunks * 1e3 for run in results])} ms of CPU")
    print(f"  a worker's part       {spread([(run.work + run.publish) / chunks * 1e3 for run in results])} ms of CPU")
    print(f"  altogether            {spread([run.wall / chunks * 1e3 for run in results])} ms on the clock")


def main() -> None:
    """Run the measurement that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["scaling", "overhead"])
    parser.add_argument("--tables", type=int, default=400_000, help="tables of `scaling` (default: 400,000)")
    parser.add_argument("--chunks", type=int, default=3000, help="chunks of `overhead` (default: 3,000)")
    parser.add_argument("--rounds", type=int, default=5, help="repeats of the measurement (default: 5)")
    options = parser.parse_args()
    if options.what == "scaling":
        scaling(options.tables, options.rounds)
    else:
        overhead(options.chunks, options.rounds)


if __name__ == "__main__":
    main()
