"""Record trees in a summary and read them back, with their labels; no data set is needed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from algorithms.data.table import Labels
from algorithms.trees.arrays import NodeKind, TreeError
from algorithms.trees.decision_tree import DecisionTree
from algorithms.trees.json_text import from_json, to_json
from pipeline.summary.record import RecordedTree, TreeLabels, plain_values


def recorded(title: str, row: Mapping[str, Any], tree: DecisionTree, labels: Labels) -> RecordedTree:
    """Record a tree with its labels."""
    tested = set(tree.attribute[tree.kind == NodeKind.CODES].tolist())
    texts = TreeLabels(
        tuple(map(str, labels.attributes)),
        tuple(tuple(map(str, values)) if index in tested else () for index, values in enumerate(labels.values)),
        tuple(map(str, labels.decisions)),
        labels.units if any(labels.units) else (),
    )
    return RecordedTree(title, plain_values(row), json.loads(to_json(tree)), texts)


def drawn_from(record: RecordedTree) -> tuple[DecisionTree, Labels]:
    """Read a recorded tree and its labels.

    Raises TreeError: the record is not a tree, or has nodes whose numbers have no label.
    """
    if record.tree is None or record.labels is None:
        raise TreeError(record.why)
    tree, labels = from_json(json.dumps(record.tree)), record.labels
    fit = (
        len(labels.values) <= len(labels.attributes)
        and _below(tree.decision, len(labels.decisions))
        and not tree.counts[:, len(labels.decisions) :].any()
        and not tree.coefficients[:, len(labels.attributes) :].any()
    )
    for node in range(tree.nodes) if fit else ():
        if tree.kind[node] in (NodeKind.TERMINAL, NodeKind.LINEAR):
            continue
        attribute = int(tree.attribute[node])
        fit &= attribute < len(labels.attributes)
        if fit and tree.kind[node] == NodeKind.CODES:
            codes = tree.edge_code[tree.edges_of(node)]
            fit &= attribute < len(labels.values) and _below(codes, len(labels.values[attribute]))
    if not fit:
        raise TreeError("the tree does not fit its labels: an attribute, a value or a class of it has no label")
    return tree, Labels(labels.attributes, labels.values, labels.decisions, labels.units)


def _below(numbers: Any, stop: int) -> bool:
    """Whether all numbers are from 0 to `stop` - 1."""
    return bool(((numbers >= 0) & (numbers < stop)).all())
