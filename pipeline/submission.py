"""Chunks to workers and receipts back: a bounded number at a time, whatever becomes of the workers."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.errors import GOES_ON, NothingWorksError, OutputError, StoppedError, WorkersLostError
from pipeline.plan import Chunk, Chunks, GridRun
from pipeline.signals import StopRequest
from pipeline.work import Receipt, publish_chunk, publish_failure

if TYPE_CHECKING:
    from distributed import Client, Future

__all__ = ["submit_all"]

CHUNKS_PER_WORKER = 2
DRAIN_SECONDS = 10.0
NO_WORKERS_SECONDS = 60.0
MOST_FAILURES = 20  # items that may fail before the first has succeeded


@dataclass(frozen=True)
class _Failure:
    """An item that cannot be worked, and why."""

    item: int
    status: str
    error: str


@dataclass
class _Submission:
    """What is being worked, and what has become of the rest."""

    client: Client
    run: GridRun
    chunks: Chunks
    on_receipt: Callable[[Receipt], None]
    running: dict[Future, Chunk] = field(default_factory=dict)
    finished: queue.SimpleQueue[Future] = field(default_factory=queue.SimpleQueue)
    failures: list[_Failure] = field(default_factory=list)
    succeeded: bool = False

    def fill(self, window: int) -> None:
        """Submit chunks until `window` are running."""
        while self.chunks and len(self.running) < window:
            chunk = self.chunks.next()
            future = self.client.submit(publish_chunk, self.run, chunk, pure=False)
            self.running[future] = chunk
            future.add_done_callback(self.finished.put)

    def settle(self, future: Future) -> None:
        """Take note of a future that is done; a chunk that failed goes back in halves."""
        chunk = self.running.pop(future)
        if future.status == "cancelled":
            msg = f"the cluster is gone; {GOES_ON}"
            raise WorkersLostError(msg)
        error = future.exception()
        if error is None:
            receipt: Receipt = future.result()
            self.succeeded = True
            self.chunks.took(chunk, receipt.seconds)
            self.on_receipt(receipt)
        elif isinstance(error, OutputError):
            raise error
        elif chunk.items > 1:
            self.chunks.put_back(chunk.halves())
        else:
            self.failures.append(_failure(chunk.first, error))
        future.release()
        self.publish_failures(last=not self.chunks and not self.running)

    def publish_failures(self, *, last: bool) -> None:
        """Publish the rows of failed items, once it is known that not all fail."""
        if not self.succeeded and len(self.failures) >= MOST_FAILURES:
            last_error = self.failures[-1].error
            msg = (
                f"the first {len(self.failures)} {self.run.grid.noun} all failed, the last with: {last_error}\n"
                "none of their rows is kept: mend the cause and run the same command again"
            )
            raise NothingWorksError(msg)
        if self.succeeded or last:
            for failure in self.failures:
                part = publish_failure(self.run, failure.item, failure.status, failure.error)
                self.on_receipt(Receipt(part, 0.0, 0.0, 0.0))
            self.failures.clear()

    def drain(self) -> None:
        """Let what is running finish, for a while."""
        deadline = time.monotonic() + DRAIN_SECONDS
        while self.running and time.monotonic() < deadline:
            try:
                future = self.finished.get(timeout=0.2)
            except queue.Empty:
                continue
            self.running.pop(future, None)
            if future.status == "finished":
                self.on_receipt(future.result())


def submit_all(
    client: Client,
    run: GridRun,
    chunks: Chunks,
    workers: int,
    stop: StopRequest,
    on_receipt: Callable[[Receipt], None],
) -> None:
    """Have every chunk published, and call `on_receipt` for each as it is.

    A chunk that fails, or kills its workers, is tried again in halves; a single item that does gets rows that say so.

    Raises
    ------
    StoppedError
        A signal asked for it; what was being worked on is published.
    OutputError
        A part could not be written.
    NothingWorksError
        Many items failed and none succeeded; none of their rows is published.
    WorkersLostError
        The cluster is gone, or has had no worker for a minute.
    """
    submission = _Submission(client, run, chunks, on_receipt)
    last_seen = time.monotonic()
    while chunks or submission.running:
        if stop:
            submission.drain()
            msg = f"stopped; {GOES_ON}"
            raise StoppedError(msg, stop.number or 0)
        submission.fill(CHUNKS_PER_WORKER * workers)
        try:
            future = submission.finished.get(timeout=0.2)
        except queue.Empty:
            last_seen = _still_there(client, last_seen)
            continue
        last_seen = time.monotonic()
        submission.settle(future)


def _failure(item: int, error: BaseException) -> _Failure:
    from distributed import KilledWorker

    if isinstance(error, KilledWorker):
        return _Failure(item, "killed", "its worker died each time it was tried")
    return _Failure(item, "failed", f"{type(error).__name__}: {error}")


def _still_there(client: Client, last_seen: float) -> float:
    """When a worker was last known to be there; WorkersLostError where that is too long ago."""
    if client.status != "running":
        msg = f"the cluster is gone; {GOES_ON}"
        raise WorkersLostError(msg)
    if time.monotonic() - last_seen < NO_WORKERS_SECONDS:
        return last_seen
    if client.scheduler_info()["workers"]:
        return time.monotonic()
    msg = f"no worker for {NO_WORKERS_SECONDS:.0f} seconds; {GOES_ON}"
    raise WorkersLostError(msg)
