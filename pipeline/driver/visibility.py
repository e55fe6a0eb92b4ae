"""Compares what workers have published with the folder's listing, and waits for slow file systems.

Receipts, and the items in the names of part files, decide what is done. If a listing lags behind, the driver waits;
only items that do not appear are computed again.
"""

from __future__ import annotations

import socket
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from pipeline.errors import GOES_ON, OutputError
from pipeline.plain_text import note
from pipeline.plan import GridRun
from pipeline.storage.parts import Range, named_parts, without

__all__ = ["Published", "wait_until_listed"]

LISTING_SECONDS = 60.0  # that network file systems may serve an old listing, by their usual settings
LOOK_SECONDS = 0.2


class Published:
    """The items with receipts, as ranges: as few numbers as there are gaps between them."""

    def __init__(self) -> None:
        self._ends: list[int] = []  # first, stop, first, stop, …: sorted, no two adjacent
        self.again: list[Range] = []  # did not appear before, and were to be computed again

    def add(self, first: int, stop: int) -> None:
        """Note that these items are published."""
        left, right = bisect_left(self._ends, first), bisect_right(self._ends, stop)
        self._ends[left:right] = ([first] if left % 2 == 0 else []) + ([stop] if right % 2 == 0 else [])

    @property
    def ranges(self) -> list[Range]:
        """The ranges, in order."""
        return list(zip(self._ends[::2], self._ends[1::2], strict=True))


def wait_until_listed(run: GridRun, published: Published, stopped: Callable[[], bool]) -> None:
    """Return when the listing of the run's folders has all published items, or after LISTING_SECONDS.

    Raises OutputError: the same items did not appear before: workers write to another folder than this machine reads.
    """
    deadline = time.monotonic() + LISTING_SECONDS
    hidden = _hidden(run, published.ranges)
    if not hidden:
        return
    items = f"{sum(stop - first for first, stop in hidden):,} {run.grid.noun}"
    note(f"{items} are published, and {run.results} does not show them yet: waiting for the file system")
    while hidden and time.monotonic() < deadline and not stopped():
        time.sleep(LOOK_SECONDS)
        hidden = _hidden(run, hidden)
    if not hidden or stopped():
        return
    if without(hidden, published.again) != hidden:
        msg = (
            f"workers say again and again that they have published items {hidden[0][0]} to {hidden[0][1]}, and "
            f"{run.results} on {socket.gethostname()} does not show them: name a folder with output=… that workers and "
            f"this machine share; {GOES_ON}"
        )
        raise OutputError(msg)
    published.again = hidden
    note(f"they did not appear within {LISTING_SECONDS:.0f} seconds: missing items are computed again")


def _hidden(run: GridRun, ranges: Sequence[Range]) -> list[Range]:
    """The items of the ranges that are missing from a listing."""
    hidden = Published()
    for table in run.grid.tables:
        named = [(part.first, part.stop) for part in named_parts(run.folder(table))]
        for first, stop in without(ranges, named):
            hidden.add(first, stop)
    return hidden.ranges
