"""The summary of ways to prune: each beside the first builder on the same data sets, and the claims of `004_…`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.grammar.claims import HARDLY, Claim, Ruling, claim_table, claims_screen, ruled, rulings
from pipeline.grammar.comparison.accuracies import Tested, failures, splits_of
from pipeline.grammar.comparison.accuracies import summarise as summarise_accuracies
from pipeline.grammar.notable_trees import no_worse_but_smaller
from pipeline.grammar.standings import Standing, most_accurate, standing_table, standings, standings_screen
from pipeline.grid import NotableTree
from pipeline.storage.parts import Part

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["CLAIMS", "Summary", "summarise"]

GROWN, PRE_PRUNED = "generate_tree", "pre_pruned"
POST_PRUNED = ("reduced_error", "pessimistic", "cost_complexity")

CLAIMS = (
    *(Claim("postpruning is more accurate than prepruning", one, PRE_PRUNED, "accuracy", True) for one in POST_PRUNED),
    *(Claim("prepruning is faster", PRE_PRUNED, one, "build_seconds", False) for one in POST_PRUNED),
    Claim("a forest is more accurate than its trees", "random_forest", GROWN, "accuracy", True),
    Claim("a forest is more accurate than a pruned tree", "random_forest", "cost_complexity", "accuracy", True),
    Claim("multivariate nodes are hardly justified", "logistic_tree", GROWN, "accuracy", False, HARDLY),
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


NO_FIGURES = f"The document gives no figures: that {HARDLY:g} point is what counts as hardly is ours."


@dataclass(frozen=True)
class Summary(Tested):
    """Where each builder stands, what became of the claims, and what was written."""

    standings: tuple[Standing, ...]
    rulings: tuple[Ruling, ...]

    @property
    def finding(self) -> str:
        """How many claims agree, and what is the most accurate."""
        return self.found(ruled(self.rulings, "004"), most_accurate(self.standings))

    @property
    def trees(self) -> tuple[NotableTree, ...]:
        """A grown tree and what is left of it, where pruning takes most and costs no accuracy: after and before."""
        splits = splits_of(self.scores)
        of_post, of_pre = (
            next(filter(None, (no_worse_but_smaller(splits, GROWN, one) for one in ways)), ())
            for ways in (reversed(POST_PRUNED), (PRE_PRUNED,))
        )
        return (*of_post, *of_pre)

    def screen(self, width: int) -> list[RenderableType]:  # noqa: ARG002 - it fits all
        """A line a builder, then a line a claim."""
        return [
            standings_screen(self.standings),
            *claims_screen(self.rulings),
            *failures(self.scores),
        ]


def summarise(parts: Mapping[str, Sequence[Part]], builders: Sequence[str], folder: Path) -> Summary:
    """Write `pruning` and `claims` beside `accuracies` and `classes` (.csv and .md), and the figure `pruning`."""
    found = summarise_accuracies(parts, builders, folder)
    stand, claims = standings(found.scores, builders), rulings(found.scores, CLAIMS)
    documents = (
        standing_table("pruning", "Accuracy, size and time of each builder", stand, builders[0]),
        claim_table("Claims of 004 on pruning, forests and multivariate trees", claims, NO_FIGURES),
    )
    for document in documents:
        document.write(folder)
    from pipeline.grids.pruning.figure import draw

    figures = draw(stand, folder)
    return Summary(found.scores, (*documents, *found.documents), figures, stand, claims)
