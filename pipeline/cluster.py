"""A Dask client of a cluster with workers, from the configuration."""

from __future__ import annotations

import logging
import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.config import Local
from pipeline.errors import ConfigError

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["local_workers", "log_to_file", "opened"]

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
LOG_VARIABLE = "ORCHARD_LOG"  # tells the fork server and its workers where the log is
LOGGERS = ("distributed", "distributed.client", "distributed.nanny", "distributed.worker", "tornado", "tornado.application")


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
    for variable in ONE_THREAD:
        os.environ.setdefault(variable, "1")
    os.environ[LOG_VARIABLE] = str(log.resolve())
    _start_fork_server()

    import dask
    from distributed import Client, LocalCluster

    log_to_file()
    dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"})
    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address=None,
            memory_limit=0,
            silence_logs=False,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def _start_fork_server() -> None:
    """Start the fork server now: it imports beside us, and its children inherit kernels that are ready to run."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["pipeline.fork_server"])
    from multiprocessing import forkserver

    forkserver.ensure_running()

    import distributed.utils

    distributed.utils._forkserver_preload_set = True  # else Dask puts its own preload list in place of ours


def log_to_file() -> None:
    """Send what Dask and tornado have to say in this process to the run's log, and nothing of it to the screen."""
    handler = logging.FileHandler(os.environ[LOG_VARIABLE], delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s %(message)s"))
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.propagate = False
