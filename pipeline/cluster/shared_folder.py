"""Checks whether a worker shares the run's folder with this process: each reads a file that the other has written.

A worker may have another folder of the same name; part files published there would be lost.
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
from pipeline.storage.locations import matching, storage_errors

LOOK_SECONDS = 0.3  # between looks for a file
SIGHT_SECONDS = 10.0  # time limit for a file to appear on another machine
SHARE = (
    "set output=… to a folder that all machines of the cluster and this machine see at the same path, or to an "
    "address such as s3://bucket/prefix"
)
KEYS = (
    "also give the workers the access keys and the endpoint of the store, in environment variables or in the store's "
    "own files"
)


class SharedFolder:
    """A run's folder that workers must share, during a `with` block.

    resource : the name of the Dask resource of workers that share the folder; other runs have other names
    mend     : how to make a worker share it
    """

    def __init__(self, folder: Path) -> None:
        self._notes, self._token = folder / "_run", uuid.uuid4().hex
        self.resource = f"orchard-folder-{self._token}"
        self.mend = KEYS if in_object_store(folder) else SHARE

    def __enter__(self) -> SharedFolder:
        write_atomically(self._notes / f"probe-{self._token}", self._token.encode())
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(*storage_errors()):
            for path in matching(self._notes, f"probe-{self._token}*"):
                path.unlink(missing_ok=True)

    async def objection(self, call: Callable[..., Awaitable[Any]]) -> str:
        """Why a worker does not share the folder; empty if it does.

        call : makes the worker call a function with arguments, and returns the answer
        """
        driver, of_worker = socket.gethostname(), f"probe-{self._token}-{uuid.uuid4().hex}"
        host, fault = await call(_probe, self._notes, f"probe-{self._token}", of_worker, driver)
        if not fault and not await asyncio.to_thread(_appears, self._notes / of_worker):
            fault = f"writes files to {self._notes.parent} that {driver} does not see"
        return f"on {host} it {fault}" if fault else ""


async def _probe(record_folder: Path, of_driver: str, of_worker: str, driver: str) -> tuple[str, str]:
    """On a worker: read the driver's file, then write the worker's; returns the worker's host and the fault."""
    return await asyncio.to_thread(_probed, record_folder, of_driver, of_worker, driver)


def _probed(record_folder: Path, of_driver: str, of_worker: str, driver: str) -> tuple[str, str]:
    host = socket.gethostname()
    try:
        if not _appears(record_folder / of_driver):
            return host, f"does not see the files that {driver} writes to {record_folder.parent}"
        write_atomically(record_folder / of_worker, of_worker.encode())
    except storage_errors() as error:
        return host, f"cannot write to {record_folder.parent} ({getattr(error, 'strerror', None) or error})"
    return host, ""


def _appears(path: Path) -> bool:
    """Whether a file of the probe appears in time, with its content."""
    deadline = time.monotonic() + SIGHT_SECONDS
    while True:
        with suppress(FileNotFoundError):
            if (content := path.read_bytes().decode()) and path.name.endswith(content):
                return True
        if time.monotonic() >= deadline:
            return False
        time.sleep(LOOK_SECONDS)
