"""The costs of trees in rows and tables: their names, their columns, and the excess over the minimum."""

from __future__ import annotations

from algorithms.trees.costs import COST_FUNCTIONS

COSTS = tuple(COST_FUNCTIONS)
"""The names of the five cost functions, in the order of the tables of Alkhalid et al. 2013."""

SHORT_NAMES = {
    "average_depth": "avg depth",
    "depth": "depth",
    "nodes": "nodes",
    "nonterminal_nodes": "nonterm.",
    "terminal_nodes": "terminal",
}
"""Short headings for them."""

NEGLIGIBLE = 1e-12
"""Relative differences of average depths up to this are rounding errors."""


def excess(cost: str, least: str) -> str:
    """SQL of the excess of a cost over its minimum, as a share of the minimum: 0 if both are equal, null above 0."""
    return f"if(abs({cost} - {least}) <= {NEGLIGIBLE!r} * {least}, 0, ({cost} - {least}) / nullif({least}, 0))"
