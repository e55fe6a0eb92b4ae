"""Grown trees beside the smallest that classify the same training rows the same: an optimal tree by `001_…`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.builders import Builder, builders_named
from pipeline.data.sources import Place, Source, place_of_source, sources_named
from pipeline.errors import ConfigError
from pipeline.grammar.choices import parameter_of, place_of
from pipeline.grammar.source_tables import check_seed, graph_bytes_of
from pipeline.grammar.tree_builders import tree_builder, tree_example
from pipeline.grid import RESULTS_TABLE, TRYING, GridKind, GridSummary, RebuildsTrees, RebuiltTree
from pipeline.grids.smallest_tree.settings import SmallestTree
from pipeline.storage.parts import Part
from pipeline.work.losses import Loss

if TYPE_CHECKING:
    import pyarrow as pa

    from algorithms.table import DecisionTable

__all__ = ["FEWEST", "KIND", "SmallestTreeGrid"]

RESULTS_VERSION = 3  # raise it when the numbers of an unchanged configuration change
FEWEST = "fewest_leaves"
"""What rows call the smallest tree; their parameters name the builder whose classification it has."""


@dataclass(frozen=True)
class SmallestTreeGrid(RebuildsTrees):
    """Item i is source i // len(builders) and builder i % len(builders): its tree, and the fewest leaves.

    sources      : whose rows with a class are trained on, missing values filled
    builders     : what grows a tree
    two_branches : those whose tests have two branches, one label against all others: their trees are held against the
                   smallest of such, other builders' against the smallest with a branch for each label
    max_work     : of the search for the fewest leaves, in its own unit
    graph_bytes  : memory that the graph of separable subtables of a table may take
    seed         : of builders that draw
    losses       : what becomes of the tree, 0, and of the search, 1, where they are not asked
    """

    sources: tuple[Source, ...]
    builders: tuple[Builder, ...]
    two_branches: tuple[str, ...]
    max_work: int
    graph_bytes: int
    seed: int
    losses: Mapping[int, Loss] = field(default_factory=dict, compare=False)

    noun = "trees"
    tables = (RESULTS_TABLE,)
    first_items = 1
    cells_per_item = 2

    @staticmethod
    def of(config: SmallestTree, folders: Sequence[Path] | None = None) -> SmallestTreeGrid:
        """The grid of a composed configuration; ConfigError names a key whose value cannot be."""
        from pipeline.grammar.table_rows import check_tree_builders

        check_seed(config.seed)
        if config.max_work < 1:
            msg = f"max_work is {config.max_work}: expected 1 or more"
            raise ConfigError(msg)
        builders = builders_named(config.builders, config.plugins, folders)
        check_tree_builders(builders)
        names = [builder.name for builder in builders]
        strange = [name for name in config.two_branches if name not in names]
        if strange:
            msg = f"two_branches has '{strange[0]}': expected some of the builders, {', '.join(names)}"
            raise ConfigError(msg)
        return SmallestTreeGrid(
            sources=sources_named(config.source, config.target, config.data),
            builders=builders,
            two_branches=tuple(config.two_branches),
            max_work=config.max_work,
            graph_bytes=graph_bytes_of(config.graph_mib),
            seed=config.seed,
        )

    @staticmethod
    def from_identity(identity: dict[str, Any], place: Place) -> SmallestTreeGrid:
        """The grid of which `identity()` is this, its data found at a place."""
        return SmallestTreeGrid(
            sources=tuple(Source.from_identity(source, place) for source in identity["sources"]),
            builders=tuple(Builder.from_identity(one, place.plugins) for one in identity["builders"]),
            two_branches=tuple(identity["two_branches"]),
            **{key: identity[key] for key in ("max_work", "graph_bytes", "seed")},
        )

    @property
    def items(self) -> int:
        """Trees."""
        return len(self.sources) * len(self.builders)

    @property
    def example(self) -> str:
        """The first builder's tree on the first source."""
        return tree_example(self.sources[0].name, self.builders)

    @property
    def question(self) -> str:
        """The leaves of each tree."""
        return '"select source, builder, parameters, terminal_nodes, bound, optimal from results order by all"'

    def identity(self) -> dict[str, Any]:
        """All that can change a number."""
        return {
            "grid": "smallest_tree",
            "results_version": RESULTS_VERSION,
            "sources": [source.identity() for source in self.sources],
            "builders": [builder.identity() for builder in self.builders],
            "two_branches": list(self.two_branches),
            "max_work": self.max_work,
            "graph_bytes": self.graph_bytes,
            "seed": self.seed,
        }

    def prepare(self) -> None:
        """Have every data set here, read once, and the kernels compiled; OrchardError where a set cannot be had."""
        from pipeline.grids.smallest_tree.rows import rehearse
        from pipeline.screen import note

        for source in self.sources:
            for remark in source.load().remarks:
                note(remark)
        note(TRYING)
        rehearse(self, [builder for builder in self.builders if builder.own])

    def work(self, first: int, stop: int) -> dict[str, pa.Table]:
        """The rows of some trees: of each that of the tree, then that of the smallest."""
        import pyarrow as pa

        from pipeline.grids.smallest_tree.rows import rehearse, rows_of
        from pipeline.schema import HELD_RESULTS

        items = [self.parts(item) for item in range(first, stop)]
        rehearse(self, {builder.name: builder for _, builder in items}.values())
        found = [row for source, builder in items for row in rows_of(self, source, builder)]
        return {RESULTS_TABLE: pa.Table.from_pylist(found, schema=HELD_RESULTS)}

    def failure(self, item: int, status: str, error: str) -> dict[str, pa.Table]:
        """The rows of a tree that could not be grown."""
        import pyarrow as pa

        from pipeline.grids.smallest_tree.rows import called
        from pipeline.schema import HELD_RESULTS

        rows = [row | {"status": status, "error": error} for row in called(*self.parts(item))]
        return {RESULTS_TABLE: pa.Table.from_pylist(rows, schema=HELD_RESULTS)}

    @property
    def asked(self) -> int:
        """The builder, and the search for the fewest leaves."""
        return 2

    def losing(self, losses: Mapping[int, Loss]) -> SmallestTreeGrid:
        """The same grid, but that the row of the tree or that of the fewest leaves is not asked."""
        return replace(self, losses=losses)

    def parts(self, item: int) -> tuple[Source, Builder]:
        """The source and the builder of an item."""
        source, builder = divmod(item, len(self.builders))
        return self.sources[source], self.builders[builder]

    def item(self, row: Mapping[str, Any]) -> int:
        """The item of a source and a builder, that whose classification the fewest leaves have; or ConfigError."""
        source, name = place_of_source(self.sources, row), row.get("builder")
        if name == FEWEST:
            name = parameter_of(row, "classification_of")
        return source * len(self.builders) + place_of("builder", name, [builder.name for builder in self.builders])

    def title(self, item: int) -> str:
        """The source and the builder."""
        source, builder = self.parts(item)
        return f"{source.title}, {builder.name}"

    def table(self, item: int) -> DecisionTable:
        """The rows of the source of an item as a decision table, each distinct number a value."""
        from algorithms.tables_from_data import decision_table
        from pipeline.grammar.whole_sources import complete

        return decision_table(complete(self.parts(item)[0]), numeric="values", distinct_attributes="keep")

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The tree of a builder; ConfigError of the fewest leaves, which are counted without a tree."""
        from pipeline.grids.smallest_tree.rows import rebuilt_tree

        if row.get("builder") == FEWEST:
            names = ", ".join(builder.name for builder in self.builders)
            msg = f"the row {FEWEST} has no tree, for only their number is proven: trees are there of {names}"
            raise ConfigError(msg)
        source, builder = self.parts(self.item(row))
        return rebuilt_tree(self, source, tree_builder([builder], row))

    def load_summary(self) -> None:
        """Import what draws the figure, most of a summary's time."""
        import pipeline.grids.smallest_tree.figure  # noqa: F401

    def summarise(self, parts: Mapping[str, Sequence[Part]], folder: Path) -> GridSummary:
        """Leaves grown beside the fewest, set by set and over all, and the figure."""
        from pipeline.grids.smallest_tree.summary import SUMMARY

        return SUMMARY.of(parts, folder)


KIND = GridKind(
    SmallestTree, lambda found, places: SmallestTreeGrid.of(found, places.conf_folders), SmallestTreeGrid.from_identity
)
