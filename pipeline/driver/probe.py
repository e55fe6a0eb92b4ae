"""Only workers that share the output with the driver are given tasks.

A worker may have a folder of the same name that is its own; what it published there would be lost. So each one, when it
comes, reads a file that the driver has written and writes one that the driver reads. It then gets a Dask resource that
every task asks for; one that fails gets none, and is named.
"""

from __future__ import annotations

import asyncio
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.cluster.admission import look_again
from pipeline.errors import GOES_ON, OutputError
from pipeline.screen import note
from pipeline.storage.atomic import in_object_store, write_atomically
from pipeline.storage.places import matching, storage_errors

if TYPE_CHECKING:
    from pipeline.cluster.base import Workers

__all__ = ["sharing"]

LOOK_SECONDS = 0.3  # between looks at which workers there are, and for a file
SIGHT_SECONDS = 10.0  # that a file may take from one machine to another
REFUSED_SECONDS = 5.0  # that a run waits for others when all that have come are refused
MOST_ASKED = 32  # workers at a time
SHARE = (
    "name a folder with output=… that all machines of the cluster and this one have under one name, or an address such "
    "as s3://bucket/prefix"
)
KEYS = "give the workers, too, the store's keys and endpoint, in their environment or in its files"


@contextmanager
def sharing(workers: Workers, folder: Path) -> Iterator[Workers]:
    """These workers, of which only those take tasks that share a run's folder with this process.

    `present` of what is yielded raises OutputError where there are only others.
    """
    token = uuid.uuid4().hex
    notes = folder / "_run"
    write_atomically(notes / f"probe-{token}", token.encode())
    probe = _Probe(workers, notes, token)
    looking = threading.Thread(target=probe.look, daemon=True, name="probe")
    looking.start()
    try:
        yield replace(
            workers,
            resources={**workers.resources, probe.resource: 1.0},
            present=probe.present,
            why_none=probe.why_none,
        )
    finally:
        probe.ended.set()
        looking.join(timeout=LOOK_SECONDS)  # no longer: a scheduler that hangs does not answer it
        with suppress(*storage_errors()):
            for path in matching(notes, f"probe-{token}*"):
                path.unlink(missing_ok=True)


class _Probe:
    """Tries each worker when it comes."""

    def __init__(self, workers: Workers, notes: Path, token: str) -> None:
        self.resource = f"orchard-folder-{token}"
        self.ended = threading.Event()
        self._workers, self._notes, self._token = workers, notes, token
        self._asked: set[str] = set()
        self._sharing: set[str] = set()
        self._refused: dict[str, str] = {}
        self._changed = time.monotonic()

    def present(self) -> int:
        """How many workers share the folder; OutputError where only others have come, and no more do."""
        fit = self._workers.present()
        refused = list(self._refused.values())
        lately = time.monotonic() - self._changed < REFUSED_SECONDS
        if refused and not self._sharing and not lately and len(refused) >= fit:
            msg = f"{refused[0]}: {KEYS if in_object_store(self._notes) else SHARE}; {GOES_ON}"
            raise OutputError(msg)
        return min(fit, len(self._sharing))

    def why_none(self) -> str:
        """Why there is none, where that is known."""
        return next(iter(self._refused.values()), "") or self._workers.why_none()

    def look(self) -> None:
        """Look for workers that have come and gone, until the end."""
        while not self.ended.wait(LOOK_SECONDS):
            with suppress(Exception):  # the cluster is silent or gone, which others find out
                known = self._workers.client.scheduler_info()["workers"]
                fit = {at for at, of in known.items() if self._workers.resources.items() <= of["resources"].items()}
                self._sharing &= fit
                for address in self._refused.keys() - fit:
                    del self._refused[address]
                new = fit - self._sharing - self._refused.keys() - self._asked
                for address in sorted(new)[: MOST_ASKED - len(self._asked)]:
                    self._asked.add(address)
                    self._changed = time.monotonic()
                    threading.Thread(target=self._try, args=(address,), daemon=True).start()

    def _try(self, address: str) -> None:
        """Find out whether a worker shares the folder, and let it have tasks if so."""
        try:
            wrong = self._wrong(address)
        except OSError:  # it has gone, or goes
            return
        except Exception as error:
            wrong = f"worker {address} cannot be tried ({type(error).__name__}: {error})"
        finally:
            self._asked.discard(address)
        self._changed = time.monotonic()
        if wrong:
            self._refused[address] = wrong
            note(f"left out: {wrong}")
        else:
            self._sharing.add(address)

    def _wrong(self, address: str) -> str:
        """What is wrong with a worker; nothing where it shares the folder, and then tasks may go to it."""
        here, mine = socket.gethostname(), f"probe-{self._token}-{uuid.uuid4().hex}"
        sight: _Sight = self._answer(address, _see, self._notes, f"probe-{self._token}", mine, here)
        who = f"worker {address} on {sight.host}"
        if sight.wrong:
            return f"{who} {sight.wrong}"
        if not _within(SIGHT_SECONDS, lambda: _reads(self._notes / mine)):
            return f"{who} writes to a {self._notes.parent} that {here} does not see"
        self._answer(address, _admit, self.resource)
        return ""

    def _answer(self, address: str, function: Callable[..., Any], *arguments: object) -> Any:
        return self._workers.client.run(function, *arguments, workers=[address])[address]


@dataclass(frozen=True)
class _Sight:
    """What a worker says of the folder: where it is, and what is wrong; empty where it has read and written."""

    host: str
    wrong: str


async def _see(notes: Path, theirs: str, mine: str, driver: str) -> _Sight:
    """On a worker: read what the driver wrote, then write what the driver shall read."""
    return await asyncio.to_thread(_seen, notes, theirs, mine, driver)


def _seen(notes: Path, theirs: str, mine: str, driver: str) -> _Sight:
    host = socket.gethostname()
    try:
        if not _within(SIGHT_SECONDS, lambda: _reads(notes / theirs)):
            return _Sight(host, f"does not see in {notes.parent} what {driver} writes there")
        write_atomically(notes / mine, mine.encode())
    except storage_errors() as error:
        return _Sight(host, f"cannot write to {notes.parent} ({getattr(error, 'strerror', None) or error})")
    return _Sight(host, "")


async def _admit(resource: str, dask_worker: Any) -> None:
    """On a worker: have the resource that tasks ask for."""
    await dask_worker.set_resources(**{resource: 1.0})
    look_again(dask_worker)


def _reads(path: Path) -> bool:
    """Whether a file of the probe is there, with its content."""
    try:
        return bool(path.read_bytes()) and path.name.endswith(path.read_text())
    except FileNotFoundError:
        return False


def _within(seconds: float, condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= deadline:
            return False
        time.sleep(LOOK_SECONDS)
    return True
