"""Chunks to workers and receipts back: a bounded number at a time, whatever becomes of the workers."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import OutputError, StoppedError, WorkersLostError
from pipeline.grids.base import Grid
from pipeline.plan import Chunk, Chunks
from pipeline.signals import StopRequest
from pipeline.work import Receipt, publish_chunk, publish_failure

if TYPE_CHECKING:
    from distributed import Client, Future

__all__ = ["submit_all"]

CHUNKS_PER_WORKER = 2
DRAIN_SECONDS = 10.0
NO_WORKERS_SECONDS = 60.0


def submit_all(
    client: Client,
    grid: Grid,
    chunks: Chunks,
    folder: Path,
    run: str,
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
    WorkersLostError
        The cluster is gone, or has had no worker for a minute.
    """
    finished: queue.SimpleQueue[Future] = queue.SimpleQueue()
    running: dict[Future, Chunk] = {}
    window = CHUNKS_PER_WORKER * workers
    last_seen = time.monotonic()
    while chunks or running:
        while chunks and len(running) < window and not stop:
            chunk = chunks.next()
            future = client.submit(publish_chunk, grid, chunk, folder, run, pure=False)
            running[future] = chunk
            future.add_done_callback(finished.put)
        if stop:
            _drain(running, finished, on_receipt)
            msg = "stopped; what is done is kept, and the same command goes on from here"
            raise StoppedError(msg, stop.number or 0)
        try:
            future = finished.get(timeout=0.2)
        except queue.Empty:
            last_seen = _still_there(client, last_seen)
            continue
        last_seen = time.monotonic()
        chunk = running.pop(future)
        receipt = _receipt(future, grid, chunk, folder, run)
        if isinstance(receipt, Receipt):
            chunks.took(chunk, receipt.seconds)
            on_receipt(receipt)
        elif receipt:
            chunks.put_back(receipt)
        future.release()


def _receipt(future: Future, grid: Grid, chunk: Chunk, folder: Path, run: str) -> Receipt | tuple[Chunk, ...]:
    """The receipt of a finished chunk, or the chunks to try in its place."""
    from distributed import KilledWorker

    if future.status == "cancelled":
        msg = "the cluster is gone; what is done is kept, and the same command goes on from here"
        raise WorkersLostError(msg)
    error = future.exception()
    if error is None:
        return future.result()  # type: ignore[no-any-return]
    if isinstance(error, OSError):
        msg = (
            f"cannot write to {folder}: {error.strerror or error}; what is done is kept: "
            "make room or mend the folder, and the same command goes on from here"
        )
        raise OutputError(msg) from error
    if chunk.items > 1:
        return chunk.halves()
    status = "killed" if isinstance(error, KilledWorker) else "failed"
    why = "its worker died each time it was tried" if status == "killed" else f"{type(error).__name__}: {error}"
    return Receipt(publish_failure(grid, chunk.first, status, why, folder, run), 0.0, 0.0, 0.0)


def _drain(
    running: dict[Future, Chunk], finished: queue.SimpleQueue[Future], on_receipt: Callable[[Receipt], None]
) -> None:
    """Let the chunks that workers are at finish, for a while."""
    deadline = time.monotonic() + DRAIN_SECONDS
    while running and time.monotonic() < deadline:
        try:
            future = finished.get(timeout=0.2)
        except queue.Empty:
            continue
        running.pop(future, None)
        if future.status == "finished":
            on_receipt(future.result())


def _still_there(client: Client, last_seen: float) -> float:
    """When a worker was last known to be there; WorkersLostError where that is too long ago."""
    if client.status != "running":
        msg = "the cluster is gone; what is done is kept, and the same command goes on from here"
        raise WorkersLostError(msg)
    if time.monotonic() - last_seen < NO_WORKERS_SECONDS:
        return last_seen
    if client.scheduler_info()["workers"]:
        return time.monotonic()
    msg = (
        f"no worker for {NO_WORKERS_SECONDS:.0f} seconds; what is done is kept, and the same command goes on from here"
    )
    raise WorkersLostError(msg)
