"""Seconds and peak memory of the main job at several sizes: for the run, for the same command again, and for a query.

Each size has its own folder. The second command finds all items done, verifies every part and summarises. The query
reads all rows.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

QUESTION = "select impurity_type, uncertainty, avg(nodes) from results where builder = 'greedy' group by all"
GROUPS = 4
LOOKS_SECONDS = 0.1


@dataclass(frozen=True)
class Measured:
    """A command: wall seconds, peak MiB of its process and of its largest descendant."""

    seconds: float
    driver: float
    worker: float


def family(pid: int) -> list[int]:
    """The process and all its descendants."""
    result = [pid]
    for member in result:
        for task in Path(f"/proc/{member}/task").glob("*/children"):
            result += [int(child) for child in task.read_text().split()]
    return result


def peak_mib(pid: int) -> float:
    """Greatest resident memory of a process so far; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def measured(*command: str) -> Measured:
    """Run an `orchard` command to its end."""
    peaks: dict[int, float] = {}
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as driver:
        while driver.poll() is None:
            for pid in family(driver.pid):
                peaks[pid] = max(peaks.get(pid, 0.0), peak_mib(pid))
            time.sleep(LOOKS_SECONDS)
    seconds = time.perf_counter() - began
    if driver.returncode:
        sys.exit(f"{' '.join(command)} ended with {driver.returncode}")
    return Measured(seconds, peaks.pop(driver.pid), max(peaks.values(), default=0.0))


def show(tables: int, shape: list[str], start_up: float, output: Path) -> None:
    """Run a number of tables, run them again, query the rows, and print all three."""
    command = ["pipeline", "+grid=greedy_vs_dp", f"tables.count={tables // GROUPS}", f"output={output}", *shape]
    first = measured(*command)
    again = measured(*command)
    requested = measured("pipeline.query", QUESTION, "--output", str(output))
    session = json.loads(next(output.glob("results/*/*/_run/sessions.jsonl")).read_text())
    parts = [part.stat().st_size for part in output.glob("results/*/*/part-*.parquet")]
    cpu = session["work_cpu_seconds"] + session["publish_cpu_seconds"]
    print(f"{tables:,} tables, {len(parts):,} parts, {sum(parts) / tables:.1f} bytes a table")
    print(
        f"  computed   {first.seconds:7.1f} s, driver {first.driver:.0f} MiB, a worker {first.worker:.0f} MiB; "
        f"{(session['wall_seconds'] - start_up) / tables * 1e6:.1f} us a table on {session['workers']} workers, "
        f"{cpu / tables * 1e6:.1f} us of CPU"
    )
    print(f"  again      {again.seconds:7.1f} s, driver {again.driver:.0f} MiB: part files verified and summarised")
    print(f"  a query    {requested.seconds:7.1f} s, {requested.driver:.0f} MiB: part files read", flush=True)


def main() -> None:
    """Print a block for each size; the time per table excludes that of a run of four tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--tables", type=int, nargs="+", default=[40_000, 1_000_000], help="tables of each run, at least 4"
    )
    parser.add_argument("--shape", nargs="+", default=[], help="overrides such as tables.rows=6 tables.attributes=3")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        measured("pipeline", "+grid=greedy_vs_dp", "tables.count=1", f"output={scratch}", *options.shape)
        start_up = json.loads(next(Path(scratch).glob("results/*/*/_run/sessions.jsonl")).read_text())["wall_seconds"]
    for tables in options.tables:
        with tempfile.TemporaryDirectory() as scratch:
            show(tables, options.shape, start_up, Path(scratch))


if __name__ == "__main__":
    main()
