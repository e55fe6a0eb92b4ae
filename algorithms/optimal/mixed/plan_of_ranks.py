"""Trees of the search over mixed attributes as plans, node by node."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from algorithms.array_types import Integers
from algorithms.data_set import DataSet
from algorithms.optimal.mixed.packed_rows import BRANCHES, CUTS, THREE_LABELS
from algorithms.optimal.mixed.ranked_rows import RankedRows
from algorithms.optimal.mixed.sides import ALL_CODES
from algorithms.optimal.plan import Leaf, Plan, split_by_values
from algorithms.trees.arrays import NodeKind
from algorithms.trees.decision_tree import DecisionTree


def parts_of_split(coded: RankedRows, rows: Integers, attribute: int, split: int) -> list[Integers]:
    """The rows of each branch of a split of these rows, by index."""
    ranks, kind = coded.ranks[attribute][rows], coded.kind[attribute]
    if split == ALL_CODES:
        return [rows[ranks == code] for code in np.unique(ranks)]
    if kind != BRANCHES:
        low = ranks <= split
        if kind == CUTS:
            return [rows[low], rows[~low]]
        missing = ranks == kind % THREE_LABELS
        parts = rows[low & ~missing], rows[~low & ~missing], rows[missing]
        return [part for part in parts if len(part)]
    inside = (split >> ranks & 1).astype(bool)
    return [rows[inside], rows[~inside]]


def plan_of_split(
    coded: RankedRows, data: DataSet, parts: Sequence[Integers], attribute: int, children: Sequence[Plan]
) -> Plan:
    """The node that splits rows by an attribute of the coded rows. A number is cut midway between rows of the node."""
    distinct, ranks = coded.values[attribute], coded.ranks[attribute]
    values = [distinct[ranks[part]] for part in parts]
    return split_by_values(data, coded.attribute[attribute], values, children)


def plan_of_tree(data: DataSet, tree: DecisionTree) -> Plan:
    """The plan of a tree of cuts and single codes, such as CART's, with the same splits of the rows."""
    rows_of, parts_of, plans = {0: np.arange(data.rows)}, dict[int, dict[int, Integers]](), dict[int, Plan]()
    splits = [node for node in range(tree.nodes) if tree.kind[node] != NodeKind.TERMINAL]
    for node in splits:  # each after its parent
        parts_of[node] = _parts_of_node(data, tree, node, rows_of[node])
        rows_of |= parts_of[node]
    for node in reversed(splits):
        attribute, parts = int(tree.attribute[node]), parts_of[node]
        values = [data.columns[attribute][part] for part in parts.values()]
        plans[node] = split_by_values(data, attribute, values, [plans.get(child, Leaf()) for child in parts])
    return plans.get(0, Leaf())


def _parts_of_node(data: DataSet, tree: DecisionTree, node: int, rows: Integers) -> dict[int, Integers]:
    """The rows that reach each child of a node, if any do; the child of the least value first."""
    edges, values = tree.edges_of(node), data.columns[tree.attribute[node]][rows]
    by = tree.edge_bound[edges] if tree.kind[node] == NodeKind.BOUNDS else tree.edge_code[edges]
    edge_of_row = np.searchsorted(by, values)
    child_of_row, used = tree.edge_to[edges][edge_of_row], np.bincount(edge_of_row).nonzero()[0]
    return {child: rows[child_of_row == child] for child in tree.edge_to[edges][used].tolist()}
