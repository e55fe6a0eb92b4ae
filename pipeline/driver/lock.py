"""One driver at a time in a run's folder.

On a file system the lock is the kernel's (`flock`), which is free once its process ends. In an object store, and on a
file system without locks, it is a small file `lock-<n>` that its holder rewrites regularly. The highest number holds
the lock. A driver that finds it too old, by the clock of the store, takes over by making the next number. Only one
driver can make it. The former holder notices at its next heartbeat.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from pipeline.errors import RESUME_HINT, ConfigError, OrchardError, OutputError, RunHeldError
from pipeline.storage.atomic import in_object_store, regular, write_atomically
from pipeline.storage.locations import contents, create, endless, listed, modified, storage_errors
from pipeline.summary.exact_json import parsed

HEARTBEAT_SECONDS = 15.0  # between two heartbeats
STALE_SECONDS = 60.0  # without a heartbeat, after which a driver counts as dead
LOOKS, LOOK_SECONDS = 4, 0.05
NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL}
NAME = re.compile(r"lock-(\d{6,})")


@dataclass(frozen=True)
class Holder:
    """The driver that a lock names; `machine` and `started` distinguish its process from any with the same number."""

    pid: int
    host: str
    since: str
    machine: str
    started: str

    @staticmethod
    def me() -> Holder:
        """The holder for this process."""
        since = time.strftime("%Y-%m-%d %H:%M:%S")
        return Holder(os.getpid(), socket.gethostname(), since, _machine(), _started(os.getpid()))

    def text(self) -> bytes:
        """The content of a lock."""
        return json.dumps(asdict(self)).encode()

    def is_gone(self) -> bool:
        """Whether it is known to have ended: it was a process of this machine that no longer exists."""
        return bool(self.machine) and self.machine == _machine() and _started(self.pid) != self.started

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host} since {self.since}"


class Hold:
    """A held lock, until `check` raises."""

    lost: OrchardError | None = None
    """Why the lock was lost."""

    def check(self) -> None:
        """Raise RunHeldError if another process has taken over, OutputError if the lock cannot be kept.

        Call this before any action that could harm another driver.
        """
        if self.lost:
            raise self.lost


@contextmanager
def held(folder: Path) -> Iterator[Hold]:
    """Hold a run's folder against other drivers, during the block.

    Raises RunHeldError: another driver holds the folder.
    Raises ConfigError: the folder cannot be written to.
    """
    record_folder, me = folder / "_run", Holder.me().text()
    if not in_object_store(folder):
        with _opened(record_folder / "lock") as file:
            if _locked(file, folder):
                if not _in_place(file, record_folder / "lock"):
                    raise RunHeldError(
                        f"{folder} was moved or deleted while this command started: run the same command again"
                    )
                os.ftruncate(file.fileno(), 0)
                os.pwrite(file.fileno(), me, 0)
                yield Hold()
                return
    number = _claimed(folder, record_folder, me)
    hold, ended = Hold(), threading.Event()
    sender = threading.Thread(
        target=_send_heartbeats, args=(hold, record_folder, number, me, ended), daemon=True, name="lock"
    )
    sender.start()
    try:
        yield hold
    finally:
        ended.set()
        sender.join()
        with suppress(*storage_errors()):
            if not hold.lost and _is_ours(record_folder, number, me):
                _path(record_folder, number).unlink()


def holder(folder: Path) -> Holder | None:
    """The driver that holds a run's folder now, or None."""
    record_folder = folder / "_run"
    number = max(_numbers(record_folder), default=0)
    with suppress(*storage_errors()):
        heartbeat = _heartbeat(record_folder, number) if number else None
        if heartbeat and not heartbeat.is_old(record_folder):
            return heartbeat.holder
        if in_object_store(folder) or endless(record_folder / "lock"):
            return None
        with (record_folder / "lock").open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return parsed(Holder, file.read())
    return None


def _opened(path: Path) -> IO[bytes]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return open(path, "a+b", opener=regular)
    except OSError as error:
        raise ConfigError(
            f"cannot write to {error.filename or path}: {error.strerror}; make the folder writable, or run the grid "
            "with another output=…"
        ) from error


def _in_place(file: IO[bytes], path: Path) -> bool:
    """Whether an open file still has its path: `trash` may have moved the folder before the file was locked."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    return False


def _locked(file: IO[bytes], folder: Path) -> bool:
    """Try to take the kernel's lock; False if the file system has no locks."""
    try:
        for _ in range(LOOKS):  # `holder` may be looking
            with suppress(BlockingIOError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            time.sleep(LOOK_SECONDS)
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        who = parsed(Holder, os.pread(file.fileno(), 1000, 0)) or "which has left no record of itself"
        raise RunHeldError(
            f"{folder} is in use by another process, {who}: wait until that process ends, or stop it and run the same "
            "command again"
        ) from error
    except OSError as error:
        if error.errno in NO_LOCKS:
            return False
        raise
    return True


@dataclass(frozen=True)
class _Heartbeat:
    """The heartbeat in a lock file: its driver, and when it was written, by the clock of the store."""

    holder: Holder | None
    written: float

    def seconds(self, record_folder: Path) -> float:
        """Its age in seconds, by the same clock."""
        probe = record_folder / f"clock-{socket.gethostname()}-{os.getpid()}-{time.monotonic_ns()}"
        try:
            write_atomically(probe, b"")
            return modified(probe) - self.written
        finally:
            with suppress(*storage_errors()):
                probe.unlink()

    def is_old(self, record_folder: Path) -> bool:
        """Whether its driver counts as dead."""
        return bool(self.holder and self.holder.is_gone()) or self.seconds(record_folder) > STALE_SECONDS


def _claimed(folder: Path, record_folder: Path, me: bytes) -> int:
    """Take over the lock; returns its number."""
    try:
        numbers = _numbers(record_folder)
        last = max(numbers, default=0)
        heartbeat = _heartbeat(record_folder, last)
        if heartbeat and not heartbeat.is_old(record_folder):
            raise _refusal(folder, heartbeat)
        ours = last + 1
        try:
            create(_path(record_folder, ours), me)
        except FileExistsError:
            raise _refusal(folder, _heartbeat(record_folder, ours)) from None
        later = _heartbeat(record_folder, last)
        newest = max(_numbers(record_folder), default=0)
        if newest > ours or (later and later != heartbeat):  # it was not dead, or another driver was faster
            _path(record_folder, ours).unlink()
            raise _refusal(folder, later or _heartbeat(record_folder, ours + 1))
        for number in numbers:
            with suppress(FileNotFoundError):
                _path(record_folder, number).unlink()
    except storage_errors() as error:
        why = " ".join(str(error).split())
        msg = f"cannot write to {folder}: {why}; check that the address, the bucket and your credentials are right, or "
        msg += "set output=… to another address"
        raise OutputError(msg) from error
    return ours


def _refusal(folder: Path, heartbeat: _Heartbeat | None) -> RunHeldError:
    who = heartbeat.holder if heartbeat and heartbeat.holder else "which has just begun"
    return RunHeldError(
        f"{folder} is in use by another process, {who}: wait until that process ends, or stop it and run the same "
        f"command again. A process that has died keeps the folder in use for up to {STALE_SECONDS:.0f} seconds"
    )


def _send_heartbeats(hold: Hold, record_folder: Path, ours: int, me: bytes, ended: threading.Event) -> None:
    """Send heartbeats until the end, or until the lock is lost."""
    sent = time.monotonic()
    while not ended.wait(HEARTBEAT_SECONDS):
        try:
            numbers = _numbers(record_folder)
            if max(numbers, default=0) > ours or not _is_ours(record_folder, ours, me):
                successor = _heartbeat(record_folder, max(numbers, default=0))
                who = successor.holder if successor else "which has ended since"
                hold.lost = RunHeldError(
                    f"another process, {who}, has taken over {record_folder.parent}; {RESUME_HINT}"
                )
                return
            write_atomically(_path(record_folder, ours), me)
            sent = time.monotonic()
        except storage_errors() as error:
            silent = time.monotonic() - sent
            if silent > STALE_SECONDS - HEARTBEAT_SECONDS:
                msg = f"writing to {record_folder.parent} has failed for {silent:.0f} seconds ({error}); {RESUME_HINT}"
                hold.lost = OutputError(msg)
                return


def _is_ours(record_folder: Path, number: int, me: bytes) -> bool:
    """Whether a lock exists and names no other driver: numbers begin with 1 again when a successor has ended."""
    heartbeat = _heartbeat(record_folder, number)
    return heartbeat is not None and (heartbeat.holder is None or heartbeat.holder.text() == me)


def _path(record_folder: Path, number: int) -> Path:
    return record_folder / f"lock-{number:06}"


def _numbers(record_folder: Path) -> list[int]:
    return [int(match[1]) for match in map(NAME.fullmatch, listed(record_folder)) if match]


def _heartbeat(record_folder: Path, number: int) -> _Heartbeat | None:
    """The heartbeat with a number; None if it is gone."""
    path = _path(record_folder, number)
    try:
        return _Heartbeat(parsed(Holder, contents(path)), modified(path)) if number else None
    except FileNotFoundError:
        return None


def _machine() -> str:
    """Identifies this machine since its start, and its view of processes; empty if unknown."""
    try:
        return f"{Path('/proc/sys/kernel/random/boot_id').read_text().strip()} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""


def _started(pid: int) -> str:
    """The start of a process by the kernel's count; empty if there is no such process, or it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in "ZX" else fields[19]
