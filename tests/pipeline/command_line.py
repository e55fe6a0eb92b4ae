"""The command as a person runs it: in a folder of its own, in a process of its own where the process matters."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, nullcontext, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.cluster import local
from pipeline.command import main
from pipeline.driver import run
from pipeline.driver.drawing import Draw
from pipeline.grammar.summary import Summary
from pipeline.storage.scratch import scratch

ROOT = Path(__file__).resolve().parents[2]
GRID = ("+grid=greedy_vs_dp", "cluster.workers=1")
FINISHED = (*GRID, "tables.count=40", "tables.groups=2")
SECONDS = 120.0
IDENTITY = ("source", "group", "table_index", "repeat", "fold", "builder", "impurity_type", "uncertainty")
SETTINGS = {"HYDRA_FULL_ERROR", "COLUMNS", "PYTHONSAFEPATH"}  # the last is set by a command inside this process
IMPORTED = (
    *("duckdb", "matplotlib.backends.backend_agg", "matplotlib.backends.backend_svg", "matplotlib.figure"),
    *("mpl_toolkits.mplot3d", "sklearn.datasets"),
    *("pipeline.grammar.comparison.rows", "pipeline.grammar.comparison.declared"),
    *("pipeline.grids.greedy_vs_dp.figure", "pipeline.record.runs", "pipeline.summary.trees"),
)
"""What workers and processes that draw and rebuild trees would import, each for itself."""
VARYING = ("_seconds", "_bytes")
"""How the names of those columns end that differ each time."""


def orchard(
    *arguments: str, cwd: Path, module: str = "pipeline", seconds: float = SECONDS, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return ran(sys.executable, "-m", module, *arguments, cwd=cwd, seconds=seconds, **variables)


def python(code: str, *arguments: object, cwd: Path | None = None, seconds: float = SECONDS, **variables: str) -> str:
    """What a program prints in a process of its own, which must end with status 0."""
    done = ran(sys.executable, "-c", code, *arguments, cwd=cwd, seconds=seconds, **variables)
    assert done.returncode == 0, done.stderr
    return done.stdout


def ran(
    *command: object, cwd: Path | None = None, seconds: float = SECONDS, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run any program to its end, in our `environment`."""
    return subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env=environment(**variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=seconds,
        check=False,
    )


def run_orchard(
    *arguments: str, cwd: Path, module: str = "pipeline", figures: bool = False, workers: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run the command to its end like `orchard`, but inside this process, which saves the seconds of the imports.

    For what does not depend on the process: its environment, its import path, its signals, its end. Threads compute the
    cells, which takes half the time of a small run, unless processes of `workers` or another cluster are wanted. They
    are forked from the fork server that the first such command has started, which has imported IMPORTED for all of
    them. Summaries are without figures, which take half of the rest, unless `figures` are wanted.
    """
    words = [*module.split(".")[1:], *arguments]
    if not workers and any(word.startswith("+grid=") for word in words):
        words += [] if any(word.startswith("cluster=") for word in words) else ["cluster=threads"]
    out, errors = StringIO(), StringIO()
    scratch()  # before the environment is replaced for the command: it sets TMPDIR for the rest of this process
    with (
        nullcontext() if figures else undrawn(),
        chdir(cwd),
        redirect_stdout(out),
        redirect_stderr(errors),
        patch.dict(os.environ, environment(), clear=True),
        patch.object(sys, "argv", ["orchard", *words]),
        patch.object(local, "PRELOADED", [*IMPORTED, *local.PRELOADED]),
    ):
        try:
            status = main(words)
        except SystemExit as leaving:
            status = leaving.code if isinstance(leaving.code, int) else 1
    return subprocess.CompletedProcess(words, status, out.getvalue(), errors.getvalue())


@contextmanager
def undrawn() -> Iterator[None]:
    """Have no summary draw its figures, in this process or another."""

    @contextmanager
    def drawing(*_: object) -> Iterator[Draw]:
        yield lambda *_: tuple

    with patch.object(run, "drawing", drawing), patch.object(Summary, "draw", lambda *_, **__: ()):
        yield


@contextmanager
def started(*arguments: str, cwd: Path, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """The command while it runs, in a session of its own; it is killed when the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pipeline", *arguments],
        cwd=cwd,
        env=environment(**variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=SECONDS)


def ended(process: subprocess.Popen[str], seconds: float = SECONDS) -> tuple[int, str]:
    """Exit status and stderr of a command that is about to end."""
    _, errors = process.communicate(timeout=seconds)
    return process.returncode, errors


def until(
    condition: Callable[[], bool],
    process: subprocess.Popen[str] | None = None,
    seconds: float = SECONDS,
    every: float = 0.02,
) -> None:
    """Wait for a condition while the process runs; it is looked at every so many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        if process is not None and process.poll() is not None:
            assert condition(), f"the command ended before with status {process.returncode}"
            return
        time.sleep(every)


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def descendants(pid: int) -> list[int]:
    """All processes below one, parents first; Linux."""
    children: dict[int, list[int]] = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        if fields[0] != "Z":
            children.setdefault(int(fields[1]), []).append(int(process.name))
    result = children.get(pid, [])[:]
    for below in result:
        result += children.get(below, [])
    return result


def workers(pid: int) -> list[int]:
    """The worker processes of a driver: children of its fork server."""
    below = descendants(pid)
    return [child for server in below for child in descendants(server)]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def marked(mark: str) -> set[int]:
    """The processes that were started with this in their environment; Linux."""
    result = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            result |= {int(process.name)} if mark.encode() in (process / "environ").read_bytes() else set()
        except OSError:
            continue
    return result


def run_folder(output: Path) -> Path:
    """The folder of the one run below an output folder."""
    (folder,) = output.glob("results/grid=*/run=*")
    return folder


def copied_run(folder: Path, run: str, *left_out: str) -> Path:
    """A copy of a run's folder under the id of another run; files that match a pattern of `left_out` are left out."""
    copy = folder.with_name(f"run={run}")
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(*left_out))
    record = copy / "_run/run.json"
    record.write_text(record.read_text().replace(folder.name.removeprefix("run="), run))
    return copy


def parts(output: Path) -> list[Path]:
    """What a reader of Parquet folders takes for data."""
    return sorted(output.glob("results/grid=*/run=*/[!._]*.parquet"))


def items(output: Path) -> int:
    """How many items all part files below an output folder say that they have."""
    words = [part.name.split("-") for part in parts(output)]
    return sum(int(stop) - int(first) for _, first, stop, _ in words)


def sessions(output: Path) -> list[dict[str, Any]]:
    """What the one run below an output folder has noted of its sessions, oldest first."""
    return [json.loads(line) for line in (run_folder(output) / "_run/sessions.jsonl").read_text().splitlines()]


def rows(output: Path) -> pa.Table:
    """All rows below an output folder, in the order of what they are called, read without any help of ours.

    Columns that differ each time are left out.
    """
    joined = pa.concat_tables(_with_plain_text(pq.ParquetFile(part).read()) for part in parts(output))
    joined = joined.drop_columns([name for name in joined.column_names if name.endswith(VARYING)])
    return joined.combine_chunks().sort_by([(name, "ascending") for name in IDENTITY])


def _with_plain_text(table: pa.Table) -> pa.Table:
    """The table with its dictionaries spelt out, whatever order their words came in."""
    kinds = [pa.string() if pa.types.is_dictionary(field.type) else field.type for field in table.schema]
    return table.cast(pa.schema(zip(table.column_names, kinds, strict=True)))


def names(table: pa.Table) -> list[tuple[object, ...]]:
    """What the rows are called."""
    return list(zip(*(table.column(name).to_pylist() for name in IDENTITY), strict=True))


def line_of(out: str, label: str) -> str:
    """What stands behind a label in what `status` or a dry run prints."""
    (line,) = [line for line in out.splitlines() if line.startswith(f"{label} ")]
    return line[10:].strip()


def environment(**variables: str) -> dict[str, str]:
    """What the command finds in its environment: this checkout, and none of our own settings."""
    kept = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    return kept | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"} | variables
