"""Cells of pages: they run in order, show what a notebook shows, and end the build where they fail."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from orchard_docs.cells import HTML, SVG, TEXT, CellError, Notebook, Output
from orchard_docs.counts import counts
from orchard_docs.notebooks import CELL, ipynb

from tests.pipeline.command_line import ROOT

DOCS = ROOT / "docs"


class Shown:
    """A value that a notebook shows as HTML."""

    def _repr_html_(self) -> str:
        return "<b>7</b>"


def test_cells_share_names_and_a_folder_and_show_what_is_printed_and_the_last_value() -> None:
    notebook, here = Notebook(), Path.cwd()
    assert notebook.run("a = 6\nopen('mine.txt', 'w').write('one\\n');") == []
    assert notebook.run("print('said')\na + 1") == [Output(TEXT, "said"), Output(TEXT, "7")]
    assert notebook.run("!cat mine.txt; echo aside >&2\n!ls -d reproduced") == [Output(TEXT, "one\nreproduced")]
    notebook.names["shown"] = Shown()
    assert notebook.run("shown") == [Output(HTML, "<b>7</b>")]
    assert Path.cwd() == here


def test_a_cell_shows_figures_and_svg_files_and_the_same_bytes_again() -> None:
    drawing = "import matplotlib.pyplot as plt\nplt.plot([1, 2], [3, 4]);"
    (first,), (again,) = Notebook().run(drawing), Notebook().run(drawing)
    assert first.kind == SVG
    assert first == again
    paths = "from pathlib import Path\nPath('a.svg').write_text('<svg/>')\n[Path('a.svg'), Path('a.png')]"
    assert Notebook().run(paths) == [Output(SVG, "<svg/>")]


@pytest.mark.parametrize(
    "cell", ["1 / 0", "this is no Python", "!echo lost; false", "!python -c 'raise SystemExit(3)'"]
)
def test_a_cell_that_fails_says_which(cell: str) -> None:
    with pytest.raises(CellError) as failed:
        Notebook().run(cell)
    assert cell in str(failed.value)


def test_a_notebook_has_the_text_the_code_and_the_outputs_in_order() -> None:
    page = "# A\n\nOne.\n\n```{code-cell} python\n:alt: b\n1\n```\n\nTwo.\n\n```{code-cell} python\n2\n```\n"
    found = json.loads(ipynb(page, [("1", [Output(TEXT, "1")]), ("2", [])]))
    assert [cell["source"] for cell in found["cells"]] == ["# A\n\nOne.", "1", "Two.", "2"]
    assert [cell["cell_type"] for cell in found["cells"]] == ["markdown", "code"] * 2
    assert found["cells"][1]["outputs"][0]["data"] == {TEXT: "1"}
    assert (found["nbformat"], found["nbformat_minor"]) == (4, 5)


@pytest.mark.parametrize("page", ["gallery", "index"])
def test_every_picture_says_what_it_shows(page: str) -> None:
    cells = CELL.findall((DOCS / f"{page}.md").read_text(encoding="utf-8"))
    assert cells
    assert [cell for cell in cells if "\n:alt: " not in cell] == []


def test_each_picture_of_the_gallery_has_about_five_lines_of_code_and_a_caption() -> None:
    sections = re.split(r"^## ", (DOCS / "gallery.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    assert len(sections) >= 8
    for section in sections:
        (cell,) = CELL.findall(section)
        code = [line for line in cell.splitlines()[1:-1] if line and not line.startswith(":")]
        assert len(code) <= 6, section
        assert len(section.partition(cell)[2].split()) >= 10, section


def test_the_counts_are_those_of_the_readme() -> None:
    found = counts()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"{found['agree']} of the {found['printed']} printed figures agree" in readme
