"""The form of trees that the options of T2, T3 and T3C allow, and the effort of a search."""

from __future__ import annotations

from dataclasses import dataclass

from algorithms._numba.compiling import Stopwatch
from algorithms.optimal.never import NEVER
from algorithms.optimal.solution import Effort, Status, Stopped


@dataclass(frozen=True)
class Form:
    """Trees with a branch for each value or interval, and one for unknown values."""

    depth: int  # most edges from the root to a leaf
    acceptable: float  # a node with at most this error rate is a leaf (MAE)
    leaf_intervals: int  # most intervals of a number whose branches are all leaves
    inner_intervals: int  # most intervals of any other number

    @property
    def monotone(self) -> bool:
        """Whether removing rows never increases the fewest errors.

        It can if a node with few enough errors must be a leaf: without some of its rows it may have too many.
        """
        return self.acceptable == 0


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
        return NEVER if self._effort.work is None else self._effort.work - self.work

    def add(self, work: int) -> None:
        """Add work; raise Stopped if a limit of work or time is exceeded."""
        self.work += work
        if self._effort.work is not None and self.work > self._effort.work:
            raise Stopped(Status.WORK_LIMIT)
        if self._effort.seconds is not None and self.seconds > self._effort.seconds:
            raise Stopped(Status.TIME_LIMIT)
