"""What an alpha-decision tree must be, checked node by node."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from algorithms.exact.alpha import most_pairs
from algorithms.table import DecisionTable
from algorithms.trees.arrays import NodeKind, TreeError
from algorithms.trees.decision_tree import DecisionTree
from algorithms.uncertainty import rt
from tests.oracles.tree_for_table import check_tree_for_table


def check_alpha_tree(tree: DecisionTree, table: DecisionTable, alpha: float | Fraction) -> None:
    """Return only if the tree is an alpha-decision tree for the table.

    At every node v: if rt(T(v)) <= alpha rt(T), v is terminal and labelled with the most common decision of T(v), the
    smallest of several; else v asks an attribute that is not constant on T(v), with exactly one edge for each code that
    it has there, to a node of its own.

    Raises
    ------
    TreeError
        Names the first node of which the one or the other is not so.
    ValueError
        alpha is not from 0 up to, not including, 1.
    """
    most = most_pairs(table, alpha)
    for node, rows in tree.rows_of_nodes(table.codes):
        counts = table.decision_counts(rows)
        pairs, common = int(rt(counts)), int(counts.argmax())
        terminal = tree.kind[node] == NodeKind.TERMINAL
        if not len(rows):
            msg = f"node {node} is reached by no row"
        elif terminal and pairs > most:
            msg = f"node {node} is terminal, but its rows have {pairs} pairs of different decisions: {most} may be left"
        elif not terminal and pairs <= most:
            msg = f"node {node} splits rows of {pairs} pairs of different decisions: from {most} down it is terminal"
        elif terminal and tree.decision[node] != common:
            msg = f"node {node} has decision {tree.decision[node]}: expected {common}, the most common of its rows"
        elif not terminal and len(tree.children(node)) == 1:
            msg = f"node {node} has one branch: it asks an attribute that is constant on its rows"
        else:
            continue
        raise TreeError(msg)
    # What is left to check are the tests: as of an ordinary tree, each terminal node taken for a decision
    positions = np.arange(tree.nodes, dtype=np.int32)
    check_tree_for_table(replace(tree, decision=positions), replace(table, decisions=tree.last_nodes(table.codes)))
