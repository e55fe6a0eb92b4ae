"""The progress of a run: on the screen, and in a file that other terminals can read."""

from __future__ import annotations

import json
import os
import platform
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.plan import GridRun
from pipeline.record.environment import code, made_with
from pipeline.record.sessions import Session
from pipeline.screen import RunProgress
from pipeline.storage.atomic import write_atomically
from pipeline.storage.locations import contents, modified, storage_errors
from pipeline.summary.exact_json import parsed
from pipeline.words import counted
from pipeline.work.publication import Receipt

if TYPE_CHECKING:
    from pipeline.cluster.base import Workers

FILE = "progress.json"
WRITE_SECONDS = 2.0  # between two writes of the file
RATE_SECONDS = 60.0  # time over which the rate is measured


@dataclass(frozen=True)
class ProgressRecord:
    """The content of `progress.json`: the last message of a driver about its run.

    pid, host, since : its process, and when it began, as text
    cluster, wanted  : the kind of cluster, and the planned number of workers; None: as many as connect
    workers          : the number of workers present
    done, failed     : finished items of all sessions; cells of this session that failed or met a limit
    rate             : items a second, over the last minute or since the start; None: no item is finished yet
    ended            : whether nothing is left to compute
    """

    pid: int
    host: str
    since: str
    cluster: str
    wanted: int | None
    workers: int
    done: int
    failed: int
    rate: float | None
    ended: bool


class Progress:
    """The progress of one session of a run.

    The file is written at most every two seconds, and only after a change. A failure to write it does not stop the run.
    """

    def __init__(self, run: GridRun, cluster: str, wanted: int | None, done: int) -> None:
        since = time.strftime("%Y-%m-%d %H:%M:%S")
        self._record = ProgressRecord(
            os.getpid(), platform.node(), since, cluster, wanted, wanted or 0, done, 0, None, ended=False
        )
        self._file = run.record_folder / FILE
        on = f"{cluster}" if wanted is None else f"{counted(wanted, 'worker')} ({cluster})"
        self._screen = RunProgress(f"{run.name} on {on}", run.grid.noun, run.grid.items, done)
        self._samples = deque([(time.monotonic(), done)])
        self._written = -WRITE_SECONDS
        self._present: Callable[[], int] | None = None

    def __enter__(self) -> Progress:
        self._screen.__enter__()
        self._write()
        return self

    def __exit__(self, *_: object) -> None:
        self._screen.__exit__()
        self._record = replace(self._record, ended=True)
        self._write()

    def reporting(self, workers: Workers) -> Workers:
        """The same workers; their number is reported each time it is read, and is read again from time to time."""
        self._present = workers.present
        return replace(workers, present=self._count_workers)

    def add(self, receipt: Receipt) -> None:
        """Count a finished chunk."""
        items, record = receipt.items, self._record
        self._record = replace(record, done=record.done + items, failed=record.failed + receipt.failed)
        self._screen.advance(items, receipt.failed)
        if self._is_due() and self._present is not None:
            self._count_workers()

    def _count_workers(self) -> int:
        assert self._present is not None
        present = self._present()
        self._screen.workers(present, self._record.wanted)
        self._record = replace(self._record, workers=present)
        if self._is_due():
            self._write()
        return present

    def _is_due(self) -> bool:
        return time.monotonic() - self._written >= WRITE_SECONDS

    def _write(self) -> None:
        """Write the file, with the rate since the oldest sample of the last minute."""
        now, done = time.monotonic(), self._record.done
        self._written = now
        self._samples.append((now, done))
        while len(self._samples) > 2 and now - self._samples[1][0] > RATE_SECONDS:
            self._samples.popleft()
        began, before = self._samples[0]
        if done > before:
            self._record = replace(self._record, rate=round((done - before) / max(now - began, 1e-9), 6))
        with suppress(*storage_errors()):
            write_atomically(self._file, json.dumps(asdict(self._record)).encode())


def read_progress(record_folder: Path) -> tuple[ProgressRecord, float] | None:
    """The last message of a run's driver, and its age in seconds; None if there is no readable one."""
    path = record_folder / FILE
    try:
        record = parsed(ProgressRecord, contents(path))
        if record is None or (record.rate is not None and record.rate <= 0):
            return None
        return record, max(0.0, time.time() - modified(path))
    except storage_errors():
        return None


class SessionTotals:
    """Adds up the receipts of a session."""

    def __init__(self) -> None:
        self.items, self.failed, self.tries_again, self.work, self.publish = 0, 0, 0, 0.0, 0.0
        self._began = time.strftime("%Y-%m-%dT%H:%M:%S%z")
        self._start, self._start_cpu = time.monotonic(), time.process_time()

    def add(self, receipt: Receipt) -> None:
        """Count a finished chunk."""
        self.items += receipt.items
        self.failed += receipt.failed
        self.tries_again += receipt.tries - 1
        self.work += receipt.work_cpu_seconds
        self.publish += receipt.publish_cpu_seconds

    def session(self, workers: int, outcome: str) -> Session:
        """The session so far."""
        return Session(
            began=self._began,
            ended=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
            items=self.items,
            failed=self.failed,
            tries_again=self.tries_again,
            workers=workers,
            wall_seconds=round(time.monotonic() - self._start, 3),
            driver_cpu_seconds=round(time.process_time() - self._start_cpu, 3),
            work_cpu_seconds=round(self.work, 3),
            publish_cpu_seconds=round(self.publish, 3),
            outcome=outcome,
            made_with=made_with(),
            code=code(),
        )
