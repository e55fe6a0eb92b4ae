"""The summary of T2, T3 and T3C beside C4.5: the claims of `002_…`, its future work as sweeps, and the true optimum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from pipeline.storage.parts import Part
from pipeline.summaries.accuracies import Score, Tested, failures
from pipeline.summaries.accuracies import summarise as summarise_accuracies
from pipeline.summaries.claims import HARDLY, LEGEND, Claim, Ruling, claim_table, claims_screen, rulings
from pipeline.summaries.standings import Standing, difference, standing_table, standings, standings_screen
from pipeline.summaries.statistics import Estimate
from pipeline.summaries.tables import SummaryTable, Value

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["CLAIMS", "OPTIMA", "SWEEPS", "SWEPT", "Optimum", "Step", "Summary", "optima", "steps", "summarise"]

SWEPT = "t3c_printed"
"""What the sweeps vary, three levels deep."""

SWEEPS = {
    "levels": {"2": "t3c_depth_2", "3": SWEPT, "4": "t3c_depth_4", "5": "t3c_depth_5"},
    "branches at most": {"2": "t3c_branches_2", "3": "t3c_branches_3", "4": "t3c_branches_4", "any": SWEPT},
    "acceptable error": {"0": SWEPT, "0.1": "t3c_mae_10", "0.2": "t3c_mae_20", "0.3": "t3c_mae_30"},
}
"""The builder at each step of a sweep."""

OPTIMA = {"t3_printed": "t3_exhaustive", "t3c_printed": "t3c_exhaustive"}
"""The search among all trees of the form of a printed algorithm."""

NO_WORSE = "T3C performs as C4.5 does: no worse"
NO_BETTER = "T3C performs as C4.5 does: no better"
SMALLER = "T3C generates smaller trees than C4.5"
DEEPER = "increasing depth improves classification accuracy"
NO_DEEPER = "T3C does not perform better when the depth is larger than 3"
FEWER = "reducing splits could improve generalization accuracy"

CLAIMS = (
    *(Claim(SMALLER, one, "c45", "nodes", above=False) for one in ("t3c_printed", "t3c_exhaustive")),
    *(Claim(NO_WORSE, one, "c45", "accuracy", above=True, bound=-HARDLY) for one in ("t3c_printed", "t3c_exhaustive")),
    *(Claim(NO_BETTER, one, "c45", "accuracy", above=False, bound=HARDLY) for one in ("t3c_printed", "t3c_exhaustive")),
    Claim(DEEPER, SWEPT, "t3c_depth_2", "train_accuracy", above=True),
    Claim(DEEPER, "t3c_depth_4", SWEPT, "train_accuracy", above=True),
    Claim(DEEPER, "t3c_depth_5", "t3c_depth_4", "train_accuracy", above=True),
    *(Claim(NO_DEEPER, one, SWEPT, "accuracy", above=False, bound=HARDLY) for one in ("t3c_depth_4", "t3c_depth_5")),
    *(Claim(FEWER, f"t3c_branches_{most}", SWEPT, "accuracy", above=True) for most in (2, 3, 4)),
)
"""What `002_…` says of T3C. C5.0, of which it says the same as of C4.5, is not built."""

READING = (
    "Classification accuracy is that of the training rows, generalization accuracy and performance that of the test "
    f"rows, as T3's authors use the words. No worse and no better are by less than {HARDLY:g} point: the document "
    "gives no figures. C5.0, of which it says the same as of C4.5, is not among the builders."
)
STEP_COLUMNS = (
    *("sweep", "step", "builder", "n", "train_difference", "train_low", "train_high"),
    *("test_difference", "test_low", "test_high", "nodes_ratio", "nodes_low", "nodes_high"),
)
OPTIMUM_COLUMNS = (
    *("source", "part", "printed", "exhaustive", "n", "proven", "not_optimal"),
    *("printed_train_accuracy", "train_accuracy", "printed_test_accuracy", "test_accuracy"),
)
MORE = 1e-9
"""By which objectives differ that are not the same."""


@dataclass(frozen=True)
class Step:
    """A step of a sweep held against the builder that is swept, paired by data set: accuracies in points."""

    sweep: str
    step: str
    builder: str
    train: Estimate
    test: Estimate
    nodes: Estimate


@dataclass(frozen=True)
class Optimum:
    """A printed algorithm held against the search among all trees of its form, on one data set.

    splits : on which neither failed; proven : of these, where the search ended
    worse  : of these, where the printed tree has more training errors
    """

    printed: Score
    exhaustive: Score
    splits: int
    proven: int
    worse: int


@dataclass(frozen=True)
class Summary(Tested):
    """Where each builder stands, what became of the claims, how far print is from optimal, and what was written."""

    standings: tuple[Standing, ...]
    rulings: tuple[Ruling, ...]
    optima: tuple[Optimum, ...]

    def screen(self, width: int) -> list[RenderableType]:  # noqa: ARG002 - it fits all
        """A line a builder, a line a claim, and a line for each printed algorithm beside its optimum."""
        return [
            standings_screen(self.standings),
            "",
            claims_screen(self.rulings),
            Text(LEGEND, style="dim"),
            *(Text(line) for line in _beside_the_optimum(self.optima)),
            *failures(self.scores),
        ]


def summarise(parts: Mapping[str, Sequence[Part]], builders: Sequence[str], folder: Path) -> Summary:
    """Write `t3c_vs_c45`, `claims`, `sweeps` and `optima` beside `accuracies` and `classes`, and the figure."""
    found = summarise_accuracies(parts, builders, folder)
    stand, claims = standings(found.scores, builders), rulings(found.scores, CLAIMS)
    swept, best = steps(found.scores), optima(found.scores)
    documents = (
        standing_table("t3c_vs_c45", "T2, T3 and T3C beside the first builder", stand, builders[0]),
        claim_table("Claims of 002 on T3C", claims, READING),
        _step_table(swept),
        _optimum_table(best),
    )
    for document in documents:
        document.write(folder)
    from pipeline.summaries.t3c_vs_c45_figure import draw

    figures = draw(stand, swept, folder)
    return Summary(found.scores, (*documents, *found.documents), figures, stand, claims, best)


def steps(scores: Sequence[Score]) -> tuple[Step, ...]:
    """The steps of all sweeps whose builder was tested on a data set together with the one that is swept."""
    found = []
    for sweep, builders in SWEEPS.items():
        for step, builder in builders.items():
            train = difference(scores, builder, SWEPT, "train_accuracy")
            test = difference(scores, builder, SWEPT, "accuracy")
            nodes = difference(scores, builder, SWEPT, "nodes")
            if train and test and nodes:
                found.append(Step(sweep, step, builder, train, test, nodes))
    return tuple(found)


def optima(scores: Sequence[Score]) -> tuple[Optimum, ...]:
    """Each printed algorithm beside its optimum, by data set."""
    by_name = {(one.source, one.part, one.builder): one for one in scores}
    found = []
    for one in scores:
        other = by_name.get((one.source, one.part, OPTIMA.get(one.builder, "")))
        if other is None:
            continue
        objective = {(row["repeat"], row["fold"]): row["objective"] for row in one.rows if row["status"] == "ok"}
        both = [row for row in other.rows if row["status"] == "ok" and (row["repeat"], row["fold"]) in objective]
        proven = [row for row in both if row["optimal"]]
        worse = [row for row in proven if objective[row["repeat"], row["fold"]] > row["objective"] + MORE]
        found.append(Optimum(one, other, len(both), len(proven), len(worse)))
    return tuple(found)


def _beside_the_optimum(found: Sequence[Optimum]) -> list[str]:
    lines = []
    for printed in OPTIMA:
        of_it = [one for one in found if one.printed.builder == printed]
        proven, worse = sum(one.proven for one in of_it), sum(one.worse for one in of_it)
        if proven:
            fits = sum(one.splits for one in of_it)
            lines.append(
                f"{printed} has more training errors than the best tree of its form in {worse} of the {proven} fits "
                f"(of {fits}) in which that one was proven"
            )
    return lines


def _step_table(found: Sequence[Step]) -> SummaryTable:
    rows: list[tuple[Value, ...]] = []
    for one in found:
        points = (value for kind in (one.train, one.test) for value in (kind.mean, kind.low, kind.high))
        ratio = (None if value is None else 10**value for value in (one.nodes.mean, one.nodes.low, one.nodes.high))
        rows.append((one.sweep, one.step, one.builder, one.test.n, *points, *ratio))
    note = (
        f"n: data sets. Differences of accuracy to {SWEPT}, in points, and ratios of nodes, paired by data set, with "
        "95 % normal intervals low to high; train: of the rows that were learnt from."
    )
    return SummaryTable("sweeps", "T3C of more and fewer levels, branches and errors", STEP_COLUMNS, rows, note)


def _optimum_table(found: Sequence[Optimum]) -> SummaryTable:
    rows: list[tuple[Value, ...]] = []
    for one in found:
        means = (
            score.mean(measure)
            for measure in ("train_accuracy", "test_accuracy")
            for score in (one.printed, one.exhaustive)
        )
        named = (one.printed.source, one.printed.part, one.printed.builder, one.exhaustive.builder)
        rows.append((*named, one.splits, one.proven, one.worse, *means))
    note = (
        "n: splits on which neither failed; proven: of these, where the search among all trees of the form ended; "
        "not_optimal: of these, where the printed tree has more training errors. Accuracies are means over the splits; "
        "where the search was not done, the exhaustive tree is the best that it had found, at least the printed one."
    )
    return SummaryTable("optima", "Printed algorithms beside the best trees of their form", OPTIMUM_COLUMNS, rows, note)
