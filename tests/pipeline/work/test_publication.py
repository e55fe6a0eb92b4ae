"""What a worker makes of a chunk: parts, and text about what cannot be one."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from pipeline.errors import ConfigError, OutputError
from pipeline.failures import Failure
from pipeline.grids.greedy_vs_dp.grid import GreedyVsDpGrid
from pipeline.plan import Chunk, GridRun
from pipeline.storage.parts import read
from pipeline.work import publication
from pipeline.work.limits import MIB, UNLIMITED, Limits
from pipeline.work.publication import MOST_FAILURES, FailedItem, publish_chunk, publish_failed
from tests.pipeline.small_grids import fragile, grid

LIMITS = Limits(600.0, 256 * MIB)


def run_in(folder: Path, computed: GreedyVsDpGrid) -> GridRun:
    return GridRun(computed, "small", "0123456789ab", folder)


@pytest.mark.parametrize("limits", [UNLIMITED, LIMITS])
def test_a_chunk_is_a_part_and_a_receipt(tmp_path: Path, limits: Limits) -> None:
    receipt = publish_chunk(run_in(tmp_path, grid()), Chunk(2, 5), limits)
    assert run_in(tmp_path, grid()).scan().parts == receipt.parts
    assert (receipt.items, receipt.failed_items, receipt.left, receipt.failed, receipt.tries) == (3, (), None, 0, 1)
    assert receipt.seconds > 0
    assert min(receipt.work_cpu_seconds, receipt.publish_cpu_seconds) >= 0
    assert pickle.loads(pickle.dumps(receipt)) == receipt


@pytest.mark.parametrize(
    ("behaviour", "failure"),
    [
        ("raises", Failure("failed", "UnpicklableError: holds a lock")),
        ("exits", Failure("failed", "SystemExit: 0")),
        ("interrupts", Failure("failed", "KeyboardInterrupt: ")),
        ("cancels", Failure("failed", "CancelledError: ")),
        ("recurses", Failure("failed", "RecursionError: maximum recursion depth exceeded")),
        (
            "allocates",
            Failure(
                "memory_limit", "Unable to allocate 8.00 MiB for an array with shape (1048576,) and data type float64"
            ),
        ),
    ],
)
def test_an_item_that_raises_is_reported_and_the_others_of_its_chunk_are_published(
    tmp_path: Path, behaviour: str, failure: Failure
) -> None:
    run = run_in(tmp_path, fragile(_3=behaviour))
    receipt = publish_chunk(run, Chunk(0, 6), LIMITS)
    assert receipt.failed_items == (FailedItem(3, failure),)
    assert [(part.first, part.stop) for part in receipt.parts] == [(0, 3), (4, 6)]
    whole = publish_chunk(run_in(tmp_path / "whole", grid()), Chunk(0, 6))
    expected = read(whole.parts[0]).to_pylist()
    rows = [row for part in receipt.parts for row in read(part).to_pylist()]
    cells = grid().cells_per_item
    assert rows == expected[: 3 * cells] + expected[4 * cells :]
    assert pickle.loads(pickle.dumps(receipt)) == receipt


def test_a_copy_of_the_worker_publishes_nothing_in_its_stead(tmp_path: Path) -> None:
    receipt = publish_chunk(run_in(tmp_path, fragile(_0="forks")), Chunk(0, 2), LIMITS)
    assert (receipt.items, receipt.failed_items) == (2, ())


def test_a_chunk_that_fails_from_its_start_is_given_back(tmp_path: Path) -> None:
    run = run_in(tmp_path, fragile(**{f"_{item}": "raises" for item in range(30)}))
    receipt = publish_chunk(run, Chunk(0, 30), LIMITS)
    assert (len(receipt.failed_items), receipt.left, receipt.parts) == (MOST_FAILURES, Chunk(MOST_FAILURES, 30), ())
    receipt = publish_chunk(run, Chunk(0, MOST_FAILURES), LIMITS)
    assert (len(receipt.failed_items), receipt.left) == (MOST_FAILURES, None)


def test_a_grid_whose_failed_items_have_other_rows_than_cells_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The part file would be set aside, and the item computed again and again."""
    failure = FailedItem(3, Failure("failed", "ValueError: 7"))
    run = run_in(tmp_path, grid())
    assert publish_failed(run, failure).failed == run.grid.cells_per_item
    monkeypatch.setattr(GreedyVsDpGrid, "failed_rows_in", ())
    with pytest.raises(ConfigError, match=r"grid small: .* return 0 result rows .* failed with: ValueError: 7"):
        publish_failed(run, failure)


def test_a_grid_that_cannot_identify_the_rows_of_a_failed_item_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`parameters` fails for the rows of an item as it did in the item."""
    monkeypatch.setattr(GreedyVsDpGrid, "parameters", lambda _, item: {}[item.number])
    with pytest.raises(
        ConfigError, match=r"grid small: .* cannot be made: .*: KeyError: 3\. .* failed with: KeyError: 3"
    ):
        publish_failed(run_in(tmp_path, grid()), FailedItem(3, Failure("failed", "KeyError: 3")))


def test_rows_that_are_not_ok_are_counted(tmp_path: Path) -> None:
    refusing = grid(equal_rows="refuse")
    receipt = publish_chunk(run_in(tmp_path, refusing), Chunk(0, 50))
    rows = read(receipt.parts[0]).to_pylist()
    assert receipt.failed == sum(row["status"] != "ok" for row in rows) > 0


def test_a_part_file_that_cannot_be_published_is_an_error_of_the_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(publication, "publish", full)
    with pytest.raises(OutputError, match=r"No space left on device.*same command") as caught:
        publish_chunk(run_in(tmp_path, grid()), Chunk(0, 2))
    assert str(tmp_path) in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
