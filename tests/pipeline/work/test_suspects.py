"""Suspects: worked apart, so that the worker lives whatever they do, and each item at fault says what it did."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from pipeline.grids.base import Grid, Separable
from pipeline.grids.greedy_vs_dp import GreedyVsDpGrid
from pipeline.plan import Chunk, GridRun
from pipeline.storage.parts import read
from pipeline.work import own_process
from pipeline.work.limits import MIB, Limits
from pipeline.work.losses import Loss
from pipeline.work.own_process import OwnProcess
from pipeline.work.publication import Failure, publish_chunk
from pipeline.work.suspects import NOT_ASKED, Suspect, _decided, publish_suspect
from tests.pipeline.command_line import ROOT, alive, descendants, until
from tests.pipeline.small_grids import fragile, grid

RUN = "0123456789ab"
SLOW = Limits(60.0, 300 * MIB)


def run_in(folder: Path, worked: GreedyVsDpGrid) -> GridRun:
    return GridRun(worked, "small", RUN, folder)


def test_items_at_fault_say_what_they_did_and_the_others_have_the_rows_they_always_have(tmp_path: Path) -> None:
    worked = fragile(_1="crashes", _3="allocates", _4="raises", _6="leaves")
    receipt = publish_suspect(run_in(tmp_path, worked), Suspect(Chunk(0, 9), 1, hung=False), SLOW)
    assert {failure.item: failure.loss for failure in receipt.failures} == {
        1: Loss("killed", "its process was ended by SIGSEGV"),
        3: Loss("memory_limit", "Unable to allocate 8.00 MiB for an array with shape (1048576,) and data type float64"),
        4: Loss("failed", "UnpicklableError: holds a lock"),
        6: Loss("killed", "its process ended itself with status 3"),
    }
    assert [(part.first, part.stop) for part in receipt.parts] == [(0, 1), (2, 3), (5, 6), (7, 9)]
    assert (receipt.items, receipt.failed, receipt.left, receipt.tries) == (5, 0, None, 2)
    assert receipt.work_cpu_seconds > 0
    undisturbed = read(publish_chunk(run_in(tmp_path / "undisturbed", grid()), Chunk(0, 9), None).parts[0])
    expected = {row["table_index"] - 1: row for row in undisturbed.to_pylist() if row["builder"] == "exact"}
    for part in receipt.parts:
        for row in read(part).to_pylist():
            if row["builder"] == "exact":
                assert row == expected[row["table_index"] - 1]


def test_what_takes_too_long_is_ended_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_process, "GRACE_SECONDS", 0.0)
    with OwnProcess(fragile(_1="hangs in C"), Limits(2.0, None)) as process:
        process.work(0)  # may take as long as imports do
        began = time.monotonic()
        found = process.work(1)
        took = time.monotonic() - began
    assert found == Loss("time_limit", "took more than the 2 seconds of limits.seconds")
    assert took < 2.0 + 30  # the start of another process, where the first item has ended that


def test_the_process_dies_with_its_worker() -> None:
    program = (
        "from pipeline.work.limits import Limits\nfrom pipeline.work.own_process import OwnProcess\n"
        "from tests.pipeline.small_grids import fragile\n"
        "with OwnProcess(fragile(_0='hangs in C'), Limits(600, None)) as process: process.work(0)"
    )
    with subprocess.Popen([sys.executable, "-c", program], env={"PYTHONPATH": str(ROOT)}) as worker:
        until(lambda: bool(descendants(worker.pid)))
        below = descendants(worker.pid)
        worker.kill()
    until(lambda: not any(map(alive, below)), seconds=20)


def test_a_process_that_cannot_start_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_python = tmp_path / "python"
    no_python.write_text("#!/bin/sh\necho not today >&2\nexit 7\n")
    no_python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(no_python))
    with (
        OwnProcess(grid(), SLOW) as process,
        pytest.raises(ChildProcessError, match=r"did not start, and ended with status 7: not today"),
    ):
        process.work(0)


class Apart:
    """Stands for the process: what becomes of an item by the builders that are asked, and by the item itself."""

    def __init__(self, faults: Mapping[int, Loss], alone: Loss | None = None) -> None:
        self.faults, self.alone = faults, alone
        self.asked: list[tuple[int, ...]] = []

    def work(self, item: int, losses: Mapping[int, Loss] | None = None) -> Any:
        present = tuple(place for place in range(3) if place not in (losses or {}))
        self.asked.append(present)
        found = self.alone or next((self.faults[place] for place in present if place in self.faults), None)
        return found or {"results": dict(losses or {})}


class ThreeBuilders:
    """As much of a grid of three builders as is asked of it."""

    builders = ("a", "b", "c")

    def __init__(self, cells: int = 3) -> None:
        self.cells_per_item = cells

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda: None


KILLED, LATE = Loss("killed", "SIGSEGV"), Loss("time_limit", "late")


def decided(process: Apart, *, hung: bool = False, cells: int = 3) -> Any:
    made = cast("Grid", ThreeBuilders(cells))
    assert isinstance(made, Separable)
    return _decided(made, cast("OwnProcess", process), 0, hung=hung)


def test_an_innocent_item_is_worked_once() -> None:
    process = Apart({})
    assert decided(process) == {"results": {}}
    assert process.asked == [(0, 1, 2)]


def test_builders_at_fault_are_lost_and_the_others_are_asked_together() -> None:
    process = Apart({0: KILLED, 2: LATE})
    assert decided(process) == {"results": {0: KILLED, 2: LATE}}
    assert process.asked == [(0, 1, 2), (), (0,), (1,), (2,), (1,)]


def test_an_item_that_hung_is_not_tried_as_it_is() -> None:
    process = Apart({1: LATE})
    assert decided(process, hung=True) == {"results": {1: LATE}}
    assert process.asked == [(), (0,), (1,), (2,), (0, 2)]


def test_an_item_that_fails_without_any_builder_is_at_fault_itself() -> None:
    process = Apart({}, alone=LATE)
    assert decided(process, hung=True) == LATE
    assert process.asked == [()]


def test_an_exception_of_the_item_itself_is_no_builders() -> None:
    failed = Loss("failed", "OSError: no such file")
    process = Apart({}, alone=failed)
    assert decided(process) == failed
    assert process.asked == [(0, 1, 2)]


def test_where_all_builders_are_at_fault_alike_so_is_the_item_unless_it_has_other_cells() -> None:
    faults = dict.fromkeys(range(3), KILLED)
    assert decided(Apart(faults)) == KILLED
    assert decided(Apart(faults), cells=4) == {"results": faults}
    assert decided(Apart(faults | {1: LATE})) == {"results": faults | {1: LATE}}


def test_what_is_not_asked_says_so() -> None:
    assert NOT_ASKED.status == "skipped"


def test_a_chunk_of_nothing_but_faults_gives_its_end_back(tmp_path: Path) -> None:
    ways = {f"_{item}": "raises" for item in range(30)}
    receipt = publish_suspect(run_in(tmp_path, fragile(**ways)), Suspect(Chunk(0, 30), 1, hung=False), SLOW)
    assert receipt.left == Chunk(20, 30)
    assert receipt.failures[-1] == Failure(19, Loss("failed", "UnpicklableError: holds a lock"))
    assert receipt.parts == ()
