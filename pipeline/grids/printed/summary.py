"""The printed table beside ours: a verdict for each figure, and the claims about impossible ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from pipeline.grammar.columns import TITLE, Key, Known, Mean, Printed, Row, Value
from pipeline.grammar.comparison.printed import UNJUDGED, beside_printed, drawn_beside, legend_of
from pipeline.grammar.comparison.printed_values import MEASURES, precisions
from pipeline.grammar.comparison.sections import comparison
from pipeline.grammar.findings import MARKS, agreement, does, mark
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import Table
from pipeline.printed_table.claim import Possibility
from pipeline.printed_table.figure import ALL, MEAN
from pipeline.printed_table.measures import MEAN_PRECISION
from pipeline.sql import literal
from pipeline.summary.rounding import TEXT
from pipeline.summary.tables import Layout, Pair
from pipeline.summary.verdicts import MISPRINT, Tolerance, Verdict, rule
from pipeline.words import counted, first_of

NAME = "printed_table"
SHARE = Tolerance(rounding=0.0, share=0.0)
"""Tolerance of figures whose rounding is given with each."""
RULE = rule(
    "the difference is significant (two-sided at 5 % with Bonferroni's correction over the figures, assuming the "
    "variance of our splits for the paper's)",
    SHARE.share,
)
NOTE = (
    "A row for each printed figure that the run computes. Means of columns, and ranks, are only tested: see the table "
    "claims. line, row, heading: position of the figure in the CSV; if each figure has its own line, heading is the "
    "builder and the measure. value: our mean over n splits, with its 95 % normal interval from low to high; shares of "
    "rows are in percent. tolerance: half a unit of the last printed digit; for sizes and depths at least a tenth of "
    f"the printed value. {RULE} impossible: a test proves, under its assumptions, that no run gives the figure, "
    "however near ours is. can_be: whether the figure is possible, alone and together with others; the table claims "
    "has the proof and its assumptions. remark: the note in the CSV; for an impossible figure, also the proof."
)


def _table(context: Mapping[str, Any]) -> Table:
    """The printed figures beside ours; `splits` is the number of splits of each of ours."""
    misprinted = any(row["corrected"] is not None for row in context["printed"])
    return Table(
        NAME,
        "The printed table beside ours",
        of="measured",
        columns=[
            *(Known(name, f"p.{name}") for name in ("line", "row", "heading")),
            Mean("value"),
            Printed(
                "value",
                "p.value",
                tolerance=SHARE,
                rounding="_near",
                n=context["splits"],
                compared=lambda row: not row["_failed"] and not row["_below"],
                corrected="p.corrected" if misprinted else "",
            ),
            Known("can_be", "p.can_be"),
            Known("remark", "p.note"),
            *(Key(name) for name in ("source", "part", "builder", "measure")),
            Known("_near", "p.near"),
            Known("_below", "p.below"),
            Known("_place", "p.place"),
            Known("_disproved", "p.disproved"),
            Known(TEXT, "p.text"),
            Value("_failed", "count(*) filter (where not good)"),
            Value("_title", f"any_value({TITLE})"),
        ],
        beside="printed p join ours on regexp_replace(p.source, ':all$', '') in (ours.source, ours._title, "
        "ours.source || ':' || ours.part) and ours.builder = p.builder and ours.measure = p.measure",
        order="p.place",
        complete=_judge_disproved,
        note=f"{NOTE} {MISPRINT}" if misprinted else NOTE,
        layout=Layout(("row",), ("heading",), (Pair("value"),)),
    )


def _judge_disproved(rows: Sequence[Row]) -> None:
    """Judge figures that are impossible by themselves; mark those that are impossible together with others."""
    for row in rows:
        if row["_disproved"] and row["verdict"] is not Verdict.MISPRINT:
            row["verdict"] = Verdict.IMPOSSIBLE
        unmarked = row["can_be"] == Possibility.IMPOSSIBLE and mark(row) != MARKS[Verdict.IMPOSSIBLE]
        row["_mark"] = MARKS[Verdict.IMPOSSIBLE] if unmarked else ""


CLAIMS = Table(
    "claims",
    "Which printed figures are possible",
    of="claimed",
    columns=[
        Key("_place", "place"),
        *(Value(name) for name in ("test", "verdict", "at", "figures", "proof", "assumes", "show")),
    ],
    order="_place",
    queryable=False,
    needs="claimed",
    note="A row for each test of the printed figures; the tests need no run. granularity: whether an accuracy can be "
    "a share of the rows of its data set; arithmetic and ranks: whether figures follow from others of the "
    "table; significance: whether a statistic follows from the accuracies; bounds: whether a tree can be so small "
    "or so accurate. show: SQL that shows the proof in any DuckDB, or the best possible tree.",
)


def _finding(results: Results) -> list[str]:
    """State how many figures agree, and how many are impossible."""
    rows, claims = results.tables[NAME], results.rows(CLAIMS)
    impossible = [claim for claim in claims if claim["verdict"] == Possibility.IMPOSSIBLE]
    proving = f"{len(impossible) or 'none'} of {counted(len(claims), 'claim')} {does('prove', max(len(impossible), 1))}"
    printed = [figure for figure in results.context.get("printed", ()) if figure["row"] not in (MEAN, ALL)]
    computed = {row["_place"] for row in rows}
    absent = [f"{figure['row']} · {figure['heading']}" for figure in printed if figure["place"] not in computed]
    return [
        agreement((row["verdict"] for row in rows), "printed figure", known="our run"),
        f"{proving} a figure impossible" if claims else "",
        f"{counted(len(absent), 'figure')} not in this run ({first_of(absent, MOST_SHOWN)})" if absent else "",
    ]


def _screen(results: Results, _: int) -> list[RenderableType]:
    """The table in the paper's layout, ours before the printed figure, and the impossible figures."""
    rows = results.tables[NAME]
    shown = beside_printed(rows, "value", "row", "heading", "Ours (printed)")
    unjudged = f"{UNJUDGED}, or the printed figure is an upper bound"
    marks = legend_of(rows, "value", unjudged, "impossible, see claims.csv, or a misprint, see the remark")
    impossible = [claim for claim in results.rows(CLAIMS) if claim["verdict"] == Possibility.IMPOSSIBLE]
    lines = [f"impossible: {claim['at']}, {claim['figures']}: {claim['proof']}" for claim in impossible[:MOST_SHOWN]]
    more = f"{len(impossible) - MOST_SHOWN} more in claims.csv" if len(impossible) > MOST_SHOWN else ""
    return [shown, Text("\n".join(filter(None, [marks, *lines, more])), style="dim")]


MOST_SHOWN = 5
"""Most impossible figures named on the terminal."""


def _draw(results: Results, folder: Path) -> Sequence[Path]:
    """Draw the first printed share, such as the accuracy, a panel for each builder; nothing without a share."""
    shares = [row for row in results.tables[NAME] if MEASURES[row["measure"]].share]
    rows = [row for row in shares if row["measure"] == shares[0]["measure"]]
    named = (folder, NAME, "A printed table, rerun")
    return drawn_beside(rows, MEASURES[rows[0]["measure"]], "value", "row", named) if rows else ()


def summary_of(classes: Mapping[str, int]) -> Summary:
    """The summary of a run beside a printed table.

    Parameters
    ----------
    classes : mapping
        The number of declared classes of each data set with a printed mean precision, keyed by title.
    """
    of_all = {name: measure for name, measure in MEASURES.items() if name != MEAN_PRECISION}
    views = {"fits": of_all} | ({"precisions": {MEAN_PRECISION: MEASURES[MEAN_PRECISION]}} if classes else {})
    measured = "\nunion all by name\n".join(
        f"select source, part, builder, good, {literal(name)} as measure, if(good, {measure.sql}, null) as value "
        f"from {view}"
        for view, measures in views.items()
        for name, measure in measures.items()
    )
    return comparison(
        Summary(
            tables=(_table, CLAIMS),
            views={**(precisions(classes) if classes else {}), "measured": measured},
            figures=(_draw,),
            finding=_finding,
            screen=_screen,
        )
    )
