"""Somebody else on this machine, who tries what a run listens at: `python -m tests.drills.stranger UID PLACE …`.

An address is `host:port`, or the path of a socket. Prints a line of JSON: what answered, and the kind of connection.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from contextlib import suppress
from typing import Any

import distributed.comm.tcp  # noqa: F401 - all that is needed later, which another user may not be able to read
from distributed import rpc
from distributed.security import Security

PAGES = ("/", "/info", "/json", "/metrics", "/health", "/statistics", "/sitemap.json", "/status")


def http(host: str, port: int) -> str:
    """The first words of an answer to a request of HTTP."""
    for page in PAGES:
        with suppress(OSError), socket.create_connection((host, port), timeout=2) as connection:
            connection.sendall(f"GET {page} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            if (message := connection.recv(12)).startswith(b"HTTP"):
                return f"{page} {message.decode()}"
    return ""


def dask(address: str, arguments: dict[str, Any]) -> str:
    """What kind of server of Dask's answers."""

    async def ask() -> str:
        try:
            async with asyncio.timeout(4), rpc(address, timeout=2, connection_args=arguments) as there:
                return str((await there.identity())["type"])
        except (OSError, ValueError):  # tornado's where a server speaks before TLS has begun
            return ""

    return asyncio.run(ask())


def unix(path: str) -> str:
    """Whether a connection is taken at the path of a socket."""
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(path)
        except OSError:
            return ""
    return "connected"


def main() -> None:
    uid, *addresses = sys.argv[1:]
    foreign = Security.temporary().get_connection_args("client")
    if int(uid) != os.getuid():
        os.setgroups([])
        os.setgid(int(uid))
        os.setuid(int(uid))
    os.chdir("/")
    collected = {}
    for address in addresses:
        if address.startswith("/"):
            collected[f"{address} as a socket"] = unix(address)
            continue
        host, port = address.split(":")
        collected[f"{address} in plain"] = dask(f"tcp://{address}", {})
        collected[f"{address} with a certificate of its own"] = dask(f"tls://{address}", foreign)
        collected[f"{address} by HTTP"] = http(host, int(port))
    print(json.dumps({how: answer for how, answer in collected.items() if answer}))


if __name__ == "__main__":
    main()
