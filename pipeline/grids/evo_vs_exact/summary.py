"""The summary of evolved and grown trees beside the fewest training errors: set by set, and over all sets."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table
from rich.text import Text

from pipeline.grammar.findings import listed, points, treeless
from pipeline.grammar.notable_trees import drawable, notable, wrong
from pipeline.grid import RESULTS_TABLE, NotableTree
from pipeline.grids.evo_vs_exact.grid import EXACT
from pipeline.grids.evo_vs_exact.sets import Held, descents_of, held_trees
from pipeline.grids.evo_vs_exact.tables import of_builders, of_sets
from pipeline.storage.parts import Part, read
from pipeline.summary.statistics import Estimate, PairedMoments
from pipeline.summary.tables import SummaryTable

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Standing", "Summary", "standings_of", "summarise"]

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Standing:
    """A builder at a depth, over the data sets where the fewest errors are proven.

    held       : its trees on each of them
    not_proven : data sets left out, for there only a bound is known
    """

    max_depth: int
    builder: str
    held: tuple[Held, ...]
    not_proven: int

    @property
    def trees(self) -> int:
        """How many trees there are."""
        return sum(len(one.trees) for one in self.held)

    @property
    def reached(self) -> int:
        """How many of them have the fewest errors that there can be."""
        return sum(one.reached for one in self.held)

    @property
    def fittest(self) -> int | None:
        """How many of them have the least fitness that there can be; None where they did not evolve."""
        known = [one.fittest for one in self.held if one.fittest is not None]
        return sum(known) if known else None

    @property
    def excess(self) -> Estimate | None:
        """The mean over data sets of the mean excess over seeds, in points of the training error."""
        values = np.array([[one.excess.mean] for one in self.held])
        return PairedMoments.of(values).estimate(0) if self.held else None

    @property
    def worst(self) -> Held | None:
        """The data set of the greatest excess, the first of several."""
        return max(self.held, key=lambda one: one.excess.mean, default=None)

    @property
    def splits(self) -> float | None:
        """Mean splits, of `by_splits`."""
        return _mean_of(one.splits.mean for one in self.by_splits)

    @property
    def fewest_splits(self) -> float | None:
        """Mean of the fewest splits with no more errors, of `by_splits`."""
        return _mean_of(one.fewest_splits.mean for one in self.by_splits)

    @property
    def excess_for_splits(self) -> float | None:
        """Mean training error in points above the least with no more splits, of `by_splits`."""
        return _mean_of(one.excess_for_size.mean for one in self.by_splits)

    @property
    def by_splits(self) -> tuple[Held, ...]:
        """The data sets where the fewest errors are proven for each number of splits."""
        return tuple(one for one in self.held if one.optimum.proven_by_splits)


@dataclass(frozen=True)
class Summary:
    """Trees by data set, builders by depth, and what was written of them."""

    held: tuple[Held, ...]
    standings: tuple[Standing, ...]
    failures: tuple[Mapping[str, Any], ...]
    documents: tuple[SummaryTable, ...]
    figures: tuple[Path, ...]
    trees: tuple[NotableTree, ...] = ()

    @property
    def finding(self) -> str:
        """How often each builder finds a tree of the fewest errors, depth by depth, and how far from it it is."""
        known = [one for one in self.standings if one.held]
        if not known:
            return "The fewest training errors are proven of no data set."
        said = []
        for builder in dict.fromkeys(one.builder for one in known):
            own = [one for one in known if one.builder == builder]
            reached = [f"{one.reached} of {one.trees} at depth {one.max_depth}" for one in own]
            worst = max(own, key=lambda one: one.excess.mean if one.excess else 0.0)
            far = f"up to {points(worst.excess)} above on average" if worst.excess else ""
            said.append(f"{builder} in {listed(reached)}, {far}")
        return f"Trees of as few training errors as any of their depth has: {'; '.join(said)}."

    @property
    def worked(self) -> bool:
        """Whether any tree stood beside an optimum."""
        return bool(self.held)

    def screen(self, width: int) -> list[RenderableType]:  # noqa: ARG002 - it fits all
        """A line for each depth and builder; then what failed."""
        shown = Table(
            title="Training errors above the fewest of any tree of that depth",
            title_justify="left",
            box=None,
            padding=(0, 2, 0, 0),
        )
        for name in ("depth", "builder", "sets", "reached", "excess, points", "splits", "needed", "not proven"):
            shown.add_column(name, justify="left" if name == "builder" else "right", no_wrap=True)
        for one in self.standings:
            sizes = ("" if size is None else f"{size:.1f}" for size in (one.splits, one.fewest_splits))
            shown.add_row(
                *(str(one.max_depth), Text(one.builder), str(len(one.held)), f"{one.reached}/{one.trees}"),
                *(_shown(one.excess), *sizes, str(one.not_proven)),
            )
        legend = (
            "reached: trees with as few errors as any; needed: fewest splits of a tree with no more errors; not "
            "proven: sets left out, of which a bound is known"
        )
        failed = [
            Text(f"{row['builder']} on {row['source']} {row['parameters']}: {row['status']}: {row['error']}", "red")
            for row in self.failures
        ]
        return [shown, Text(legend, style="dim"), *failed]


def summarise(parts: Mapping[str, Sequence[Part]], folder: Path) -> Summary:
    """Write the tables `evo_vs_exact` and `evo_vs_exact_sets`, the figures `evo_vs_exact` and `descent` into folder."""
    results = [row for part in parts[RESULTS_TABLE] for row in read(part).to_pylist()]
    frontiers = [row for part in parts["frontiers"] for row in read(part).to_pylist()]
    descents = descents_of(row for part in parts["descents"] for row in read(part).to_pylist())
    held = held_trees(results, frontiers)
    standings = standings_of(held)
    documents = (of_builders(standings), of_sets(held))
    for document in documents:
        document.write(folder)
    from pipeline.grids.evo_vs_exact.figure import draw

    failures = tuple(filter(treeless, results))
    return Summary(held, standings, failures, documents, draw(held, descents, folder), _trees(held, results))


def _trees(held: Sequence[Held], results: Sequence[Row]) -> tuple[NotableTree, ...]:
    """Of the builder that is furthest above the fewest errors the worst tree, and the best of its depth."""
    rows: dict[tuple[Any, ...], list[Row]] = {}
    for row in filter(drawable, results):
        key = (row["source"], row["part"], json.loads(row["parameters"])["max_depth"], row["builder"])
        rows.setdefault(key, []).append(row)
    for one in sorted((one for one in held if one.optimum.proven), key=lambda one: -one.excess.mean):
        optimum = one.optimum
        own, best = (
            rows.get((optimum.source, optimum.part, optimum.max_depth, who), []) for who in (one.builder, EXACT)
        )
        if own and best:
            return tuple(
                notable(row, f"{wrong(row)}{said}")
                for row, said in (
                    (min(own, key=lambda row: float(row["train_accuracy"])), ""),
                    (best[0], f", the fewest of depth {optimum.max_depth}"),
                )
            )
    return ()


def standings_of(held: Sequence[Held]) -> tuple[Standing, ...]:
    """Each builder at each depth, from the least, in the order of the builders."""
    found = []
    for depth in sorted({one.optimum.max_depth for one in held}):
        for builder in dict.fromkeys(one.builder for one in held):
            own = [one for one in held if (one.optimum.max_depth, one.builder) == (depth, builder)]
            proven = tuple(one for one in own if one.optimum.proven)
            found.append(Standing(depth, builder, proven, len(own) - len(proven)))
    return tuple(found)


def _mean_of(values: Iterable[float]) -> float | None:
    found = list(values)
    return fmean(found) if found else None


def _shown(estimate: Estimate | None) -> str:
    if estimate is None:
        return ""
    half = "" if estimate.high is None else f" ± {estimate.high - estimate.mean:.2f}"
    return f"{estimate.mean:.2f}{half}"
