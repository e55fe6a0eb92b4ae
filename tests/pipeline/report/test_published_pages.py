"""The pages of the published runs, at the papers' size: each printed table is whole, as printed, and in view."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipeline.record.kept import KeptRun
from pipeline.report.page import page
from pipeline.reproduced.folder import FIGURES, ROWS
from tests.pipeline.command_line import ROOT
from tests.pipeline.drawing.axis_ends import free_shares
from tests.pipeline.report.made_up import recorded, reported_run
from tests.pipeline.report.test_figures_in_browser import LARGEST, WIDTHS
from tests.pipeline.report.windows import opened
from tests.pipeline.reproduced.published import runs_below, summary_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from playwright.sync_api import Browser

REPRODUCED = ROOT / "reproduced"
AXES = "axes.json"
PRINTED = {
    "did_vs_c45/did_vs_c45": ("did_vs_id3_c45", [f"{name}_average_depth" for name in ("id3", "c45", "did")]),
    "did_vs_c45/did_vs_c45_accuracies": ("did_vs_id3_c45", [f"{name}_accuracy_pct" for name in ("id3", "c45", "did")]),
    "did_vs_svm/did_vs_svm": ("did_vs_svm_j48", [f"{name}_accuracy_pct" for name in ("svm", "j48", "did")]),
    "evo_tree/evo_tree": ("evo_tree", ["accuracy"]),
    "evo_tree/ranks": ("evo_tree", ["rank"]),
    "greedy_vs_dp/cells": ("greedy_vs_dp_tables_1_to_4", ["mean_relative_difference"]),
    "oct_vs_cart/oct_vs_cart": ("oct_vs_cart", ["cart_wins", "oct_wins", "ties", "mean_improvement"]),
}
"""The transcript of each printed table of numbers, by its grid and summary table, and the columns that are compared."""
OUT_OF_VIEW = """width => [...document.querySelectorAll('.laid :is(.ours, .theirs, .mark)')].filter(part => {
  const box = part.getBoundingClientRect();
  return box.width === 0 || box.left < 0 || box.right > width;
}).map(part => part.closest('td').textContent.slice(0, 100))"""


@pytest.fixture(scope="module")
def pages(made_once: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    """The folder with the page of each published run, named by its grid, without figures and trees."""

    def written(folder: Path) -> None:
        free: dict[str, dict[str, list[float]]] = {}
        for run in runs_below(REPRODUCED):
            with pytest.MonkeyPatch.context() as patch:
                shares = partial(_free_shares, free, run.name)
                patch.setattr("pipeline.drawing.frame.save", shares)
                tables = tuple(map(recorded, summary_of(run, figures=True).documents))
            kept = KeptRun({"noun": "items"}, run.name, run.id, REPRODUCED / ROWS)
            shown = replace(reported_run(grid=run.name, tables=tables, requested=()), run=kept)
            content = page(shown, (), ())
            (folder / f"{run.name}.html").write_text(content, encoding="utf-8", errors="replace")

        (folder / AXES).write_text(json.dumps(free))

    return made_once("published_pages", written)


def _free_shares(free: dict[str, dict[str, list[float]]], run: str, figure: Figure, _: Path, name: str) -> tuple[()]:
    """In place of saving a figure: keep the free shares of its axes."""
    free[f"{run}/{name}"] = free_shares(figure)
    return ()


def _figures() -> Iterator[dict[str, str]]:
    """The published figures, without claims."""
    with (REPRODUCED / FIGURES).open(encoding="utf-8", newline="") as file:
        yield from (row for row in csv.DictReader(file) if row["claim"] == "false")


def _transcript(grid: str, name: str, columns: list[str]) -> Counter[str]:
    """The printed texts in these columns of a transcript."""
    file = ROOT / "pipeline" / "grids" / grid / "printed" / f"{name}.csv"
    with file.open(encoding="utf-8", newline="") as lines:
        return Counter(row[column] for row in csv.DictReader(lines) for column in columns if row[column])


def test_axes_end_where_what_is_drawn_ends(pages: Path) -> None:
    """Nothing is cut off, and no more than an eighth of an axis is free at either end, unless it begins at zero."""
    free = json.loads((pages / AXES).read_text())
    assert len(free) > len(list(pages.glob("*.html")))
    assert {
        f"{figure} {axis}": ends
        for figure, axes in free.items()
        for axis, ends in axes.items()
        if min(ends) < -0.01 or max(ends) > 1 / 8
    } == {}


def test_each_published_figure_is_in_a_printed_table_in_view(browser: Browser, pages: Path) -> None:
    counts = Counter((row["grid"], row["table"]) for row in _figures())
    for grid in {grid for grid, _ in counts}:
        tables = {table: count for (of, table), count in counts.items() if of == grid}
        for scripts in (True, False):
            with opened(browser, (pages / f"{grid}.html").as_uri(), java_script_enabled=scripts) as shown:
                assert len(shown.content().encode()) < LARGEST
                for table, count in tables.items():
                    assert shown.locator(f"#table-{table} .laid .ours + .mark").count() == count, (grid, table)
                for width in WIDTHS:
                    shown.set_viewport_size({"width": width, "height": 800})
                    assert shown.evaluate("document.documentElement.scrollWidth") <= width
                    assert shown.evaluate(OUT_OF_VIEW, width) == [], (grid, width, scripts)


@pytest.mark.parametrize("where", PRINTED)
def test_printed_values_are_shown_as_printed(browser: Browser, pages: Path, where: str) -> None:
    grid, table = where.split("/")
    with opened(browser, (pages / f"{grid}.html").as_uri()) as shown:
        texts = shown.locator(f"#table-{table} .laid .ours + .mark + .theirs").all_inner_texts()
    shown_texts = Counter(text.split()[1] for text in texts)
    assert shown_texts == _transcript(grid, *PRINTED[where])


def test_each_printed_value_has_the_published_verdict(browser: Browser, pages: Path) -> None:
    published: dict[str, Counter[str]] = {}
    for row in _figures():
        published.setdefault(row["grid"], Counter())[row["verdict"]] += 1
    for grid, verdicts in published.items():
        with opened(browser, (pages / f"{grid}.html").as_uri()) as shown:
            marks = shown.locator(".laid .ours + .mark .unseen").all_text_contents()
        assert Counter(marks) == verdicts, grid


def test_a_cell_is_explained_by_its_own_value_and_verdict(browser: Browser, pages: Path) -> None:
    """Also where a row has several printed values, and where the verdict is by a rule of the document."""
    with opened(browser, (pages / "evo_tree.html").as_uri()) as shown:
        for table, verdict in (("data_sets", "misprint"), ("ranks", "follows")):
            cell = shown.locator(f"#table-{table} .laid a", has=shown.locator(f".mark.{verdict}")).first
            ours, printed = (cell.locator(part).inner_text().split()[-1] for part in (".ours", ".theirs"))
            cell.click()
            dialog = shown.locator("dialog")
            assert dialog.locator(".both").inner_text().split()[:4] == ["ours", f"{ours},", "printed", printed]
            assert dialog.locator(".rule").inner_text().startswith(f"{verdict}: ")
            shown.keyboard.press("Escape")
