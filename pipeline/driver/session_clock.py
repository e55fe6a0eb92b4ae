"""Totals of one driver's session of a run."""

from __future__ import annotations

import resource
import time

from pipeline.record.environment import code, made_with
from pipeline.record.sessions import Session
from pipeline.work.publication import Receipt

__all__ = ["SessionClock"]


class SessionClock:
    """Adds up the receipts of a session."""

    def __init__(self) -> None:
        self.items, self.failed, self.tries_again, self.work, self.publish = 0, 0, 0, 0.0, 0.0
        self._began = time.strftime("%Y-%m-%dT%H:%M:%S%z")
        self._clock = time.monotonic()

    def add(self, receipt: Receipt) -> None:
        """Count a finished chunk."""
        self.items += receipt.items
        self.failed += receipt.failed
        self.tries_again += receipt.tries - 1
        self.work += receipt.work_cpu_seconds
        self.publish += receipt.publish_cpu_seconds

    def session(self, workers: int, outcome: str) -> Session:
        """The session so far; the driver's CPU time counts from the start of its process."""
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return Session(
            began=self._began,
            ended=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
            items=self.items,
            failed=self.failed,
            tries_again=self.tries_again,
            workers=workers,
            wall_seconds=round(time.monotonic() - self._clock, 3),
            driver_cpu_seconds=round(usage.ru_utime + usage.ru_stime, 3),
            work_cpu_seconds=round(self.work, 3),
            publish_cpu_seconds=round(self.publish, 3),
            outcome=outcome,
            made_with=made_with(),
            code=code(),
        )
