"""Strangers reach nothing (D21).

What a run opens by itself is for this machine alone, and TLS refuses whoever has not the certificate.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.request import urlopen

import pytest
from distributed import Client, rpc
from distributed.security import Security

from tests.drills.dask_processes import Certificates, DaskProcesses, certificates, dask_processes
from tests.oracles.beside import absent
from tests.pipeline.command_line import descendants, parts, started, until

ENDLESS = ("+grid=greedy_vs_dp", "tables.groups=1", "tables.count=100000", "chunk=25", "cluster.workers=2")
LISTENS = "0A"
LOOPBACK = {"0100007F", "00000000000000000000000001000000", "0000000000000000FFFF00000100007F"}
needs_proc = pytest.mark.skipif(not Path("/proc/self/net/tcp").exists(), reason="ports are found through /proc")


def listening(pid: int) -> set[str]:
    """The hexadecimal addresses at which a process and all below it listen for TCP."""
    sockets = set()
    for process in (pid, *descendants(pid)):
        for number in Path(f"/proc/{process}/fd").glob("*"):
            try:
                sockets.add(str(number.readlink()))
            except OSError:
                continue
    tables = [Path(f"/proc/net/{kind}").read_text().splitlines()[1:] for kind in ("tcp", "tcp6")]
    lines = [line.split() for table in tables for line in table]
    return {line[1].partition(":")[0] for line in lines if line[3] == LISTENS and f"socket:[{line[9]}]" in sockets}


@needs_proc
@pytest.mark.parametrize("cluster", ["local", "threads"])
def test_what_runs_on_this_machine_listens_to_this_machine_alone(tmp_path: Path, cluster: str) -> None:
    with started(*ENDLESS, f"cluster={cluster}", cwd=tmp_path) as process:
        until(lambda: len(parts(tmp_path / "outputs")) >= 1, process)
        found = listening(process.pid)
        assert found
        assert found <= LOOPBACK


@pytest.fixture(scope="module")
def encrypted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskProcesses]:
    """A cluster of one worker with its nanny, where all speak TLS."""
    with dask_processes(tmp_path_factory.mktemp("cluster"), workers=1, tls=True, nanny=True) as processes:
        yield processes


def security(papers: Certificates) -> Security:
    return Security(
        tls_ca_file=str(papers.ca_file),
        tls_client_cert=str(papers.cert),
        tls_client_key=str(papers.key),
        require_encryption=True,
    )


def addresses(cluster: DaskProcesses) -> list[str]:
    """Where its scheduler, its worker and its nanny listen."""
    assert cluster.tls is not None
    with Client(cluster.address, security=security(cluster.tls), set_as_default=False) as client:
        (worker,) = client.scheduler_info()["workers"].values()
    return [cluster.address, worker["id"] if "://" in str(worker["id"]) else worker["name"], worker["nanny"]]


def answered(address: str, papers: Certificates | None) -> bool:
    """Whether who listens there says anything to somebody with these certificates, or none."""
    arguments = security(papers).get_connection_args("client") if papers else {}

    async def ask() -> bool:
        try:
            async with asyncio.timeout(4), rpc(address, timeout=2, connection_args=arguments) as there:
                return bool(await there.identity())
        except OSError:
            return False

    return asyncio.run(ask())


def test_with_tls_only_holders_of_the_certificate_are_answered(encrypted: DaskProcesses, tmp_path: Path) -> None:
    strange = certificates(tmp_path)
    for address in addresses(encrypted):
        assert address.startswith("tls://127.0.0.1:")
        assert answered(address, encrypted.tls)
        assert not answered(address, strange)
        assert not answered(address.replace("tls://", "tcp://"), None)


@needs_proc
def test_a_dashboard_is_for_this_machine_and_its_own_pages(tmp_path: Path) -> None:
    if find_spec("bokeh") is None:
        absent("the package bokeh is not installed")
    with started(*ENDLESS, "cluster.dashboard=true", cwd=tmp_path) as process:
        assert process.stderr is not None
        (link,) = process.stderr.readline().split()[1:]
        port = int(link.removeprefix("http://127.0.0.1:").removesuffix("/status"))
        with urlopen(link) as page:
            assert b"Bokeh" in page.read()
        assert listening(process.pid) <= LOOPBACK
        assert b" 101 " in websocket(port, f"http://127.0.0.1:{port}")
        assert b" 403 " in websocket(port, "http://elsewhere.example")


def websocket(port: int, origin: str) -> bytes:
    """The first line of the answer to a page from there that wants to listen in."""
    wish = (
        f"GET /status/ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        f"Origin: {origin}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(wish.encode())
        return connection.makefile("rb").readline()
