"""A file system whose listing lags behind what has been written (D16), and writers of one and the same part."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.storage.parts import publish, scan
from tests.drills.oracle import settled
from tests.pipeline.command_line import GRID, ROOT, orchard, parts, run_orchard, sessions
from tests.pipeline.small_grids import grid

RUN = (*GRID, "tables.groups=1", "tables.count=200", "chunk=20")
LATE = """
import os, time
listdir = os.listdir
def late(path="."):
    def old(name):
        try:
            return time.time() - os.stat(os.path.join(path, name)).st_mtime > 3
        except OSError:
            return True
    return [name for name in listdir(path) if not str(name).endswith(".parquet") or old(name)]
os.listdir = late
"""
WRITER = """
from pathlib import Path
from sys import argv
from pipeline.storage.parts import publish
from tests.pipeline.small_grids import grid
rows = grid().work(0, 200)["results"]
for _ in range(60):
    publish(rows, Path(argv[1]), "0123456789ab", 0, 200)
"""


@pytest.mark.long
def test_parts_that_are_listed_late_are_waited_for_and_not_made_again(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (tmp_path / "late").mkdir()
    (tmp_path / "late/sitecustomize.py").write_text(LATE)
    (tmp_path / "run").mkdir()
    done = orchard(*RUN, cwd=tmp_path / "run", PYTHONPATH=f"{tmp_path / 'late'}{os.pathsep}{ROOT}")
    assert done.returncode == 0, done.stderr
    assert "does not show them yet: waiting for the file system" in done.stderr
    assert "computed again" not in done.stderr
    assert [session["items"] for session in sessions(tmp_path / "run/outputs")] == [
        200
    ]  # one session, which computed each item once
    assert len(parts(tmp_path / "run/outputs")) == 10
    elsewhere = tmp_path_factory.mktemp("undisturbed")
    assert run_orchard(*RUN, cwd=elsewhere).returncode == 0
    settled(RUN, tmp_path / "run", elsewhere / "outputs")


def test_a_part_that_is_written_over_itself_is_whole_whenever_it_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    first = publish(grid().work(0, 200)["results"], folder, "0123456789ab", 0, 200)
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(folder)], env=os.environ | {"PYTHONPATH": str(ROOT)})
        for _ in range(2)
    ]
    looks = 0
    while any(writer.poll() is None for writer in writers):
        result = scan(folder, "0123456789ab", grid().cells_per_item)
        assert (result.parts, result.rejected) == ((first,), {})
        looks += 1
    assert [writer.returncode for writer in writers] == [0, 0]
    assert looks > 5
    assert [path.name for path in folder.iterdir()] == [first.path.name]
