"""Processes of a run killed at random moments: nothing is lost, and nothing is there twice (drills D1 and D4)."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import time
from pathlib import Path

import pytest

from tests.drills.oracle import settled
from tests.drills.waiting import Waiting, compared
from tests.pipeline.command_line import (
    GRID,
    alive,
    descendants,
    ended,
    orchard,
    run_folder,
    started,
    until,
    workers,
)

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found through /proc")

SPLITS = 400
WAITING = compared("waits, or ends its worker", SPLITS)
TABLES = (*GRID, "tables.groups=1", "tables.count=2000", "chunk=100")
LONG = 400.0  # seconds that a run may take while its processes are killed


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output folder of splits that nobody waited for and nothing disturbed."""
    folder = tmp_path_factory.mktemp("undisturbed")
    done = orchard(*WAITING, "chunk=50", cwd=folder, seconds=LONG, **Waiting(folder, 0.0).variables)
    assert done.returncode == 0, done.stderr
    return folder / "outputs"


def chance() -> random.Random:
    """Random numbers, of a seed that a failing test shows and DRILL_SEED gives again."""
    seed = os.environ.get("DRILL_SEED") or str(random.randrange(10**6))
    print(f"DRILL_SEED={seed}")
    return random.Random(seed)


def retried(output: Path) -> int:
    """How often chunks were begun anew in all sessions."""
    lines = (run_folder(output) / "_run/sessions.jsonl").read_text().splitlines()
    return sum(json.loads(line)["tries_again"] for line in lines)


def kill(pid: int) -> bool:
    """Kill a process if it is there."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(
    ("kills", "mean"), [pytest.param(4, 1.0, id="few"), pytest.param(50, 2.0, marks=pytest.mark.long, id="many")]
)
def test_workers_killed_again_and_again(tmp_path: Path, undisturbed: Path, kills: int, mean: float) -> None:
    chances, killed = chance(), 0
    waiting = Waiting(tmp_path, 0.5)
    with started(*WAITING, cwd=tmp_path, **waiting.variables) as process:
        while killed < kills:
            time.sleep(chances.expovariate(1 / mean))
            until(lambda: bool(workers(process.pid)), process)
            killed += kill(chances.choice(workers(process.pid)))
        waiting.each(0.0)
        status, errors = ended(process, LONG)
    assert status == 0, errors
    assert "Traceback" not in errors
    assert retried(tmp_path / "outputs") >= kills / 2  # some workers were killed while they had nothing yet
    settled(WAITING, tmp_path, undisturbed, **waiting.variables)


@pytest.mark.long
def test_a_hundred_kills_of_worker_fork_server_and_driver(tmp_path: Path, undisturbed: Path) -> None:
    """Zero rows lost, zero twice."""
    chances, killed = chance(), 0
    waiting, everything = Waiting(tmp_path, 0.5), set[int]()
    while killed < 100:
        with started(*WAITING, cwd=tmp_path, **waiting.variables) as process:
            while killed < 100 and process.poll() is None:
                time.sleep(chances.expovariate(1.0))
                below, children = descendants(process.pid), workers(process.pid)
                everything.update(below)
                servers = [pid for pid in below if pid not in children]
                which = chances.choices((children, servers, [process.pid]), (16, 1, 3))[0]
                killed += bool(which) and kill(chances.choice(which))
    until(lambda: not any(map(alive, everything)), seconds=60)
    waiting.each(0.0)
    settled(WAITING, tmp_path, undisturbed, **waiting.variables)


@pytest.mark.long
def test_drivers_killed_at_random_moments_of_the_whole_command(tmp_path: Path) -> None:
    """Also while parts are published and the summary is written; no worker outlives its driver, and no lock does."""
    chances = chance()
    whole = tmp_path / "whole"
    whole.mkdir()
    began = time.monotonic()
    assert orchard(*TABLES, cwd=whole).returncode == 0
    seconds = time.monotonic() - began
    cut = tmp_path / "cut"
    cut.mkdir()
    everything: set[int] = set()
    for _ in range(20):
        if len(list(cut.glob("outputs/summaries/*/*/*.csv"))) >= 3:
            shutil.rmtree(cut / "outputs")  # it came to its end: from the beginning
        with started(*TABLES, cwd=cut) as process:
            time.sleep(chances.uniform(0.0, seconds))
            everything.update(descendants(process.pid))
            process.kill()
    until(lambda: not any(map(alive, everything)), seconds=60)
    settled(TABLES, cut, whole / "outputs")
