"""The page of all documents in a real browser, with the worst that runs could say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipeline.proof.printed import papers
from pipeline.proof.proof import Answered, Unanswered
from pipeline.report.answers import write_proof
from pipeline.summary.tables import SummaryTable
from tests.pipeline.report.made_up import HOSTILE
from tests.pipeline.report.windows import COLOURS, DESK, PHONE, opened, violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WORDS = " ".join(HOSTILE[:-1])  # the last is half a character, which no file of text can hold


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Its address: some tables answered, in every way, others not, for every reason."""
    cells = SummaryTable(
        "cells",
        "Cells",
        ("group", "impurity_type", "uncertainty", "cost_function", "mean_relative_difference", "printed", "verdict"),
        [(1, name, "ent", "depth", -0.125, 0.25, "differs") for name in HOSTILE[:-1]]
        + [(2, "max", "ent", "depth", 0.25, 0.25, "agrees")]
        + [(3, "max", name, "depth", 0.25, 0.25, name) for name in ("impossible", "misprint", "follows")],
        WORDS,
        "select avg(depth) from results where impurity_type = {impurity_type}",
    )
    claims = SummaryTable(
        "claims",
        "Claims",
        ("claim", "left", "right", "measure", "on", "difference", "claimed", "verdict"),
        [(WORDS, "a", "b", "nodes", None, -0.5, "below 0", verdict) for verdict in ("agrees", "differs", "open")]
        + [(WORDS, "a", "c", "nodes", None, difference, "below 0", "differs") for difference in (0.25, -2.0)],
        "",
    )
    answers: dict[str, Answered | Unanswered] = {
        grid: Unanswered(f"+grid={grid} 'source=[{WORDS}]'", WORDS, lacking=index % 2 == 0)
        for index, grid in enumerate(papers().experiments)
    }
    answers["greedy_vs_dp"] = Answered(
        "abc", f"{HOSTILE[0]}.html", "", WORDS, {"cells": cells}, {"tables.count": WORDS}
    )
    answers["pruning"] = Answered("def", "pruning-def.html", "", WORDS, {"claims": claims}, {})
    answers["smallest_tree"] = Answered("012", "smallest_tree-012.html", "", WORDS, {}, {})
    answers["evo_tree"] = Unanswered("+grid=evo_tree")
    folder = tmp_path_factory.mktemp("documents")
    write_proof(papers().documents, answers, folder, folder, "index.html")
    return (folder / "documents.html").as_uri()


def test_it_fits_its_window_can_be_read_and_obeys_nothing(browser: Browser, page: str) -> None:
    with opened(browser, page) as shown:
        for width in (PHONE, DESK):
            shown.set_viewport_size({"width": width, "height": 800})
            assert shown.evaluate("document.documentElement.scrollWidth") <= width
        assert shown.evaluate("window.obeyed") is None
        assert shown.evaluate("document.scripts.length") == 1
        assert "<script>window.obeyed = 1</script>" in shown.inner_text("body")
        assert violations(shown) == []
        shown.emulate_media(color_scheme="dark")
        assert violations(shown, runOnly=COLOURS) == []


def test_every_table_of_the_overview_links_to_its_own_heading(browser: Browser, page: str) -> None:
    with opened(browser, page) as shown:
        links = shown.locator("table.runs th[scope=row] a")
        assert links.count() == 22
        for link in links.all():
            heading = shown.locator(link.get_attribute("href") or "none")
            assert heading.count() == 1
            assert heading.inner_text() == link.inner_text()


def test_its_numbers_are_sorted_by_their_sign(browser: Browser, page: str) -> None:
    with opened(browser, page) as shown:
        table = shown.locator("details table.runs")
        table.get_by_role("button", name="ours").click()
        assert table.locator("tbody td:nth-child(2)").all_inner_texts() == ["−2", "−0.5", "0.25"]


def test_its_tables_are_harmless_in_a_spreadsheet(page: str) -> None:
    folder = Path(page.removeprefix("file://")).parent
    for name in ("documents.csv", "documents_differences.csv"):
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            assert not line.startswith(("=", "+", "-", "@"))
