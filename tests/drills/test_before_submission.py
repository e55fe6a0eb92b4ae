"""D15: what makes a run impossible is reported in a line before any submission; and signals before and after."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.drills.small_disk import small_disk
from tests.pipeline.command_line import GRID, ended, orchard, run_orchard, sessions, started, until

SMALL = (*GRID, "tables.groups=1", "tables.count=20")
NO_ADDRESS = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A file system that nobody may write to, root neither."""
    (tmp_path / "disk").mkdir()
    with small_disk(tmp_path / "disk", "64k", read_only=True) as folder:
        yield folder


@pytest.mark.parametrize(("below", "more"), [("", ()), ("a/b/c", ()), ("", ("dry_run=true",))])
def test_an_output_that_cannot_be_written(read_only: Path, tmp_path: Path, below: str, more: tuple[str, ...]) -> None:
    done = run_orchard(*SMALL, f"output={read_only / below}", *more, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"orchard: `output` is {read_only / below}, but {read_only} is not writable: ")
    assert [path.name for path in tmp_path.iterdir()] == ["disk"]


def test_a_data_set_that_is_not_there(tmp_path: Path) -> None:
    done = run_orchard("+grid=uci_exact", "source=./nothing.csv", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "nothing.csv" in line
    assert list(tmp_path.iterdir()) == []


def test_no_network(tmp_path: Path) -> None:
    arguments = ("+grid=uci_exact", "source=[uci/zoo]")
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "ORCHARD_DATA": ""}
    done = orchard(*arguments, cwd=tmp_path, **cache, **NO_ADDRESS)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("orchard: 'uci/zoo' is missing: ")
    assert "python -m pipeline.fetch uci/zoo" in line
    assert not (tmp_path / "outputs").exists()


def test_a_signal_while_data_are_prepared_is_a_line(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("a,class\nx,1\ny,2\n")
    for number in (signal.SIGINT, signal.SIGTERM):
        with started("+grid=compare_builders", "source=./mine.csv", "builders=[c45]", cwd=tmp_path) as process:
            until(
                lambda process=process: bool(children(process.pid)), process
            )  # the fork server: what follows prepares
            os.kill(process.pid, number)
            status, errors = ended(process)
        assert status == 128 + number, errors
        assert "Traceback" not in errors
        assert errors.splitlines()[-1].startswith("orchard: stopped; finished work is kept")


def children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


@pytest.mark.long
def test_a_signal_while_the_summary_is_written_is_a_line_and_leaves_no_half_of_it(tmp_path: Path) -> None:
    assert run_orchard(*SMALL, cwd=tmp_path).returncode == 0
    shutil.rmtree(tmp_path / "outputs/summaries")
    for number in (signal.SIGINT, signal.SIGTERM):
        with started(*SMALL, cwd=tmp_path) as process:
            until((tmp_path / "outputs/summaries").exists, process)
            os.kill(process.pid, number)
            status, errors = ended(process)
        assert status in {128 + number, 0}  # it may have been the last moment
        assert "Traceback" not in errors
        assert list((tmp_path / "outputs/summaries").rglob(".*")) == []
        shutil.rmtree(tmp_path / "outputs/summaries")
    began = time.monotonic()
    assert run_orchard(*SMALL, cwd=tmp_path).returncode == 0
    assert time.monotonic() - began < 60
    assert len(sessions(tmp_path / "outputs")) == 1
