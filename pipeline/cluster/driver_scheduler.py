"""A scheduler inside the driver's process, to which workers come from other machines; it speaks TLS alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.cluster.dashboard import dashboard_options, tell_dashboard
from pipeline.cluster.dask_log import LOG_VARIABLE, log_to_file
from pipeline.cluster.local import LOCAL_DASK
from pipeline.cluster.security import temporary_security
from pipeline.errors import ConfigError

if TYPE_CHECKING:
    from distributed import Client, Scheduler, Security

__all__ = ["WORKER_ENVIRONMENT", "DriverScheduler", "driver_scheduler"]

WORKER_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "PYTHONSAFEPATH": "1",
}
"""The environment of workers elsewhere: one compute thread a process, no profiler, no imports from their folder."""


@dataclass(frozen=True)
class DriverScheduler:
    """The running scheduler.

    client   : of it
    address  : where workers reach it, `tls://…`
    security : the credentials that workers need
    """

    client: Client
    address: str
    security: Security
    _scheduler: Scheduler

    def workers(self) -> set[str]:
        """The names of the workers that are there, as they were started with."""
        return {str(worker.name) for worker in list(self._scheduler.workers.values())}


@contextmanager
def driver_scheduler(notes: Path, interface: str | None, *, dashboard: bool) -> Iterator[DriverScheduler]:
    """A scheduler for the time of the block; its messages go to `log.txt`.

    It listens on a free port of the network interface, or on all of them. Its dashboard, if any, is for this machine
    alone. Raises ConfigError where there is no such interface, or no package for TLS.
    """
    _check_interface(interface)
    security = temporary_security()
    os.environ[LOG_VARIABLE] = str((notes / "log.txt").resolve())

    import dask
    from distributed import Client, Scheduler, SpecCluster

    dask.config.set(LOCAL_DASK)
    log_to_file()
    options = {"protocol": "tls://", "security": security, "interface": interface, **dashboard_options(dashboard)}
    with (
        SpecCluster(scheduler={"cls": Scheduler, "options": options}, security=security, silence_logs=False) as cluster,
        Client(cluster) as client,
    ):
        tell_dashboard(client, dashboard)
        yield DriverScheduler(client, cluster.scheduler.address, security, cluster.scheduler)


def _check_interface(interface: str | None) -> None:
    if interface is None:
        return
    import psutil

    there = sorted(psutil.net_if_addrs())
    if interface not in there:
        msg = f"cluster.interface is '{interface}': this machine has {', '.join(there)}"
        raise ConfigError(msg)
