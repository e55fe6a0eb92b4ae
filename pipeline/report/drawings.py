"""The figures and trees of a run, as elements of its page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

from markupsafe import Markup

from pipeline.plain_text import plain
from pipeline.report.rendering import clipped
from pipeline.report.runs import ReportedRun
from pipeline.storage.locations import contents, storage_errors
from pipeline.summary.record import RecordedTree

PICTURE_BYTES = 1_200_000
"""The page links to the file of a larger figure instead."""
LONGEST_LABEL = 400
MOST_INDENTS = 2_000_000  # of the lines of a tree in words, in levels
ELEMENTS = {
    *("svg", "g", "defs", "symbol", "use", "title", "desc", "clipPath", "mask", "marker", "pattern", "image"),
    *("path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "textPath"),
    *("linearGradient", "radialGradient", "stop"),
}
"""Elements that draw; all others, such as `script`, `style`, `a` and `foreignObject`, are removed with all in them."""

WORDS, ENTRY, BELOW = "data-words", "data-entry", "data-below"
"""Attributes of a line or an entry of the key above the panels of a figure, as `pipeline.drawing.figures.heading`
writes them."""
COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
A_NUMBER = re.compile(r"[−+-]?[\d.,\s%×^]*(e[+-]?\d+)?\Z|\$\\mathdefault")
NUMBER = re.compile(r"-?\d[\d.]*")
SPACE = 7.0
"""Points around a mark of a key."""
LEFT_OUT = {"xmlns", "version", "class", "role", "tabindex", "lang", "space", "base"}
NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*\Z")
LOCAL_URL = re.compile(r"url\(\s*['\"]?#([^'\")]*)['\"]?\s*\)")
LENGTH = re.compile(r"([\d.]+)(pt|px|)\Z")
PIXELS_A_POINT = 96 / 72


@dataclass(frozen=True)
class Picture:
    """A figure or a tree.

    title  : its title
    svg    : an element of the page; None: `why` gives the reason
    text   : a tree in words
    files  : names of its files
    header : the lines above the panels of a figure, headline first; they are removed from the element
    key    : the entries of its key, each the picture of a mark and its text; they are removed from the element, too
    """

    title: str
    svg: Markup | None
    why: str = ""
    text: str = ""
    files: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    key: tuple[tuple[Markup, str], ...] = ()


def figures_of(run: ReportedRun) -> tuple[Picture, ...]:
    """The figures of a run, from their files."""
    by_name: dict[str, list[str]] = {}
    for file in run.summary.figures:
        by_name.setdefault(Path(file).stem, []).append(file)
    return tuple(_figure(run, name, files) for name, files in by_name.items())


def trees_of(run: ReportedRun) -> tuple[Picture, ...]:
    """The trees that a run's summary names, drawn from its record of them."""
    return tuple(_tree(recorded, number) for number, recorded in enumerate(run.summary.trees, start=1))


def _figure(run: ReportedRun, figure: str, recorded: Sequence[str]) -> Picture:
    files = tuple(name for name in recorded if name in run.files)
    drawn = next((name for name in recorded if name.endswith(".svg")), None)
    if drawn is None:
        return Picture(figure, None, "it was drawn without an SVG", files=files)
    unfit: tuple[type[Exception], ...] = (ValueError, RecursionError, *storage_errors())
    try:
        svg = contents(run.run.summaries / drawn).decode()
        if len(svg) > PICTURE_BYTES:
            why = f"its SVG is of {len(svg) / 1e6:.1f} MB, too large for a page"
            return Picture(figure, None, why, files=files)
        label = f"Figure {figure}"
        if words := texts_in_svg(svg):
            label = f"{label}. Written in it: {clipped(words, LONGEST_LABEL)}"
        root = _parsed(svg)
        prefix = f"{figure}-"
        key = tuple(_taken_key(root, prefix))
        header = _taken_header(root)
        return Picture(figure, _element(root, prefix, label), files=files, header=header, key=key)
    except unfit as error:
        why = f"{drawn} cannot be read: {' '.join(str(error).split())}"
        return Picture(figure, None, why, files=files)


def texts_in_svg(svg: str) -> str:
    """The texts of a figure, each once and without numbers, from matplotlib's comments beside the drawn paths."""
    texts = dict.fromkeys(" ".join(unescape(text).split()) for text in COMMENT.findall(svg))
    return "; ".join(text for text in texts if not A_NUMBER.match(text))


def _tree(recorded: RecordedTree, number: int) -> Picture:
    if recorded.tree is None:
        return Picture(recorded.title, None, f"it cannot be built again: {recorded.why}")
    from algorithms.trees.arrays import TreeError
    from algorithms.trees.svg import tree_svg
    from algorithms.trees.text import export_text
    from pipeline.summary.trees import drawn_from

    try:
        tree, labels = drawn_from(recorded)
    except TreeError as error:
        return Picture(recorded.title, None, f"its record in the summary is damaged: {' '.join(str(error).split())}")
    words = export_text(tree, labels) if int(tree.depths().sum()) <= MOST_INDENTS else ""
    svg = inlined(tree_svg(tree, labels, recorded.title), f"tree-{number}-", f"Tree: {recorded.title}")
    return Picture(recorded.title, svg, text=words)


def inlined(svg: str, prefix: str, label: str) -> Markup:
    """An SVG document as an element of a page.

    Its ids get a prefix, so that they are unique on the page. Its inline styles become attributes, which a policy
    against foreign styles allows. It keeps its width, and has a `viewBox`, so that it can be made narrower.

    Raises ValueError: it is not an SVG, or its entities expand.
    """
    return _element(_parsed(svg), prefix, label)


def _parsed(svg: str) -> ElementTree.Element:
    """The root of an SVG; raises ValueError as `inlined` does."""
    if "<!ENTITY" in svg:
        raise ValueError("not an SVG of Orchard: it declares entities")
    try:
        root = ElementTree.fromstring(svg)  # noqa: S314 - without entities of its own
    except ElementTree.ParseError as error:
        raise ValueError(f"not an SVG: {error}") from error
    if _local(root.tag) != "svg" or "viewBox" not in root.attrib:
        found = f"{_local(root.tag)} with {', '.join(root.attrib) or 'no attribute'}"
        raise ValueError(f"not an SVG: expected the root svg with a viewBox, found {found}")
    return root


def _taken_header(root: ElementTree.Element) -> tuple[str, ...]:
    """Take the lines above its panels out of a figure, as text, so that a page can break them in a narrow window."""
    lines = [element for element in root.iter() if BELOW in element.attrib]
    for line in lines:
        line[:] = [below for below in line.iter() if _local(str(below.tag)) == "defs"]  # glyphs that other texts use
    if lines:
        left, top, width, height = map(float, root.attrib["viewBox"].split())
        below = min(max(float(line.attrib.pop(BELOW)) for line in lines), height)
        root.set("viewBox", f"{left:g} {top + below:g} {width:g} {height - below:g}")
    return tuple(line.attrib.pop(WORDS) for line in lines if WORDS in line.attrib)


def _taken_key(root: ElementTree.Element, prefix: str) -> Iterator[tuple[Markup, str]]:
    """Take the key out of a figure: a picture of each mark, and the text after it."""
    for legend in [element for element in root.iter() if any(ENTRY in below.attrib for below in element)]:
        picture = ElementTree.Element("svg", {"aria-hidden": "true"})
        for element in list(legend):
            if ENTRY in element.attrib:
                yield _mark(root, picture, prefix), element.attrib.pop(ENTRY)
                picture[:] = []
            else:
                legend.remove(element)
                picture.append(element)


def _mark(root: ElementTree.Element, picture: ElementTree.Element, prefix: str) -> Markup:
    """The picture of a mark of a key: as large as its line, or the middle of its point, with space around it."""
    for element in list(picture.iter()):
        for below in list(element):
            if _local(str(below.tag)) == "defs":  # moved to the end, since a form has numbers of its own
                element.remove(below)
                picture.append(below)
    drawn = [element for mark in picture if _local(str(mark.tag)) != "defs" for element in mark.iter()]
    numbers = [
        float(number)
        for element in drawn
        for name in ("x", "y", "d")
        for number in NUMBER.findall(element.get(name, ""))
    ]
    across, down = numbers[::2] or [0.0], numbers[1::2] or [0.0]
    width, height = (max(ends) - min(ends) + 2 * SPACE for ends in (across, down))
    kept = _kept(picture, prefix)
    kept.set("viewBox", f"{min(across) - SPACE:g} {min(down) - SPACE:g} {width:g} {height:g}")
    kept.set("width", f"{width * PIXELS_A_POINT:.0f}")
    kept.attrib |= _style_of_all(root)
    return Markup(ElementTree.tostring(kept, encoding="unicode"))  # noqa: S704 - nothing but what ELEMENTS lets pass


def _element(root: ElementTree.Element, prefix: str, label: str) -> Markup:
    """The root of an SVG as an element of a page."""
    inherited = _style_of_all(root)
    kept = _kept(root, prefix)
    kept.attrib = {**inherited, **kept.attrib, "role": "img", "aria-label": plain(label)}
    for length in ("width", "height"):
        kept.attrib.pop(length, None)
    if wide := LENGTH.match(root.get("width", "")):
        kept.set("width", f"{float(wide[1]) * (PIXELS_A_POINT if wide[2] == 'pt' else 1):.0f}")
    return Markup(ElementTree.tostring(kept, encoding="unicode"))  # noqa: S704 - nothing but what ELEMENTS lets pass


def _kept(element: ElementTree.Element, prefix: str) -> ElementTree.Element:
    """The element with those of its contents that draw, names without namespaces, as in HTML."""
    copy = ElementTree.Element(_local(element.tag), dict(_attributes(element, prefix)))
    copy.text, copy.tail = element.text and plain(element.text), element.tail and plain(element.tail)
    for below in element:
        if isinstance(below.tag, str) and _local(below.tag) in ELEMENTS:
            copy.append(_kept(below, prefix))
    return copy


def _attributes(element: ElementTree.Element, prefix: str) -> Iterator[tuple[str, str]]:
    """The drawing attributes of an element, including its style."""
    for key, value in element.attrib.items():
        name = _local(key)
        if name == "style":
            yield from ((own_name, _renamed(own_value, prefix)) for own_name, own_value in _declarations(value))
        elif name == "id":
            yield name, prefix + value
        elif name == "href":
            if value.startswith("#"):
                yield name, f"#{prefix}{value[1:]}"
            elif value.startswith("data:image/png;base64,"):
                yield name, value
        elif _draws(name):
            yield name, _renamed(value, prefix)


def _draws(name: str) -> bool:
    """Whether an attribute only says how something is drawn."""
    return name not in LEFT_OUT and bool(NAME.match(name)) and not name.lower().startswith("on")


def _renamed(value: str, prefix: str) -> str:
    """A value whose references are local to the page; any other reference becomes `none`."""
    if "url(" not in value:
        return value
    return LOCAL_URL.sub(rf"url(#{prefix}\1)", value) if LOCAL_URL.fullmatch(value.strip()) else "none"


def _declarations(style: str) -> Iterator[tuple[str, str]]:
    """The declarations of an inline style, each the name and value of an attribute."""
    for declaration in style.split(";"):
        name, separator, value = declaration.partition(":")
        if separator and _draws(name.strip()) and name.strip().lower() not in {"id", "href", "style", "src"}:
            yield name.strip(), value.strip()


def _style_of_all(root: ElementTree.Element) -> dict[str, str]:
    """The style that a figure's style sheet gives to all its elements, which inherit it from the root."""
    elements = (element for element in root.iter() if isinstance(element.tag, str))
    sheets = (element.text or "" for element in elements if _local(element.tag) == "style")
    rule = re.search(r"\*\s*{([^}]*)}", "".join(sheets))
    return dict(_declarations(rule[1])) if rule else {}


def _local(name: str) -> str:
    return name.rpartition("}")[2]
