"""Processes on this machine, forked from one that has loaded what they need."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import forkserver
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.cluster.base import SCHEDULER, Workers
from pipeline.cluster.dashboard import check_dashboard, dashboard_options, tell_dashboard
from pipeline.cluster.dask_log import LOG_VARIABLE, log_to_file
from pipeline.errors import ConfigError, WorkersLostError

if TYPE_CHECKING:
    from distributed import LocalCluster

    from pipeline.configuration.settings import Local

LOCAL_DASK = SCHEDULER | {
    # what follows watches the cluster for a dashboard that we do not have, at a tenth of a core
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.tick.interval": "500ms",
}
NO_WORKERS_SECONDS = 60.0
START_TRIES = 5

__all__ = ["LOCAL_DASK", "LocalProcesses", "start_fork_server", "workers_wanted"]


@dataclass(frozen=True)
class LocalProcesses:
    """So many processes on this machine, one thread each."""

    wanted: int
    dashboard: bool = False
    on_this_machine = True

    @staticmethod
    def of(cluster: Local) -> LocalProcesses:
        """As configured; without a number one for each core that affinity and cgroup leave us."""
        check_dashboard(cluster.dashboard)
        return LocalProcesses(workers_wanted(cluster.workers), cluster.dashboard)

    def job_script(self) -> str | None:
        """There is no queue."""
        return None

    @contextmanager
    def opened(self, notes: Path, plugins: Sequence[str]) -> Iterator[Workers]:  # noqa: ARG002 - forks have our code
        """A client of these processes; Dask's own messages go to `log.txt`."""
        start_fork_server()
        os.environ[LOG_VARIABLE] = str((notes / "log.txt").resolve())

        import dask
        import distributed.utils
        from distributed import Client

        distributed.utils._forkserver_preload_set = True  # else Dask puts its own preload list in place of ours
        dask.config.set({"distributed.worker.multiprocessing-method": "forkserver", **LOCAL_DASK})
        log_to_file()
        with (
            _started(
                n_workers=self.wanted,
                threads_per_worker=1,
                dashboard_address=None,
                scheduler_kwargs=dashboard_options(self.dashboard),
                memory_limit=0,
                silence_logs=False,
                env={LOG_VARIABLE: os.environ[LOG_VARIABLE]},
            ) as cluster,
            Client(cluster) as client,
        ):
            tell_dashboard(client, self.dashboard)
            yield Workers(
                client=client,
                wanted=self.wanted,
                patience=NO_WORKERS_SECONDS,
                resources={},
                present=lambda: len(client.scheduler_info()["workers"]),
                why_none=lambda: "",
            )


def _started(**options: Any) -> LocalCluster:
    """A cluster of Dask's on this machine, begun anew where a worker dies before it is there."""
    from distributed import LocalCluster

    tries = 0
    while True:
        tries += 1
        try:
            return LocalCluster(**options)
        except (RuntimeError, OSError, EOFError) as error:
            if tries == START_TRIES:
                why = error.__cause__ or error
                msg = f"the workers did not start, {tries} times, the last time with {type(why).__name__}: {why}"
                raise WorkersLostError(msg) from error


def workers_wanted(number: int | None) -> int:
    """As many as are asked for; without a number one for each core that affinity and cgroup leave us."""
    if number is None:
        from dask.system import CPU_COUNT

        return int(CPU_COUNT)
    if number < 1:
        msg = f"cluster.workers is {number}: expected 1 or more"
        raise ConfigError(msg)
    return number


def start_fork_server() -> None:
    """Start the process that workers are forked from; its children inherit kernels that are ready to run."""
    multiprocessing.get_context("forkserver").set_forkserver_preload(["pipeline.cluster.fork_server"])
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # inherited: Ctrl-C is for the driver alone
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
