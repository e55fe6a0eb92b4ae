"""A Dask client of a cluster with workers, from the configuration."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import forkserver
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.dask_log import LOG_VARIABLE, log_to_file
from pipeline.errors import ConfigError

if TYPE_CHECKING:
    from distributed import Client

    from pipeline.config import Local

DASK = {
    "distributed.worker.multiprocessing-method": "forkserver",
    # what follows watches the cluster for a dashboard that we do not have, at a tenth of a core
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.tick.interval": "500ms",
    "distributed.scheduler.work-stealing": False,
}

__all__ = ["local_workers", "opened", "start_fork_server"]


def local_workers(cluster: Local) -> int:
    """Number of worker processes: as configured, or the cores that affinity and cgroup leave us."""
    if cluster.workers is None:
        from dask.system import CPU_COUNT

        return int(CPU_COUNT)
    if cluster.workers < 1:
        msg = f"cluster.workers is {cluster.workers}: expected 1 or more"
        raise ConfigError(msg)
    return cluster.workers


@contextmanager
def opened(workers: int, log: Path) -> Iterator[Client]:
    """A client of that many single-threaded processes on this machine; Dask's own messages go to the file `log`."""
    start_fork_server()
    os.environ[LOG_VARIABLE] = str(log.resolve())

    import dask
    import distributed.utils
    from distributed import Client, LocalCluster

    distributed.utils._forkserver_preload_set = True  # else Dask puts its own preload list in place of ours
    dask.config.set(DASK)
    log_to_file()
    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # its HTTP server would else want a port of its own
            memory_limit=0,
            silence_logs=False,
            env={LOG_VARIABLE: os.environ[LOG_VARIABLE]},
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def start_fork_server() -> None:
    """Start the process that workers are forked from; its children inherit kernels that are ready to run."""
    multiprocessing.get_context("forkserver").set_forkserver_preload(["pipeline.fork_server"])
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # inherited: Ctrl-C is for the driver alone
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
