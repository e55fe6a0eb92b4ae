"""Workers on this machine: processes forked from one that has loaded their imports, or threads for debugging."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from pipeline.cluster.base import Cluster, Workers, check_dashboard
from pipeline.cluster.driver_scheduler import LOOPBACK, driver_scheduler
from pipeline.configuration.rules import at_least
from pipeline.errors import ConfigError, OutputError
from pipeline.storage.scratch import check_space, scratch
from pipeline.work.dask_log import LOG_VARIABLE

NO_WORKERS_SECONDS = 60.0
PRELOADED = ["pipeline.cluster.fork_server"]
"""What the process that workers are forked from imports, before modules of the grid."""
PRELOADED_LAST = "pipeline.cluster.fork_server_kernels"
GRIDS = "pipeline.grids."
"""The packages of shipped grids. Those of plugins may fail, and only workers import them."""


@dataclass(frozen=True)
class _LocalWorkers(Cluster):
    """Workers on this machine; by default one for each core that affinity and cgroup allow."""

    workers: int | None
    dashboard: bool = False
    on_this_machine = True

    def __post_init__(self) -> None:
        """Raise ConfigError, which names a key with a wrong value."""
        check_dashboard(self.dashboard)
        if self.workers is not None:
            at_least(1).check("cluster.workers", self.workers)

    @property
    def wanted(self) -> int:
        """The number of workers."""
        if self.workers is not None:
            return self.workers
        from dask.system import CPU_COUNT

        return int(CPU_COUNT)


class LocalProcesses(_LocalWorkers):
    """Worker processes on this machine, one thread each."""

    @contextmanager
    def opened(self, record_folder: Path, plugins: Sequence[str], shared: Path | None = None) -> Iterator[Workers]:  # noqa: ARG002 - forks have our code and folders
        """A client of these processes; Dask's own messages go to `log.txt`."""
        start_fork_server()

        import dask
        import distributed.utils
        from distributed import Nanny

        from pipeline.cluster.security import run_security
        from pipeline.cluster.without_http import Worker

        distributed.utils._forkserver_preload_set = True  # otherwise Dask replaces our preload list by its own
        dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"})
        listens = {"protocol": "tls://", "host": LOOPBACK, "security": run_security()}
        log = str((record_folder / "log.txt").absolute())
        options = {"worker_class": Worker, "nthreads": 1, "memory_limit": 0, "env": {LOG_VARIABLE: log}, **listens}
        workers = {index: {"cls": Nanny, "options": options} for index in range(self.wanted)}
        with driver_scheduler(record_folder, listens, dashboard=self.dashboard, workers=workers) as scheduler:
            yield Workers(
                client=scheduler.client,
                wanted=self.wanted,
                patience=NO_WORKERS_SECONDS,
                resources={},
                present=lambda: len(scheduler.workers()),
                why_none=_why_none,
            )


class LocalThreads(_LocalWorkers):
    """Worker threads of this process, for debugging: a breakpoint in our code works; a crash ends the driver."""

    @contextmanager
    def opened(self, record_folder: Path, plugins: Sequence[str], shared: Path | None = None) -> Iterator[Workers]:  # noqa: ARG002 - one process
        """A client of these threads; Dask's own messages go to `log.txt`."""
        from pipeline.cluster.without_http import Worker

        listens = {"protocol": "inproc://"}  # no port, so nothing outside this process can connect
        workers = {0: {"cls": Worker, "options": {"nthreads": self.wanted, "memory_limit": 0, **listens}}}
        with driver_scheduler(record_folder, listens, dashboard=self.dashboard, workers=workers) as scheduler:
            yield Workers(
                client=scheduler.client,
                wanted=self.wanted,
                patience=None,
                resources={},
                present=lambda: self.wanted,
                processes=False,
            )


def _why_none() -> str:
    """The known reason why workers do not restart: no space for temporary files."""
    try:
        check_space()
    except OutputError as error:
        return str(error)
    return ""


def start_fork_server(grid: str = "") -> None:
    """Start the process that workers are forked from; they inherit its compiled kernels.

    grid : package of a grid. If that is shipped, the process also imports what its workers need, as far as it exists

    It listens at a socket in the folder for temporary files, which other users cannot enter. Raises ConfigError if
    there can be no socket in that folder.
    """
    folder = scratch()
    modules = [f"{grid}.grid", f"{grid}.rows"] if grid.startswith(GRIDS) else []
    multiprocessing.get_context("forkserver").set_forkserver_preload([*PRELOADED, *modules, PRELOADED_LAST])
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # inherited: Ctrl-C is for the driver alone
    try:
        forkserver.ensure_running()
    except OSError as error:
        raise ConfigError(
            f"cannot start worker processes with temporary files in {folder}: {error}; set TMPDIR to another folder"
        ) from error
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def forked(act: Callable[..., None], *arguments: Any) -> Iterator[Connection]:
    """Call a function, during the block, in a process forked from the fork server.

    The function gets one end of a pipe before its arguments, the block the other end. Once the process has ended,
    receiving raises EOFError and sending OSError. The process ends with the block.
    """
    context = multiprocessing.get_context("forkserver")
    end, end_of_process = context.Pipe()
    process = context.Process(target=act, args=(end_of_process, *arguments))
    try:
        process.start()
    except (EOFError, OSError):  # somebody has killed the fork server meanwhile: this starts another
        process.start()
    end_of_process.close()
    try:
        yield end
    finally:
        process.terminate()
        process.join()
