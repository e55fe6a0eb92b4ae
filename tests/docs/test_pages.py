"""What README, docs and citation point to is there."""

from __future__ import annotations

import csv
import re
import tomllib
from pathlib import Path

import pytest
import yaml

import orchard
import pipeline
from tests.pipeline.command_line import ROOT

DOCS = ROOT / "docs"
WRITTEN = DOCS / "grids"  # copies of the pages of grids
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "pipeline/grids").glob("*/page.md")),
    *(page for page in DOCS.rglob("*.md") if "_build" not in page.parts and WRITTEN not in page.parents),
]
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_links_of_a_page_lead_to_files(page: Path) -> None:
    linked = LINK.findall(page.read_text(encoding="utf-8"))
    assert [link for link in linked if not (page.parent / link).exists() and not _page_of_grid(page, link)] == []


def _page_of_grid(page: Path, link: str) -> bool:
    """Whether a link of a page in docs/ is to the copy of the page of a grid, which the docs build makes."""
    there = (page.parent / link).resolve()
    return there.parent == WRITTEN and (ROOT / "pipeline/grids" / there.stem / "page.md").is_file()


def test_the_readme_is_read_in_one_sitting() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 160


def test_the_citation_names_the_version_and_licence_there_is() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (citation["version"], citation["license"]) == (orchard.__version__, project["license"])
    assert citation["cff-version"] == "1.2.0"
    assert [author["name"] for author in citation["authors"]] == ["The Orchard developers"]


def test_the_picture_of_the_readme_is_that_of_the_published_rows(tmp_path: Path) -> None:
    summary = pipeline.summarise(ROOT / "reproduced" / "rows", "greedy_vs_dp", tmp_path)
    (drawn,) = [path for path in summary.figures if path.suffix == ".svg"]
    committed = DOCS / "_static" / drawn.name
    assert f"]({committed.relative_to(ROOT)})" in (ROOT / "README.md").read_text(encoding="utf-8")
    shown, expected = (re.findall("<title>(.+?)</title>", path.read_text("utf-8")) for path in (committed, drawn))
    assert len(expected) > 80
    again = (
        f'pipeline.summarise("reproduced/rows", "{drawn.stem}", "drawn") and copy drawn/{drawn.name} to docs/_static'
    )
    assert shown == expected, f"the picture of the README is out of date: call {again}"


def test_the_minima_of_impossible_depths_are_the_published_ones() -> None:
    with (ROOT / "reproduced/tables/did_vs_c45/did_vs_c45.csv").open(encoding="utf-8", newline="") as file:
        impossible = [row for row in csv.DictReader(file) if row["verdict"] == "impossible" and row["exact_minimum"]]
    expected = {(row["case"], int(row["rows"]), f"{float(row['exact_minimum']):.3f}") for row in impossible}
    page = (DOCS / "impossible.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| ([\w ]+) \| ([\d,]+) \| .+ \| ([\d.]+) \|$", page, re.MULTILINE)
    assert {(case, int(rows.replace(",", "")), least) for case, rows, least in shown} == expected
    assert len(expected) == 5
