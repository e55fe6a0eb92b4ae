"""Draws a decision tree on axes of Matplotlib, the root on top."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers
from algorithms.data.table import Labels
from algorithms.pictures.colours import GREY, INK, LIGHT
from algorithms.trees.arrays import NodeKind, TreeArrays
from algorithms.trees.text import branches, decision_label, question, rows_text

if TYPE_CHECKING:
    from algorithms.pictures.axes import Axes

MARGIN = 0.6
"""Margin around the tree, as a share of a leaf's width and a level's height."""


def draw_tree(axes: Axes, tree: TreeArrays, labels: Labels | None, leaves: int | None = None) -> None:
    """Draw a tree: tests of nodes, values on edges, and the decision of each leaf over its rows of each class.

    leaves : number of leaves that set the scale, to draw several panels alike; None: those of the tree
    """
    x, level = positions(tree)
    position = np.column_stack([x, -level])
    axes.set_axis_off()
    width = max(leaves or 0, int(np.count_nonzero(tree.kind == NodeKind.TERMINAL)))
    axes.set_xlim(-MARGIN, width - 1 + MARGIN)
    axes.set_ylim(-int(level.max()) - MARGIN, MARGIN / 2)
    centred: dict[str, Any] = {"ha": "center", "va": "center", "parse_math": False}
    gap = {"boxstyle": "round,pad=0.12", "facecolor": "white", "edgecolor": "none"}
    for node in range(tree.nodes):
        for label, child in branches(tree, node, labels):
            axes.plot(*position[[node, child]].T, color=GREY, linewidth=0.9, zorder=1)
            x, y = position[node] + 0.55 * (position[child] - position[node])
            value = label.removeprefix("= ")
            axes.text(x, y, value, color=GREY, fontsize=8, bbox=gap, zorder=2, **centred)
        terminal = tree.kind[node] == NodeKind.TERMINAL
        text = (decision_label if terminal else question)(tree, node, labels)
        box = {"boxstyle": "round,pad=0.3", "facecolor": LIGHT if terminal else "white", "edgecolor": GREY}
        weight = "bold" if terminal else "normal"
        x, y = position[node]
        axes.text(x, y, text, color=INK, fontsize=9, weight=weight, bbox=box, zorder=3, **centred)
        if terminal and tree.counts.size:
            rows = " + ".join(rows_text(count) for count in tree.counts[node] if count)
            below: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "va": "top"}
            axes.annotate(rows, position[node], (0, -11), color=GREY, fontsize=7, **below)


def size_of(tree: TreeArrays) -> tuple[float, float]:
    """The size in inches of a figure for a tree."""
    leaves = int(np.count_nonzero(tree.kind == NodeKind.TERMINAL))
    return max(4.0, 1.1 * leaves), 1.0 + 1.1 * int(tree.depths().max())


def positions(tree: TreeArrays) -> tuple[Numbers, NDArray[np.int64]]:
    """(nodes,): horizontal positions, leaves at 0, 1, 2, … and others midway over their children; and the depths."""
    x = np.zeros(tree.nodes)
    waiting, leaves = [0], 0
    while waiting:
        node = waiting.pop()
        below = tree.children(node)
        waiting += below[::-1]
        if not below:
            x[node], leaves = leaves, leaves + 1
    for node in reversed(range(tree.nodes)):
        below = tree.children(node)
        if below:
            x[node] = (x[below[0]] + x[below[-1]]) / 2
    return x, tree.depths()
