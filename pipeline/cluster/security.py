"""Who may connect to a cluster.

Whoever can connect to a Dask scheduler, nanny or worker can run any code in it. So a port that others can reach must
use TLS. Every scheduler that a run starts accepts only holders of the run's own certificate.
"""

from __future__ import annotations

import ipaddress
import socket
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pipeline.errors import ConfigError

if TYPE_CHECKING:
    from distributed.security import Security

SCHEMES = ("tls", "tcp")


def run_security() -> Security:
    """A new certificate for the scheduler, workers and client of one run; each accepts only TLS.

    It exists in memory only, so that only processes that get it from the driver can take part. It is valid from a day
    ago, for machines whose clocks are slow.
    """
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
    from distributed.security import Security

    private = ec.generate_private_key(ec.SECP256R1())  # takes a millisecond; RSA takes a hundred
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "orchard")])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=365))
        .sign(private, hashes.SHA256())
    )
    certificate = signed.public_bytes(Encoding.PEM).decode()
    key = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    roles = ("client", "scheduler", "worker")
    return Security(
        require_encryption=True,
        tls_ca_file=certificate,
        **{f"tls_{role}_cert": certificate for role in roles},
        **{f"tls_{role}_key": key for role in roles},
    )


def client_security(ca_file: str | None, cert: str | None, key: str | None) -> Security:
    """TLS with these files; for those that are None, with the files of Dask's own configuration.

    Raises ConfigError if a file does not exist or is not a valid PEM file.
    """
    from distributed.security import Security

    given = {"tls_ca_file": ca_file, "tls_client_cert": cert, "tls_client_key": key}
    security = Security(require_encryption=True, **{name: value for name, value in given.items() if value is not None})
    for option, field, dask_key in (
        ("tls_ca_file", "tls_ca_file", "ca-file"),
        ("tls_cert", "tls_client_cert", "client.cert"),
        ("tls_key", "tls_client_key", "client.key"),
    ):
        file = getattr(security, field)
        if not file and option != "tls_key":  # a certificate's file may hold its key
            rest = (
                "set cluster.tls_ca_file, cluster.tls_cert and cluster.tls_key to the PEM files that the scheduler "
                "was started with"
            )
            raise ConfigError(
                f"TLS needs cluster.{option}=FILE, or distributed.comm.tls.{dask_key} in Dask's configuration; {rest}"
            )
        if file and "\n" not in file and not Path(file).is_file():
            raise ConfigError(f"cluster.{option} is '{file}': there is no such file")
    try:
        security.get_connection_args("client")
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        reason = error.reason if isinstance(error, ssl.SSLError) and error.reason else error
        raise ConfigError(
            f"cluster.tls_ca_file '{security.tls_ca_file}', tls_cert '{security.tls_client_cert}' and tls_key "
            f"'{security.tls_client_key}' cannot be used: {reason}; expected PEM files of a certificate and its key"
        ) from error
    return security


def host_and_port(address: str) -> tuple[str, int]:
    """The host and the port of `tls://host:port`; ConfigError if an address has another form."""
    try:
        parts = urlsplit(address)
        if parts.scheme in SCHEMES and parts.hostname and parts.port and address == f"{parts.scheme}://{parts.netloc}":
            return parts.hostname, parts.port
    except ValueError:
        pass
    raise ConfigError(
        f"cluster.address is '{address}': expected tls://host:port, the address that the scheduler prints when it "
        "starts"
    )


def leaves_unencrypted(address: str) -> bool:
    """Whether data for an address leaves this machine without TLS."""
    if address.startswith(("tls://", "inproc://")):
        return False
    host, port = host_and_port(address)
    try:
        addresses = {entry[4][0] for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    except OSError:
        return True  # an unknown host
    return not all(ipaddress.ip_address(each).is_loopback for each in addresses)
