"""Threads of this process, for debugging: a breakpoint in our code stops there, and a crash ends the driver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pipeline.cluster.base import Workers
from pipeline.cluster.driver_scheduler import driver_scheduler
from pipeline.cluster.local import LocalWorkers

__all__ = ["LocalThreads"]


class LocalThreads(LocalWorkers):
    """So many threads of this process."""

    @contextmanager
    def opened(self, notes: Path, plugins: Sequence[str], shared: Path | None = None) -> Iterator[Workers]:  # noqa: ARG002 - one process
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
