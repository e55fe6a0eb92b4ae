"""D6: a full disk, a quota that is used up, a device that fails: an error in a line, and nothing half-written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.record.runs import kept_runs
from tests.drills.oracle import settled, undisturbed_run
from tests.drills.small_disk import resized, small_disk
from tests.pipeline.command_line import GRID, ROOT, orchard, parts, run_orchard

RUN = (*GRID, "tables.groups=1", "tables.count=8000", "chunk=200")
FAILS = """
import os
fsync, calls = os.fsync, []
def fail(file):
    calls.append(file)
    if len(calls) > {after}:
        raise OSError({number}, os.strerror({number}))
    return fsync(file)
os.fsync = fail
"""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return undisturbed_run(tmp_path_factory.mktemp("undisturbed"), *RUN)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    with small_disk(folder, "1m"):
        yield folder


def ends_with(status: int, words: str, cwd: Path, *arguments: str, **variables: str) -> str:
    """Run the command; it ends with the status and one line with the words, and leaves nothing unfinished."""
    done = orchard(*RUN, *arguments, cwd=cwd, **variables)
    assert done.returncode == status, done.stderr
    line = done.stderr.splitlines()[-1]
    assert line.startswith("orchard: cannot write to ")
    assert words in line
    assert "type the same command again; finished work is kept" in line or "output=" in line
    assert "Traceback" not in done.stderr
    assert list(cwd.rglob("*.tmp")) == []
    return line


@pytest.mark.long
def test_a_full_disk_keeps_whole_part_files_and_the_run_resumes_when_there_is_space(
    disk: Path, undisturbed: Path
) -> None:
    ends_with(3, "No space left on device", disk)
    kept = kept_runs(disk / "outputs")[-1]
    assert kept.scan().rejected == {}
    assert 0 < len(kept.scan().parts) < len(parts(undisturbed))
    ends_with(3, "No space left on device", disk)  # which claims nothing that is not there
    resized(disk, "64m")
    settled(RUN, disk, undisturbed)


@pytest.mark.long
def test_summaries_and_notes_are_whole_or_as_they_were(disk: Path) -> None:
    small = ("tables.count=40",)
    assert run_orchard(*RUN, *small, cwd=disk).returncode == 0
    files = [path for path in disk.rglob("*") if path.is_file() and path.name != "lock"]
    before = {path: path.read_bytes() for path in files}
    fill(disk)
    ends_with(3, "No space left on device", disk, *small)
    assert {path: path.read_bytes() for path in files} == before
    ends_with(3, "No space left on device", disk, "tables.count=41")  # another run, which cannot even begin
    (disk / "filler").unlink()
    assert run_orchard(*RUN, *small, cwd=disk).returncode == 0
    resized(disk, "2m")  # for the summaries of two runs
    assert run_orchard(*RUN, "tables.count=41", cwd=disk).returncode == 0
    for sessions in disk.rglob("sessions.jsonl"):
        for line in sessions.read_text().splitlines():
            assert json.loads(line)["outcome"] in {"complete", "failed"}


def fill(disk: Path) -> None:
    with (disk / "filler").open("wb", buffering=0) as filler:
        for size in (4096, 1):
            try:
                while filler.write(bytes(size)):
                    pass
            except OSError:
                continue


@pytest.mark.long
@pytest.mark.parametrize(("number", "after"), [(5, 3), (122, 0)], ids=["device", "quota"])
def test_a_device_that_fails_and_a_quota_that_is_used_up(
    tmp_path: Path, undisturbed: Path, number: int, after: int
) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/sitecustomize.py").write_text(FAILS.format(number=number, after=after))
    (tmp_path / "run").mkdir()
    ends_with(3, os.strerror(number), tmp_path / "run", PYTHONPATH=f"{tmp_path / 'broken'}{os.pathsep}{ROOT}")
    settled(RUN, tmp_path / "run", undisturbed)
