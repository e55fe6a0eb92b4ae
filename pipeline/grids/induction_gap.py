"""How far unpruned trees are from the exact minima: every builder and heuristic on the same merged, weighted tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from algorithms.impurity import ImpurityFunction, impurity_function
from pipeline.builders import Builder, builders_named
from pipeline.errors import ConfigError
from pipeline.grids.base import RESULTS_TABLE, GridSummary
from pipeline.grids.greedy_vs_dp import heuristics_named
from pipeline.protocols import drawn_seed
from pipeline.sources import Place, Source, place_of_source, sources_named
from pipeline.store import Part
from pipeline.table_options import TableOptions

if TYPE_CHECKING:
    import pyarrow as pa

    from algorithms.table import DecisionTable
    from pipeline.config import InductionGap

__all__ = ["InductionGapGrid"]

RESULTS_VERSION = 1  # raise it when the numbers of an unchanged configuration change
MIB = 2**20
MOST_MIB = 2**20


@dataclass(frozen=True)
class InductionGapGrid:
    """A decision table of each source, the costs of the tree of each heuristic and builder on it, and the exact minima.

    sources     : item i is the table of the i-th
    options     : how a data set becomes a decision table
    heuristics  : the greedy algorithms of `000_…`
    builders    : what else grows a tree, each from the rows of the table with their weights
    graph_bytes : memory that the search for the minima of a table may take
    seed        : root of the draws of builders that draw
    """

    sources: tuple[Source, ...]
    options: TableOptions
    heuristics: tuple[ImpurityFunction, ...]
    builders: tuple[Builder, ...]
    graph_bytes: int
    seed: int

    noun = "tables"
    tables = (RESULTS_TABLE,)
    first_items = 1

    @staticmethod
    def of(config: InductionGap) -> InductionGapGrid:
        """The grid of a composed configuration; ConfigError names a key whose value cannot be."""
        from pipeline.grids.table_rows import check_tree_builders

        if not 1 <= config.graph_mib <= MOST_MIB:
            msg = f"graph_mib is {config.graph_mib}: expected 1 to {MOST_MIB}"
            raise ConfigError(msg)
        if config.seed < 0:
            msg = f"seed is {config.seed}: expected 0 or more"
            raise ConfigError(msg)
        builders = builders_named(config.builders, config.plugins)
        check_tree_builders(builders)
        return InductionGapGrid(
            sources=sources_named(config.source, config.target, config.data),
            options=TableOptions.of(config.table),
            heuristics=heuristics_named(config.heuristics),
            builders=builders,
            graph_bytes=config.graph_mib * MIB,
            seed=config.seed,
        )

    @staticmethod
    def from_identity(identity: dict[str, Any], place: Place) -> InductionGapGrid:
        """The grid of which `identity()` is this, its data found at a place."""
        return InductionGapGrid(
            sources=tuple(Source.from_identity(source, place) for source in identity["sources"]),
            options=TableOptions.from_identity(identity["table"]),
            heuristics=tuple(impurity_function(name) for name in identity["heuristics"]),
            builders=tuple(map(Builder.from_identity, identity["builders"])),
            graph_bytes=identity["graph_bytes"],
            seed=identity["seed"],
        )

    @property
    def items(self) -> int:
        """Tables."""
        return len(self.sources)

    @property
    def cells_per_item(self) -> int:
        """A row per heuristic and per builder, and the exact one."""
        return len(self.heuristics) + len(self.builders) + 1

    @property
    def example(self) -> str:
        """The tree of least average depth of the first table."""
        return f"--source {self.sources[0].name} --cost average_depth"

    @property
    def question(self) -> str:
        """The average depth that each builder reaches on each table."""
        return '"select source, builder, min(average_depth) from results group by all order by 1, 3"'

    def identity(self) -> dict[str, Any]:
        """All that can change a number."""
        return {
            "grid": "induction_gap",
            "results_version": RESULTS_VERSION,
            "sources": [source.identity() for source in self.sources],
            "table": self.options.identity(),
            "heuristics": [heuristic.name for heuristic in self.heuristics],
            "builders": [builder.identity() for builder in self.builders],
            "graph_bytes": self.graph_bytes,
            "seed": self.seed,
        }

    def prepare(self) -> None:
        """Have every data set here, read once, and the kernels compiled; OrchardError where a set cannot be had."""
        from pipeline.screen import note

        for source in self.sources:
            for remark in source.load().remarks:
                note(remark)
        note("trying each builder on a few rows: the first time on this machine that compiles its kernels ...")
        self._rehearse()

    def work(self, first: int, stop: int) -> dict[str, pa.Table]:
        """The rows of some tables: for each the heuristics in order, the builders in order, then the exact one."""
        import pyarrow as pa

        from pipeline.schema import HELD_RESULTS

        self._rehearse()
        found = []
        for item in range(first, stop):
            source = self.sources[item]
            found += [source.called | row for row in self._rows(self.table(item), drawn_seed(self.seed, source.title))]
        return {RESULTS_TABLE: pa.Table.from_pylist(found, schema=HELD_RESULTS)}

    def failure(self, item: int, status: str, error: str) -> dict[str, pa.Table]:
        """The rows of a table that could not be read or worked."""
        import pyarrow as pa

        from pipeline.grids.table_rows import halves
        from pipeline.schema import HELD_RESULTS

        said = {**self.sources[item].called, "status": status, "error": error}
        builders = [{"builder": "greedy", **halves(heuristic)} for heuristic in self.heuristics]
        builders += [{"builder": builder.name, "parameters": builder.parameters} for builder in self.builders]
        rows = [said | builder for builder in (*builders, {"builder": "exact"})]
        return {RESULTS_TABLE: pa.Table.from_pylist(rows, schema=HELD_RESULTS)}

    def item(self, source: str | None, group: int, table_index: int) -> int:  # noqa: ARG002 - random tables have these
        """The item that a source is; ConfigError where there is no such source."""
        return place_of_source(self.sources, source)

    def title(self, item: int) -> str:
        """The source, and the part where that is not the whole."""
        return self.sources[item].title

    def table(self, item: int) -> DecisionTable:
        """The decision table of an item, read again."""
        source = self.sources[item]
        return self.options.table(source.load(), source.part)

    def load_summary(self) -> None:
        """Import what draws the figure, most of a summary's time."""
        import pipeline.summaries.induction_gap_figure  # noqa: F401

    def summarise(self, parts: Mapping[str, Sequence[Part]], folder: Path) -> GridSummary:
        """Gaps table by table, their means, and the figure."""
        from pipeline.summaries.induction_gap import summarise

        return summarise(parts, folder)

    def _rows(self, table: DecisionTable, seed: int) -> list[dict[str, Any]]:
        from pipeline.grids.table_rows import builder_row, exact_row, greedy_row

        rows = [greedy_row(table, heuristic) for heuristic in self.heuristics]
        rows += [builder_row(table, builder, seed) for builder in self.builders]
        return [*rows, exact_row(table, self.graph_bytes)]

    def _rehearse(self) -> None:
        """Load what is timed, by way of a table of two attributes."""
        from algorithms.table import DecisionTable

        self._rows(DecisionTable.from_codes([[0, 0], [0, 1], [1, 0]], [0, 1, 1]), 0)
