"""Record trees in a summary and read them back, with their labels and without any data set."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from algorithms.table import Labels
from algorithms.trees.arrays import NodeKind, TreeError
from algorithms.trees.decision_tree import DecisionTree
from algorithms.trees.json_text import from_json, to_json
from pipeline.summary.record import RecordedTree, TreeLabels, called

__all__ = ["drawn_from", "recorded"]


def recorded(title: str, row: Mapping[str, Any], tree: DecisionTree, labels: Labels) -> RecordedTree:
    """Record a tree with its labels."""
    asked = set(tree.attribute[tree.kind == NodeKind.CODES].tolist())
    named = TreeLabels(
        tuple(map(str, labels.attributes)),
        tuple(tuple(map(str, values)) if index in asked else () for index, values in enumerate(labels.values)),
        tuple(map(str, labels.decisions)),
    )
    return RecordedTree(title, called(row), json.loads(to_json(tree)), named)


def drawn_from(found: RecordedTree) -> tuple[DecisionTree, Labels]:
    """Read a recorded tree and its labels.

    Raises TreeError: the record is not a tree, or has nodes whose numbers have no label.
    """
    if found.tree is None or found.labels is None:
        raise TreeError(found.why)
    tree, named = from_json(json.dumps(found.tree)), found.labels
    fit = (
        len(named.values) <= len(named.attributes)
        and _below(tree.decision, len(named.decisions))
        and not tree.counts[:, len(named.decisions) :].any()
        and not tree.coefficients[:, len(named.attributes) :].any()
    )
    for node in range(tree.nodes) if fit else ():
        if tree.kind[node] in (NodeKind.TERMINAL, NodeKind.LINEAR):
            continue
        attribute = int(tree.attribute[node])
        fit &= attribute < len(named.attributes)
        if fit and tree.kind[node] == NodeKind.CODES:
            codes = tree.edge_code[tree.edges_of(node)]
            fit &= attribute < len(named.values) and _below(codes, len(named.values[attribute]))
    if not fit:
        msg = "not a tree with its labels: some of its numbers stand for nothing"
        raise TreeError(msg)
    return tree, Labels(named.attributes, named.values, named.decisions)


def _below(numbers: Any, stop: int) -> bool:
    """Whether all numbers are from 0 to `stop` - 1."""
    return bool(((numbers >= 0) & (numbers < stop)).all())
