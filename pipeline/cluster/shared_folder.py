"""Whether a worker shares the run's folder with this process: each reads a file there that the other has written.

A worker may have a folder of the same name that is its own; what it published there would be lost.
"""

from __future__ import annotations

import asyncio
import socket
import time
import uuid
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from pipeline.storage.atomic import in_object_store, write_atomically
from pipeline.storage.places import matching, storage_errors

__all__ = ["SharedFolder"]

LOOK_SECONDS = 0.3  # between looks for a file
SIGHT_SECONDS = 10.0  # that a file may take from one machine to another
SHARE = (
    "name a folder with output=… that all machines of the cluster and this one have under one name, or an address such "
    "as s3://bucket/prefix"
)
KEYS = "give the workers, too, the store's keys and endpoint, in their environment or in its files"


class SharedFolder:
    """A run's folder that workers are to share, for the time of a `with` block."""

    def __init__(self, folder: Path) -> None:
        self._notes, self._token = folder / "_run", uuid.uuid4().hex

    @property
    def resource(self) -> str:
        """The name of the Dask resource of workers that share it, which those of other runs are not asked for."""
        return f"orchard-folder-{self._token}"

    @property
    def mend(self) -> str:
        """What to do where a worker does not share it."""
        return KEYS if in_object_store(self._notes) else SHARE

    def __enter__(self) -> SharedFolder:
        write_atomically(self._notes / f"probe-{self._token}", self._token.encode())
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(*storage_errors()):
            for path in matching(self._notes, f"probe-{self._token}*"):
                path.unlink(missing_ok=True)

    async def objection(self, ask: Callable[..., Awaitable[Any]]) -> str:
        """What a worker says or shows against its sharing the folder; nothing where it does.

        ask : has the worker call a function with arguments, and returns what it answers
        """
        driver, mine = socket.gethostname(), f"probe-{self._token}-{uuid.uuid4().hex}"
        host, wrong = await ask(_see, self._notes, f"probe-{self._token}", mine, driver)
        if not wrong and not await asyncio.to_thread(_appears, self._notes / mine):
            wrong = f"writes to a {self._notes.parent} that {driver} does not see"
        return f"on {host} it {wrong}" if wrong else ""


async def _see(notes: Path, theirs: str, mine: str, driver: str) -> tuple[str, str]:
    """On a worker: read what the driver wrote, then write what the driver shall read; its host, and what is wrong."""
    return await asyncio.to_thread(_seen, notes, theirs, mine, driver)


def _seen(notes: Path, theirs: str, mine: str, driver: str) -> tuple[str, str]:
    host = socket.gethostname()
    try:
        if not _appears(notes / theirs):
            return host, f"does not see in {notes.parent} what {driver} writes there"
        write_atomically(notes / mine, mine.encode())
    except storage_errors() as error:
        return host, f"cannot write to {notes.parent} ({getattr(error, 'strerror', None) or error})"
    return host, ""


def _appears(path: Path) -> bool:
    """Whether a file of the probe comes up in time, with its content."""
    deadline = time.monotonic() + SIGHT_SECONDS
    while True:
        with suppress(FileNotFoundError):
            if (content := path.read_bytes().decode()) and path.name.endswith(content):
                return True
        if time.monotonic() >= deadline:
            return False
        time.sleep(LOOK_SECONDS)
