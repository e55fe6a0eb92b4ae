"""Suspects: computed in another process, so that the worker survives, and each item at fault has the reason."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipeline.failures import Failure
from pipeline.grids.greedy_vs_dp.grid import GreedyVsDpGrid
from pipeline.plan import Chunk, GridRun
from pipeline.storage.parts import read
from pipeline.work import suspects
from pipeline.work.limits import MIB, Limits
from pipeline.work.publication import FailedItem, publish_chunk
from pipeline.work.suspects import ItemProcess, Suspect, publish_suspect
from tests.pipeline.command_line import ROOT, alive, descendants, until
from tests.pipeline.small_grids import fragile, grid

RUN = "0123456789ab"
SLOW = Limits(60.0, 300 * MIB)


def run_in(folder: Path, computed: GreedyVsDpGrid) -> GridRun:
    return GridRun(computed, "small", RUN, folder)


def test_items_at_fault_say_what_they_did_and_the_others_have_the_rows_they_always_have(tmp_path: Path) -> None:
    computed = fragile(_1="crashes", _3="allocates", _4="raises")
    receipt = publish_suspect(run_in(tmp_path, computed), Suspect(Chunk(0, 9), 1, hung=False), SLOW)
    assert {failed.item: failed.failure for failed in receipt.failed_items} == {
        1: Failure("killed", "its process was ended by SIGSEGV"),
        3: Failure(
            "memory_limit", "Unable to allocate 8.00 MiB for an array with shape (1048576,) and data type float64"
        ),
        4: Failure("failed", "UnpicklableError: holds a lock"),
    }
    assert [(part.first, part.stop) for part in receipt.parts] == [(0, 1), (2, 3), (5, 9)]
    assert (receipt.items, receipt.failed, receipt.left, receipt.tries) == (6, 0, None, 2)
    assert receipt.work_cpu_seconds > 0
    undisturbed = read(publish_chunk(run_in(tmp_path / "undisturbed", grid()), Chunk(0, 9)).parts[0])
    expected = {row["table_index"] - 1: row for row in undisturbed.to_pylist() if row["builder"] == "exact"}
    for part in receipt.parts:
        for row in read(part).to_pylist():
            if row["builder"] == "exact":
                assert row == expected[row["table_index"] - 1]


def test_an_item_beyond_its_time_is_ended_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suspects, "GRACE_SECONDS", 0.0)
    with ItemProcess(fragile(_1="hangs in C"), Limits(2.0, None)) as process:
        process.work(0, times=60)  # may take as long as imports do
        began = time.monotonic()
        tables = process.work(1)
        took = time.monotonic() - began
    assert tables == Failure("time_limit", "took more than the 2 s of limits.seconds")
    assert took < 2.0 + 30  # the start of another process, where the first item has ended that


def test_the_first_item_of_a_process_has_no_more_time_for_its_work_than_the_others() -> None:
    with ItemProcess(fragile(_0="dawdles"), Limits(1.0, None)) as process:
        assert process.work(0) == Failure("time_limit", "took more than the 1 s of limits.seconds")


def test_compiling_takes_no_time_that_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suspects, "GRACE_SECONDS", 0.0)
    with ItemProcess(fragile(_1="compiles"), Limits(2.0, None)) as process:
        process.work(0, times=60)  # may take as long as imports do
        assert not isinstance(process.work(1), Failure)


@pytest.mark.long
def test_an_alarm_that_an_item_leaves_does_not_end_the_next(tmp_path: Path) -> None:
    run = run_in(tmp_path, fragile(_1="leaves an alarm", _2="dawdles"))
    receipt = publish_suspect(run, Suspect(Chunk(0, 3), 1, hung=False), SLOW)
    assert (receipt.items, receipt.failed, receipt.failed_items) == (3, 0, ())


def test_a_forked_copy_of_the_process_gives_no_second_answer() -> None:
    with ItemProcess(fragile(_0="forks", _1="forks"), SLOW) as process:
        tables = [process.work(item) for item in range(3)]
    assert [
        table if isinstance(table, Failure) else table["results"]["table_index"][0].as_py() for table in tables
    ] == [*(1, 2, 3)]


def test_the_process_dies_with_its_worker() -> None:
    program = (
        "from pipeline.work.limits import Limits\nfrom pipeline.work.suspects import ItemProcess\n"
        "from tests.pipeline.small_grids import fragile\n"
        "with ItemProcess(fragile(_0='hangs in C'), Limits(600, None)) as process: process.work(0)"
    )
    with subprocess.Popen([sys.executable, "-c", program], env={"PYTHONPATH": str(ROOT)}) as worker:
        until(lambda: bool(descendants(worker.pid)))
        below = descendants(worker.pid)
        worker.kill()
    until(lambda: not any(map(alive, below)))


def test_a_process_that_cannot_start_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_python = tmp_path / "python"
    no_python.write_text("#!/bin/sh\necho not today >&2\nexit 7\n")
    no_python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(no_python))
    with (
        ItemProcess(grid(), SLOW) as process,
        pytest.raises(ChildProcessError, match=r"did not start: its process exited with status 7: not today"),
    ):
        process.work(0)


def test_a_chunk_of_nothing_but_faults_gives_its_end_back(tmp_path: Path) -> None:
    behaviours = {f"_{item}": "raises" for item in range(30)}
    receipt = publish_suspect(run_in(tmp_path, fragile(**behaviours)), Suspect(Chunk(0, 30), 1, hung=False), SLOW)
    assert receipt.left == Chunk(20, 30)
    assert receipt.failed_items[-1] == FailedItem(19, Failure("failed", "UnpicklableError: holds a lock"))
    assert receipt.parts == ()
