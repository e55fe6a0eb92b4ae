"""The interface between a grid and the engine that runs it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from pipeline.errors import ConfigError, OrchardError
from pipeline.failures import Failure, failure_of
from pipeline.storage.run_folders import RESULTS_TABLE

if TYPE_CHECKING:
    import pyarrow as pa
    from rich.console import RenderableType

    from algorithms.data.table import DecisionTable, Labels
    from algorithms.trees.decision_tree import DecisionTree
    from pipeline.configuration.settings import Settings
    from pipeline.data.sources import DataLocation
    from pipeline.discovery import SearchPath
    from pipeline.storage.parts import Part
    from pipeline.summary.tables import SummaryTable

__all__ = [
    "RESULTS_TABLE",
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

    title : its name, and why it is shown
    row   : the columns that identify its result row; `Grid.tree` rebuilds the tree from them
    """

    title: str
    row: Mapping[str, Any]


class RebuiltTree(NamedTuple):
    """The rebuilt tree of a result row.

    labels   : labels of its attributes, values and classes
    measures : the columns of the row that describe the tree, measured again
    minimum  : the cost that the tree minimises, if the row holds the minimum of each cost
    """

    tree: DecisionTree
    labels: Labels
    measures: dict[str, Any]
    minimum: str | None = None

    def differing(self, row: Mapping[str, Any]) -> list[str]:
        """The columns in which a stored row differs from the rebuilt tree, timings excluded."""
        names = [self.minimum] if self.minimum else [name for name in self.measures if not name.endswith("_seconds")]
        return [name for name in names if name in row and row[name] != self.measures[name]]


@dataclass(frozen=True)
class PartialViews:
    """Views of a summary over some of a run's part files, merged into one. Workers compute them where the files are.

    parts : names of the part files of the results; a name contains the digest of the file
    views : the rows of each view, keyed by its name
    """

    parts: frozenset[str]
    views: Mapping[str, pa.Table]


TableRows = Mapping[str, Sequence[dict[str, Any]]]
"""The rows of each table of a summary, keyed by table name, hidden columns included."""


@dataclass(frozen=True)
class GridSummary:
    """A summary that was computed, and perhaps written.

    has_results : whether there are results, not only failures
    finding     : the result of the run in one sentence; if possible, how it compares with the paper
    documents   : its tables
    trees       : the few trees that a reader wants to see
    screen      : makes what the terminal shows, for a width in columns
    rows        : the rows from which figures are drawn
    figures     : the files of its figures, once they are drawn
    """

    has_results: bool
    finding: str
    documents: tuple[SummaryTable, ...]
    trees: tuple[NotableTree, ...]
    screen: Callable[[int], list[RenderableType]]
    rows: TableRows
    figures: tuple[Path, ...] = ()


class Grid(ABC):
    """A fully configured grid. It is small and picklable, and its rows depend only on it.

    If it is `informed`, its rows also depend on which rows were finished before, but they are valid in any case.

    Items, such as decision tables, are numbered from 0. So are the cells of an item.
    """

    noun: ClassVar[str] = "items"
    """The plural noun for items."""
    question: ClassVar[str] = '"select * from results limit 10"'
    """An example argument of `pipeline.query`."""
    example: ClassVar[Any] = ""
    """Arguments of `pipeline.show` for an example row, or a property that gives them. Empty: the first row."""
    tables: ClassVar[tuple[str, ...]] = (RESULTS_TABLE,)
    """The tables it writes: RESULTS_TABLE, and tables whose number of rows per item differs from RESULTS_TABLE's."""
    tree_table: ClassVar[str] = RESULTS_TABLE
    """The table whose rows have trees."""
    informed: ClassVar[bool] = False
    """Whether items use finished results, by `knowing`. A worker then gets no chunk before it is free."""
    first_items: ClassVar[int] = 1
    """Number of items in the first chunks, while their pace is unknown."""

    @property
    @abstractmethod
    def items(self) -> int:
        """Number of items."""

    @property
    @abstractmethod
    def methods(self) -> Sequence[Any]:
        """The methods that run on each item: builders, heuristics, or names. A cell is one method on one item."""

    @property
    def cells_per_item(self) -> int:
        """Number of result rows of an item."""
        return len(self.methods)

    @abstractmethod
    def leaving_out(self, left_out: Mapping[int, Failure]) -> Self:
        """A copy of the grid that does not compute the cells with these indices; their rows report the failure."""

    def knowing(self, parts: Sequence[Part]) -> Self:  # noqa: ARG002
        """A copy whose items make use of the results in finished part files. By default, items use no other results.

        The driver calls it with the existing part files, and then for each new part file. A row must be valid whatever
        part files were known when it was computed.
        """
        return self

    def check_rows(self, parts: Sequence[Part]) -> None:  # noqa: B027 - not every grid can check
        """Raise ConfigError if existing rows are of other items than this grid has with the same numbers."""

    @abstractmethod
    def identity(self) -> dict[str, Any]:
        """Everything that can change a result, as JSON values. The run id is a hash of it."""

    @abstractmethod
    def prepare(self, notify: Callable[[str], None]) -> None:
        """Get what the work needs, such as data sets, before it begins; OrchardError if that fails.

        notify : reports something that a reader of the results should know, such as a column that may be an identifier
        """

    @abstractmethod
    def work(self, first: int, stop: int) -> Mapping[str, pa.Table]:
        """The rows of items `first` to `stop` - 1, keyed by table. A pure function."""

    @abstractmethod
    def failed_item(self, number: int, status: str, error: str) -> Mapping[str, pa.Table]:
        """The rows of item `number`, which failed as a whole, keyed by table."""

    @abstractmethod
    def number_of(self, row: Mapping[str, Any]) -> int:
        """The number of the item that a row belongs to. A column that the row leaves out matches the first item.

        Raises ConfigError, which lists the known values, if there is no such item.
        """

    @abstractmethod
    def title(self, number: int) -> str:
        """The title of item `number`, as shown to people."""

    def table(self, number: int) -> DecisionTable | None:  # noqa: ARG002 - items of most grids have one
        """Rebuild the decision table of an item; None by default. TableError if its rows are not a valid table."""
        return None

    @abstractmethod
    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """Rebuild the tree of a row. Exceptions are not caught."""

    def rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """Rebuild the tree of a row of `tree_table` from the columns that identify the row.

        A column that the row leaves out means the first value. An exact row holds the minimum of each cost; the entry
        `cost` of `row` says which of these costs the tree minimises. Raises ConfigError if the row has no tree, or if
        building the tree fails.
        """
        if row.get("status", "ok") != "ok" and row.get("terminal_nodes") is None:
            raise ConfigError(
                f"{row.get('builder')} made no tree; its row has the status {row['status']}: {row.get('error')}"
            )
        try:
            return self._rebuilt(row)
        except OrchardError:
            raise
        except (Exception, SystemExit) as error:  # of a builder
            raise ConfigError(
                f"the tree of {row.get('builder')} cannot be built again: {failure_of(error).error}"
            ) from error

    def tree(self, row: Mapping[str, Any]) -> tuple[DecisionTree, Labels]:
        """The rebuilt tree of a row, and the labels of its attributes, values and classes."""
        return self.rebuilt(row)[:2]

    @property
    @abstractmethod
    def summary_folder(self) -> Path | None:
        """The folder of a user's files that define the summary; None if Orchard defines it."""

    @abstractmethod
    def load_summary(self, *, figures: bool) -> None:
        """Import what the summary needs, perhaps with its figures. This can be done while workers compute."""

    @property
    @abstractmethod
    def merges(self) -> bool:
        """Whether `views` can compute the summary's views part file by part file."""

    @abstractmethod
    def views(self, parts: Sequence[Part], computed: Sequence[PartialViews] = ()) -> PartialViews:
        """The merged views of some part files of the results, joined with views that are already computed."""

    @abstractmethod
    def summarise(self, parts: Mapping[str, Sequence[Part]], computed: Sequence[PartialViews] = ()) -> GridSummary:
        """Compute the summary from the part files of each table, in order; nothing is written or drawn.

        computed : views of some of the part files, which need not be computed again
        """

    @abstractmethod
    def draw(self, parts: Mapping[str, Sequence[Part]], rows: TableRows, folder: Path) -> tuple[Path, ...]:
        """Draw the summary's figures into a folder from these rows of its tables, and return the files."""


@dataclass(frozen=True)
class GridKind:
    """What the folder of a grid defines as KIND in its `grid.py`.

    settings      : the class of its configuration
    of            : makes the grid from a configuration and the path on which builders and other grids are found
    from_identity : makes the grid from its `identity()` and a location of data sets
    completed     : adds what the tables of a run and its configuration say beyond the identity; None if nothing matters
    """

    settings: type[Settings]
    of: Callable[[Any, SearchPath], Grid]
    from_identity: Callable[[dict[str, Any], DataLocation], Grid]
    completed: Callable[[Any, Sequence[str], Mapping[str, Any], SearchPath], Grid] | None = None
