"""How far unpruned trees are from the exact minima: every builder and heuristic on the same merged, weighted tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from pipeline.builders import Builder, builders_named, losing, own_alone
from pipeline.data.protocols import drawn_seed
from pipeline.data.sources import Place, sources_named
from pipeline.data.table_options import TableOptions
from pipeline.grammar.choices import place_of
from pipeline.grammar.source_tables import SourceTables, check_seed, graph_bytes_of
from pipeline.grammar.tree_builders import tree_builder
from pipeline.grid import RESULTS_TABLE, TRYING, GridKind, GridSummary, RebuiltTree
from pipeline.grids.greedy_vs_dp.grid import heuristics_named
from pipeline.grids.induction_gap.settings import InductionGap
from pipeline.storage.parts import Part

if TYPE_CHECKING:
    import pyarrow as pa

    from algorithms.table import DecisionTable

__all__ = ["KIND", "InductionGapGrid"]

RESULTS_VERSION = 2  # raise it when the numbers of an unchanged configuration change


@dataclass(frozen=True)
class InductionGapGrid(SourceTables):
    """A decision table of each source, the costs of the tree of each heuristic and builder on it, and the exact minima.

    builders    : what else grows a tree, each from the rows of the table with their weights
    graph_bytes : memory that the search for the minima of a table may take
    seed        : root of the draws of builders that draw
    """

    builders: tuple[Builder, ...]
    graph_bytes: int
    seed: int

    tables = (RESULTS_TABLE,)

    @staticmethod
    def of(config: InductionGap, folders: Sequence[Path] | None = None) -> InductionGapGrid:
        """The grid of a composed configuration; ConfigError names a key whose value cannot be."""
        from pipeline.grammar.keys import check_tree_builders

        graph_bytes = graph_bytes_of(config.graph_mib)
        check_seed(config.seed)
        builders = builders_named(config.builders, config.plugins, folders)
        check_tree_builders(builders)
        return InductionGapGrid(
            sources=sources_named(config.source, config.target, config.data),
            options=TableOptions.of(config.table),
            heuristics=heuristics_named(config.heuristics),
            builders=builders,
            graph_bytes=graph_bytes,
            seed=config.seed,
        )

    @staticmethod
    def from_identity(identity: dict[str, Any], place: Place) -> InductionGapGrid:
        """The grid of which `identity()` is this, its data found at a place."""
        return InductionGapGrid(
            **SourceTables.tables_from_identity(identity, place),
            builders=tuple(Builder.from_identity(one, place.plugins) for one in identity["builders"]),
            graph_bytes=identity["graph_bytes"],
            seed=identity["seed"],
        )

    @property
    def cells_per_item(self) -> int:
        """A row per heuristic and per builder, and the exact one."""
        return len(self.heuristics) + len(self.builders) + 1

    @property
    def example(self) -> str:
        """The tree of least average depth of the first table."""
        return f"--source {quote(self.sources[0].name)} --cost average_depth"

    @property
    def question(self) -> str:
        """The average depth that each builder reaches on each table."""
        return '"select source, builder, min(average_depth) from results group by all order by 1, 3"'

    def identity(self) -> dict[str, Any]:
        """All that can change a number."""
        return {
            "grid": "induction_gap",
            "results_version": RESULTS_VERSION,
            **self.tables_identity(),
            "builders": [builder.identity() for builder in self.builders],
            "graph_bytes": self.graph_bytes,
            "seed": self.seed,
        }

    def prepare(self) -> None:
        """Have every data set here, read once, and the kernels compiled; OrchardError where a set cannot be had."""
        from pipeline.screen import note

        self.read_sources()
        note(TRYING)
        replace(self, builders=losing(self.builders, own_alone(self.builders)))._rehearse()

    def work(self, first: int, stop: int) -> dict[str, pa.Table]:
        """The rows of some tables: for each the heuristics in order, the builders in order, then the exact one."""
        import pyarrow as pa

        from pipeline.schema import HELD_RESULTS

        self._rehearse()
        found = []
        for item in range(first, stop):
            source = self.sources[item]
            makers = self._makers(self.table(item), drawn_seed(self.seed, source.title))
            for place, (called, maker) in enumerate(zip(self._called, makers, strict=True)):
                loss = self.losses.get(place)
                found.append({**source.called, **called, **(asdict(loss) if loss else maker())})
        return {RESULTS_TABLE: pa.Table.from_pylist(found, schema=HELD_RESULTS)}

    def failure(self, item: int, status: str, error: str) -> dict[str, pa.Table]:
        """The rows of a table that could not be read or worked."""
        import pyarrow as pa

        from pipeline.schema import HELD_RESULTS

        said = {**self.sources[item].called, "status": status, "error": error}
        rows = [said | called for called in self._called]
        return {RESULTS_TABLE: pa.Table.from_pylist(rows, schema=HELD_RESULTS)}

    @property
    def asked(self) -> int:
        """The heuristics, the builders, and the search for the minima."""
        return self.cells_per_item

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The tree of a heuristic or a builder, or of the exact one's a tree of least `cost`."""
        from pipeline.grammar.table_rows import builder_tree
        from pipeline.grammar.table_trees import rebuilt_for

        item = self.item(row)
        if row.get("builder") in {builder.name for builder in self.builders}:
            builder = tree_builder(self.builders, row)
            return builder_tree(self.table(item), builder, drawn_seed(self.seed, self.sources[item].title))
        place_of("builder", row.get("builder"), ["greedy", *(builder.name for builder in self.builders), "exact"])
        return rebuilt_for(self.table(item), row, self.heuristics, self.graph_bytes)

    def load_summary(self) -> None:
        """Import what draws the figure, most of a summary's time."""
        import pipeline.grids.induction_gap.figure
        import pipeline.grids.induction_gap.summary  # noqa: F401

    def summarise(self, parts: Mapping[str, Sequence[Part]], folder: Path) -> GridSummary:
        """Gaps table by table, their means, and the figure."""
        from pipeline.grids.induction_gap.summary import BEST_OF, SUMMARY

        heuristics = [heuristic.name for heuristic in self.heuristics]
        best = f"{BEST_OF} {len(heuristics)} heuristics"
        builders = [builder.name for builder in self.builders]
        return SUMMARY.of(parts, folder, builders=[*heuristics, best, *builders, "exact"])

    @property
    def _called(self) -> list[dict[str, Any]]:
        """What tells the cells of an item from one another."""
        from pipeline.grammar.table_rows import called_greedy

        heuristics = [called_greedy(heuristic) for heuristic in self.heuristics]
        builders = [{"builder": builder.name, "parameters": builder.parameters} for builder in self.builders]
        return [*heuristics, *builders, {"builder": "exact"}]

    def _makers(self, table: DecisionTable, seed: int) -> list[Callable[[], dict[str, Any]]]:
        """What makes the row of each cell of an item."""
        from pipeline.grammar.table_rows import builder_row, exact_row, greedy_row

        heuristics = [partial(greedy_row, table, heuristic) for heuristic in self.heuristics]
        builders = [partial(builder_row, table, builder, seed) for builder in self.builders]
        return [*heuristics, *builders, partial(exact_row, table, self.graph_bytes)]

    def _rehearse(self) -> None:
        """Load what is timed, by way of a table of two attributes."""
        from algorithms.table import DecisionTable

        table = DecisionTable.from_codes([[0, 0], [0, 1], [1, 0]], [0, 1, 1])
        for place, maker in enumerate(self._makers(table, 0)):
            if place not in self.losses:
                maker()


KIND = GridKind(
    InductionGap, lambda found, places: InductionGapGrid.of(found, places.conf_folders), InductionGapGrid.from_identity
)
