"""Grids of data sets: of all their rows, of the decision tables that they make, of splits into train and test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from pipeline.data.protocols import Protocol, ProtocolError, Split, SplitSource, drawn_seed
from pipeline.data.sources import Source
from pipeline.errors import ConfigError, DataError
from pipeline.grammar.axes import At, Axes, of_sources, once
from pipeline.grammar.cells import CellGrid
from pipeline.grammar.choices import tree_example
from pipeline.grammar.keys import GraphBytes, Heuristics, Seed, Table, WholeSources, protocol_key
from pipeline.grid import RebuiltTree
from pipeline.losses import Loss, LostError
from pipeline.plain_text import note

if TYPE_CHECKING:
    from algorithms.data_set import DataSet
    from algorithms.table import DecisionTable
    from pipeline.data.catalogue.loading import LoadedSet

__all__ = ["EXACT", "DataGrid", "PartedSet", "SourceGrid", "SplitGrid", "TableGrid"]


@dataclass(frozen=True, kw_only=True)
class DataGrid(CellGrid):
    """A grid whose first axis is of data sets."""

    @property
    def example(self) -> str:
        """The tree of the first builder that may be asked, from the first source."""
        return tree_example(self.at(0).source.name, getattr(self, "builders", ()))

    def prepare(self) -> None:
        """Have every data set here, look whether it will do, and have the kernels compiled.

        Raises OrchardError where a set cannot be had, or will not do.
        """
        memo: dict[str, Any] = {}
        axes = Axes(self, self.axes)
        for place in range(len(self.axes[0].values(self))):
            at = self.at(axes.before(place), memo)
            for remark in self.loaded(at).remarks:
                note(remark)
            self.check_source(at)
        super().prepare()

    def check_source(self, at: At) -> None:
        """Return only if the data set of an item will do; else raise ConfigError."""

    def table(self, item: int) -> DecisionTable:
        """The training rows of an item, each distinct number a value, a missing value of its own."""
        from algorithms.tables_from_data import decision_table

        rows = self.trained(self.at(item))
        return decision_table(rows, missing="value", numeric="values", distinct_attributes="keep")

    def trained(self, at: At) -> DataSet:
        """The rows that trees of an item are grown from; by default what `trained` of the module `rows` gives."""
        found: DataSet = self.module("rows").trained(self, at)
        return found

    @once("source")
    def loaded(self, at: At) -> LoadedSet:
        """The data set of an item."""
        return at.source.load()  # type: ignore[no-any-return]


@dataclass(frozen=True, kw_only=True)
class SourceGrid(DataGrid):
    """A grid whose first axis is its field of data sets.

    sources : data sets, parts of them, or rows drawn of these
    """

    sources: WholeSources


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
        from pipeline.grammar.table_rows import rebuilt_for

        return rebuilt_for(self.table(self.item(row)), row, self.heuristics, self.graph_bytes)

    def facts(self, at: At) -> dict[str, Any]:
        """The rows of the table."""
        return {"rows": self.decision_table(at).rows}


@dataclass(frozen=True)
class PartedSet:
    """The rows of a source that have a class.

    called : its identity in result rows
    """

    called: dict[str, str]
    data: DataSet
    split_source: SplitSource

    @staticmethod
    def of(
        source: Source, loaded: LoadedSet, seed: int, *, incomplete: bool = True, most_rows: int | None = None
    ) -> PartedSet:
        """Of the source's part the rows that a grid takes.

        Parameters
        ----------
        seed       : where rows are drawn, they are by it and the source's name
        incomplete : whether rows with a missing value are taken
        most_rows  : of a source with more, so many are drawn; None: all are taken

        Raises
        ------
        DataError
            There is none, or the source is to have more rows than there are.
        """
        from algorithms.data_set import MISSING

        data = loaded.part(source.part)
        taken = data.decisions != MISSING
        if not incomplete:
            taken &= ~data.missing.any(axis=1)
        known = np.flatnonzero(taken)
        if not len(known):
            lack = (
                "a class"
                if incomplete
                else "a class and all values (the key incomplete_rows, where a grid has it, can keep those)"
            )
            msg = f"none of the {data.rows} rows of '{source.title}' has {lack}"
            raise DataError(msg)
        if source.rows is not None and source.rows > len(known):
            msg = f"source asks for {source.rows} rows of '{source.name}', which has {len(known)}: ask for so many"
            raise DataError(msg)
        most = source.rows or most_rows
        if most is not None and len(known) > most:
            generator = np.random.default_rng(drawn_seed(seed, source.title, "rows"))
            known = np.sort(generator.choice(known, most, replace=False))
        published = None
        if source.part == "all" and "train" in loaded.parts:
            published = int(np.count_nonzero(known < loaded.parts["train"].rows))
        data = data.take(known)
        return PartedSet(source.called, data, SplitSource(source.title, data.decisions, data.classes, published))


@dataclass(frozen=True, kw_only=True)
class SplitGrid(SourceGrid):
    """A grid of splits of data sets; its axes are `source`, `repeat`, `fold` and its own.

    protocol : which rows train, which test, and which are tuned by where the grid tunes
    seed     : root of all draws
    """

    protocol: Annotated[Protocol, protocol_key()]
    seed: Seed

    def check_source(self, at: At) -> None:
        """Raise ConfigError where the protocol cannot split a data set."""
        try:
            self.protocol.check(self.parted(at).split_source)
        except ProtocolError as error:
            raise ConfigError(str(error)) from error

    def taken(self, source: Source, loaded: LoadedSet) -> PartedSet:
        """The rows of a data set that are split."""
        return PartedSet.of(source, loaded, self.seed)

    @once("source")
    def parted(self, at: At) -> PartedSet:
        """The rows of the data set of an item that are split."""
        return self.taken(at.source, self.loaded(at))

    @once("source", "repeat", "fold")
    def split(self, at: At) -> Split:
        """Which of them train and test; LostError where they cannot be split."""
        try:
            return self.protocol.split(self.parted(at).split_source, self.seed, at.repeat, at.fold)
        except ProtocolError as error:
            raise LostError(Loss("failed", str(error))) from error
