"""Optimal trees of real tables: minima, sets of optimal trees, Pareto fronts, and the greedy heuristics beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from algorithms.measures.impurity import ImpurityFunction
from algorithms.trees.costs import COST_FUNCTIONS
from pipeline.grammar.axes import Item
from pipeline.grammar.keys import DISTINCT, ONCE, Rule, each, one_of
from pipeline.grammar.sources import EXACT, TableGrid
from pipeline.grid import RESULTS_TABLE

if TYPE_CHECKING:
    import pyarrow as pa

FRONTS = "fronts"
"""The search for the Pareto fronts of a table."""
BETWEEN = each(Rule("more than 0 (0 is always computed) and less than 1", lambda alpha: 0 < alpha < 1))


class TreesOf(NamedTuple):
    """The search for a set of trees: all trees for an alpha, or those optimal for costs in order of priority."""

    alpha: float
    order: tuple[str, ...] = ()

    @property
    def row_identity(self) -> dict[str, Any]:
        """The columns that name it in rows."""
        return {"alpha": self.alpha, "optimal_for": ", ".join(self.order)}


Method = ImpurityFunction | TreesOf | str


@dataclass(frozen=True, kw_only=True)
class UciExactGrid(TableGrid, version=2):
    """The decision table of each source, built greedily by every heuristic and minimised exactly.

    orders : for each, the set of trees that are optimal for these costs, in order of priority
    alphas : for each, the minima of alpha-decision trees
    """

    orders: Annotated[tuple[tuple[str, ...], ...], each(each(one_of(*COST_FUNCTIONS))), each(DISTINCT), ONCE]
    alphas: Annotated[tuple[float, ...], BETWEEN, ONCE]

    tables = (RESULTS_TABLE, "graphs", "tree_sets", "fronts")
    shown_cost = "nodes"
    question = '"select source, optimal_for, trees from tree_sets where alpha = 0"'

    @property
    def methods(self) -> Sequence[Method]:
        """The heuristics; then, by the graph, the minima, the sets of trees and the fronts."""
        orders, alphas = (TreesOf(0.0, order) for order in self.orders), map(TreesOf, self.alphas)
        return [*self.heuristics, EXACT, TreesOf(0.0), *orders, *alphas, FRONTS]

    @property
    def cells_per_item(self) -> int:
        """A row for each heuristic, and the exact one."""
        return len(self.heuristics) + 1

    def facts(self, item: Item) -> dict[str, Any]:
        """The size of the table."""
        table = self.decision_table(item)
        counts = {"size": table.size, "attributes": table.attributes, "decisions": len(set(table.decisions.tolist()))}
        return super().facts(item) | counts

    def failed_rows(self, item: Item, method: Method, row: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
        """A row in each table that the cell belongs to; the fronts have one for each two costs."""
        if isinstance(method, TreesOf):
            return {"tree_sets": [row]}
        if method == FRONTS:
            return {"fronts": [row | {"cost_x": x, "cost_y": y} for x, y in combinations(COST_FUNCTIONS, 2)]}
        return super().failed_rows(item, method, row) | ({"graphs": [row]} if method == EXACT else {})

    def failed_item(self, number: int, status: str, error: str) -> Mapping[str, pa.Table]:
        """The rows of a table that could not be read or computed; its sets of trees and fronts have no rows."""
        tables = super().failed_item(number, status, error)
        return {
            name: table if name in {RESULTS_TABLE, "graphs"} else table.slice(0, 0) for name, table in tables.items()
        }


KIND = UciExactGrid.offered()
