"""A decision tree as SVG, from left to right: all of it, or as much as is legible, with the rest folded and counted."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from algorithms.data.table import Labels
from algorithms.pictures.colours import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILLION
from algorithms.pictures.svg_elements import FONT, SMALL, escaped, shortened, svg_element, text_element, text_width
from algorithms.plurals import counted
from algorithms.trees.arrays import NodeKind, TreeArrays
from algorithms.trees.text import (
    OR_UNKNOWN,
    UNKNOWN_TO_ALL,
    all_branches,
    branches,
    decision_label,
    decision_name,
    question,
    rows_text,
)

MOST_LEAVES, MOST_LEVELS = 60, 12
"""Limits for a tree drawn alone; the rest is folded and counted."""
MOST_BRANCHES = 24
"""The most branches of a node; further ones are folded into one."""


@dataclass(frozen=True)
class Branch:
    """An edge of a drawn node."""

    text: str  # its values, in short
    full: str  # its values, in full
    to: Outlined  # the node or folded part below


@dataclass(frozen=True)
class Outlined:
    """A drawn node."""

    text: str  # its test, its answer, or the number of folded nodes
    kind: NodeKind | None  # of the node; None for folded nodes
    decision: int  # its most common decision
    rows: str  # its number of training rows; for a terminal node also how many of them have its decision; or empty
    full: str  # the text with the training rows of each decision
    below: tuple[Branch, ...] = ()  # its branches

    @property
    def leaves(self) -> int:
        """The number of drawn nodes without branches from here on."""
        return sum(branch.to.leaves for branch in self.below) or 1


class Outline:
    """The drawn nodes of a tree: from the root on, level by level, within the limits on leaves and on levels."""

    def __init__(self, tree: TreeArrays, labels: Labels | None) -> None:
        self._tree, self._labels = tree, labels
        self._size = tree.sums_over_subtrees(np.ones(tree.nodes, np.int64))
        self._opened = self._chosen()
        self._on_all, self._nodes_of_all = all_branches(tree)
        self._folded, self._joined = 0, False

    def whole(self) -> tuple[Outlined, list[str]]:
        """The drawn root, and notes on the whole tree."""
        root, notes = self._outlined(0), []
        if self._folded:
            notes.append(f"{self._folded:,} of {self._tree.nodes:,} nodes are folded")
        if self._joined:
            notes.append("?: unknown values go there")
        if self._on_all:
            notes.append(UNKNOWN_TO_ALL)
        return root, notes

    def _chosen(self) -> set[int]:
        """The nodes whose branches are drawn."""
        opened, drawn = set(), 1
        waiting = deque([(0, 0)])
        while waiting:
            node, level = waiting.popleft()
            below = self._tree.children(node)[:MOST_BRANCHES]
            more = len(below) - 1
            if more < 0 or level >= MOST_LEVELS or drawn + more > MOST_LEAVES:
                continue
            opened.add(node)
            drawn += more
            waiting += [(child, level + 1) for child in below]
        return opened

    def _outlined(self, node: int) -> Outlined:
        tree = self._tree
        kind = NodeKind(int(tree.kind[node]))
        if kind != NodeKind.TERMINAL and node not in self._opened:
            return self._fold([node], question(tree, node, self._labels))
        text = (decision_label if kind == NodeKind.TERMINAL else question)(tree, node, self._labels)
        if node in self._nodes_of_all:
            text = f"{text} ({UNKNOWN_TO_ALL})"
        rows, by_decision = self._rows(node, terminal=kind == NodeKind.TERMINAL)
        edges = branches(tree, node, self._labels)
        drawn = edges if len(edges) <= MOST_BRANCHES else edges[: MOST_BRANCHES - 1]
        below = [self._branch(node, label, child) for label, child in drawn]
        if len(drawn) < len(edges):
            hidden = edges[len(drawn) :]
            hidden_text = f"{len(hidden)} more values"
            folded = self._fold([child for _, child in hidden], ", ".join(label for label, _ in hidden))
            below.append(Branch(hidden_text, hidden_text, replace(folded, decision=int(tree.decision[node]))))
        return Outlined(text, kind, int(tree.decision[node]), rows, text + by_decision, tuple(below))

    def _branch(self, node: int, label: str, child: int) -> Branch:
        joined = child == self._tree.unknown_to[node] and child in self._tree.edge_to[self._tree.edges_of(node)]
        self._joined |= joined
        text = label.removesuffix(OR_UNKNOWN) if joined else label
        text = f"≤ {text[3:]}" if text.startswith("<= ") else text.removeprefix("= ")
        return Branch(f"{text}, ?" if joined else text, label, self._outlined(child))

    def _fold(self, nodes: list[int], what: str) -> Outlined:
        """The folded part that replaces some nodes and all nodes below them."""
        hidden = int(self._size[nodes].sum())
        self._folded += hidden
        text = f"… {counted(hidden, 'more node')}"
        return Outlined(text, None, int(self._tree.decision[nodes[0]]), "", f"{text}: {what}")

    def _rows(self, node: int, *, terminal: bool) -> tuple[str, str]:
        """(the number of rows of a node, the number for each decision); empty if the tree has no counts."""
        tree = self._tree
        if not tree.counts.size:
            return "", ""
        counts = tree.counts[node]
        by_decision = [
            f"{rows_text(counts[k])} {decision_name(k, self._labels)}" for k in np.flatnonzero(counts).tolist()
        ]
        total, right = rows_text(counts.sum()), rows_text(counts[int(tree.decision[node])])
        rows = f"{total} row{'' if total == '1' else 's'}"
        return (f"{right} of {rows}" if terminal and right != total else rows), f" — {rows}: {', '.join(by_decision)}"


LINE, BOX = 32, 22  # height of a leaf's line and of its box
PAD = 8  # between a box and its text, and around the picture
STEM = 12  # from the boxes of a level to the fork of their branches
WIDEST_BOX, WIDEST_BRANCH = 180, 150  # of text

DECISION_COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY)
"""The colour of a leaf's edge, in a tree with no more decisions than these."""


def tree_svg(tree: TreeArrays, labels: Labels | None, title: str) -> str:
    """The tree as an SVG element, alone or within a page; below 300 kB for any tree.

    The root is on the left, and every leaf has its own line. A box shows a test, and its branches the values (`?`: also
    unknown ones). A filled box shows a decision, and next to it the number of training rows with that decision. Beyond
    60 leaves, 12 levels or 24 branches of a node, boxes show how many nodes are folded. A tooltip has the full text of
    a shortened one. Lines and text have the colour of the surrounding text, dark on light or light on dark.

    labels : the names of codes and decisions; None: numbers as they are
    title  : the text alternative of the picture
    """
    root, notes = Outline(tree, labels).whole()
    decisions = len(labels.decisions) if labels else int(tree.decision.max()) + 1
    colours = DECISION_COLOURS if decisions <= len(DECISION_COLOURS) else ()
    columns = _Columns(root)
    drawn = list(_drawn(root, 0, PAD, columns, colours))
    right = max(end for end, _ in drawn)
    bottom = PAD + root.leaves * LINE
    for text in notes:
        bottom += 16
        drawn.append(
            (PAD + text_width(text, SMALL), text_element(PAD, bottom - 4, text, f'font-size="{SMALL}" opacity=".75"'))
        )
    right, bottom = max(right, *(end for end, _ in drawn)) + PAD, bottom + PAD
    return svg_element(right, bottom, title, (element for _, element in drawn))


class _Columns:
    """For each level, where its boxes begin (`left`), and where their branches fork (`fork`)."""

    def __init__(self, root: Outlined) -> None:
        boxes: dict[int, float] = {}
        text_width_of: dict[int, float] = {}
        waiting = [(root, 0)]
        while waiting:
            node, level = waiting.pop()
            if node.below:
                boxes[level] = max(boxes.get(level, 0), _box_width(node))
            for branch in node.below:
                text = shortened(branch.text, WIDEST_BRANCH, SMALL)
                text_width_of[level] = max(text_width_of.get(level, 0), text_width(text, SMALL))
                waiting.append((branch.to, level + 1))
        self.left, self.fork = [float(PAD)], []
        for level in range(len(boxes)):
            self.fork.append(self.left[level] + boxes[level] + STEM)
            self.left.append(self.fork[level] + text_width_of[level] + 2 * PAD)


def _drawn(
    node: Outlined, level: int, top: float, columns: _Columns, colours: Sequence[str]
) -> Iterator[tuple[float, str]]:
    """(right end, SVG element) of each part of a node and all nodes below it, drawn from the height `top` down."""
    middle = _middle(node, top)
    left, right = columns.left[level], columns.left[level] + _box_width(node)
    if node.below:
        fork, to = columns.fork[level], columns.left[level + 1]
        heights = []
        for branch in node.below:
            heights.append(_middle(branch.to, top))
            yield from _drawn(branch.to, level + 1, top, columns, colours)
            top += branch.to.leaves * LINE
        lines = f"M{right:.0f} {middle:.0f}H{fork:.0f}M{fork:.0f} {heights[0]:.0f}V{heights[-1]:.0f}"
        lines += "".join(f"M{fork:.0f} {height:.0f}H{to:.0f}" for height in heights)
        yield to, f'<path d="{lines}" fill="none" stroke="currentColor" stroke-opacity=".45"/>'
        for branch, height in zip(node.below, heights, strict=True):
            yield to, _branch(branch, fork + PAD / 2, height)
    yield _box(node, left, middle, colours)


def _middle(node: Outlined, top: float) -> float:
    """The height of a node's middle: halfway between its first branch and its last."""
    if not node.below:
        return top + LINE / 2
    last = top + (node.leaves - node.below[-1].to.leaves) * LINE
    return (_middle(node.below[0].to, top) + _middle(node.below[-1].to, last)) / 2


def _box(node: Outlined, left: float, middle: float, colours: Sequence[str]) -> tuple[float, str]:
    """(its right end, the element) of a node: its box, the text in it and, for a leaf, its rows beside it."""
    leaf, folded = node.kind == NodeKind.TERMINAL, node.kind is None
    box_width = _box_width(node)
    style = 'fill-opacity=".1"' if leaf else 'fill="none" stroke="currentColor" stroke-opacity=".6"'
    style += ' stroke-dasharray="3 3"' if folded else ""
    box = f'x="{left:.0f}" y="{middle - BOX / 2:.0f}" height="{BOX}"'
    parts = [f"<title>{escaped(node.full)}</title>", f'<rect {box} width="{box_width:.0f}" rx="4" {style}/>']
    if leaf and colours:
        parts.append(f'<rect {box} width="4" rx="2" fill="{colours[node.decision]}"/>')
    weight = 'font-weight="bold"' if leaf else 'font-style="italic"' if folded else ""
    parts.append(text_element(left + PAD, middle + 4, shortened(node.text, WIDEST_BOX, FONT), weight))
    right = left + box_width
    if leaf and node.rows:
        parts.append(text_element(right + PAD / 2, middle + 4, node.rows, f'font-size="{SMALL}" opacity=".75"'))
        right += PAD / 2 + text_width(node.rows, SMALL)
    return right, f"<g>{''.join(parts)}</g>"


def _box_width(node: Outlined) -> float:
    bold = 1.1 if node.kind == NodeKind.TERMINAL else 1
    return bold * text_width(shortened(node.text, WIDEST_BOX, FONT), FONT) + 2 * PAD


def _branch(branch: Branch, left: float, height: float) -> str:
    """The text of a branch on its line."""
    text = shortened(branch.text, WIDEST_BRANCH, SMALL)
    element = text_element(left, height - 4, text, f'font-size="{SMALL}" opacity=".75"')
    return f"<g><title>{escaped(branch.full)}</title>{element}</g>"
