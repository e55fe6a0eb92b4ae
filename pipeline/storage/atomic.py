"""Files that are whole or not there, whatever happens while they are written."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["in_object_store", "write_atomically"]


def in_object_store(path: Path) -> bool:
    """Whether a path is an address in an object store rather than of a file system."""
    return not isinstance(path, Path)


def write_atomically(path: Path, content: bytes | pa.Buffer) -> Path:
    """Write a file so that a reader meets the old content or the new, which is kept when this returns.

    In a folder, which is made, by way of a hidden neighbour whose name readers of Parquet folders pass over. In an
    object store by putting the object, which is there when its last byte has come, or not at all. Raises OSError, or
    what the store's library has in its place, with nothing left behind.
    """
    if in_object_store(path):
        store: Any = path
        store.fs.pipe_file(store.path, bytes(content))
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}-{time.monotonic_ns()}.tmp")
    try:
        with unfinished.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return path
