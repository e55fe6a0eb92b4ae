"""The work and time that a search has used."""

from __future__ import annotations

from algorithms._numba.compiling import Stopwatch
from algorithms.optimal.solution import Effort, Status, Stopped

UNLIMITED = 2**62
"""More work than any search does."""


class Spent:
    """Counts work, one unit for each row and attribute examined, and watches the clock."""

    def __init__(self, effort: Effort) -> None:
        self._effort = effort
        self._clock = Stopwatch()
        self.work = 0

    @property
    def seconds(self) -> float:
        """The seconds since the search began."""
        return self._clock.seconds

    @property
    def left(self) -> int:
        """The work left."""
        return UNLIMITED if self._effort.work is None else self._effort.work - self.work

    def add(self, work: int) -> None:
        """Add work; raise Stopped if a limit of work or time is exceeded."""
        self.work += work
        if self._effort.work is not None and self.work > self._effort.work:
            raise Stopped(Status.WORK_LIMIT)
        if self._effort.seconds is not None and self.seconds > self._effort.seconds:
            raise Stopped(Status.TIME_LIMIT)
