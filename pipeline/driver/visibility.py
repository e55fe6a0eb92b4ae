"""Compares what workers have published with the folder's listing, and waits for slow file systems.

Receipts, and the items in the names of part files, decide what is done. If a listing lags behind, the driver waits;
only items that do not appear are computed again.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from pipeline.errors import RESUME_HINT, OutputError
from pipeline.plain_text import note
from pipeline.plan import GridRun
from pipeline.storage.parts import Range, items_in, named_parts, union, without
from pipeline.words import span

LISTING_SECONDS = 60.0  # that network file systems may serve an old listing, by their usual settings
LOOK_SECONDS = 0.2


def wait_until_listed(
    run: GridRun, published: Iterable[Range], again: Sequence[Range], stopped: Callable[[], bool]
) -> list[Range]:
    """Wait until the listing of the run's folders has all published items, LISTING_SECONDS at most.

    published : items with receipts
    again     : those that did not appear before, and were to be computed again

    Returns the items that did not appear, or else `again`. Raises OutputError if some of `again` did not appear:
    workers write to another folder than this machine reads.
    """
    deadline = time.monotonic() + LISTING_SECONDS
    hidden = _hidden(run, union(published))
    if not hidden:
        return [*again]
    items = f"{items_in(hidden):,} of {run.grid.items:,} {run.grid.noun}"
    note(f"published: {items}, but {run.results} does not show them yet: waiting for the file system")
    while hidden and time.monotonic() < deadline and not stopped():
        time.sleep(LOOK_SECONDS)
        hidden = _hidden(run, hidden)
    if not hidden or stopped():
        return [*again]
    if without(hidden, again) != hidden:
        raise OutputError(
            f"workers have reported repeatedly that the rows of {span(hidden[0][0], hidden[0][1] - 1)} are published, "
            f"but {run.results} on {socket.gethostname()} does not show these rows: set output=… to a folder that "
            f"workers and this machine share; {RESUME_HINT}"
        )
    note(f"the part files did not appear within {LISTING_SECONDS:.0f} seconds: missing items are computed again")
    return hidden


def _hidden(run: GridRun, ranges: Sequence[Range]) -> list[Range]:
    """The items of the ranges that are missing from a listing."""
    by_table = ([(part.first, part.stop) for part in named_parts(run.folder(table))] for table in run.grid.tables)
    return union(chain.from_iterable(without(ranges, listed) for listed in by_table))
