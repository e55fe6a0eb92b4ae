"""Files that are whole or not there, whatever happens while they are written."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["write_atomically"]


def write_atomically(path: Path, content: bytes | pa.Buffer) -> Path:
    """Write a file by way of a hidden neighbour, on the disk when this returns; its folder is made.

    A reader meets the old content or the new. Readers of Parquet folders pass over the neighbour's name. Raises OSError
    with nothing left behind.
    """
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
