"""Builders that hang, allocate, recurse, leave, crash or raise what cannot be sent: rows say so, once (drill D10)."""

from __future__ import annotations

import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.pipeline.command_line import orchard, parts, run_orchard, sessions

SECONDS = 10.0
LONG = 300.0  # that a command may take, on a machine that is busy
LATE = f"took more than the {SECONDS:g} s of limits.seconds"
ENDED = "its process was ended by"
EXPECTED = {
    "well": ("ok", None),
    "forks": ("ok", None),
    "raises": ("failed", "UnpicklableError: holds a lock"),
    "exits": ("failed", "SystemExit: 0"),
    "interrupts": ("failed", "KeyboardInterrupt: "),
    "cancels": ("failed", "CancelledError: "),
    "recurses": ("failed", "RecursionError: maximum recursion depth exceeded"),
    "allocates": (
        "memory_limit",
        "Unable to allocate 8.00 MiB for an array with shape (1048576,) and data type float64",
    ),
    "allocates in C": ("memory_limit", f"{ENDED} SIGABRT, after an allocation beyond its limit of memory"),
    "leaves": ("killed", "its process exited with status 3"),
    "crashes": ("killed", f"{ENDED} SIGSEGV"),
    "is killed": ("killed", f"{ENDED} SIGKILL"),
    "hangs": ("time_limit", LATE),
    "hangs in C": ("time_limit", LATE),
}


def compared(folder: Path, behaviours: list[str], *overrides: str) -> tuple[str, ...]:
    """The arguments of a comparison of builders of these behaviours, on one split by default."""
    (folder / "conf/builder").mkdir(parents=True, exist_ok=True)
    (folder / "conf/builder/misfit.yaml").write_text("class: tests.drills.misfits.Misfit\n")
    named = ",".join(
        f"{{name: {behaviour}, builder: misfit, parameters: {{behaviour: {behaviour}}}}}" for behaviour in behaviours
    )
    return (
        "+grid=compare_builders", "plugins=[tests]", f"builders=[{named}]", "source=[sklearn/iris]", "protocol=holdout",
        "cluster.workers=2", "chunk=1", "limits.memory_mib=300", "--config-dir", "conf",
        *overrides,
    )  # fmt: skip


def row_outcomes(output: Path) -> list[tuple[int, str, str, str | None]]:
    """What each row says: its repeat, its builder, its status and its error."""
    rows = [row for part in parts(output) for row in pq.ParquetFile(part).read().to_pylist()]
    return sorted((row["repeat"], row["builder"], row["status"], row["error"]) for row in rows)


def expected(behaviours: list[str], splits: int = 1) -> list[tuple[int, str, str, str | None]]:
    """What the rows are to say."""
    return sorted(
        (repeat, behaviour, *EXPECTED[behaviour]) for repeat in range(1, splits + 1) for behaviour in behaviours
    )


def test_a_builder_that_ends_its_process_leaves_the_rows_of_the_others(tmp_path: Path) -> None:
    behaviours = ["well", "raises", "leaves"]
    done = run_orchard(*compared(tmp_path, behaviours), cwd=tmp_path, workers=True)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert row_outcomes(tmp_path / "outputs") == expected(behaviours)
    assert sessions(tmp_path / "outputs")[-1]["tries_again"] == 0  # the worker outlives them


@pytest.mark.long
def test_every_misfit_is_a_row_that_says_so_and_the_others_are_as_they_were(tmp_path: Path) -> None:
    behaviours = [behaviour for behaviour in EXPECTED if not behaviour.startswith("hangs")]
    done = orchard(*compared(tmp_path, behaviours, "protocol.repeats=2"), cwd=tmp_path, seconds=LONG)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert row_outcomes(tmp_path / "outputs") == expected(behaviours, splits=2)
    assert sessions(tmp_path / "outputs")[-1]["tries_again"] == 0


@pytest.mark.long
@pytest.mark.parametrize("behaviour", ["hangs", "hangs in C"])
def test_a_hanging_cell_is_a_row_within_twice_the_limit_and_a_grace(tmp_path: Path, behaviour: str) -> None:
    behaviours = ["well", behaviour]
    began = time.monotonic()
    done = orchard(*compared(tmp_path, behaviours, f"limits.seconds={SECONDS}"), cwd=tmp_path, seconds=LONG)
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - began < 2 * SECONDS + 60
    assert row_outcomes(tmp_path / "outputs") == expected(behaviours)
