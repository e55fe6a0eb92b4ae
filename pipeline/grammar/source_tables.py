"""What grids of the decision tables of data sets have in common, and checks of keys that several kinds of grid have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from algorithms.impurity import ImpurityFunction, impurity_function
from pipeline.data.sources import Place, Source, place_of_source
from pipeline.data.table_options import TableOptions
from pipeline.errors import ConfigError
from pipeline.grid import RebuildsTrees
from pipeline.work.losses import Loss

if TYPE_CHECKING:
    from algorithms.table import DecisionTable

__all__ = ["SourceTables", "check_seed", "graph_bytes_of"]

MIB = 2**20
MOST_MIB = 2**20


@dataclass(frozen=True)
class SourceTables(RebuildsTrees):
    """A decision table of each source, and the greedy heuristics that are tried on it.

    sources    : item i is the table of the i-th
    options    : how a data set becomes a decision table
    heuristics : the greedy builders
    losses     : what becomes of what an item asks, by place, where that is known already, so that it is not asked
    """

    sources: tuple[Source, ...]
    options: TableOptions
    heuristics: tuple[ImpurityFunction, ...]
    losses: Mapping[int, Loss] = field(default_factory=dict, compare=False, kw_only=True)

    noun = "tables"
    first_items = 1

    @property
    def items(self) -> int:
        """Tables."""
        return len(self.sources)

    def item(self, row: Mapping[str, Any]) -> int:
        """The item that a source is; ConfigError where there is no such source."""
        return place_of_source(self.sources, row)

    def title(self, item: int) -> str:
        """The source, and the part where that is not the whole."""
        return self.sources[item].title

    def table(self, item: int) -> DecisionTable:
        """The decision table of an item, read again."""
        source = self.sources[item]
        return self.options.table(source.load(), source.part)

    def losing(self, losses: Mapping[int, Loss]) -> Self:
        """The same grid, but that those of these places are not asked."""
        return replace(self, losses=losses)

    def tables_identity(self) -> dict[str, Any]:
        """What of `identity()` these fields are."""
        return {
            "sources": [source.identity() for source in self.sources],
            "table": self.options.identity(),
            "heuristics": [heuristic.name for heuristic in self.heuristics],
        }

    @staticmethod
    def tables_from_identity(identity: dict[str, Any], place: Place) -> dict[str, Any]:
        """These fields of the grid of which `identity()` is this, its data found at a place."""
        return {
            "sources": tuple(Source.from_identity(source, place) for source in identity["sources"]),
            "options": TableOptions.from_identity(identity["table"]),
            "heuristics": tuple(impurity_function(name) for name in identity["heuristics"]),
        }

    def read_sources(self) -> None:
        """Read every data set once, and note what there is to say of it; OrchardError where one cannot be had."""
        from pipeline.screen import note

        for source in self.sources:
            for remark in source.load().remarks:
                note(remark)


def graph_bytes_of(graph_mib: int) -> int:
    """The memory that the key graph_mib gives; ConfigError where that is none."""
    if not 1 <= graph_mib <= MOST_MIB:
        msg = f"graph_mib is {graph_mib}: expected 1 to {MOST_MIB}"
        raise ConfigError(msg)
    return graph_mib * MIB


def check_seed(seed: int) -> None:
    """Raise ConfigError where the key seed has no value that there can be."""
    if seed < 0:
        msg = f"seed is {seed}: expected 0 or more"
        raise ConfigError(msg)
