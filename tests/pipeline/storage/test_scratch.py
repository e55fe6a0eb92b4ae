"""Folders for temporary files: what killed processes left is removed, and nothing else is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from pipeline.cluster.local import LocalProcesses, LocalThreads
from pipeline.storage.scratch import LOCK, NAME, own_folder, scratch
from tests.oracles.beside import absent
from tests.pipeline.command_line import environment

HOLDS = """
import sys, tempfile, time
from pathlib import Path
from pipeline.storage.scratch import scratch
folder = scratch()
(folder / "deep" / "er").mkdir(parents=True)
(folder / "deep" / "er" / "file").write_text("x")
tempfile.mkdtemp()
print(folder, flush=True)
sys.stdin.read()
"""
SETS = """
import os, tempfile
from pipeline.storage.scratch import remote_environment, scratch
folder = str(scratch())
assert os.environ["TMPDIR"] == tempfile.gettempdir() == folder
assert remote_environment().get("TMPDIR") != folder
"""
TAKES_TURNS = """
import sys
from pathlib import Path
from pipeline.storage.scratch import own_folder
for _ in range(150):
    with own_folder(Path(sys.argv[1])) as folder:
        (folder / "file").write_text("x")
        assert (folder / "file").read_text() == "x"
"""


@contextmanager
def holder(location: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A process that holds its folder until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS],
        env=environment(TMPDIR=str(location)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield process, Path(process.stdout.readline().strip())
    finally:
        process.kill()
        process.communicate()


def left_behind(location: Path) -> Path:
    """The folder of a process that was killed."""
    with holder(location) as (process, folder):
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert (folder / "deep" / "er" / "file").exists()
    return folder


def test_a_process_removes_its_folder_and_all_that_tempfile_put_there(tmp_path: Path) -> None:
    with holder(tmp_path) as (process, folder):
        assert NAME.fullmatch(folder.name)
        assert folder.parent == tmp_path
        assert folder.stat().st_mode & 0o777 == 0o700
        assert len(list(folder.iterdir())) == 3
        process.communicate("")
        assert process.returncode == 0
    assert not any(tmp_path.iterdir())


def test_files_of_a_killed_process_are_removed_and_those_of_a_living_one_are_not(tmp_path: Path) -> None:
    left = left_behind(tmp_path)
    with holder(tmp_path) as (_, living), own_folder(tmp_path) as ours:
        assert not left.exists()
        assert (living / "deep" / "er" / "file").exists()
        assert ours.is_dir()


def test_other_folders_and_what_links_lead_to_are_left_alone(tmp_path: Path) -> None:
    mine, location, linked = tmp_path / "mine", tmp_path / "place", tmp_path / "linked"
    mine.mkdir()
    (mine / LOCK).touch()
    (mine / "file").touch()
    location.mkdir()
    (location / ".orchard-notalock").mkdir()  # a name like ours, but nothing of ours in it
    (location / ".orchard-of_mine1").mkdir()
    (location / ".orchard-of_mine1" / "file").touch()
    (location / ".orchard-").mkdir()
    (location / "orchard-results").mkdir()
    (location / ".orchard-symlink_").symlink_to(mine)
    left = left_behind(location)
    linked.mkdir()
    (linked / "file").touch()
    (left / "link").symlink_to(linked)
    before = sorted(path.name for path in location.iterdir() if path != left)
    with own_folder(location):
        pass
    assert sorted(path.name for path in location.iterdir()) == before
    assert (mine / "file").exists()
    assert (linked / "file").exists()
    assert (location / ".orchard-of_mine1" / "file").exists()


def test_folders_of_another_user_are_left_alone(tmp_path: Path) -> None:
    if os.getuid() != 0:
        absent("only root can give a folder away")
    left = left_behind(tmp_path)
    os.chown(left, 65534, 65534)
    with own_folder(tmp_path):
        pass
    assert (left / "deep" / "er" / "file").exists()


def test_many_processes_make_and_sweep_at_once(tmp_path: Path) -> None:
    """None loses its own folder, not even before its lock is taken."""
    for _ in range(3):
        left_behind(tmp_path)
    with ExitStack() as stack:
        racing = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", TAKES_TURNS, str(tmp_path)],
                    env=environment(),
                    stderr=subprocess.PIPE,
                    text=True,
                )
            )
            for _ in range(4)
        ]
        for process in racing:
            _, errors = process.communicate(timeout=120)
            assert process.returncode == 0, errors
    assert not any(tmp_path.iterdir())


def test_children_here_use_it_and_programs_that_lead_elsewhere_do_not() -> None:
    """In a fresh process, because only its first call sets TMPDIR."""
    subprocess.run([sys.executable, "-c", SETS], env=environment(), check=True)


@pytest.mark.parametrize("cluster", [LocalThreads(1, dashboard=False), LocalProcesses(1)])
def test_dask_puts_no_folder_of_others_on_the_path_of_modules(
    tmp_path: Path, cluster: LocalThreads | LocalProcesses
) -> None:
    """Who makes `dask-scratch-space` in TMPDIR first could else have a run import modules from there."""
    with cluster.opened(tmp_path, ()) as workers:
        paths = [*sys.path, *workers.client.submit(eval, "__import__('sys').path").result()]
    of_dask = [Path(path) for path in paths if "dask" in Path(path).name or "dask" in Path(path).parent.name]
    of_dask = [path for path in of_dask if "site-packages" not in path.parts]
    assert of_dask
    assert all(path.is_relative_to(scratch()) for path in of_dask)
