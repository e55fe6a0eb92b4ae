"""`cluster=address` and `cluster=threads`: what is refused, in how many words, and that rows are the same."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.cluster import address as address_module
from pipeline.cluster import base, security
from tests.drills.dask_processes import Certificates, DaskProcesses, certificates, dask_processes
from tests.pipeline.command_line import rows, run_orchard
from tests.pipeline.conftest import Command

GRID = ("+grid=greedy_vs_dp", "tables.groups=1", "tables.count=40")


@pytest.fixture(scope="module")
def encrypted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskProcesses]:
    """A cluster of one worker, where all speak TLS."""
    with dask_processes(tmp_path_factory.mktemp("cluster"), workers=1, tls=True) as processes:
        yield processes


def papers_of(cluster: DaskProcesses) -> Certificates:
    assert cluster.tls is not None
    return cluster.tls


def at(address: str, *overrides: str) -> tuple[str, ...]:
    return (*GRID, "cluster=address", f"cluster.address='{address}'", *overrides)


@pytest.mark.parametrize(
    "address",
    ["localhost:8786", "tls://host", "http://host:80", "tcp://", "tls://host:99999", "tls://[::1:80", "tls://h:1/x"],
)
def test_an_address_has_a_protocol_a_host_and_a_port(command: Command, address: str) -> None:
    status, out, errors = command(*GRID, "cluster=address", f"cluster.address='{address}'")
    assert (status, out) == (2, "")
    assert errors == (
        f"orchard: cluster.address is '{address}': expected tls://host:port, "
        "the address that the scheduler prints when it starts\n"
    )


def test_an_address_is_needed(command: Command) -> None:
    status, _, errors = command(*GRID, "cluster=address")
    assert status == 2
    assert "no value for cluster.address" in errors


@pytest.mark.parametrize("host", ["192.0.2.1", "0.0.0.0", "nowhere.invalid"])
def test_nothing_goes_to_other_machines_without_tls(command: Command, host: str, tmp_path: Path) -> None:
    status, _, errors = command(*at(f"tcp://{host}:8786"))
    assert status == 2
    assert "without TLS, anyone who can connect" in errors
    assert "cluster.plain_tcp=true" in errors
    assert errors.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_patience_is_some_time(command: Command) -> None:
    status, _, errors = command(*at("tcp://127.0.0.1:1", "cluster.patience=0"))
    assert (status, errors) == (
        2,
        "orchard: cluster.patience is 0.0: expected a number of seconds above 0, or null\n",
    )


def test_where_nobody_listens_the_run_ends_within_seconds(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_module, "CONNECT_SECONDS", 1.0)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        began = time.monotonic()
        status, _, errors = command(*at(address, "cluster.patience=600"))
        assert time.monotonic() - began < 120
    assert status == 5
    assert errors.startswith(f"orchard: no Dask scheduler answers at {address}: ")
    assert errors.count("\n") == 1


def test_who_listens_and_says_nothing_is_not_waited_for(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_module, "CONNECT_SECONDS", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        began = time.monotonic()
        status, _, errors = command(*at(f"tcp://127.0.0.1:{silent.getsockname()[1]}", "cluster.patience=600"))
        assert time.monotonic() - began < 120
    assert status == 5
    assert ": no answer for 1 seconds; " in errors


def test_tls_needs_files_that_are_certificates(command: Command, tmp_path: Path) -> None:
    address = "tls://127.0.0.1:1"
    made = certificates(tmp_path / "papers")
    no_papers = tmp_path / "no.pem"
    no_papers.write_text("no certificate\n")
    for overrides, expected in (
        ([], "TLS needs cluster.tls_ca_file=FILE, or distributed.comm.tls.ca-file in Dask's configuration"),
        ([f"cluster.tls_ca_file={made.ca_file}"], "TLS needs cluster.tls_cert=FILE"),
        ([f"cluster.tls_ca_file={made.ca_file}/no"], "cluster.tls_ca_file is '"),
        ([*made.overrides(), f"cluster.tls_cert={no_papers}"], "expected PEM files of a certificate and its key"),
        ([*made.overrides(), f"cluster.tls_key={no_papers}"], "expected PEM files of a certificate and its key"),
    ):
        status, _, errors = command(*at(address, *overrides))
        assert status == 2
        assert expected in errors
        assert errors.count("\n") == 1


def test_a_cluster_that_speaks_tls_is_not_reached_otherwise(
    command: Command, encrypted: DaskProcesses, tmp_path: Path
) -> None:
    strange = certificates(tmp_path / "strange")
    for overrides in (
        at(encrypted.address, *strange.overrides()),
        at(encrypted.address, *papers_of(encrypted).overrides(), f"cluster.tls_ca_file={strange.ca_file}"),
        at(encrypted.address.replace("tls", "tcp")),
    ):
        status, _, errors = command(*overrides)
        assert status == 5
        assert errors.count("\n") == 1
        assert "no Dask scheduler answers at " in errors


def test_the_address_of_a_worker_is_distinguished_from_that_of_a_scheduler(
    command: Command, encrypted: DaskProcesses
) -> None:
    output = encrypted.log()
    (worker,) = {line.split()[-1] for line in output.splitlines() if "Start worker at" in line}
    status, _, errors = command(*at(worker, *papers_of(encrypted).overrides()))
    assert (status, errors) == (
        5,
        f"orchard: {worker} is the address of a Dask Worker: give the address of its scheduler\n",
    )


def test_rows_are_the_same_wherever_they_are_made(encrypted: DaskProcesses, tmp_path: Path) -> None:
    outputs = []
    for number, overrides in enumerate(
        (
            (*GRID, "cluster.workers=1"),
            (*GRID, "cluster=threads", "cluster.workers=2"),
            at(encrypted.address, *papers_of(encrypted).overrides()),
        )
    ):
        done = run_orchard(*overrides, f"output=out{number}", cwd=tmp_path, workers=True)
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        outputs.append(rows(tmp_path / f"out{number}"))
    assert outputs[0].num_rows == 40 * 17
    assert outputs[0].equals(outputs[1])
    assert outputs[0].equals(outputs[2])


@pytest.mark.parametrize("cluster", ["local", "threads"])
def test_a_dashboard_needs_bokeh(command: Command, monkeypatch: pytest.MonkeyPatch, cluster: str) -> None:
    monkeypatch.setattr(base, "find_spec", lambda _: None)
    status, _, errors = command(*GRID, f"cluster={cluster}", "cluster.dashboard=true")
    assert status == 2
    assert errors == ("orchard: cluster.dashboard needs the package bokeh: pip install 'orchard-trees[dashboard]'\n")


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("tcp://127.0.0.1:1", False),
        ("tcp://[::1]:1", False),
        ("tcp://localhost:1", False),
        ("tls://192.0.2.1:1", False),
        ("inproc://192.0.2.1/1/1", False),
        ("tcp://192.0.2.1:1", True),
        ("tcp://[2001:db8::1]:1", True),
        ("tcp://nowhere.invalid:1", True),
    ],
)
def test_only_loopback_and_tls_are_safe(address: str, expected: bool) -> None:
    assert security.leaves_unencrypted(address) is expected
