"""The summary of T2, T3 and T3C beside C4.5: the claims of `002_…`, its future work as sweeps, and the true optimum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from pipeline.grammar.claims import HARDLY, Claim, Ruling, claim_table, claims_screen, ruled, rulings
from pipeline.grammar.comparison.accuracies import Tested, failures, splits_of
from pipeline.grammar.comparison.accuracies import summarise as summarise_accuracies
from pipeline.grammar.notable_trees import drawable, notable, wrong
from pipeline.grammar.standings import Standing, most_accurate, standing_table, standings, standings_screen
from pipeline.grid import NotableTree
from pipeline.grids.t3c_vs_c45.steps import OPTIMA, SWEPT, Optimum, better, optima, steps
from pipeline.grids.t3c_vs_c45.tables import optimum_table, step_table
from pipeline.storage.parts import Part

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["CLAIMS", "Summary", "summarise"]

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


@dataclass(frozen=True)
class Summary(Tested):
    """Where each builder stands, what became of the claims, how far print is from optimal, and what was written."""

    standings: tuple[Standing, ...]
    rulings: tuple[Ruling, ...]
    optima: tuple[Optimum, ...]

    @property
    def finding(self) -> str:
        """How many claims agree, how far print's trees are from the best of their form, what is the most accurate."""
        said = (ruled(self.rulings, "002"), *_beside_the_optimum(self.optima), most_accurate(self.standings))
        return self.found(*said)

    @property
    def trees(self) -> tuple[NotableTree, ...]:
        """Of each printed algorithm the tree that is furthest from a proven best of its form, and that one."""
        splits = splits_of(self.scores)
        found: list[NotableTree] = []
        for printed, exhaustive in OPTIMA.items():
            pairs = [(split[printed], split[exhaustive]) for split in splits if {printed, exhaustive} <= set(split)]
            pairs = [(one, best) for one, best in pairs if drawable(one) and drawable(best) and better(one, best)]
            pair = max(pairs, key=lambda pair: pair[0]["objective"] - pair[1]["objective"], default=())
            found += [notable(row, wrong(row)) for row in pair]
        return tuple(found)

    def screen(self, width: int) -> list[RenderableType]:  # noqa: ARG002 - it fits all
        """A line a builder, a line a claim, and a line for each printed algorithm beside its optimum."""
        return [
            standings_screen(self.standings),
            *claims_screen(self.rulings),
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
        step_table(swept),
        optimum_table(best),
    )
    for document in documents:
        document.write(folder)
    from pipeline.grids.t3c_vs_c45.figure import draw

    figures = draw(stand, swept, folder)
    return Summary(found.scores, (*documents, *found.documents), figures, stand, claims, best)


def _beside_the_optimum(found: Sequence[Optimum]) -> list[str]:
    lines = []
    for printed in OPTIMA:
        of_it = [one for one in found if one.printed.builder == printed]
        proven, worse = sum(one.proven for one in of_it), sum(one.worse for one in of_it)
        if proven:
            fits = sum(one.splits for one in of_it)
            known = (
                f"all {fits} fits" if proven == fits else f"the {proven} fits, of {fits}, in which that one was proven"
            )
            lines.append(f"{printed} has more training errors than the best tree of its form in {worse} of {known}")
    return lines
