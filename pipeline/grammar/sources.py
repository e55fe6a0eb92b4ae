"""Grids over data sets: over all their rows, over decision tables made from them, over splits into train and test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from pipeline.data.protocols import Protocol, ProtocolError, Split, SplitSource, drawn_seed
from pipeline.data.sources import Source, SourceErrors
from pipeline.errors import ConfigError, DataError
from pipeline.failures import FailedError, Failure
from pipeline.grammar.axes import Axes, Item, of_sources, once, tree_example
from pipeline.grammar.cells import CellGrid
from pipeline.grammar.keys import GraphBytes, Heuristics, Seed, Table, WholeSources, protocol_key
from pipeline.grid import RebuiltTree
from pipeline.words import counted

if TYPE_CHECKING:
    from algorithms.data.data_set import DataSet
    from algorithms.data.table import DecisionTable
    from pipeline.data.catalogue.loading import LoadedSet


@dataclass(frozen=True, kw_only=True)
class DataGrid(CellGrid):
    """A grid whose first axis is data sets."""

    @property
    def example(self) -> str:
        """The arguments that show the tree of the first source by the first builder that grows trees."""
        return tree_example(self.item(0).source.name, getattr(self, "builders", ()))

    def prepare(self, notify: Callable[[str], None]) -> None:
        """Load every data set, check it, and compile the kernels.

        Raises OrchardError if a data set is absent or not suitable; its message lists all absent data sets.
        """
        memo: dict[str, Any] = {}
        errors = SourceErrors()
        axes = Axes(self, self.axes)
        for index in range(len(self.axes[0].values(self))):
            item = self.item(axes.items_before(index), memo)
            with errors.collect(item.row_identity["source"]):
                for text in self.loaded(item).remarks:
                    notify(text)
                self.check_source(item)
        errors.check()
        super().prepare(notify)

    def check_source(self, item: Item) -> None:
        """Raise ConfigError if the data set of an item is not suitable."""

    def table(self, number: int) -> DecisionTable:
        """The training rows of an item as a decision table. Each different number is a value, and so is missing."""
        from algorithms.data.tables_from_data import decision_table

        rows = self.trained(self.item(number))
        return decision_table(rows, missing="value", numeric="values", distinct_attributes="keep")

    def trained(self, item: Item) -> DataSet:
        """The rows that the trees of an item are grown from.

        The function `trained` in the module `rows` selects them. Without this function, they are all rows that have a
        class, with missing values filled.
        """
        from pipeline.grammar.whole_sources import complete

        return self._in_rows("trained", lambda _, item: complete(item.source))(self, item)  # type: ignore[no-any-return]

    @once("source")
    def loaded(self, item: Item) -> LoadedSet:
        """The data set of an item."""
        return item.source.load()  # type: ignore[no-any-return]


@dataclass(frozen=True, kw_only=True)
class SourceGrid(DataGrid):
    """A grid whose first axis is its field of data sets.

    sources : data sets, parts of data sets, or samples of their rows
    """

    sources: WholeSources


EXACT = "exact"
"""The search for the minima, in the column `builder`."""
MOST_COMMON = "the most common class"
"""Named beside builders: it predicts the class that most test rows of the data set have."""


@dataclass(frozen=True, kw_only=True)
class TableGrid(SourceGrid):
    """Greedy heuristics and exact searches on the decision table of each source.

    options     : how a data set becomes a decision table
    heuristics  : the greedy builders
    graph_bytes : memory limit of the graph in which the minima of a table are found, in bytes
    """

    options: Table
    heuristics: Heuristics
    graph_bytes: GraphBytes

    axes = (of_sources(),)
    noun = "tables"
    shown_cost: ClassVar[str]

    @property
    def example(self) -> str:
        """The arguments that show a tree of least cost for the first table."""
        return f"--source {quote(self.sources[0].name)} --cost {self.shown_cost}"

    @once("source")
    def decision_table(self, item: Item) -> DecisionTable:
        """The decision table of an item."""
        return self.options.table(self.loaded(item), item.source.part)

    def table(self, number: int) -> DecisionTable:
        """The decision table of the item with a number, made again from its source."""
        return self.decision_table(self.item(number))

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The greedy tree of a row; for the exact row a tree of least `cost`."""
        from pipeline.grammar.table_rows import rebuilt_for

        return rebuilt_for(self.table(self.number_of(row)), row, self.heuristics, self.graph_bytes)

    def facts(self, item: Item) -> dict[str, Any]:
        """The number of rows of the table."""
        return {"rows": self.decision_table(item).rows}


@dataclass(frozen=True)
class SelectedRows:
    """The rows of a source that have a class, and what a protocol needs of them."""

    data: DataSet
    split_source: SplitSource

    @staticmethod
    def of(
        source: Source, loaded: LoadedSet, seed: int, *, incomplete: bool = True, most_rows: int | None = None
    ) -> SelectedRows:
        """Select the rows of a source's part that a grid uses.

        Parameters
        ----------
        seed       : determines, together with the source's seed_name, which rows are sampled
        incomplete : whether rows with a missing value are kept
        most_rows  : of a source with more rows, this many are sampled; None: all are used

        Raises
        ------
        DataError
            No row is left, or the source asks for more rows than there are.
        """
        from algorithms.data.data_set import MISSING

        data = loaded.part(source.part)
        usable = data.decisions != MISSING
        if not incomplete:
            usable &= ~data.missing.any(axis=1)
        chosen = np.flatnonzero(usable)
        if not len(chosen):
            msg = f"'{source.title}' has {counted(data.rows, 'row')}, and no row has a class"
            if (data.decisions != MISSING).any():
                msg += " and all values: set incomplete_rows=keep, if the grid has this key, to keep incomplete rows"
            else:
                msg += ": fill in the column of the class; in a file of your own, target=… chooses another column"
            raise DataError(msg)
        if source.rows is not None and source.rows > len(chosen):
            known = f"but only {counted(len(chosen), 'row')} can be used"
            raise DataError(f"`source` has '{source.name}:{source.rows}', {known}: give fewer rows")
        most = source.rows or most_rows
        if most is not None and len(chosen) > most:
            generator = np.random.default_rng(drawn_seed(seed, source.seed_name, "rows"))
            chosen = np.sort(generator.choice(chosen, most, replace=False))
        published = None
        if source.part == "all" and "train" in loaded.parts:
            published = int(np.count_nonzero(chosen < loaded.parts["train"].rows))
        data = data.take(chosen)
        return SelectedRows(data, SplitSource(source.title, data.decisions, data.classes, published, source.seed_name))


@dataclass(frozen=True, kw_only=True)
class SplitGrid(SourceGrid):
    """A grid over splits of data sets. Its axes are `source`, `repeat`, `fold` and axes of its own.

    protocol : which rows are for training, for testing and, if the grid tunes, for tuning
    seed     : root of all draws
    """

    protocol: Annotated[Protocol, protocol_key()]
    seed: Seed

    def check_source(self, item: Item) -> None:
        """Raise ConfigError if the protocol cannot split a data set."""
        try:
            self.protocol.check(self.selected_rows(item).split_source)
        except ProtocolError as error:
            raise ConfigError(str(error)) from error

    def select_rows(self, source: Source, loaded: LoadedSet) -> SelectedRows:
        """Select the rows of a data set that are split."""
        return SelectedRows.of(source, loaded, self.seed)

    @once("source")
    def selected_rows(self, item: Item) -> SelectedRows:
        """The rows of an item's data set that are split."""
        return self.select_rows(item.source, self.loaded(item))

    @once("source", "repeat", "fold")
    def split(self, item: Item) -> Split:
        """Split an item's rows into train and test; FailedError if they cannot be split."""
        try:
            return self.protocol.split(self.selected_rows(item).split_source, self.seed, item.repeat, item.fold)
        except ProtocolError as error:
            raise FailedError(Failure("failed", str(error))) from error
