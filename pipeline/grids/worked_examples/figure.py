"""The figure of a worked example: each tree drawn, beside it the same tree as text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from algorithms.table import Labels
from algorithms.trees.json_text import from_json
from algorithms.trees.plot import draw_tree
from pipeline.drawing.figures import GREY
from pipeline.drawing.frame import Inches, framed
from pipeline.grammar.columns import Row, grouped
from pipeline.grammar.measures import labels_of
from pipeline.grammar.summary import Found
from pipeline.grids.worked_examples.grid import data_of
from pipeline.grids.worked_examples.summary import TREES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw"]

WIDTH, ABOVE = 12.0, 0.75
LEVEL, LINE, TITLE = 0.72, 0.165, 0.45
"""Inches: of a level of a tree, a line of text, and what is above each tree."""


def draw(found: Found, folder: Path) -> list[Path]:
    """Draw the trees of each example as `<source>.svg` and `.png` and return their paths; equal trees once."""
    trees = grouped(found.rows(TREES), "source").items()
    return [path for source, rows in trees for path in _drawn(source, rows, folder)]


def _drawn(source: str, rows: Sequence[Row], folder: Path) -> tuple[Path, ...]:
    labels = labels_of(data_of(source))
    groups = list(grouped(rows, "text").values())  # equal trees have the same text
    heights = [_height(group[0]) for group in groups]
    total = ABOVE + sum(heights)
    leaves = max(group[0]["terminal_nodes"] for group in groups)
    said = "every tree once, with the builders that give it; below a leaf its rows, class by class"
    inches = Inches(WIDTH, total, left=0, right=0, above=ABOVE, below=0)
    with framed(folder, source, f"Worked example {source}", said, inches, (0, 0)) as frame:
        top = total - ABOVE
        for group, height in zip(groups, heights, strict=True):
            _panel(frame.figure, group, labels, leaves, (top - height) / total, height / total)
            top -= height
    return frame.files


def _panel(figure: Figure, group: Sequence[Row], labels: Labels, leaves: int, bottom: float, height: float) -> None:
    """A tree, its builders above it and its text to the right."""
    row = group[0]
    title = TITLE / figure.get_figheight()
    builders = "; ".join(map(_called, group))
    figure.text(0.012, bottom + height - title / 6, builders, fontweight="bold", va="top")
    leaf = "leaf" if row["terminal_nodes"] == 1 else "leaves"
    size = f"{row['terminal_nodes']} {leaf}, average depth {row['average_depth']:.4g}"
    right = f"{100 * row['train_accuracy']:.4g} % of the rows right"
    figure.text(0.66, bottom + height - title / 6, f"{size}, {right}", color=GREY, va="top", fontsize=9)
    axes = figure.add_axes((0.012, bottom + 0.02 * height, 0.63, height - title))
    draw_tree(axes, from_json(row["_tree"]), labels, leaves)
    words = row["text"]
    figure.text(
        0.66, bottom + height - title, words, family="DejaVu Sans Mono", fontsize=7.5, va="top", linespacing=1.3
    )


def _called(row: Row) -> str:
    """What a tree was built by, in words, and of a pruned one the least alpha that chooses it."""
    alpha = json.loads(row["parameters"]).get("alpha")
    return f"{row['builder'].replace('_', ' ')}{f', from alpha = {alpha}' if alpha else ''}"


def _height(row: Row) -> float:
    levels: int = row["depth"] + 1
    lines: int = row["text"].count("\n") + 1
    return TITLE + max(LEVEL * levels, LINE * lines) + 0.15
