"""What a run keeps in TMPDIR: nothing after its end, and one line where there is no space or no such folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.drills.small_disk import resized, small_disk
from tests.pipeline.command_line import (
    FINISHED,
    alive,
    descendants,
    kill,
    orchard,
    parts,
    python,
    started,
    until,
)

ENDLESS = ("+grid=greedy_vs_dp", "cluster.workers=1", "tables.groups=1", "tables.count=2000000", "chunk=25")

FILLS = """
from pathlib import Path
from pipeline.cluster.local import LocalProcesses
with LocalProcesses(1).opened(Path("/nowhere"), ()) as workers:
    from pipeline.storage.scratch import scratch
    print(workers.why_none() or None)
    with (scratch() / "all").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            print(workers.why_none())
"""


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder for temporary files, with a short path: that of a socket in it is limited."""
    with TemporaryDirectory(dir="/tmp") as folder:
        yield Path(folder)


@pytest.fixture
def disk(short_folder: Path) -> Iterator[Path]:
    """The same as a file system of 64 KiB."""
    with small_disk(short_folder, "64k"):
        yield short_folder


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found through /proc")
def test_the_next_run_removes_what_a_killed_driver_left(tmp_path: Path, short_folder: Path) -> None:
    with started(*ENDLESS, cwd=tmp_path, TMPDIR=str(short_folder)) as process:
        until(lambda: len(parts(tmp_path / "outputs")) >= 1, process)
        below = descendants(process.pid)
        kill(process.pid)
        process.wait()
    until(lambda: not any(map(alive, below)))
    (left,) = short_folder.iterdir()  # one folder, with all that Dask and multiprocessing have made
    assert any(path.name.startswith("pymp-") for path in left.iterdir())
    assert (left / "dask-scratch-space").is_dir()
    done = orchard(*FINISHED, cwd=tmp_path, TMPDIR=str(short_folder))
    assert done.returncode == 0, done.stderr
    assert not any(short_folder.iterdir())


def refused(tmp_path: Path, short_folder: Path, *words: str) -> None:
    done = orchard(*FINISHED, cwd=tmp_path, TMPDIR=str(short_folder))
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.splitlines()
    assert str(short_folder) in line
    assert "set TMPDIR to " in line
    assert all(word in line for word in words)
    assert not (tmp_path / "outputs").exists()


def test_a_full_disk_is_reported_in_a_line(tmp_path: Path, disk: Path) -> None:
    refused(tmp_path, disk, "it is full")
    assert not any(disk.iterdir())


def test_a_disk_that_fills_up_is_why_there_are_no_workers(disk: Path) -> None:
    resized(disk, "1m")
    before, after = python(FILLS, TMPDIR=str(disk)).splitlines()
    assert before == "None"
    assert after.startswith(f"cannot write temporary files to {disk}: it is full; free space there")


def test_a_missing_folder_is_reported_in_a_line(tmp_path: Path) -> None:
    refused(tmp_path, tmp_path / "none", "No such file or directory")


def test_a_folder_that_cannot_be_written_is_reported_in_a_line(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    refused(tmp_path, file, "Not a directory")


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python makes its sockets in another folder then")
def test_a_folder_that_is_too_deep_for_a_socket_is_reported_in_a_line(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    refused(tmp_path, deep, "too long")
    assert not any(deep.iterdir())
