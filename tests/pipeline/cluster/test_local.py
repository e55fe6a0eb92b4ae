"""The process that workers on this machine are forked from."""

from __future__ import annotations

from multiprocessing import forkserver
from pathlib import Path

import pytest

from pipeline.cluster import local
from pipeline.command import main
from pipeline.grids.greedy_vs_dp.grid import GreedyVsDpGrid

WRONG = ["+grid=greedy_vs_dp", "no_such_key=1"]


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
    assert preloaded == [*local.PRELOADED, GreedyVsDpGrid.__module__]


def test_nothing_is_started_for_a_grid_that_was_run_before(preloaded: list[str], tmp_path: Path) -> None:
    (tmp_path / "outputs/results/grid=greedy_vs_dp").mkdir(parents=True)
    assert main(WRONG) == 2
    assert preloaded == []
