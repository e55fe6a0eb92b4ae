"""The standard streams of a command: closed, full, or of another encoding."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pipeline.command_line import FINISHED, environment, orchard, ran


@pytest.mark.parametrize(
    "words", ["pipeline", f"pipeline {' '.join(FINISHED)}", "pipeline.query 'from results limit 90'"]
)
def test_a_closed_pipe_ends_it_without_a_message(finished_once: Path, words: str) -> None:
    done = ran("bash", "-c", f"set -o pipefail; '{sys.executable}' -m {words} | true", cwd=finished_once)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_terminal_without_unicode_still_gets_the_summary(finished: Path) -> None:
    done = orchard(*FINISHED, cwd=finished, PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert "cells agree with the paper" in done.stdout


def test_streams_that_the_caller_has_closed_are_not_the_files_of_a_run(tmp_path: Path) -> None:
    """A file that is opened next gets the number of a closed stream, and with it whatever is printed."""
    words = "+grid=catalogue 'source=[rule/corral]' cluster=threads cluster.workers=1"
    for more in (words, "status", "trash --empty"):
        script = f"'{sys.executable}' -m pipeline {more} <&- >&- 2>&-"
        subprocess.run(["bash", "-c", script], cwd=tmp_path, env=environment(), timeout=60, check=True)
    (lock,) = tmp_path.glob("outputs/results/*/*/_run/lock")
    assert json.loads(lock.read_bytes())["pid"]
    assert [path.name for path in tmp_path.iterdir()] == ["outputs"]


@pytest.mark.parametrize(
    "words", [("--help",), ("show", "--help"), ("fetch", "--list"), ("+grid=greedy_vs_dp", "--cfg", "job")]
)
def test_what_an_output_cannot_encode_or_hold_is_no_traceback(words: tuple[str, ...], tmp_path: Path) -> None:
    done = orchard(*words, cwd=tmp_path, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    command = [sys.executable, "-m", "pipeline", *words]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, env=environment(), check=False
        )
    assert done.returncode == 3
    assert "cannot write to standard output: No space left on device\n" in done.stderr
    assert len(done.stderr.splitlines()) == 1
