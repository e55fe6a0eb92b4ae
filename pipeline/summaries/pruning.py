"""The summary of ways to prune: each beside the first builder on the same data sets, and the claims of `004_…`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from rich.table import Table
from rich.text import Text

from pipeline.store import Part
from pipeline.summaries.accuracies import Score, failures
from pipeline.summaries.accuracies import summarise as summarise_accuracies
from pipeline.summaries.statistics import Estimate, PairedMoments, critical_z
from pipeline.summaries.tables import SummaryTable, Value
from pipeline.summaries.verdicts import Verdict

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["CLAIMS", "Claim", "Ruling", "Standing", "Summary", "rulings", "standings", "summarise"]

Measure = Literal["accuracy", "nodes", "build_seconds"]

POINTS = 100
HARDLY = 1.0
"""Points of accuracy below which a gain is hardly worth a more complex tree, and a loss none that matters."""

STANDING_COLUMNS = (
    *("builder", "n", "accuracy", "difference", "low", "high", "nodes", "nodes_ratio", "nodes_low", "nodes_high"),
    *("build_seconds", "time_ratio", "time_low", "time_high"),
)
CLAIM_COLUMNS = ("claim", "left", "right", "measure", "n", "difference", "low", "high", "claimed", "verdict")


@dataclass(frozen=True)
class Claim:
    """A sentence of `004_…` as a difference between two builders that is to be above or below a bound.

    The measure `accuracy` is in points; `build_seconds` in decimal logarithms, so that the difference is one of ratios.
    """

    words: str
    left: str
    right: str
    measure: Measure
    above: bool
    bound: float = 0.0


LEGEND = (
    "±: 95 % interval over data sets, paired. open: on neither side of the bound beyond chance, over all claims "
    f"together (Bonferroni); hardly: by less than {HARDLY:g} point. Both are told in claims.csv"
)
POST_PRUNED = ("reduced_error", "pessimistic", "cost_complexity")

CLAIMS = (
    *(
        Claim("postpruning is more accurate than prepruning", one, "pre_pruned", "accuracy", True)
        for one in POST_PRUNED
    ),
    *(Claim("prepruning is faster", "pre_pruned", one, "build_seconds", False) for one in POST_PRUNED),
    Claim("a forest is more accurate than its trees", "random_forest", "generate_tree", "accuracy", True),
    Claim("a forest is more accurate than a pruned tree", "random_forest", "cost_complexity", "accuracy", True),
    Claim("multivariate nodes are hardly justified", "logistic_tree", "generate_tree", "accuracy", False, HARDLY),
    Claim("multivariate nodes are hardly justified", "logistic_tree", "cost_complexity", "accuracy", False, HARDLY),
    Claim(
        "the attributes of a tree serve another learner",
        "naive_bayes_of_tree",
        "naive_bayes",
        "accuracy",
        True,
        -HARDLY,
    ),
)
"""What `004_…` says of pruning, forests, multivariate trees and the attributes that trees choose."""


@dataclass(frozen=True)
class Standing:
    """A builder held against the first, over the data sets on which no split of either failed.

    accuracy      : mean over the data sets of its mean test accuracy, in percent
    difference    : of that to the first builder's, paired by data set, in points
    nodes, seconds: geometric means over the data sets
    nodes_ratio, time_ratio : to the first builder's, as estimates of decimal logarithms, paired by data set
    """

    builder: str
    accuracy: float
    difference: Estimate
    nodes: float | None
    nodes_ratio: Estimate | None
    seconds: float
    time_ratio: Estimate


@dataclass(frozen=True)
class Ruling:
    """A claim, the difference found over the data sets, and what follows."""

    claim: Claim
    difference: Estimate
    verdict: Verdict | None


@dataclass(frozen=True)
class Summary:
    """Where each builder stands, what became of the claims, and what was written."""

    standings: tuple[Standing, ...]
    rulings: tuple[Ruling, ...]
    scores: tuple[Score, ...]
    documents: tuple[SummaryTable, ...]
    figures: tuple[Path, ...]

    @property
    def worked(self) -> bool:
        """Whether any builder was tested."""
        return any(score.accuracy for score in self.scores)

    def screen(self, width: int) -> list[RenderableType]:  # noqa: ARG002 - it fits all
        """A line a builder, then a line a claim."""
        shown = Table(title="Beside the first builder", title_justify="left", box=None, padding=(0, 2, 0, 0))
        for heading in ("", "accuracy, %", "difference, points", "nodes", "build seconds"):
            shown.add_column(heading, justify="left" if not heading else "right", no_wrap=True)
        for one in self.standings:
            size = "" if one.nodes is None else f"{one.nodes:.1f}"
            shown.add_row(
                one.builder, f"{one.accuracy:.2f}", _with_interval(one.difference), size, f"{one.seconds:.3g}"
            )
        claims = Table(title="Claims", title_justify="left", box=None, padding=(0, 2, 0, 0))
        for heading in ("", "", "difference", "verdict"):
            claims.add_column(heading)
        said = ""
        for test in self.rulings:
            claim = test.claim
            claims.add_row(
                "" if claim.words == said else claim.words,
                f"{claim.left} - {claim.right}",
                _with_interval(test.difference) if claim.measure == "accuracy" else _times(test.difference),
                test.verdict or Text("open", style="dim"),
            )
            said = claim.words
        return [shown, "", claims, Text(LEGEND, style="dim"), *failures(self.scores)]


def summarise(parts: Mapping[str, Sequence[Part]], builders: Sequence[str], folder: Path) -> Summary:
    """Write `pruning` and `claims` beside `accuracies` and `classes` (.csv and .md), and the figure `pruning`."""
    found = summarise_accuracies(parts, builders, folder)
    stand, claims = standings(found.scores, builders), rulings(found.scores)
    documents = (_standing_table(stand, builders), _claim_table(claims))
    for document in documents:
        document.write(folder)
    from pipeline.summaries.pruning_figure import draw

    figures = draw(stand, folder)
    return Summary(stand, claims, found.scores, (*documents, *found.documents), figures)


def standings(scores: Sequence[Score], builders: Sequence[str]) -> tuple[Standing, ...]:
    """Where each builder stands that was tested on at least one data set together with the first."""
    first, stand = builders[0], []
    for builder in builders:
        pairs = _pairs(scores, builder, first)
        if not pairs:
            continue
        nodes = _values(pairs, "nodes")
        accuracy, seconds = _values(pairs, "accuracy"), _values(pairs, "build_seconds")
        if accuracy is None or seconds is None:
            continue
        stand.append(
            Standing(
                builder=builder,
                accuracy=float(accuracy[:, 0].mean()),
                difference=_difference(accuracy),
                nodes=None if nodes is None else float(10 ** nodes[:, 0].mean()),
                nodes_ratio=None if nodes is None else _difference(nodes),
                seconds=float(10 ** seconds[:, 0].mean()),
                time_ratio=_difference(seconds),
            )
        )
    return tuple(stand)


def rulings(scores: Sequence[Score]) -> tuple[Ruling, ...]:
    """The claims of which both builders were tested on two data sets or more.

    A claim agrees if the interval of the difference lies on the claimed side of the bound, and differs if it lies on
    the other; the interval is two-sided at 5 % with Bonferroni over the claims. Else it is open.
    """
    found = []
    for claim in CLAIMS:
        values = _values(_pairs(scores, claim.left, claim.right), claim.measure)
        if values is not None and len(values) > 1:
            found.append((claim, _difference(values)))
    return tuple(Ruling(claim, difference, _verdict(claim, difference, len(found))) for claim, difference in found)


def _pairs(scores: Sequence[Score], left: str, right: str) -> list[tuple[Score, Score]]:
    """The scores of two builders on each data set on which no split of either failed."""
    good = {(one.title, one.builder): one for one in scores if not one.failed}
    titles = dict.fromkeys(one.title for one in scores)
    return [(good[t, left], good[t, right]) for t in titles if (t, left) in good and (t, right) in good]


def _values(
    pairs: Sequence[tuple[Score, Score]], measure: Measure
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]] | None:
    """(data sets, 2): a measure of both, accuracy in percent, others as decimal logarithms; None where one has none."""
    transform: Callable[[float], float] = (lambda found: POINTS * found) if measure == "accuracy" else math.log10
    rows = []
    for pair in pairs:
        found = [one.mean("test_accuracy" if measure == "accuracy" else measure) for one in pair]
        if None in found:
            return None
        rows.append([transform(value) for value in found if value is not None])
    return np.array(rows, np.float64) if rows else None


def _difference(values: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> Estimate:
    return PairedMoments.of(values).difference(0, 1)


def _verdict(claim: Claim, difference: Estimate, claims: int) -> Verdict | None:
    z = difference.z(claim.bound)
    if z is None or abs(z) <= critical_z(claims):
        return None
    return Verdict.AGREES if (z > 0) == claim.above else Verdict.DIFFERS


def _standing_table(stand: Sequence[Standing], builders: Sequence[str]) -> SummaryTable:
    rows: list[tuple[Value, ...]] = []
    for one in stand:
        difference = one.difference
        rows.append(
            (
                *(one.builder, difference.n, one.accuracy, difference.mean, difference.low, difference.high),
                *(one.nodes, *_ratio(one.nodes_ratio)),
                *(one.seconds, *_ratio(one.time_ratio)),
            )
        )
    note = (
        f"n: data sets; accuracy: percent, the mean over them; difference, and the ratios of the nodes and of the "
        f"build times: to {builders[0]}, paired by data set, with 95 % normal intervals low to high. nodes and "
        "build_seconds are geometric means over the data sets, the ratios too; nodes are those of single trees."
    )
    return SummaryTable("pruning", "Accuracy, size and time of each builder", STANDING_COLUMNS, rows, note)


def _claim_table(found: Sequence[Ruling]) -> SummaryTable:
    rows: list[tuple[Value, ...]] = []
    for test in found:
        claim, difference = test.claim, test.difference
        claimed = f"{'above' if claim.above else 'below'} {claim.bound:g}"
        estimate = (difference.n, difference.mean, difference.low, difference.high)
        rows.append((claim.words, claim.left, claim.right, claim.measure, *estimate, claimed, test.verdict or "open"))
    note = (
        "n: data sets. difference: left less right, paired by data set, with its 95 % normal interval; of accuracy in "
        "points, of build_seconds in decimal logarithms (-1: ten times faster). agrees, differs: the difference lies "
        "on the claimed or on the other side of the bound, two-sided at 5 % with Bonferroni over the claims; else "
        f"open. The document gives no figures: that {HARDLY:g} point is what counts as hardly is ours."
    )
    return SummaryTable("claims", "Claims of 004 on pruning, forests and multivariate trees", CLAIM_COLUMNS, rows, note)


def _ratio(estimate: Estimate | None) -> tuple[float | None, float | None, float | None]:
    """An estimate of a decimal logarithm, and its interval, as ratios."""
    if estimate is None:
        return None, None, None
    low, high = estimate.low, estimate.high
    return 10**estimate.mean, None if low is None else 10**low, None if high is None else 10**high


def _with_interval(estimate: Estimate) -> str:
    half = "" if estimate.high is None else f" ± {estimate.high - estimate.mean:.2f}"
    return f"{estimate.mean:+.2f}{half}"


def _times(estimate: Estimate) -> str:
    return f"{10**estimate.mean:.2g} times as long"
