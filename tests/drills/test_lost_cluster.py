"""Somebody else's cluster loses all its workers at once (D2), or its scheduler, or that hangs (D3).

The run waits for workers for the configured time, ends soon without a scheduler, says how to resume, and resumes.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest
from distributed import Client

from tests.drills.dask_processes import DaskProcesses, dask_processes
from tests.drills.oracle import settled, undisturbed_run
from tests.pipeline.command_line import ended, items, orchard, parts, sessions, started, until

GRID = ("+grid=greedy_vs_dp", "tables.groups=1", "tables.count=600", "chunk=10")
PATIENCE = 4


def at(cluster: DaskProcesses, patience: float = PATIENCE) -> tuple[str, ...]:
    encrypted = cluster.tls.overrides() if cluster.tls else ()
    return (*GRID, "cluster=address", f"cluster.address={cluster.address}", f"cluster.patience={patience}", *encrypted)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output folder of a run that nothing disturbed."""
    return undisturbed_run(tmp_path_factory.mktemp("undisturbed"), *GRID, "cluster.workers=1")


@pytest.mark.parametrize("tls", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_killed_scheduler_ends_the_run_and_what_is_done_is_not_done_again(
    tmp_path: Path, undisturbed: Path, tls: bool
) -> None:
    with (
        dask_processes(tmp_path / "first", workers=1, tls=tls) as cluster,
        started(*at(cluster), cwd=tmp_path) as process,
    ):
        until(lambda: len(parts(tmp_path / "outputs")) >= 5, process)
        os.kill(cluster.scheduler.pid, signal.SIGKILL)
        status, errors = ended(process)
    assert status == 5
    assert errors.splitlines()[-1] == (
        "orchard: the cluster is gone; finished work is kept, and the same command resumes from here"
    )
    assert "Traceback" not in errors
    done = items(tmp_path / "outputs")
    assert 50 <= done < 600
    with dask_processes(tmp_path / "second", workers=1, tls=tls) as cluster:
        settled(at(cluster), tmp_path, undisturbed)
    assert 0 < sessions(tmp_path / "outputs")[-1]["items"] <= 600 - done


@pytest.mark.long
def test_a_scheduler_that_hangs_ends_the_run_within_its_patience(tmp_path: Path, undisturbed: Path) -> None:
    with dask_processes(tmp_path / "cluster", workers=2) as cluster:
        with started(*at(cluster), cwd=tmp_path) as process:
            until(lambda: len(parts(tmp_path / "outputs")) >= 5, process)
            os.kill(cluster.scheduler.pid, signal.SIGSTOP)
            began = time.monotonic()
            status, errors = ended(process)
            assert time.monotonic() - began < 30
        assert status == 5
        assert (
            f"no worker for {PATIENCE} s, the limit of cluster.patience (the scheduler does not answer); "
            in errors.splitlines()[-1]
        )
        hanging = orchard(*at(cluster), cwd=tmp_path)
        assert hanging.returncode == 5
        assert f"no Dask scheduler answers at {cluster.address}: no answer for " in hanging.stderr
        os.kill(cluster.scheduler.pid, signal.SIGCONT)
        settled(at(cluster), tmp_path, undisturbed)


def kill_all(cluster: DaskProcesses) -> None:
    for worker in cluster.workers:
        cluster.kill_worker(worker)


@pytest.mark.long
def test_without_any_worker_the_run_ends_within_its_patience(tmp_path: Path, undisturbed: Path) -> None:
    with dask_processes(tmp_path / "cluster", workers=2, nanny=True) as cluster:
        with started(*at(cluster), cwd=tmp_path) as process:
            until(lambda: len(parts(tmp_path / "outputs")) >= 5, process)
            kill_all(cluster)
            began = time.monotonic()
            status, errors = ended(process)
            assert PATIENCE - 1 <= time.monotonic() - began < PATIENCE + 10
        assert status == 5
        assert errors.splitlines()[-1] == (
            f"orchard: there was no worker for {PATIENCE} s, the limit of cluster.patience; finished work is "
            "kept, and the same command resumes from here"
        )
        assert len(parts(tmp_path / "outputs")) < 60
        cluster.add_workers(1)
        settled(at(cluster), tmp_path, undisturbed)


@pytest.mark.long
def test_workers_that_return_in_time_go_on(tmp_path: Path, undisturbed: Path) -> None:
    with dask_processes(tmp_path / "cluster", workers=2, nanny=True) as cluster:
        with started(*at(cluster, 120), cwd=tmp_path) as process:
            until(lambda: len(parts(tmp_path / "outputs")) >= 5, process)
            kill_all(cluster)
            cluster.add_worker()
            assert ended(process)[0] == 0
        settled(at(cluster, 120), tmp_path, undisturbed)


@pytest.mark.long
def test_a_killed_driver_leaves_nothing_that_others_wait_for(tmp_path: Path, undisturbed: Path) -> None:
    with dask_processes(tmp_path / "cluster", workers=2) as cluster:
        with started(*at(cluster), cwd=tmp_path) as process:
            until(lambda: len(parts(tmp_path / "outputs")) >= 5, process)
            os.kill(process.pid, signal.SIGKILL)
        with Client(cluster.address, set_as_default=False) as other:
            until(lambda: not any(other.processing().values()))
            assert other.submit(sum, [1, 2]).result(timeout=10) == 3
        settled(at(cluster), tmp_path, undisturbed)
