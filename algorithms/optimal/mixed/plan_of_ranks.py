"""Trees of the search over mixed attributes as plans, node by node."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from algorithms.attributes.thresholds import cut_between
from algorithms.data_set import AttributeKind, DataSet
from algorithms.optimal.mixed.packed_rows import CUTS
from algorithms.optimal.mixed.ranked_rows import CodedRows
from algorithms.optimal.mixed.stumps import ALL_CODES
from algorithms.optimal.plan import ByBounds, ByCodes, Leaf, Plan
from algorithms.trees.arrays import NodeKind
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["parts_of_split", "plan_of_split", "plan_of_tree"]

Integers = NDArray[np.int64]


def parts_of_split(coded: CodedRows, rows: Integers, attribute: int, split: int) -> list[Integers]:
    """The rows of each branch of a split of these rows, by index."""
    ranks = coded.ranks[attribute, rows]
    if coded.kind[attribute] == CUTS:
        return [rows[ranks <= split], rows[ranks > split]]
    if split == ALL_CODES:
        return [rows[ranks == code] for code in np.unique(ranks)]
    inside = (split >> ranks & 1).astype(bool)
    return [rows[inside], rows[~inside]]


def plan_of_split(
    coded: CodedRows, data: DataSet, parts: Sequence[Integers], attribute: int, children: Sequence[Plan]
) -> Plan:
    """The node that splits rows by an attribute of the coded rows. A number is cut midway between rows of the node."""
    index, values = coded.attribute[attribute], coded.values[attribute]
    ranks = [coded.ranks[attribute, part] for part in parts]
    if data.attributes[index].kind is AttributeKind.NUMERIC:
        bound = cut_between(float(values[ranks[0].max()]), float(values[ranks[1].min()]))
        return ByBounds(index, (bound,), tuple(children))
    groups = tuple(tuple(int(code) for code in values[np.unique(rank)]) for rank in ranks)
    return ByCodes(index, groups, tuple(children))


def plan_of_tree(data: DataSet, tree: DecisionTree, rows: Integers, node: int = 0) -> Plan:
    """The plan of a tree of cuts and single codes, such as CART's, with the same splits of these rows."""
    if tree.kind[node] == NodeKind.TERMINAL:
        return Leaf()
    index, edges = int(tree.attribute[node]), tree.edges_of(node)
    values, leads_to = data.columns[index][rows], tree.edge_to[edges].tolist()
    if tree.kind[node] == NodeKind.BOUNDS:
        inside = values <= tree.edge_bound[edges][0]
        parts = [rows[inside], rows[~inside]]
        bound = cut_between(float(values[inside].max()), float(values[~inside].min()))
        below, above = (plan_of_tree(data, tree, part, to) for part, to in zip(parts, leads_to, strict=True))
        return ByBounds(index, (bound,), (below, above))
    codes = np.unique(values).tolist()
    to_code = dict(zip(tree.edge_code[edges].tolist(), leads_to, strict=True))
    children = tuple(plan_of_tree(data, tree, rows[values == code], to_code[code]) for code in codes)
    return ByCodes(index, tuple((code,) for code in codes), children)
