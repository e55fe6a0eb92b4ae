"""Labels of marks: a title in the SVG, whatever the words."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from matplotlib.figure import Figure

from pipeline.drawing.figures import house_style, label, save
from pipeline.drawing.marks import judged, valued
from pipeline.summary.verdicts import Verdict

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = """<b> & "quotes" 'single' ]]> label: x"""


def titles(folder: Path) -> list[str | None]:
    root = ElementTree.parse(folder / "f.svg").getroot()
    return [title.text for group in root.iter(f"{SVG}g") for title in group.findall(f"{SVG}title")]


def test_a_mark_has_the_words_as_its_title(tmp_path: Path) -> None:
    with house_style():
        figure = Figure()
        axes = figure.subplots()
        label(axes.plot([1], [2], "o"), HOSTILE)
        axes.plot([2], [3], "o")
        save(figure, tmp_path, "f")
    assert titles(tmp_path) == [HOSTILE]


def test_ours_and_print_say_the_same(tmp_path: Path) -> None:
    row = {"ours": 0.5, "low": 0.4, "high": 0.6, "printed": 0.9, "verdict": Verdict.DIFFERS}
    with house_style():
        figure = Figure()
        judged(figure.subplots(), 0, row, "ours", "black", 100, "iris, c45")
        save(figure, tmp_path, "f")
    assert titles(tmp_path) == ["iris, c45: 50, 95 % interval 40 to 60; printed 90, differs"] * 2


def test_without_an_interval_a_mark_tells_its_value() -> None:
    assert valued("iris, nodes", 7.0) == "iris, nodes: 7"
