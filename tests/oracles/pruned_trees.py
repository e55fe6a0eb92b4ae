"""All trees that can be made of one by making nodes terminal, and what each gets wrong, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from algorithms.trees.arrays import NodeKind
from algorithms.trees.decision_tree import DecisionTree

Leaves = frozenset[int]


def number(tree: DecisionTree, node: int = 0) -> int:
    """How many there are."""
    below = 1
    for child in tree.children(node):
        below *= number(tree, child)
    return below + 1 if tree.children(node) else 1


def all_of(tree: DecisionTree, node: int = 0) -> Iterator[Leaves]:
    """The terminal nodes of each, by their numbers in the tree given."""
    yield frozenset([node])
    if tree.children(node):
        for below in product(*(list(all_of(tree, child)) for child in tree.children(node))):
            yield frozenset().union(*below)


def path(tree: DecisionTree, row: list[float]) -> list[int]:
    """The nodes that a row passes; those it cannot leave are the last."""
    passed = [0]
    while tree.kind[passed[-1]] != NodeKind.TERMINAL:
        node = passed[-1]
        value, edges = row[tree.attribute[node]], range(tree.edges[node], tree.edges[node + 1])
        if tree.kind[node] == NodeKind.CODES:
            to = [int(tree.edge_to[edge]) for edge in edges if tree.edge_code[edge] == value]
        else:
            to = [int(tree.edge_to[edge]) for edge in edges if value <= tree.edge_bound[edge]]
        if not to:
            break
        passed.append(to[0])
    return passed


def wrong(tree: DecisionTree, leaves: Leaves, rows: list[list[float]], decisions: Any, weights: Any) -> float:
    """The weight of the rows that the tree with these terminal nodes gets wrong."""
    total = 0.0
    for row, decision, weight in zip(rows, decisions, weights, strict=True):
        passed = path(tree, row)
        last = next((node for node in passed if node in leaves), passed[-1])
        total += weight * (tree.decision[last] != decision)
    return total


def leaves_of(tree: DecisionTree, pruned: DecisionTree) -> Leaves:
    """Which nodes of a tree are the terminal ones of a tree pruned from it: walks both side by side."""
    result, waiting = set(), [(0, 0)]
    while waiting:
        node, other = waiting.pop()
        if pruned.kind[other] == NodeKind.TERMINAL:
            result.add(node)
        waiting += zip(tree.children(node) if pruned.children(other) else [], pruned.children(other), strict=True)
    return frozenset(result)
