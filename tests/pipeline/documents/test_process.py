"""A grid in a process of its own: how it ended is reported, and a request to stop is passed on."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from pipeline.documents.process import run_grid
from pipeline.errors import SIGNALLED
from tests.pipeline.command_line import ROOT, until

SMALL = ("+grid=greedy_vs_dp", "cluster.workers=1", "tables.groups=1")


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("HYDRA_FULL_ERROR", "0")


def test_the_text_of_an_error_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    ended = run_grid([*SMALL, "tables.count=0"], folded=True)
    assert (ended.status, ended.error) == (2, "tables.count is 0: expected 1 to 1000000000000")
    assert "tables.count is 0" in capsys.readouterr().err


COMMAND = """
import sys
from pipeline.documents.process import run_grid
from pipeline.driver.signals import interrupting
with interrupting():
    print("ended", run_grid(sys.argv[1:], folded=True).status, flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long)])
def test_a_request_to_stop_ends_the_run_in_order(number: signal.Signals, tmp_path: Path) -> None:
    import os
    import subprocess

    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, *SMALL, "tables.count=2000000"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        until(lambda: bool(list(tmp_path.glob("outputs/results/grid=*/run=*/part-*.parquet"))), process)
        process.send_signal(number)
        out, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert out == f"ended {SIGNALLED + number}\n", errors
    assert "; done: " in errors
