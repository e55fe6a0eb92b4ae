"""An S3-compatible server of the tests' own, in a process of its own, and a way to it that can be shut."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.command_line import until

BUCKET = "orchard"


@dataclass(frozen=True)
class ObjectStore:
    """A server with one bucket, and what a process must have in its environment to use it."""

    port: int

    def environment(self, port: int | None = None) -> dict[str, str]:
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port or self.port}",
            "AWS_ACCESS_KEY_ID": "orchard",
            "AWS_SECRET_ACCESS_KEY": "no secret",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
        }

    def _files(self) -> Any:
        from s3fs import S3FileSystem

        known = self.environment()
        return S3FileSystem(
            endpoint_url=known["AWS_ENDPOINT_URL"],
            key=known["AWS_ACCESS_KEY_ID"],
            secret=known["AWS_SECRET_ACCESS_KEY"],
            use_listings_cache=False,
        )

    def make_bucket(self) -> None:
        self._files().mkdir(BUCKET)

    def names(self, prefix: str) -> list[str]:
        """What is stored below a prefix of the bucket."""
        whole = f"{BUCKET}/{prefix}/"
        return [name.removeprefix(whole) for name in self._files().find(whole)]

    def parts(self, prefix: str) -> list[str]:
        """What a reader of Parquet takes for data."""
        return [name for name in self.names(f"{prefix}/results") if re.search(r"/[^_./][^/]*\.parquet$", name)]

    def read(self, prefix: str, name: str) -> bytes:
        return bytes(self._files().cat_file(f"{BUCKET}/{prefix}/{name}"))

    def write(self, prefix: str, name: str, content: bytes) -> None:
        self._files().pipe_file(f"{BUCKET}/{prefix}/{name}", content)

    def fetch(self, prefix: str, folder: Path) -> Path:
        """A folder that holds what is below a prefix."""
        for name in self.names(prefix):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.read(prefix, name))
        return folder


@contextmanager
def running_store(folder: Path) -> Iterator[ObjectStore]:
    """The server while it runs; its log is in the folder."""
    pytest.importorskip("moto")
    log = folder / "server.txt"
    with log.open("w") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            env=os.environ | {"PYTHONWARNINGS": "ignore"},
        )
    try:
        address = re.compile(r"Running on http://127\.0\.0\.1:(\d+)")
        until(lambda: address.search(log.read_text()) is not None, process)
        match = address.search(log.read_text())
        assert match
        store = ObjectStore(int(match[1]))
        store.make_bucket()
        yield store
    finally:
        process.kill()
        process.wait()


class Way:
    """A port that leads to a server, until it is shut: then all connections break, and no new one is taken."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def shut(self) -> None:
        # close() alone would leave the port taking connections for as long as a thread waits in accept()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            for connection in self._open:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                here, _ = listener.accept()
                there = socket.create_connection(("127.0.0.1", self._to))
                with self._lock:
                    self._open |= {here, there}
                for each, other in ((here, there), (there, here)):
                    threading.Thread(target=self._pass_on, args=(each, other), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        for connection in (source, target):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._open.discard(source)
        source.close()
