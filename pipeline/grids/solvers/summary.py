"""The summary of exact solvers: its tables, its screen, and its figure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from pipeline.grammar.findings import listed
from pipeline.grammar.notable_trees import drawable, notable, wrong
from pipeline.grid import NotableTree
from pipeline.grids.solvers.standings import SAME, Fit, Problem, Standing, problems_of, standings_of
from pipeline.grids.solvers.tables import of_fits, of_instances, of_solvers
from pipeline.screen import counted
from pipeline.storage.parts import Part, read
from pipeline.summary.tables import SummaryTable
from pipeline.summary.verdicts import Verdict

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Summary", "summarise"]


@dataclass(frozen=True)
class Summary:
    """The instances, the solvers, those of them that are not ours, and what was written of them."""

    problems: tuple[Problem, ...]
    standings: tuple[Standing, ...]
    documents: tuple[SummaryTable, ...]
    figures: tuple[Path, ...]
    of_others: Collection[str] = ()

    @property
    def worked(self) -> bool:
        """Whether any solver left a tree."""
        return any(problem.least is not None for problem in self.problems)

    @property
    def finding(self) -> str:
        """Whether proofs agree, how much each solver proves, and who of the others is the quickest beside the first."""
        if not self.worked:
            return "No solver left a tree."
        first, *others = self.standings
        counts = [f"{one.solver} proves {len(one.proven)} of {one.asked}" for one in self.standings if one.asked]
        said = [agreeing(self.problems), listed(counts)]
        timed = [(one.ratio, one) for one in others if one.ratio is not None]
        if timed:
            ratio, one = min(timed, key=lambda pair: pair[0])
            on = counted(len(one.ratios), "instance")
            said.append(f"{one.solver} takes {ratio:.3g} times the seconds of {first.solver} on {on} that both prove")
        return f"{'; '.join(said)}."

    @property
    def trees(self) -> tuple[NotableTree, ...]:
        """The largest proven tree of ours, and the one of ours furthest above the least objective on any instance."""
        ours = [
            (problem, fit)
            for problem in self.problems
            for fit in problem.fits
            if fit.solver not in self.of_others and drawable(fit.row)
        ]
        proven = [pair for pair in ours if pair[1].proven]
        largest = max(proven, key=lambda pair: int(pair[1].row["terminal_nodes"]), default=None)
        behind = [pair for pair in ours if _above(*pair) > SAME]
        worst = max(behind, key=lambda pair: _above(*pair), default=None)
        return tuple(
            notable(pair[1].row, f"{wrong(pair[1].row)}, {said}, depth {pair[0].max_depth}")
            for pair, said in ((largest, "proven best"), (worst, "not the best found"))
            if pair
        )

    def screen(self, width: int) -> list[RenderableType]:  # noqa: ARG002 - it fits all
        """A line a solver, then the verdict; contradictions and failures by name."""
        title = f"Exact solvers on {counted(len(self.problems), 'instance')}"
        shown = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
        first = self.standings[0].solver
        for name in ("", "asked", "proven", "skipped", "failed", f"time / {first}'s", "proven by both"):
            shown.add_column(name, justify="right" if name else "left", no_wrap=True)
        for one in self.standings:
            ratio = "" if one.ratio is None else f"{one.ratio:.3g}"
            counts = (one.asked, len(one.proven), one.skipped, one.failed)
            shown.add_row(Text(one.solver), *map(str, counts), ratio, str(len(one.ratios)))
        lines = [Text(agreeing(self.problems), style="dim")]
        for problem in self.problems:
            if problem.verdict is Verdict.DIFFERS:
                proofs = ", ".join(
                    f"{fit.solver} {fit.objective:.9g}{' proven' if fit.proven else ''}"
                    for fit in problem.fits
                    if fit.objective is not None
                )
                lines.append(Text(f"DIFFERS: {problem.title}: {proofs}", style="bold red"))
        failures = [
            Text(f"{fit.solver} on {problem.title}: {fit.row['status']}: {fit.row['error']}", style="red")
            for problem in self.problems
            for fit in problem.fits
            if fit.row["status"] in {"failed", "killed"}
        ]
        return [shown, *lines, *failures]


def summarise(parts: Iterable[Part], solvers: Sequence[str], versions: Mapping[str, str], folder: Path) -> Summary:
    """Write `solvers`, `instances` and `fits` (.csv, .md), and the figure `solvers`, into folder.

    solvers  : in the order of the rows of an instance; ratios are to the first
    versions : of those that are not ours
    """
    problems = problems_of((row for part in parts for row in read(part).to_pylist()), len(solvers))
    standings = standings_of(problems)
    documents = (of_solvers(standings, versions), of_instances(problems, solvers), of_fits(problems))
    for document in documents:
        document.write(folder)
    from pipeline.grids.solvers.figure import draw

    return Summary(problems, standings, documents, draw(standings, len(problems), folder), versions)


def agreeing(problems: Sequence[Problem]) -> str:
    """On how many instances with several proofs these agree, in words."""
    verdicts = [problem.verdict for problem in problems if problem.verdict]
    if not verdicts:
        return "No instance has two proofs"
    several = counted(len(verdicts), "instance that has", "instances that have")
    return f"Proofs agree on {verdicts.count(Verdict.AGREES)} of {several} several"


def _above(problem: Problem, fit: Fit) -> float:
    """How far the objective of a tree is above the least found."""
    return 0.0 if fit.objective is None or problem.least is None else fit.objective - problem.least
