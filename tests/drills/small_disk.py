"""File systems of few bytes."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.oracles.beside import absent

__all__ = ["resized", "small_disk"]


@contextmanager
def small_disk(folder: Path, size: str, *, read_only: bool = False) -> Iterator[Path]:
    """Make a folder a file system of a size, such as 64k, in the block; skip the test where none can be mounted."""
    if _mounted(folder, f"size={size},{'ro' if read_only else 'rw'}").returncode:
        absent("no small disk can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def resized(folder: Path, size: str) -> None:
    """Give a small disk another size."""
    assert not _mounted(folder, f"remount,size={size}").returncode


def _mounted(folder: Path, options: str) -> subprocess.CompletedProcess[bytes]:
    command = ["mount", "-t", "tmpfs", "-o", options, "none", str(folder)]
    return subprocess.run(command, capture_output=True, check=False)
