"""A Dask cluster that somebody else runs, reached at its scheduler's address."""

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
from pipeline.cluster.base import Cluster, Workers, check_patience
from pipeline.cluster.security import client_security, crosses_in_plain, host_and_port
from pipeline.cluster.steady_clock import use_steady_clock
from pipeline.errors import ConfigError, WorkersLostError
from pipeline.plain_text import note
from pipeline.work.dask_log import LOG_VARIABLE, log_to_file

if TYPE_CHECKING:
    from distributed import Client
    from distributed.security import Security

    from pipeline.configuration.settings import Address

CONNECT_SECONDS = 5.0  # that a scheduler has to answer
CLOSE_SECONDS = 3.0  # that it has to hear that we leave

__all__ = ["RunningCluster"]


@dataclass(frozen=True)
class RunningCluster(Cluster):
    """The workers of a scheduler that runs already, as many as it has and as come while the run lasts.

    address   : `tls://host:port`, or `tcp://host:port` of this machine
    security  : what `client_security` is given; of no use without TLS
    plain_tcp : whether what is sent may cross a network without TLS
    patience  : seconds without any worker after which a run ends; None: it waits as long as it takes
    """

    address: str
    security: tuple[str | None, str | None, str | None]
    plain_tcp: bool
    patience: float | None

    @staticmethod
    def of(cluster: Address) -> RunningCluster:
        """As configured; ConfigError where the address has another form or leads across a network without TLS."""
        host, _ = host_and_port(cluster.address)
        check_patience(cluster.patience)
        if not cluster.plain_tcp and crosses_in_plain(cluster.address):
            msg = (
                f"cluster.address is '{cluster.address}': without TLS whoever reaches {host}, or listens on the way, "
                "can run anything as you; start scheduler and workers with certificates and give tls://…, or add "
                "cluster.plain_tcp=true where the whole network is trusted"
            )
            raise ConfigError(msg)
        return RunningCluster(
            address=cluster.address,
            security=(cluster.tls_ca_file, cluster.tls_cert, cluster.tls_key),
            plain_tcp=cluster.plain_tcp,
            patience=cluster.patience,
        )

    @contextmanager
    def opened(self, notes: Path, plugins: Sequence[str], shared: Path | None = None) -> Iterator[Workers]:
        """A client of the scheduler; tasks go to workers that compute with what this process computes with."""
        security = client_security(*self.security) if self.address.startswith("tls://") else None
        os.environ[LOG_VARIABLE] = str((notes / "log.txt").absolute())

        from distributed.versions import VersionMismatchWarning

        log_to_file()
        use_steady_clock()
        warnings.simplefilter("ignore", VersionMismatchWarning)  # which warns and goes on; we compare ourselves
        asyncio.run(_check_answers(self.address, security))
        with ExitStack() as stack:
            client = stack.enter_context(_connected(self.address, security))
            if client.scheduler_info()["services"].get("dashboard"):
                note(f"dashboard: {client.dashboard_link}")
            admission = stack.enter_context(Admission(client, plugins, shared, plain_tcp=self.plain_tcp))
            yield admission.workers(self.wanted, self.patience)


async def _check_answers(address: str, security: Security | None) -> None:
    """Raise WorkersLostError unless a scheduler answers; a client of Dask's would wait for one that hangs, for ever."""
    from distributed import rpc

    arguments = security.get_connection_args("client") if security else {}
    try:
        async with (
            asyncio.timeout(CONNECT_SECONDS + 1),
            rpc(address, timeout=CONNECT_SECONDS, connection_args=arguments) as there,
        ):
            kind = (await there.identity()).get("type")
    except Exception as error:
        msg = f"no Dask scheduler answers at {address}: {_reason(error)}; is it running, and are its certificates ours?"
        raise WorkersLostError(msg) from error
    if kind != "Scheduler":
        msg = f"at {address} is a {kind} of Dask's: give the address of its scheduler"
        raise WorkersLostError(msg)


def _reason(error: BaseException) -> str:
    """The first cause that says something."""
    while error.__cause__ is not None:
        error = error.__cause__
    return " ".join(str(error).split()) or f"nothing was heard for {CONNECT_SECONDS:.0f} seconds"


@contextmanager
def _connected(address: str, security: Security | None) -> Iterator[Client]:
    """A client that does not wait for a scheduler that hangs when it is closed."""
    from distributed import Client

    options: dict[str, Any] = {} if security is None else {"security": security}
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False, **options)
    except (OSError, ImportError) as error:
        msg = f"the Dask scheduler at {address} is gone: {_reason(error)}"
        raise WorkersLostError(msg) from error
    try:
        yield client
    finally:
        with suppress(OSError):  # and TimeoutError, which is one
            client.close(timeout=CLOSE_SECONDS)
