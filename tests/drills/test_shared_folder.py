"""A worker that has a folder of its own under the output's name takes no task; mount namespaces make such workers."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.drills.dask_processes import DaskProcesses, dask_processes
from tests.drills.oracle import settled
from tests.oracles.beside import absent
from tests.pipeline.command_line import orchard, run_orchard, sessions

RUN = ("+grid=greedy_vs_dp", "tables.groups=1", "tables.count=60", "chunk=5", "cluster=address")
OWN = 'mount -t tmpfs none "$0" && exec "$@"'
READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
pytestmark = pytest.mark.long


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskProcesses]:
    tried = subprocess.run(["unshare", "-m", "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        absent(f"no mount namespaces here: {tried.stderr.strip()}")
    (tmp_path / "run/outputs").mkdir(parents=True)
    with dask_processes(tmp_path / "dask") as cluster:
        yield cluster


def with_mounts(cluster: DaskProcesses, mounts: str, folder: Path) -> None:
    cluster.add_worker(before=("unshare", "-m", "sh", "-c", mounts, str(folder)))


def test_a_worker_with_a_folder_of_its_own_is_left_out(
    cluster: DaskProcesses, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with_mounts(cluster, OWN, tmp_path / "run/outputs")
    cluster.add_worker()
    cluster.wait_for_workers(2)
    arguments = (*RUN, f"cluster.address={cluster.address}")
    done = orchard(*arguments, cwd=tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert "does not show them yet" not in done.stderr  # as it would if that worker had published anything
    assert [session["items"] for session in sessions(tmp_path / "run/outputs")] == [60]
    elsewhere = tmp_path_factory.mktemp("undisturbed")
    assert run_orchard(*RUN[:-1], "cluster.workers=1", cwd=elsewhere).returncode == 0
    settled(arguments, tmp_path / "run", elsewhere / "outputs")
    assert list((tmp_path / "run").rglob("probe-*")) == []


@pytest.mark.parametrize(
    ("mounts", "words"),
    [
        pytest.param(OWN, "to {}", id="own"),
        pytest.param(READ_ONLY, "cannot write to {}", id="read-only"),
    ],
)
def test_where_no_worker_shares_the_folder_the_run_ends(
    cluster: DaskProcesses, tmp_path: Path, mounts: str, words: str
) -> None:
    with_mounts(cluster, mounts, tmp_path / "run/outputs")
    cluster.wait_for_workers(1)
    done = orchard(*RUN, f"cluster.address={cluster.address}", cwd=tmp_path / "run")
    assert done.returncode == 3, done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("orchard: worker tcp://127.0.0.1:")
    assert words.format(f"{tmp_path}/run/outputs/results/grid=greedy_vs_dp/run=") in last
    assert "set output=… to a folder" in last
    assert list((tmp_path / "run/outputs").rglob("*.parquet")) == []
