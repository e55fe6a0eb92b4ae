"""A decision tree as SVG, from left to right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from algorithms.colours import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILLION
from algorithms.table import Labels
from algorithms.trees.arrays import NodeKind, TreeArrays
from algorithms.trees.outline import Branch, Outline, Outlined
from algorithms.trees.svg_elements import FONT, SMALL, escaped, shortened, svg_element, text_element, text_width

MOST_LEAVES, MOST_LEVELS = 60, 12
"""Limits for a tree drawn alone; the rest is folded and counted."""

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
    root, notes = Outline(tree, labels, MOST_LEAVES, MOST_LEVELS).whole()
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
