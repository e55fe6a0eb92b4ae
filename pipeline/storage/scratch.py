"""Temporary files: one folder for each process, removed when it ends, and swept by a later process if it was killed.

The folder is below TMPDIR; only its owner can enter it. Dask, multiprocessing and `tempfile` put their files into it,
so that removing it removes all of them. A lock file inside is locked as long as the process lives; the kernel frees the
lock however the process ends. A folder whose lock is free has been left behind.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISDIR

from pipeline.errors import ConfigError, OutputError

__all__ = ["check_room", "environment_elsewhere", "own_folder", "remove_scratch", "scratch"]

PREFIX = ".orchard-"  # short: the path of a socket in this folder may have about 100 characters
NAME = re.compile(re.escape(PREFIX) + "[a-z0-9_]{8}")
LOCK = "orchard.lock"
ROOM = 256 << 10  # bytes that must be free at the start
FULL = {errno.ENOSPC, errno.EDQUOT}


class _Scratch:
    """The folder of this process; `process` is the number of the process that made it."""

    folder: Path | None = None
    lock = -1
    process = 0
    given: str | None = None


def scratch() -> Path:
    """Return the folder for temporary files of this process, and make it at the first call.

    The first call also removes the folders that killed processes of the same user left in the same place. From then on
    `tempfile` uses the folder, and so do child processes, by their environment's TMPDIR.

    Raises
    ------
    ConfigError
        TMPDIR names no folder that can be written, or one that is full.
    """
    if _Scratch.folder is None or _Scratch.process != os.getpid():
        # after what multiprocessing itself removes at the end, and never in a fork
        from multiprocessing.util import Finalize

        given = os.environ.get("TMPDIR")
        try:
            folder, lock = _made(Path(given or tempfile.gettempdir()).absolute())
        except OSError as error:
            raise ConfigError(_unusable(given or error.filename, error)) from error
        _Scratch.folder, _Scratch.lock, _Scratch.process, _Scratch.given = folder, lock, os.getpid(), given
        Finalize(None, remove_scratch, exitpriority=-1000)
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
        try:
            check_room()
        except OutputError as error:
            raise ConfigError(str(error)) from error
    return _Scratch.folder


@contextmanager
def own_folder(parent: Path) -> Iterator[Path]:
    """A folder like that of `scratch`, in another place and for the time of the block."""
    folder, lock = _made(parent)
    try:
        yield folder
    finally:
        os.close(lock)
        _remove_if_left(folder)


def check_room() -> None:
    """Raise OutputError where the folder for temporary files is full."""
    folder = _Scratch.folder
    if folder is None:
        return
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(ROOM))
            probe.flush()
    except OSError as error:
        raise OutputError(_unusable(folder.parent, error)) from error


def remove_scratch() -> None:
    """Remove the folder of this process, if it has one."""
    if _Scratch.folder is not None and _Scratch.process == os.getpid():
        folder, _Scratch.folder = _Scratch.folder, None
        os.close(_Scratch.lock)
        tempfile.tempdir = None
        if _Scratch.given is None:
            os.environ.pop("TMPDIR", None)
        else:
            os.environ["TMPDIR"] = _Scratch.given
        _remove_if_left(folder)


def environment_elsewhere() -> dict[str, str]:
    """The environment for programs that hand it on to other machines, where the folder of this process is not."""
    found = dict(os.environ)
    if _Scratch.folder is not None:
        found.pop("TMPDIR", None)  # which code of others may have taken out
        if _Scratch.given is not None:
            found["TMPDIR"] = _Scratch.given
    return found


def _unusable(place: object, error: OSError) -> str:
    why = "it is full" if error.errno in FULL else error.strerror or str(error)
    return (
        f"cannot write temporary files to {place}: {why}; make room there, or set TMPDIR to a folder that exists, is "
        "yours to write and has a megabyte free"
    )


def _made(parent: Path) -> tuple[Path, int]:
    """A new folder and the descriptor that holds its lock; folders that were left beside it are removed."""
    with os.scandir(parent) as entries:
        names = [entry.name for entry in entries if NAME.fullmatch(entry.name)]
    for name in names:
        _remove_if_left(parent / name)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        with suppress(OSError):  # a file system without locks: nobody can sweep there
            fcntl.flock(lock, fcntl.LOCK_EX)
        with suppress(FileNotFoundError):
            if os.path.samestat((folder / LOCK).stat(), os.fstat(lock)):
                return folder, lock
        os.close(lock)  # another process swept the folder before it was locked


def _remove_if_left(folder: Path) -> None:
    """Remove a folder of this user's that no process holds; follow no symbolic link."""
    with suppress(OSError):
        place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            if os.fstat(place).st_uid == os.geteuid():
                _empty(place)
                folder.rmdir()
        finally:
            os.close(place)


def _empty(place: int) -> None:
    """Remove all that is in an open folder, its lock last; OSError where another process holds the lock."""
    lock = os.open(LOCK, os.O_RDWR | os.O_NOFOLLOW, dir_fd=place)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for name in os.listdir(place):
            if S_ISDIR(os.stat(name, dir_fd=place, follow_symlinks=False).st_mode):
                shutil.rmtree(name, dir_fd=place)
            elif name != LOCK:
                os.unlink(name, dir_fd=place)
        os.unlink(LOCK, dir_fd=place)
    finally:
        os.close(lock)
