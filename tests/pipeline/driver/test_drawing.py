"""Figures are drawn in another process, from the rows; where that fails, the summary draws them."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import pytest

from pipeline.cluster.local import forked, start_fork_server
from pipeline.driver.drawing import drawing
from pipeline.grammar.columns import Key, Value
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import Table
from pipeline.grid import Grid, TableRows
from pipeline.import_path import _NAMED, importable
from pipeline.plan import GridRun
from pipeline.storage.parts import Part
from tests.summaries.builder_rows import published, result_row

SIZES = Table("sizes", "Sizes", of="results", columns=[Key("builder"), Value("splits", "count(*)")])


def _write(results: Results, folder: Path) -> tuple[Path, ...]:
    (folds,) = results.query("select list(fold order by fold) as folds from results")
    (folder / "said.svg").write_text(f"{results.rows(SIZES)} {folds} {results.context}")
    return (folder / "said.svg",)


def _end(*_: object) -> tuple[Path, ...]:
    os._exit(3)


def _fail(*_: object) -> tuple[Path, ...]:
    raise ValueError


class Drawing:
    """A grid as far as it draws."""

    def __init__(self, name: str) -> None:
        self.name = name

    def load_summary(self, *, figures: bool) -> None:
        """Nothing needs to be loaded."""

    def draw(self, parts: Mapping[str, Sequence[Part]], rows: TableRows, folder: Path) -> tuple[Path, ...]:
        """Draw with the function of this name."""
        figures = {"_write": _write, "_end": _end, "_fail": _fail}
        return Summary(tables=(SIZES,), figures=(figures[self.name],)).draw(parts, rows, folder, process=os.getpid())


def _run_of(grid: Any) -> GridRun:
    return GridRun(cast("Grid", grid), "drawing", "0", Path("outputs"))


def test_another_process_draws_and_this_one_writes(tmp_path: Path) -> None:
    start_fork_server()
    parts = published([result_row("s", "c45", fold) for fold in (1, 2)], tmp_path / "results")
    with drawing(_run_of(Drawing("_write")), forked) as draw:
        files = draw(parts, {"sizes": [{"builder": "c45"}]}, tmp_path)()
    assert files == (tmp_path / "said.svg",)
    text = files[0].read_text()
    assert text.startswith("[{'builder': 'c45'}] {'folds': [1, 2]} {'process': ")
    assert str(os.getpid()) not in text


@pytest.mark.parametrize("how", ["_end", "_fail"])
def test_where_that_process_fails_nothing_is_written(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], how: str
) -> None:
    start_fork_server()
    parts = published([result_row("s", "c45", 1)], tmp_path / "results")
    with drawing(_run_of(Drawing(how)), forked) as draw:
        assert draw(parts, {}, tmp_path)() is None
    assert {path.name for path in tmp_path.iterdir()} == {"results"}
    assert capfd.readouterr().err == ""


def test_that_process_imports_a_grid_of_a_package_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    program = f"from {__name__} import Drawing\n\n\nclass Drawings(Drawing):\n    pass\n"
    (tmp_path / "drawings_of_mine.py").write_text(program)
    monkeypatch.setattr(_NAMED, "folders", {})
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    importable(["drawings_of_mine"], tmp_path)
    start_fork_server()
    parts = published([result_row("s", "c45", 1)], tmp_path / "results")
    with drawing(_run_of(import_module("drawings_of_mine").Drawings("_write")), forked) as draw:
        assert draw(parts, {"sizes": []}, tmp_path)() == (tmp_path / "said.svg",)
    assert capfd.readouterr().err == ""
