"""Grids of data sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipeline.grammar.at import At, once
from pipeline.grammar.axes import Axes
from pipeline.grammar.cells import CellGrid
from pipeline.grammar.keys import WholeSources
from pipeline.grammar.tree_builders import tree_example
from pipeline.plain_text import note

if TYPE_CHECKING:
    from algorithms.data_set import DataSet
    from algorithms.table import DecisionTable
    from pipeline.data.catalogue.loading import LoadedSet

__all__ = ["DataGrid", "SourceGrid"]


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
