"""Data sets as grids that split them take their rows: those that have a class, and which of these train and test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from pipeline.data.protocols import Protocol, ProtocolError, Split, SplitSource, drawn_seed
from pipeline.errors import ConfigError, DataError
from pipeline.grammar.at import At, once
from pipeline.grammar.keys import Seed, protocol_key
from pipeline.grammar.sources import SourceGrid
from pipeline.losses import Loss, LostError

if TYPE_CHECKING:
    from algorithms.data_set import DataSet
    from pipeline.data.catalogue.loading import LoadedSet
    from pipeline.data.sources import Source

__all__ = ["PartedSet", "SplitGrid"]


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
