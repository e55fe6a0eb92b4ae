"""Many small parts become few, and no row is lost, changed or twice, whenever the merging is cut off."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from pipeline.driver import compaction
from pipeline.driver.compaction import compacted
from pipeline.grid import RESULTS_TABLE
from pipeline.plan import GridRun
from pipeline.storage.parts import Part, missing, publish, read, remove
from tests.pipeline.small_grids import grid

GRID = grid()
ITEMS = 24
FAILED = 14
MOST_PARTS = 10


def never() -> bool:
    return False


def table(first: int, stop: int, failed: int | None = None) -> pa.Table:
    rows = [GRID.work(item, item + 1)["results"] for item in range(first, stop)]
    if failed is not None and first <= failed < stop:
        rows[failed - first] = GRID.failed_item(failed, "failed", "no luck")[RESULTS_TABLE]
    return pa.concat_tables(row.cast(rows[0].schema) for row in rows).combine_chunks()


@pytest.fixture(scope="module")
def rows() -> pa.Table:
    return table(0, ITEMS)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GridRun:
    monkeypatch.setattr(compaction, "MOST_PARTS", MOST_PARTS)
    return GridRun(GRID, "greedy_vs_dp", "0123456789ab", tmp_path)


def fill(run: GridRun, step: int, rows: pa.Table) -> tuple[Part, ...]:
    cells = GRID.cells_per_item
    for first in range(0, ITEMS, step):
        stop = min(first + step, ITEMS)
        publish(rows.slice(first * cells, (stop - first) * cells), run.results, run.id, first, stop)
    return run.scan().parts


def all_rows(parts: tuple[Part, ...]) -> pa.Table:
    return pa.concat_tables([read(part) for part in parts]).combine_chunks()


def files(run: GridRun) -> list[Path]:
    return sorted(run.results.glob("*.parquet"))


def test_small_neighbours_are_merged_row_by_row(run: GridRun, rows: pa.Table) -> None:
    parts = fill(run, 1, rows)
    before = all_rows(parts)
    kept = compacted(run, {RESULTS_TABLE: parts}, never)[RESULTS_TABLE]
    assert [(part.first, part.stop, part.rows) for part in kept] == [(0, ITEMS, ITEMS * GRID.cells_per_item)]
    after = read(kept[0])
    assert after.equals(before)
    assert after.schema.equals(before.schema, check_metadata=False)
    assert all(after.schema.field(f.name).equals(f, check_metadata=True) for f in before.schema)
    assert files(run) == [kept[0].path]
    assert run.scan() == run.scan().__class__(kept, {})


@pytest.mark.parametrize(("step", "most"), [(-(-ITEMS // MOST_PARTS), None), (2, 3)])
def test_few_parts_or_large_ones_stay_as_they_are(
    run: GridRun, rows: pa.Table, monkeypatch: pytest.MonkeyPatch, step: int, most: int | None
) -> None:
    parts = fill(run, step, rows)
    assert (len(parts) <= MOST_PARTS) == (most is None)
    if most is not None:  # space for a part file of two items, and not for two of them
        monkeypatch.setattr(compaction, "MERGED_ROWS", most * GRID.cells_per_item)
    assert compacted(run, {RESULTS_TABLE: parts}, never)[RESULTS_TABLE] == parts
    assert run.scan().parts == parts


def test_merged_parts_are_no_larger_than_parts_may_be(
    run: GridRun, rows: pa.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "MERGED_ROWS", 10 * GRID.cells_per_item + 1)
    kept = compacted(run, {RESULTS_TABLE: fill(run, 1, rows)}, never)[RESULTS_TABLE]
    assert [(part.first, part.stop) for part in kept] == [(0, 10), (10, 20), (20, ITEMS)]
    again = compacted(run, {RESULTS_TABLE: kept}, never)[RESULTS_TABLE]
    assert again == kept


def test_parts_with_rows_that_are_not_ok_stay_apart(run: GridRun) -> None:
    rows = table(0, ITEMS, FAILED)
    parts = fill(run, 1, rows)
    before = all_rows(parts)
    kept = compacted(run, {RESULTS_TABLE: parts}, never)[RESULTS_TABLE]
    assert [(part.first, part.stop) for part in kept] == [(0, FAILED), (FAILED, FAILED + 1), (FAILED + 1, ITEMS)]
    assert kept[1] == parts[FAILED]
    assert all_rows(kept).equals(before)
    assert missing(run.scan().parts, ITEMS) == []


def test_what_other_tables_have_of_such_items_stays_apart_too(run: GridRun) -> None:
    rows = table(0, ITEMS, FAILED)
    parts = fill(run, 1, rows)
    folder = run.folder("others")
    others = tuple(
        publish(
            pa.table({"item": [first] * (first % 3)}, pa.schema([("item", pa.int64())])),
            folder,
            run.id,
            first,
            first + 2,
        )
        for first in range(0, ITEMS, 2)
    )
    kept = compacted(run, {RESULTS_TABLE: parts, "others": others}, never)["others"]
    assert [(part.first, part.stop) for part in kept] == [(0, 14), (14, 16), (16, ITEMS)]
    assert all_rows(kept)["item"].to_pylist() == [first for first in range(0, ITEMS, 2) for _ in range(first % 3)]


def test_a_gap_is_not_bridged(run: GridRun, rows: pa.Table) -> None:
    parts = fill(run, 1, rows)
    with_gap = parts[:6] + parts[7:]
    kept = compacted(run, {RESULTS_TABLE: with_gap}, never)[RESULTS_TABLE]
    assert [(part.first, part.stop) for part in kept] == [(0, 6), (7, ITEMS)]


@pytest.mark.parametrize("removed", [0, 1, ITEMS // 2, ITEMS - 1])
def test_cut_off_at_any_moment_every_row_is_there_once(
    run: GridRun, rows: pa.Table, monkeypatch: pytest.MonkeyPatch, removed: int
) -> None:
    parts = fill(run, 1, rows)
    before = all_rows(parts)

    def die(paths: object) -> None:
        left = list(paths)  # type: ignore[call-overload]
        remove(left[:removed])
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(compaction, "remove", die)
        with pytest.raises(KeyboardInterrupt):
            compacted(run, {RESULTS_TABLE: parts}, never)
    result = run.scan()
    assert result.rejected == {}
    assert len(result.doubled) == ITEMS - removed
    assert all_rows(result.parts).equals(before)
    remove(result.doubled)
    assert files(run) == [result.parts[0].path]


def test_a_stopped_run_merges_no_more_and_loses_nothing(run: GridRun, rows: pa.Table) -> None:
    parts = fill(run, 1, rows)
    assert compacted(run, {RESULTS_TABLE: parts}, lambda: True)[RESULTS_TABLE] == parts
    assert run.scan().parts == parts


def test_parts_that_are_large_of_themselves_are_not_written_again(tmp_path: Path) -> None:
    large = compaction.MERGED_ROWS // 2 + 1
    parts = [Part(item, item + 1, tmp_path / str(item), rows=large) for item in range(10)]
    assert compaction._groups(parts, []) == [[part] for part in parts]
