"""Pages with cells: each picture has a description, a caption and few lines of code; counts are those of the proof."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from orchard_docs.reproduced import counts

from tests.pipeline.command_line import ROOT

DOCS = ROOT / "docs"
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(?:---\n(?P<options>.*?)---\n)?(?P<code>.*?)^```\n", re.M | re.S)
DRAWS = re.compile(r"SVG\(|\.plot\w*\(|plt\.")
NOTEBOOKS = ("index", "gallery", "optimal", "tutorial")
MOST_LINES = 6


def _page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


def test_pages_with_cells_are_known() -> None:
    assert sorted(NOTEBOOKS) == sorted(page.stem for page in DOCS.glob("*.md") if CELL.search(page.read_text("utf-8")))


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_picture_is_described(name: str) -> None:
    drawing = [match for match in CELL.finditer(_page(name)) if DRAWS.search(match["code"])]
    assert drawing
    for result in drawing:
        options = yaml.safe_load(result["options"] or "{}")
        assert options.get("mystnb", {}).get("image", {}).get("alt"), result["code"]


def test_each_picture_of_the_gallery_has_few_lines_of_code_and_a_caption() -> None:
    sections = re.split(r"^## ", _page("gallery"), flags=re.MULTILINE)[1:]
    assert len(sections) >= 8
    for section in sections:
        (match,) = CELL.finditer(section)
        assert len([line for line in match["code"].splitlines() if line]) <= MOST_LINES, section
        assert len(section[match.end() :].split()) >= 10, section


def test_the_counts_are_those_of_the_readme() -> None:
    result = counts(ROOT / "reproduced" / "documents.csv")
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"{result['agree']} of the {result['printed']} printed figures agree" in readme


def test_claims_are_no_figures(tmp_path: Path) -> None:
    file = tmp_path / "documents.csv"
    file.write_text(
        "document,verdict,counted,claim\na,agrees,true,false\na,differs,true,false\na,agrees,false,false\nb,agrees,true,true\n"
    )
    assert counts(file) == {"agree": "1", "printed": "2", "documents": "1"}
