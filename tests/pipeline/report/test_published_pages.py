"""The pages of the published runs, at the papers' size: each printed table is whole, as printed, and in view."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipeline.report.page import page
from pipeline.reproduced.folder import FIGURES, ROWS
from tests.pipeline.command_line import ROOT
from tests.pipeline.record.made_up import made_up_run
from tests.pipeline.report.made_up import reported_run
from tests.pipeline.report.test_figures_in_browser import LARGEST, WIDTHS
from tests.pipeline.report.windows import opened, size
from tests.pipeline.reproduced.published import REPRODUCED, summaries_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser

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
CELLS = """[...document.querySelectorAll('.laid .ours + .mark')].map(mark =>
  [mark.closest('[id^=table-]').id, mark.querySelector('.unseen').textContent, mark.nextElementSibling.innerText])"""
"""The table, the verdict and the printed text of each figure."""


@pytest.fixture(scope="module")
def pages(summarised_again: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the page of each published run, named by its grid, without figures and trees."""
    folder = tmp_path_factory.mktemp("published_pages")
    for run, summary in summaries_in(summarised_again).items():
        kept = made_up_run(REPRODUCED / ROWS, run.name, run.id)
        tables = tuple(summary.tables)
        shown = replace(reported_run(grid=run.name, tables=tables, requested=()), run=kept)
        (folder / f"{run.name}.html").write_text(page(shown, (), ()), encoding="utf-8", errors="replace")
    return folder


def _figures() -> Iterator[dict[str, str]]:
    """The published figures, without claims."""
    with (REPRODUCED / FIGURES).open(encoding="utf-8", newline="") as file:
        yield from (row for row in csv.DictReader(file) if row["claim"] == "false")


def _transcript(grid: str, name: str, columns: list[str]) -> Counter[str]:
    """The printed texts in these columns of a transcript."""
    file = ROOT / "pipeline" / "grids" / grid / "printed" / f"{name}.csv"
    with file.open(encoding="utf-8", newline="") as lines:
        return Counter(row[column] for row in csv.DictReader(lines) for column in columns if row[column])


def test_axes_end_where_what_is_drawn_ends(summarised_again: Path) -> None:
    """Nothing is cut off, and no more than an eighth of an axis is free at either end, unless it begins at zero."""
    summaries = summaries_in(summarised_again)
    free = {f"{run.name}/{name}": axes for run, each in summaries.items() for name, axes in each.axes.items()}
    assert len(free) > len(summaries)
    assert {
        f"{figure} {axis}": ends
        for figure, axes in free.items()
        for axis, ends in axes.items()
        if min(ends) < -0.01 or max(ends) > 1 / 8
    } == {}


def test_each_published_figure_is_shown_as_printed_with_its_verdict_and_in_view(browser: Browser, pages: Path) -> None:
    """In every window, and without scripts, too."""
    published: dict[str, list[dict[str, str]]] = {}
    for row in _figures():
        published.setdefault(row["grid"], []).append(row)
    assert {where.partition("/")[0] for where in PRINTED} <= set(published)
    for grid, rows in published.items():
        for scripts in (True, False):
            with opened(browser, (pages / f"{grid}.html").as_uri(), WIDTHS[0], java_script_enabled=scripts) as shown:
                cells = shown.evaluate(CELLS)
                for width in WIDTHS:
                    shown.set_viewport_size({"width": width, "height": 800})
                    assert shown.evaluate("document.documentElement.scrollWidth") <= width
                    assert shown.evaluate(OUT_OF_VIEW, width) == [], (grid, width, scripts)
                assert size(shown) < LARGEST
            assert Counter(table for table, *_ in cells) == Counter(f"table-{row['table']}" for row in rows), grid
            assert Counter(verdict for _, verdict, _ in cells) == Counter(row["verdict"] for row in rows), grid
            printed: dict[str, Counter[str]] = {}
            for table, _, text in cells:
                printed.setdefault(f"{grid}/{table.removeprefix('table-')}", Counter())[text.split()[1]] += 1
            for where in PRINTED.keys() & printed.keys():
                assert printed[where] == _transcript(grid, *PRINTED[where]), where


def test_a_cell_is_explained_by_its_own_value_and_verdict(browser: Browser, pages: Path) -> None:
    """Also where a row has several printed values, and where the verdict is by a rule of the document."""
    with opened(browser, (pages / "evo_tree.html").as_uri()) as shown:
        for table, verdict in (("data_sets", "misprint"), ("ranks", "follows")):
            cell = shown.locator(f"#table-{table} .laid a", has=shown.locator(f".mark.{verdict}")).first
            ours, printed = (cell.locator(part).inner_text().split()[-1] for part in (".ours", ".theirs"))
            cell.click()
            dialog = shown.locator("dialog")
            assert dialog.locator(".both").inner_text().split()[:4] == ["ours", f"{ours},", "printed", printed]
            assert f"{verdict}: " in dialog.locator(".rule").inner_text()
            shown.keyboard.press("Escape")


def test_the_rule_of_a_cell_is_shown_with_the_sentence_that_it_refers_to(browser: Browser, pages: Path) -> None:
    with opened(browser, (pages / "did_vs_c45.html").as_uri()) as shown:
        shown.locator("#table-did_vs_c45 .laid a", has=shown.locator(".mark.differs")).first.click()
        rules = shown.locator("dialog .rule").all_inner_texts()
    assert rules[0].startswith("Else, for a single set of rows, agrees: ")
    assert rules[0].endswith("; differs: it is further from that range.")
    assert rules[1].startswith("differs: the printed value, which is from one draw, ")


def test_a_difference_without_a_known_reason_is_said_to_have_none(browser: Browser, pages: Path) -> None:
    with opened(browser, (pages / "did_vs_c45.html").as_uri()) as shown:
        reasons = []
        for name in ("Cars", "Tic-Tac-Toe"):
            row = shown.locator("#table-did_vs_c45_accuracies .laid tr", has_text=name)
            row.locator("a", has=shown.locator(".mark.differs")).last.click()
            reasons.append(shown.locator("dialog .reason").inner_text())
            shown.keyboard.press("Escape")
    assert reasons[0].startswith("reason no unpruned tree for all rows of uci/car is below 2.947")
    assert reasons[1] == "No reason for the difference is known."


def test_no_note_of_a_published_table_is_cut_off(pages: Path) -> None:
    whole = [page.read_text(encoding="utf-8") for page in pages.iterdir()]
    assert not any(re.search(r'class="note".*more characters', page) for page in whole)
