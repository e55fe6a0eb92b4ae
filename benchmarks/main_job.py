"""The whole main job against a C++ program for the same task, and the cost of the pipeline beside the kernels."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from peer import build, spread, timed

ROUNDS = 5
TABLES, MORE_TABLES = 40_000, 320_000


def orchard(tables: int) -> tuple[float, float, float]:
    """(wall, CPU of all processes, CPU of the kernels) in seconds, for a run of the main job with `tables` tables."""
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "pipeline", "+grid=greedy_vs_dp", f"tables.count={tables // 4}"]
        wall, cpu = timed([*command, f"output={scratch}"])
        session = json.loads(next(Path(scratch).glob("results/*/*/_run/sessions.jsonl")).read_text())
        return wall, cpu, session["work_cpu_seconds"]


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
