"""Submission against a client that is a few lines of ours: what is in flight, what fails, what is stopped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import cast

import pytest
from distributed import Client, KilledWorker
from distributed.scheduler import WorkerState

from pipeline.cluster.base import Workers
from pipeline.driver import submission
from pipeline.driver.signals import StopRequest
from pipeline.driver.submission import CHUNKS_PER_WORKER, MOST_TRIES, TRIES_AT_ONCE, submit_all
from pipeline.errors import NothingWorksError, OutputError, StoppedError, WorkersLostError
from pipeline.failures import Failure
from pipeline.plan import Chunk, Chunks, GridRun
from pipeline.storage.parts import Part, read
from pipeline.work.limits import Limits
from pipeline.work.publication import MOST_FAILURES, Receipt, one_by_one, publish_chunk
from pipeline.work.suspects import Suspect, publish_suspect
from tests.pipeline.small_grids import grid

RUN = "0123456789ab"
GRID = grid()
LIMITS = Limits(3600.0, None)
BROKEN = Failure("failed", "RuntimeError: broken")
KILLED = KilledWorker("publish_chunk", WorkerState.__new__(WorkerState), 0)
Outcome = Receipt | BaseException | None


def run_in(folder: Path) -> GridRun:
    return GridRun(GRID, "small", RUN, folder)


def done(chunk: Chunk) -> Receipt:
    return Receipt((Part(chunk.first, chunk.stop, Path()),), (), None, 0, 0.001 * chunk.items, 0.0, 0.0)


def failing(chunk: Chunk, faults: Callable[[int], bool] = lambda _: True) -> Receipt:
    """The receipt of a chunk of which some items failed and the others are in parts."""
    computed = one_by_one(chunk, lambda item: BROKEN if faults(item) else {})
    parts = tuple(Part(span.first, span.stop, Path()) for span, _ in computed.stretches)
    return Receipt(parts, tuple(computed.failed_items), computed.left, 0, 0.001, 0.0, 0.0)


class FakeFuture:
    """A future that is done as soon as a callback is added; without an outcome it never is."""

    def __init__(self, client: FakeClient, outcome: Outcome) -> None:
        self.client, self.outcome = client, outcome
        self.status = "pending"
        self.released = False

    def add_done_callback(self, callback: Callable[[FakeFuture], None]) -> None:
        if self.client.cancels:
            self.status = "cancelled"
        elif self.outcome is not None:
            self.status = "error" if isinstance(self.outcome, BaseException) else "finished"
        if self.status != "pending":
            callback(self)

    def exception(self) -> BaseException | None:
        return self.outcome if isinstance(self.outcome, BaseException) else None

    def result(self) -> Receipt:
        assert isinstance(self.outcome, Receipt)
        return self.outcome

    def release(self) -> None:
        assert not self.released
        self.released = True
        self.client.in_flight -= 1


class FakeClient:
    """A client whose workers do what `outcome` says of a chunk."""

    def __init__(
        self,
        outcome: Callable[[Chunk], Outcome] = done,
        workers: int = 1,
        apart: Callable[[Suspect], Outcome] = lambda suspect: done(suspect.chunk),
    ) -> None:
        self.outcome, self.apart = outcome, apart
        self.workers = workers
        self.status = "running"
        self.cancels = False
        self.in_flight = self.most_in_flight = 0
        self.tried: list[Chunk] = []
        self.suspects: list[Suspect] = []
        self.limits: Limits | None = None

    def submit(
        self, task: object, run: GridRun, what: Chunk | Suspect, limits: Limits | None, *, pure: bool, resources: object
    ) -> FakeFuture:
        assert (run.grid, run.id, pure, resources) == (GRID, RUN, False, None)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        self.limits = limits
        if isinstance(what, Suspect):
            assert task == publish_suspect
            self.suspects.append(what)
            return FakeFuture(self, self.apart(what))
        assert task == publish_chunk
        self.tried.append(what)
        return FakeFuture(self, self.outcome(what))

    def present(self) -> int:
        return self.workers


class FakeWorkers(Workers):
    """Workers whose results are there as soon as they are done."""

    def when_done(self, future: FakeFuture, report: Callable[[FakeFuture, Receipt | None], None]) -> None:
        future.add_done_callback(lambda done: report(done, done.result() if done.status == "finished" else None))


def submitted(
    client: FakeClient,
    folder: Path,
    items: int,
    size: int,
    workers: int = 1,
    stop: StopRequest | None = None,
    on_receipt: Callable[[Receipt], None] | None = None,
    patience: float | None = 60.0,
    limits: Limits = LIMITS,
    processes: bool = True,
    resumed: bool = False,
) -> list[Receipt]:
    receipts: list[Receipt] = []

    def note(receipt: Receipt) -> None:
        receipts.append(receipt)
        if on_receipt:
            on_receipt(receipt)

    chunks = Chunks([(0, items)], GRID, workers, size)
    fleet = FakeWorkers(
        cast("Client", client), workers, patience, {}, client.present, lambda: "2 jobs pending", processes
    )
    submit_all(fleet, run_in(folder), chunks, limits, StopRequest() if stop is None else stop, note, resumed=resumed)
    return receipts


def covered(receipts: list[Receipt]) -> list[int]:
    return sorted(item for receipt in receipts for part in receipt.parts for item in range(part.first, part.stop))


@pytest.mark.parametrize("workers", [1, 3])
def test_never_more_than_two_chunks_a_worker_are_in_flight(tmp_path: Path, workers: int) -> None:
    client = FakeClient()
    receipts = submitted(client, tmp_path, items=10_000, size=1, workers=workers)
    assert client.most_in_flight == CHUNKS_PER_WORKER * workers == 2 * workers
    assert client.in_flight == 0
    assert len(client.tried) == 10_000
    assert covered(receipts) == list(range(10_000))


def test_chunks_that_learn_from_others_are_not_submitted_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GRID), "informed", True)
    client = FakeClient()
    assert covered(submitted(client, tmp_path, items=100, size=1, workers=3)) == list(range(100))
    assert client.most_in_flight == 3


def test_failed_items_of_a_chunk_are_rows_that_say_so(tmp_path: Path) -> None:
    client = FakeClient(lambda chunk: failing(chunk, lambda item: item == 37))
    receipts = submitted(client, tmp_path, items=100, size=50)
    assert covered(receipts) == list(range(100))
    assert len(client.tried) == 2  # nothing that was reported is tried twice
    assert sum(receipt.failed for receipt in receipts) == GRID.cells_per_item
    (part,) = run_in(tmp_path).scan().parts
    assert (part.first, part.stop) == (37, 38)
    for row in read(part).to_pylist():
        assert (row["status"], row["error"]) == ("failed", "RuntimeError: broken")
        assert (row["group"], row["table_index"], row["depth"], row["rows"]) == (1, 38, None, None)


def test_a_chunk_whose_worker_dies_is_computed_once_more_and_apart(tmp_path: Path) -> None:
    client = FakeClient(lambda chunk: KILLED if chunk.first == 4 else done(chunk))
    assert covered(submitted(client, tmp_path, items=8, size=2)) == list(range(8))
    assert client.suspects == [Suspect(Chunk(4, 6), 1, hung=False)]
    assert client.tried.count(Chunk(4, 6)) == 1


def test_a_suspect_whose_worker_dies_is_tried_again(tmp_path: Path) -> None:
    client = FakeClient(lambda _: KILLED, apart=lambda suspect: KILLED if suspect.tries < 9 else done(suspect.chunk))
    assert covered(submitted(client, tmp_path, items=2, size=2)) == [0, 1]
    assert [suspect.tries for suspect in client.suspects] == list(range(1, 10))


@pytest.mark.parametrize(
    ("error", "expected"), [(KILLED, "the worker died"), (ImportError("no pipeline"), "no pipeline")]
)
def test_a_chunk_that_takes_every_worker_with_it_ends_the_run(
    tmp_path: Path, error: BaseException, expected: str
) -> None:
    client = FakeClient(lambda chunk: error if chunk.first == 4 else done(chunk), apart=lambda _: error)
    with pytest.raises(
        WorkersLostError, match=rf"lost .* times while they computed items 4 to 5 .tables, .*{expected}.*same command"
    ):
        submitted(client, tmp_path, items=8, size=2)
    assert MOST_TRIES - 1 <= len(client.suspects) < MOST_TRIES + TRIES_AT_ONCE


def test_a_chunk_that_was_there_for_as_long_as_a_cell_may_take_is_one_that_may_have_hung(tmp_path: Path) -> None:
    client = FakeClient(lambda _: KILLED)
    submitted(client, tmp_path, items=2, size=2, limits=Limits(1e-9, None))
    assert client.suspects == [Suspect(Chunk(0, 2), 1, hung=True)]


def test_threads_of_the_driver_limit_only_the_processes_below_them(tmp_path: Path) -> None:
    client = FakeClient()
    submitted(client, tmp_path, items=2, size=2)
    assert client.limits == LIMITS
    submitted(client, tmp_path, items=2, size=2, processes=False)
    assert client.limits == replace(LIMITS, shared=True)


def test_the_end_of_a_chunk_that_fails_from_its_start_is_computed_as_before(tmp_path: Path) -> None:
    client = FakeClient(lambda chunk: failing(chunk, lambda item: 10 <= item < 35))
    assert covered(submitted(client, tmp_path, items=60, size=50)) == list(range(60))
    assert client.tried == [Chunk(0, 50), Chunk(50, 60)]
    client = FakeClient(lambda _: KILLED, apart=lambda suspect: failing(suspect.chunk, lambda item: item > 0))
    assert covered(submitted(client, tmp_path / "apart", items=3, size=3)) == [0, 1, 2]
    client = FakeClient(
        lambda chunk: done(chunk) if chunk.first >= 50 else KILLED,
        apart=lambda suspect: failing(suspect.chunk),
    )
    assert covered(submitted(client, tmp_path / "left", items=100, size=50)) == list(range(100))
    assert [suspect.chunk for suspect in client.suspects] == [Chunk(0, 50), Chunk(20, 50), Chunk(40, 50)]


def test_a_grid_in_which_nothing_works_stops_and_keeps_no_rows(tmp_path: Path) -> None:
    with pytest.raises(NothingWorksError, match=f"first {MOST_FAILURES} tables all failed; the last error: .*broken"):
        submitted(FakeClient(failing), tmp_path, items=1000, size=10)
    assert list(tmp_path.iterdir()) == []


def test_items_that_all_fail_after_others_were_computed_are_failed_rows(tmp_path: Path) -> None:
    """A run whose last items fail can be stopped before them, and resumed."""
    items = MOST_FAILURES + 10
    assert covered(submitted(FakeClient(failing), tmp_path, items=items, size=10, resumed=True)) == list(range(items))
    assert len(run_in(tmp_path).scan().parts) == items


def test_few_items_that_all_fail_are_failed_rows(tmp_path: Path) -> None:
    client = FakeClient(failing)
    assert covered(submitted(client, tmp_path, items=3, size=2)) == [0, 1, 2]
    assert len(run_in(tmp_path).scan().parts) == 3


def test_a_disk_that_cannot_be_written_ends_the_run(tmp_path: Path) -> None:
    client = FakeClient(lambda _: OutputError.of(OSError(28, "No space left on device"), tmp_path))
    with pytest.raises(OutputError, match=r"No space left on device.*same command") as caught:
        submitted(client, tmp_path, items=100, size=10)
    assert str(tmp_path) in str(caught.value)
    assert len(client.tried) <= 2  # and is not tried again


def test_cancelled_futures_mean_that_the_cluster_is_gone(tmp_path: Path) -> None:
    client = FakeClient()
    client.cancels = True
    with pytest.raises(WorkersLostError, match="cluster is gone"):
        submitted(client, tmp_path, items=10, size=1)


def test_a_client_that_lost_its_scheduler_ends_the_run(tmp_path: Path) -> None:
    client = FakeClient(lambda _: None)
    client.status = "closed"
    with pytest.raises(WorkersLostError, match="cluster is gone"):
        submitted(client, tmp_path, items=10, size=1)


def test_a_cluster_without_workers_is_not_waited_for_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submission, "LOOK_SECONDS", 0.05)
    with pytest.raises(
        WorkersLostError, match=r"no worker for 0.3 s, the limit of cluster.patience \(2 jobs pending\)"
    ):
        submitted(FakeClient(lambda _: None, workers=0), tmp_path, items=10, size=1, patience=0.3)


def test_a_slow_cluster_with_workers_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submission, "LOOK_SECONDS", 0.05)
    client = FakeClient(lambda _: None, workers=1)
    requests: list[int] = []

    def present() -> int:
        requests.append(1)
        if len(requests) == 3:
            client.status = "closed"
        return 1

    client.present = present
    with pytest.raises(WorkersLostError, match="cluster is gone"):
        submitted(client, tmp_path, items=10, size=1, patience=0.1)
    assert len(requests) == 3


def test_a_request_to_stop_lets_what_is_running_finish_and_begins_nothing(tmp_path: Path) -> None:
    client, stop, receipts = FakeClient(), StopRequest(), []

    def on_receipt(receipt: Receipt) -> None:
        receipts.append(receipt)
        if len(receipts) == 10:
            stop.number = 15

    with pytest.raises(StoppedError, match="same command resumes") as caught:
        submitted(client, tmp_path, items=1000, size=1, workers=2, stop=stop, on_receipt=on_receipt)
    assert caught.value.exit_status == 128 + 15
    assert 10 < len(client.tried) <= 10 + 4
    assert covered(receipts) == list(range(len(client.tried)))


def test_a_task_that_never_finishes_is_not_waited_for_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submission, "DRAIN_SECONDS", 0.3)
    stop, receipts = StopRequest(), []

    def on_receipt(receipt: Receipt) -> None:
        receipts.append(receipt)
        stop.number = 2

    client = FakeClient(lambda chunk: done(chunk) if chunk.first == 0 else None)
    with pytest.raises(StoppedError):
        submitted(client, tmp_path, items=1000, size=1, stop=stop, on_receipt=on_receipt)
    assert covered(receipts) == [0]


def test_a_single_item_that_takes_every_worker_with_it_is_named(tmp_path: Path) -> None:
    client = FakeClient(lambda _: KILLED, apart=lambda _: KILLED)
    with pytest.raises(WorkersLostError, match=r"while they computed item 0 .tables, numbered from 0., even in"):
        submitted(client, tmp_path, items=1, size=1)


def test_a_chunk_that_takes_every_worker_with_it_comes_last(tmp_path: Path) -> None:
    client = FakeClient(lambda chunk: KILLED if chunk.first == 4 else done(chunk), apart=lambda _: KILLED)
    with pytest.raises(WorkersLostError, match=r"lost .* computed items 4 to 5 .tables, "):
        submitted(client, tmp_path, items=60, size=2)
    assert len(client.tried) == 30
    assert MOST_TRIES - 1 <= len(client.suspects) < MOST_TRIES + TRIES_AT_ONCE


def test_chunks_that_lose_their_worker_often_are_done_where_anything_is(tmp_path: Path) -> None:
    number = count(1)
    client = FakeClient(
        lambda _: KILLED,
        apart=lambda suspect: KILLED if next(number) % (MOST_TRIES - 3) else done(suspect.chunk),
    )
    assert covered(submitted(client, tmp_path, items=40, size=2)) == list(range(40))
    assert max(suspect.tries for suspect in client.suspects) >= MOST_TRIES
