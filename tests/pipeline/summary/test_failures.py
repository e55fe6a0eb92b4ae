"""What became of cells, counted from parts."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from pipeline.storage.parts import Part, publish
from pipeline.summary.failures import SHOWN, FailureGroup, failures
from tests.pipeline.small_grids import FEW, grid

FINE = grid()


def part(table: pa.Table, folder: Path, first: int) -> Part:
    return publish(table, folder, "0123456789ab", first, first + table.num_rows // (len(FEW) + 1))


def test_nothing_failed(tmp_path: Path) -> None:
    tables = failures([part(FINE.work(0, 4)["results"], tmp_path, 0), part(FINE.work(4, 5)["results"], tmp_path, 4)])
    assert tables.statuses == {"ok": 15}
    assert (tables.cells, tables.losses, tables.more) == (0, (), 0)


def test_cells_that_say_the_same_are_counted_together_with_the_first_of_them(tmp_path: Path) -> None:
    parts = [
        part(FINE.work(0, 2)["results"], tmp_path, 0),
        part(FINE.failed_item(2, "failed", "it <broke>")["results"], tmp_path, 2),
        part(FINE.failed_item(3, "time_limit", "took long")["results"], tmp_path, 3),
        part(FINE.failed_item(4, "failed", "it <broke>")["results"], tmp_path, 4),
    ]
    result = failures(parts)
    assert result.statuses == {"failed": 6, "ok": 6, "time_limit": 3}
    assert result.cells == 9
    first, second = result.losses
    assert (first.status, first.error, first.cells) == ("failed", "it <broke>", 6)
    assert second == FailureGroup("time_limit", "took long", 3, second.first)
    assert "table_index 3" in first.first
    assert "table_index 4" in second.first


def test_what_differs_in_numbers_alone_is_the_same(tmp_path: Path) -> None:
    texts = ["row 7 has 1,024.5", "row 12 has 3", "row x has 3"]
    parts = [part(FINE.failed_item(item, "failed", text)["results"], tmp_path, item) for item, text in enumerate(texts)]
    assert [(loss.error, loss.cells) for loss in failures(parts).losses] == [
        ("row 7 has 1,024.5", 6),
        ("row x has 3", 3),
    ]


def test_of_many_errors_the_most_frequent_are_listed(tmp_path: Path) -> None:
    texts = ["error " + "x" * item for item in range(SHOWN + 2)]
    parts = [part(FINE.failed_item(item, "failed", text)["results"], tmp_path, item) for item, text in enumerate(texts)]
    result = failures(parts)
    assert len(result.losses) == SHOWN
    assert result.more == 2
