"""A grid declared by its fields, its axes and what one cell computes; all else that the engine asks is derived."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self

from algorithms.impurity import ImpurityFunction
from pipeline.builders import Builder
from pipeline.errors import ConfigError
from pipeline.grammar.at import At, builder_of, once
from pipeline.grammar.axes import Axes, Axis
from pipeline.grammar.choices import place_of
from pipeline.grammar.fields import fields_of, settings_of
from pipeline.grammar.tree_builders import tree_builder
from pipeline.grid import RESULTS_TABLE, TRYING, GridKind, GridSummary, RebuildsTrees, RebuiltTree
from pipeline.work.losses import CELL_ERRORS, Loss, LostError, loss_of

if TYPE_CHECKING:
    import pyarrow as pa

    from algorithms.table import DecisionTable, Labels
    from algorithms.tree import DecisionTree
    from pipeline.data.sources import Place
    from pipeline.discovery import Places
    from pipeline.storage.parts import Part

__all__ = ["CellGrid", "Made", "once"]

FOREIGN = Loss("skipped", "workers alone run it")

Row = dict[str, Any]
Rows = dict[str, list[Row]]


@dataclass(frozen=True)
class Made:
    """What a cell computes.

    measures : of its result row, with its status; empty where it has none
    tree     : gives its tree, with what its numbers stand for, where it has one
    more     : rows of further tables, which have also what the cell is called
    """

    measures: Row
    tree: Callable[[], tuple[DecisionTree, Labels]] | None = None
    more: Mapping[str, Sequence[Row]] = field(default_factory=dict)

    def rebuilt(self, facts: Mapping[str, Any] = MappingProxyType({})) -> RebuiltTree:
        """The tree with the measures of its row; ConfigError where the cell has none."""
        if self.tree is None:
            msg = "what the row is of makes no tree"
            raise ConfigError(msg)
        return RebuiltTree(*self.tree(), {**facts, **self.measures})


@dataclass(frozen=True, kw_only=True)
class CellGrid(RebuildsTrees):
    """A grid whose items are the product of its axes, each of which asks the same of `asks`: a cell is one of these.

    A subclass is a frozen dataclass of keyword-only fields of `pipeline.grammar.fields`. Its header has the `version`
    of its results, to be raised when the numbers of an unchanged configuration change, and the `kind` that records
    call it by where that is not the name of its folder.

    losses : what becomes of cells, by their places among `asks`, that are not asked
    """

    losses: Mapping[int, Loss] = field(default_factory=dict, compare=False)

    axes: ClassVar[tuple[Axis, ...]]
    noun: ClassVar[str]
    question: ClassVar[str]
    tables: ClassVar[tuple[str, ...]] = (RESULTS_TABLE,)
    lost_in: ClassVar[tuple[str, ...]] = (RESULTS_TABLE,)
    """The tables in which a cell that is lost has a row."""
    first_items: ClassVar[int] = 1
    ending: ClassVar[str] = ""
    """What the titles of all items end in."""
    version: ClassVar[int]
    kind: ClassVar[str]
    package: ClassVar[str]

    def __init_subclass__(cls, *, version: int | None = None, kind: str | None = None) -> None:
        """Note what the header of the class says, and the folder that it is in."""
        super().__init_subclass__()
        if version is not None:
            cls.version, cls.package = version, cls.__module__.rpartition(".")[0]
            cls.kind = kind or cls.package.rpartition(".")[2]

    # What a grid says of itself

    @property
    @abstractmethod
    def asks(self) -> Sequence[Any]:
        """Whom each item asks: builders, heuristics, or names."""

    @property
    @abstractmethod
    def example(self) -> str:
        """Arguments that have `pipeline.show` show one of its rows."""

    @abstractmethod
    def cell(self, at: At, ask: Any) -> Made:
        """What one of `asks` makes of an item; what it raises becomes the error of its row."""

    @abstractmethod
    def table(self, item: int) -> DecisionTable:
        """The decision table of an item, made again; TableError where it is none."""

    def check(self) -> None:
        """Return only if the fields of a configuration fit one another; else raise ConfigError."""

    def facts(self, at: At) -> Row:  # noqa: ARG002
        """What is known of an item before any cell is asked, and stands in all its rows.

        What it raises is the item's and no cell's, such as that a data set cannot be read; the loss of a LostError
        becomes that of all its cells.
        """
        return {}

    def called(self, at: At, ask: Any) -> Row:
        """What tells the row of a cell from all others."""
        return at.called | called(ask)

    def rehearsals(self, ats: Sequence[At], asks: Sequence[Any]) -> Iterable[Callable[[], object]]:  # noqa: ARG002
        """What compiles or loads the kernels that some cells need, so that no cell's time is that."""
        return ()

    # What follows from it

    @classmethod
    def offered(cls) -> GridKind:
        """What the folder of the grid offers as KIND."""
        return GridKind(settings_of(cls), cls.of, cls.from_identity)

    @classmethod
    def of(cls, config: Any, places: Places) -> Self:
        """The grid of a composed configuration; ConfigError names a key whose value cannot be."""
        ordered = sorted(fields_of(cls), key=lambda one: one.key.late)
        grid = cls(**{one.name: one.key.of(config, places) for one in ordered})
        grid.check()
        return grid

    @classmethod
    def from_identity(cls, identity: dict[str, Any], place: Place) -> Self:
        """The grid of which `identity()` is this, its data found at a place."""
        kept = [one for one in fields_of(cls) if one.of_rows]
        return cls(**{one.name: one.key.back(identity[one.kept], place) for one in kept})

    def identity(self) -> dict[str, Any]:
        """All that can change a number."""
        kept = {one.kept: one.key.identity(getattr(self, one.name)) for one in fields_of(type(self)) if one.of_rows}
        return {"grid": self.kind, "results_version": self.version, **kept}

    @property
    def items(self) -> int:
        """How many items there are."""
        return Axes(self, self.axes).items

    @property
    def asked(self) -> int:
        """How many cells an item asks; they have places from 0."""
        return len(self.asks)

    @property
    def cells_per_item(self) -> int:
        """Result rows of an item."""
        return len(self.asks)

    def at(self, item: int, memo: dict[str, Any] | None = None) -> At:
        """The item of a number; what is computed once is kept in `memo`."""
        axes = Axes(self, self.axes)
        places = axes.places(item)
        return At(item, self.axes, places, axes.values(places), {} if memo is None else memo)

    def item(self, row: Mapping[str, Any]) -> int:
        """The item that a row is of, the first of several; ConfigError where there is none."""
        return Axes(self, self.axes).item(row)

    def title(self, item: int) -> str:
        """The value of each axis."""
        return self.at(item).title + self.ending

    def prepare(self) -> None:
        """Have the kernels compiled for all but builders of plugins, which workers alone import."""
        from pipeline.screen import note

        note(TRYING)
        foreign = {place: FOREIGN for place, one in enumerate(map(builder_of, self.asks)) if one and not one.own}
        self.losing(foreign)._rehearse([self.at(item) for item in self._varied()], driver=True)

    def work(self, first: int, stop: int) -> Mapping[str, pa.Table]:
        """The rows of some items, by table. A grid of many quick cells has a way of its own that does them at once."""
        memo: dict[str, Any] = {}
        ats = [self.at(item, memo) for item in range(first, stop)]
        self._rehearse(ats)
        return self.as_tables(map(self._rows, ats))

    def failure(self, item: int, status: str, error: str) -> Mapping[str, pa.Table]:
        """The rows of an item that could not be worked."""
        return self.as_tables([self._lost(self.at(item), Loss(status, error))])

    def losing(self, losses: Mapping[int, Loss]) -> Self:
        """The same grid, but that these cells are not asked."""
        return replace(self, losses=losses)

    def lost(self, at: At, ask: Any, row: Row) -> Rows:  # noqa: ARG002
        """The rows of a cell that is lost; `row` says so, and what it is called."""
        return {name: [row] for name in self.lost_in}

    @property
    def told(self) -> dict[str, Any]:
        """What the grid says of itself to its summary."""
        return {}

    def load_summary(self) -> None:
        """Import what the summary needs, most of its time."""
        for name in ("summary", "figure"):
            if find_spec(f"{self.package}.{name}"):
                import_module(f"{self.package}.{name}")

    def summarise(self, parts: Mapping[str, Sequence[Part]], folder: Path) -> GridSummary:
        """Write what the SUMMARY of the grid's folder declares."""
        found: GridSummary = import_module(f"{self.package}.summary").SUMMARY.of(parts, folder, **self.told)
        return found

    def schema(self, table: str) -> pa.Schema:
        """The columns of one of its tables."""
        from pipeline.schema import HELD_RESULTS

        if table == RESULTS_TABLE:
            return HELD_RESULTS
        found: pa.Schema = import_module(f"{self.package}.columns").TABLES[table].schema
        return found

    def as_tables(self, items: Iterable[Rows]) -> dict[str, pa.Table]:
        """The tables of the rows of some items."""
        import pyarrow as pa

        rows: Rows = {name: [] for name in self.tables}
        for item in items:
            for name in rows:
                rows[name] += item.get(name, ())
        return {name: pa.Table.from_pylist(found, schema=self.schema(name)) for name, found in rows.items()}

    def ask_of(self, row: Mapping[str, Any]) -> Any:
        """Whom the cell of a row asks, the first where it does not tell; ConfigError where there is none such."""
        if all(isinstance(ask, Builder) for ask in self.asks):
            return tree_builder(self.asks, row)
        names = [str(called(ask)["builder"]) for ask in self.asks]
        ask = self.asks[place_of("builder", row.get("builder"), names)]
        return tree_builder([ask], row) if isinstance(ask, Builder) else ask

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The tree of the cell of a row, computed again."""
        ask, at = self.ask_of(row), self.at(self.item(row))
        facts = self.facts(at)
        return self.cell(at, ask).rebuilt(facts)

    def _varied(self) -> range:
        """Items among which each value of all axes but the first is met."""
        axes = Axes(self, self.axes)
        return range(axes.items - axes.beside(len(axes.axes[0].values(self)) - 1), axes.items)

    def _rehearse(self, ats: Sequence[At], *, driver: bool = False) -> None:
        asks = [ask for place, ask in enumerate(self.asks) if place not in self.losses]
        allowed = [at for at in ats if not driver or at.own]
        for rehearsal in self.rehearsals(allowed, asks) if asks and allowed else ():
            try:
                rehearsal()
            except KeyboardInterrupt:
                if driver:  # there it is a person's; workers ignore Ctrl-C, so that there a builder raised it
                    raise
            except (Exception, SystemExit):  # noqa: S112 - few rows may lack what a builder needs; the cell itself tells
                continue

    def _rows(self, at: At) -> Rows:
        """The rows of an item by table; what fails says so."""
        try:
            facts = self.facts(at)
        except LostError as error:
            return self._lost(at, error.loss)
        return _joined(self._rows_of_cell(at, place, ask, facts) for place, ask in enumerate(self.asks))

    def _rows_of_cell(self, at: At, place: int, ask: Any, facts: Row) -> Rows:
        named = self.called(at, ask) | facts
        loss = self.losses.get(place)
        if loss is None:
            try:
                made = self.cell(at, ask)
            except CELL_ERRORS as error:
                loss = loss_of(error)
        if loss is not None:
            return self.lost(at, ask, named | asdict(loss))
        rows = {name: [named | row for row in found] for name, found in made.more.items()}
        return {RESULTS_TABLE: [named | made.measures], **rows} if made.measures else rows

    def _lost(self, at: At, loss: Loss) -> Rows:
        """The rows of an item of which all cells are lost."""
        return _joined(self.lost(at, ask, self.called(at, ask) | asdict(loss)) for ask in self.asks)


def called(ask: Any) -> Row:
    """What rows call a builder, a heuristic, or what has a name alone."""
    if isinstance(ask, Builder):
        return {"builder": ask.name, "parameters": ask.parameters}
    if isinstance(ask, ImpurityFunction):
        return {"builder": "greedy", "impurity_type": ask.impurity_type, "uncertainty": ask.uncertainty}
    return {"builder": ask}


def _joined(found: Iterable[Rows]) -> Rows:
    rows: Rows = {}
    for one in found:
        for name, more in one.items():
            rows.setdefault(name, []).extend(more)
    return rows
