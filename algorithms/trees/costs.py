"""Cost functions of decision trees, each given by psi-zero and an operator F (Alkhalid et al. 2013, section 2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

__all__ = [
    "AVERAGE_DEPTH",
    "COST_FUNCTIONS",
    "COUNTED_COSTS",
    "DEPTH",
    "NODES",
    "NONTERMINAL_NODES",
    "TERMINAL_NODES",
    "TOTAL_PATH_LENGTH",
    "CostFunction",
    "Costs",
]


@dataclass(frozen=True)
class CostFunction:
    """A cost psi(T, tree), by induction on the tree.

    psi_zero : the cost of a terminal node
    combine  : F(n, parts), the cost of a tree over a table of size n from those of the trees below its root
    per_row  : the cost is told per row, divided by the size of the whole table

    A minimum found by dynamic programming is one only if F is monotone: it does not fall when a part grows.
    """

    name: str
    psi_zero: float
    combine: Callable[[int, Sequence[float]], float]
    per_row: bool = False


DEPTH = CostFunction("depth", 0, lambda _, parts: 1 + max(parts))
TOTAL_PATH_LENGTH = CostFunction("total_path_length", 0, lambda n, parts: n + sum(parts))
AVERAGE_DEPTH = CostFunction("average_depth", 0, TOTAL_PATH_LENGTH.combine, per_row=True)
NODES = CostFunction("nodes", 1, lambda _, parts: 1 + sum(parts))
NONTERMINAL_NODES = CostFunction("nonterminal_nodes", 0, lambda _, parts: 1 + sum(parts))
# The paper prints F = 1 + sum here, which with psi-zero 1 would count all nodes: a misprint.
TERMINAL_NODES = CostFunction("terminal_nodes", 1, lambda _, parts: sum(parts))

COST_FUNCTIONS = {cost.name: cost for cost in (AVERAGE_DEPTH, DEPTH, NODES, NONTERMINAL_NODES, TERMINAL_NODES)}
"""The paper's five cost functions by name, in the order of its tables."""


COUNTED_COSTS = ("depth", "total_path_length", "nodes", "nonterminal_nodes", "terminal_nodes")
"""The costs that are whole numbers, in the order of the kernels' arrays; the average depth follows from them."""


@dataclass(frozen=True)
class Costs:
    """The costs of one tree over one table, or the least of each over all trees for it.

    The total path length is whole over a decision table, perhaps not over rows of fractional weights.
    """

    depth: int
    total_path_length: float
    average_depth: float
    nodes: int
    nonterminal_nodes: int
    terminal_nodes: int

    def __getitem__(self, name: str) -> float:
        """A cost by its name."""
        if name not in {field.name for field in fields(self)}:
            raise KeyError(name)
        return float(getattr(self, name))
