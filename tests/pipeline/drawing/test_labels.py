"""Labels of marks: a title and attributes in the SVG, whatever the words."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from pipeline.drawing.figures import ROW, house_style, label, save
from pipeline.drawing.marks import band, judged, valued
from pipeline.report.drawings import inlined
from pipeline.summary.verdicts import Verdict

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = """<b> & "quotes" 'single' ]]> label: x % %41 \x1b"""
PLAIN = HOSTILE.replace("\x1b", "\ufffd")


def marked(folder: Path) -> list[tuple[str | None, dict[str, str]]]:
    """The title and the attributes of each mark of a figure."""
    root = ElementTree.parse(folder / "f.svg").getroot()
    return [
        (group.findtext(f"{SVG}title"), dict(group.attrib))
        for group in root.iter(f"{SVG}g")
        if group.find(f"{SVG}title") is not None or any(name.startswith("data-") for name in group.attrib)
    ]


def titles(folder: Path) -> list[str | None]:
    return [title for title, _ in marked(folder) if title]


def test_a_mark_has_the_words_as_its_title(tmp_path: Path) -> None:
    with house_style():
        figure = Figure()
        axes = figure.subplots()
        label(axes.plot([1], [2], "o"), HOSTILE)
        axes.plot([2], [3], "o")
        save(figure, tmp_path, "f")
    assert titles(tmp_path) == [PLAIN]


def test_a_mark_has_its_row_and_what_it_is_switched_off_by(tmp_path: Path) -> None:
    with house_style():
        figure = Figure()
        axes = figure.subplots()
        row = {"builder": HOSTILE, "_title": "uci/iris", ROW: "row-t-7"}
        label(axes.plot([1], [2], "o"), "a mark", row)
        label(axes.plot([1, 2], [2, 2]), "", row)
        label([axes.scatter([1], [2])], "another", {"impurity_type": "w_sum", "uncertainty": "ent"}, data_set="b")
        save(figure, tmp_path, "f")
    own = {"data-of-builder": PLAIN, "data-of-data-set": "uci/iris"}
    assert marked(tmp_path) == [
        ("another", {"data-of-heuristic": "w_sum/ent", "data-of-data-set": "b"}),
        ("a mark", own | {"data-row": "row-t-7"}),
        (None, own),
    ]
    page = str(inlined((tmp_path / "f.svg").read_text(), "f-", "a figure"))
    assert 'data-row="row-t-7"' in page
    assert "<b>" not in page


def test_each_point_of_a_line_says_what_it_is(tmp_path: Path) -> None:
    rows = [
        {"mean": mean, "low": low, "high": 1.0, "builder": "c45"}
        for mean, low in ((0.5, 0.25), (None, None), (0.75, None))
    ]
    with house_style():
        figure = Figure()
        axes = figure.subplots()
        band(axes, [1, 2, 3], rows, scale=100, named=lambda row: f"at {row['mean']}", color="red", marker="o")
        band(axes, [1, 2, 3], rows, named="a line", color="blue")
        save(figure, tmp_path, "f")
    assert sorted(filter(None, titles(tmp_path))) == [
        "a line: 0.5 to 0.75",
        "at 0.5: 50, 95 % interval 25 to 100",
        "at 0.75: 75",
    ]
    assert {attributes["data-of-builder"] for _, attributes in marked(tmp_path)} == {"C4.5"}


@pytest.mark.parametrize(("printed", "text", "shown"), [(0.9, None, "90"), (0.9, "0.900", "90.0"), (None, None, "")])
def test_the_marks_of_our_value_and_the_printed_one_have_the_same_title(
    tmp_path: Path, printed: float | None, text: str | None, shown: str
) -> None:
    verdict = printed and Verdict.DIFFERS
    row = {"ours": 0.5, "low": 0.4, "high": 0.6, "printed": printed, "_text": text, "verdict": verdict}
    with house_style():
        figure = Figure()
        judged(figure.subplots(), 0, row, "ours", "black", 100, "iris, c45")
        save(figure, tmp_path, "f")
    title = "iris, c45: 50, 95 % interval 40 to 60"
    assert titles(tmp_path) == ([f"{title}; printed {shown}, differs"] * 2 if printed else [title])


def test_without_an_interval_a_mark_has_its_value() -> None:
    assert valued("iris, nodes", 7.0) == "iris, nodes: 7"


@pytest.mark.filterwarnings("error")
def test_letters_that_the_font_lacks_are_no_warning(tmp_path: Path) -> None:
    with house_style():
        figure = Figure()
        figure.add_subplot().set_title("🌳 木")
        assert all(path.stat().st_size for path in save(figure, tmp_path, "tree"))
