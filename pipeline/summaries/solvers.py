"""The summary of exact solvers: its tables, its screen, and its figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from pipeline.storage.parts import Part, read
from pipeline.summaries.solver_standings import Fit, Problem, Standing, problems_of, standings_of
from pipeline.summaries.tables import SummaryTable, Value
from pipeline.summaries.verdicts import Verdict

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Summary", "summarise"]

COLUMNS = (
    *("source", "part", "attributes", "max_depth", "rows", "solver", "errors", "splits", "objective", "bound"),
    *("proven", "seconds", "status", "verdict", "error"),
)
STANDING_COLUMNS = (
    *("solver", "version", "asked", "proven", "not_proven", "skipped", "failed", "common", "times_the_first"),
    *("quicker_than_the_first", "contradicted"),
)


@dataclass(frozen=True)
class Summary:
    """The instances, the solvers, and what was written of them."""

    problems: tuple[Problem, ...]
    standings: tuple[Standing, ...]
    documents: tuple[SummaryTable, ...]
    figures: tuple[Path, ...]

    @property
    def worked(self) -> bool:
        """Whether any solver left a tree."""
        return any(problem.least is not None for problem in self.problems)

    def screen(self, width: int) -> list[RenderableType]:  # noqa: ARG002 - it fits all
        """A line a solver, then the verdict; contradictions and failures by name."""
        title = f"Exact solvers on {len(self.problems)} instances"
        shown = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
        first = self.standings[0].solver
        for name in ("", "asked", "proven", "skipped", "failed", f"time / {first}'s", "proven by both"):
            shown.add_column(name, justify="right" if name else "left", no_wrap=True)
        for one in self.standings:
            ratio = "" if one.ratio is None else f"{one.ratio:.3g}"
            counts = (one.asked, len(one.proven), one.skipped, one.failed)
            shown.add_row(Text(one.solver), *map(str, counts), ratio, str(len(one.ratios)))
        agreeing = sum(problem.verdict is Verdict.AGREES for problem in self.problems)
        lines = [Text(f"{agreeing} instances have two proofs or more that agree", style="dim")]
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
    documents = (_of_solvers(standings, versions), _of_instances(problems, solvers), _of_fits(problems))
    for document in documents:
        document.write(folder)
    from pipeline.summaries.solvers_figure import draw

    return Summary(problems, standings, documents, draw(standings, len(problems), folder))


def _of_solvers(standings: Sequence[Standing], versions: Mapping[str, str]) -> SummaryTable:
    rows: list[tuple[Value, ...]] = [
        (
            *(one.solver, versions.get(one.solver, "ours"), one.asked, len(one.proven), one.not_proven),
            *(one.skipped, one.failed, len(one.ratios), one.ratio, sum(ratio < 1 for ratio in one.ratios)),
            one.contradicted,
        )
        for one in standings
    ]
    note = (
        f"asked: instances that the solver could be asked to solve; proven: that it says it solved. times_the_first: "
        f"geometric mean of its seconds over those of {standings[0].solver}, on the `common` instances that both "
        "proved; seconds of a call of fit each, on the clock (of a short one the least of five), beside whatever else "
        "the machine did, so that small differences mean nothing. contradicted: instances on which a tree was found "
        "that its proof excludes."
    )
    return SummaryTable("solvers", "What each solver proves, and how fast", STANDING_COLUMNS, rows, note)


def _of_instances(problems: Sequence[Problem], solvers: Sequence[str]) -> SummaryTable:
    rows: list[tuple[Value, ...]] = [
        (
            *(problem.source, problem.part, problem.attributes, problem.max_depth, problem.least),
            *(_cell(fit) for fit in problem.fits),
            None if problem.verdict is None else str(problem.verdict),
        )
        for problem in problems
    ]
    note = (
        "By solver: seconds until it proved its tree best; `> s` where it ended after s without a proof, with how much "
        "the objective of its tree is above the least found; what it is else. verdict: `agrees` where two or more "
        "prove the same least objective; `differs` where a tree was found that a proof excludes. Objectives are "
        "counted from what each tree predicts for the training rows."
    )
    columns = ("source", "part", "attributes", "max_depth", "least_objective", *solvers, "verdict")
    return SummaryTable("instances", "Instances by solvers", columns, _with_gaps(rows, problems), note)


def _with_gaps(rows: list[tuple[Value, ...]], problems: Sequence[Problem]) -> list[tuple[Value, ...]]:
    """The rows, the cells of trees that are not the best found telling by how much."""
    found = []
    for row, problem in zip(rows, problems, strict=True):
        cells = list(row)
        for place, fit in enumerate(problem.fits, start=5):
            if not fit.proven and fit.objective is not None and problem.least is not None:
                above = fit.objective - problem.least
                cells[place] = f"{cells[place]} (+{above / problem.least:.1%})" if problem.least else cells[place]
        found.append(tuple(cells))
    return found


def _cell(fit: Fit) -> str:
    if fit.proven:
        return f"{fit.seconds:.4f}"
    return f"> {fit.seconds:.3g}" if fit.objective is not None else str(fit.row["status"])


def _of_fits(problems: Sequence[Problem]) -> SummaryTable:
    rows: list[tuple[Value, ...]] = [
        (
            *(problem.source, problem.part, problem.attributes, problem.max_depth, fit.row["rows"], fit.solver),
            *(fit.errors, fit.row["nonterminal_nodes"], fit.objective, fit.row["bound"]),
            *(None if fit.objective is None else str(fit.proven).lower(), fit.row["build_seconds"]),
            *(fit.row["status"], None if problem.verdict is None else str(problem.verdict), fit.row["error"]),
        )
        for problem in problems
        for fit in problem.fits
    ]
    note = f"n = {len(problems)} instances. errors, splits and objective are counted here, of the tree that was left."
    return SummaryTable("fits", "Every solver on every instance", COLUMNS, rows, note)
