"""Files that are complete or absent, even if writing is interrupted."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from pipeline.errors import ConfigError, OutputError

if TYPE_CHECKING:
    import pyarrow as pa

NO_FOLDERS = {("/", "dev"), ("/", "proc"), ("/", "sys")}
SHARED_MEMORY = ("/", "dev", "shm")


def in_object_store(path: Path) -> bool:
    """Whether a path is an address in an object store, not on a file system."""
    return not isinstance(path, Path)


def check_new_file(option: str, path: Path) -> None:
    """Raise ConfigError if the path that a person gives for an option exists, or cannot be a new file.

    Replacing a device, pipe or link by a file would break it for all users, for example `/dev/null`. A name beside a
    device is probably a mistyped device.
    """
    kind = _other_kind(path)
    if kind or os.path.lexists(path):
        why = (
            f"is {kind}: expected a new file"
            if kind
            else "already exists, and no file is overwritten: give another path"
        )
        raise ConfigError(f"{option} {path} {why}")


def _other_kind(path: Path) -> str:
    """What a path is, if it is neither a file nor free for a new file; otherwise empty."""
    if len(path.parts) > 1 and path.parts[0].endswith(":"):
        return "an address"
    if (folder := path.parent.resolve()).parts[:2] in NO_FOLDERS and folder.parts[:3] != SHARED_MEMORY:
        return f"below {folder}, which has no ordinary files"
    with suppress(OSError):  # if it cannot be examined, writing reports the reason
        if path.is_symlink():
            return "a link"
        if path.is_dir():
            return "a folder"
        if path.exists() and not path.is_file():
            return "a device or a pipe"
    return ""


def write_changed(path: Path, content: bytes) -> Path:
    """As `write_atomically`; a file that already has this content is left unchanged."""
    with suppress(OSError):
        if (in_object_store(path) or path.is_file()) and path.read_bytes() == content:
            return path
    return write_atomically(path, content)


def write_atomically(path: Path, content: bytes | pa.Buffer) -> Path:
    """Write a file so that a reader sees the old or the new content; the new content is durable when this returns.

    In a folder, which is created if needed, the file is written under a hidden name that readers of Parquet folders
    ignore, and renamed. In an object store the object appears when its last byte has arrived, or not at all. Raises
    OSError, or the store library's error, with nothing left behind.
    """
    if in_object_store(path):
        store: Any = path
        store.fs.pipe_file(store.path, bytes(content))
        return path
    with written_whole(path) as file:
        file.write(content)
    return path


@contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """A file to write in the block; it appears under its name when the block has ended, or not at all.

    Raises OSError, or the block's error, with nothing left behind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}-{time.monotonic_ns()}.tmp")
    try:
        with unfinished.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException as error:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        if isinstance(error, OSError) and str(error.filename) == str(unfinished):
            error.filename = str(path)  # the name that people know
            del error.filename2
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextmanager
def new_file(path: Path, what: str) -> Iterator[IO[bytes]]:
    """`written_whole` for a person's file; OutputError names its content and path if it cannot be written."""
    try:
        with written_whole(path) as file:
            yield file
    except OSError as error:
        raise OutputError(
            f"cannot write {what} to {path}: {error.strerror or error}; choose a file in a folder that you can write to"
        ) from error


def regular(path: str, flags: int) -> int:
    """Open a regular file, for `open(…, opener=regular)` in a folder that others may have made.

    A symbolic link is not followed and a pipe is not waited for: both raise OSError.
    """
    descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is a pipe or a device, not a file", path)
    return descriptor
