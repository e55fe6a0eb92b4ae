"""The certificate of a run: one that machines with other clocks take too."""

from __future__ import annotations

import socket
import ssl
from datetime import UTC, datetime, timedelta
from threading import Thread

from cryptography import x509

from pipeline.cluster.security import temporary_security


def test_it_is_valid_where_clocks_are_behind() -> None:
    """A node that is a few seconds behind would else refuse it, and all its workers would fail to start."""
    security = temporary_security()
    certificate = x509.load_pem_x509_certificate(security.tls_worker_cert.encode())
    now = datetime.now(UTC)
    assert certificate.not_valid_before_utc < now - timedelta(hours=23)
    assert certificate.not_valid_after_utc > now + timedelta(days=300)


def test_scheduler_and_worker_take_it_and_a_stranger_is_refused() -> None:
    ours, other = temporary_security(), temporary_security()
    listening = ours.get_listen_args("scheduler")["ssl_context"]
    assert shaken_hands(listening, ours.get_connection_args("worker")["ssl_context"])
    assert not shaken_hands(listening, other.get_connection_args("worker")["ssl_context"])


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
