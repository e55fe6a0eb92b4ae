"""A decision tree as indented text and as Graphviz."""

from __future__ import annotations

import numpy as np

from algorithms.table import Labels
from algorithms.tree import NO_NODE, DecisionTree, NodeKind

__all__ = ["graphviz", "text"]


def text(tree: DecisionTree, labels: Labels | None = None) -> str:
    """The tree as lines, a test per line, children indented below it; without labels, numbers as they are."""
    lines: list[str] = []
    waiting = [(0, label, child, "") for label, child in reversed(_branches(tree, 0, labels))]
    while waiting:
        node, label, child, indent = waiting.pop()
        answer = f": {_decision(tree, child, labels)}" if tree.kind[child] == NodeKind.TERMINAL else ""
        lines.append(f"{indent}{_asked(tree, node, labels)} {label}{answer}")
        waiting += [(child, *branch, indent + "|   ") for branch in reversed(_branches(tree, child, labels))]
    return "\n".join(lines or [f": {_decision(tree, 0, labels)}"])


def graphviz(tree: DecisionTree, labels: Labels | None = None) -> str:
    """The tree in Graphviz's DOT language: `dot -Tsvg` draws it."""
    lines = [
        "digraph tree {",
        '  node [shape=box, style=rounded, fontname="sans-serif"];',
        '  edge [fontname="sans-serif"];',
    ]
    for node in range(tree.nodes):
        terminal = tree.kind[node] == NodeKind.TERMINAL
        name = _decision(tree, node, labels) if terminal else _asked(tree, node, labels)
        shape = ", style=filled, fillcolor=gray92" if terminal else ""
        lines.append(f"  {node} [label={_quoted(name)}{shape}];")
    for node in range(tree.nodes):
        lines += [f"  {node} -> {child} [label={_quoted(label)}];" for label, child in _branches(tree, node, labels)]
    return "\n".join([*lines, "}"])


def _quoted(words: str) -> str:
    escaped = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _asked(tree: DecisionTree, node: int, labels: Labels | None) -> str:
    asked = int(tree.attribute[node])
    if tree.kind[node] == NodeKind.LINEAR:
        terms = [(c, _attribute(i, labels)) for i, c in enumerate(tree.coefficients[asked]) if c]
        return " + ".join(f"{c:.6g} {name}" for c, name in terms) or "0"
    return _attribute(asked, labels)


def _attribute(attribute: int, labels: Labels | None) -> str:
    return labels.attributes[attribute] if labels else f"f{attribute + 1}"


def _decision(tree: DecisionTree, node: int, labels: Labels | None) -> str:
    decision = int(tree.decision[node])
    return str(labels.decisions[decision]) if labels else str(decision)


def _branches(tree: DecisionTree, node: int, labels: Labels | None) -> list[tuple[str, int]]:
    """(what an edge is for, where it leads) for each child, edges to one child joined."""
    edges = tree.edges_of(node)
    to = tree.edge_to[edges]
    branches = []
    for child in dict.fromkeys(to.tolist()):
        mine = np.flatnonzero(to == child)
        if tree.kind[node] == NodeKind.CODES:
            codes = tree.edge_code[edges][mine].tolist()
            values = labels.values[int(tree.attribute[node])] if labels else range(max(codes) + 1)
            named = [str(values[code]) for code in codes]
            label = f"= {named[0]}" if len(named) == 1 else f"in {{{', '.join(named)}}}"
        else:
            label = _interval(tree.edge_bound[edges], int(mine[0]), int(mine[-1]))
        branches.append((label, child))
    if tree.unknown_to[node] != NO_NODE:
        branches.append(("unknown", int(tree.unknown_to[node])))
    return branches


def _interval(bounds: np.ndarray, first: int, last: int) -> str:
    if first == 0:
        return f"<= {bounds[last]:.6g}" if np.isfinite(bounds[last]) else "known"
    if np.isinf(bounds[last]):
        return f"> {bounds[first - 1]:.6g}"
    return f"in ({bounds[first - 1]:.6g}, {bounds[last]:.6g}]"
