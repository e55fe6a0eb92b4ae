"""A decision tree in Graphviz's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from unicodedata import category

from algorithms.data.table import Labels
from algorithms.trees.arrays import NodeKind
from algorithms.trees.export.questions import exported
from algorithms.trees.text import UNKNOWN_TO_ALL, all_branches, branches, decision_label, question

MOST_SHOWN = 1000
"""Characters of a text. Graphviz reads strings of at most 16 KiB, and draws texts of edges up to 65,535 points wide."""


def to_graphviz(tree: Any, labels: Labels | Sequence[str] | None = None) -> str:
    """The tree in Graphviz's DOT language: `dot -Tsvg` draws it. Texts of more than 1000 characters are shortened.

    Parameters
    ----------
    tree : DecisionTree or fitted estimator
        The tree, or an estimator that has one as `tree_`. Every tree can be drawn.
    labels : Labels or sequence of str, optional
        The names of attributes, values and decisions; by default the names of the estimator. A sequence gives only the
        names of the attributes.

    Returns
    -------
    str
        The graph.

    Examples
    --------
    >>> from orchard import ID3Classifier, to_graphviz
    >>> fitted = ID3Classifier().fit([["red"], ["red"], ["blue"]], ["stop", "stop", "go"])
    >>> print(to_graphviz(fitted).splitlines()[-2])
      0 -> 2 [label="= red"];
    """
    read = exported(tree, labels, "DOT", complete=getattr(tree, "fills_missing", False))
    tree, labels = read.tree, read.labels
    lines = [
        "digraph tree {",
        '  node [shape=box, style=rounded, fontname="sans-serif"];',
        '  edge [fontname="sans-serif"];',
    ]
    on_all, nodes = all_branches(tree)
    if on_all:
        lines.append(f"  label={_quoted(UNKNOWN_TO_ALL)};")
    for node in range(tree.nodes):
        terminal = tree.kind[node] == NodeKind.TERMINAL
        name = decision_label(tree, node, labels) if terminal else question(tree, node, labels)
        name += f"\n({UNKNOWN_TO_ALL})" if node in nodes else ""
        shape = ", style=filled, fillcolor=gray92" if terminal else ""
        lines.append(f"  {node} [label={_quoted(name)}{shape}];")
    for node in range(tree.nodes):
        lines += [f"  {node} -> {child} [label={_quoted(label)}];" for label, child in branches(tree, node, labels)]
    return "\n".join([*lines, "}"])


def _quoted(text: str) -> str:
    """The text as a string of DOT, in which Graphviz reads escapes and entities but no control characters."""
    text = text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 1] + "…"
    shown = "".join(
        "\N{REPLACEMENT CHARACTER}" if category(character)[0] == "C" and character != "\n" else character
        for character in text
    )
    for character, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("&", "&amp;")):
        shown = shown.replace(character, escaped)
    return f'"{shown}"'
