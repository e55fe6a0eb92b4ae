"""The summary of grown trees beside the smallest that classify the same: set by set, and over all sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table
from rich.text import Text

from pipeline.storage.parts import Part, read
from pipeline.summaries.statistics import Estimate, PairedMoments
from pipeline.summaries.tables import SummaryTable, Value

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Pair", "Standing", "Summary", "pairs_of", "standings_of", "summarise"]

Row = Mapping[str, Any]

COLUMNS = (
    *("source", "part", "builder", "rows", "leaves", "fewest_leaves", "bound", "proven", "excess"),
    *("seconds", "status", "error"),
)
STANDING_COLUMNS = ("builder", "n", "already_smallest", "mean_excess", "low", "high", "worst", "worst_on", "not_proven")


@dataclass(frozen=True)
class Pair:
    """A builder's tree on a data set, and the row of the smallest that classifies as it does."""

    grown: Row
    fewest: Row

    @property
    def title(self) -> str:
        """The data set."""
        grown = self.grown
        return str(grown["source"]) if grown["part"] == "all" else f"{grown['source']} ({grown['part']})"

    @property
    def builder(self) -> str:
        """What grew the tree."""
        return str(self.grown["builder"])

    @property
    def worked(self) -> bool:
        """Whether there are leaves to compare."""
        return self.grown["terminal_nodes"] is not None and self.fewest["terminal_nodes"] is not None

    @property
    def proven(self) -> bool:
        """Whether no tree that classifies the same has fewer leaves."""
        return bool(self.fewest["optimal"])

    @property
    def excess(self) -> float | None:
        """(leaves - fewest) / fewest; at least so much where that is not proven fewest. None where either lacks."""
        if not self.worked:
            return None
        fewest = int(self.fewest["terminal_nodes"])
        return (int(self.grown["terminal_nodes"]) - fewest) / fewest


@dataclass(frozen=True)
class Standing:
    """A builder over the data sets where the fewest leaves are proven.

    estimate   : mean excess; None where there is none
    excess     : that of each data set
    not_proven : data sets left out, for there only a bound is known
    """

    builder: str
    estimate: Estimate | None
    excess: Mapping[str, float]
    not_proven: int

    @property
    def already_smallest(self) -> int:
        """Data sets on which it grew a tree of fewest leaves."""
        return sum(excess == 0 for excess in self.excess.values())

    @property
    def worst(self) -> tuple[float, str] | tuple[None, None]:
        """The greatest excess and its data set, the first of several."""
        if not self.excess:
            return None, None
        title = max(self.excess, key=lambda one: self.excess[one])
        return self.excess[title], title


@dataclass(frozen=True)
class Summary:
    """The pairs, the builders, and what was written of them."""

    pairs: tuple[Pair, ...]
    standings: tuple[Standing, ...]
    documents: tuple[SummaryTable, ...]
    figures: tuple[Path, ...]

    @property
    def worked(self) -> bool:
        """Whether any tree stood beside a smallest one."""
        return any(pair.worked for pair in self.pairs)

    def screen(self, width: int) -> list[RenderableType]:  # noqa: ARG002 - it fits all
        """A line a builder; then what failed."""
        shown = Table(
            title="Leaves above the fewest of any tree with the same classification of the training rows",
            title_justify="left",
            box=None,
            padding=(0, 2, 0, 0),
        )
        for name in ("", "data sets", "already smallest", "mean excess %", "worst %", "worst on", "not proven"):
            shown.add_column(name, justify="right" if name not in {"", "worst on"} else "left", no_wrap=True)
        for one in self.standings:
            worst, title = one.worst
            mean = "" if one.estimate is None else f"{100 * one.estimate.mean:.1f}"
            cells = (mean, "" if worst is None else f"{100 * worst:.1f}", title or "", str(one.not_proven))
            shown.add_row(Text(one.builder), str(len(one.excess)), str(one.already_smallest), *cells)
        failed = [
            Text(f"{row['builder']} on {pair.title}: {row['status']}: {row['error']}", style="red")
            for pair in self.pairs
            for row in (pair.grown, pair.fewest)
            if row["status"] in {"failed", "killed"}
        ]
        return [shown, *failed]


def summarise(parts: Iterable[Part], folder: Path) -> Summary:
    """Write `smallest_tree` and `smallest_tree_sets` (.csv, .md), and the figure `smallest_tree`, into folder."""
    pairs = pairs_of(row for part in parts for row in read(part).to_pylist())
    standings = standings_of(pairs)
    documents = (_of_builders(standings), _of_sets(pairs))
    for document in documents:
        document.write(folder)
    from pipeline.summaries.smallest_tree_figure import draw

    return Summary(pairs, standings, documents, draw(pairs, folder))


def pairs_of(rows: Iterable[Row]) -> tuple[Pair, ...]:
    """The result rows two by two, the tree and the fewest leaves."""
    found = list(rows)
    return tuple(Pair(grown, fewest) for grown, fewest in zip(found[::2], found[1::2], strict=True))


def standings_of(pairs: Sequence[Pair]) -> tuple[Standing, ...]:
    """Each builder over all data sets, in the order of the rows."""
    found = []
    for builder in dict.fromkeys(pair.builder for pair in pairs):
        own = [pair for pair in pairs if pair.builder == builder and pair.worked]
        excess = {pair.title: pair.excess for pair in own if pair.proven and pair.excess is not None}
        values = np.array([[one] for one in excess.values()])
        estimate = PairedMoments.of(values).estimate(0) if excess else None
        found.append(Standing(builder, estimate, excess, len(own) - len(excess)))
    return tuple(found)


def _of_builders(standings: Sequence[Standing]) -> SummaryTable:
    rows: list[tuple[Value, ...]] = [
        (
            *(one.builder, len(one.excess), one.already_smallest),
            *((None,) * 3 if one.estimate is None else (one.estimate.mean, one.estimate.low, one.estimate.high)),
            *(*one.worst, one.not_proven),
        )
        for one in standings
    ]
    note = (
        "excess: (leaves - fewest) / fewest, fewest being the leaves of the smallest tree of any depth that gives each "
        "training row the class that the builder's tree gives it, with tests of the same kind: two branches for CART, "
        "else a branch for each label and two for a number. n: data sets where it is proven; low to high: 95 % normal "
        "interval of the mean over them, which are no random sample. not_proven: data sets where the search ended by "
        "its limit."
    )
    return SummaryTable("smallest_tree", "Leaves above the fewest", STANDING_COLUMNS, rows, note)


def _of_sets(pairs: Sequence[Pair]) -> SummaryTable:
    rows: list[tuple[Value, ...]] = [
        (
            *(pair.grown["source"], pair.grown["part"], pair.builder, pair.grown["rows"]),
            *(pair.grown["terminal_nodes"], pair.fewest["terminal_nodes"], _whole(pair.fewest["bound"])),
            *(str(pair.proven).lower() if pair.worked else None, pair.excess, pair.fewest["build_seconds"]),
            *(pair.fewest["status"], pair.fewest["error"]),
        )
        for pair in pairs
    ]
    note = (
        f"n = {len(pairs)} trees. fewest_leaves: of the smallest tree found with the same classification of the rows; "
        "bound: no such tree has fewer. Where they differ, excess is the least that it can be. seconds: to find it."
    )
    return SummaryTable("smallest_tree_sets", "Leaves beside the fewest, set by set", COLUMNS, rows, note)


def _whole(number: float | None) -> int | None:
    return None if number is None else round(number)
