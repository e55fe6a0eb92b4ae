"""A decision tree as indented text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from algorithms.data.data_set import DAYS, SECONDS
from algorithms.data.table import Labels
from algorithms.trees.arrays import ALL_BRANCHES, NodeKind, TreeArrays
from algorithms.trees.given import tree_and_labels

__all__ = ["export_text"]

UNKNOWN_TO_ALL = "unknown: all branches"
EPOCH = datetime(1970, 1, 1)
"""The moment 0 of units; the unit says whether times are in UTC."""
OR_UNKNOWN = " or unknown"
"""The suffix of a label where missing values take the branch of an edge."""


def export_text(tree: Any, labels: Labels | Sequence[str] | None = None) -> str:
    """Return the tree as text: a line for each branch, and below it, indented, the branches of the node it leads to.

    Thresholds are rounded to six digits; thresholds in days or seconds are shown as dates and times. The exact
    thresholds are in `edge_bound` of the tree.

    If missing values go down all branches of a test, the line of the test says so. If this holds for all tests, only
    the last line of the text says so.

    Parameters
    ----------
    tree : DecisionTree or fitted estimator
        The tree, or an estimator that has one as `tree_`.
    labels : Labels or sequence of str, optional
        Names of attributes, values and classes. By default, the names of the estimator; for a tree, attributes are f1,
        f2, … and values and classes are numbers. A sequence gives only the names of the attributes.

    Returns
    -------
    str

    Examples
    --------
    >>> from orchard import ID3Classifier, export_text
    >>> print(export_text(ID3Classifier().fit([["red"], ["red"], ["blue"]], ["stop", "stop", "go"])))
    f1 = blue: go
    f1 = red: stop
    """
    tree, names = tree_and_labels(tree, labels)
    on_all, nodes = all_branches(tree)
    lines: list[str] = []
    waiting = [(0, label, child, "") for label, child in reversed(branches(tree, 0, names))]
    while waiting:
        node, label, child, indent = waiting.pop()
        answer = f": {decision_label(tree, child, names)}" if tree.kind[child] == NodeKind.TERMINAL else ""
        note = f" ({UNKNOWN_TO_ALL})" if node in nodes else ""
        lines.append(f"{indent}{question(tree, node, names)}{note} {label}{answer}")
        waiting += [(child, *branch, indent + "|   ") for branch in reversed(branches(tree, child, names))]
    lines += [f"({UNKNOWN_TO_ALL})"] if on_all else []
    return "\n".join(lines or [f": {decision_label(tree, 0, names)}"])


def all_branches(tree: TreeArrays) -> tuple[bool, set[int]]:
    """Whether every test sends missing values down all branches; and, if only some tests do, the nodes of these."""
    nodes = np.flatnonzero(tree.unknown_to == ALL_BRANCHES).tolist()
    on_all = bool(nodes) and len(nodes) == (tree.kind != NodeKind.TERMINAL).sum()
    return on_all, set() if on_all else set(nodes)


def question(tree: TreeArrays, node: int, labels: Labels | None) -> str:
    """The text of a nonterminal node's test: an attribute, or a sum of attributes."""
    tested = int(tree.attribute[node])
    linear = tree.kind[node] == NodeKind.LINEAR
    return sum_text(tree.coefficients[tested], labels) if linear else attribute_name(tested, labels)


def sum_text(coefficients: Iterable[float], labels: Labels | None) -> str:
    """The text of a sum of attributes, each with its coefficient."""
    return " + ".join(f"{c:.6g} {attribute_name(index, labels)}" for index, c in enumerate(coefficients) if c) or "0"


def attribute_name(attribute: int, labels: Labels | None) -> str:
    """The name of an attribute; without labels f1, f2, and so on."""
    return labels.attributes[attribute] if labels else f"f{attribute + 1}"


def decision_name(decision: int, labels: Labels | None) -> str:
    """The text of a decision; without labels, this is its number."""
    return str(labels.decisions[decision]) if labels else str(decision)


def decision_label(tree: TreeArrays, node: int, labels: Labels | None) -> str:
    """The text of a node's decision."""
    return decision_name(int(tree.decision[node]), labels)


def values_text(values: Sequence[str]) -> str:
    """The text of a test for some values."""
    return f"= {values[0]}" if len(values) == 1 else f"in {{{', '.join(values)}}}"


def branches(tree: TreeArrays, node: int, labels: Labels | None) -> list[tuple[str, int]]:
    """The label and the target of each branch, including the unknown branch; edges to the same child are one branch."""
    edges = tree.edges_of(node)
    to = tree.edge_to[edges]
    result, unknown = [], int(tree.unknown_to[node])
    for child in dict.fromkeys(to.tolist()):
        to_child = np.flatnonzero(to == child)
        if tree.kind[node] == NodeKind.CODES:
            codes = tree.edge_code[edges][to_child].tolist()
            values = labels.values[int(tree.attribute[node])] if labels else range(max(codes) + 1)
            label = values_text([str(values[code]) for code in codes])
        else:
            unit = unit_of(int(tree.attribute[node]), labels) if tree.kind[node] != NodeKind.LINEAR else ""
            label = _interval(tree.edge_bound[edges], int(to_child[0]), int(to_child[-1]), unit)
        result.append((label + OR_UNKNOWN if child == unknown else label, child))
    if unknown >= 0 and unknown not in to:
        result.append(("unknown", unknown))
    return result


def _interval(bounds: np.ndarray, first: int, last: int, unit: str) -> str:
    upper, lower = threshold_text(bounds[last], unit), threshold_text(bounds[first - 1], unit)
    if first == 0:
        return f"<= {upper}" if np.isfinite(bounds[last]) else "known"
    if np.isinf(bounds[last]):
        return f"> {lower}"
    return f"in ({lower}, {upper}]"


def unit_of(attribute: int, labels: Labels | None) -> str:
    """The unit of an attribute's numbers; empty if it is not known."""
    return labels.units[attribute] if labels and attribute < len(labels.units) else ""


def threshold_text(number: float, unit: str) -> str:
    """A threshold to six digits; in `DAYS` or `SECONDS` the last date, or microsecond, that is not above it."""
    try:
        if unit == DAYS:
            return (EPOCH + timedelta(days=math.floor(number))).date().isoformat()
        if unit.startswith(SECONDS):
            moment = EPOCH + timedelta(microseconds=math.floor(number * 1e6))
            return moment.isoformat(" ") + unit.removeprefix(SECONDS)
    except OverflowError:  # before the year 1, after the year 9999, or infinite
        pass
    return f"{number:.6g}"


def rows_text(weight: float) -> str:
    """A number of rows as text: parts of rows are rounded to two decimals, or below 1 to two significant digits."""
    shown = round(float(weight), 2) if weight >= 1 else float(f"{weight:.2g}")
    return f"{shown:,.12g}"
