"""Exact trees for decision tables: the graph of separable subtables, and what it yields."""
