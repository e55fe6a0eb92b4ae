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
    from distributed import Future

    from pipeline.cluster.base import Workers

__all__ = ["submit_all"]

CHUNKS_PER_WORKER = 2
DRAIN_SECONDS = 10.0
ASKS_SECONDS = 1.0  # between looks at which workers there are, while nothing finishes
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

    workers: Workers
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
            future = self.workers.submit(publish_chunk, self.run, chunk)
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
    workers: Workers,
    run: GridRun,
    chunks: Chunks,
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
        The cluster is gone, or has had no worker for longer than its patience.
    """
    submission = _Submission(workers, run, chunks, on_receipt)
    presence = _Presence(workers)
    while chunks or submission.running:
        if stop:
            submission.drain()
            msg = f"stopped; {GOES_ON}"
            raise StoppedError(msg, stop.number or 0)
        width = workers.width()
        chunks.workers = width or chunks.workers
        submission.fill(CHUNKS_PER_WORKER * width)
        try:
            future = submission.finished.get(timeout=0.2)
        except queue.Empty:
            presence.check()
            continue
        presence.seen()
        submission.settle(future)


def _failure(item: int, error: BaseException) -> _Failure:
    from distributed import KilledWorker

    if isinstance(error, KilledWorker):
        return _Failure(item, "killed", "its worker died each time it was tried")
    return _Failure(item, "failed", f"{type(error).__name__}: {error}")


class _Presence:
    """When a worker was last known to be there."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._last_seen = self._last_asked = time.monotonic()

    def seen(self) -> None:
        """Note that one has just finished something."""
        self._last_seen = time.monotonic()

    def check(self) -> None:
        """Ask, at times, which there are; WorkersLostError where the cluster is gone or has had none for too long."""
        if self._workers.client.status != "running":
            msg = f"the cluster is gone; {GOES_ON}"
            raise WorkersLostError(msg)
        now = time.monotonic()
        if now - max(self._last_seen, self._last_asked) < ASKS_SECONDS:
            return
        self._last_asked = now
        if self._workers.present():
            self._last_seen = now
        elif self._workers.patience is not None and now - self._last_seen >= self._workers.patience:
            why = self._workers.why_none()
            msg = f"no worker for {self._workers.patience:.0f} seconds{f' ({why})' if why else ''}; {GOES_ON}"
            raise WorkersLostError(msg)
