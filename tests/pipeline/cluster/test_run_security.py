"""The certificate of a run: one that machines with other clocks take too."""

from __future__ import annotations

import socket
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import pytest
from cryptography import x509

from pipeline.cluster.security import run_security
from pipeline.storage.scratch import scratch


def test_it_is_valid_where_clocks_are_behind() -> None:
    """A node that is a few seconds behind would else refuse it, and all its workers would fail to start."""
    security = run_security()
    certificate = x509.load_pem_x509_certificate(security.tls_worker_cert.encode())
    now = datetime.now(UTC)
    assert certificate.not_valid_before_utc < now - timedelta(hours=23)
    assert certificate.not_valid_after_utc > now + timedelta(days=300)


def test_scheduler_and_worker_take_it_and_a_stranger_is_refused() -> None:
    ours, other = run_security(), run_security()
    listening = ours.get_listen_args("scheduler")["ssl_context"]
    assert shaken_hands(listening, ours.get_connection_args("worker")["ssl_context"])
    assert not shaken_hands(listening, other.get_connection_args("worker")["ssl_context"])


def test_its_key_is_in_no_file_and_in_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python reads keys from files alone: Dask's are gone at once, in a folder that others cannot enter."""
    folders: list[Path] = []
    loaded = ssl.SSLContext.load_cert_chain

    def load(context: ssl.SSLContext, certfile: str, keyfile: str) -> None:
        folders.append(Path(keyfile).parent)
        assert folders[-1].stat().st_mode & 0o777 == 0o700
        assert folders[-1].is_relative_to(scratch())
        loaded(context, certfile, keyfile)

    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", load)
    scratch()
    security = run_security()
    security.get_listen_args("scheduler")
    assert folders
    assert not any(folder.exists() for folder in folders)
    assert security.tls_worker_key.split("\n")[1] not in repr(security)


def shaken_hands(server: ssl.SSLContext, client: ssl.SSLContext) -> bool:
    """Whether two ends of a connection take each other's certificates."""
    here, there = socket.socketpair()
    taken = []

    def serve() -> None:
        try:
            with server.wrap_socket(there, server_side=True) as secured:
                taken.append(secured.recv(2) == b"hi")
        except (ssl.SSLError, OSError):
            there.close()

    serving = Thread(target=serve)
    serving.start()
    try:
        with client.wrap_socket(here) as secured:
            secured.sendall(b"hi")
    except (ssl.SSLError, OSError):
        here.close()
    serving.join(10)
    return taken == [True]
