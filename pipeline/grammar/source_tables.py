"""Grids of the decision tables of data sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from shlex import quote
from typing import TYPE_CHECKING, Any, ClassVar

from pipeline.grammar.at import At, once
from pipeline.grammar.axes import of_sources
from pipeline.grammar.keys import GraphBytes, Heuristics, Table
from pipeline.grammar.sources import SourceGrid
from pipeline.grid import RebuiltTree

if TYPE_CHECKING:
    from algorithms.table import DecisionTable

__all__ = ["EXACT", "TableGrid"]

EXACT = "exact"
"""What rows call the search for the minima."""


@dataclass(frozen=True, kw_only=True)
class TableGrid(SourceGrid):
    """A decision table of each source, and the greedy heuristics and exact searches that are tried on it.

    options     : how a data set becomes a decision table
    heuristics  : the greedy builders
    graph_bytes : memory that the graph of a table, and so the search for its minima, may take
    """

    options: Table
    heuristics: Heuristics
    graph_bytes: GraphBytes

    axes = (of_sources(),)
    noun = "tables"
    shown_cost: ClassVar[str]

    @property
    def example(self) -> str:
        """A tree of least cost for the first table."""
        return f"--source {quote(self.sources[0].name)} --cost {self.shown_cost}"

    @once("source")
    def decision_table(self, at: At) -> DecisionTable:
        """The decision table of an item."""
        return self.options.table(self.loaded(at), at.source.part)

    def table(self, item: int) -> DecisionTable:
        """The decision table of an item, read again."""
        return self.decision_table(self.at(item))

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The greedy tree of a row, or of the exact one's a tree of least `cost`."""
        from pipeline.grammar.table_trees import rebuilt_for

        return rebuilt_for(self.table(self.item(row)), row, self.heuristics, self.graph_bytes)

    def facts(self, at: At) -> dict[str, Any]:
        """The rows of the table."""
        return {"rows": self.decision_table(at).rows}
