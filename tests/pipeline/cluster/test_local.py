"""The process that workers on this machine are forked from."""

from __future__ import annotations

import sys
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from pipeline.cluster import local
from pipeline.command import main
from pipeline.grids.greedy_vs_dp.grid import GreedyVsDpGrid
from tests.pipeline.command_line import ran

WRONG = ["+grid=greedy_vs_dp", "no_such_key=1"]


def _imported(pipe: Connection, module: str) -> None:
    pipe.send(module in sys.modules)


@pytest.fixture
def preloaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """What the fork server of a command in an empty folder is to import; it is not started."""
    requests: list[str] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(forkserver, "set_forkserver_preload", requests.extend)
    monkeypatch.setattr(forkserver, "ensure_running", lambda: None)
    return requests


def test_workers_inherit_the_grid_that_a_command_begins(preloaded: list[str]) -> None:
    assert main(WRONG) == 2
    assert preloaded == [
        *local.PRELOADED,
        GreedyVsDpGrid.__module__,
        GreedyVsDpGrid.__module__.removesuffix("grid") + "rows",
        local.PRELOADED_LAST,
    ]


def test_nothing_is_started_for_a_grid_that_was_run_before(preloaded: list[str], tmp_path: Path) -> None:
    (tmp_path / "outputs/results/grid=greedy_vs_dp").mkdir(parents=True)
    assert main(WRONG) == 2
    assert preloaded == []


def test_modules_of_grids_of_plugins_are_left_to_workers(preloaded: list[str]) -> None:
    local.start_fork_server("mine")
    assert preloaded == [*local.PRELOADED, local.PRELOADED_LAST]


@pytest.mark.parametrize(
    ("grid", "module", "inherited"),
    [
        ("pipeline.grids.parallel_proof", "pipeline.grids.parallel_proof.rows", True),
        ("pipeline.grids.greedy_vs_dp", "algorithms.batch", True),
        ("pipeline.grids.compare_builders", "algorithms.batch", False),
        ("mine", "algorithms.batch", True),  # its cells may need them
    ],
)
def test_workers_inherit_what_computes_the_cells(tmp_path: Path, grid: str, module: str, inherited: bool) -> None:
    """Otherwise each worker imports it again, with scikit-learn: seconds. Kernels that no cell needs are left out."""
    program = f"""
from pipeline.cluster.local import forked, start_fork_server
from {__name__} import _imported
if __name__ == "__main__":
    start_fork_server("{grid}")
    with forked(_imported, "{module}") as pipe:
        assert pipe.recv() is {inherited}
"""
    (tmp_path / "program.py").write_text(program)
    run = ran(sys.executable, tmp_path / "program.py")
    assert run.returncode == 0, run.stderr


def test_a_fork_server_that_is_killed_while_it_forks_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    read_signed, killed = forkserver.read_signed, [True]

    def read(descriptor: int) -> object:
        if killed and killed.pop():
            raise EOFError
        return read_signed(descriptor)

    monkeypatch.setattr(forkserver, "read_signed", read)
    with local.forked(_imported, "sys") as pipe:
        assert pipe.recv()
