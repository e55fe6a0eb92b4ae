"""Processes of a run killed at random moments: nothing is lost, and nothing is there twice (drills D1 and D4)."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.drills.oracle import settled
from tests.drills.waiting import Waiting, compared
from tests.pipeline.command_line import (
    GRID,
    alive,
    descendants,
    orchard,
    parts,
    run_orchard,
    started,
    until,
    workers,
)

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found through /proc")

MANY = 240
TABLES = (*GRID, "tables.groups=1", "tables.count=2000", "chunk=100")
PACE = 0.1  # seconds between kills, as a share of those of the undisturbed run
LONG = 400.0  # seconds that a run may take while its processes are killed


def waits(splits: int) -> tuple[str, ...]:
    """The arguments of splits whose builder waits, and now and then ends its worker from inside."""
    return compared("waits, or ends its worker", splits)


def undisturbed(splits: int, folder: Path) -> tuple[Path, float]:
    """The output folder of splits that nobody waited for and nothing disturbed, and the seconds that they took."""
    folder.mkdir()
    began = time.monotonic()
    done = orchard(*waits(splits), "chunk=50", cwd=folder, seconds=LONG, **Waiting(folder, 0.0).variables)
    assert done.returncode == 0, done.stderr
    return folder / "outputs", time.monotonic() - began


def chance() -> random.Random:
    """Random numbers, of a seed that a failing test shows and DRILL_SEED gives again."""
    seed = os.environ.get("DRILL_SEED") or str(random.randrange(10**6))
    print(f"DRILL_SEED={seed}")
    return random.Random(seed)


def dask_workers(driver: int) -> list[int]:
    """The workers of a driver, without what they work apart."""
    return [pid for pid in workers(driver) if b"pipeline.work.child_process" not in command_of(pid)]


def fork_server(driver: int) -> list[int]:
    """What the workers of a driver are forked from."""
    own = set(descendants(driver)) - set(workers(driver))
    return [pid for pid in own if b"multiprocessing.forkserver" in command_of(pid)]


def command_of(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def kill_one_of(pids: list[int], chances: random.Random) -> bool:
    """Kill a process by random, if there is one."""
    with suppress(ProcessLookupError, IndexError):
        os.kill(chances.choice(pids), signal.SIGKILL)
        return True
    return False


@pytest.mark.long
def test_a_hundred_kills_of_worker_fork_server_and_driver(tmp_path: Path) -> None:
    """Zero rows lost, zero twice. On a machine that is busy kills are rarer, so that something is done between them."""
    chances, killed = chance(), 0
    expected, seconds = undisturbed(MANY, tmp_path / "undisturbed")
    waiting, everything = Waiting(tmp_path, 1.5), set[int]()
    while killed < 100:
        with started(*waits(MANY), cwd=tmp_path, **waiting.variables) as process:
            until(lambda: bool(dask_workers(process.pid)), process)
            while killed < 100 and process.poll() is None:
                time.sleep(chances.expovariate(1 / max(1.0, seconds * PACE)))
                everything.update(descendants(process.pid))
                which = (dask_workers(process.pid), fork_server(process.pid), [process.pid])
                killed += kill_one_of(chances.choices(which, (90, 4, 6))[0], chances)
    until(lambda: not any(map(alive, everything)), seconds=60)
    waiting.each(0.0)
    assert parts(tmp_path / "outputs")
    settled(waits(MANY), tmp_path, expected, **waiting.variables)


@pytest.mark.long
def test_drivers_killed_at_random_moments_of_the_whole_command(tmp_path: Path) -> None:
    """Also while parts are published and the summary is written; no worker outlives its driver, and no lock does."""
    chances = chance()
    whole = tmp_path / "whole"
    whole.mkdir()
    began = time.monotonic()
    assert run_orchard(*TABLES, cwd=whole).returncode == 0
    seconds = time.monotonic() - began
    cut = tmp_path / "cut"
    cut.mkdir()
    everything: set[int] = set()
    killed = 0
    while killed < 20:
        if len(list(cut.glob("outputs/summaries/*/*/*.csv"))) >= 3:
            shutil.rmtree(cut / "outputs")  # it came to its end: from the beginning
        with started(*TABLES, cwd=cut) as process:
            with suppress(subprocess.TimeoutExpired):
                process.wait(chances.uniform(0.0, seconds))
            everything.update(descendants(process.pid))
            killed += process.poll() is None
            process.kill()
    until(lambda: not any(map(alive, everything)), seconds=60)
    settled(TABLES, cut, whole / "outputs")
