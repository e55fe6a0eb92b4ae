"""Exact trees of real tables: minima, sets of optimal trees, fronts, and where the greedy heuristics stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from algorithms.costs import COST_FUNCTIONS
from pipeline.data.sources import Place, sources_named
from pipeline.data.table_options import TableOptions
from pipeline.errors import ConfigError
from pipeline.grammar.source_tables import SourceTables, graph_bytes_of
from pipeline.grid import RESULTS_TABLE, GridKind, RebuiltTree
from pipeline.grids.greedy_vs_dp.grid import heuristics_named
from pipeline.grids.uci_exact.settings import UciExact
from pipeline.storage.parts import Part

if TYPE_CHECKING:
    import pyarrow as pa

    from pipeline.grid import GridSummary

__all__ = ["KIND", "UciExactGrid"]

RESULTS_VERSION = 2  # raise it when the numbers of an unchanged configuration change


@dataclass(frozen=True)
class UciExactGrid(SourceTables):
    """A decision table of each source, built greedily by every heuristic and minimised exactly.

    orders      : for each the set of trees that are optimal for these costs, one after another
    alphas      : for each the minima of alpha-decision trees
    graph_bytes : memory that the graph of a table may take
    """

    orders: tuple[tuple[str, ...], ...]
    alphas: tuple[float, ...]
    graph_bytes: int

    tables = (RESULTS_TABLE, "graphs", "tree_sets", "fronts")

    @staticmethod
    def of(config: UciExact) -> UciExactGrid:
        """The grid of a composed configuration; ConfigError names a key whose value cannot be."""
        graph_bytes = graph_bytes_of(config.graph_mib)
        for alpha in config.alphas:
            if not 0 < alpha < 1:
                msg = f"alphas has {alpha}: expected more than 0 (which is always done) and less than 1"
                raise ConfigError(msg)
        orders = tuple(_order(order) for order in config.orders)
        for key, given in (("orders", orders), ("alphas", tuple(config.alphas))):
            if len(set(given)) < len(given):
                msg = f"{key} has one of its entries twice: {list(given)}"
                raise ConfigError(msg)
        return UciExactGrid(
            sources=sources_named(config.source, config.target, config.data),
            options=TableOptions.of(config.table),
            heuristics=heuristics_named(config.heuristics),
            orders=orders,
            alphas=tuple(config.alphas),
            graph_bytes=graph_bytes,
        )

    @staticmethod
    def from_identity(identity: dict[str, Any], place: Place) -> UciExactGrid:
        """The grid of which `identity()` is this, its data found at a place."""
        return UciExactGrid(
            **SourceTables.tables_from_identity(identity, place),
            orders=tuple(map(tuple, identity["orders"])),
            alphas=tuple(identity["alphas"]),
            graph_bytes=identity["graph_bytes"],
        )

    @property
    def cells_per_item(self) -> int:
        """A row per heuristic, and the exact one."""
        return len(self.heuristics) + 1

    @property
    def example(self) -> str:
        """The tree of fewest nodes of the first table."""
        return f"--source {quote(self.sources[0].name)} --cost nodes"

    @property
    def question(self) -> str:
        """How many optimal trees there are."""
        return '"select source, optimal_for, trees from tree_sets where alpha = 0"'

    def identity(self) -> dict[str, Any]:
        """All that can change a number."""
        return {
            "grid": "uci_exact",
            "results_version": RESULTS_VERSION,
            **self.tables_identity(),
            "orders": [list(order) for order in self.orders],
            "alphas": list(self.alphas),
            "graph_bytes": self.graph_bytes,
        }

    def prepare(self) -> None:
        """Have every data set here, read once, and the kernels compiled; OrchardError where a set cannot be had."""
        from pipeline.grids.uci_exact.rows import compile_kernels

        self.read_sources()
        compile_kernels()

    def work(self, first: int, stop: int) -> dict[str, pa.Table]:
        """The rows of some tables: in the results of each the heuristics in order, then the exact builder."""
        import pyarrow as pa

        from pipeline.grids.uci_exact.rows import rows_of_table

        found = [rows_of_table(self, self.sources[item].called, self.table(item)) for item in range(first, stop)]
        return {name: pa.concat_tables([tables[name] for tables in found]) for name in self.tables}

    def failure(self, item: int, status: str, error: str) -> dict[str, pa.Table]:
        """The rows of a table that could not be read or worked."""
        from pipeline.grids.uci_exact.rows import failure_rows

        return failure_rows(self, self.sources[item].called, status, error)

    @property
    def asked(self) -> int:
        """The heuristics; then by way of the graph the minima, the sets of trees and the fronts."""
        return len(self.heuristics) + 1 + len(self.sets) + 1

    @property
    def sets(self) -> tuple[tuple[float, tuple[str, ...]], ...]:
        """Of each set of trees its alpha, and the costs that its trees are optimal for, one after another."""
        return ((0.0, ()), *((0.0, order) for order in self.orders), *((alpha, ()) for alpha in self.alphas))

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The greedy tree of a row, or of the exact one's a tree of least `cost`."""
        from pipeline.grammar.table_trees import rebuilt_for

        return rebuilt_for(self.table(self.item(row)), row, self.heuristics, self.graph_bytes)

    def load_summary(self) -> None:
        """Import what draws the figure, most of a summary's time."""
        import pipeline.grids.uci_exact.figure  # noqa: F401

    def summarise(self, parts: Mapping[str, Sequence[Part]], folder: Path) -> GridSummary:
        """Minima, sets of trees, heuristics against the fronts, and their figure."""
        from pipeline.grids.uci_exact.summary import SUMMARY

        return SUMMARY.of(parts, folder)


def _order(costs: Sequence[str]) -> tuple[str, ...]:
    for cost in costs:
        if cost not in COST_FUNCTIONS:
            msg = f"orders has '{cost}': expected some of {', '.join(COST_FUNCTIONS)}"
            raise ConfigError(msg)
    if not costs or len(set(costs)) < len(costs):
        msg = f"orders has {list(costs)}: expected costs, each once"
        raise ConfigError(msg)
    return tuple(costs)


KIND = GridKind(UciExact, lambda found, _: UciExactGrid.of(found), UciExactGrid.from_identity)
