"""Dask's messages, callbacks and looks for silent workers, while the clock of the machine is set."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import distributed.batched
import distributed.scheduler
import pytest
from distributed.comm import connect, listen
from tornado.ioloop import IOLoop, PeriodicCallback

from pipeline.cluster.local import LocalProcesses, LocalThreads
from pipeline.cluster.steady_clock import steady_time, use_steady_clock

HOURS = 7200.0
PATIENCE_SECONDS = 5.0


class Clock:
    """The time of day as Dask and tornado see it before anything is done about it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.offset, read = 0.0, time.time
        monkeypatch.setattr(time, "time", lambda: read() + self.offset)
        monkeypatch.setattr(distributed.batched, "time", time.time)
        monkeypatch.setattr(distributed.scheduler, "time", time.time)
        monkeypatch.setattr(IOLoop, "time", lambda _: time.time())


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that the test sets; the steady one is in use."""
    made = Clock(monkeypatch)
    use_steady_clock()
    return made


@pytest.mark.parametrize("step", [-HOURS, HOURS])
def test_messages_are_sent_whatever_the_clock_says(clock: Clock, step: float) -> None:
    async def exchanged() -> list[str]:
        received: asyncio.Queue[list[str]] = asyncio.Queue()

        async def read(comm: Any) -> None:
            while True:
                await received.put(await comm.read())

        async with listen("inproc://", read) as listener:
            sender = distributed.batched.BatchedSend(interval="50ms")
            sender.start(await connect(listener.contact_address))
            sender.send("before")
            first = await received.get()  # from here on no message is sent for 50 ms
            clock.offset = step
            sender.send("after")
            second = await asyncio.wait_for(received.get(), PATIENCE_SECONDS)
            sender.abort()
        return [*first, *second]

    assert asyncio.run(exchanged()) == ["before", "after"]


def test_callbacks_go_on_when_the_clock_is_set_back(clock: Clock) -> None:
    async def wait_for_calls() -> None:
        calls: asyncio.Queue[None] = asyncio.Queue()
        callback = PeriodicCallback(lambda: calls.put_nowait(None), 10)
        callback.start()
        await calls.get()
        clock.offset = -HOURS
        for _ in range(3):
            await asyncio.wait_for(calls.get(), PATIENCE_SECONDS)
        callback.stop()

    asyncio.run(wait_for_calls())


def test_no_worker_is_taken_for_silent_when_the_clock_is_set_forwards(clock: Clock) -> None:
    ended: list[str] = []

    async def restart_workers(addresses: list[str], **_: Any) -> None:
        ended.extend(addresses)

    def seen(seconds_ago: float) -> SimpleNamespace:
        return SimpleNamespace(
            address=f"{seconds_ago} s ago", last_seen=distributed.scheduler.time() - seconds_ago, nanny=None
        )

    workers = {str(index): seen(seconds) for index, seconds in enumerate((1, 100))}
    scheduler = SimpleNamespace(
        worker_ttl=60, workers=workers, log_event=lambda *_: None, restart_workers=restart_workers
    )
    clock.offset = HOURS
    asyncio.run(distributed.scheduler.Scheduler.check_worker_ttl(scheduler))
    assert ended == ["100 s ago"]


def test_it_begins_with_the_time_of_day() -> None:
    """So that what tornado was asked before remains right, and so does a deadline that is computed by `time.time`."""
    assert abs(steady_time() - time.time()) < PATIENCE_SECONDS


@pytest.mark.parametrize("kind", [LocalProcesses, LocalThreads])
def test_driver_scheduler_and_workers_use_it(kind: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Clock(monkeypatch)
    with kind(1).opened(tmp_path, ()) as workers:
        (there,) = workers.client.run(_clocks).values()
        assert _clocks() == workers.client.run_on_scheduler(_clocks) == there == ["steady_time"] * 2 + [True]


def _clocks() -> list[object]:
    """What this process measures intervals by."""
    steady = abs(IOLoop.time(None) - steady_time()) < 1e-3  # type: ignore[arg-type]
    return [distributed.batched.time.__name__, distributed.scheduler.time.__name__, steady]
