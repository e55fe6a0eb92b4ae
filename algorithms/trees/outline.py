"""The part of a decision tree that is drawn: all of it, or as much as is legible, with the rest folded and counted."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

import numpy as np

from algorithms.plurals import counted
from algorithms.table import Labels
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

    def __init__(self, tree: TreeArrays, labels: Labels | None, leaves: int, levels: int) -> None:
        self._tree, self._labels = tree, labels
        self._most = min(MOST_BRANCHES, leaves)
        self._size = tree.sums_over_subtrees(np.ones(tree.nodes, np.int64))
        self._opened = self._chosen(leaves, levels)
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

    def _chosen(self, leaves: int, levels: int) -> set[int]:
        """The nodes whose branches are drawn."""
        opened, drawn = set(), 1
        waiting = deque([(0, 0)])
        while waiting:
            node, level = waiting.popleft()
            below = self._tree.children(node)[: self._most]
            more = len(below) - 1
            if more < 0 or level >= levels or drawn + more > leaves:
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
        drawn = edges if len(edges) <= self._most else edges[: self._most - 1]
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
