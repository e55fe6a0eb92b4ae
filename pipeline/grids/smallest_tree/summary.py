"""The summary of grown trees beside the smallest that classify the same: set by set, and over all sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table
from rich.text import Text

from pipeline.grammar.findings import above, listed, treeless
from pipeline.grammar.notable_trees import drawable, notable
from pipeline.grid import NotableTree
from pipeline.grids.smallest_tree.tables import of_builders, of_sets
from pipeline.screen import counted
from pipeline.storage.parts import Part, read
from pipeline.summary.statistics import Estimate, PairedMoments
from pipeline.summary.tables import SummaryTable

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Pair", "Standing", "Summary", "pairs_of", "standings_of", "summarise"]

Row = Mapping[str, Any]


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

    @property
    def finding(self) -> str:
        """How many trees have the fewest leaves already, and which builder comes nearest to them on average.

        Builders are compared that are known on most data sets.
        """
        known = [one for one in self.standings if one.estimate]
        if not known:
            return "The fewest leaves are proven beside no tree."
        smallest = sum(one.already_smallest for one in known)
        proven, left = sum(len(one.excess) for one in known), sum(one.not_proven for one in self.standings)
        already = "is the smallest of its" if smallest == 1 else "are the smallest of their"
        said = [f"{smallest} of {counted(proven, 'tree')} {already} classification already"]
        said += [f"of {left} more only a bound is known"] if left else []
        unknown = sum(not pair.worked for pair in self.pairs)
        said += [f"{unknown} more {'is' if unknown == 1 else 'are'} lost, the tree or the search"] if unknown else []
        most = max(len(one.excess) for one in known)
        ranked = sorted((one for one in known if len(one.excess) == most), key=_mean_excess)
        nearest = [one.builder for one in ranked if _mean_excess(one) == _mean_excess(ranked[0])]
        come = "comes" if len(nearest) == 1 else "come"
        said.append(f"{listed(nearest)} {come} nearest to the fewest leaves, {_on_mean(ranked[0])}")
        if _mean_excess(ranked[-1]) > _mean_excess(ranked[0]):
            said.append(f"{ranked[-1].builder} is the furthest, {_on_mean(ranked[-1])}")
        return f"{'; '.join(said)}."

    @property
    def trees(self) -> tuple[NotableTree, ...]:
        """The tree furthest above the fewest leaves, the nearest of the same rows, and the largest of fewest."""
        shown = [pair for pair in self.pairs if pair.proven and pair.excess is not None and drawable(pair.grown)]
        worst = max(shown, key=_excess, default=None)
        if worst is None:
            return ()
        nearest = min((pair for pair in shown if pair.title == worst.title), key=_excess)
        smallest = max((pair for pair in shown if not pair.excess), key=_leaves, default=worst)
        return tuple(_told(pair) for pair in {id(pair): pair for pair in (worst, nearest, smallest)}.values())

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
            if treeless(row)
        ]
        return [shown, *failed]


def summarise(parts: Iterable[Part], folder: Path) -> Summary:
    """Write `smallest_tree` and `smallest_tree_sets` (.csv, .md), and the figure `smallest_tree`, into folder."""
    pairs = pairs_of(row for part in parts for row in read(part).to_pylist())
    standings = standings_of(pairs)
    documents = (of_builders(standings), of_sets(pairs))
    for document in documents:
        document.write(folder)
    from pipeline.grids.smallest_tree.figure import draw

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


def _mean_excess(one: Standing) -> float:
    return one.estimate.mean if one.estimate else 0.0


def _on_mean(one: Standing) -> str:
    return f"{above(_mean_excess(one))} on the mean of {counted(len(one.excess), 'data set')}"


def _excess(pair: Pair) -> float:
    return pair.excess or 0.0


def _leaves(pair: Pair) -> int:
    return int(pair.grown["terminal_nodes"])


def _told(pair: Pair) -> NotableTree:
    fewest = pair.fewest["terminal_nodes"]
    return notable(pair.grown, f"{fewest} suffice for the same classification" if pair.excess else "none has fewer")
