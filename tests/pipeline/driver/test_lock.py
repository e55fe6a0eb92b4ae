"""One driver at a time, whether the kernel keeps the lock or a file that is written again and again."""

from __future__ import annotations

import errno
import fcntl
import json
import logging
import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.driver import lock
from pipeline.driver.lock import Holder, held, holder
from pipeline.errors import ConfigError, OutputError, RunHeldError
from pipeline.summary.exact_json import parsed
from pipeline.work.dask_log import LOG_VARIABLE, RunLog
from tests.pipeline.command_line import until


@pytest.fixture
def without_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that knows no locks, and drivers that are soon taken for dead."""

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    monkeypatch.setattr(lock, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(lock, "STALE_SECONDS", 5.0)


def elsewhere(folder: Path, number: int = 1) -> Path:
    """The lock of a driver on another machine, which has just given a sign of life."""
    path = folder / "_run" / f"lock-{number:06}"
    path.parent.mkdir(parents=True, exist_ok=True)
    there = {"pid": 7, "host": "elsewhere", "since": "2026-01-01 00:00:00", "machine": "another", "started": "1"}
    path.write_text(json.dumps(there))
    return path


def locks(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "_run").iterdir() if path.name != "lock")


def test_the_holder_is_known_while_it_holds(tmp_path: Path) -> None:
    assert holder(tmp_path) is None
    with held(tmp_path):
        assert replace(holder(tmp_path) or Holder.me(), since="") == replace(Holder.me(), since="")
        assert holder(tmp_path) is not None
    assert holder(tmp_path) is None


def test_a_folder_that_is_moved_before_it_is_locked_is_not_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a third driver, which would find no lock, could compute the same run."""
    flock, folder = fcntl.flock, tmp_path / "run"

    def move_first(*arguments: int) -> None:
        if folder.exists():
            folder.rename(tmp_path / "trash")
        flock(*arguments)

    monkeypatch.setattr(fcntl, "flock", move_first)
    with pytest.raises(RunHeldError, match="was moved or deleted while this command started: run"), held(folder):
        pass


def test_an_old_lock_from_an_object_store_does_not_hide_the_holder(tmp_path: Path) -> None:
    os.utime(elsewhere(tmp_path), (0, 0))
    with held(tmp_path):
        assert holder(tmp_path) is not None
    assert holder(tmp_path) is None


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"file.*Not a directory.*output="), held(tmp_path / "file/run"):
        pass


@pytest.mark.parametrize("name", ["lock", "log.txt"])
def test_a_link_or_pipe_in_a_folder_of_others_is_not_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    victim, file = tmp_path / "victim", tmp_path / "_run" / name
    victim.write_text("mine\n")
    monkeypatch.setenv(LOG_VARIABLE, str(tmp_path / "_run/log.txt"))
    record = logging.LogRecord("distributed", logging.ERROR, "", 0, "a message", (), None)
    for make in (lambda: file.symlink_to(victim), lambda: os.mkfifo(file)):
        file.parent.mkdir(exist_ok=True)
        file.unlink(missing_ok=True)
        make()
        if name == "lock":
            with pytest.raises(ConfigError, match=f"cannot write to {file}: .*; make the folder"), held(tmp_path):
                pass
        else:
            RunLog().emit(record)
        assert victim.read_text() == "mine\n"


def test_one_who_looks_does_not_keep_a_driver_out(tmp_path: Path) -> None:
    with held(tmp_path):
        pass
    ended = threading.Event()

    def look() -> None:
        while not ended.is_set():
            holder(tmp_path)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        for _ in range(50):
            with held(tmp_path):
                pass
    finally:
        ended.set()
        looking.join()


@pytest.mark.usefixtures("without_locks")
def test_without_locks_a_second_driver_names_the_first_while_it_lives(tmp_path: Path) -> None:
    with held(tmp_path) as hold:
        assert locks(tmp_path) == ["lock-000001"]
        mine = tmp_path / "_run/lock-000001"
        os.utime(mine, (0, 0))
        until(lambda: mine.stat().st_mtime > 0)  # for the driver has given another sign of life
        with pytest.raises(RunHeldError, match=f"process {os.getpid()} on .* since 2"), held(tmp_path):
            pass
        assert holder(tmp_path) is not None
        hold.check()
    assert locks(tmp_path) == []
    assert holder(tmp_path) is None


@pytest.mark.usefixtures("without_locks")
def test_a_driver_elsewhere_that_says_nothing_any_more_is_succeeded(tmp_path: Path) -> None:
    elsewhere(tmp_path)
    with pytest.raises(RunHeldError, match="process 7 on elsewhere since 2026-01-01"), held(tmp_path):
        pass
    assert locks(tmp_path) == ["lock-000001"]
    os.utime(tmp_path / "_run/lock-000001", (0, 0))
    with held(tmp_path):
        assert locks(tmp_path) == ["lock-000002"]
    assert locks(tmp_path) == []


@pytest.mark.usefixtures("without_locks")
def test_a_process_of_this_machine_that_has_ended_is_succeeded_at_once(tmp_path: Path) -> None:
    if not Holder.me().machine:
        pytest.skip("processes of this machine cannot be told from those of others")
    mine = json.loads(Holder.me().text())
    elsewhere(tmp_path).write_text(json.dumps(mine | {"started": "1"}))  # the same number, another process
    with held(tmp_path):
        assert locks(tmp_path) == ["lock-000002"]


@pytest.mark.usefixtures("without_locks")
def test_a_driver_that_was_taken_for_dead_finds_it_and_does_no_more(tmp_path: Path) -> None:
    with held(tmp_path) as hold:
        successor = elsewhere(tmp_path, 2)
        until(lambda: hold.lost is not None)
        with pytest.raises(RunHeldError, match=r"another process, process 7 on elsewhere.*, has taken over"):
            hold.check()
    assert successor.exists()
    assert "lock-000002" in locks(tmp_path)


@pytest.mark.usefixtures("without_locks")
def test_a_lock_of_the_same_number_that_another_driver_holds_is_left_to_it(tmp_path: Path) -> None:
    with held(tmp_path) as hold:  # stopped for minutes, in which a successor ended and another driver began
        until(lambda: elsewhere(tmp_path, 1).exists() and hold.lost is not None, seconds=10)
        with pytest.raises(RunHeldError, match=r"another process, process 7 on elsewhere.*, has taken over"):
            hold.check()
    there = parsed(Holder, (tmp_path / "_run/lock-000001").read_bytes())
    assert there is not None
    assert there.host == "elsewhere"
    assert locks(tmp_path) == ["lock-000001"]


@pytest.mark.usefixtures("without_locks")
def test_a_lock_whose_content_is_damaged_is_kept_and_written_again(tmp_path: Path) -> None:
    with held(tmp_path) as hold:
        mine = tmp_path / "_run/lock-000001"
        mine.write_bytes(b"")
        until(lambda: mine.read_bytes() != b"")
        hold.check()
    assert locks(tmp_path) == []


@pytest.mark.usefixtures("without_locks")
def test_a_driver_whose_lock_cannot_be_kept_does_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with held(tmp_path) as hold:
        monkeypatch.setattr(lock, "STALE_SECONDS", 0.3)
        monkeypatch.setattr(lock, "write_atomically", fail)
        until(lambda: hold.lost is not None)
        with pytest.raises(OutputError, match=r"writing to .* has failed for .* seconds .*Input/output error"):
            hold.check()


@pytest.mark.usefixtures("without_locks")
def test_of_many_that_want_a_lock_at_once_one_has_it(tmp_path: Path) -> None:
    os.utime(elsewhere(tmp_path), (0, 0))
    together, everybody, winners, refused = threading.Barrier(8), threading.Barrier(8), [], []

    def want() -> None:
        together.wait()
        try:
            with held(tmp_path):
                winners.append(1)
                everybody.wait()
        except RunHeldError:
            refused.append(1)
            everybody.wait()

    threads = [threading.Thread(target=want) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(winners), len(refused)) == (1, 7)
