"""SVG taken into a page: it draws what it drew, under names of its own, and does nothing else."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from pipeline.drawing.frame import framed
from pipeline.report.drawings import figures_of, inlined
from pipeline.report.drawings import texts_in_svg as words
from tests.pipeline.report.made_up import SVG, reported_run


def test_nothing_runs_and_nothing_is_fetched() -> None:
    result = inlined(SVG, "p-", "a label")
    assert [
        word for word in ("script", "onload", "foreign", "javascript", "example.org", "style", "<a") if word in result
    ] == []
    root = ElementTree.fromstring(result)
    assert [element.tag for element in root.iter()] == ["svg", "defs", "path", "g", "use", "image", "rect"]


def test_ids_and_what_refers_to_them_are_the_pages_own() -> None:
    root = ElementTree.fromstring(inlined(SVG, "p-", "a label"))
    path, group, use = (root.find(tag) for tag in ("defs/path", "g", "g/use"))
    assert path is not None
    assert group is not None
    assert use is not None
    assert path.get("id") == "p-a"
    assert group.get("clip-path") == "url(#p-a)"
    assert use.get("href") == "#p-a"


def test_styles_become_attributes_and_those_of_all_are_inherited_from_the_root() -> None:
    root = ElementTree.fromstring(inlined(SVG, "p-", "a label"))
    group = root.find("g")
    assert group is not None
    assert group.get("fill") == "#222222"
    assert root.get("stroke-linejoin") == "round"
    assert (root.get("role"), root.get("aria-label")) == ("img", "a label")
    rect = root.find("rect")
    assert rect is not None
    assert (rect.get("width"), rect.get("height"), rect.get("fill")) == ("9", "9", "none")
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("96", None, "0 0 72 36")


def test_a_label_is_text() -> None:
    assert (
        ElementTree.fromstring(inlined(SVG, "p-", '"><script>\x1b')).get("aria-label")
        == '"><script>\N{REPLACEMENT CHARACTER}'
    )


@pytest.mark.parametrize(
    "text", ["", "no markup", "<svg", "<html/>", "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><svg>&a;</svg>"]
)
def test_an_invalid_svg_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not an SVG"):
        inlined(text, "p-", "")


def test_the_words_of_a_figure_are_listed_once_and_without_numbers() -> None:
    comments = ["Mean excess", "0.5", "−10", "$\\mathdefault{10^{-2}}$", "Mean  excess", "a &amp; b"]
    listed = words(f"<svg>{''.join(f'<!-- {comment} -->' for comment in comments)}</svg>")
    assert listed == "Mean excess; a & b"


def test_the_lines_and_the_key_above_the_panels_are_text_of_the_page(tmp_path: Path) -> None:
    """The drawing has them no more, but all glyphs that its other texts share with them."""
    run = reported_run(tmp_path, figures={"drawn.svg": 1})
    run.run.summaries.mkdir(parents=True)
    above = ("Headline <b>", "the rest", "one line\nanother")
    with framed(run.run.summaries, "drawn", above[:2], above[2]) as frame:
        frame.key([*frame.panel.plot([1, 2], label="a line"), *frame.panel.plot([1, 2], "o", label="a <b> mark")])
    (picture,) = figures_of(run)
    assert picture.header == above
    assert [words for _, words in picture.key] == ["a line", "a <b> mark"]
    (line, mark) = (ElementTree.fromstring(drawn) for drawn, _ in picture.key)
    assert [len(each.findall(".//use")) for each in (line, mark)] == [0, 1]
    assert [each.get("width") for each in (line, mark)] == ["45", "19"]  # 20 points and none, with 7 on either side
    root = ElementTree.fromstring(str(picture.svg))
    x, y, width, height = map(float, root.attrib["viewBox"].split())
    assert (x, width, y + height) == (0, 6.0 * 72, 3.5 * 72)
    assert (
        72 * (0.66 + 0.26 + 0.16) + 15 < y < 72 * (0.66 + 0.26 + 0.16) + 30
    )  # what `frame` leaves above the key, and this
    ids, used = (
        {each.get(name) for part in (root, line, mark) for each in part.iter() if each.get(name)}
        for name in ("id", "href")
    )
    assert {f"#{each}" for each in ids} >= used
    whole = inlined((run.run.summaries / "drawn.svg").read_text(), "drawn-", "")
    letters = sum(len(text.replace("\n", "")) for text in (*above, "a line", "a <b> mark"))
    assert whole.count("<use") - str(picture.svg).count("<use") == letters + 1
    assert not any(name in str(picture.svg) for name in ("data-words", "data-entry", "data-below"))
