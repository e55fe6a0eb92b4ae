"""A tree as it is thought of, nested, before its rows are counted; and as a `DecisionTree`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.data_set import DataSet
from algorithms.tree import NO_ATTRIBUTE, NO_NODE, DecisionTree, NodeKind

__all__ = ["ByBounds", "ByCodes", "Leaf", "Plan", "tree_of_plan"]

Numbers = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Leaf:
    """A terminal node.

    decision : its class; None: the first of the most common classes of its rows; without rows, its parent's
    """

    decision: int | None = None


@dataclass(frozen=True)
class ByCodes:
    """A node that asks a nominal attribute.

    groups   : the codes of each branch
    children : what each branch leads to
    unknown  : where rows go whose value is missing, or has no branch; None: they stay at the node
    """

    attribute: int
    groups: tuple[tuple[int, ...], ...]
    children: tuple[Plan, ...]
    unknown: Plan | None = None


@dataclass(frozen=True)
class ByBounds:
    """A node that asks a numeric attribute.

    bounds   : finite and increasing; a row goes to the first child whose bound its value does not exceed
    children : one for each bound, and one for values above the last
    unknown  : where rows go whose value is missing; None: they stay at the node
    """

    attribute: int
    bounds: tuple[float, ...]
    children: tuple[Plan, ...]
    unknown: Plan | None = None


Plan = Leaf | ByCodes | ByBounds


def tree_of_plan(plan: Plan, data: DataSet, weights: Numbers) -> DecisionTree:
    """The tree that a plan describes, with the weight (rows,) of each class of `data` at each node."""
    classes, decisions = len(data.classes), data.decisions.astype(np.intp)
    nodes: list[tuple[Plan, Numbers, int]] = []
    children: list[dict[int, int]] = []
    waiting: list[tuple[Plan, Rows, int, int, int]] = [(plan, np.arange(data.rows), 0, NO_NODE, 0)]
    while waiting:
        at, rows, inherited, parent, branch = waiting.pop()
        count = np.asarray(np.bincount(decisions[rows], weights[rows], classes), np.float64)
        decision = int(count.argmax()) if len(rows) else inherited
        if isinstance(at, Leaf) and at.decision is not None:
            decision = at.decision
        node = len(nodes)
        nodes.append((at, count, decision))
        children.append({})
        if parent != NO_NODE:
            children[parent][branch] = node
        if not isinstance(at, Leaf):
            complete = at.attribute not in data.incomplete
            branches = _branches(at, data.columns[at.attribute][rows], complete=complete)
            below = [*at.children] if at.unknown is None else [*at.children, at.unknown]
            waiting += [
                (child, rows[branches == place], decision, node, place)
                for place, child in reversed(list(enumerate(below)))
            ]
    edges = [_edges(at, places) for (at, _, _), places in zip(nodes, children, strict=True)]
    flat = [edge for of_node in edges for edge in of_node]
    return DecisionTree(
        kind=np.array([_KIND[type(at)] for at, _, _ in nodes], np.uint8),
        attribute=np.array([NO_ATTRIBUTE if isinstance(at, Leaf) else at.attribute for at, _, _ in nodes], np.int32),
        decision=np.array([decision for _, _, decision in nodes], np.int32),
        edges=np.cumsum([0, *map(len, edges)], dtype=np.int64),
        edge_code=np.array([code for code, _, _ in flat], np.int32),
        edge_bound=np.array([bound for _, bound, _ in flat], np.float64),
        edge_to=np.array([to for _, _, to in flat], np.int32),
        unknown_to=np.array(
            [
                NO_NODE if isinstance(at, Leaf) or at.unknown is None else places[len(at.children)]
                for (at, _, _), places in zip(nodes, children, strict=True)
            ],
            np.int32,
        ),
        counts=np.array([count for _, count, _ in nodes]),
    )


_KIND = {Leaf: int(NodeKind.TERMINAL), ByCodes: int(NodeKind.CODES), ByBounds: int(NodeKind.BOUNDS)}


def _branches(at: ByCodes | ByBounds, values: NDArray[Any], *, complete: bool) -> Rows | NDArray[np.bool_]:
    """For each value the place of its branch; as many as there are for the unknown branch."""
    last = len(at.children)
    if isinstance(at, ByBounds):
        if complete and len(at.bounds) == 1:
            return np.asarray(values > at.bounds[0])
        return np.where(np.isnan(values), last, np.searchsorted(np.array(at.bounds), values, side="left"))
    most = max((code for group in at.groups for code in group), default=-1)
    to = np.full(max(most, int(values.max(initial=-1))) + 2, last, np.intp)  # whose last place is MISSING
    for place, group in enumerate(at.groups):
        to[list(group)] = place
    return np.asarray(to[values])


def _edges(at: Plan, places: dict[int, int]) -> list[tuple[int, float, int]]:
    """The edges of a node, each with its code, its bound, and the node that it leads to."""
    if isinstance(at, ByCodes):
        return [(code, np.inf, places[place]) for place, group in enumerate(at.groups) for code in group]
    if isinstance(at, ByBounds):
        return [(0, bound, places[place]) for place, bound in enumerate((*at.bounds, np.inf))]
    return []
