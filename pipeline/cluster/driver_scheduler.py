"""A scheduler inside the driver's process, for workers of this machine or others."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.cluster.base import SCHEDULER_CONFIG
from pipeline.cluster.steady_clock import use_steady_clock
from pipeline.errors import WorkersLostError
from pipeline.plain_text import note
from pipeline.storage.scratch import check_space, scratch
from pipeline.work.dask_log import LOG_VARIABLE, log_to_file

if TYPE_CHECKING:
    from distributed import Client, Scheduler, SpecCluster

DASK_CONFIG = SCHEDULER_CONFIG | {
    # the following extensions serve only a dashboard, and take a tenth of a core
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.tick.interval": "500ms",
}
LOOPBACK = "127.0.0.1"
ORIGINS = "distributed.scheduler.dashboard.bokeh-application.allow_websocket_origin"
START_TRIES = 5


@dataclass(frozen=True)
class DriverScheduler:
    """The running scheduler.

    client  : a client of it
    address : its address for workers
    """

    client: Client
    address: str
    _scheduler: Scheduler

    def workers(self) -> set[str]:
        """The names of the connected workers, as they were started with."""
        return {str(worker.name) for worker in list(self._scheduler.workers.values())}


@contextmanager
def driver_scheduler(
    record_folder: Path,
    listens: Mapping[str, Any],
    *,
    dashboard: bool,
    workers: Mapping[int, Mapping[str, Any]] | None = None,
) -> Iterator[DriverScheduler]:
    """A scheduler for the time of the block; its messages go to `log.txt`.

    record_folder : the folder of the log
    listens       : where and how it listens: `protocol`, `security`, `host` or `interface` of Dask's `Scheduler`
    dashboard     : whether it has a dashboard, on this machine's loopback. Without one it has no HTTP server.
    workers       : workers of this machine that start and end with it, as `distributed.SpecCluster` takes them

    Raises WorkersLostError: the scheduler or the workers do not start.
    Raises OutputError: their temporary files cannot be written.
    """
    os.environ[LOG_VARIABLE] = str((record_folder / "log.txt").absolute())

    import dask
    from distributed import Client
    from distributed import Scheduler as WithHttp

    from pipeline.cluster.without_http import Scheduler

    # Dask puts its temporary folder first on the import path, so no other user may write to it
    dask.config.set({"temporary-directory": str(scratch()), **DASK_CONFIG})
    log_to_file()
    use_steady_clock()
    options = {**listens, **_dashboard_options(dashboard)}
    scheduler = {"cls": WithHttp if dashboard else Scheduler, "options": options}
    with (
        _started(scheduler=scheduler, workers=workers, security=listens.get("security")) as cluster,
        Client(cluster) as client,
    ):
        if dashboard:
            note(f"dashboard: http://{LOOPBACK}:{client.scheduler_info()['services']['dashboard']}/status")
        yield DriverScheduler(client, cluster.scheduler.address, cluster.scheduler)


def _started(**options: Any) -> SpecCluster:
    """A cluster of Dask's, started again if a worker dies while starting."""
    from distributed import SpecCluster

    tries = 0
    while True:
        tries += 1
        try:
            return SpecCluster(**options, silence_logs=False)
        except (RuntimeError, OSError, EOFError) as error:
            check_space()
            if tries == START_TRIES:
                why = error.__cause__ or error
                raise WorkersLostError(
                    f"the workers failed to start {tries} times, the last time with {type(why).__name__}: {why}"
                ) from error


def _dashboard_options(wanted: bool) -> dict[str, Any]:
    """The scheduler's options for its dashboard; without one bokeh is not loaded, which would take a second.

    Only this machine can reach the dashboard. Dask's configuration lets only its own pages connect, since a browser may
    show other pages.
    """
    if not wanted:
        return {"dashboard": False}
    import dask

    with socket.create_server((LOOPBACK, 0)) as free:
        port = free.getsockname()[1]
    dask.config.set({ORIGINS: [f"{LOOPBACK}:{port}", f"localhost:{port}"]})
    return {"dashboard": True, "dashboard_address": f"{LOOPBACK}:{port}"}
