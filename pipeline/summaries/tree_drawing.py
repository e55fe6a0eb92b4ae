"""A decision tree drawn into a panel of a figure: the root on top, the leaves side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from algorithms.table import Labels
from algorithms.tree import DecisionTree, NodeKind
from algorithms.tree_text import branches, decision_label, question
from pipeline.summaries.figures import GREY, INK, LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_tree", "places"]

MARGIN = 0.6
"""Of a leaf's width and a level's height, around the tree."""


def draw_tree(axes: Axes, tree: DecisionTree, labels: Labels, leaves: int | None = None) -> None:
    """Draw a tree: what a node asks, the values on its edges, and at a leaf its decision over the rows of each class.

    leaves : for how many there is to be room, so that trees of several panels are of one scale; None: those there are
    """
    x, level = places(tree)
    axes.set_axis_off()
    room = max(leaves or 0, int(np.count_nonzero(tree.kind == NodeKind.TERMINAL)))
    axes.set_xlim(-MARGIN, room - 1 + MARGIN)
    axes.set_ylim(-int(level.max()) - MARGIN, MARGIN / 2)
    for node in range(tree.nodes):
        for label, child in branches(tree, node, labels):
            ends = np.array([[x[node], -level[node]], [x[child], -level[child]]])
            axes.plot(*ends.T, color=GREY, linewidth=0.9, zorder=1)
            middle = ends[0] + 0.55 * (ends[1] - ends[0])
            box = {"boxstyle": "round,pad=0.12", "facecolor": "white", "edgecolor": "none"}
            value = label.removeprefix("= ")
            axes.text(middle[0], middle[1], value, color=GREY, fontsize=8, ha="center", va="center", bbox=box, zorder=2)
    for node in range(tree.nodes):
        terminal = tree.kind[node] == NodeKind.TERMINAL
        words = decision_label(tree, node, labels) if terminal else question(tree, node, labels)
        box = {"boxstyle": "round,pad=0.3", "facecolor": LIGHT if terminal else "white", "edgecolor": GREY}
        where = float(x[node]), -float(level[node])
        weight = "bold" if terminal else "normal"
        axes.text(
            where[0],
            where[1],
            words,
            color=INK,
            fontsize=9,
            ha="center",
            va="center",
            weight=weight,
            bbox=box,
            zorder=3,
        )
        if terminal and tree.counts.size:
            rows = " + ".join(f"{count:g}" for count in tree.counts[node] if count)
            axes.annotate(
                rows, where, (0, -11), textcoords="offset points", color=GREY, fontsize=7, ha="center", va="top"
            )


def places(tree: DecisionTree) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """(nodes,): how far to the right, leaves at 0, 1, 2, … and others midway over their children; and the depth."""
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
