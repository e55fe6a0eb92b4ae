"""How the distance of greedy trees from the minimum moves with the shape of random tables; beyond `000_…`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from algorithms.impurity import ImpurityFunction
from pipeline.errors import ConfigError
from pipeline.grammar.choices import place_of
from pipeline.grid import RESULTS_TABLE, GridKind, RebuildsTrees, RebuiltTree
from pipeline.grids.greed_grows.settings import GreedGrows
from pipeline.grids.greedy_vs_dp.grid import GreedyVsDpGrid
from pipeline.storage.parts import Part, read, read_first
from pipeline.work.losses import Loss

if TYPE_CHECKING:
    import pyarrow as pa

    from algorithms.random_tables import RandomTables
    from algorithms.table import DecisionTable
    from pipeline.grids.greed_grows.summary import Summary

__all__ = ["KIND", "GreedGrowsGrid", "Steps"]

RESULTS_VERSION = 1  # raise it when the numbers of an unchanged configuration change


@dataclass(frozen=True)
class Steps:
    """The sizes that each dimension of a table takes in turn, the others as in the grid's own shape."""

    rows: tuple[int, ...]
    attributes: tuple[int, ...]
    values: tuple[int, ...]


@dataclass(frozen=True)
class GreedGrowsGrid(RebuildsTrees):
    """Random tables of one shape after another, each built greedily by every heuristic and minimised exactly.

    Item i is table i % count + 1 of shape i // count. A shape is a source of its own, `random/50x10x3` for 50 rows, 10
    attributes and 3 values, so that its tables are the same whatever other shapes there are.
    """

    base: GreedyVsDpGrid
    steps: Steps

    noun = "tables"
    tables = (RESULTS_TABLE,)
    first_items = 100

    @staticmethod
    def of(config: GreedGrows) -> GreedGrowsGrid:
        """The grid of a composed configuration; ConfigError names a key whose value cannot be."""
        if config.tables.groups != 1:
            msg = f"tables.groups is {config.tables.groups}: expected 1, a shape has one group"
            raise ConfigError(msg)
        steps = Steps(tuple(config.steps.rows), tuple(config.steps.attributes), tuple(config.steps.values))
        grid = GreedGrowsGrid(GreedyVsDpGrid.of(config), steps)
        for name, sizes in asdict(steps).items():
            if list(sizes) != sorted(set(sizes)) or not sizes:
                msg = f"steps.{name} is {list(sizes)}: expected at least one size, increasing"
                raise ConfigError(msg)
        if len(sizes := steps.values) > 1 and grid.base.shape.value_probabilities is not None:
            msg = f"steps.values is {list(sizes)}: tables.value_probabilities fit one number of values; give that alone"
            raise ConfigError(msg)
        try:
            grid.shapes  # noqa: B018 - makes them all
        except ValueError as error:
            msg = f"steps.{error}"
            raise ConfigError(msg) from error
        return grid

    @staticmethod
    def from_identity(identity: dict[str, Any]) -> GreedGrowsGrid:
        """The grid of which `identity()` is this."""
        steps = Steps(**{name: tuple(sizes) for name, sizes in identity["steps"].items()})
        return GreedGrowsGrid(GreedyVsDpGrid.from_identity(identity), steps)

    @cached_property
    def shapes(self) -> tuple[GreedyVsDpGrid, ...]:
        """The tables of each shape, every shape once, in the order of the steps."""
        found: dict[str, GreedyVsDpGrid] = {}
        for dimension in fields(Steps):
            for size in getattr(self.steps, dimension.name):
                shape = self._shape(dimension.name, size)
                source = f"{self.base.source}/{shape.rows}x{shape.attributes}x{shape.values}"
                found.setdefault(source, replace(self.base, shape=shape, source=source))
        return tuple(found.values())

    @property
    def items(self) -> int:
        """Tables of all shapes."""
        return len(self.shapes) * self.base.count

    @property
    def cells_per_item(self) -> int:
        """A row per heuristic, and the exact one."""
        return self.base.cells_per_item

    @property
    def heuristics(self) -> tuple[ImpurityFunction, ...]:
        """The greedy builders."""
        return self.base.heuristics

    @property
    def example(self) -> str:
        """The first table and one of its greedy trees."""
        return f"--source {self.shapes[0].source} {self.base.example}"

    @property
    def question(self) -> str:
        """How many nodes the best trees have."""
        return "\"select source, avg(nodes) from results where builder = 'exact' group by all order by 2\""

    def identity(self) -> dict[str, Any]:
        """All that can change a number."""
        steps = {name: list(sizes) for name, sizes in asdict(self.steps).items()}
        return {**self.base.identity(), "grid": "greed_grows", "results_version": RESULTS_VERSION, "steps": steps}

    def prepare(self) -> None:
        """Nothing: random tables need no data."""

    def work(self, first: int, stop: int) -> dict[str, pa.Table]:
        """The rows of some items: of each table the heuristics in order, then the exact builder."""
        import pyarrow as pa

        pieces = [self.shapes[place].work(begin, end)[RESULTS_TABLE] for place, begin, end in self._pieces(first, stop)]
        return {RESULTS_TABLE: pa.concat_tables(pieces)}

    def _pieces(self, first: int, stop: int) -> list[tuple[int, int, int]]:
        """(shape, first, stop) of the items within their shapes."""
        pieces = []
        while first < stop:
            place, begin = divmod(first, self.base.count)
            end = min(begin + stop - first, self.base.count)
            pieces.append((place, begin, end))
            first += end - begin
        return pieces

    def failure(self, item: int, status: str, error: str) -> dict[str, pa.Table]:
        """The rows of a table that could not be worked."""
        place, within = divmod(item, self.base.count)
        return self.shapes[place].failure(within, status, error)

    @property
    def asked(self) -> int:
        """The heuristics, and the search for the minima."""
        return self.base.asked

    def losing(self, losses: Mapping[int, Loss]) -> GreedGrowsGrid:
        """The same grid, but that these cells are not asked."""
        return replace(self, base=self.base.losing(losses))

    def item(self, row: Mapping[str, Any]) -> int:
        """The item that a table is; ConfigError where there is no such table."""
        place = place_of("source", row.get("source"), [shape.source for shape in self.shapes])
        within = {name: value for name, value in row.items() if name != "source"}
        return place * self.base.count + self.shapes[place].item(within)

    def title(self, item: int) -> str:
        """Its table's number and its shape."""
        place, within = divmod(item, self.base.count)
        return self.shapes[place].title(within)

    def table(self, item: int) -> DecisionTable:
        """The table that an item is, drawn again; TableError where its equal rows are refused."""
        place, within = divmod(item, self.base.count)
        return self.shapes[place].table(within)

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The greedy tree of a row, or of the exact one's a tree of least `cost`."""
        from pipeline.grammar.table_trees import rebuilt_for

        return rebuilt_for(self.table(self.item(row)), row, self.heuristics)

    def load_summary(self) -> None:
        """Import what draws the figure, most of a summary's time."""
        import pipeline.grids.greed_grows.figure  # noqa: F401

    def summarise(self, parts: Mapping[str, Sequence[Part]], folder: Path) -> Summary:
        """The mean relative difference by shape, heuristic and cost, and its figure."""
        from pipeline.grammar.excess import CHECKED, COLUMNS, check_order
        from pipeline.grids.greed_grows.summary import summarise

        names = [heuristic.name for heuristic in self.heuristics]

        def rows(part: Part) -> pa.Table:
            check_order(read_first(part, self.cells_per_item, CHECKED), names)
            return read(part, [*COLUMNS, "source"], ["status", "source"])

        sources = {
            dimension: [(size, self._source(dimension, size)) for size in sizes]
            for dimension, sizes in asdict(self.steps).items()
        }
        return summarise((rows(part) for part in parts[RESULTS_TABLE]), names, sources, folder)

    def _source(self, dimension: str, size: int) -> str:
        shape = self._shape(dimension, size)
        return next(found.source for found in self.shapes if found.shape == shape)

    def _shape(self, dimension: str, size: int) -> RandomTables:
        sizes = {name: getattr(self.base.shape, name) for name in ("rows", "attributes", "values")}
        return replace(self.base.shape, **(sizes | {dimension: size}))


KIND = GridKind(
    GreedGrows, lambda found, _: GreedGrowsGrid.of(found), lambda found, _: GreedGrowsGrid.from_identity(found)
)
