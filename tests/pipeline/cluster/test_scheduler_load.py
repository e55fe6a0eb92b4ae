"""The benchmark of the scheduler's load: a real scheduler, real submission, workers that sleep."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pipeline.cluster.base import Workers
from pipeline.driver.signals import StopRequest
from pipeline.driver.submission import CHUNKS_PER_WORKER, submit_all
from pipeline.plan import Chunks, GridRun
from tests.pipeline.command_line import until
from tests.pipeline.small_grids import grid

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"
WORKERS = 4


def test_chunks_go_through_a_cluster_that_sleeps_and_leave_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.setenv("PYTHONPATH", str(BENCHMARKS.parent))
    from scheduler_load import loaded
    from sleeping_workers import FIT, NO_LIMIT, SleepingWorkers, cluster

    with cluster(WORKERS, fit=True) as (client, others):
        load = loaded(client, [os.getpid(), *others], WORKERS, seconds=0.02, chunks=50, fit=True, looks=2)
        assert [moment.chunks for moment in load.moments] == [8, 25, 42]
        assert 0 < load.rate <= WORKERS / (0.02 * 0.8)

        workers: Workers = SleepingWorkers(client, WORKERS, 60.0, FIT, lambda: WORKERS, lambda: "", chunk_seconds=0.001)
        run = GridRun(grid(), "small", "0123456789ab", Path("outputs"))
        held: list[int] = []
        submit_all(
            workers,
            run,
            Chunks([(0, 200)], grid(), WORKERS, 1),
            NO_LIMIT,
            StopRequest(),
            lambda _: held.append(len(client.futures)),
        )
        assert len(held) == 200
        assert max(held) <= 3 * CHUNKS_PER_WORKER * WORKERS  # some of which the client is still told to release
        until(lambda: not client.futures)
    assert not any(Path(f"/proc/{pid}").exists() for pid in others)
