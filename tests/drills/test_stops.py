"""Runs that are stopped while something hangs, and workers that are suspended for a while (drills D5 and D13)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipeline.driver.submission import DRAIN_SECONDS
from tests.drills.oracle import settled, undisturbed_run
from tests.drills.waiting import Waiting, compared
from tests.pipeline.command_line import alive, descendants, ended, environment, kill, run_folder, started, until

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found through /proc")

SPLITS = 8
WAITING = compared("waits", SPLITS)
FOR_EVER = 10_000.0


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output folder of splits that nobody waited for and nothing disturbed."""
    folder = tmp_path_factory.mktemp("undisturbed")
    return undisturbed_run(folder, *WAITING, **Waiting(folder, 0.0).variables)


@pytest.mark.long
@pytest.mark.parametrize(("number", "expected"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_hanging_cell_delays_a_stop_no_longer_than_the_drain(
    tmp_path: Path, undisturbed: Path, number: int, expected: int
) -> None:
    waiting = Waiting(tmp_path, FOR_EVER)
    with started(*WAITING, cwd=tmp_path, **waiting.variables) as process:
        until(lambda: len(waiting.processes()) == 2, process)
        below = descendants(process.pid)
        began = time.monotonic()
        os.killpg(process.pid, number)
        status, errors = ended(process)
        assert time.monotonic() - began < DRAIN_SECONDS + 30
    assert status == expected
    assert errors.strip().splitlines()[-1].endswith("; done: 0 of 8 splits")
    assert "Traceback" not in errors
    until(lambda: not any(map(alive, below)), seconds=60)
    waiting.each(0.0)
    settled(WAITING, tmp_path, undisturbed, **waiting.variables)


@pytest.mark.long
def test_a_second_signal_leaves_no_process_of_a_suspect_behind(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path, FOR_EVER)
    with started(*WAITING, cwd=tmp_path, **waiting.variables) as process:
        until(lambda: len(waiting.processes()) == 2, process)
        first = waiting.processes()
        for worker in waiting.workers():
            kill(worker)
        until(lambda: len(waiting.processes() - first) == 2, process)  # each below a process of its own
        below = descendants(process.pid)
        assert waiting.processes() - first <= set(below)
        for _ in range(2):
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.5)
        status, _ = ended(process)
    assert status == 130
    until(lambda: not any(map(alive, below)), seconds=60)


RUN = "import sys; from pipeline.command import run_grid; run_grid(sys.argv[1:], folded=True)"


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent has ended")
def test_the_processes_of_a_run_of_documents_end_when_that_command_is_killed(tmp_path: Path) -> None:
    """It computes its grids in its own process, so it can record nothing then."""
    waiting = Waiting(tmp_path, FOR_EVER)
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, *WAITING],
        cwd=tmp_path,
        env=environment(**waiting.variables),
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    until(lambda: len(waiting.processes()) == 2, process)
    below = descendants(process.pid)
    process.kill()
    process.wait()
    try:
        until(lambda: not any(map(alive, below)), seconds=60)
    finally:
        for pid in filter(alive, below):
            kill(pid)
    assert not (run_folder(tmp_path / "outputs") / "_run/sessions.jsonl").exists()


@pytest.mark.parametrize(
    "seconds", [pytest.param(3.0, id="short"), pytest.param(120.0, marks=pytest.mark.long, id="long")]
)
def test_a_worker_that_stands_still_and_goes_on(tmp_path: Path, undisturbed: Path, seconds: float) -> None:
    """If it is suspended for longer than a scheduler waits, its chunk is computed elsewhere."""
    waiting = Waiting(tmp_path, 1.0)
    with started(*WAITING, cwd=tmp_path, **waiting.variables) as process:
        until(lambda: len(waiting.processes()) == 2, process, seconds=180)  # both have started
        still = waiting.workers().pop()
        os.kill(still, signal.SIGSTOP)
        try:
            deadline = time.monotonic() + seconds
            while process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.1)
        finally:
            if alive(still):
                os.kill(still, signal.SIGCONT)
        status, errors = ended(process)
    assert (status, "Traceback" in errors) == (0, False), errors
    settled(WAITING, tmp_path, undisturbed, **waiting.variables)
