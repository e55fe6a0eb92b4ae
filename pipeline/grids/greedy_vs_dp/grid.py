"""Greedy heuristics against exact minima on random decision tables (`000_…`, section 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from algorithms.random_tables import RandomTables
from pipeline.grammar.random_tables import RandomTablesGrid
from pipeline.grid import RESULTS_TABLE
from pipeline.storage.parts import Part, read, read_first

if TYPE_CHECKING:
    import pyarrow as pa

    from pipeline.grids.greedy_vs_dp.summary import Summary

__all__ = ["KIND", "GreedyVsDpGrid"]

AS_PRINTED = RandomTables()


@dataclass(frozen=True, kw_only=True)
class GreedyVsDpGrid(RandomTablesGrid, version=1):
    """Groups of random tables of one shape."""

    question = "\"select impurity_type, uncertainty, avg(nodes) from results where builder = 'greedy' group by all\""

    @property
    def comparable(self) -> bool:
        """Whether only seed, count or number of groups differ from the paper."""
        return self.shape == AS_PRINTED and self.equal_rows == "majority"

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


KIND = GreedyVsDpGrid.offered()
