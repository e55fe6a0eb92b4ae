"""Exact trees for decision tables: the graph of separable subtables, its minima, tree sets and Pareto fronts."""
