"""Threads of this process, for debugging: a breakpoint in our code stops there, and a crash ends the driver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.cluster.base import Workers
from pipeline.cluster.dashboard import check_dashboard
from pipeline.cluster.driver_scheduler import driver_scheduler
from pipeline.cluster.local import workers_wanted

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
        from pipeline.cluster.without_http import Worker

        listens = {"protocol": "inproc://"}  # no port: nothing outside this process can connect
        workers = {0: {"cls": Worker, "options": {"nthreads": self.wanted, "memory_limit": 0, **listens}}}
        with driver_scheduler(notes, listens, dashboard=self.dashboard, workers=workers) as scheduler:
            yield Workers(
                client=scheduler.client,
                wanted=self.wanted,
                patience=None,
                resources={},
                present=lambda: self.wanted,
                why_none=lambda: "",
                processes=False,
            )
