"""What is published is known by receipts, whatever a listing shows of it so far."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.driver import visibility
from pipeline.driver.visibility import wait_until_listed
from pipeline.errors import OutputError
from pipeline.plan import GridRun
from pipeline.storage.parts import Range, publish, union, without
from tests.pipeline.small_grids import grid

GRID = grid()
ranges = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 8)).map(lambda pair: (pair[0], pair[0] + pair[1])))


def items(spans: list[Range]) -> set[int]:
    return {item for first, stop in spans for item in range(first, stop)}


@given(ranges)
def test_published_items_are_kept_as_few_ranges(spans: list[Range]) -> None:
    kept = union(spans)
    assert items(kept) == items(spans)
    assert all(stop < following for (_, stop), (following, _) in pairwise(kept))


@given(ranges, ranges)
def test_ranges_without_others_are_what_these_leave(spans: list[Range], taken: list[Range]) -> None:
    left = without(union(spans), sorted(taken))
    assert items(left) == items(spans) - items(taken)
    assert left == sorted(left)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GridRun:
    monkeypatch.setattr(visibility, "LISTING_SECONDS", 0.3)
    monkeypatch.setattr(visibility, "LOOK_SECONDS", 0.01)
    return GridRun(GRID, "greedy_vs_dp", "0123456789ab", tmp_path)


def put(run: GridRun, first: int, stop: int) -> None:
    publish(GRID.work(first, stop)["results"], run.results, run.id, first, stop)


def never() -> bool:
    return False


def test_a_listed_file_is_not_waited_for(run: GridRun, capsys: pytest.CaptureFixture[str]) -> None:
    for first in (0, 5):
        put(run, first, first + 5)
    assert wait_until_listed(run, [(0, 5), (5, 10)], [], never) == []
    assert capsys.readouterr().err == ""


def test_a_late_file_is_waited_for(
    run: GridRun, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(run, 0, 5)
    monkeypatch.setattr(visibility.time, "sleep", lambda _: put(run, 5, 10))
    assert wait_until_listed(run, [(0, 10)], [], never) == []
    assert "published: 5 of 1,000,000 tables, but " in capsys.readouterr().err


def test_a_file_that_does_not_appear_is_made_again_once(run: GridRun, capsys: pytest.CaptureFixture[str]) -> None:
    again = wait_until_listed(run, [(3, 7)], [], never)
    assert again == [(3, 7)]
    assert "did not appear within 0 seconds: missing items are computed again" in capsys.readouterr().err
    put(run, 7, 20)
    with pytest.raises(
        OutputError, match=r"the rows of items 0 to 6 are published, but .* does not show these rows: set output="
    ):
        wait_until_listed(run, [(3, 7), (0, 20)], again, never)


def test_a_stopped_run_waits_no_longer(run: GridRun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visibility, "LISTING_SECONDS", 600)
    assert wait_until_listed(run, [(3, 7)], [], lambda: True) == []
