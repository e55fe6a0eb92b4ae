"""However a run is stopped, the same command resumes it and ends with the same rows."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest
from psutil import NoSuchProcess, Process

from pipeline.driver.lock import held
from tests.pipeline.command_line import (
    GRID,
    SECONDS,
    alive,
    descendants,
    ended,
    items,
    kill,
    names,
    parts,
    rows,
    run_folder,
    run_orchard,
    sessions,
    started,
    until,
    workers,
)

COUNT = 1500
MANY = (*GRID, "tables.groups=1", f"tables.count={COUNT}", "chunk=25")
ENDLESS = (*GRID, "tables.groups=1", "tables.count=100000", "chunk=25")
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found through /proc")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output folder of a run that nothing disturbed."""
    folder = tmp_path_factory.mktemp("undisturbed")
    done = run_orchard(*MANY, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert len(parts(folder / "outputs")) == 1  # of 60, which the run has merged
    return folder / "outputs"


def computes(pid: int) -> bool:
    """Whether a worker of a driver has used more of a processor than it takes to start."""
    used = []
    for worker in workers(pid):
        with suppress(NoSuchProcess):  # one that has just ended
            used.append(Process(worker).cpu_times().user)
    return any(seconds > 3 for seconds in used)


def same_as(output: Path, undisturbed: Path) -> None:
    results = rows(output)
    assert results.num_rows == len(set(names(results))) == COUNT * 17
    assert results.equals(rows(undisturbed))


@needs_proc
def test_a_killed_worker_is_replaced_and_no_row_lost(tmp_path: Path, undisturbed: Path) -> None:
    with started(*MANY, cwd=tmp_path) as process:
        for wanted in (3, 20):
            until(lambda wanted=wanted: len(parts(tmp_path / "outputs")) >= wanted, process)
            for worker in workers(process.pid):
                kill(worker)
        status, errors = ended(process)
    assert status == 0, errors
    assert "Traceback" not in errors
    assert "WARNING" not in errors
    same_as(tmp_path / "outputs", undisturbed)


@needs_proc
@pytest.mark.parametrize(("number", "expected"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_run_in_order(tmp_path: Path, number: int, expected: int) -> None:
    output = tmp_path / "outputs"
    with started(*ENDLESS, cwd=tmp_path) as process:
        until(lambda: len(parts(output)) >= 3, process)
        below = descendants(process.pid)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # Ctrl-C goes to every process of the terminal
        else:
            os.kill(process.pid, number)
        status, errors = ended(process)
    assert status == expected
    lines = errors.strip().splitlines()
    assert sum(line.startswith("stopping: running chunks have ten seconds") for line in lines) == 1
    assert lines[-1].startswith(
        "orchard: stopped; finished work is kept, and the same command resumes from here; done: "
    )
    assert "Traceback" not in errors
    assert "Error" not in errors
    done = items(output)
    assert f"done: {done:,} of 100,000 tables" in lines[-1]
    assert [path for path in run_folder(output).iterdir() if path.name.endswith(".tmp")] == []
    session = sessions(output)[-1]
    assert (session["outcome"], session["items"]) == ("stopped", done)
    until(lambda: not any(map(alive, below)))


@needs_proc
def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    slow = (*GRID, "tables.groups=1", "tables.count=400000", "chunk=100000")  # chunks that nobody waits for
    with started(*slow, cwd=tmp_path) as process:
        until(lambda: computes(process.pid), process, SECONDS)
        below = descendants(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        assert process.stderr is not None
        assert any(line.startswith("stopping: ") for line in process.stderr)
        assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)
        status, errors = ended(process)
    assert status == 130
    assert parts(tmp_path / "outputs") == []  # not even the chunk that was running has ended
    assert "Traceback" not in errors
    until(lambda: not any(map(alive, below)))


@pytest.mark.long
def test_a_signal_while_workers_start_loses_nothing(tmp_path: Path) -> None:
    with started(*MANY, cwd=tmp_path) as process:
        until((tmp_path / "outputs").exists, process)
        time.sleep(0.2)
        os.killpg(process.pid, signal.SIGINT)
        status, errors = ended(process)
    assert status == 130
    assert "Traceback" not in errors
    assert run_orchard(*MANY, "tables.count=30", cwd=tmp_path).returncode == 0


@needs_proc
def test_a_second_driver_names_the_first_and_a_killed_one_leaves_neither_lock_nor_workers(tmp_path: Path) -> None:
    with started(*ENDLESS, cwd=tmp_path) as process:
        until(lambda: len(parts(tmp_path / "outputs")) >= 1, process)
        done = run_orchard(*ENDLESS, cwd=tmp_path)
        assert done.returncode == 4
        (line,) = done.stderr.splitlines()
        assert f"in use by another process, process {process.pid} on " in line
        assert process.poll() is None
        below = descendants(process.pid)
        assert below
        kill(process.pid)
        process.wait()
        until(lambda: not any(map(alive, below)))
    with held(run_folder(tmp_path / "outputs")):
        pass


@pytest.mark.long
def test_two_runs_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    small = (*GRID, "tables.groups=1", "tables.count=50")
    with started(*small, "seed=1", cwd=tmp_path) as first, started(*small, "seed=2", cwd=tmp_path) as second:
        assert ended(first) == (0, "")
        assert ended(second) == (0, "")
    assert rows(tmp_path / "outputs").num_rows == 2 * 50 * 17
