"""Threads of this very process, for debugging: a breakpoint in the work stops there, and a crash takes the driver."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.cluster.base import Workers
from pipeline.cluster.dashboard import LOOPBACK, check_dashboard, dashboard_options, tell_dashboard
from pipeline.cluster.dask_log import LOG_VARIABLE, log_to_file
from pipeline.cluster.local import LOCAL_DASK, workers_wanted

if TYPE_CHECKING:
    from pipeline.configuration.settings import Threads

__all__ = ["LocalThreads"]


@dataclass(frozen=True)
class LocalThreads:
    """So many threads of this process."""

    wanted: int
    dashboard: bool
    on_this_machine = True

    @staticmethod
    def of(cluster: Threads) -> LocalThreads:
        """As configured; without a number one for each core that affinity and cgroup leave us."""
        check_dashboard(cluster.dashboard)
        return LocalThreads(workers_wanted(cluster.workers), cluster.dashboard)

    def job_script(self) -> str | None:
        """There is no queue."""
        return None

    @contextmanager
    def opened(self, notes: Path, plugins: Sequence[str]) -> Iterator[Workers]:  # noqa: ARG002 - one process, one code
        """A client of these threads; Dask's own messages go to `log.txt`."""
        os.environ[LOG_VARIABLE] = str((notes / "log.txt").resolve())

        import dask
        from distributed import Client, LocalCluster

        dask.config.set(LOCAL_DASK)
        log_to_file()
        with (
            LocalCluster(
                n_workers=1,
                threads_per_worker=self.wanted,
                processes=False,
                worker_dashboard_address=LOOPBACK,  # its HTTP server would else listen to all machines
                dashboard_address=None,
                scheduler_kwargs=dashboard_options(self.dashboard),
                memory_limit=0,
                silence_logs=False,
            ) as cluster,
            Client(cluster) as client,
        ):
            tell_dashboard(client, self.dashboard)
            yield Workers(
                client=client,
                wanted=self.wanted,
                patience=None,
                resources={},
                present=lambda: self.wanted,
                why_none=lambda: "",
                processes=False,
            )
