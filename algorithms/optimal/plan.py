"""A tree as a nested plan, before its rows are counted, and its conversion to a `DecisionTree`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers
from algorithms.data.attributes.thresholds import cut_between
from algorithms.data.data_set import AttributeKind, DataSet
from algorithms.rounding import first_largest
from algorithms.trees.arrays import ALL_BRANCHES, NO_ATTRIBUTE, NO_NODE, NodeKind
from algorithms.trees.decision_tree import DecisionTree
from algorithms.trees.row_walk import next_nodes, visits
from algorithms.trees.walk import walk_of


@dataclass(frozen=True)
class Leaf:
    """A terminal node.

    decision : its class; None: the first of the most common classes of its rows or, without rows, its parent's class
    """

    decision: int | None = None


@dataclass(frozen=True)
class ByCodes:
    """A node that tests a nominal attribute."""

    attribute: int
    groups: tuple[tuple[int, ...], ...]  # the codes of each branch
    children: tuple[Plan, ...]  # the subtree of each branch
    unknown: Plan | int = NO_NODE
    """Where rows go whose value is missing or has no branch: to a subtree of their own, to the child of an index, to
    ALL_BRANCHES if the value is missing, or to NO_NODE: they stay."""


@dataclass(frozen=True)
class ByBounds:
    """A node that tests a numeric attribute."""

    attribute: int
    bounds: tuple[float, ...]
    """Finite and increasing; a row goes to the first child whose bound its value does not exceed."""
    children: tuple[Plan, ...]  # one for each bound, and one for values above the last
    unknown: Plan | int = NO_NODE  # where rows go whose value is missing, as in `ByCodes`


Plan = Leaf | ByCodes | ByBounds


def split_by_values(
    data: DataSet,
    attribute: int,
    values: Sequence[NDArray[Any]],
    children: Sequence[Plan],
    *,
    elsewhere: int = NO_NODE,
    threshold: float | None = None,
) -> ByBounds | ByCodes:
    """The node that sends values of an attribute of the data to its branches.

    values    : for each branch, the numbers or codes of its rows, in any order; NaN where a row lacks the value. The
                branches of a number are in order
    children  : the subtree of each branch
    elsewhere : where rows go later that lack the value, if none of these do: a branch, ALL_BRANCHES or NO_NODE
    threshold : the cut of a number; by default it is midway between the values beside it
    """
    unknown: Plan | int = elsewhere
    if attribute in data.incomplete:
        lacking = [np.isnan(of_branch) for of_branch in values]
        branches = [index for index, absent in enumerate(lacking) if not absent.all()]
        for index, absent in enumerate(lacking):
            if absent.any():
                unknown = branches.index(index) if index in branches else children[index]
        values = [values[index][~lacking[index]] for index in branches]
        children = [children[index] for index in branches]
    if data.attributes[attribute].kind is AttributeKind.NOMINAL:
        groups = tuple(tuple(np.unique(codes).astype(int).tolist()) for codes in values)
        return ByCodes(attribute, groups, tuple(children), unknown)
    if len(values) == 1:
        return ByBounds(attribute, (), tuple(children), unknown)
    cut = cut_between(float(values[0].max()), float(values[1].min())) if threshold is None else threshold
    return ByBounds(attribute, (cut,), tuple(children), unknown)


def tree_of_plan(plan: Plan, data: DataSet, weights: Numbers) -> DecisionTree:
    """Make the tree of a plan, with the weight (rows,) of each class of `data` at each node."""
    return counted_tree(plan, len(data.classes), partial(_count_rows, data, weights))


def counted_tree(plan: Plan, classes: int, count: Callable[[DecisionTree], None]) -> DecisionTree:
    """Make the tree of a plan. `count` adds the rows to its `counts`, which determine its decisions."""
    plans: list[Plan] = []
    parents: list[int] = []
    below: list[list[int]] = []  # the nodes of the children of each node, the last perhaps for unknown values only
    waiting: list[tuple[Plan, int]] = [(plan, NO_NODE)]
    while waiting:
        subtree, parent = waiting.pop()
        if parent != NO_NODE:
            below[parent].append(len(plans))
        if not isinstance(subtree, Leaf):
            last = [] if isinstance(subtree.unknown, int) else [subtree.unknown]
            waiting += [(child, len(plans)) for child in reversed([*subtree.children, *last])]
        plans.append(subtree)
        parents.append(parent)
        below.append([])
    edges, unknown_to = [0], [NO_NODE] * len(plans)
    code: list[int] = []
    bound: list[float] = []
    to: list[int] = []
    for node, (subtree, nodes) in enumerate(zip(plans, below, strict=True)):
        if isinstance(subtree, ByBounds):
            code += [0] * len(subtree.children)
            bound += (*subtree.bounds, np.inf)
            to += nodes[: len(subtree.children)]
        elif isinstance(subtree, ByCodes):
            for group, child in zip(subtree.groups, nodes, strict=False):
                code += group
                bound += [np.inf] * len(group)
                to += [child] * len(group)
        edges.append(len(to))
        if not isinstance(subtree, Leaf):
            unknown = subtree.unknown if isinstance(subtree.unknown, int) else len(subtree.children)
            unknown_to[node] = nodes[unknown] if unknown >= 0 else unknown
    tree = DecisionTree.unchecked(
        kind=np.array([_KIND[type(subtree)] for subtree in plans], np.uint8),
        attribute=np.array([NO_ATTRIBUTE if isinstance(of, Leaf) else of.attribute for of in plans], np.int32),
        decision=np.zeros(len(plans), np.int32),
        edges=np.array(edges, np.int64),
        edge_code=np.array(code, np.int32),
        edge_bound=np.array(bound, np.float64),
        edge_to=np.array(to, np.int32),
        unknown_to=np.array(unknown_to, np.int32),
        counts=np.zeros((len(plans), classes)),
        coefficients=np.zeros((0, 0)),
    )
    count(tree)
    tree.decision[:] = _decisions(plans, parents, tree.counts)
    return tree


def plan_of(tree: DecisionTree, attributes: Sequence[int]) -> Plan:
    """The plan of a tree; `attributes` are the indices of its attributes."""
    plans: dict[int, Plan] = {}
    for node in reversed(range(tree.nodes)):
        if tree.kind[node] == NodeKind.TERMINAL:
            plans[node] = Leaf(int(tree.decision[node]))
            continue
        edges, unknown_to = tree.edges_of(node), int(tree.unknown_to[node])
        codes, to = tree.edge_code[edges], tree.edge_to[edges]
        below = list(dict.fromkeys(to.tolist()))
        children, attribute = tuple(plans.pop(child) for child in below), attributes[tree.attribute[node]]
        unknown: Plan | int = unknown_to
        if unknown_to >= 0:
            unknown = below.index(unknown_to) if unknown_to in below else plans.pop(unknown_to)
        if tree.kind[node] == NodeKind.BOUNDS:
            plans[node] = ByBounds(attribute, tuple(tree.edge_bound[edges][:-1].tolist()), children, unknown)
        else:
            groups = tuple(tuple(codes[to == child].tolist()) for child in below)
            plans[node] = ByCodes(attribute, groups, children, unknown)
    return plans[0]


_KIND = {Leaf: int(NodeKind.TERMINAL), ByCodes: int(NodeKind.CODES), ByBounds: int(NodeKind.BOUNDS)}


def _decisions(plans: Sequence[Plan], parents: Sequence[int], counts: Numbers) -> list[int]:
    """The decision of each node; `parents` has the parent of each, which comes before it."""
    decisions: list[int] = []
    heaviest, weight = first_largest(counts).tolist(), counts.max(axis=1).tolist()
    for node, plan in enumerate(plans):
        if isinstance(plan, Leaf) and plan.decision is not None:
            decisions.append(plan.decision)
        else:
            decisions.append(heaviest[node] if node == 0 or weight[node] > 0 else decisions[parents[node]])
    return decisions


def _count_rows(data: DataSet, weights: Numbers, tree: DecisionTree) -> None:
    """Add the weights (rows,) of the rows to the `counts` of their classes at the nodes that they reach."""
    if ALL_BRANCHES in tree.unknown_to.tolist():
        _count_shares(data, weights, tree)
        return
    tested = sorted({*tree.attribute.tolist()} - {NO_ATTRIBUTE})
    values = np.empty((data.rows, len(tested)))
    for index, attribute in enumerate(tested):
        values[:, index] = data.columns[attribute]
    walk = walk_of(tree)
    column_of = {attribute: index for index, attribute in enumerate(tested)}
    walk.nodes["attribute"] = [column_of.get(attribute, 0) for attribute in tree.attribute.tolist()]
    visits(walk, values, data.decisions, weights, tree.counts)


def _count_shares(data: DataSet, weights: Numbers, tree: DecisionTree) -> None:
    """Do the same for rows that go down all branches if they lack a value, in proportion to the weights there."""
    values, walk = data.values(), walk_of(tree)
    waiting = {0: (np.arange(data.rows), weights)}
    for node in range(tree.nodes):
        rows, weight = waiting.pop(node)
        tree.counts[node] = np.bincount(data.decisions[rows], weight, len(data.classes))
        to = np.full(len(rows), NO_NODE, np.int32)
        next_nodes(walk, node, values, rows, to)
        known = {child: to == child for child in tree.children(node)}
        total = weight[to >= 0].sum()
        for child, there in known.items():
            shares = np.where(there, weight, np.where(to < 0, weight * (weight[there].sum() / total), 0.0))
            taken = there | (to < 0)
            waiting[child] = rows[taken], shares[taken]
