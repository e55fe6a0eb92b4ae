"""Grids of many random tables. Every heuristic builds a tree for each, and the exact minima are found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from algorithms.data.random_tables import RandomTables
from algorithms.data.table import DecisionTable, EqualRows
from algorithms.measures.impurity import ImpurityFunction
from pipeline.configuration.settings import Tables
from pipeline.errors import ConfigError
from pipeline.grammar.axes import Axis, index_of, numbered
from pipeline.grammar.grid import DeclaredGrid
from pipeline.grammar.keys import Heuristics, Key, Rule, one_of, within
from pipeline.grammar.sources import EXACT
from pipeline.grid import RESULTS_TABLE, RebuiltTree

if TYPE_CHECKING:
    import pyarrow as pa

    from pipeline.discovery import SearchPath

MOST = 10**12  # limit of seeds, groups and tables


def _key(name: str, rule: Rule) -> Key:
    """The key `tables.<name>`."""

    def of(config: Any, _: SearchPath) -> Any:
        value = getattr(config.tables, name)
        rule.check(f"tables.{name}", value, null=False)
        return value

    return Key({"tables": Tables}, of, lambda kept, _: kept, lambda value: value, kept=f"tables.{name}")


def _shape(tables: Mapping[str, Any]) -> RandomTables:
    """Make the shape from the keys of a configuration or a record."""
    given = {name: tables[name] for name in asdict(RandomTables())}
    for name in ("value_probabilities", "decision_probabilities"):
        given[name] = None if given[name] is None else tuple(map(float, given[name]))
    return RandomTables(**given)


def _configured_shape(config: Any, _: SearchPath) -> RandomTables:
    try:
        return _shape(vars(config.tables))
    except ValueError as error:
        raise ConfigError(f"tables.{error}") from error


SHAPE = Key({"tables": Tables}, _configured_shape, lambda kept, _: _shape(kept), asdict, kept="tables")
COUNT = within(1, MOST)
SOURCE = Axis(
    "source",
    lambda grid: (grid.source,),
    lambda source: {"source": source},
    str,
    lambda row, sources: index_of("source", row.get("source"), sources),
)
"""The source of all tables of a grid."""
NUMBERS = (
    numbered("group", lambda grid: grid.groups),
    numbered("table_index", lambda grid: grid.count, word="table"),
)


@dataclass(frozen=True, kw_only=True)
class RandomTablesGrid(DeclaredGrid):
    """Groups of random tables. Each is quick, so `work` computes many at a time instead of cell by cell.

    source : value of the column `source`
    """

    seed: Annotated[int, within(0, MOST)]
    groups: Annotated[int, _key("groups", COUNT)]
    count: Annotated[int, _key("count", COUNT)]
    shape: Annotated[RandomTables, SHAPE]
    equal_rows: Annotated[EqualRows, _key("equal_rows", one_of("majority", "refuse"))]
    heuristics: Heuristics
    source: str = field(default="random", compare=False)

    axes = (SOURCE, *NUMBERS)
    noun = "tables"
    first_items = 100

    @property
    def methods(self) -> Sequence[ImpurityFunction | str]:
        """The heuristics, then the search for the minima."""
        return [*self.heuristics, EXACT]

    @property
    def example(self) -> str:
        """A greedy tree of the first table."""
        return f"--table 1 --heuristic {self.heuristics[-1].name}"

    def prepare(self, notify: Callable[[str], None]) -> None:
        """Do nothing: random tables need no data."""

    def work(self, first: int, stop: int) -> Mapping[str, pa.Table]:
        """The rows of items `first` to `stop` - 1: for each table the heuristics in order, then the exact one."""
        from pipeline.grammar.random_table_rows import rows_of_items

        return {RESULTS_TABLE: rows_of_items(self, first, stop)}

    def title(self, number: int) -> str:
        """The title of the item with a number: the number of its table, and its group or source."""
        item = self.item(number)
        return f"Table {item.table_index} of " + (f"group {item.group}" if self.source == "random" else self.source)

    def table(self, number: int) -> DecisionTable:
        """Draw the table of the item with a number again; TableError if it has equal rows and these are refused."""
        item = self.item(number)
        return self.shape.table(self.seed, item.group, item.table_index, self.equal_rows)

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The greedy tree of a row; for the exact row a tree of least `cost`."""
        from pipeline.grammar.table_rows import rebuilt_for

        return rebuilt_for(self.table(self.number_of(row)), row, self.heuristics)
