"""Grids that define what one cell computes. Work and rebuilt trees are derived; a failing cell harms no other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pipeline.builders import Builder
from pipeline.errors import ConfigError, did_you_mean
from pipeline.failures import CELL_ERRORS, FailedError, Failure, failure_of
from pipeline.grammar.axes import Axes, Item, builder_of, index_of, tree_builder
from pipeline.grammar.grid import DeclaredGrid, Row, Rows, joined_rows, method_identity
from pipeline.grid import RESULTS_TABLE, RebuiltTree
from pipeline.words import counted, span

if TYPE_CHECKING:
    import pyarrow as pa

    from algorithms.data.table import Labels
    from algorithms.trees.decision_tree import DecisionTree


OK = {"status": "ok"}
FOREIGN = Failure("skipped", "only workers run it")


@dataclass(frozen=True)
class Made:
    """The result of a cell.

    measures : columns of its result row; the status is `ok` unless they give another. Empty: there is no result row
    tree     : returns its tree with the labels of attributes, values and classes; None if the cell has no tree
    more     : rows of further tables, keyed by table; the columns that identify the cell are added. Tables that the
               grid does not have, such as those that its settings switch off, are ignored if some grid declares them
    """

    measures: Row
    tree: Callable[[], tuple[DecisionTree, Labels]] | None = None
    more: Mapping[str, Iterable[Row]] = field(default_factory=dict)

    def rebuilt(self, facts: Mapping[str, Any] = MappingProxyType({})) -> RebuiltTree:
        """The tree with the measures of its row; ConfigError if the cell has no tree."""
        if self.tree is None:
            raise ConfigError("this row has no tree")
        return RebuiltTree(*self.tree(), {**facts, **self.measures})


@dataclass(frozen=True, kw_only=True)
class CellGrid(DeclaredGrid):
    """A grid that defines what each of its methods computes for an item.

    By default, a method calls the function of the same name in the module `rows` of the grid's folder, with the grid as
    first argument. That module is imported only where rows are computed; it imports the grid.
    """

    def cell(self, item: Item, method: Any) -> Made:
        """Compute one cell. An exception becomes the error of its row."""
        return self._in_rows("cell")(self, item, method)  # type: ignore[no-any-return]

    def again(self, item: Item, method: Any) -> Made:
        """Compute a cell once more, for its tree. By default the same as `cell`."""
        return self._in_rows("again", type(self).cell)(self, item, method)  # type: ignore[no-any-return]

    def facts(self, item: Item) -> Row:
        """Columns that all rows of an item share, computed before its cells; by default none.

        An exception, such as for a data set that cannot be read, is a failure of the whole item. A FailedError
        has the status and the message of all its cells.
        """
        return self._in_rows("facts", lambda *_: {})(self, item)  # type: ignore[no-any-return]

    def rehearsals(self, items: Sequence[Item], methods: Sequence[Any]) -> Iterable[Callable[[], object]]:
        """Functions that compile or load the kernels of some cells, so that no cell's time includes that."""
        return self._in_rows("rehearsals", lambda *_: ())(self, items, methods)  # type: ignore[no-any-return]

    def _in_rows(self, name: str, otherwise: Callable[..., Any] | None = None) -> Callable[..., Any]:
        """A function of the module `rows`, or `otherwise` if it has none; ConfigError if both are missing."""
        result = getattr(self.module("rows"), name, otherwise)
        if result is None:
            raise ConfigError(
                f"{self.folder / 'rows.py'}: expected the file to define {name}, or the grid to have a method {name}"
            )
        return result

    def prepare(self, notify: Callable[[str], None]) -> None:  # noqa: ARG002 - there are none on kernels
        """Compile the kernels, except for builders of plugins, which only workers import."""
        builders = enumerate(map(builder_of, self.methods))
        foreign = {index: FOREIGN for index, builder in builders if builder and not builder.own}
        self.leaving_out(foreign)._rehearse(list(map(self.item, self._varied())), driver=True)

    def work(self, first: int, stop: int) -> Mapping[str, pa.Table]:
        """The rows of items `first` to `stop` - 1, keyed by table."""
        memo: dict[str, Any] = {}
        items = [self.item(number, memo) for number in range(first, stop)]
        self._rehearse(items)
        result = self.as_tables(map(self._rows, items))
        rows, expected = result[RESULTS_TABLE].num_rows, len(items) * self.cells_per_item
        if rows != expected:  # an incomplete part file must not be published
            found = f"{counted(rows, 'result row')} of {span(first, stop - 1)} ({self.noun})"
            raise ValueError(f"{found}, expected {expected}: a cell returned no measures")
        return result

    def method_of(self, row: Mapping[str, Any]) -> Any:
        """The method that a row names, by default the first. Raises ConfigError for an unknown name."""
        if all(isinstance(method, Builder) for method in self.methods):
            return tree_builder(self.methods, row)
        names = [method_identity(method).get("builder") for method in self.methods]
        method = self.methods[index_of("builder", row.get("builder"), names)]
        return tree_builder([method], row) if isinstance(method, Builder) else method

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """Compute the cell of a row again and return its tree."""
        method, item = self.method_of(row), self.item(self.number_of(row))
        facts = self.facts(item)
        return self.again(item, method).rebuilt(facts)

    def _varied(self) -> range:
        """Items that include each value of every axis but the first."""
        axes = Axes(self, self.axes)
        return range(axes.items - axes.items_at(len(axes.axes[0].values(self)) - 1), axes.items)

    def _rehearse(self, items: Sequence[Item], *, driver: bool = False) -> None:
        methods = [method for index, method in enumerate(self.methods) if index not in self.left_out]
        allowed = [item for item in items if not driver or item.own]
        for rehearsal in self.rehearsals(allowed, methods) if methods and allowed else ():
            try:
                rehearsal()
            except KeyboardInterrupt:
                if driver:  # the user's Ctrl-C; workers ignore that, so in a worker a builder raised it
                    raise
            except (Exception, SystemExit):  # noqa: S112 - few rows may lack what a builder needs; its cell reports the fault
                continue

    def _rows(self, item: Item) -> Rows:
        """The rows of an item, keyed by table. Rows of failed cells have the error."""
        try:
            facts = self.facts(item)
        except FailedError as error:
            return self._failed_item(item, error.failure)
        return joined_rows(self._rows_of_cell(item, index, method, facts) for index, method in enumerate(self.methods))

    def _rows_of_cell(self, item: Item, index: int, method: Any, facts: Row) -> Rows:
        identity = self.row_identity(item, method)
        identified = identity | facts
        failure = self.left_out.get(index)
        if failure is None:
            try:
                made = self.cell(item, method)
                _check(made, identity)
                more = {table: [*rows] for table, rows in made.more.items()}  # a generator can be read only once
                _check_further(more, self.columns_file)
            except CELL_ERRORS as error:
                failure = failure_of(error)
        if failure is not None:
            return self.failed_rows(item, method, identified | asdict(failure))
        rows = {name: [identified | row for row in further] for name, further in more.items()}
        return {RESULTS_TABLE: [identified | OK | made.measures], **rows} if made.measures else rows


def _check(made: Any, identity: Row) -> None:
    """Raise TypeError if a cell did not return `Made`, ValueError if a measure has no column or names another row."""
    if not isinstance(made, Made):
        raise TypeError(f"`cell` returned {made!r}: expected Made(measures)")
    if unknown := made.measures.keys() - _columns():
        name = min(unknown)
        raise ValueError(
            f"`cell` returned the measure '{name}', which is not a column of the "
            f"results{did_you_mean(name, _columns())}"
        )
    if changed := [name for name, value in identity.items() if made.measures.get(name, value) != value]:
        name = changed[0]
        was = made.measures[name]
        raise ValueError(
            f"`cell` returned '{name}' as {was!r}, but the row has {identity[name]!r}: expected the value of the row, "
            f"or no '{name}'"
        )


def _check_further(more: Mapping[str, Sequence[Row]], file: Path) -> None:
    """Raise ValueError if no grid declares a further table, or if neither `file` nor the results have a column of it.

    A row may repeat columns of its result row; those that the table lacks are left out.
    """
    declared = _declared(file) if more else {}
    for table, rows in more.items():
        if table not in declared:
            from pipeline.schema import known_tables

            if table in known_tables():
                continue
            raise ValueError(
                f"`cell` returned rows of the table '{table}', which {file} lacks{did_you_mean(table, declared)}"
            )
        if unknown := {name for row in rows for name in row} - declared[table] - _columns():
            name = min(unknown)
            hint = did_you_mean(name, declared[table])
            raise ValueError(f"`cell` returned the column '{name}' of the table '{table}', which {file} lacks{hint}")


@cache
def _declared(file: Path) -> dict[str, frozenset[str]]:
    from pipeline.schema import tables_in

    return {name: frozenset(table.schema.names) for name, table in tables_in(file).items()}


@cache
def _columns() -> frozenset[str]:
    from pipeline.schema import RESULTS

    return frozenset(RESULTS.names)
