"""A grid declared by its fields, its axes and whom its items ask; what the engine asks of it otherwise is derived."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from inspect import getfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from algorithms.impurity import ImpurityFunction
from pipeline.builders import Builder
from pipeline.errors import ConfigError, OrchardError
from pipeline.grammar.axes import At, Axes, Axis
from pipeline.grammar.keys import fields_of, put, settings_of, taken
from pipeline.grid import RESULTS_TABLE, Drawn, GridKind, GridSummary, PartialViews, RebuiltTree, TableRows
from pipeline.losses import Loss, loss_of

if TYPE_CHECKING:
    import pyarrow as pa

    from algorithms.table import DecisionTable, Labels
    from algorithms.trees.decision_tree import DecisionTree
    from pipeline.data.sources import Place
    from pipeline.discovery import Places
    from pipeline.grammar.summary import Summary
    from pipeline.storage.parts import Part

__all__ = ["DeclaredGrid", "Row", "Rows", "called", "joined"]

Row = dict[str, Any]
Rows = dict[str, list[Row]]


@dataclass(frozen=True, kw_only=True)
class DeclaredGrid(ABC):
    """A grid whose items are the product of its axes, each of which asks the same of `asks`: a cell is one of these.

    A subclass is a frozen dataclass of keyword-only fields of `pipeline.grammar.keys`. Its header has the `version`
    of its results, to be raised when the numbers of an unchanged configuration change, and the `kind` that records
    call it by where that is not the name of its folder.

    losses : the outcome of cells that are not computed, by their index in `asks`
    """

    losses: Mapping[int, Loss] = field(default_factory=dict, compare=False)

    axes: ClassVar[tuple[Axis, ...]]
    noun: ClassVar[str] = "items"
    question: ClassVar[str] = '"select * from results limit 10"'
    example: ClassVar[Any] = ""
    """Arguments that have `pipeline.show` show one of its rows, or a property that gives them; none: the first row."""
    tables: ClassVar[tuple[str, ...]] = (RESULTS_TABLE,)
    tree_table: ClassVar[str] = RESULTS_TABLE
    lost_in: ClassVar[tuple[str, ...]] = (RESULTS_TABLE,)
    """The tables in which a cell that is lost has a row."""
    first_items: ClassVar[int] = 1
    ending: ClassVar[str] = ""
    """What the titles of all items end in."""
    version: ClassVar[int]
    kind: ClassVar[str]
    package: ClassVar[str]
    folder: ClassVar[Path]

    def __init_subclass__(cls, *, version: int | None = None, kind: str | None = None) -> None:
        """Note what the header of the class says, and the folder that it is in."""
        super().__init_subclass__()
        if version is not None:
            cls.version, cls.package = version, cls.__module__.rpartition(".")[0]
            cls.kind, cls.folder = kind or cls.package.rpartition(".")[2], Path(getfile(cls)).parent

    @property
    @abstractmethod
    def asks(self) -> Sequence[Any]:
        """Whom each item asks: builders, heuristics, or names."""

    def table(self, item: int) -> DecisionTable | None:  # noqa: ARG002 - items of most grids have one
        """Rebuild the decision table of an item; None by default. TableError if its rows make no valid table."""
        return None

    def check(self) -> None:  # noqa: B027 - most have nothing to check
        """Return only if the fields of a configuration fit one another; else raise ConfigError."""

    def called(self, at: At, ask: Any) -> Row:
        """What tells the row of a cell from all others; its source is the grid where no axis says another."""
        return {"source": self.kind, "part": "all"} | at.called | called(ask)

    @classmethod
    def offered(cls) -> GridKind:
        """What the folder of the grid offers as KIND."""
        if "__dataclass_fields__" not in vars(cls):
            msg = f"{getfile(cls)}: expected the line @dataclass(frozen=True, kw_only=True) above {cls.__name__}"
            raise ConfigError(msg)
        return GridKind(settings_of(cls), cls.of, cls.from_identity)

    @classmethod
    def of(cls, config: Any, places: Places) -> Self:
        """The grid of a composed configuration; ConfigError names a key whose value cannot be."""
        undeclared = {name for name in ("axes", "version") if not hasattr(cls, name)}
        if lacking := sorted(cls.__abstractmethods__ | undeclared):
            names = ", ".join(lacking)
            msg = f"{getfile(cls)}: expected {cls.__name__} to define {names}, as docs/extend/grid.md describes"
            raise ConfigError(msg)
        ordered = sorted(fields_of(cls), key=lambda one: one.key.late)
        if not isinstance(cls.axes, tuple | property):
            msg = f"{getfile(cls)}: axes is {cls.axes!r}: expected a tuple, (AXIS,) of one axis"
            raise ConfigError(msg)
        if isinstance(cls.asks, str):
            msg = f"{getfile(cls)}: asks is {cls.asks!r}: expected a tuple, ({cls.asks!r},) of one name"
            raise ConfigError(msg)
        grid = cls(**{one.name: one.key.of(config, places) for one in ordered})
        grid.check()
        return grid

    @classmethod
    def from_identity(cls, identity: dict[str, Any], place: Place) -> Self:
        """The grid with this `identity()`, its data found at a place."""
        kept = [one for one in fields_of(cls) if one.of_rows]
        return cls(**{one.name: one.key.back(taken(identity, one.kept), place) for one in kept})

    def identity(self) -> dict[str, Any]:
        """All that can change a number."""
        found: dict[str, Any] = {"grid": self.kind, "results_version": self.version}
        for one in fields_of(type(self)):
            if one.of_rows:
                put(found, one.kept, one.key.identity(getattr(self, one.name)))
        return found

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
        """The item of a row, the first of several; ConfigError if no item has such rows."""
        return Axes(self, self.axes).item(row)

    def title(self, item: int) -> str:
        """The value of each axis."""
        return self.at(item).title + self.ending

    @abstractmethod
    def prepare(self) -> None:
        """Have what the work needs, such as data sets, before any of it begins; OrchardError where it cannot be had."""

    @abstractmethod
    def work(self, first: int, stop: int) -> Mapping[str, pa.Table]:
        """The rows of some items, by table."""

    def failure(self, item: int, status: str, error: str) -> Mapping[str, pa.Table]:
        """The rows of an item that failed as a whole."""
        return self.as_tables([self._lost(self.at(item), Loss(status, error))])

    def losing(self, losses: Mapping[int, Loss]) -> Self:
        """The same grid, but that these cells are not asked."""
        return replace(self, losses=losses)

    def lost(self, at: At, ask: Any, row: Row) -> Rows:  # noqa: ARG002
        """The rows of a cell that is lost; `row` says so, and what it is called."""
        return {name: [row] for name in self.lost_in}

    @abstractmethod
    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The tree of a row, built again, whatever that raises."""

    def rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The tree of a row, built again; ConfigError where it has none, or where building it fails once more."""
        if row.get("status", "ok") != "ok" and row.get("terminal_nodes") is None:
            msg = f"the row of {row.get('builder')} says {row['status']}: {row.get('error')}; so it has no tree"
            raise ConfigError(msg)
        try:
            return self._rebuilt(row)
        except OrchardError:
            raise
        except (Exception, SystemExit) as error:  # of a builder
            msg = f"the tree of {row.get('builder')} cannot be built again: {loss_of(error).error}"
            raise ConfigError(msg) from error

    def tree(self, row: Mapping[str, Any]) -> tuple[DecisionTree, Labels]:
        """The tree of a row, as `rebuilt`, with what its numbers stand for."""
        return self.rebuilt(row)[:2]

    @property
    def told(self) -> dict[str, Any]:
        """What the grid says of itself to its summary: by default who is compared, in order."""
        asked = {name: getattr(self, name, ()) for name in ("builders", "heuristics")}
        return {name: [one.name for one in found] for name, found in asked.items() if found}

    @classmethod
    def module(cls, name: str) -> Any:
        """Import a module of the grid's folder by name; None if the folder has no such module."""
        return import_module(f"{cls.package}.{name}") if find_spec(f"{cls.package}.{name}") else None

    def load_summary(self) -> None:
        """Import what the summary needs, so that it can be done while workers start."""
        self.declared_summary()

    def load_figures(self) -> None:
        """Import what the summary's figures need besides."""
        if self.declared_summary().figures:
            import matplotlib.backends.backend_agg
            import matplotlib.backends.backend_svg
            import matplotlib.figure  # noqa: F401

    @classmethod
    def declared_summary(cls) -> Summary:
        """The SUMMARY of the grid's folder; where it declares no figures, `draw` of the module `figure` draws them."""
        found = cls._summary()
        figure = cls.module("figure")
        return found if found.figures or not figure else replace(found, figures=(figure.draw,))

    @classmethod
    def _summary(cls) -> Summary:
        """The SUMMARY that the grid's folder defines; ConfigError if it defines none."""
        found: Summary | None = getattr(cls.module("summary"), "SUMMARY", None)
        if found is None:
            msg = f"{cls.folder / 'summary.py'}: expected it to define SUMMARY, as docs/extend/grid.md describes"
            raise ConfigError(msg)
        return found

    @property
    def merges(self) -> bool:
        """Whether views of its summary can be computed part file by part file."""
        return self._summary().by_part is not None

    def views(self, parts: Sequence[Part], computed: Sequence[PartialViews] = ()) -> PartialViews:
        """The merged views of some part files of the results, and of others whose views are computed already."""
        summary = self._summary()
        return summary.by_part.of(parts, summary.views, computed) if summary.by_part else PartialViews(frozenset(), {})

    def summarise(
        self,
        parts: Mapping[str, Sequence[Part]],
        folder: Path,
        computed: Sequence[PartialViews] = (),
        drawn: Drawn | None = None,
    ) -> GridSummary:
        """Write the grid's summary tables and figures into the folder from the parts of each table, in order."""
        return self.declared_summary().of(parts, folder, computed, drawn, **self.told)

    def draw(self, parts: Mapping[str, Sequence[Part]], rows: TableRows, folder: Path) -> tuple[Path, ...]:
        """Draw the figures of a summary that has these rows into the folder, and return their files."""
        return self.declared_summary().draw(parts, rows, folder, **self.told)

    @property
    def columns_file(self) -> Path:
        """The file that declares the columns of its tables besides the results."""
        from pipeline.schema import COLUMNS

        return self.folder / COLUMNS

    def schema(self, table: str) -> pa.Schema:
        """The columns of one of its tables."""
        from pipeline.schema import HELD_RESULTS, tables_in

        return HELD_RESULTS if table == RESULTS_TABLE else tables_in(self.columns_file)[table].schema

    def as_tables(self, items: Iterable[Rows]) -> dict[str, pa.Table]:
        """The tables of the rows of some items; ValueError names a value that its column cannot have."""
        from pipeline.arrow_arrays import table_of_rows

        rows: Rows = {name: [] for name in self.tables}
        for item in items:
            for name in rows:
                rows[name] += item.get(name, ())
        made = {name: table_of_rows(found, self.schema(name)) for name, found in rows.items()}
        for table in made.values():
            _check_values(table)
        return made

    def _lost(self, at: At, loss: Loss) -> Rows:
        """The rows of an item whose cells all failed."""
        return joined(self.lost(at, ask, self.called(at, ask) | asdict(loss)) for ask in self.asks)


def called(ask: Any) -> Row:
    """What rows call a builder, a heuristic, or what has a name alone."""
    if isinstance(ask, Builder):
        return {"builder": ask.name, "parameters": ask.parameters}
    if isinstance(ask, ImpurityFunction):
        return {"builder": "greedy", "impurity_type": ask.impurity_type, "uncertainty": ask.uncertainty}
    return {"builder": ask}


def joined(found: Iterable[Rows]) -> Rows:
    """The rows of several cells or items, by table."""
    rows: Rows = {}
    for one in found:
        for name, more in one.items():
            rows.setdefault(name, []).extend(more)
    return rows


def _check_values(table: pa.Table) -> None:
    """Raise ValueError if a measure is NaN or a status is unknown."""
    import pyarrow as pa
    import pyarrow.compute

    from pipeline.schema import STATUSES

    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_floating(column.type) and pa.compute.any(pa.compute.is_nan(column)).as_py():
            msg = f"{name} is nan: expected a number, or None for no value"
            raise ValueError(msg)
    if "status" in table.column_names:
        for status in table["status"].unique().to_pylist():
            if status not in STATUSES:
                msg = f"status is {status!r}: expected one of {', '.join(STATUSES)}"
                raise ValueError(msg)
