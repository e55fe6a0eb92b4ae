"""Greedy algorithms over decision tables: one tree (`greedy_tree`), and the loops that grow it (`greedy_growth`)."""

from algorithms.greedy.greedy_tree import greedy_costs, greedy_tree, tree_from_choices, tree_from_parents

__all__ = ["greedy_costs", "greedy_tree", "tree_from_choices", "tree_from_parents"]
