"""Temporary files: one folder for each process, removed at its end, or by a later process if it was killed.

The folder is below TMPDIR, and only its owner can enter it. Dask, multiprocessing and `tempfile` put their files into
it, so that removing it removes all of them. A lock file inside is locked while the process lives; the kernel frees the
lock however the process ends. A folder with a free lock has been left behind.
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

PREFIX = ".orchard-"  # short: the path of a socket in this folder may have about 100 characters
NAME = re.compile(re.escape(PREFIX) + "[a-z0-9_]{8}")
LOCK = "orchard.lock"
LEAST_SPACE = 256 << 10  # bytes that must be free
FULL = {errno.ENOSPC, errno.EDQUOT}


class _Scratch:
    """The folder of this process.

    lock    : descriptor of its lock file
    process : the id of the process that made it, which a fork does not have
    given   : TMPDIR before
    """

    folder: Path | None = None
    lock = -1
    process = 0
    given: str | None = None


def scratch() -> Path:
    """Return the folder for temporary files of this process, creating it at the first call.

    The first call also removes folders of killed processes of the same user in the same location. From then on
    `tempfile` and child processes use the folder, by TMPDIR.

    Raises ConfigError: TMPDIR is not a writable folder, or is full.
    """
    if _Scratch.folder is None or _Scratch.process != os.getpid():
        # after multiprocessing's own cleanup, and never in a fork
        from multiprocessing.util import Finalize

        given = os.environ.get("TMPDIR")
        try:
            folder, lock = _new_folder(Path(given or tempfile.gettempdir()).absolute())
        except OSError as error:
            raise ConfigError(_unusable(given or error.filename, error)) from error
        _Scratch.folder, _Scratch.lock, _Scratch.process, _Scratch.given = folder, lock, os.getpid(), given
        Finalize(None, remove_scratch, exitpriority=-1000)
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
        try:
            check_space()
        except OutputError as error:
            raise ConfigError(str(error)) from error
    return _Scratch.folder


@contextmanager
def own_folder(parent: Path) -> Iterator[Path]:
    """A folder like that of `scratch`, in another location and during the block."""
    folder, lock = _new_folder(parent)
    try:
        yield folder
    finally:
        os.close(lock)
        _remove_if_abandoned(folder)


def check_space() -> None:
    """Raise OutputError if the folder for temporary files is full."""
    folder = _Scratch.folder
    if folder is None:
        return
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(LEAST_SPACE))
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
        _remove_if_abandoned(folder)


def remote_environment() -> dict[str, str]:
    """The environment for programs on other machines, which do not have this process's folder."""
    result = dict(os.environ)
    if _Scratch.folder is not None:
        result.pop("TMPDIR", None)  # a plugin may have removed it
        if _Scratch.given is not None:
            result["TMPDIR"] = _Scratch.given
    return result


def _unusable(folder: object, error: OSError) -> str:
    why = "it is full" if error.errno in FULL else error.strerror or str(error)
    return (
        f"cannot write temporary files to {folder}: {why}; free space there, or set TMPDIR to an existing folder that "
        "you can write to and that has a megabyte free"
    )


def _new_folder(parent: Path) -> tuple[Path, int]:
    """A new folder and the descriptor that holds its lock; abandoned folders beside it are removed."""
    with os.scandir(parent) as entries:
        names = [entry.name for entry in entries if NAME.fullmatch(entry.name)]
    for name in names:
        _remove_if_abandoned(parent / name)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        with suppress(OSError):  # a file system without locks: nobody can clean up there
            fcntl.flock(lock, fcntl.LOCK_EX)
        with suppress(FileNotFoundError):
            if os.path.samestat((folder / LOCK).stat(), os.fstat(lock)):
                return folder, lock
        os.close(lock)  # another process removed the folder before it was locked


def _remove_if_abandoned(folder: Path) -> None:
    """Remove a folder of this user that no process holds; symbolic links are not followed."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            if os.fstat(descriptor).st_uid == os.geteuid():
                _empty(descriptor)
                folder.rmdir()
        finally:
            os.close(descriptor)


def _empty(folder: int) -> None:
    """Remove the content of a folder, given its descriptor, its lock last; OSError if a process holds the lock."""
    lock = os.open(LOCK, os.O_RDWR | os.O_NOFOLLOW, dir_fd=folder)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for name in os.listdir(folder):
            if S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                shutil.rmtree(name, dir_fd=folder)
            elif name != LOCK:
                os.unlink(name, dir_fd=folder)
        os.unlink(LOCK, dir_fd=folder)
    finally:
        os.close(lock)
