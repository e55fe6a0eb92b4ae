"""The figures and trees of a run, as elements of its page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from pipeline.report.pictures import inlined
from pipeline.report.rendering import clipped
from pipeline.report.runs import ReportedRun
from pipeline.storage.places import contents, storage_errors
from pipeline.summary.record import RecordedFigure, RecordedTree

__all__ = ["Picture", "figures_of", "trees_of"]

PICTURE_BYTES = 1_200_000
"""The page links to the file of a larger figure instead."""
LONGEST_LABEL = 400
MOST_INDENTS = 2_000_000  # of the lines of a tree in words, in levels


@dataclass(frozen=True)
class Picture:
    """A figure or a tree.

    title : its title
    svg   : an element of the page; None: `why` gives the reason
    text  : a tree in words
    files : names of its files
    """

    title: str
    svg: Markup | None
    why: str = ""
    text: str = ""
    files: tuple[str, ...] = ()


def figures_of(found: ReportedRun) -> tuple[Picture, ...]:
    """The figures of a run, from their files."""
    return tuple(_figure(found, one) for one in found.summary.figures)


def trees_of(found: ReportedRun) -> tuple[Picture, ...]:
    """The trees that a run's summary names, drawn from its record of them."""
    return tuple(_trees(found.summary.trees))


def _figure(found: ReportedRun, figure: RecordedFigure) -> Picture:
    files = tuple(name for name in figure.files if name in found.files)
    drawn = next((name for name in figure.files if name.endswith(".svg")), None)
    if drawn is None:
        return Picture(figure.name, None, "it was drawn without an SVG", files=files)
    unfit: tuple[type[Exception], ...] = (ValueError, RecursionError, *storage_errors())
    try:
        svg = contents(found.run.summaries / drawn).decode()
        if len(svg) > PICTURE_BYTES:
            why = f"its SVG is of {len(svg) / 1e6:.1f} MB, too large for a page"
            return Picture(figure.name, None, why, files=files)
        label = f"Figure {figure.name}"
        if figure.words:
            label = f"{label}. Written in it: {clipped(figure.words, LONGEST_LABEL)}"
        return Picture(figure.name, inlined(svg, f"{figure.name}-", label), files=files)
    except unfit as error:
        why = f"{drawn} cannot be read: {' '.join(str(error).split())}"
        return Picture(figure.name, None, why, files=files)


def _trees(trees: tuple[RecordedTree, ...]) -> Iterator[Picture]:
    for place, one in enumerate(trees, start=1):
        if one.tree is None:
            yield Picture(one.title, None, f"it cannot be built again: {one.why}")
            continue
        from algorithms.trees.arrays import TreeError

        try:
            yield _drawn(one, place)
        except TreeError as error:
            yield Picture(one.title, None, f"what the summary has of it is {' '.join(str(error).split())}")


def _drawn(found: RecordedTree, place: int) -> Picture:
    from algorithms.trees.svg import tree_svg
    from algorithms.trees.text import export_text
    from pipeline.summary.trees import drawn_from

    tree, labels = drawn_from(found)
    words = export_text(tree, labels) if int(tree.depths().sum()) <= MOST_INDENTS else ""
    svg = inlined(tree_svg(tree, labels, found.title), f"tree-{place}-", f"Tree: {found.title}")
    return Picture(found.title, svg, text=words)
