"""Greedy algorithms V_I: from the root down, an impurity function chooses each attribute (Alkhalid et al. 2013, 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from algorithms.data.table import DecisionTable, Integers
from algorithms.greedy.greedy_growth import grow
from algorithms.measures.impurity import IMPURITY_TYPES, ImpurityFunction, impurity_function
from algorithms.measures.uncertainty import UNCERTAINTIES
from algorithms.options import check_type
from algorithms.trees.arrays import NO_ATTRIBUTE, NodeKind
from algorithms.trees.costs import Costs, costs_of_counts
from algorithms.trees.decision_tree import DecisionTree

State = TypeVar("State")


def _grown(table: DecisionTable, impurity: ImpurityFunction | str) -> tuple[Integers, ...]:
    check_type("table", table, DecisionTable, "decision_table(data_set_of(X, y))")
    impurity = impurity_function(impurity) if isinstance(impurity, str) else impurity
    check_type("impurity", impurity, ImpurityFunction, "impurity_function(name)")
    return tuple(
        grow(
            np.array(table.codes.T, order="C"),  # always a copy: kernels would compile again for read-only arrays
            table.decisions,
            table.weights,
            table.values,
            table.n_decisions,
            IMPURITY_TYPES.index(impurity.impurity_type),
            list(UNCERTAINTIES).index(impurity.uncertainty),
        )
    )


def greedy_tree(table: DecisionTable, impurity: ImpurityFunction | str) -> DecisionTree:
    """Return the decision tree for a table that the greedy algorithm V_I builds.

    Each node tests the attribute of least impurity on the node's subtable (Alkhalid et al. 2013, section 3; step t+1 of
    the paper uses the whole table, by misprint). Attributes that are constant on the subtable are left out. If
    several attributes have the least impurity, the first of these is taken. The uncertainties me and rt are compared
    exactly (on subtables of size up to 2**17), ent and gini up to one part in 10**9, so that rounding errors do not
    decide. A row of weight w counts as w rows.

    Parameters
    ----------
    table : DecisionTable
    impurity : ImpurityFunction or str
        The function or its name, such as "w_sum/gini".

    Returns
    -------
    DecisionTree

    Examples
    --------
    >>> from orchard import DecisionTable, greedy_tree
    >>> greedy_tree(DecisionTable.from_labels({"f": ["a", "b", "c"]}, ["yes", "no", "yes"]), "sum/ent")
    <DecisionTree: 4 nodes, 3 leaves, depth 1>
    """
    attribute, decision, parent, code, _, _ = _grown(table, impurity)
    return tree_from_parents(attribute, decision, parent, code)


def greedy_costs(table: DecisionTable, impurity: ImpurityFunction | str) -> Costs:
    """Return the costs of `greedy_tree(table, impurity)`, without the tree.

    Parameters
    ----------
    table : DecisionTable
    impurity : ImpurityFunction or str

    Returns
    -------
    Costs

    Examples
    --------
    >>> from orchard import DecisionTable, greedy_costs
    >>> greedy_costs(DecisionTable.from_labels({"f": ["a", "b", "c"]}, ["yes", "no", "yes"]), "sum/ent").nodes
    4
    """
    attribute, _, _, _, depth, size = _grown(table, impurity)
    terminal = attribute == NO_ATTRIBUTE
    counts = depth.max(), (depth * size)[terminal].sum(), len(attribute), (~terminal).sum(), terminal.sum()
    return costs_of_counts(map(int, counts), table.size)


def tree_from_choices(
    choose: Callable[[State], tuple[int, int, Sequence[tuple[int, State]]]], root: State
) -> DecisionTree:
    """The tree of nominal tests that grows from the state of its root, depth first.

    choose : of a state, the attribute that its node tests, its decision, and for each branch a code and a state; at a
             terminal node NO_ATTRIBUTE, the decision and no branches
    """
    nodes: list[tuple[int, int, int, int]] = []
    waiting = [(root, -1, 0)]
    while waiting:
        state, parent, code = waiting.pop()
        attribute, decision, below = choose(state)
        waiting += [(child, len(nodes), of_edge) for of_edge, child in reversed(below)]
        nodes.append((attribute, decision, parent, code))
    return tree_from_parents(*np.array(nodes).T)


def tree_from_parents(attribute: Integers, decision: Integers, parent: Integers, code: Integers) -> DecisionTree:
    """Return a tree of nominal tests from the parent of each node.

    Parameters
    ----------
    attribute : ndarray of shape (nodes,)
        The attribute that each node tests; NO_ATTRIBUTE at terminal nodes.
    decision : ndarray of shape (nodes,)
        The decision of each node.
    parent : ndarray of shape (nodes,)
        The parent of each node; a parent comes before its children. The first node is the root; its entry is not read.
    code : ndarray of shape (nodes,)
        The code of the edge from the parent.

    Returns
    -------
    DecisionTree

    Examples
    --------
    >>> import numpy as np
    >>> from orchard import NO_ATTRIBUTE, tree_from_parents
    >>> nodes = [[0, NO_ATTRIBUTE, NO_ATTRIBUTE], [0, 0, 1], [-1, 0, 0], [0, 0, 1]]
    >>> tree_from_parents(*map(np.array, nodes))
    <DecisionTree: 3 nodes, 2 leaves, depth 1>
    """
    by_parent = np.argsort(parent[1:], kind="stable") + 1
    return DecisionTree(
        kind=np.where(attribute == NO_ATTRIBUTE, NodeKind.TERMINAL, NodeKind.CODES).astype(np.uint8),
        attribute=attribute.astype(np.int32),
        decision=decision.astype(np.int32),
        edges=np.searchsorted(parent[by_parent], np.arange(len(parent) + 1)),
        edge_code=code[by_parent].astype(np.int32),
        edge_to=by_parent.astype(np.int32),
    )
