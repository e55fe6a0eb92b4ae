"""Compare builders that predict: every builder learns and is tested on each split of each data set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from pipeline.builders import Builder
from pipeline.data.catalogue.column_choice import ColumnChoice
from pipeline.data.protocols import drawn_seed
from pipeline.data.sources import DataLocation, Source, recorded_text, sources_named
from pipeline.discovery import GridFolder, SearchPath
from pipeline.errors import ConfigError, did_you_mean
from pipeline.grammar.axes import Axis, Item, numbered, of_sources, once
from pipeline.grammar.cells import Made
from pipeline.grammar.keys import SOURCES, Key, at_least, builders_key, one_of
from pipeline.grammar.sources import MOST_COMMON, SelectedRows, SplitGrid
from pipeline.grid import RESULTS_TABLE, GridKind
from pipeline.schema import COLUMNS

if TYPE_CHECKING:
    from pathlib import Path

    from algorithms.data.data_set import DataSet
    from pipeline.data.catalogue.loading import LoadedSet
    from pipeline.grammar.summary import Summary

KEEP, DROP = "keep", "drop"
DECLARATION = "comparison.yaml"
"""The file in a grid's folder that declares its summary."""


@dataclass(frozen=True)
class NamedSummary:
    """A summary by name, and the folder of the grid that declares it; None for the general summary."""

    name: str
    folder: GridFolder | None = None

    @property
    def file(self) -> Path | None:
        """The YAML that declares it; None if Python does."""
        file = self.folder.path / DECLARATION if self.folder else None
        return file if file and file.is_file() else None

    @property
    def context(self) -> Mapping[str, Any]:
        """The values that it needs besides the rows of the run, as `Summary.of` takes them."""
        return {}

    @property
    def remarks(self) -> Sequence[str]:
        """Remarks for a person to read before the run, one for each line."""
        return ()

    def summary(self) -> Summary:
        """Make the summary: the general one, or the one that a grid's folder declares."""
        from pipeline.grammar.comparison.declared import declared_comparison
        from pipeline.grammar.comparison.summary import SUMMARY
        from pipeline.grammar.summary import Summary

        if self.folder is None:
            return SUMMARY
        if self.file:
            return declared_comparison(self.folder.name, self.file)
        result = self.folder.imported("comparison", "SUMMARY")
        if not isinstance(result, Summary):
            raise ConfigError(f"{self.folder.path / 'comparison.py'}: SUMMARY is {result!r}: expected a Summary")
        return result


GENERAL = NamedSummary("accuracies")
"""The general summary, for any comparison."""


def summaries(search_path: SearchPath) -> dict[str, NamedSummary]:
    """All summaries by name: those of folders without a `grid.py`, but with a `comparison.yaml` or `comparison.py`."""
    result = {GENERAL.name: GENERAL}
    for name, folder in search_path.folders().items():
        summary = NamedSummary(name, folder)
        if not folder.has("grid") and (summary.file or folder.has("comparison")):
            result[name] = summary
    return result


def whole_if_published(sources: Iterable[Source], method: str) -> tuple[Source, ...]:
    """The sources. With a published split, both parts of each source together are the whole."""
    if method != "published":
        return tuple(sources)
    return tuple(dict.fromkeys(replace(source, part="all") for source in sources))


def _sources(config: Any, _: SearchPath) -> tuple[Source, ...]:
    method = config.protocol.method
    sources = sources_named(config.source, ColumnChoice.of(config), config.data, draws=method != "published")
    return whole_if_published(sources, method)


def _summary(config: Any, search_path: SearchPath) -> NamedSummary:
    choices = summaries(search_path)
    if config.summary is None and config.grid not in choices:
        _check_folders(config.grid, choices, search_path)
        return GENERAL
    if config.summary is None:
        return choices[config.grid]
    if config.summary in choices:
        return choices[config.summary]
    own_files = [f"{folder / config.summary}/{DECLARATION}" for folder in search_path.own_grids]
    hint = f"; a summary of your own needs the file {' or '.join(own_files)}" if own_files else ""
    near = did_you_mean(config.summary, choices)
    raise ConfigError(f"summary is '{config.summary}': expected one of {', '.join(choices)}{near}{hint}")


def _check_folders(grid: str, choices: Mapping[str, NamedSummary], search_path: SearchPath) -> None:
    """Raise ConfigError if a grid's folder seems to be in the wrong place, or to have a misspelt name."""
    for folder in search_path.own_grids:
        misplaced = folder.parent / "grid" / grid / DECLARATION
        if misplaced.is_file():
            raise ConfigError(f"{misplaced} is not read there: move the folder {misplaced.parent} to {folder / grid}")
    for name, summary in choices.items():
        near = did_you_mean(name, [grid])
        if near and summary.folder and name not in search_path.grids():
            raise ConfigError(
                f"no grid has the name of the folder {summary.folder.path}{near} Rename the folder, or choose a "
                f"summary: summary={name} or summary={GENERAL.name}"
            )


SPLIT_SOURCES = replace(SOURCES, of=_sources)
SUMMARY_KEY = Key({"summary": str | None}, _summary, lambda _, __: GENERAL)


@dataclass(frozen=True, kw_only=True)
class ComparisonGrid(SplitGrid):
    """Every builder on every split of every source.

    sources         : data sets, parts of them, or samples of their rows; for a published split both parts
    incomplete_rows : `keep` or `drop`: whether rows with a missing value are kept
    most_rows       : sources with more rows are sampled to this many, the same rows for every split; None: all rows are
                      used. A number of rows in the source itself takes precedence
    builders        : the builders that learn on the same rows
    """

    sources: Annotated[tuple[Source, ...], SPLIT_SOURCES]
    incomplete_rows: Annotated[str, one_of(KEEP, DROP)]
    most_rows: Annotated[int | None, at_least(1)]
    builders: Annotated[tuple[Builder, ...], builders_key()]

    axes: ClassVar[tuple[Axis, ...]] = (
        of_sources(),
        numbered("repeat", lambda grid: grid.protocol.repeats),
        numbered("fold", lambda grid: grid.protocol.folds),
    )
    noun = "splits"
    ending = ", training rows"
    question = '"select builder, avg(test_accuracy), avg(nodes) from results group by builder order by 2 desc"'

    def check(self) -> None:
        """Raise ConfigError if rows of a published split are sampled."""
        if self.most_rows is not None and self.protocol.method == "published":
            raise ConfigError(
                f"most_rows is {self.most_rows}: expected null, because the rows of a published split are not sampled"
            )

    @property
    def methods(self) -> Sequence[Builder]:
        """The builders."""
        return self.builders

    def select_rows(self, source: Source, loaded: LoadedSet) -> SelectedRows:
        """The rows of a data set that are split."""
        incomplete = self.incomplete_rows == KEEP
        return SelectedRows.of(source, loaded, self.seed, incomplete=incomplete, most_rows=self.most_rows)

    def data(self, item: Item) -> DataSet:
        """The rows that are split into training and test rows."""
        return self.selected_rows(item).data

    def facts(self, item: Item) -> dict[str, Any]:
        """The numbers of training and test rows."""
        split = self.split(item)
        return {"rows": len(split.train), "test_rows": len(split.test)}

    @once()
    def prepared(self, item: Item) -> dict[Any, Any]:  # noqa: ARG002
        """The prepared splits of an item, shared by its builders."""
        return {}

    def cell(self, item: Item, method: Builder) -> Made:
        """Fit a builder to the training rows and test it on the others."""
        from pipeline.grammar.comparison.rows import made

        seed = drawn_seed(self.seed, item.source.seed_name, item.repeat, item.fold)
        return made(method, self.data(item), self.split(item), seed, self.prepared(item))

    def rehearsals(self, items: Sequence[Item], methods: Sequence[Builder]) -> Iterable[Callable[[], object]]:
        """Fit each class to a few rows of each source."""
        from pipeline.grammar.comparison.rows import rehearsals

        first_of_sources = {item.index("source"): item for item in reversed(items)}.values()
        return rehearsals((self.selected_rows(item).data for item in first_of_sources), methods, self.seed)

    def trained(self, item: Item) -> DataSet:
        """The training rows, with all attributes."""
        return self.selected_rows(item).data.take(self.split(item).train)


@dataclass(frozen=True, kw_only=True)
class CompareBuildersGrid(ComparisonGrid, version=5, kind="compare_builders"):
    """A comparison of builders with a choice of summaries.

    summary : one of `summaries`, by default that of the grid's folder, if it has one; changes no row
    curves  : whether any builder has learning curves, so that they get a table
    """

    summary: Annotated[NamedSummary, SUMMARY_KEY] = field(compare=False, default=GENERAL)
    curves: bool = field(compare=False, default=False)

    @classmethod
    def offered(cls) -> GridKind:
        """The KIND that the folder of the grid defines."""
        return replace(super().offered(), completed=cls.completed)

    @classmethod
    def of(cls, config: Any, search_path: SearchPath) -> Self:
        """Make the grid from a composed configuration; ConfigError names a key whose value is not allowed."""
        grid = super().of(config, search_path)
        if grid.summary.file:  # a fault in it is reported before any work
            from pipeline.grammar.comparison.declared import KnownNames, check_names

            grid.summary.summary()
            names = [builder.name for builder in grid.builders]
            check_names(grid.summary.file, KnownNames(grid.sources, names, DataLocation.of(config.data), search_path))
        return replace(grid, curves=any(builder.evolves for builder in grid.builders))

    def check(self) -> None:
        """Raise ConfigError if rows of a published split are sampled, or if a builder has the name `MOST_COMMON`."""
        super().check()
        if any(builder.name == MOST_COMMON for builder in self.builders):
            raise ConfigError(
                f"`builders` has '{MOST_COMMON}', but the summary compares each builder with {MOST_COMMON}: give the "
                "builder another name, {name: …, builder: …}"
            )

    def completed(self, tables: Sequence[str], configuration: Mapping[str, Any], search_path: SearchPath) -> Self:
        """The same grid with the tables of a run and the summary that its configuration names."""
        name = recorded_text(configuration, "summary") or recorded_text(configuration, "grid") or ""
        summary = summaries(search_path).get(name, self.summary)
        return replace(self, curves="curves" in tables, summary=summary)

    @property
    def tables(self) -> tuple[str, ...]:  # type: ignore[override]
        """The results, the classes and, if there are any, the learning curves."""
        return (RESULTS_TABLE, "classes", *(("curves",) if self.curves else ()))

    @property
    def columns_file(self) -> Path:
        """The file that declares the columns of its tables, in the folder of its kind."""
        folder = SearchPath().folder(self.kind)
        assert folder is not None  # it is one of ours
        return folder.path / COLUMNS

    def declared_summary(self) -> Summary:  # type: ignore[override]  # it is of a configuration
        """The summary that the configuration names."""
        return self.summary.summary()

    @property
    def summary_folder(self) -> Path | None:
        """The folder of a user's files that define the summary; None if Orchard defines it."""
        folder = self.summary.folder
        return folder.path if folder and not folder.shipped else super().summary_folder

    @property
    def context(self) -> dict[str, Any]:
        """The names of the builders, and the values that the summary needs in addition."""
        return {**super().context, **self.summary.context}

    def prepare(self, notify: Callable[[str], None]) -> None:
        """Report the summary's remarks, then load and check the data sets and compile the kernels."""
        for text in self.summary.remarks:
            notify(text)
        super().prepare(notify)
