"""Pages over several runs: of a sweep, of two runs compared, and what the index says of both."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pipeline.plan import GridRun, run_id
from pipeline.record.provenance import begin
from pipeline.report.command import neighbours
from pipeline.report.several import MOST_RUNS, write_comparison
from pipeline.storage.parts import publish
from pipeline.summary.sweep import SweptRun, sweep_record, write_sweep
from pipeline.summary.tables import SummaryTable
from tests.pipeline.command_line import run_orchard
from tests.pipeline.record.made_up import made_up_run
from tests.pipeline.record.recorded import CART, compared

GRID = "compare_builders"


def two(output: Path) -> tuple[str, str]:
    """Two runs of a grid below an output folder, of which the second has another seed and other trees."""
    first = compared(output, (CART,))
    grid = replace(first.grid, seed=1)  # type: ignore[type-var]
    second = GridRun(grid, first.name, run_id(grid), output)
    for name, table in grid.work(0, grid.items).items():
        publish(table, second.folder(name), second.id, 0, grid.items)
    begin(second, "seed: 1\nsummary: accuracies\ndata: {folder: null, own: null}\n", "python -m pipeline +grid=x")
    return first.id, second.id


def test_keys_that_differ_are_named_and_the_command_compares_rows(tmp_path: Path) -> None:
    a, b = two(tmp_path / "outputs")
    done = run_orchard(cwd=tmp_path, module="pipeline.report")
    assert done.returncode == 0, done.stderr
    index = (tmp_path / "outputs/report/index.html").read_text()
    assert f'<a href="compare-{GRID}.html">' in index
    page = (tmp_path / f"outputs/report/compare-{GRID}.html").read_text()
    section = page.partition('<table class="keys')[2].partition("</section>")[0]
    assert re.findall(r'<th scope="col">(\w+)', section) == ["run", "seed"]
    assert "data" not in section.partition("<tbody>")[0].partition("<thead>")[2]
    (typed,) = re.findall(r"python -m pipeline\.report (--compare \w+ \w+)", page)
    assert set(typed.split()[1:]) == {a, b}
    again = run_orchard(*typed.split(), cwd=tmp_path, module="pipeline.report")
    assert again.returncode == 0, again.stderr
    page = (tmp_path / f"outputs/report/compare-{typed.split()[1]}-{typed.split()[2]}.html").read_text()
    assert f'href="{GRID}-{a}.html"' in page
    assert "rows that both have" in page
    command = re.findall(r"python -m pipeline\.query (--compare [^<]*)", page)[0]
    rows = run_orchard(*unescape(command).split(), cwd=tmp_path, module="pipeline.query")
    assert rows.returncode == 0, rows.stderr


def test_a_sweep_has_a_page_and_one_that_is_damaged_ends_nothing(tmp_path: Path) -> None:
    a, _ = two(tmp_path / "outputs")
    hostile = "<script>window.obeyed = 1</script>"
    runs = [SweptRun((hostile,), a, "done", hostile, None), SweptRun(("2",), "", "not begun", "", None)]
    record = sweep_record("abc", GRID, ["seed"], runs)
    folder = tmp_path / f"outputs/summaries/grid={GRID}"
    write_sweep(record, folder / "sweep=abc")
    (folder / "sweep=bad").mkdir()
    (folder / "sweep=bad/summary.json").write_text("{}")
    odd = SummaryTable("swept_runs", "Runs of the sweep", ("seed", "run"), [("1", a)], "")
    write_sweep(replace(record, sweep="odd", tables=(odd,)), folder / "sweep=odd")
    done = run_orchard(cwd=tmp_path, module="pipeline.report")
    assert done.returncode == 0, done.stderr
    assert "sweep=bad has a summary.json that cannot be read" in done.stderr
    assert "sweep=odd has a summary.json that cannot be read" in done.stderr  # it does not say how its runs ended
    page = (tmp_path / f"outputs/report/sweep-{GRID}-abc.html").read_text()
    assert hostile not in page
    assert "1 of 2 runs done" in page
    assert f'href="../summaries/grid={GRID}/sweep%3Dabc/swept_runs.csv"' in page or "sweep=abc/swept_runs.csv" in page
    index = (tmp_path / "outputs/report/index.html").read_text()
    assert f'href="sweep-{GRID}-abc.html"' in index
    assert "sweep=bad" not in index


def test_many_runs_that_are_named_have_a_page_whose_name_a_folder_can_hold(tmp_path: Path) -> None:
    runs = [made_up_run(tmp_path, GRID, f"{number:012x}") for number in range(40)]
    pages = {write_comparison(tmp_path / "report", some, None) for some in (runs[:2], runs[:39], runs)}
    assert len(pages) == 3
    assert all(page.is_file() for page in pages)


def test_a_run_is_compared_with_one_that_the_page_of_its_grid_has() -> None:
    runs: list[Any] = [
        SimpleNamespace(run=SimpleNamespace(name=name, id=str(number)), provenance=SimpleNamespace(finished=number))
        for name in ("g", "50% #1")
        for number in range(MOST_RUNS + 2)
    ]
    result = neighbours(runs)
    last = MOST_RUNS + 1
    assert result["g", str(last)] == f"compare-g.html#{last},{last - 1}"
    assert result["g", "2"] == "compare-g.html#2,3"
    assert ("g", "1") not in result
    assert result["50% #1", "3"] == "compare-50%25%20%231.html#3,2"
    assert neighbours(runs[:1]) == {}
