"""A worker on another machine, which is a network namespace here: it joins by TLS, and is refused without."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from tests.drills.dask_processes import dask_processes
from tests.oracles.beside import absent
from tests.pipeline.command_line import orchard, rows

GRID = ("+grid=greedy_vs_dp", "tables.groups=1", "tables.count=60", "chunk=20")
SMALL = (*GRID, "cluster=address", "cluster.patience=30")
NUMBERS = count(os.getpid())


@dataclass(frozen=True)
class Machine:
    """Another machine, the address it has, the one that we have for it, and how to run a command there."""

    address: str
    ours: str
    before: tuple[str, ...]


@pytest.fixture
def machine() -> Iterator[Machine]:
    """A network namespace, and a cable between it and us."""
    if shutil.which("ip") is None or os.geteuid() != 0:
        absent("network namespaces need root and the program ip")
    number = next(NUMBERS) % 16000
    subnet = f"10.213.{number // 64}.{number % 64 * 4}"
    ours, theirs = (f"{subnet.rpartition('.')[0]}.{int(subnet.rpartition('.')[2]) + index}" for index in (1, 2))
    name, cable = f"orchard-{number}", (f"orc{number}a", f"orc{number}b")

    def ip(*words: str, check: bool = True) -> None:
        done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
        if check and done.returncode:
            absent(f"no network namespace can be made: {done.stderr.strip()}")

    ip("netns", "add", name)
    try:
        ip("link", "add", cable[0], "type", "veth", "peer", "name", cable[1])
        ip("link", "set", cable[1], "netns", name)
        ip("addr", "add", f"{ours}/30", "dev", cable[0])
        ip("link", "set", cable[0], "up")
        for words in (("addr", "add", f"{theirs}/30", "dev", cable[1]), ("link", "set", cable[1], "up")):
            ip("-n", name, *words)
        ip("-n", name, "link", "set", "lo", "up")
        yield Machine(theirs, ours, ("ip", "netns", "exec", name))
    finally:
        ip("netns", "del", name, check=False)  # and the cable with it


def test_a_worker_of_another_machine_joins_by_tls(tmp_path: Path, machine: Machine) -> None:
    with dask_processes(tmp_path / "cluster", tls=True, host=machine.ours) as cluster:
        assert cluster.tls is not None
        assert cluster.address.startswith(f"tls://{machine.ours}:")
        cluster.add_worker(before=machine.before, host=machine.address)
        done = orchard(*SMALL, f"cluster.address={cluster.address}", *cluster.tls.overrides(), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert f"tls://{machine.address}:" in cluster.log()
    assert rows(tmp_path / "outputs").num_rows == 60 * 17


@pytest.mark.long
def test_without_tls_nothing_leaves_this_machine(tmp_path: Path, machine: Machine) -> None:
    with dask_processes(tmp_path / "cluster", host="0.0.0.0") as cluster:
        port = cluster.address.rpartition(":")[2]
        cluster.address = f"tcp://{machine.ours}:{port}"
        refused = orchard(*SMALL, f"cluster.address={cluster.address}", cwd=tmp_path)
        assert refused.returncode == 2
        assert "without TLS, anyone who can connect" in refused.stderr
        cluster.add_worker(before=machine.before, host=machine.address)
        by_loopback = orchard(*SMALL, f"cluster.address=tcp://127.0.0.1:{port}", cwd=tmp_path)
        assert by_loopback.returncode == 5
        assert f"worker tcp://{machine.address}:" in by_loopback.stderr
        assert "refused: its connection has no TLS" in by_loopback.stderr
