"""Peak memory of driver and workers, and time per table, of the main job at two sizes."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZES = (40_000, 1_000_000)


def family(pid: int) -> list[int]:
    """The process and all its descendants."""
    found = [pid]
    for member in found:
        for task in Path(f"/proc/{member}/task").glob("*/children"):
            found += [int(child) for child in task.read_text().split()]
    return found


def peak_mib(pid: int) -> float:
    """Greatest resident memory of a process so far; 0 where it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def measured(tables: int, output: Path) -> tuple[float, float, float]:
    """(peak MiB of the driver, of the largest of its workers, seconds of wall time that the cluster was up)."""
    command = [
        sys.executable,
        "-m",
        "pipeline",
        "+grid=greedy_vs_dp",
        f"tables.count={tables // 4}",
        f"output={output}",
    ]
    peaks: dict[int, float] = {}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as driver:
        while driver.poll() is None:
            for pid in family(driver.pid):
                peaks[pid] = max(peaks.get(pid, 0.0), peak_mib(pid))
            time.sleep(0.1)
    session = json.loads(next(output.glob("results/*/*/_run/sessions.jsonl")).read_text())
    workers = [peak for pid, peak in peaks.items() if pid != driver.pid]
    return peaks[driver.pid], max(workers), session["wall_seconds"]


def main() -> None:
    """Print both sizes and how they compare; the time a table leaves out what a run of four tables takes."""
    found = []
    with tempfile.TemporaryDirectory() as scratch:
        _, _, start_up = measured(4, Path(scratch))
    for tables in SIZES:
        with tempfile.TemporaryDirectory() as scratch:
            driver, worker, seconds = measured(tables, Path(scratch))
        found.append((driver, worker, (seconds - start_up) / tables * 1e6))
        print(f"{tables:9,} tables: driver {driver:.0f} MiB, worker {worker:.0f} MiB, {found[-1][2]:.1f} us a table")
    for name, small, large in zip(("driver memory", "worker memory", "time a table"), *found, strict=True):
        print(f"{name}: {large / small:.3f}")


if __name__ == "__main__":
    main()
