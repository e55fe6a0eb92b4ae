"""Greedy algorithms V_I: from the root down, an impurity function chooses each attribute (Alkhalid et al. 2013, 3)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.greedy.greedy_growth import grow
from algorithms.impurity import IMPURITY_TYPES, ImpurityFunction, impurity_function
from algorithms.options import check_type
from algorithms.table import DecisionTable
from algorithms.trees.arrays import NO_ATTRIBUTE, NodeKind
from algorithms.trees.costs import Costs
from algorithms.trees.decision_tree import DecisionTree
from algorithms.uncertainty import UNCERTAINTIES

__all__ = ["greedy_costs", "greedy_tree", "tree_from_parents"]

Integers = NDArray[np.integer[Any]]


def _grown(table: DecisionTable, impurity: ImpurityFunction | str) -> tuple[Integers, ...]:
    check_type("table", table, DecisionTable, "decision_table(data_set_of(X, y))")
    impurity = impurity_function(impurity) if isinstance(impurity, str) else impurity
    return tuple(
        grow(
            np.array(table.codes.T, order="C"),  # a copy even where it is one already: read-only arrays compile anew
            table.decisions,
            table.weights,
            table.values,
            table.n_decisions,
            IMPURITY_TYPES.index(impurity.impurity_type),
            list(UNCERTAINTIES).index(impurity.uncertainty),
        )
    )


def greedy_tree(table: DecisionTable, impurity: ImpurityFunction | str) -> DecisionTree:
    """The decision tree for the table that V_I builds, for an impurity function or its name, such as "w_sum/gini".

    The impurity is that of the node's subtable (the paper's step t+1 prints I(T, f_i), a misprint). Attributes constant
    on the subtable are left out, and of several with the least impurity the first is taken: me and rt are compared
    exactly (on subtables of size up to 2**17), ent and gini up to one part in 10**9, so that rounding decides nothing.
    Rows count by their weights.
    """
    attribute, decision, parent, code, _, _ = _grown(table, impurity)
    return tree_from_parents(attribute, decision, parent, code)


def greedy_costs(table: DecisionTable, impurity: ImpurityFunction | str) -> Costs:
    """The costs of `greedy_tree(table, impurity)`."""
    attribute, _, _, _, depth, size = _grown(table, impurity)
    terminal = attribute == NO_ATTRIBUTE
    length = int((depth * size)[terminal].sum())
    return Costs(
        depth=int(depth.max()),
        total_path_length=length,
        average_depth=length / table.size,
        nodes=len(attribute),
        nonterminal_nodes=int((~terminal).sum()),
        terminal_nodes=int(terminal.sum()),
    )


def tree_from_parents(attribute: Integers, decision: Integers, parent: Integers, code: Integers) -> DecisionTree:
    """A tree of CODES nodes from, for each node, its attribute, decision, parent and the code of the edge to it.

    Nodes stand after their parents; NO_ATTRIBUTE makes a node terminal.
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
