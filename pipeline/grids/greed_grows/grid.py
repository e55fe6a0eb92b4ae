"""How the distance of greedy trees from the minimum depends on the shape of random tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from pipeline.configuration.settings import MISSING
from pipeline.errors import ConfigError
from pipeline.grammar.axes import Axis, index_of
from pipeline.grammar.keys import Key
from pipeline.grammar.random_tables import NUMBERS, RandomTablesGrid
from pipeline.grid import RESULTS_TABLE

if TYPE_CHECKING:
    import pyarrow as pa

    from algorithms.data.random_tables import RandomTables
    from algorithms.data.table import DecisionTable
    from pipeline.discovery import SearchPath


@dataclass
class Steps:
    """The sizes that each dimension of a table takes in turn, while the others are as in the grid's own shape."""

    rows: list[int] = MISSING
    attributes: list[int] = MISSING
    values: list[int] = MISSING


def _steps(config: Any, _: SearchPath) -> Steps:
    for name, sizes in vars(config.steps).items():
        if list(sizes) != sorted(set(sizes)) or not sizes:
            raise ConfigError(f"steps.{name} is {list(sizes)}: expected one or more sizes in increasing order")
    return Steps(**vars(config.steps))


STEPS = Key({"steps": Steps}, _steps, lambda kept, _: Steps(**kept), asdict)
SHAPES = Axis(
    "shape",
    lambda grid: grid.shapes,
    lambda shape: {"source": shape.source, "part": "all"},
    lambda shape: str(shape.source),
    lambda row, shapes: index_of("source", row.get("source"), [shape.source for shape in shapes]),
)


@dataclass(frozen=True, kw_only=True)
class GreedGrowsGrid(RandomTablesGrid, version=1):
    """Random tables of several shapes. Every heuristic builds a tree for each table, and the exact minima are found.

    Each shape is a source of its own, such as `random/50x10x3` for 50 rows, 10 attributes and 3 values. So its tables
    do not depend on the other shapes. It has one group.
    """

    steps: Annotated[Steps, STEPS]

    axes = (SHAPES, *NUMBERS)
    question = "\"select source, avg(nodes) from results where builder = 'exact' group by all order by 2\""

    def check(self) -> None:
        """Raise ConfigError if a shape is not possible."""
        if self.groups != 1:
            raise ConfigError(f"tables.groups is {self.groups}: expected 1, because a shape has one group")
        if len(sizes := self.steps.values) > 1 and self.shape.value_probabilities is not None:
            number = len(self.shape.value_probabilities)
            why = "the number of entries of tables.value_probabilities"
            raise ConfigError(f"steps.values is {list(sizes)}: expected [{number}] alone, {why}")
        try:
            self.shapes  # noqa: B018 - makes all shapes
        except ValueError as error:
            raise ConfigError(f"steps.{error}") from error

    @cached_property
    def shapes(self) -> tuple[RandomTablesGrid, ...]:
        """The tables of each shape, each shape once, in the order of the steps."""
        own = {key.name: getattr(self, key.name) for key in fields(RandomTablesGrid)}
        shapes = {self._source(shape): shape for _, _, shape in self._stepped}
        return tuple(RandomTablesGrid(**own | {"shape": shape, "source": name}) for name, shape in shapes.items())

    @property
    def example(self) -> str:
        """A greedy tree of the first table."""
        return f"--source {self.shapes[0].source} {super().example}"

    def work(self, first: int, stop: int) -> Mapping[str, pa.Table]:
        """The rows of items `first` to `stop` - 1: for each table the heuristics in order, then the exact one."""
        import pyarrow as pa

        pieces = []
        while first < stop:
            index, start = divmod(first, self.count)
            end = min(start + stop - first, self.count)
            pieces.append(self.shapes[index].work(start, end)[RESULTS_TABLE])
            first += end - start
        return {RESULTS_TABLE: pa.concat_tables(pieces)}

    def title(self, number: int) -> str:
        """The title of the item with a number: the number and the shape of its table."""
        return str(self.item(number).shape.title(number % self.count))

    def table(self, number: int) -> DecisionTable:
        """Draw the table of the item with a number again; TableError if it has equal rows and these are refused."""
        result: DecisionTable = self.item(number).shape.table(number % self.count)
        return result

    @property
    def context(self) -> dict[str, Any]:
        """The heuristics in order, and the source of each size of a dimension."""
        steps = [
            {"dimension": dimension, "size": size, "source": self._source(shape), "place": index}
            for index, (dimension, size, shape) in enumerate(self._stepped)
        ]
        return super().context | {"steps": steps}

    def _source(self, shape: RandomTables) -> str:
        return f"{self.source}/{shape.rows}x{shape.attributes}x{shape.values}"

    @property
    def _stepped(self) -> Iterator[tuple[str, int, RandomTables]]:
        """Each size of a dimension, with the shape of its tables."""
        for dimension, sizes in asdict(self.steps).items():
            for size in sizes:
                yield dimension, size, replace(self.shape, **{dimension: size})


KIND = GreedGrowsGrid.offered()
