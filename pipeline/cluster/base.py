"""The interface of every kind of cluster, and what a run sees of an open one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.configuration.rules import Rule
from pipeline.errors import ConfigError

if TYPE_CHECKING:
    from distributed import Client, Future

SCHEDULER_CONFIG = {
    "distributed.scheduler.allowed-failures": 0,  # the first death of a worker already makes its chunks suspects
    "distributed.scheduler.worker-ttl": "60s",  # a worker that is silent for this long is ended and replaced
    "distributed.scheduler.work-stealing": False,
    # messages kept of each connection, for developers; the usual 1,000 are some 4 MB for each worker of a long run
    "distributed.admin.low-level-log-length": 20,
}
"""Dask's configuration for the schedulers that we start."""

PATIENCE = Rule("a number of seconds above 0", lambda seconds: seconds > 0)
"""The rule for `patience` of a cluster; null: no limit."""

BROKEN_SECONDS = 0.2  # between attempts to fetch a result


@dataclass(frozen=True)
class Workers:
    """The workers of an open cluster.

    client    : a client of its scheduler
    wanted    : the planned number of workers; None: as many as connect
    patience  : seconds without any worker after which a run ends; None: no limit
    resources : Dask resources that a task requires, so that only fit workers take it; none if all are fit
    present   : the number of workers that may take tasks; raises WorkersLostError if none ever will
    why_none  : a line that says why there are none yet, such as a queue's status; empty if unknown
    processes : whether each worker is a process, which may be limited and may die; otherwise it is a thread
    """

    client: Client
    wanted: int | None
    patience: float | None
    resources: Mapping[str, float]
    present: Callable[[], int]
    why_none: Callable[[], str] = str
    processes: bool = True

    def width(self) -> int:
        """The number of workers to keep busy; raises WorkersLostError as `present` does."""
        return self.present() if self.wanted is None else self.wanted

    def submit(self, task: Callable[..., Any], *arguments: Any) -> Future:
        """Make a worker call the task; a submitted task is tried once."""
        return self.client.submit(task, *arguments, pure=False, resources=dict(self.resources) or None)

    def when_done(self, future: Future, notify: Callable[[Future, Any], None]) -> None:
        """Make Dask's thread call `notify` with the finished future and its result; None if it has no result.

        Many results are fetched at a time. One after another, each would take a round trip to the scheduler.
        """
        import asyncio  # not while the command begins, because the fork server starts only then

        async def fetched() -> None:
            while True:
                try:
                    results = await self.client.gather([future], errors="skip", asynchronous=True)
                except OSError:  # a broken connection; if it was the scheduler's, the future is cancelled soon
                    await asyncio.sleep(BROKEN_SECONDS)
                else:
                    return notify(future, results[0] if results else None)

        self.client.loop.add_callback(fetched)


class Cluster(ABC):
    """A configured cluster; nothing is started before `opened`.

    on_this_machine : whether its workers are processes of this machine with the same code, clock and file system
    """

    on_this_machine = False

    @property
    def wanted(self) -> int | None:
        """The planned number of workers; None: as many as connect."""
        return None

    def job_script(self) -> str | None:
        """The script that a queue gets for each job; None without a queue."""
        return None

    @abstractmethod
    def opened(
        self, record_folder: Path, plugins: Sequence[str], shared: Path | None = None
    ) -> AbstractContextManager[Workers]:
        """Open the cluster for the time of the block.

        record_folder : the folder for Dask's own messages and the logs of jobs
        plugins       : the user's own import packages. Workers elsewhere must have the same code.
        shared        : the folder of the run's results. Workers on other machines must share it with this process.

        Raises WorkersLostError: the cluster cannot be reached, or its workers have other code or versions.
        """


def check_dashboard(wanted: bool) -> None:
    """Raise ConfigError if a dashboard is wanted and its package is missing."""
    if wanted and find_spec("bokeh") is None:
        raise ConfigError("cluster.dashboard needs the package bokeh: pip install 'orchard-trees[dashboard]'")
