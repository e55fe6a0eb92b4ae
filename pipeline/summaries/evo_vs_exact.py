"""The summary of evolved and grown trees beside the fewest training errors: set by set, and over all sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table
from rich.text import Text

from pipeline.grids.base import RESULTS_TABLE
from pipeline.storage.parts import Part, read
from pipeline.summaries.evo_vs_exact_sets import Held, descents_of, held_trees
from pipeline.summaries.statistics import Estimate, PairedMoments
from pipeline.summaries.tables import SummaryTable, Value

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Standing", "Summary", "standings_of", "summarise"]

COLUMNS = (
    *("source", "part", "max_depth", "rows", "builder", "n", "errors", "errors_low", "errors_high", "best_errors"),
    *(
        "fewest_errors",
        "bound",
        "proven",
        "reached",
        "fittest",
        "excess",
        "excess_low",
        "excess_high",
        "splits",
        "fewest_splits",
    ),
    *("fewest_splits_proven", "excess_for_splits"),
)
STANDING_COLUMNS = (
    *(
        "max_depth",
        "builder",
        "n",
        "trees",
        "reached",
        "reached_by_any",
        "fittest",
        "excess",
        "low",
        "high",
        "worst",
        "worst_on",
    ),
    *("not_proven", "n_by_splits", "splits", "fewest_splits", "excess_for_splits"),
)


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
        return _mean([one.excess.mean for one in self.held])

    @property
    def worst(self) -> Held | None:
        """The data set of the greatest excess, the first of several."""
        return max(self.held, key=lambda one: one.excess.mean, default=None)

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
            sizes = ("" if size is None else f"{size:.1f}" for size in _sizes(one))
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
    documents = (_of_builders(standings), _of_sets(held))
    for document in documents:
        document.write(folder)
    from pipeline.summaries.evo_vs_exact_figure import draw

    failures = tuple(row for row in results if row["status"] in {"failed", "killed"})
    return Summary(held, standings, failures, documents, draw(held, descents, folder))


def standings_of(held: Sequence[Held]) -> tuple[Standing, ...]:
    """Each builder at each depth, from the least, in the order of the builders."""
    found = []
    for depth in sorted({one.optimum.max_depth for one in held}):
        for builder in dict.fromkeys(one.builder for one in held):
            own = [one for one in held if (one.optimum.max_depth, one.builder) == (depth, builder)]
            proven = tuple(one for one in own if one.optimum.proven)
            found.append(Standing(depth, builder, proven, len(own) - len(proven)))
    return tuple(found)


def _of_builders(standings: Sequence[Standing]) -> SummaryTable:
    rows: list[tuple[Value, ...]] = [
        (
            *(one.max_depth, one.builder, len(one.held), one.trees, one.reached),
            *(sum(own.reached > 0 for own in one.held), one.fittest, *_ends(one.excess)),
            *((one.worst.excess.mean, one.worst.optimum.title) if one.worst else (None, None)),
            *(one.not_proven, len(one.by_splits), *_sizes(one)),
            _only_mean([own.excess_for_size.mean for own in one.by_splits]),
        )
        for one in standings
    ]
    note = (
        "n: data sets where the fewest training errors of any tree of the depth are proven (not_proven: where the "
        "search ended by its limit); trees: on these, one a seed; reached: those of them that have no more errors; "
        "reached_by_any: data sets with at least one such; fittest: trees of the least fitness that there can be. "
        "excess: training error above the least, in points, the mean over data sets of means over seeds; low to high: "
        "its 95 % normal interval over data sets, which are no random sample. n_by_splits: data sets where the fewest "
        "errors are proven for each number of splits, too. On these: splits: mean; fewest_splits: the mean of the "
        "fewest splits with no more errors; excess_for_splits: training error in points above the least with no more "
        f"splits. {TESTS}"
    )
    return SummaryTable("evo_vs_exact", "Training errors above the fewest, by depth", STANDING_COLUMNS, rows, note)


def _of_sets(held: Sequence[Held]) -> SummaryTable:
    rows: list[tuple[Value, ...]] = [
        (
            *(one.optimum.source, one.optimum.part, one.optimum.max_depth, one.optimum.rows, one.builder),
            *(len(one.trees), *_ends(one.errors), one.best, one.optimum.fewest, one.optimum.bound),
            *(str(one.optimum.proven).lower(), one.reached, one.fittest, *_ends(one.excess)),
            *(
                one.splits.mean,
                one.fewest_splits.mean,
                str(one.optimum.proven_by_splits).lower(),
                one.excess_for_size.mean,
            ),
        )
        for one in held
    ]
    note = (
        "n: trees of the builder, one a seed; errors: mean of the training rows, which are all rows, that they get "
        "wrong, with the 95 % normal interval over seeds; best_errors: of the best seed. fewest_errors: of the best "
        "tree of the depth that was found; bound: none has fewer; proven: they are equal. reached: trees with no more "
        "errors than the bound; fittest: trees with no more fitness than any can have. excess: errors above the bound "
        "in points of the training error: at most that where the bound is not reached. splits: mean of nonterminal "
        "nodes that training rows reach; fewest_splits: mean over the trees of the fewest splits that were found with "
        f"no more errors; excess_for_splits: as excess, above the bound of trees with no more splits. {TESTS}"
    )
    return SummaryTable("evo_vs_exact_sets", "Training errors beside the fewest, set by set", COLUMNS, rows, note)


TESTS = (
    "All have the same tests: a label against all others, and any threshold of a number. EVO-Tree's fitness is not the "
    "error alone: it weighs depth, too, so that on large sets a level must save more than a row or two."
)


def _sizes(standing: Standing) -> tuple[float | None, float | None]:
    """Mean splits, and mean fewest splits with no more errors, where these are proven."""
    own = standing.by_splits
    return _only_mean([one.splits.mean for one in own]), _only_mean([one.fewest_splits.mean for one in own])


def _mean(values: Sequence[float]) -> Estimate | None:
    return PairedMoments.of(np.array(values)[:, None]).estimate(0) if values else None


def _only_mean(values: Sequence[float]) -> float | None:
    found = _mean(values)
    return None if found is None else found.mean


def _ends(estimate: Estimate | None) -> tuple[float | None, float | None, float | None]:
    return (None, None, None) if estimate is None else (estimate.mean, estimate.low, estimate.high)


def _shown(estimate: Estimate | None) -> str:
    if estimate is None:
        return ""
    half = "" if estimate.high is None else f" ± {estimate.high - estimate.mean:.2f}"
    return f"{estimate.mean:.2f}{half}"
