"""What every grid offers to the code that runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

from pipeline.storage.run_folders import RESULTS_TABLE

if TYPE_CHECKING:
    import pyarrow as pa
    from rich.console import RenderableType

    from algorithms.table import DecisionTable, Labels
    from algorithms.trees.decision_tree import DecisionTree
    from pipeline.configuration.settings import Settings
    from pipeline.data.sources import Place
    from pipeline.discovery import Places
    from pipeline.losses import Loss
    from pipeline.storage.parts import Part
    from pipeline.summary.tables import SummaryTable

__all__ = [
    "RESULTS_TABLE",
    "Drawn",
    "Grid",
    "GridKind",
    "GridSummary",
    "NotableTree",
    "PartialViews",
    "RebuiltTree",
    "TableRows",
]


@dataclass(frozen=True)
class NotableTree:
    """A tree that a reader of the summary wants to see.

    title : which it is, and why
    row   : of its result row, what tells it from the others; `Grid.tree` builds it again
    """

    title: str
    row: Mapping[str, Any]


class RebuiltTree(NamedTuple):
    """The tree of a result row, built again.

    labels   : what its numbers stand for
    measures : of the columns of the row those that are the tree's, measured again
    minimum  : the cost of which the tree has the least, where the row holds the least of each
    """

    tree: DecisionTree
    labels: Labels
    measures: dict[str, Any]
    minimum: str | None = None

    def differing(self, row: Mapping[str, Any]) -> list[str]:
        """The columns in which a stored row has another value than the tree, but for seconds."""
        names = [self.minimum] if self.minimum else [name for name in self.measures if not name.endswith("_seconds")]
        return [name for name in names if name in row and row[name] != self.measures[name]]


@dataclass(frozen=True)
class PartialViews:
    """Views of a summary over some of a run's part files, merged into one; workers compute them where the files are.

    parts : the names of the part files of the results; a name holds the digest of the file's bytes
    views : the rows of each view, by its name
    """

    parts: frozenset[str]
    views: Mapping[str, pa.Table]


@dataclass(frozen=True)
class GridSummary:
    """A summary that was computed and written.

    worked    : whether there was anything to summarise but failures
    finding   : what the run found, in a sentence: how it compares with the paper, or else what it says
    documents : the tables that were written
    figures   : the figures that were written
    trees     : the trees that a reader wants to see; few
    screen    : what a person reads first, for so many columns
    """

    worked: bool
    finding: str
    documents: tuple[SummaryTable, ...]
    figures: tuple[Path, ...]
    trees: tuple[NotableTree, ...]
    screen: Callable[[int], list[RenderableType]]


TableRows = Mapping[str, Sequence[dict[str, Any]]]
"""The rows of each table of a summary, by its name, with the columns that are not shown."""

Drawn = Callable[[Sequence["SummaryTable"], Sequence[NotableTree], TableRows], "tuple[Path, ...] | None"]
"""Gives the figures of a summary that has these tables, trees and rows; None if the summary draws them itself."""


class Grid(Protocol):
    """A grid with every value known: small, picklable, and its rows a function of it alone."""

    @property
    def items(self) -> int:
        """Number of items, such as decision tables; items are numbered from 0."""
        ...

    @property
    def asked(self) -> int:
        """How many builders or searches an item asks, each of which can be left out; they have indices from 0."""
        ...

    def losing(self, losses: Mapping[int, Loss]) -> Self:
        """The same grid without the cells of these indices: their rows say the loss."""
        ...

    @property
    def cells_per_item(self) -> int:
        """Result rows that an item gives."""
        ...

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables it writes: RESULTS_TABLE, and any of the same identity whose items give other numbers of rows."""
        ...

    @property
    def first_items(self) -> int:
        """Items of the first chunks, while nothing is known of their pace."""
        ...

    @property
    def noun(self) -> str:
        """What an item is called, in the plural."""
        ...

    @property
    def example(self) -> str:
        """Arguments that have `pipeline.show` show one of its rows."""
        ...

    @property
    def question(self) -> str:
        """An argument that has `pipeline.query` answer something worth asking of it."""
        ...

    def identity(self) -> dict[str, Any]:
        """All that can change a number, as JSON values: the allow-list that the run id hashes."""
        ...

    def prepare(self) -> None:
        """Have what the work needs, such as data sets, before any of it begins; OrchardError where it cannot be had."""
        ...

    def work(self, first: int, stop: int) -> Mapping[str, pa.Table]:
        """The rows of items `first` up to, not including, `stop`, by table; pure."""
        ...

    def failure(self, item: int, status: str, error: str) -> Mapping[str, pa.Table]:
        """The rows of an item that could not be worked, by table."""
        ...

    def item(self, row: Mapping[str, Any]) -> int:
        """The item that has a row called so, the first of several where it leaves something out.

        Raises ConfigError where the grid has no such tree, and names those that it has.
        """
        ...

    def title(self, item: int) -> str:
        """What an item is called on the screen."""
        ...

    def table(self, item: int) -> DecisionTable | None:
        """Rebuild the decision table of an item; None if it has none, TableError if its rows make no valid table."""
        ...

    @property
    def tree_table(self) -> str:
        """The table whose rows have trees."""
        ...

    def rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The tree of a row of `tree_table`, built again from what the row is called by what made the row.

        What a row leaves out is the first that there is; a row of the exact builder holds a minimum for each cost, and
        `cost` tells of which a tree is wanted. Raises ConfigError where the row has no tree.
        """
        ...

    def tree(self, row: Mapping[str, Any]) -> tuple[DecisionTree, Labels]:
        """The tree of a row, as `rebuilt`, with what its numbers stand for."""
        ...

    def load_summary(self) -> None:
        """Import what the summary needs, so that it can be done while workers start."""
        ...

    def load_figures(self) -> None:
        """Import what the summary's figures need besides."""
        ...

    @property
    def merges(self) -> bool:
        """Whether views of its summary can be computed part file by part file, by `views`."""
        ...

    def views(self, parts: Sequence[Part], computed: Sequence[PartialViews] = ()) -> PartialViews:
        """The merged views of some part files of the results, and of others whose views are computed already."""
        ...

    def summarise(
        self,
        parts: Mapping[str, Sequence[Part]],
        folder: Path,
        computed: Sequence[PartialViews] = (),
        drawn: Drawn | None = None,
    ) -> GridSummary:
        """Write the grid's summary tables and figures into the folder from the parts of each table, in order.

        computed : views of some of the part files, which need not be computed again
        drawn    : gives the figures, or None for the summary to draw them
        """
        ...

    def draw(self, parts: Mapping[str, Sequence[Part]], rows: TableRows, folder: Path) -> tuple[Path, ...]:
        """Draw the figures of a summary that has these rows into the folder, and return their files."""
        ...


@dataclass(frozen=True)
class GridKind:
    """What the folder of a grid offers as KIND in its `grid.py`.

    settings      : the class of its configuration
    of            : makes it from a configuration and the places where builders and other grids are looked for
    from_identity : makes it from its `identity()` and a place of data sets
    completed     : the same grid with what the record of a run and its configuration say besides the identity; None
                    where they say nothing that matters
    """

    settings: type[Settings]
    of: Callable[[Any, Places], Grid]
    from_identity: Callable[[dict[str, Any], Place], Grid]
    completed: Callable[[Any, Mapping[str, Any], Mapping[str, Any], Places], Grid] | None = None
