"""A grid declared by its fields, its axes and what runs on each item; everything else the engine needs is derived."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from importlib import import_module
from importlib.util import find_spec
from inspect import getfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from algorithms.measures.impurity import ImpurityFunction
from pipeline.configuration.settings import Settings
from pipeline.errors import ConfigError, did_you_mean
from pipeline.failures import Failure
from pipeline.grammar.axes import Axes, Axis, Item, index_of
from pipeline.grammar.keys import fields_of, put, settings_of, value_at
from pipeline.grid import RESULTS_TABLE, Grid, GridKind, GridSummary, PartialViews, TableRows
from pipeline.record.environment import OWN_PACKAGES
from pipeline.storage.parts import Part, read_first

if TYPE_CHECKING:
    import pyarrow as pa

    from pipeline.data.sources import DataLocation
    from pipeline.discovery import SearchPath
    from pipeline.grammar.summary import Summary

PARTS_CHECKED = 20
"""The part files of which a row is compared with the axes before a run is resumed."""

Row = dict[str, Any]
Rows = dict[str, list[Row]]


@dataclass(frozen=True, kw_only=True)
class DeclaredGrid(Grid):
    """A grid whose items are the product of its axes. A cell is one of its `methods` on one item.

    A subclass is a frozen dataclass whose keyword-only fields have types of `pipeline.grammar.keys`. Its header gives
    the `version` of its results, which must be raised when the numbers of an unchanged configuration change. It also
    gives the `kind`, the grid's name in records, if that differs from the name of its folder.

    left_out : the outcome of each cell that is not computed, keyed by the index of its method
    """

    left_out: Mapping[int, Failure] = field(default_factory=dict, compare=False)

    axes: ClassVar[tuple[Axis, ...]]
    failed_rows_in: ClassVar[tuple[str, ...]] = (RESULTS_TABLE,)
    """The tables in which a failed or skipped cell has a row."""
    ending: ClassVar[str] = ""
    """The end of every item's title."""
    version: ClassVar[int]
    kind: ClassVar[str]
    package: ClassVar[str]
    folder: ClassVar[Path]

    def __init_subclass__(cls, *, version: int | None = None, kind: str | None = None) -> None:
        """Record the version and kind in the class header, and the class's folder."""
        super().__init_subclass__()
        if version is not None:
            cls.version, cls.package = version, cls.__module__.rpartition(".")[0]
            cls.kind, cls.folder = kind or cls.package.rpartition(".")[2], Path(getfile(cls)).parent

    def check(self) -> None:
        """Raise ConfigError if the fields contradict each other."""

    def parameters(self, item: Item) -> Row:  # noqa: ARG002
        """The parameters of all methods on an item, besides those of a builder; by default none."""
        return {}

    def row_identity(self, item: Item, method: Any) -> Row:
        """The columns that identify the row of a cell. Without an axis of sources, `source` is the grid's name."""
        row = {"source": self.kind, "part": "all"} | item.row_identity | method_identity(method)
        if parameters := self.parameters(item):
            row["parameters"] = json.dumps(json.loads(row.get("parameters", "{}")) | parameters, sort_keys=True)
        return row

    @classmethod
    def offered(cls) -> GridKind:
        """The KIND that the grid's folder defines."""
        if "__dataclass_fields__" not in vars(cls):
            raise ConfigError(
                f"{getfile(cls)}: expected the line @dataclass(frozen=True, kw_only=True) above {cls.__name__}"
            )
        return GridKind(settings_of(cls), cls.of, cls.from_identity)

    @classmethod
    def of(cls, config: Any, search_path: SearchPath) -> Self:
        """Make the grid from a composed configuration; ConfigError names a key whose value is not allowed."""
        _refuse(cls, cls._faults_of_class())
        ordered = sorted(fields_of(cls), key=lambda each: each.key.late)
        grid = cls(**{each.name: each.key.of(config, search_path) for each in ordered})
        _refuse(cls, grid._faults())
        others = {name for method in grid.methods for name in _other_names(method)}
        if name := next((builder.name for builder in getattr(grid, "builders", ()) if builder.name in others), None):
            raise ConfigError(
                f"`builders` has '{name}', but another method of the grid has this name in the rows: give the builder "
                "another name, {name: …, builder: …}"
            )
        grid.check()
        if name := Axes(grid, grid.axes).changing():
            raise ConfigError(
                f"{getfile(cls)}: axis {name!r} has different values at each call: expected the same values in the "
                "same order, because workers compute the values again; take the values from fields of the grid, and "
                "random values from its seed"
            )
        return grid

    @classmethod
    def _faults_of_class(cls) -> Iterator[str]:
        """Say what is wrong in the declaration of the class, whatever the configuration."""
        undeclared = {name for name in ("axes", "version") if not hasattr(cls, name)}
        if lacking := sorted(cls.__abstractmethods__ | undeclared):
            yield f"expected {cls.__name__} to define {', '.join(lacking)}, as docs/extend/grid.md describes"
        if not cls.axes or not isinstance(cls.axes, tuple | property):
            yield f"`axes` is {cls.axes!r}: expected a tuple of axes, such as (AXIS,)"
        if isinstance(cls.methods, str):
            yield f"`methods` is {cls.methods!r}: expected a tuple of names, such as ({cls.methods!r},)"
        names = {each.name for each in fields_of(cls)}
        keys = {each.name for each in fields(Settings)} - {"seed"} | {"results_version", "grid_package"}
        attributes = {*dir(DeclaredGrid), *DeclaredGrid.__annotations__} - {"methods"}
        for taken, what in ((keys, "a key"), (attributes, "an attribute")):
            if shared := names & taken:
                yield f"the field {min(shared)!r} is {what} of every grid: give it another name"

    def _faults(self) -> Iterator[str]:
        """Say what is wrong in the tables, the methods, the noun and the axes of this grid."""
        from pipeline.schema import RESULTS, tables_in

        if isinstance(self.tables, str) or tuple(self.tables)[:1] != (RESULTS_TABLE,):
            yield f"`tables` is {self.tables!r}: expected a tuple of names, the first of which is {RESULTS_TABLE!r}"
        declared = tables_in(self.columns_file)
        if undeclared := [name for name in self.tables[1:] if name not in declared]:
            hint = did_you_mean(undeclared[0], declared)
            yield f"`tables` has {undeclared[0]!r}{hint}: expected {self.columns_file} to declare its columns"
        if strange := [each for each in self.methods if not isinstance(method_identity(each).get("builder", ""), str)]:
            yield f"`methods` has {strange[0]!r}: expected names, such as 'exact', or builders"
        if not isinstance(self.noun, str):
            yield f"`noun` is {self.noun!r}: expected text, such as 'tables'"
        named = [method for method in self.methods if isinstance(method, str)]
        if len(set(named)) < len(named):
            yield f"`methods` is {self.methods!r}: expected each method once, because each method has its own row"
        for column in filter(None, (axis.column for axis in self.axes)):
            if column not in RESULTS.names:
                yield f"no column of the results holds the axis {column!r}{did_you_mean(column, RESULTS.names)}"

    @classmethod
    def from_identity(cls, identity: dict[str, Any], location: DataLocation) -> Self:
        """Make the grid from its `identity()`; `location` says where its data is."""
        recorded = [each for each in fields_of(cls) if each.changes_rows]
        return cls(**{each.name: each.key.back(value_at(identity, each.kept), location) for each in recorded})

    def identity(self) -> dict[str, Any]:
        """Everything that can change a result. Grids of several packages may have one name and the same keys."""
        result: dict[str, Any] = {"grid": self.kind, "results_version": self.version}
        if not self._shipped:
            result["grid_package"] = self.package
        for each in fields_of(type(self)):
            if each.changes_rows:
                put(result, each.kept, each.key.identity(getattr(self, each.name)))
        return result

    @property
    def _shipped(self) -> bool:
        """Whether it is part of Orchard."""
        return type(self).__module__.partition(".")[0] in OWN_PACKAGES

    @property
    def items(self) -> int:
        """Number of items."""
        return Axes(self, self.axes).items

    def item(self, number: int, memo: dict[str, Any] | None = None) -> Item:
        """The item with a number; functions marked `once` keep their results in `memo`."""
        axes = Axes(self, self.axes)
        indices = axes.indices(number)
        return Item(number, self.axes, indices, axes.values(indices), {} if memo is None else memo)

    def check_rows(self, parts: Sequence[Part]) -> None:
        """Compare the first rows of some part files with the axes of a grid that is not shipped."""
        if self._shipped:
            return
        for part in parts[:PARTS_CHECKED]:
            columns = self.item(part.first).row_identity
            texts = [name for name in self.schema(RESULTS_TABLE).names if isinstance(columns.get(name), str)]
            (row,) = read_first(part, 1, texts).to_pylist()
            for name in texts:
                if row[name] != columns[name]:
                    from pipeline.screen import tool

                    raise ConfigError(
                        f"the first row of {part.path} has {name} {row[name]!r}, but the axes now give "
                        f"{columns[name]!r}: expected axes that give the same values in the same order in each "
                        "process. A Python set has no fixed order: sort the values, and delete the run by "
                        f"{tool('trash')} RUN"
                    )

    def number_of(self, row: Mapping[str, Any]) -> int:
        """The number of the item that a row belongs to, the first of several; ConfigError for a row of no item."""
        item = self.item(Axes(self, self.axes).number_of(row))
        if "source" not in item.row_identity:
            index_of("source", row.get("source"), [self.row_identity(item, self.methods[0])["source"]])
        return item.number

    def title(self, number: int) -> str:
        """The title of the item with a number: the value on each axis."""
        return self.item(number).title + self.ending

    def failed_item(self, number: int, status: str, error: str) -> Mapping[str, pa.Table]:
        """The rows of the item with a number, which failed as a whole."""
        return self.as_tables([self._failed_item(self.item(number), Failure(status, error))])

    def leaving_out(self, left_out: Mapping[int, Failure]) -> Self:
        """A copy of the grid that does not compute these cells."""
        return replace(self, left_out=left_out)

    def failed_rows(self, item: Item, method: Any, row: Row) -> Rows:  # noqa: ARG002
        """The rows of a failed or skipped cell; `row` identifies it and has its status and error."""
        return {name: [row] for name in self.failed_rows_in}

    @property
    def context(self) -> dict[str, Any]:
        """What the grid reports to its summary: by default the names of its builders and heuristics, in order."""
        fields = {name: getattr(self, name, ()) for name in ("builders", "heuristics")}
        return {name: [value.name for value in values] for name, values in fields.items() if values}

    @classmethod
    def module(cls, name: str) -> Any:
        """Import a module of the grid's folder by name; None if the folder has no such module."""
        return import_module(f"{cls.package}.{name}") if find_spec(f"{cls.package}.{name}") else None

    @property
    def summary_folder(self) -> Path | None:
        """The folder of a user's files that define the summary; None if Orchard defines it."""
        return None if self._shipped else Path(getfile(type(self))).parent

    def load_summary(self, *, figures: bool) -> None:
        """Import what the summary needs, perhaps with its figures. This can be done while workers compute."""
        if self.declared_summary().figures and figures:
            import matplotlib.backends.backend_agg
            import matplotlib.backends.backend_svg
            import matplotlib.figure  # noqa: F401

    @classmethod
    def declared_summary(cls) -> Summary:
        """The SUMMARY of the grid's folder. If it declares no figures, the module `figure` draws them with `draw`."""
        summary = cls._summary()
        figure = cls.module("figure")
        return summary if summary.figures or not figure else replace(summary, figures=(figure.draw,))

    @classmethod
    def _summary(cls) -> Summary:
        """The SUMMARY that the grid's folder defines; ConfigError if it defines none."""
        from pipeline.grammar.summary import Summary

        result = getattr(cls.module("summary"), "SUMMARY", None)
        if not isinstance(result, Summary):
            raise ConfigError(
                f"{cls.folder / 'summary.py'}: expected the file to define SUMMARY, as docs/extend/grid.md describes"
            )
        return result

    @property
    def merges(self) -> bool:
        """Whether the summary's views can be computed part file by part file."""
        return self._summary().by_part is not None

    def views(self, parts: Sequence[Part], computed: Sequence[PartialViews] = ()) -> PartialViews:
        """The merged views of some part files of the results, joined with views that are already computed."""
        summary = self._summary()
        return summary.by_part.of(parts, summary.views, computed) if summary.by_part else PartialViews(frozenset(), {})

    def summarise(self, parts: Mapping[str, Sequence[Part]], computed: Sequence[PartialViews] = ()) -> GridSummary:
        """Compute the summary from the part files of each table, in order; nothing is written or drawn."""
        return self.declared_summary().of(parts, computed, **self.context)

    def draw(self, parts: Mapping[str, Sequence[Part]], rows: TableRows, folder: Path) -> tuple[Path, ...]:
        """Draw the summary's figures into a folder from these rows of its tables, and return the files."""
        return self.declared_summary().draw(parts, rows, folder, **self.context)

    @property
    def columns_file(self) -> Path:
        """The file that declares the columns of its tables other than the results."""
        from pipeline.schema import COLUMNS

        return self.folder / COLUMNS

    def schema(self, table: str) -> pa.Schema:
        """The columns of one of its tables."""
        from pipeline.schema import RESULTS_IN_MEMORY, tables_in

        return RESULTS_IN_MEMORY if table == RESULTS_TABLE else tables_in(self.columns_file)[table].schema

    def as_tables(self, items: Iterable[Rows]) -> dict[str, pa.Table]:
        """Turn the rows of items into tables; ValueError names a value that its column cannot hold."""
        from pipeline.arrow_arrays import table_of_rows

        rows: Rows = {name: [] for name in self.tables}
        for item in items:
            for name in rows:
                rows[name] += item.get(name, ())
        tables = {name: table_of_rows(listed, self.schema(name)) for name, listed in rows.items()}
        for table in tables.values():
            _check_values(table)
        return tables

    def _failed_item(self, item: Item, failure: Failure) -> Rows:
        """The rows of an item whose cells all failed."""
        return joined_rows(
            self.failed_rows(item, method, self.row_identity(item, method) | asdict(failure)) for method in self.methods
        )


def _refuse(cls: type[DeclaredGrid], faults: Iterator[str]) -> None:
    """Raise ConfigError for the first of these faults in the file of a class."""
    if fault := next(faults, None):
        raise ConfigError(f"{getfile(cls)}: {fault}")


def method_identity(method: Any) -> Row:
    """The columns of a row that name a method; a method None has none."""
    if isinstance(method, ImpurityFunction):
        return {"builder": "greedy", "impurity_type": method.impurity_type, "uncertainty": method.uncertainty}
    return {} if method is None else getattr(method, "row_identity", {"builder": method})


def _other_names(method: Any) -> set[str]:
    """The names of a method in rows and summaries if it is no builder."""
    if isinstance(method, ImpurityFunction):
        return {method.name, method_identity(method)["builder"]}
    return {method} if isinstance(method, str) else set()


def joined_rows(cells: Iterable[Rows]) -> Rows:
    """Join the rows of several cells or items, table by table."""
    result: Rows = {}
    for cell in cells:
        for name, rows in cell.items():
            result.setdefault(name, []).extend(rows)
    return result


def _check_values(table: pa.Table) -> None:
    """Raise ValueError if a measure is NaN or a status is unknown."""
    import pyarrow as pa
    import pyarrow.compute

    from pipeline.schema import STATUSES

    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_floating(column.type) and pa.compute.any(pa.compute.is_nan(column)).as_py():
            raise ValueError(f"{name} is nan: expected a number, or None for no value")
    if "status" in table.column_names:
        for status in table["status"].unique().to_pylist():
            if status not in STATUSES:
                raise ValueError(f"status is {status!r}: expected one of {', '.join(STATUSES)}")
