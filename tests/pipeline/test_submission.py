"""Submission against a client that is a few lines of ours: what is in flight, what fails, what is stopped."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from distributed import Client, KilledWorker
from distributed.scheduler import WorkerState

from pipeline import submission, work
from pipeline.cluster.base import Workers
from pipeline.errors import NothingWorksError, OutputError, StoppedError, WorkersLostError
from pipeline.plan import Chunk, Chunks, GridRun
from pipeline.signals import StopRequest
from pipeline.store import Part, read
from pipeline.submission import CHUNKS_PER_WORKER, MOST_FAILURES, submit_all
from pipeline.work import Receipt, publish_chunk
from tests.pipeline.grids import grid

RUN = "0123456789ab"
GRID = grid()
Outcome = Receipt | BaseException | None


def run_in(folder: Path) -> GridRun:
    return GridRun(GRID, "small", RUN, folder)


def done(chunk: Chunk) -> Receipt:
    return Receipt(Part(chunk.first, chunk.stop, Path()), 0.001 * chunk.items, 0.0, 0.0)


class FakeFuture:
    """A future that is done as soon as somebody wants to be told; with no outcome it never is."""

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

    def exception(self, timeout: float) -> BaseException | None:
        return self.outcome if isinstance(self.outcome, BaseException) else None

    def result(self, timeout: float) -> Receipt:
        assert isinstance(self.outcome, Receipt)
        return self.outcome

    def release(self) -> None:
        assert not self.released
        self.released = True
        self.client.in_flight -= 1


class FakeClient:
    """A client whose workers do what `outcome` says of a chunk."""

    def __init__(self, outcome: Callable[[Chunk], Outcome] = done, workers: int = 1) -> None:
        self.outcome = outcome
        self.workers = workers
        self.status = "running"
        self.cancels = False
        self.in_flight = self.most_in_flight = 0
        self.tried: list[Chunk] = []

    def submit(self, task: object, run: GridRun, chunk: Chunk, *, pure: bool, resources: object) -> FakeFuture:
        assert (task, run.grid, run.id, pure, resources) == (publish_chunk, GRID, RUN, False, None)
        self.tried.append(chunk)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        return FakeFuture(self, self.outcome(chunk))

    def present(self) -> int:
        return self.workers


def submitted(
    client: FakeClient,
    folder: Path,
    items: int,
    size: int,
    workers: int = 1,
    stop: StopRequest | None = None,
    on_receipt: Callable[[Receipt], None] | None = None,
    patience: float | None = 60.0,
) -> list[Receipt]:
    receipts: list[Receipt] = []

    def note(receipt: Receipt) -> None:
        receipts.append(receipt)
        if on_receipt:
            on_receipt(receipt)

    chunks = Chunks([(0, items)], GRID, workers, size)
    fleet = Workers(cast("Client", client), workers, patience, {}, client.present, lambda: "2 jobs pending")
    submit_all(fleet, run_in(folder), chunks, StopRequest() if stop is None else stop, note)
    return receipts


def covered(receipts: list[Receipt]) -> list[int]:
    return sorted(item for receipt in receipts for item in range(receipt.part.first, receipt.part.stop))


@pytest.mark.parametrize("workers", [1, 3])
def test_never_more_than_two_chunks_a_worker_are_in_flight(tmp_path: Path, workers: int) -> None:
    client = FakeClient()
    receipts = submitted(client, tmp_path, items=10_000, size=1, workers=workers)
    assert client.most_in_flight == CHUNKS_PER_WORKER * workers == 2 * workers
    assert client.in_flight == 0
    assert len(client.tried) == 10_000
    assert covered(receipts) == list(range(10_000))


def test_a_failing_chunk_is_halved_down_to_the_item_at_fault(tmp_path: Path) -> None:
    def outcome(chunk: Chunk) -> Outcome:
        return ZeroDivisionError("in item 37") if chunk.first <= 37 < chunk.stop else done(chunk)

    client = FakeClient(outcome)
    receipts = submitted(client, tmp_path, items=100, size=50)
    assert covered(receipts) == list(range(100))
    assert len([chunk for chunk in client.tried if chunk.first <= 37 < chunk.stop]) <= 7  # 50 items, halved
    (part,) = run_in(tmp_path).scan().parts
    assert (part.first, part.stop) == (37, 38)
    for row in read(part).to_pylist():
        assert (row["status"], row["error"]) == ("failed", "ZeroDivisionError: in item 37")
        assert (row["group"], row["table_index"], row["depth"], row["rows"]) == (1, 38, None, None)


def test_an_item_that_kills_its_workers_says_so(tmp_path: Path) -> None:
    killed = KilledWorker("publish_chunk", WorkerState.__new__(WorkerState), 3)

    def outcome(chunk: Chunk) -> Outcome:
        return killed if chunk.first <= 3 < chunk.stop else done(chunk)

    assert covered(submitted(FakeClient(outcome), tmp_path, items=8, size=8)) == list(range(8))
    (part,) = run_in(tmp_path).scan().parts
    assert {(row["status"], row["error"]) for row in read(part).to_pylist()} == {
        ("killed", "its worker died each time it was tried")
    }


def test_a_grid_in_which_nothing_works_stops_and_keeps_no_rows(tmp_path: Path) -> None:
    with pytest.raises(NothingWorksError, match=f"first {MOST_FAILURES} tables all failed, .*: broken"):
        submitted(FakeClient(lambda _: RuntimeError("broken")), tmp_path, items=1000, size=10)
    assert list(tmp_path.iterdir()) == []


def test_few_items_that_all_fail_are_failed_rows(tmp_path: Path) -> None:
    client = FakeClient(lambda _: RuntimeError("broken"))
    assert covered(submitted(client, tmp_path, items=3, size=2)) == [0, 1, 2]
    assert len(run_in(tmp_path).scan().parts) == 3


def test_a_disk_that_cannot_be_written_ends_the_run(tmp_path: Path) -> None:
    client = FakeClient(lambda _: OutputError.of(OSError(28, "No space left on device"), tmp_path))
    with pytest.raises(OutputError, match=r"No space left on device.*same command") as caught:
        submitted(client, tmp_path, items=100, size=10)
    assert str(tmp_path) in str(caught.value)
    assert len(client.tried) <= 2  # and is not tried again


def test_a_file_that_cannot_be_read_fails_its_items_alone(tmp_path: Path) -> None:
    def outcome(chunk: Chunk) -> Outcome:
        unreadable = OSError(5, "Input/output error")
        return unreadable if chunk.first <= 4 < chunk.stop else publish_chunk(run_in(tmp_path), chunk)

    submitted(FakeClient(outcome), tmp_path, items=10, size=4)
    rows = [row for part in run_in(tmp_path).scan().parts for row in read(part).to_pylist()]
    failed = [place // GRID.cells_per_item for place, row in enumerate(rows) if row["status"] == "failed"]
    assert failed == [4] * GRID.cells_per_item
    assert {row["error"] for row in rows} == {None, "OSError: [Errno 5] Input/output error"}


def test_what_cannot_be_published_is_an_error_of_the_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(work, "publish", full)
    with pytest.raises(OutputError, match=r"No space left on device.*same command") as caught:
        work.publish_chunk(run_in(tmp_path), Chunk(0, 2))
    assert str(tmp_path) in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


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
    monkeypatch.setattr(submission, "ASKS_SECONDS", 0.05)
    with pytest.raises(WorkersLostError, match=r"no worker for 0 seconds \(2 jobs pending\)"):
        submitted(FakeClient(lambda _: None, workers=0), tmp_path, items=10, size=1, patience=0.3)


def test_a_slow_cluster_with_workers_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submission, "ASKS_SECONDS", 0.05)
    client = FakeClient(lambda _: None, workers=1)
    asked: list[int] = []

    def present() -> int:
        asked.append(1)
        if len(asked) == 3:
            client.status = "closed"
        return 1

    client.present = present
    with pytest.raises(WorkersLostError, match="cluster is gone"):
        submitted(client, tmp_path, items=10, size=1, patience=0.1)
    assert len(asked) == 3


def test_a_request_to_stop_lets_what_is_running_finish_and_begins_nothing(tmp_path: Path) -> None:
    client, stop, receipts = FakeClient(), StopRequest(), []

    def on_receipt(receipt: Receipt) -> None:
        receipts.append(receipt)
        if len(receipts) == 10:
            stop.number = 15

    with pytest.raises(StoppedError, match="same command goes on") as caught:
        submitted(client, tmp_path, items=1000, size=1, workers=2, stop=stop, on_receipt=on_receipt)
    assert caught.value.exit_status == 128 + 15
    assert 10 < len(client.tried) <= 10 + 4
    assert covered(receipts) == list(range(len(client.tried)))


def test_what_never_finishes_is_not_waited_for_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submission, "DRAIN_SECONDS", 0.3)
    stop, receipts = StopRequest(), []

    def on_receipt(receipt: Receipt) -> None:
        receipts.append(receipt)
        stop.number = 2

    client = FakeClient(lambda chunk: done(chunk) if chunk.first == 0 else None)
    with pytest.raises(StoppedError):
        submitted(client, tmp_path, items=1000, size=1, stop=stop, on_receipt=on_receipt)
    assert covered(receipts) == [0]


def test_a_chunk_worked_for_real_is_a_part_and_a_receipt(tmp_path: Path) -> None:
    receipt = publish_chunk(run_in(tmp_path), Chunk(2, 5))
    assert run_in(tmp_path).scan().parts == (receipt.part,)
    assert receipt.seconds > 0
    assert min(receipt.work_cpu_seconds, receipt.publish_cpu_seconds) >= 0
