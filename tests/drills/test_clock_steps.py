"""D14: the clock of the machine is set forwards and back by an hour while a run goes on; the monotonic clock is not."""

from __future__ import annotations

import json
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.drills.oracle import settled
from tests.pipeline.command_line import ROOT, ended, orchard, parts, python, run_folder, sessions, started, until

MANY = ("+grid=greedy_vs_dp", "cluster.workers=2", "tables.groups=1", "tables.count=3000", "chunk=10")
HOUR = 3600


CLOCK = """
import os, time

real, monotonic, offset, read_at = time.time, time.monotonic, 0.0, -1.0


def stepped():
    global offset, read_at
    if monotonic() - read_at > 0.05:
        with open(os.environ["CLOCK_OFFSET"]) as file:
            offset, read_at = float(file.read()), monotonic()
    return real() + offset


time.time = stepped
time.time_ns = lambda: int(stepped() * 1e9)
"""
"""Sets the clock that Python code reads, before any of it is imported, by as much as a file says.

`libfaketime` sets the clock that the kernel's waits are computed from, too: with the monotonic clock left alone, its
version 0.9.10 has `time.sleep` of Python 3.11 fail with EINVAL.
"""


@dataclass(frozen=True)
class Clock:
    """The clock of the processes that are started with `variables`."""

    folder: Path

    @property
    def variables(self) -> dict[str, str]:
        return {"PYTHONPATH": f"{self.folder}{os.pathsep}{ROOT}", "CLOCK_OFFSET": str(self.folder / "offset")}

    def set(self, seconds: float) -> None:
        """Set it, so many seconds from what it would be."""
        beside = self.folder / "beside"
        beside.write_text(str(seconds))
        beside.replace(self.folder / "offset")


@pytest.fixture
def clock(tmp_path: Path) -> Clock:
    """A clock that is right until it is set."""
    folder = tmp_path / "clock"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(CLOCK)
    made = Clock(folder)
    made.set(0)
    return made


def test_processes_see_the_clock_that_is_set(clock: Clock) -> None:
    clock.set(-HOUR)
    seen = python("import time; time.sleep(0.01); print(time.time())", **clock.variables)
    assert abs(float(seen) - (time.time() - HOUR)) < 60


@pytest.mark.long
def test_steps_of_the_clock_cost_nothing_and_make_no_time_negative(clock: Clock, tmp_path: Path) -> None:
    undisturbed = tmp_path / "undisturbed"
    undisturbed.mkdir()
    assert orchard(*MANY, cwd=undisturbed).returncode == 0
    with started(*MANY, cwd=tmp_path, **clock.variables) as process:
        output = tmp_path / "outputs"
        began = time.monotonic()
        for wanted, offset in ((5, HOUR), (100, -HOUR), (200, 0)):
            until(lambda wanted=wanted: len(parts(output)) >= wanted, process, seconds=120)
            clock.set(offset)
        status, errors = ended(process)
        took = time.monotonic() - began
    assert status == 0, errors
    lines = [line for line in errors.splitlines() if not re.fullmatch(r"[\d,]+/3,000 tables|merging .*", line)]
    assert lines == []  # no worker was missed, none given up
    (session,) = sessions(output)
    assert (session["outcome"], session["items"], session["tries_again"]) == ("complete", 3000, 0)
    assert 0 < session["wall_seconds"] <= took + 60
    assert all(value >= 0 for name, value in session.items() if name.endswith("_seconds"))
    rate = json.loads((run_folder(output) / "_run/progress.json").read_text())["rate"]
    assert 3000 / (took + 60) / 3 < rate < 3000 * HOUR
    finished = orchard(cwd=tmp_path, module="pipeline.status")
    assert "3,000 of 3,000 tables" in finished.stdout
    settled(MANY, tmp_path, undisturbed / "outputs")
