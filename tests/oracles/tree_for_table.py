"""Whether a decision tree is one for a decision table."""

from __future__ import annotations

import numpy as np

from algorithms.table import DecisionTable
from algorithms.trees.arrays import NodeKind, TreeError
from algorithms.trees.decision_tree import DecisionTree


def check_tree_for_table(tree: DecisionTree, table: DecisionTable) -> None:
    """Return only if the tree is a decision tree *for* the table (Alkhalid et al. 2013, section 2).

    At every node v: if all rows of T(v) have one decision, v is terminal and labelled with it; else v asks an attribute
    that is not constant on T(v), with exactly one edge for each code that it has there, to a node of its own.

    Raises
    ------
    TreeError
        Names the first node of which this is not so.
    """
    for node in range(tree.nodes):
        kind, tested = NodeKind(tree.kind[node]), int(tree.attribute[node])
        if kind != NodeKind.TERMINAL and (kind != NodeKind.CODES or tested >= table.attributes):
            raise TreeError(f"node {node} asks {kind.name} of {tested}: expected the code of an attribute of the table")
    for node, rows in tree.rows_of_nodes(table.codes):
        decisions = np.unique(table.decisions[rows])
        kind, tested = tree.kind[node], int(tree.attribute[node])
        if not len(rows):
            msg = f"node {node} is reached by no row"
        elif kind == NodeKind.TERMINAL:
            if len(decisions) == 1 and decisions[0] == tree.decision[node]:
                continue
            msg = f"node {node} is terminal with decision {tree.decision[node]}, but its rows have {decisions.tolist()}"
        elif len(decisions) == 1:
            msg = f"node {node} splits rows that all have decision {decisions[0]}"
        else:
            there = np.unique(table.codes[rows, tested])
            edges = tree.edges_of(node)
            if (
                len(there) > 1
                and np.array_equal(np.sort(tree.edge_code[edges]), there)
                and len(np.unique(tree.edge_to[edges])) == len(there)
            ):
                continue
            msg = (
                f"node {node} asks attribute {tested} with edges for codes {np.sort(tree.edge_code[edges]).tolist()}, "
                f"but on its rows the codes are {there.tolist()}"
            )
        raise TreeError(msg)
