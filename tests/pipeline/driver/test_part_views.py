"""Views that workers compute for the summary: a cluster of Dask's own threads, over real part files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from pipeline.cluster.base import Workers
from pipeline.cluster.local import LocalThreads
from pipeline.driver import part_views
from pipeline.driver.part_views import views_by_workers
from pipeline.grammar.greedy_excess import BY_PART, VIEWS
from pipeline.grid import RESULTS_TABLE, PartialViews
from pipeline.plan import Chunk, GridRun
from pipeline.storage.parts import Part
from pipeline.work.publication import publish_chunk
from tests.pipeline.small_grids import grid

CHUNKS = 13
ITEMS = 5


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workers]:
    with LocalThreads(2, dashboard=False).opened(tmp_path_factory.mktemp("notes"), ()) as workers:
        yield workers


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GridRun:
    """A run of which each part file is one task, and each group at most two, on a machine of one core."""
    monkeypatch.setattr(part_views, "FILES_OF_TASK", 1)
    monkeypatch.setattr(part_views, "MOST_GROUPS", 7)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    made = GridRun(grid(count=CHUNKS * ITEMS), "greedy_vs_dp", "0123456789ab", tmp_path)
    for first in range(0, CHUNKS * ITEMS, ITEMS):
        publish_chunk(made, Chunk(first, first + ITEMS))
    return made


def sums(parts: tuple[Part, ...], views: tuple[PartialViews, ...]) -> list[tuple[object, ...]]:
    with duckdb.connect() as connection:
        BY_PART.create(connection, parts, VIEWS, views)
        return connection.execute("from gaps").fetchall()


def test_workers_compute_what_the_driver_would(run: GridRun, workers: Workers) -> None:
    parts = run.scan(RESULTS_TABLE).parts
    views = views_by_workers(workers, run, lambda: False)
    assert len(views) == 7
    assert sorted(name for view in views for name in view.parts) == [part.path.name for part in parts]
    assert sums(parts, views) == sums(parts, ())


def test_a_damaged_file_costs_its_group_and_nothing_else(run: GridRun, workers: Workers) -> None:
    parts = run.scan(RESULTS_TABLE).parts
    content = bytearray(parts[4].path.read_bytes())
    content[40] ^= 1
    parts[4].path.write_bytes(content)
    views = views_by_workers(workers, run, lambda: False)
    lost = {part.path.name for part in parts} - {name for view in views for name in view.parts}
    assert lost == {parts[4].path.name, parts[5].path.name}


def test_a_signal_ends_the_waiting(run: GridRun, workers: Workers) -> None:
    assert views_by_workers(workers, run, lambda: True) == ()


def test_no_more_workers_than_cores_leave_it_to_the_driver(run: GridRun, workers: Workers) -> None:
    assert views_by_workers(replace(workers, wanted=1), run, lambda: False) == ()
