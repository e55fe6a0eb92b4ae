"""A running Dask cluster, reached at its scheduler's address."""

from __future__ import annotations

import asyncio
import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.cluster.admission import Admission
from pipeline.cluster.base import PATIENCE, Cluster, Workers
from pipeline.cluster.security import client_security, host_and_port, leaves_unencrypted
from pipeline.cluster.steady_clock import use_steady_clock
from pipeline.errors import ConfigError, WorkersLostError
from pipeline.plain_text import note
from pipeline.work.dask_log import LOG_VARIABLE, log_to_file

if TYPE_CHECKING:
    from distributed import Client
    from distributed.security import Security

    from pipeline.configuration.settings import Address

CONNECT_SECONDS = 5.0  # time limit for the scheduler's answer
CLOSE_SECONDS = 3.0  # time limit for the scheduler to notice that we leave


@dataclass(frozen=True)
class RunningCluster(Cluster):
    """The workers of a running scheduler, those present and those that join during the run.

    settings : its address is `tls://host:port`, or `tcp://host:port` of this machine
    """

    settings: Address

    def __post_init__(self) -> None:
        """Raise ConfigError if the address has another form or crosses a network without TLS."""
        cluster = self.settings
        host, _ = host_and_port(cluster.address)
        PATIENCE.check("cluster.patience", cluster.patience, null=True)
        if not cluster.plain_tcp and leaves_unencrypted(cluster.address):
            raise ConfigError(
                f"cluster.address is '{cluster.address}': without TLS, anyone who can connect to {host}, or alter "
                f"messages to {host}, can run code as you. Start the scheduler and the workers with certificates, and "
                "give the address as tls://…; if you trust the whole network, add cluster.plain_tcp=true instead"
            )

    @contextmanager
    def opened(self, record_folder: Path, plugins: Sequence[str], shared: Path | None = None) -> Iterator[Workers]:
        """A client of the scheduler; tasks go only to workers with the same code and versions as this process."""
        cluster, tls = self.settings, self.settings.address.startswith("tls://")
        security = client_security(cluster.tls_ca_file, cluster.tls_cert, cluster.tls_key) if tls else None
        os.environ[LOG_VARIABLE] = str((record_folder / "log.txt").absolute())

        from distributed.versions import VersionMismatchWarning

        log_to_file()
        use_steady_clock()
        warnings.simplefilter("ignore", VersionMismatchWarning)  # Dask only warns; `Admission` compares versions
        asyncio.run(_check_answers(cluster.address, security))
        with ExitStack() as stack:
            client = stack.enter_context(_connected(cluster.address, security))
            if client.scheduler_info()["services"].get("dashboard"):
                note(f"dashboard: {client.dashboard_link}")
            admission = stack.enter_context(Admission(client, plugins, shared, plain_tcp=cluster.plain_tcp))
            yield admission.workers(self.wanted, cluster.patience)


async def _check_answers(address: str, security: Security | None) -> None:
    """Raise WorkersLostError unless a scheduler answers; Dask's client would wait for ever for one that hangs."""
    from distributed import rpc

    arguments = security.get_connection_args("client") if security else {}
    try:
        async with (
            asyncio.timeout(CONNECT_SECONDS + 1),
            rpc(address, timeout=CONNECT_SECONDS, connection_args=arguments) as scheduler,
        ):
            kind = (await scheduler.identity()).get("type")
    except Exception as error:
        raise WorkersLostError(
            f"no Dask scheduler answers at {address}: {_reason(error)}; check that the scheduler is running, and that "
            "it uses the same certificates as this command"
        ) from error
    if kind != "Scheduler":
        raise WorkersLostError(f"{address} is the address of a Dask {kind}: give the address of its scheduler")


def _reason(error: BaseException) -> str:
    """The first cause with a message."""
    while error.__cause__ is not None:
        error = error.__cause__
    return " ".join(str(error).split()) or f"no answer for {CONNECT_SECONDS:.0f} seconds"


@contextmanager
def _connected(address: str, security: Security | None) -> Iterator[Client]:
    """A client that does not wait for a hanging scheduler when it is closed."""
    from distributed import Client

    options: dict[str, Any] = {} if security is None else {"security": security}
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False, **options)
    except (OSError, ImportError) as error:
        raise WorkersLostError(f"the Dask scheduler at {address} is gone: {_reason(error)}") from error
    try:
        yield client
    finally:
        with suppress(OSError):  # including TimeoutError
            client.close(timeout=CLOSE_SECONDS)
