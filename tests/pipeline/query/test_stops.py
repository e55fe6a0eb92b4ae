"""Questions that a signal or a limit ends."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.pipeline.command_line import environment, orchard, until

ASLEEP = "select sleep_ms(600000)"
ASLEEP_AT_ONCE = "from range(sleep_ms(600000))"
"""A question that sleeps while it is bound, before anything is fetched."""


def test_a_signal_ends_a_question_at_once(finished_once: Path) -> None:
    endless = "select count(*) from range(1000000000000) t(i), results where hash(i) % 7 = depth"
    command = [sys.executable, "-m", "pipeline.query", endless]
    with subprocess.Popen(command, cwd=finished_once, stderr=subprocess.PIPE, env=environment()) as process:
        until(lambda: len(list(Path(f"/proc/{process.pid}/task").iterdir())) > 3, process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert err == b"orchard: stopped\n"


@contextmanager
def asking(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """`pipeline.query` while it works on a question, its output read by nobody; it has ended when the block ends."""
    command = [sys.executable, "-m", "pipeline.query", *arguments]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        try:
            until(lambda: len(list(Path(f"/proc/{process.pid}/task").iterdir())) > 3, process)
            time.sleep(1)  # for what comes between the start of DuckDB's threads and the question
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize(("question", "number"), [(ASLEEP, signal.SIGINT), (ASLEEP_AT_ONCE, signal.SIGTERM)])
def test_a_signal_ends_a_question_that_sleeps(
    finished_once: Path, tmp_path: Path, question: str, number: signal.Signals
) -> None:
    arguments = (question, "--output", str(finished_once / "outputs"), "--to", "answer.csv")
    with asking(tmp_path, *arguments) as process:
        process.send_signal(number)
        process.wait(timeout=120)
        assert process.stderr is not None
        assert process.stderr.read() == b"orchard: stopped\n"
    assert process.returncode == 128 + number
    assert list(tmp_path.iterdir()) == []


def test_a_signal_ends_an_answer_that_nobody_reads(finished_once: Path) -> None:
    """What writes it heeds no interrupt of DuckDB."""
    long = "select r.* from results r, range(1000)"
    with asking(finished_once, long, "--format", "csv") as process:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=120)
    assert process.returncode == 143


@pytest.mark.parametrize("question", [ASLEEP, ASLEEP_AT_ONCE, "select count(*) from range(1000000000000)"])
def test_a_question_has_a_limit_of_its_own(finished_once: Path, tmp_path: Path, question: str) -> None:
    output, file = str(finished_once / "outputs"), tmp_path / "answer.csv"
    answer = orchard(
        *(question, "--output", output, "--seconds", "1.5", "--to", str(file)), cwd=tmp_path, module="pipeline.query"
    )
    assert answer.returncode == 6
    assert answer.stderr == (
        "orchard query: no answer within --seconds 1.5: give the query more seconds, or query a single run with --run\n"
    )
    assert list(tmp_path.iterdir()) == []
