"""Whether the driver sees what workers write: a probe before any work, patience with the file system after it.

What is done is decided by receipts and by the items that parts are named after. A listing that lags behind is waited
for; only what does not come up is made again.
"""

from __future__ import annotations

import socket
import time
import uuid
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.atomic import write_atomically
from pipeline.errors import GOES_ON, OutputError
from pipeline.plan import GridRun
from pipeline.screen import note
from pipeline.storage import matching, storage_errors
from pipeline.store import Range, items_named, without

if TYPE_CHECKING:
    from pipeline.cluster.base import Workers

__all__ = ["Published", "probe", "wait_until_listed"]

PROBE_SECONDS = 10.0  # that a file may take from one machine to another
LISTING_SECONDS = 60.0  # that network file systems may keep an old listing, by their usual settings
LOOK_SECONDS = 0.2


class Published:
    """The items that receipts came for, as ranges: as few numbers as there are gaps between them."""

    def __init__(self) -> None:
        self._ends: list[int] = []  # first, stop, first, stop, …: sorted, none touching another
        self.again: set[Range] = set()

    def add(self, first: int, stop: int) -> None:
        """Note that these items are published."""
        left, right = bisect_left(self._ends, first), bisect_right(self._ends, stop)
        self._ends[left:right] = ([first] if left % 2 == 0 else []) + ([stop] if right % 2 == 0 else [])

    @property
    def ranges(self) -> list[Range]:
        """The ranges, in order."""
        return list(zip(self._ends[::2], self._ends[1::2], strict=True))


def wait_until_listed(run: GridRun, published: Published, stopped: Callable[[], bool]) -> None:
    """Return when the listing of the run's folders names all that was published, or has had its time.

    Raises
    ------
    OutputError
        The same items have been published and not seen before: where workers write is not where this machine looks.
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
    if not published.again.isdisjoint(hidden):
        msg = (
            f"workers say again and again that they have published items {hidden[0][0]} to {hidden[0][1]}, and "
            f"{run.results} on {socket.gethostname()} does not show them: name a folder with output=… that workers and "
            f"this machine share; {GOES_ON}"
        )
        raise OutputError(msg)
    published.again.update(hidden)
    note(f"they did not come up in {LISTING_SECONDS:.0f} seconds: what is missing is made again")


def _hidden(run: GridRun, ranges: Sequence[Range]) -> list[Range]:
    """What of the ranges the names in one folder or another leave out."""
    hidden: list[Range] = []
    for table in run.grid.tables:
        hidden += without(ranges, items_named(run.folder(table)))
    return sorted(set(hidden))


@dataclass(frozen=True)
class _Sight:
    """What a worker says of the folder: where it is, and what is wrong; empty where it has read and written."""

    host: str
    wrong: str


def probe(workers: Workers, folder: Path) -> None:
    """Have every worker there is read a file of ours in a run's folder, and write one that we read.

    Raises
    ------
    OutputError
        Names a worker that cannot, and its host.
    """
    token = uuid.uuid4().hex
    notes = folder / "_run"
    try:
        write_atomically(notes / f"probe-{token}", token.encode())
        sights: dict[str, _Sight | Exception] = workers.client.run(
            _look, notes, token, socket.gethostname(), workers=_fit(workers), on_error="return"
        )
        _check(folder, sights, _unseen(notes, token, len(sights)))
    finally:
        for path in matching(notes, f"probe-{token}*"):
            with suppress(*storage_errors()):
                path.unlink()


def _fit(workers: Workers) -> list[str]:
    """The addresses of the workers that may take tasks."""
    known = workers.client.scheduler_info()["workers"]
    return [address for address, of in known.items() if workers.resources.items() <= of.get("resources", {}).items()]


def _check(folder: Path, sights: dict[str, _Sight | Exception], unseen: Callable[[str], bool]) -> None:
    for address, sight in sights.items():
        if isinstance(sight, Exception):
            where, wrong = address, f"cannot try: {type(sight).__name__}: {sight}"
        else:
            where, wrong = f"{address} on {sight.host}", sight.wrong
            if not wrong and unseen(address):
                wrong = f"writes to a {folder} of its own, which {socket.gethostname()} does not see"
        if wrong:
            msg = (
                f"worker {where} {wrong}: name a folder with output=… that all machines of the cluster and this one "
                "share under one name, or an address such as s3://bucket/prefix"
            )
            raise OutputError(msg)


def _look(notes: Path, token: str, driver: str, dask_worker: object = None) -> _Sight:
    """On a worker: read what the driver wrote, then write what the driver shall read."""
    host, mine = socket.gethostname(), _file_of(getattr(dask_worker, "address", ""))
    try:
        if not _within(PROBE_SECONDS, lambda: _reads(notes / f"probe-{token}", token)):
            return _Sight(host, f"does not see in {notes.parent} what {driver} writes there")
        write_atomically(notes / f"probe-{token}-{mine}", token.encode())
    except storage_errors() as error:
        return _Sight(host, f"cannot use {notes.parent} ({error})")
    return _Sight(host, "")


def _unseen(notes: Path, token: str, number: int) -> Callable[[str], bool]:
    """Whether the file of a worker does not come up; all have the same time for it."""
    _within(PROBE_SECONDS, lambda: len(matching(notes, f"probe-{token}-*")) >= number)
    return lambda address: not _reads(notes / f"probe-{token}-{_file_of(address)}", token)


def _file_of(address: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in address)


def _reads(path: Path, content: str) -> bool:
    try:
        return path.read_text() == content
    except FileNotFoundError:
        return False


def _within(seconds: float, condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= deadline:
            return False
        time.sleep(LOOK_SECONDS)
    return True
