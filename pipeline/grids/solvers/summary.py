"""The summary of exact solvers: whether their proofs agree on each instance, and each solver over all instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from pipeline.drawing.figures import INK, fitted, label
from pipeline.drawing.frame import Inches, framed, further_lines
from pipeline.drawing.looks import look_of
from pipeline.drawing.marks import few_ticks, log_axis
from pipeline.grammar.columns import Key, Known, Row, Value, titled
from pipeline.grammar.findings import listed, listing
from pipeline.grammar.notable_trees import drawable, errors_in_words, notable
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import Table
from pipeline.grid import NotableTree
from pipeline.sql import literal
from pipeline.summary.verdicts import Verdict
from pipeline.words import counted, out_of, readable

SAME = 1e-9
"""Differences of objectives up to this are rounding errors."""
FAILED = "('failed', 'killed')"
INSTANCE = ("source", "part", "attributes", "max_depth")

VIEWS = {
    "asked": """select *, parameters ->> 'attributes' as attributes, (parameters ->> 'max_depth')::int as max_depth,
  coalesce(optimal, false) as proven
from results""",
    "bounded": f"""select *, min(objective) over (partition by {", ".join(INSTANCE)}) as least_objective,
  coalesce(bound > least_objective + {SAME}, false) as contradicted
from asked""",
    "steps": """select source, part, builder, parameters, seconds, least(step[1], seconds) as start,
  min(step[2]) over trace as objective, least(coalesce(lead(step[1]) over trace, seconds), seconds) as until
from (select source, part, builder, parameters, (parameters ->> 'time_limit')::double as seconds,
  unnest(from_json(trace_seconds, '[["DOUBLE"]]')) as step from traces where trace_seconds is not null)
window trace as (partition by source, part, builder, parameters order by step[1])""",
    "integrated": f"""select source, part, builder, parameters, min(start) + sum((until - start) *
  if(steps.objective > least_objective + {SAME}, 1 - least_objective / steps.objective, 0)) as integral
from steps join (select distinct source, part, builder, parameters, least_objective from bounded)
using (source, part, builder, parameters) group by all""",
    "timed": f"""select bounded.*, case when status not in ('skipped', 'failed', 'killed')
  then coalesce(integral, (parameters ->> 'time_limit')::double) end as primal_integral,
  coalesce(primal_integral <= min(primal_integral) over (partition by {", ".join(INSTANCE)}), false) as soonest
from bounded left join integrated using (source, part, builder, parameters)""",
    "solved": f"""select *, case when bool_or(contradicted) over instance then '{Verdict.DIFFERS}'
  when count(*) filter (where proven) over instance > 1 then '{Verdict.AGREES}' end as verdict,
  case when proven then printf('%.4f', build_seconds) when objective is null then status
    when least_objective = 0 then printf('> %.3g', build_seconds)
    else printf('> %.3g (+%.1f %%)', build_seconds, 100 * (objective - least_objective) / least_objective)
  end as outcome
from timed window instance as (partition by {", ".join(INSTANCE)})""",
}
"""Views: the result of each solver on each instance, the least objective of any tree found, the primal integral of each
solver up to its time limit, and whether proofs agree.

Proofs contradict each other if a tree is better than a solver's bound. They agree if two trees are proven optimal.
"""

SOLVERS = Table(
    "solvers",
    "What each solver proves, and how fast",
    of=f"solved f join solved o using ({', '.join(INSTANCE)})",
    among="o.builder = (select name from competitors where place = 0)",
    columns=[
        Key("solver", "f.builder"),
        Key("first", "o.builder"),
        Known("version"),
        Value("asked", "count(*) filter (where f.status <> 'skipped')"),
        Value("proven", "count(*) filter (where f.proven)"),
        Value("not_proven", "count(*) filter (where not f.proven and f.status not in ('skipped', 'failed', 'killed'))"),
        Value("skipped", "count(*) filter (where f.status = 'skipped')"),
        Value("failed", f"count(*) filter (where f.status in {FAILED})"),
        Value("common", "count(*) filter (where f.proven and o.proven)"),
        Value(
            "times_the_first", "exp(avg(ln(f.build_seconds / o.build_seconds)) filter (where f.proven and o.proven))"
        ),
        Value(
            "quicker_than_the_first",
            "count(*) filter (where f.proven and o.proven and f.build_seconds < o.build_seconds)",
        ),
        Value("contradicted", "count(*) filter (where f.contradicted)"),
        Value("primal_integral", "avg(f.primal_integral)"),
        Value("least_integral", "count(*) filter (where f.soonest)"),
    ],
    beside="ours join competitors on competitors.name = solver",
    order="place",
    note=lambda rows: (
        "asked: instances that the solver accepts; proven: instances that it reports as solved. times_the_first: "
        f"geometric mean of its seconds divided by those of {rows[0]['first'] if rows else 'the first'}, on the "
        "`common` instances that both proved. Seconds are wall-clock seconds of a call of fit (for short calls the "
        "least of five); other work on the machine adds to them, so small differences mean nothing. contradicted: "
        "instances on which some tree is better than the bound of this solver. primal_integral: mean, in seconds, over "
        "the instances asked on which the solver did not fail, of the primal gap integrated up to the time limit "
        "(Berthold 2013): the gap is 1 before the first tree, then (objective - least) / objective, with the least "
        "objective that any solver found. "
        "least_integral: instances on which no other solver has a smaller primal integral. For peers, it is computed "
        "from the trees that calls with 1, 10 and 100 % of the time limit return."
    ),
)
FITS = Table(
    "fits",
    "Every solver on every instance",
    of="solved",
    columns=[
        *map(Key, INSTANCE),
        Value("rows"),
        Key("solver", "builder"),
        Value("errors", "any_value(round((1 - train_accuracy) * rows)::bigint)"),
        Value("splits", "any_value(nonterminal_nodes)"),
        Value("objective"),
        Value("bound"),
        Value("proven", "any_value(if(objective is null, null, proven::varchar))"),
        Value("seconds", "any_value(build_seconds)"),
        Value("primal_integral"),
        Value("status"),
        Value("verdict", "any_value(if(proven or contradicted, verdict, null))"),
        Value("error"),
        Value("_proven", "any_value(proven)"),
    ],
    order="_position",
    note=lambda rows: (
        f"n = {counted(len({_instance(row) for row in rows}), 'instance')}. Orchard counts errors, splits and "
        "objective of the tree that the solver returned. verdict: that of the instance, if the fit is a proof or its "
        "bound is contradicted; else empty."
    ),
)


def instances(context: Mapping[str, Any]) -> Table:
    """A row for each instance, a column for each solver."""
    solvers = [row["name"] for row in context["competitors"]]
    outcomes = [Value(name, f"any_value(outcome) filter (where builder = {literal(name)})") for name in solvers]
    return Table(
        "instances",
        "Instances by solvers",
        of="solved",
        columns=[*map(Key, INSTANCE), Value("least_objective"), *outcomes, Value("verdict")],
        order="_position",
        note="A column for each solver: the seconds until it proved its tree optimal; `> s` if it ended after s "
        "seconds without a proof, with the excess of its objective over the least that any solver found; else its "
        "status. verdict: `agrees` if two or more solvers prove the same least objective; `differs` if some solver "
        "found a tree that a proof excludes. Objectives are computed from the predictions of each tree for the "
        "training rows.",
    )


def _finding(results: Results) -> list[str]:
    """State whether proofs agree, how much each solver proves, and which is fastest beside the first."""
    first, *others = results.rows(SOLVERS)
    counts = [f"{row['solver']} proves {row['proven']} of {row['asked']}" for row in (first, *others) if row["asked"]]
    timed = [row for row in others if row["times_the_first"] is not None]
    sentences = [agreeing(results.tables["instances"]), listed(counts)]
    if timed:
        row = min(timed, key=lambda row: row["times_the_first"])
        on = counted(row["common"], "instance")
        times = f"{row['times_the_first']:.3g} times as long as {first['solver']}"
        sentences.append(f"{row['solver']} takes {times} on {on} that both prove")
    return sentences


def agreeing(instances: Sequence[Row]) -> str:
    """The number of instances with several proofs on which these agree, in words."""
    verdicts = [row["verdict"] for row in instances if row["verdict"]]
    if not verdicts:
        return "No instance has two proofs"
    agree = out_of(verdicts.count(Verdict.AGREES), len(verdicts), "instance")
    return f"The proofs agree on {agree} with two or more proofs"


def _screen(results: Results, _: int) -> list[RenderableType]:
    """A line for each solver, then the verdict, with contradictions by name."""
    solvers, instances = results.rows(SOLVERS), results.tables["instances"]
    first = solvers[0]["solver"] if solvers else ""
    shown = listing(
        f"Exact solvers on {counted(len(instances), 'instance')}",
        ("", "asked", "proven", "skipped", "failed", f"time / {first}'s", "proven by both", "primal integral, s"),
        [
            [
                *(row[name] for name in ("solver", "asked", "proven", "skipped", "failed")),
                "" if row["times_the_first"] is None else f"{row['times_the_first']:.3g}",
                row["common"],
                "" if row["primal_integral"] is None else f"{row['primal_integral']:.3g}",
            ]
            for row in solvers
        ],
    )
    lines = [Text(agreeing(instances), style="dim")]
    for instance in instances:
        if instance["verdict"] == Verdict.DIFFERS:
            proofs = ", ".join(
                f"{fit['solver']} {fit['objective']:.9g}{' proven' if fit['_proven'] else ''}"
                for fit in results.rows(FITS)
                if _instance(fit) == _instance(instance) and fit["objective"] is not None
            )
            lines.append(Text(f"DIFFERS: {_title(instance)}: {proofs}", style="bold red"))
    return [shown, *lines]


def _trees(results: Results) -> list[NotableTree]:
    """The largest proven tree of ours, and the tree of ours furthest above the least objective on any instance."""
    ours = "builder in (select name from competitors where version = 'ours')"
    rows = list(filter(drawable, results.query(f"from solved where {ours} order by position")))
    largest = max((row for row in rows if row["proven"]), key=lambda row: int(row["terminal_nodes"]), default=None)
    worst = max((row for row in rows if _above(row) > SAME), key=_above, default=None)
    return [
        notable(row, f"{errors_in_words(row)}, {quality}, depth {row['max_depth']}")
        for row, quality in ((largest, "proven best"), (worst, "not the best known"))
        if row
    ]


def _above(row: Row) -> float:
    """The distance of a tree's objective from the least found."""
    return 0.0 if row["objective"] is None else float(row["objective"] - row["least_objective"])


def _instance(row: Row) -> tuple[str, ...]:
    return tuple(row[name] for name in INSTANCE)


def _title(row: Row) -> str:
    """The name of an instance."""
    return f"{titled(row)}, {row['attributes']}, depth {row['max_depth']}"


WIDTH, PANEL, KEY_LINE, KEYS_IN_A_LINE = 6.2, 3.6, 0.24, 2
"""In inches: the width of the figure, the height of its panel, and of a line of its key."""


def _draw(results: Results, folder: Path) -> tuple[Path, ...]:
    """Draw `solvers.svg` and `.png` and return their paths; nothing if nothing was proved."""
    solvers, fits, instances = results.rows(SOLVERS), results.rows(FITS), len(results.tables["instances"])
    shown = [row for row in solvers if row["proven"]]
    if not shown:
        return ()
    seconds = {
        row["solver"]: sorted(fit["seconds"] for fit in fits if fit["solver"] == row["solver"] and fit["_proven"])
        for row in shown
    }
    end = 1.15 * max(own[-1] for own in seconds.values())
    subtitle = (
        f"instances proved optimal within each time, of {instances} (dashed line)\nn of m: proved, of those that the "
        "solver accepts"
    )
    above = 0.8 + further_lines("", subtitle) + KEY_LINE * -(-len(shown) // KEYS_IN_A_LINE)
    inches = Inches(WIDTH, above + PANEL + 0.62, left=0.71, above=above, below=0.62)
    with framed(folder, "solvers", "Instances proved optimal, by time", subtitle, inches) as frame:
        axes = frame.panel
        axes.set_xscale("log")
        for row in sorted(shown, key=lambda row: -row["proven"]):
            own, look = seconds[row["solver"]], look_of(row["solver"])
            line = axes.plot(
                [own[0], *own, end],
                [0, *range(1, len(own) + 1), len(own)],
                drawstyle="steps-post",
                color=look.colour,
                linestyle=look.line,
                linewidth=2.2 if row is solvers[0] else 1.5,
                label=f"{fitted(row['solver'], 20)}: {row['proven']} of {row['asked']}",
            )
            proven = f"{readable(row['solver'])}: {row['proven']} of {row['asked']} proved"
            text = f"{proven}, the last after {own[-1]:.3g} seconds"
            label(line, text, row, solver=row["solver"])
        axes.axhline(instances, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
        axes.set_ylim(0, 1.04 * instances)
        axes.set_xlim(right=end)
        log_axis(axes.xaxis)
        few_ticks(axes.yaxis, 8, integer=True)
        axes.set_xlabel("wall-clock seconds of a call of fit")
        axes.set_ylabel("instances proved")
        frame.key(axes.lines[: len(shown)], KEYS_IN_A_LINE)
    return frame.files


SUMMARY = Summary(
    tables=(SOLVERS, instances, FITS),
    views=VIEWS,
    finding=_finding,
    screen=_screen,
    figures=(_draw,),
    trees=_trees,
    failed=f"status in {FAILED}",
    failures_in="fits",
    has_results=lambda results: any(row["least_objective"] is not None for row in results.tables["instances"]),
    nothing="No solver returned a tree.",
)
