"""EVO-Tree's trees beside the fewest training errors, and the fewest splits, of any tree of their depth (`003_…`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pipeline.builders import Builder, builders_named, losing, own_alone
from pipeline.data.sources import Place, Source, place_of_source, sources_named
from pipeline.errors import ConfigError
from pipeline.grammar.choices import parameter_of, place_of
from pipeline.grammar.source_tables import check_seed
from pipeline.grammar.tree_builders import tree_builder, tree_example
from pipeline.grid import RESULTS_TABLE, TRYING, GridKind, GridSummary, RebuildsTrees, RebuiltTree
from pipeline.grids.evo_vs_exact.settings import EvoVsExact
from pipeline.storage.parts import Part
from pipeline.work.losses import Loss

if TYPE_CHECKING:
    import pyarrow as pa

    from algorithms.table import DecisionTable

__all__ = ["EXACT", "KIND", "Cell", "EvoVsExactGrid"]

RESULTS_VERSION = 2  # raise it when the numbers of an unchanged configuration change
EXACT = "oct"
"""What rows call the search; its objective and its bound are errors, in rows. Those of an evolved tree are fitness."""
DEEPEST = 6
"""A frontier has 2 ** depth rows, and no search ends on sets of any size with more levels."""


class Cell(NamedTuple):
    """What an item is: a source, and a greatest depth."""

    source: Source
    max_depth: int


@dataclass(frozen=True)
class EvoVsExactGrid(RebuildsTrees):
    """Each builder's trees of a depth, a seed each, and the fewest errors of any such tree, on all rows of a source.

    Nominal attributes become a question for each label beforehand, so that builders and search have the same tests.

    sources  : whose rows with a class are trained on, missing values filled
    depths   : of each source: edges from the root to a leaf at most
    repeats  : trees of each builder
    builders : what grows a tree, and takes max_depth
    max_work : of the search, in its own unit
    seed     : root of all draws

    Items are in the order of sources, then depths.
    """

    sources: tuple[Source, ...]
    depths: tuple[int, ...]
    repeats: int
    builders: tuple[Builder, ...]
    max_work: int
    seed: int

    noun = "searches"
    tables = (RESULTS_TABLE, "frontiers", "descents")
    first_items = 1

    @staticmethod
    def of(config: EvoVsExact, folders: Sequence[Path] | None = None) -> EvoVsExactGrid:
        """The grid of a composed configuration; ConfigError names a key whose value cannot be."""
        from pipeline.grammar.keys import check_tree_builders

        check_seed(config.seed)
        depths = tuple(config.depths)
        each_once = bool(depths) and len(set(depths)) == len(depths)
        rules = (
            ("depths", list(depths), each_once and 1 <= min(depths) <= max(depths) <= DEEPEST,
             f"whole numbers from 1 to {DEEPEST}, each once"),
            ("repeats", config.repeats, config.repeats >= 1, "1 or more"),
            ("max_work", config.max_work, config.max_work >= 1, "1 or more"),
        )  # fmt: skip
        for key, value, right, expected in rules:
            if not right:
                msg = f"{key} is {value}: expected {expected}"
                raise ConfigError(msg)
        builders = builders_named(config.builders, config.plugins, folders)
        check_tree_builders(builders)
        for builder in builders:
            if builder.name == EXACT:
                msg = f"builders has '{EXACT}', as rows call the search that all are held against: leave it out"
                raise ConfigError(msg)
            if not builder.takes("max_depth"):
                msg = f"builder '{builder.name}' ({builder.class_path}) has no parameter max_depth: leave it out"
                raise ConfigError(msg)
        sources = sources_named(config.source, config.target, config.data)
        return EvoVsExactGrid(sources, depths, config.repeats, builders, config.max_work, config.seed)

    @staticmethod
    def from_identity(identity: dict[str, Any], place: Place) -> EvoVsExactGrid:
        """The grid of which `identity()` is this, its data found at a place."""
        return EvoVsExactGrid(
            sources=tuple(Source.from_identity(source, place) for source in identity["sources"]),
            depths=tuple(identity["depths"]),
            builders=tuple(Builder.from_identity(one, place.plugins) for one in identity["builders"]),
            **{key: identity[key] for key in ("repeats", "max_work", "seed")},
        )

    @property
    def items(self) -> int:
        """Searches."""
        return len(self.sources) * len(self.depths)

    @property
    def cells_per_item(self) -> int:
        """The trees of all builders, and that of the search."""
        return len(self.builders) * self.repeats + 1

    @property
    def evolves(self) -> bool:
        """Whether a builder that is asked is EVO-Tree, whose fitness weighs depth as well as errors."""
        from algorithms.evolutionary.evo_tree import EVOTreeClassifier

        asked = [builder for builder in self.builders if not builder.loss]
        return any(builder.extends(EVOTreeClassifier) for builder in asked)

    @property
    def example(self) -> str:
        """The first builder's first tree on the first source."""
        return tree_example(self.sources[0].name, self.builders)

    @property
    def question(self) -> str:
        """The accuracies and sizes of each builder, by depth."""
        return (
            "\"select parameters->>'max_depth' max_depth, builder, avg(train_accuracy), avg(nonterminal_nodes) "
            'from results group by all order by all"'
        )

    def identity(self) -> dict[str, Any]:
        """All that can change a number."""
        return {
            "grid": "evo_vs_exact",
            "results_version": RESULTS_VERSION,
            "sources": [source.identity() for source in self.sources],
            "depths": list(self.depths),
            "repeats": self.repeats,
            "builders": [builder.identity() for builder in self.builders],
            "max_work": self.max_work,
            "seed": self.seed,
        }

    def prepare(self) -> None:
        """Have every data set here, read once, and the kernels compiled; OrchardError where a set cannot be had."""
        from pipeline.grids.evo_vs_exact.rows import rehearse
        from pipeline.screen import note

        for source in self.sources:
            for remark in source.load().remarks:
                note(remark)
        note(TRYING)
        rehearse(self.losing(own_alone(self.builders)))

    def cell(self, item: int) -> Cell:
        """What an item is."""
        source, depth = divmod(item, len(self.depths))
        return Cell(self.sources[source], self.depths[depth])

    def work(self, first: int, stop: int) -> dict[str, pa.Table]:
        """The rows of some searches, of each those of the builders' trees, then that of the best."""
        from pipeline.grids.evo_vs_exact.rows import rehearse, rows_of, tables_of

        rehearse(self)
        return tables_of([rows_of(self, self.cell(item)) for item in range(first, stop)])

    def failure(self, item: int, status: str, error: str) -> dict[str, pa.Table]:
        """The rows of a search that took down its worker, or of a data set that could not be read."""
        from pipeline.grids.evo_vs_exact.rows import failed_rows, tables_of

        return tables_of([failed_rows(self, self.cell(item), status, error)])

    @property
    def asked(self) -> int:
        """The builders."""
        return len(self.builders)

    def losing(self, losses: Mapping[int, Loss]) -> EvoVsExactGrid:
        """The same grid, but that these builders are not asked."""
        return replace(self, builders=losing(self.builders, losses))

    def item(self, row: Mapping[str, Any]) -> int:
        """The item of a source and a max_depth of the parameters; ConfigError where there is none."""
        place = place_of_source(self.sources, row)
        return place * len(self.depths) + place_of("max_depth", parameter_of(row, "max_depth"), self.depths)

    def title(self, item: int) -> str:
        """The source and the depth."""
        cell = self.cell(item)
        return f"{cell.source.title}, depth {cell.max_depth}"

    def table(self, item: int) -> DecisionTable:
        """The rows of an item as a decision table: a question for each label, each distinct number a value."""
        from algorithms.tables_from_data import decision_table
        from pipeline.grammar.whole_sources import with_two_branches

        data = with_two_branches(self.cell(item).source, bins=None)
        return decision_table(data, numeric="values", distinct_attributes="keep")

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The tree of a builder, or that of the search, which is made again."""
        from pipeline.grids.evo_vs_exact.rows import best_tree, grown_tree

        cell = self.cell(self.item(row))
        if row.get("builder") == EXACT:
            return best_tree(self, cell)
        place_of("builder", row.get("builder"), [*(builder.name for builder in self.builders), EXACT])
        repeat = place_of("repeat", row.get("repeat"), range(1, self.repeats + 1)) + 1
        return grown_tree(self, cell, tree_builder(self.builders, row), repeat)

    def load_summary(self) -> None:
        """Import what draws the figure, most of a summary's time."""
        import pipeline.grids.evo_vs_exact.figure  # noqa: F401

    def summarise(self, parts: Mapping[str, Sequence[Part]], folder: Path) -> GridSummary:
        """Errors and splits beside the fewest, set by set and over all, and the figure."""
        from pipeline.grids.evo_vs_exact.summary import SUMMARY

        return SUMMARY.of(parts, folder)


KIND = GridKind(
    EvoVsExact, lambda found, places: EvoVsExactGrid.of(found, places.conf_folders), EvoVsExactGrid.from_identity
)
