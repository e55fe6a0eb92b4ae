"""Exact minima and optimal trees of decision tables: the graph of separable subtables, tree sets and Pareto fronts."""
