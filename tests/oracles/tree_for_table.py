"""Whether a decision tree is one for a decision table."""

from __future__ import annotations

import numpy as np

from algorithms.data.table import DecisionTable
from algorithms.trees.arrays import NodeKind
from algorithms.trees.decision_tree import DecisionTree


def check_tree_for_table(tree: DecisionTree, table: DecisionTable) -> None:
    """Assert that the tree is a decision tree *for* the table (Alkhalid et al. 2013, section 2).

    At every node v: if all rows of T(v) have one decision, v is terminal and labelled with it; else v asks an attribute
    that is not constant on T(v), with exactly one edge for each code that it has there, to a node of its own.
    """
    assert set(tree.kind.tolist()) <= {NodeKind.TERMINAL, NodeKind.CODES}
    for node, rows in tree.rows_of_nodes(table.codes):
        decisions = np.unique(table.decisions[rows]).tolist()
        if tree.kind[node] == NodeKind.TERMINAL:
            assert decisions == [tree.decision[node]], node
            continue
        codes, edges = np.unique(table.codes[rows, tree.attribute[node]]).tolist(), tree.edges_of(node)
        assert len(decisions) > 1, node
        assert len(codes) > 1, node
        assert sorted(tree.edge_code[edges].tolist()) == codes, node
        assert len(set(tree.edge_to[edges].tolist())) == len(codes), node
