"""All workers of somebody else's cluster are killed at once, nannies too (D2): runs wait as long as they say."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.drills.dask_processes import DaskProcesses, dask_processes
from tests.drills.oracle import settled
from tests.pipeline.command_line import ended, orchard, parts, started, until

GRID = ("+grid=greedy_vs_dp", "tables.groups=1", "tables.count=600", "chunk=10")
PATIENCE = 4


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output folder of a run that nothing disturbed."""
    folder = tmp_path_factory.mktemp("undisturbed")
    done = orchard(*GRID, "cluster.workers=2", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "outputs"


def at(cluster: DaskProcesses, patience: float) -> tuple[str, ...]:
    return (*GRID, "cluster=address", f"cluster.address={cluster.address}", f"cluster.patience={patience}")


def kill_all(cluster: DaskProcesses) -> None:
    for worker in cluster.workers:
        cluster.kill_worker(worker)


def test_without_any_worker_the_run_ends_within_its_patience(tmp_path: Path, undisturbed: Path) -> None:
    with dask_processes(tmp_path / "cluster", workers=2, nanny=True) as cluster:
        with started(*at(cluster, PATIENCE), cwd=tmp_path) as process:
            until(lambda: len(parts(tmp_path / "outputs")) >= 5, process)
            kill_all(cluster)
            began = time.monotonic()
            status, errors = ended(process)
            assert PATIENCE - 1 <= time.monotonic() - began < PATIENCE + 10
        assert status == 5
        assert errors.splitlines()[-1] == (
            f"orchard: no worker for {PATIENCE} seconds; what is done is kept, and the same command goes on from here"
        )
        assert len(parts(tmp_path / "outputs")) < 60
        cluster.add_workers(1)
        settled(at(cluster, PATIENCE), tmp_path, undisturbed)


def test_workers_that_return_in_time_go_on(tmp_path: Path, undisturbed: Path) -> None:
    with dask_processes(tmp_path / "cluster", workers=2, nanny=True) as cluster:
        with started(*at(cluster, 120), cwd=tmp_path) as process:
            until(lambda: len(parts(tmp_path / "outputs")) >= 5, process)
            kill_all(cluster)
            cluster.add_worker()
            assert ended(process)[0] == 0
        settled(at(cluster, 120), tmp_path, undisturbed)
