"""The tables of exact solvers, and the questions behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipeline.grids.solvers.standings import SAME, Fit, Problem, Standing
from pipeline.screen import counted
from pipeline.summary.tables import SummaryTable, Value

__all__ = ["of_fits", "of_instances", "of_solvers"]

COLUMNS = (
    *("source", "part", "attributes", "max_depth", "rows", "solver", "errors", "splits", "objective", "bound"),
    *("proven", "seconds", "status", "verdict", "error"),
)
STANDING_COLUMNS = (
    *("solver", "first", "version", "asked", "proven", "not_proven", "skipped", "failed", "common", "times_the_first"),
    *("quicker_than_the_first", "contradicted"),
)
FITS = (
    "with fits as (\n  select *, parameters ->> 'attributes' as attributes, (parameters ->> 'max_depth')::int as "
    "max_depth, coalesce(optimal, false) as proven,\n    min(objective) over (partition by source, part, attributes, "
    "max_depth) as least_objective from results)\n"
)
"""What each solver made of each instance, and the least objective of a tree that any found for it."""
SOLVER_QUESTION = (
    f"{FITS}select count(*) filter (where f.status <> 'skipped') as asked, count(*) filter (where f.proven) as proven, "
    "count(*) filter (where not f.proven and f.status not in ('skipped', 'failed', 'killed')) as not_proven,\n"
    "  count(*) filter (where f.status = 'skipped') as skipped, "
    "count(*) filter (where f.status in ('failed', 'killed')) as failed,\n"
    "  count(*) filter (where f.proven and o.proven) as common, "
    "exp(avg(ln(f.build_seconds / o.build_seconds)) filter (where f.proven and o.proven)) as times_the_first,\n"
    "  count(*) filter (where f.proven and o.proven and f.build_seconds < o.build_seconds) as quicker_than_the_first, "
    f"count(*) filter (where f.bound > f.least_objective + {SAME}) as contradicted\n"
    "from fits f join fits o using (source, part, attributes, max_depth) "
    "where f.builder = {solver} and o.builder = {first}"
)
OF_INSTANCE = "where source = {source} and part = {part} and attributes = {attributes} and max_depth = {max_depth}"
INSTANCE_QUESTION = (
    f"{FITS}select attributes, max_depth, builder, objective, bound, proven, build_seconds, status, error, "
    f"least_objective\nfrom fits {OF_INSTANCE}"
)
FIT_QUESTION = (
    f"{FITS}select rows, round((1 - train_accuracy) * rows) as errors, nonterminal_nodes as splits, objective, bound, "
    f"if(objective is null, null, lower(proven::varchar)) as proven, build_seconds as seconds, status, error\n"
    f"from fits {OF_INSTANCE} and builder = {{solver}}"
)


def of_solvers(standings: Sequence[Standing], versions: Mapping[str, str]) -> SummaryTable:
    """A row for each solver; `versions` of those that are not ours."""
    first = standings[0].solver
    rows: list[tuple[Value, ...]] = [
        (
            *(one.solver, first, versions.get(one.solver, "ours"), one.asked, len(one.proven), one.not_proven),
            *(one.skipped, one.failed, len(one.ratios), one.ratio, sum(ratio < 1 for ratio in one.ratios)),
            one.contradicted,
        )
        for one in standings
    ]
    note = (
        f"asked: instances that the solver could be asked to solve; proven: that it says it solved. times_the_first: "
        f"geometric mean of its seconds over those of {first}, on the `common` instances that both "
        "proved; seconds of a call of fit each, on the clock (of a short one the least of five), beside whatever else "
        "the machine did, so that small differences mean nothing. contradicted: instances on which a tree was found "
        "that its proof excludes."
    )
    return SummaryTable(
        "solvers", "What each solver proves, and how fast", STANDING_COLUMNS, rows, note, SOLVER_QUESTION
    )


def of_instances(problems: Sequence[Problem], solvers: Sequence[str]) -> SummaryTable:
    """A row for each instance, a column for each solver."""
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
    return SummaryTable(
        "instances", "Instances by solvers", columns, _with_gaps(rows, problems), note, INSTANCE_QUESTION
    )


def _with_gaps(rows: list[tuple[Value, ...]], problems: Sequence[Problem]) -> list[tuple[Value, ...]]:
    """The rows, the cells of trees that are not the best found telling by how much."""
    found = []
    for row, problem in zip(rows, problems, strict=True):
        cells = list(row)
        for place, fit in enumerate(problem.fits, start=5):
            if not fit.proven and fit.objective is not None and problem.least is not None:
                above = fit.objective - problem.least
                if problem.least:
                    cells[place] = f"{cells[place]} (+{100 * above / problem.least:.1f} %)"
        found.append(tuple(cells))
    return found


def _cell(fit: Fit) -> str:
    if fit.proven:
        return f"{fit.seconds:.4f}"
    return f"> {fit.seconds:.3g}" if fit.objective is not None else str(fit.row["status"])


def of_fits(problems: Sequence[Problem]) -> SummaryTable:
    """A row for each instance and solver."""
    rows: list[tuple[Value, ...]] = [
        (
            *(problem.source, problem.part, problem.attributes, problem.max_depth, fit.row["rows"], fit.solver),
            *(fit.errors, fit.row["nonterminal_nodes"], fit.objective, fit.row["bound"]),
            *(None if fit.objective is None else str(fit.proven).lower(), fit.row["build_seconds"]),
            *(fit.row["status"], _verdict(problem, fit), fit.row["error"]),
        )
        for problem in problems
        for fit in problem.fits
    ]
    note = (
        f"n = {counted(len(problems), 'instance')}. errors, splits and objective are counted here, of the tree "
        "that was left. verdict: that of the instance, of fits whose proof or bound it is about."
    )
    return SummaryTable("fits", "Every solver on every instance", COLUMNS, rows, note, FIT_QUESTION)


def _verdict(problem: Problem, fit: Fit) -> str | None:
    """The verdict of the instance, for a fit that has part in it."""
    ruled = problem.verdict is not None and (fit.proven or problem.contradicted(fit))
    return str(problem.verdict) if ruled else None
