"""D14: the clock of the machine is set forwards and back by an hour while a run goes on; the monotonic clock is not."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from tests.drills.oracle import settled
from tests.oracles.beside import absent
from tests.pipeline.command_line import ended, orchard, parts, run_folder, started, until

MANY = ("+grid=greedy_vs_dp", "cluster.workers=2", "tables.groups=1", "tables.count=3000", "chunk=10")
HOUR = 3600


@pytest.fixture
def clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that says by how much the clock of new processes is wrong, whenever they look at it."""
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    if not found:
        absent("there is no libfaketime (the package faketime)")
    offset = tmp_path / "offset"
    offset.write_text("+0\n")
    monkeypatch.setenv("LD_PRELOAD", str(found[0]))
    monkeypatch.setenv("FAKETIME_TIMESTAMP_FILE", str(offset))
    monkeypatch.setenv("FAKETIME_CACHE_DURATION", "1")
    monkeypatch.setenv("NO_FAKE_STAT", "1")
    monkeypatch.setenv("FAKETIME_FORCE_MONOTONIC_FIX", "0")  # else waits for the interpreter's lock take forever
    monkeypatch.setenv("FAKETIME_DONT_FAKE_MONOTONIC", "1")
    return offset


@pytest.mark.long
def test_steps_of_the_clock_cost_nothing_and_make_no_time_negative(clock: Path, tmp_path: Path) -> None:
    undisturbed = tmp_path / "undisturbed"
    undisturbed.mkdir()
    with pytest.MonkeyPatch.context() as patched:
        patched.delenv("LD_PRELOAD")
        assert orchard(*MANY, cwd=undisturbed).returncode == 0
    with started(*MANY, cwd=tmp_path) as process:
        output = tmp_path / "outputs"
        began = time.monotonic()
        for wanted, offset in ((5, "+1h"), (100, "-1h"), (200, "+0")):
            until(lambda wanted=wanted: len(parts(output)) >= wanted, process, seconds=120)
            clock.write_text(f"{offset}\n")
        status, errors = ended(process)
        took = time.monotonic() - began
    assert status == 0, errors
    lines = [line for line in errors.splitlines() if not re.fullmatch(r"[\d,]+/3,000 tables|merging .*", line)]
    assert lines == []  # no worker was missed, none given up
    (session,) = [json.loads(line) for line in (run_folder(output) / "_run/sessions.jsonl").read_text().splitlines()]
    assert (session["outcome"], session["items"], session["tries_again"]) == ("complete", 3000, 0)
    assert 0 < session["wall_seconds"] <= took + 60
    assert all(value >= 0 for name, value in session.items() if name.endswith("_seconds"))
    rate = json.loads((run_folder(output) / "_run/progress.json").read_text())["rate"]
    assert 3000 / (took + 60) / 3 < rate < 3000 * HOUR
    told = orchard(cwd=tmp_path, module="pipeline.status")
    assert "3,000 of 3,000 tables" in told.stdout
    settled(MANY, tmp_path, undisturbed / "outputs")
