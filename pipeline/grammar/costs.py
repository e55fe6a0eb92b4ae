"""The costs of trees as rows and tables have them: their names and columns, and how far one is above its minimum."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from algorithms.trees.costs import COST_FUNCTIONS, Costs

__all__ = ["COSTS", "SHORT_NAMES", "costs_of", "excess"]

COSTS = tuple(COST_FUNCTIONS)
"""The names of the five cost functions, in the order of the tables of Alkhalid et al. 2013."""

SHORT_NAMES = {
    "average_depth": "avg depth",
    "depth": "depth",
    "nodes": "nodes",
    "nonterminal_nodes": "nonterm.",
    "terminal_nodes": "terminal",
}
"""Headings for them where there is little room."""

NEGLIGIBLE = 1e-12
"""Relative difference of average depths that is rounding."""


def costs_of(costs: Costs) -> dict[str, Any]:
    """The costs as columns."""
    return {field.name: getattr(costs, field.name) for field in fields(Costs)}


def excess(cost: str, least: str) -> str:
    """SQL of how far a cost is above its minimum, as a share of that: 0 where both are equal, null above 0."""
    return f"if(abs({cost} - {least}) <= {NEGLIGIBLE!r} * {least}, 0, ({cost} - {least}) / nullif({least}, 0))"
