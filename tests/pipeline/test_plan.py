"""Chunks that cover what is missing whatever their size, and the identity of a run."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from omegaconf import OmegaConf

from pipeline.configuration.composition import composed_of
from pipeline.kinds import grid_of
from pipeline.plan import CHUNK_SECONDS, CHUNKS_A_SECOND, MOST_ROWS, Chunks, GridRun, run_id
from pipeline.storage.parts import Part, missing, missing_from_any
from tests.pipeline.small_grids import grid

SPANS = st.lists(st.integers(0, 3000), max_size=12, unique=True).map(sorted)


def identity(*overrides: str) -> str:
    return run_id(grid_of(OmegaConf.to_object(composed_of("greedy_vs_dp", overrides))))


@pytest.mark.parametrize(
    "override", ["chunk=7", "cluster.workers=1", "output=elsewhere", "heuristics=[]", "tables.rows=50"]
)
def test_the_run_id_does_not_depend_on_what_cannot_change_a_number(override: str) -> None:
    if override == "heuristics=[]":
        names = "heuristics=[max/rt,w_sum/gini]", "heuristics=[w_sum/gini,max/rt]"
        assert identity(names[0]) == identity(names[1]) != identity()
    else:
        assert identity(override) == identity()


def test_the_run_id_depends_on_what_can_change_a_number() -> None:
    overrides = [
        *("seed=1", "tables.groups=3", "tables.count=9999", "tables.rows=49", "tables.attributes=9"),
        *("tables.values=2", "tables.decisions=2", "tables.equal_rows=refuse", "heuristics=[max/rt]"),
        *("tables.value_probabilities=[0.2,0.3,0.5]", "tables.decision_probabilities=[0.2,0.3,0.5]"),
    ]
    assert len({identity(), *map(identity, overrides)}) == 1 + len(overrides)


def test_the_run_id_of_the_main_job_is_twelve_digits_of_base_16() -> None:
    assert len(identity()) == 12
    int(identity(), 16)


def test_folders_are_named_as_hive_partitions() -> None:
    location = GridRun(grid(), "g", "abc", Path("o"))
    assert location.results == Path("o/results/grid=g/run=abc")
    assert location.summaries == Path("o/summaries/grid=g/run=abc")
    assert location.record_folder.parent == location.results
    assert location.record_folder.name.startswith("_")


@given(SPANS, st.integers(1, 4), st.none() | st.integers(1, 500), st.floats(1e-5, 10), st.randoms())
def test_chunks_cover_exactly_the_missing_items(
    edges: list[int], workers: int, size: int | None, pace: float, chance: object
) -> None:
    spans = list(zip(edges[::2], edges[1::2], strict=False))
    chunks = Chunks(spans, grid(), workers, size)
    done: list[int] = []
    while chunks:
        chunk = chunks.next()
        assert chunk.items >= 1
        assert size is None or chunk.items <= size
        if chance.random() < 0.2:
            chunks.put_back(chunk)
        else:
            done += range(chunk.first, chunk.stop)
            chunks.took(chunk, chunk.items * pace)
    assert sorted(done) == [item for first, stop in spans for item in range(first, stop)]


@given(SPANS)
def test_what_is_missing_and_what_is_there_make_the_whole(edges: list[int]) -> None:
    there = [Part(a, b, Path("p")) for a, b in zip(edges[::2], edges[1::2], strict=False)]
    spans = [*((part.first, part.stop) for part in there), *missing(there, 3000)]
    assert sorted(item for first, stop in spans for item in range(first, stop)) == list(range(3000))


def test_chunks_grow_to_seconds_of_work_and_shrink_at_the_end() -> None:
    chunks = Chunks([(0, 100_000)], grid(), 2, None)
    sizes = []
    while chunks:
        chunk = chunks.next()
        sizes.append(chunk.items)
        chunks.took(chunk, chunk.items / 1000)  # a thousand items a second
    assert sizes[0] <= 100
    assert max(sizes) <= CHUNK_SECONDS * 1000 * 1.001
    assert sizes[len(sizes) // 2] >= CHUNK_SECONDS * 1000 * 0.9
    assert sizes[-1] <= 100
    assert min(sizes[1:-1]) >= 99


@pytest.mark.parametrize("workers", [30, 100, 1000, 5000])
def test_chunks_of_many_workers_never_end_faster_than_a_scheduler_stands(workers: int) -> None:
    pace = 1000  # items a second
    chunks = Chunks([(0, workers * 1_000_000)], grid(), workers, None)
    first = chunks.next()
    chunks.took(first, first.items / pace)
    seconds = []
    while chunks:
        seconds.append(chunks.next().items / pace)
    rates = [workers / each for each in seconds[:-1]]  # the last is what is left
    assert max(rates) <= CHUNKS_A_SECOND * 1.02
    assert min(rates) == pytest.approx(min(CHUNKS_A_SECOND / 2, workers / CHUNK_SECONDS))


def test_a_part_never_holds_more_rows_than_a_worker_should() -> None:
    chunks = Chunks([(0, 10**7)], grid(), 1, None)
    first = chunks.next()
    chunks.took(first, 1e-6)
    assert MOST_ROWS - 3 < chunks.next().items * grid().cells_per_item <= MOST_ROWS


@given(st.lists(SPANS, min_size=1, max_size=3))
def test_items_that_any_table_lacks_are_missing(tables: list[list[int]]) -> None:
    there = [[Part(a, b, Path("p")) for a, b in zip(edges[::2], edges[1::2], strict=False)] for edges in tables]
    covered = [{item for part in parts for item in range(part.first, part.stop)} for parts in there]
    absent = missing_from_any(there, 3000)
    results = [item for first, stop in absent for item in range(first, stop)]
    assert results == sorted(set(range(3000)) - set.intersection(*covered))
    assert all(stop < first for (_, stop), (first, _) in pairwise(absent))
