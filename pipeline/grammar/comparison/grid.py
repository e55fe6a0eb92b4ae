"""Builders that predict, one beside the other: on each split of each data set every builder learns and is tested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.builders import Builder, builders_named, losing
from pipeline.data.protocols import Protocol, ProtocolError
from pipeline.data.sources import Place, Source, kept_text, place_of_source, sources_named
from pipeline.discovery import Places
from pipeline.errors import ConfigError
from pipeline.grammar.choices import place_of
from pipeline.grammar.comparison.kinds import GENERAL, Declared, summaries, summary_of
from pipeline.grammar.source_tables import check_seed
from pipeline.grammar.tree_builders import tree_builder, tree_example
from pipeline.grid import RESULTS_TABLE, TRYING, GridSummary, RebuildsTrees, RebuiltTree
from pipeline.storage.parts import Part
from pipeline.work.losses import Loss

if TYPE_CHECKING:
    import pyarrow as pa

    from algorithms.table import DecisionTable
    from pipeline.data.catalogue.loading import LoadedSet
    from pipeline.grammar.comparison.settings import CompareBuilders
    from pipeline.grammar.splits import PartedSet

__all__ = ["CompareBuildersGrid"]

INCOMPLETE_ROWS = ("keep", "drop")
RESULTS_VERSION = 5  # raise it when the numbers of an unchanged configuration change


@dataclass(frozen=True)
class CompareBuildersGrid(RebuildsTrees):
    """Every builder on every split of every source; item i is split i % protocol.splits of source i // protocol.splits.

    sources    : data sets, parts of them, or rows drawn of these, which train and test; of a published split both parts
    incomplete : whether rows with a missing value are kept
    most_rows  : of a source with more, so many are drawn, the same for every split; None: all are taken. What a source
                 says of itself comes first
    protocol   : which rows train and which test
    builders   : what learns, on the same rows each
    seed       : root of all draws
    summary    : how the rows are summarised, one of `kinds.summaries`; it changes no row
    curves     : whether a builder has learning curves, so that there is a table of them
    """

    sources: tuple[Source, ...]
    incomplete: bool
    most_rows: int | None
    protocol: Protocol
    builders: tuple[Builder, ...]
    seed: int
    summary: Declared = field(compare=False, default=GENERAL)
    curves: bool = field(compare=False, default=False)

    noun = "splits"
    first_items = 1

    @staticmethod
    def of(
        config: CompareBuilders, folders: Sequence[Path] | None = None, places: Places | None = None
    ) -> CompareBuildersGrid:
        """The grid of a composed configuration; ConfigError names a key whose value cannot be."""
        protocol = Protocol.of(config.protocol)
        published = protocol.method == "published"
        check_seed(config.seed)
        if config.most_rows is not None and (config.most_rows < 1 or published):
            what = "none, for the published split has its own rows" if published else "1 or more, or null"
            msg = f"most_rows is {config.most_rows}: expected {what}"
            raise ConfigError(msg)
        if config.incomplete_rows not in INCOMPLETE_ROWS:
            msg = f"incomplete_rows is '{config.incomplete_rows}': expected one of {', '.join(INCOMPLETE_ROWS)}"
            raise ConfigError(msg)
        if config.summary not in (known := summaries(places or Places(tuple(config.plugins)))):
            msg = f"summary is '{config.summary}': expected one of {', '.join(known)}"
            raise ConfigError(msg)
        builders = builders_named(config.builders, config.plugins, folders)
        sources = sources_named(config.source, config.target, config.data, draws=not published)
        if published:
            sources = tuple(dict.fromkeys(replace(source, part="all") for source in sources))
        return CompareBuildersGrid(
            sources=sources,
            incomplete=config.incomplete_rows == "keep",
            most_rows=config.most_rows,
            protocol=protocol,
            builders=builders,
            seed=config.seed,
            summary=known[config.summary],
            curves=any(builder.evolves for builder in builders),
        )

    @staticmethod
    def from_identity(identity: dict[str, Any], place: Place) -> CompareBuildersGrid:
        """The grid of which `identity()` is this, its data found at a place."""
        return CompareBuildersGrid(
            sources=tuple(Source.from_identity(source, place) for source in identity["sources"]),
            incomplete=identity["incomplete_rows"] == "keep",
            most_rows=identity["most_rows"],
            protocol=Protocol(**identity["protocol"]),
            builders=tuple(Builder.from_identity(one, place.plugins) for one in identity["builders"]),
            seed=identity["seed"],
        )

    def completed(
        self, record: Mapping[str, Any], configuration: Mapping[str, Any], places: Places
    ) -> CompareBuildersGrid:
        """The same grid with what the record of a run says of its tables, and its configuration of its summary."""
        asked = summaries(places).get(kept_text(configuration, "summary") or "", self.summary)
        return replace(self, curves="curves" in record.get("tables", ()), summary=asked)

    @property
    def tables(self) -> tuple[str, ...]:
        """The results, the classes, and the learning curves where there are any."""
        return (RESULTS_TABLE, "classes", *(("curves",) if self.curves else ()))

    @property
    def items(self) -> int:
        """Splits of all sources."""
        return len(self.sources) * self.protocol.splits

    @property
    def cells_per_item(self) -> int:
        """A row per builder."""
        return len(self.builders)

    @property
    def example(self) -> str:
        """The tree of the first builder that has one, from the first training rows of the first source."""
        return tree_example(self.sources[0].name, self.builders)

    @property
    def question(self) -> str:
        """Which builder is the most accurate."""
        return '"select builder, avg(test_accuracy), avg(nodes) from results group by builder order by 2 desc"'

    def identity(self) -> dict[str, Any]:
        """All that can change a number."""
        return {
            "grid": "compare_builders",
            "results_version": RESULTS_VERSION,
            "sources": [source.identity() for source in self.sources],
            "incomplete_rows": INCOMPLETE_ROWS[not self.incomplete],
            "most_rows": self.most_rows,
            "protocol": self.protocol.identity(),
            "builders": [builder.identity() for builder in self.builders],
            "seed": self.seed,
        }

    def prepare(self) -> None:
        """Have every data set here, check that the protocol can split it, and have the kernels compiled.

        Raises OrchardError where a set cannot be had or not be split.
        """
        from pipeline.grammar.comparison.rows import rehearse
        from pipeline.screen import note

        for source in self.sources:
            loaded = source.load()
            for remark in loaded.remarks:
                note(remark)
            parted = self.taken(source, loaded)
            try:
                self.protocol.check(parted.split_source)
            except ProtocolError as error:
                raise ConfigError(str(error)) from error
        note(TRYING)
        rehearse(self, parted, own=True)  # a plugin's may hang: workers alone wait for it, by limits

    def work(self, first: int, stop: int) -> dict[str, pa.Table]:
        """The rows of some splits: in the results of each the builders in order."""
        import pyarrow as pa

        from pipeline.grammar.comparison.rows import rehearse, rows_of_split

        found: list[dict[str, pa.Table]] = []
        for number in range(first // self.protocol.splits, (stop - 1) // self.protocol.splits + 1):
            source = self.sources[number]
            parted = self.taken(source, source.load())
            rehearse(self, parted)
            start = number * self.protocol.splits
            for item in range(max(first, start), min(stop, start + self.protocol.splits)):
                found.append(rows_of_split(self, parted, *self.protocol.repeat_and_fold(item - start)))  # noqa: PERF401
        return {name: pa.concat_tables([tables[name] for tables in found]) for name in self.tables}

    def failure(self, item: int, status: str, error: str) -> dict[str, pa.Table]:
        """The rows of a split that took down its worker, or of a data set that could not be read."""
        from pipeline.grammar.comparison.rows import failure_rows

        number, place = divmod(item, self.protocol.splits)
        return failure_rows(self, self.sources[number].called, *self.protocol.repeat_and_fold(place), status, error)

    @property
    def asked(self) -> int:
        """The builders."""
        return len(self.builders)

    def losing(self, losses: Mapping[int, Loss]) -> CompareBuildersGrid:
        """The same grid, but that these builders are not asked."""
        return replace(self, builders=losing(self.builders, losses))

    def item(self, row: Mapping[str, Any]) -> int:
        """The item of a source, a repeat and a fold; ConfigError where there is none."""
        place = place_of_source(self.sources, row)
        repeat = place_of("repeat", row.get("repeat"), range(1, self.protocol.repeats + 1))
        fold = place_of("fold", row.get("fold"), range(1, self.protocol.folds + 1))
        return place * self.protocol.splits + repeat * self.protocol.folds + fold

    def title(self, item: int) -> str:
        """The source, the repeat and the fold."""
        number, place = divmod(item, self.protocol.splits)
        repeat, fold = self.protocol.repeat_and_fold(place)
        return f"{self.sources[number].title}, repeat {repeat}, fold {fold}, training rows"

    def table(self, item: int) -> DecisionTable:
        """The training rows of an item as a decision table: each distinct number a value, a missing one of its own."""
        from algorithms.tables_from_data import decision_table

        parted, repeat, fold = self.split_of(item)
        split = self.protocol.split(parted.split_source, self.seed, repeat, fold)
        train = parted.data.take(split.train)
        return decision_table(train, missing="value", numeric="values", distinct_attributes="keep")

    def taken(self, source: Source, loaded: LoadedSet) -> PartedSet:
        """The rows of a data set that are split."""
        from pipeline.grammar.splits import PartedSet

        return PartedSet.of(source, loaded, self.seed, incomplete=self.incomplete, most_rows=self.most_rows)

    def split_of(self, item: int) -> tuple[PartedSet, int, int]:
        """What an item is: the rows of its source, read again, the repeat and the fold."""
        number, place = divmod(item, self.protocol.splits)
        source = self.sources[number]
        return self.taken(source, source.load()), *self.protocol.repeat_and_fold(place)

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The tree that the row's builder grows from the training rows of its split."""
        from pipeline.grammar.comparison.rows import rebuilt_tree

        builder = tree_builder(self.builders, row)
        return rebuilt_tree(self, builder, *self.split_of(self.item(row)))

    def load_summary(self) -> None:
        """Import what the summary needs."""
        summary_of(self.summary)

    def summarise(self, parts: Mapping[str, Sequence[Part]], folder: Path) -> GridSummary:
        """Accuracies of all builders, and what the grid's own summary makes of them."""
        return summary_of(self.summary).of(parts, folder, builders=[builder.name for builder in self.builders])
