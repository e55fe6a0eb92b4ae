"""The whole main job against a C++ program of the same study, and what the pipeline adds to the kernels."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

from peer import build, spread, timed

ROUNDS = 3
TABLES, MORE_TABLES = 40_000, 160_000
TICKS = os.sysconf("SC_CLK_TCK")


def orchard(tables: int) -> tuple[float, float, float]:
    """(wall, CPU of all processes, CPU of the kernels) in seconds of a run of the main job with so many tables."""
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "pipeline", "+grid=greedy_vs_dp", f"tables.count={tables // 4}"]
        before = _machine_cpu()
        wall, _ = timed([*command, f"output={scratch}"])
        time.sleep(0.3)  # for the last worker to be gone
        cpu = _machine_cpu() - before
        session = json.loads(next(Path(scratch).glob("results/*/*/_run/sessions.jsonl")).read_text())
        return wall, cpu, session["work_cpu_seconds"]


def _machine_cpu() -> float:
    """CPU seconds that the whole machine has spent; workers are no children of ours, so only this counts them."""
    busy = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    user, nice, system = (int(ticks) for ticks in busy[1:4])
    return (user + nice + system) / TICKS


def main() -> None:
    """Print wall ratios, start-up, and the CPU that the pipeline adds."""
    program = build(sys.argv[1])
    orchard(200)
    walls, ratios, start_wall, start_cpu, added = [], [], [], [], []
    for turn in range(ROUNDS):
        tiny = orchard(4)
        whole = orchard(TABLES)
        more = orchard(MORE_TABLES)
        peer_wall, _ = timed([str(program), str(TABLES), str(turn)])
        start_wall.append(tiny[0])
        start_cpu.append(tiny[1])
        walls.append(whole[0])
        ratios.append(whole[0] / peer_wall)
        added.append((more[1] - whole[1]) / (more[2] - whole[2]) - 1)
    print(f"whole run, {TABLES:,} tables       {spread(walls)} s of wall time")
    print(f"  against the peer, one core    {spread(ratios)} of its wall time")
    print(f"start-up (4 tables in all)      {spread(start_wall)} s of wall time, {spread(start_cpu)} s of CPU")
    print(f"pipeline beyond the start-up    {spread(added)} of the kernels' CPU")


if __name__ == "__main__":
    main()
