"""Greedy heuristics against exact minima on random decision tables (`000_…`, section 5)."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from algorithms.impurity import IMPURITY_FUNCTIONS, ImpurityFunction
from algorithms.random_tables import RandomTables
from algorithms.table import DecisionTable, EqualRows
from pipeline.errors import ConfigError
from pipeline.grammar.choices import place_of
from pipeline.grid import RESULTS_TABLE, GridKind, RebuildsTrees, RebuiltTree
from pipeline.grids.greedy_vs_dp.settings import GreedyVsDp
from pipeline.storage.parts import Part, read, read_first
from pipeline.work.losses import Loss

if TYPE_CHECKING:
    import pyarrow as pa

    from pipeline.grids.greedy_vs_dp.summary import Summary

__all__ = ["KIND", "GreedyVsDpGrid", "heuristics_named"]

RESULTS_VERSION = 1  # raise it when the numbers of an unchanged configuration change
AS_PRINTED = RandomTables()
MOST = 10**12  # of seeds, groups and tables
EQUAL_ROWS = ("majority", "refuse")


@dataclass(frozen=True)
class GreedyVsDpGrid(RebuildsTrees):
    """Groups of random tables, each built greedily by every heuristic and minimised exactly.

    Item i is table i % count + 1 of group i // count + 1. `source` is what its rows say of where they come from, and
    `losses` what becomes of cells, by place in an item, that are not asked.
    """

    seed: int
    groups: int
    count: int
    shape: RandomTables
    equal_rows: EqualRows
    heuristics: tuple[ImpurityFunction, ...]
    source: str = "random"
    losses: Mapping[int, Loss] = field(default_factory=dict, compare=False)

    noun = "tables"
    tables = (RESULTS_TABLE,)
    first_items = 100

    @staticmethod
    def of(config: GreedyVsDp) -> GreedyVsDpGrid:
        """The grid of a composed configuration; ConfigError names a key whose value cannot be."""
        tables = config.tables
        for key, value, least in (
            ("seed", config.seed, 0),
            ("tables.groups", tables.groups, 1),
            ("tables.count", tables.count, 1),
        ):
            if not least <= value <= MOST:
                msg = f"{key} is {value}: expected {least} to {MOST}"
                raise ConfigError(msg)
        if tables.equal_rows not in EQUAL_ROWS:
            msg = f"tables.equal_rows is '{tables.equal_rows}': expected {' or '.join(EQUAL_ROWS)}"
            raise ConfigError(msg)
        try:
            shape = RandomTables(
                rows=tables.rows,
                attributes=tables.attributes,
                values=tables.values,
                decisions=tables.decisions,
                value_probabilities=_tuple(tables.value_probabilities),
                decision_probabilities=_tuple(tables.decision_probabilities),
            )
        except ValueError as error:
            msg = f"tables.{error}"
            raise ConfigError(msg) from error
        return GreedyVsDpGrid(
            config.seed,
            tables.groups,
            tables.count,
            shape,
            "refuse" if tables.equal_rows == "refuse" else "majority",
            heuristics_named(config.heuristics),
        )

    @staticmethod
    def from_identity(identity: dict[str, Any]) -> GreedyVsDpGrid:
        """The grid of which `identity()` is this."""
        tables = dict(identity["tables"])
        groups, count, equal_rows = (tables.pop(key) for key in ("groups", "count", "equal_rows"))
        for key in ("value_probabilities", "decision_probabilities"):
            tables[key] = _tuple(tables[key])
        shape = RandomTables(**tables)
        return GreedyVsDpGrid(
            identity["seed"], groups, count, shape, equal_rows, heuristics_named(identity["heuristics"])
        )

    @property
    def items(self) -> int:
        """Tables of all groups."""
        return self.groups * self.count

    @property
    def cells_per_item(self) -> int:
        """A row per heuristic, and the exact one."""
        return len(self.heuristics) + 1

    @property
    def example(self) -> str:
        """The first table and one of its greedy trees."""
        return f"--table 1 --heuristic {self.heuristics[-1].name}"

    @property
    def question(self) -> str:
        """How many nodes each heuristic's trees have."""
        asked = "select impurity_type, uncertainty, avg(nodes) from results where builder = 'greedy' group by all"
        return f'"{asked}"'

    @property
    def comparable(self) -> bool:
        """Whether only seed, count or number of groups differ from the paper."""
        return self.shape == AS_PRINTED and self.equal_rows == "majority"

    def identity(self) -> dict[str, Any]:
        """All that can change a number."""
        return {
            "grid": "greedy_vs_dp",
            "results_version": RESULTS_VERSION,
            "seed": self.seed,
            "tables": {"groups": self.groups, "count": self.count, **asdict(self.shape), "equal_rows": self.equal_rows},
            "heuristics": [heuristic.name for heuristic in self.heuristics],
        }

    def prepare(self) -> None:
        """Nothing: random tables need no data."""

    def work(self, first: int, stop: int) -> dict[str, pa.Table]:
        """The rows of some items: of each table the heuristics in order, then the exact builder."""
        from pipeline.grids.greedy_vs_dp.rows import rows_of_items

        return {RESULTS_TABLE: rows_of_items(self, first, stop)}

    def failure(self, item: int, status: str, error: str) -> dict[str, pa.Table]:
        """The rows of a table that could not be worked."""
        from pipeline.grids.greedy_vs_dp.rows import failure_rows

        return {RESULTS_TABLE: failure_rows(self, item, status, error)}

    @property
    def asked(self) -> int:
        """The heuristics, and the search for the minima."""
        return self.cells_per_item

    def losing(self, losses: Mapping[int, Loss]) -> GreedyVsDpGrid:
        """The same grid, but that these cells are not asked."""
        return replace(self, losses=losses)

    def item(self, row: Mapping[str, Any]) -> int:
        """The item that a table is; ConfigError where there is no such table."""
        place_of("source", row.get("source"), [self.source])
        group = place_of("group", row.get("group"), range(1, self.groups + 1))
        return group * self.count + place_of("table", row.get("table_index"), range(1, self.count + 1))

    def title(self, item: int) -> str:
        """Its table's number, its group, and its source where that is no plain random one."""
        group, place = divmod(item, self.count)
        return f"Table {place + 1} of " + (f"group {group + 1}" if self.source == "random" else self.source)

    def table(self, item: int) -> DecisionTable:
        """The table that an item is, drawn again; TableError where its equal rows are refused."""
        group, place = divmod(item, self.count)
        return self.shape.table(self.seed, group + 1, place + 1, self.equal_rows)

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The greedy tree of a row, or of the exact one's a tree of least `cost`."""
        from pipeline.grammar.table_trees import rebuilt_for

        return rebuilt_for(self.table(self.item(row)), row, self.heuristics)

    def load_summary(self) -> None:
        """Import what draws the figure, most of a summary's time."""
        import pipeline.grids.greedy_vs_dp.figure  # noqa: F401

    def summarise(self, parts: Mapping[str, Sequence[Part]], folder: Path) -> Summary:
        """Tables 1-5 and their figure."""
        from pipeline.grids.greedy_vs_dp.summary import summarise

        names = [heuristic.name for heuristic in self.heuristics]
        return summarise(_Rows(self, parts[RESULTS_TABLE]), names, self.comparable, folder)

    def summarised(self, part: Part) -> pa.Table:
        """What a summary takes of a part; the order of its rows is looked at in its first table alone.

        The digest in the part's name says that it is as `work` made it, so one table tells of all.
        """
        from pipeline.grammar.excess import CHECKED, COLUMNS, check_order

        check_order(read_first(part, self.cells_per_item, CHECKED), [heuristic.name for heuristic in self.heuristics])
        return read(part, COLUMNS, ["status"])


@dataclass(frozen=True)
class _Rows:
    """What a summary takes of parts, read anew each time that it goes through them."""

    grid: GreedyVsDpGrid
    parts: Sequence[Part]

    def __iter__(self) -> Iterator[pa.Table]:
        return map(self.grid.summarised, self.parts)


def _tuple(probabilities: list[float] | None) -> tuple[float, ...] | None:
    return None if probabilities is None else tuple(float(p) for p in probabilities)


def heuristics_named(names: list[str]) -> tuple[ImpurityFunction, ...]:
    """The impurity functions of these names, in the order of the paper's tables."""
    known = {function.name: function for function in IMPURITY_FUNCTIONS}
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f", did you mean {near[0]}?" if near else ""
            msg = f"heuristics has '{name}'{hint}\nheuristics there are: {', '.join(known)}"
            raise ConfigError(msg)
    if not names:
        msg = f"heuristics is empty: expected some of {', '.join(known)}"
        raise ConfigError(msg)
    return tuple(function for function in IMPURITY_FUNCTIONS if function.name in names)


KIND = GridKind(
    GreedyVsDp, lambda found, _: GreedyVsDpGrid.of(found), lambda found, _: GreedyVsDpGrid.from_identity(found)
)
