"""Cost functions of decision trees, each given by psi-zero and an operator F (Alkhalid et al. 2013, section 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

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
    """A cost psi(T, tree) of a tree for a table T, by induction on the tree.

    Parameters
    ----------
    name : str
        Its name in messages and figures.
    psi_zero : float
        The cost of a terminal node.
    combine : callable
        F(n, parts): the cost of a tree for a table of size n, from the costs of the trees below its root.
    per_row : bool, default False
        Whether the cost of the whole tree is divided by the size of the whole table.

    Notes
    -----
    Dynamic programming finds the minimum only if F is monotone: F must not decrease if the cost of a subtree increases
    (Alkhalid et al. 2013, section 2). Functions that minimise a cost raise ValueError if they see F decrease.
    `pareto_front` accepts only cost functions that Orchard defines.

    Examples
    --------
    >>> from orchard import CostFunction
    >>> longest = CostFunction("edges of the longest path", 0, lambda n, parts: 1 + max(parts))
    >>> longest.combine(10, [0, 2])
    3
    """

    name: str
    psi_zero: float
    combine: Callable[[int, Sequence[float]], float]
    per_row: bool = False


def _one_and_greatest(_: int, parts: Sequence[float]) -> float:
    return 1 + max(parts)


def _size_and_sum(n: int, parts: Sequence[float]) -> float:
    return n + sum(parts)


def _one_and_sum(_: int, parts: Sequence[float]) -> float:
    return 1 + sum(parts)


def _sum(_: int, parts: Sequence[float]) -> float:
    return sum(parts)


DEPTH = CostFunction("depth", 0, _one_and_greatest)
TOTAL_PATH_LENGTH = CostFunction("total_path_length", 0, _size_and_sum)
AVERAGE_DEPTH = CostFunction("average_depth", 0, _size_and_sum, per_row=True)
NODES = CostFunction("nodes", 1, _one_and_sum)
NONTERMINAL_NODES = CostFunction("nonterminal_nodes", 0, _one_and_sum)
# The paper has F = 1 + sum here, which with psi-zero 1 would count all nodes: a misprint.
TERMINAL_NODES = CostFunction("terminal_nodes", 1, _sum)

COST_FUNCTIONS = {cost.name: cost for cost in (AVERAGE_DEPTH, DEPTH, NODES, NONTERMINAL_NODES, TERMINAL_NODES)}
"""The five cost functions of Alkhalid et al. 2013 by name, in the order of the paper's tables."""


COUNTED_COSTS = ("depth", "total_path_length", "nodes", "nonterminal_nodes", "terminal_nodes")
"""The integer costs, in the order of the kernels' arrays; the average depth follows from them."""


@dataclass(frozen=True)
class Costs:
    """The costs of one tree for a table, or the minimum of each cost over all trees for the table.

    A cost can also be read by its name, as in `costs["depth"]`.

    Attributes
    ----------
    depth : int
        Edges of the longest path from the root.
    total_path_length : float
        The sum over all rows of the row's weight times the number of edges on its path. It is an integer if the weights
        are integers.
    average_depth : float
        The total path length divided by the size of the table.
    nodes, nonterminal_nodes, terminal_nodes : int
        The number of all nodes, of nodes with a test, and of leaves.

    Examples
    --------
    >>> from orchard import DecisionTable, exact_costs
    >>> costs = exact_costs(DecisionTable.from_labels({"f": ["a", "b", "c"]}, ["yes", "no", "yes"]))
    >>> costs.depth, costs["terminal_nodes"]
    (1, 3.0)
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


def costs_of_counts(counts: Iterable[Any], size: float) -> Costs:
    """The costs with these values of `COUNTED_COSTS`, for a table of this size."""
    counted = dict(zip(COUNTED_COSTS, counts, strict=True))
    return Costs(average_depth=float(counted["total_path_length"] / size), **counted)
