"""Sends chunks to workers and takes receipts: a bounded number at a time, even if workers die."""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from pipeline.driver.signals import StopRequest
from pipeline.errors import RESUME_HINT, NothingWorksError, OutputError, StoppedError, WorkersLostError
from pipeline.plain_text import note
from pipeline.plan import Chunk, Chunks, GridRun
from pipeline.words import span
from pipeline.work.limits import Limits
from pipeline.work.publication import MOST_FAILURES, FailedItem, Receipt, publish_chunk, publish_failed
from pipeline.work.suspects import Suspect, publish_suspect

if TYPE_CHECKING:
    from distributed import Future

    from pipeline.cluster.base import Workers

CHUNKS_PER_WORKER = 2
"""One is computed and one waits. If chunks use the results of earlier ones, none waits: it would miss the latest."""
DRAIN_SECONDS = 10.0
LOOK_SECONDS = 1.0  # between looks at the workers, while nothing finishes
NOTE_SECONDS = 20.0  # between messages that there is no worker
TRIES_AT_ONCE = 5  # tries of a chunk, all but the first in a separate process, before it waits until all else is done
MOST_TRIES = 20  # tries of a chunk, and chunks lost in a row, after which the run ends


class _Task(NamedTuple):
    """A submitted chunk, the time, and the number of earlier tries."""

    chunk: Chunk
    submitted: float
    tries: int


@dataclass
class _Submission:
    """The running chunks, and the results of the others.

    finished     : futures that are done, with their receipts; Dask's thread puts them here
    suspects     : chunks that lost their worker and are tried again, before other chunks
    postponed    : suspects that were tried often; they wait until nothing else is left
    failed_items : items whose rows wait until some item of the run has succeeded
    """

    workers: Workers
    run: GridRun
    chunks: Chunks
    limits: Limits
    on_receipt: Callable[[Receipt], None]
    running: dict[Future, _Task] = field(default_factory=dict)
    finished: queue.SimpleQueue[tuple[Future, Receipt | None]] = field(default_factory=queue.SimpleQueue)
    suspects: deque[Suspect] = field(default_factory=deque)
    postponed: deque[Suspect] = field(default_factory=deque)
    lost_in_a_row: int = 0
    failed_items: list[FailedItem] = field(default_factory=list)
    succeeded: bool = False

    def __bool__(self) -> bool:
        """Whether anything is left to do."""
        return bool(self.chunks or self.suspects or self.postponed or self.running)

    def fill(self, window: int) -> None:
        """Submit suspects and chunks until `window` are running; postponed chunks when nothing else is left."""
        while (self.suspects or self.chunks or self.postponed) and len(self.running) < window:
            if self.suspects or not self.chunks:
                suspect = (self.suspects or self.postponed).popleft()
                task = _Task(suspect.chunk, time.monotonic(), suspect.tries)
                future = self.workers.submit(publish_suspect, self.run, suspect, self.limits)
            else:
                task = _Task(self.chunks.next(), time.monotonic(), 0)
                limits = replace(self.limits, shared=not self.workers.processes)
                future = self.workers.submit(publish_chunk, self.run, task.chunk, limits)
            self.running[future] = task
            self.workers.when_done(future, lambda *outcome: self.finished.put(outcome))

    def finish(self, future: Future, receipt: Receipt | None) -> None:
        """Handle a future that is done."""
        task = self.running.pop(future)
        if future.status == "cancelled":
            raise WorkersLostError(f"the cluster is gone; {RESUME_HINT}")
        if receipt is not None:
            self.take_receipt(receipt, task)
        elif isinstance(error := future.exception(), OutputError):
            raise error
        else:
            self.retry(task, error)
        future.release()
        self.publish_faileds(last=not self)

    def take_receipt(self, receipt: Receipt, task: _Task) -> None:
        """Count the receipt of a chunk; if the worker gave back the end of the chunk, it is submitted later."""
        self.succeeded |= bool(receipt.parts)
        self.run = replace(self.run, grid=self.run.grid.knowing(receipt.parts))
        self.lost_in_a_row = 0
        self.failed_items += receipt.failed_items
        if task.tries:
            if receipt.left:
                self.suspects.append(Suspect(receipt.left, task.tries, hung=False))
        else:
            if receipt.left:
                self.chunks.put_back(receipt.left)
            stop = receipt.left.first if receipt.left else task.chunk.stop
            self.chunks.took(Chunk(task.chunk.first, stop), receipt.seconds)
        self.on_receipt(receipt)

    def retry(self, task: _Task, error: BaseException) -> None:
        """Submit a chunk again whose worker died, or that did not reach a worker.

        If workers die all the time, whoever ends them, unlucky chunks wait. If nothing else finishes in between, the
        fault is the chunk's, or no worker can live.
        """
        chunk, tries = task.chunk, task.tries + 1
        self.lost_in_a_row += 1
        if tries >= MOST_TRIES and self.lost_in_a_row >= MOST_TRIES:
            items = f"{span(chunk.first, chunk.stop - 1)} ({self.run.grid.noun}, numbered from 0)"
            raise WorkersLostError(
                f"workers were lost {tries} times while they computed {items}, even in a separate process; the last "
                f"error: {_described(error)}; {RESUME_HINT}"
            )
        hung = time.monotonic() - task.submitted >= self.limits.seconds
        unlucky = tries >= TRIES_AT_ONCE and self.lost_in_a_row < MOST_TRIES
        (self.postponed if unlucky else self.suspects).append(Suspect(chunk, tries, hung))

    def publish_faileds(self, *, last: bool) -> None:
        """Publish the rows of failed items, once it is known that not all items fail."""
        if not self.succeeded and len(self.failed_items) >= MOST_FAILURES:
            failure = self.failed_items[-1].failure
            raise NothingWorksError(
                f"the first {len(self.failed_items)} {self.run.grid.noun} all failed; the last error: "
                f"{failure.error}\nTheir rows are not kept: remove the cause and run the same command again"
            )
        if self.succeeded or last:
            for item in self.failed_items:
                self.on_receipt(publish_failed(self.run, item))
            self.failed_items.clear()

    def drain(self) -> None:
        """Let running chunks finish, for a limited time."""
        deadline = time.monotonic() + DRAIN_SECONDS
        while self.running and time.monotonic() < deadline:
            try:
                future, receipt = self.finished.get(timeout=0.2)
            except queue.Empty:
                continue
            task = self.running.pop(future)
            if receipt is not None:
                self.take_receipt(receipt, task)
        self.publish_faileds(last=False)


def submit_all(
    workers: Workers,
    run: GridRun,
    chunks: Chunks,
    limits: Limits,
    stop: StopRequest,
    on_receipt: Callable[[Receipt], None],
    *,
    resumed: bool = False,
) -> None:
    """Compute and publish every chunk, and call `on_receipt` for each when it is published.

    A chunk whose worker dies is computed again in a separate process. An item that raises, or ends that process, gets
    rows that say so.

    resumed : whether other items of the run are published already, so that the fault is in the items if all fail now

    Raises StoppedError: a signal stops the run; running chunks were published.
    Raises OutputError: a part file could not be written.
    Raises NothingWorksError: many items failed and no item of the run succeeded; none of their rows are published.
    Raises WorkersLostError: the cluster is gone, has had no worker for longer than its patience, or one chunk kills
    worker after worker.
    """
    submission = _Submission(workers, run, chunks, limits, on_receipt, succeeded=resumed)
    presence = _Presence(workers)
    per_worker = 1 if run.grid.informed else CHUNKS_PER_WORKER
    while submission:
        if stop:
            submission.drain()
            raise StoppedError(f"stopped; {RESUME_HINT}", stop.number or 0)
        width = workers.width()
        chunks.workers = width or chunks.workers
        submission.fill(per_worker * width)
        try:
            future, receipt = submission.finished.get(timeout=0.2)
        except queue.Empty:
            presence.check()
            continue
        presence.seen()
        submission.finish(future, receipt)


def _described(error: BaseException) -> str:
    from distributed import KilledWorker

    return "the worker died" if isinstance(error, KilledWorker) else f"{type(error).__name__}: {error}"


class _Presence:
    """When a worker was last known to be present."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._last_seen = self._last_look = self._last_note = time.monotonic()

    def seen(self) -> None:
        """Note that a worker has just finished a task."""
        self._last_seen = time.monotonic()

    def check(self) -> None:
        """Look at the workers at intervals; WorkersLostError if the cluster is gone or has had none for too long."""
        if self._workers.client.status != "running":
            raise WorkersLostError(f"the cluster is gone; {RESUME_HINT}")
        now = time.monotonic()
        if now - max(self._last_seen, self._last_look) < LOOK_SECONDS:
            return
        self._last_look = now
        if self._workers.present():
            self._last_seen = now
            return
        why, patience = self._workers.why_none(), self._workers.patience
        reason = f" ({why})" if why else ""
        if patience is not None and now - self._last_seen >= patience:
            raise WorkersLostError(
                f"there was no worker for {patience:g} s, the limit of cluster.patience{reason}; {RESUME_HINT}"
            )
        if now - max(self._last_seen, self._last_note) >= NOTE_SECONDS:
            self._last_note = now
            end = "waiting" if patience is None else f"the run stops after {patience:g} s without one"
            note(f"there has been no worker for {now - self._last_seen:.0f} s{reason}; {end}")
