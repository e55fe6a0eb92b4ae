"""Strangers reach nothing (D21).

What a run opens by itself is for this machine alone, and TLS refuses whoever has not the certificate.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from urllib.request import urlopen

import pytest
from distributed import Client, rpc
from distributed.security import Security

from tests.drills.dask_processes import Certificates, DaskProcesses, certificates, dask_processes
from tests.drills.held_back import HELD_BACK
from tests.oracles.beside import absent, another_user
from tests.pipeline.command_line import ROOT, descendants, parts, ran, started, until

ENDLESS = ("+grid=greedy_vs_dp", "tables.groups=1", "tables.count=2000000", "chunk=25", "cluster.workers=2")
LISTENS = "0A"
ACCEPTS = 1 << 16  # a flag of the kernel's
LOOPBACK = {"0100007F", "00000000000000000000000001000000", "0000000000000000FFFF00000100007F"}
needs_proc = pytest.mark.skipif(not Path("/proc/self/net/tcp").exists(), reason="ports are found through /proc")


@dataclass(frozen=True)
class Listening:
    """Where processes listen: hexadecimal addresses and ports of TCP, and paths of sockets of this machine."""

    tcp: dict[int, str]
    unix: set[str]


def listening(pid: int) -> Listening:
    """Where a process and all below it listen."""
    sockets = set()
    for process in (pid, *descendants(pid)):
        for number in Path(f"/proc/{process}/fd").glob("*"):
            try:
                sockets.add(str(number.readlink()))
            except OSError:
                continue
    tables = [Path(f"/proc/net/{kind}").read_text().splitlines()[1:] for kind in ("tcp", "tcp6")]
    lines = [line.split() for table in tables for line in table]
    addresses = [line[1].partition(":") for line in lines if line[3] == LISTENS and f"socket:[{line[9]}]" in sockets]
    unix = [line.split() for line in Path("/proc/net/unix").read_text().splitlines()[1:]]
    paths = {line[7] for line in unix if int(line[3], 16) & ACCEPTS and f"socket:[{line[6]}]" in sockets}
    return Listening({int(port, 16): address for address, _, port in addresses}, paths)


def tried(uid: int, addresses: Iterable[str]) -> dict[str, str]:
    """The answers to another user of this machine, without a certificate or with another, by address and connection."""
    done = ran(sys.executable, "-m", "tests.drills.stranger", uid, *addresses, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    answers: dict[str, str] = json.loads(done.stdout)
    return answers


@pytest.fixture(params=["the same user", "another user"])
def uid(request: pytest.FixtureRequest) -> int:
    if request.param == "the same user":
        return os.getuid()
    return another_user()


@pytest.fixture(scope="class")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[str]]:
    """A run on two workers of this machine that does not end, and leaves the cores to those who knock."""
    folder = tmp_path_factory.mktemp("running")
    (folder / "slow").touch()
    with started(*ENDLESS, cwd=folder, **HELD_BACK) as process:
        until(lambda: len(parts(folder / "outputs")) >= 1, process)
        yield process


@needs_proc
class TestRunOnThisMachine:
    def test_nobody_but_the_run_is_answered(self, running: subprocess.Popen[str], uid: int) -> None:
        """Scheduler, nannies and workers: five ports of Dask's protocol over TLS, and none of HTTP."""
        result = listening(running.pid)
        assert len(result.tcp) == 5
        assert set(result.tcp.values()) <= LOOPBACK
        assert not tried(uid, [f"127.0.0.1:{port}" for port in result.tcp])
        assert running.poll() is None

    def test_the_socket_of_the_fork_server_is_the_users_own(self, running: subprocess.Popen[str]) -> None:
        another_user()
        paths = listening(running.pid).unix
        assert len(paths) == 1
        assert all(path.startswith("/") for path in paths)  # not of the abstract kind, which has no owner
        assert not tried(another_user(), paths)
        assert running.poll() is None


@needs_proc
def test_threads_listen_nowhere(tmp_path: Path) -> None:
    with started(*ENDLESS, "cluster=threads", cwd=tmp_path) as process:
        until(lambda: len(parts(tmp_path / "outputs")) >= 1, process)
        assert listening(process.pid) == Listening({}, set())


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a scheduler without TLS listens."""
    with dask_processes(tmp_path_factory.mktemp("plain")) as processes:
        yield processes.address.removeprefix("tcp://")


def test_a_scheduler_without_tls_answers_anybody(plain: str, uid: int) -> None:
    """What the tests above would see of a run that anyone may use."""
    assert tried(uid, [plain]) == {f"{plain} in plain": "Scheduler"}


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
def test_a_dashboard_is_for_this_machine_and_its_own_pages(tmp_path: Path, slow: Path) -> None:
    if find_spec("bokeh") is None:
        absent("the package bokeh is not installed")
    with started(*ENDLESS, "cluster.dashboard=true", cwd=tmp_path, **HELD_BACK) as process:
        assert process.stderr is not None
        (link,) = process.stderr.readline().split()[1:]
        port = int(link.removeprefix("http://127.0.0.1:").removesuffix("/status"))
        with urlopen(link) as page:
            assert b"Bokeh" in page.read()
        result = listening(process.pid)
        assert set(result.tcp.values()) <= LOOPBACK
        assert set(tried(os.getuid(), [f"127.0.0.1:{number}" for number in result.tcp])) == {
            f"127.0.0.1:{port} by HTTP"
        }
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
