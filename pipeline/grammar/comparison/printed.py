"""Compare a measure of ours with printed values from a CSV: the table, its figure, finding, screen and trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from algorithms.plurals import counted
from pipeline.csv_text import csv_rows
from pipeline.drawing.looks import colour_of
from pipeline.drawing.marks import judged_entries, judged_panels
from pipeline.errors import ConfigError
from pipeline.grammar.columns import (
    TITLE,
    Column,
    Computed,
    Key,
    Known,
    Mean,
    Printed,
    Row,
    Value,
    estimate_of,
    grouped,
)
from pipeline.grammar.comparison.printed_values import CLASSES, MEASURES, precisions, printed_values_of
from pipeline.grammar.comparison.sections import ACCURACIES, first_fits
from pipeline.grammar.comparison.summary import accuracies_screen, draw
from pipeline.grammar.findings import agreement, mark, pivot
from pipeline.grammar.notable_trees import drawable, notable
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import Table
from pipeline.grid import NotableTree
from pipeline.printed_table.figure import PER_CENT
from pipeline.printed_table.measures import MEAN_PRECISION, Measure
from pipeline.summary.rounding import TEXT, as_printed
from pipeline.summary.tables import Layout, Pair
from pipeline.summary.verdicts import MISPRINT, Tolerance, Verdict, rule, tally
from pipeline.words import first_of, out_of

READING = "starts_with(ours.builder, p.builder || '_') and ours.builder not in (select builder from printed)"
"""Whether a builder is another reading of a printed column: its name continues that of the column's builder."""
PART = "ours.source = p.source and ours._title not in (select source from printed)"
"""Whether a data set is another reading of a printed one: a part of its rows."""
DIFFERENCES = ("source", "builder", "corrected", "why")
"""The columns of the CSV of known differences."""
KNOWN = """(select arg_min({}, d.place) from known_differences d
  where d.source in ('', ours._title) and d.builder in ('', ours.builder))"""
"""The first value in a column of known differences that is about a cell: its data set, its builder, or both."""
BEYOND = "significant_beyond"
"""The column with the largest difference that is not significant, if that is declared."""

UNJUDGED = (
    "no verdict, because the value is another reading of the printed one, our splits show no spread, or some failed"
)
SHARE = Tolerance(rounding=0.0)
"""Tolerance as a share of the printed value; the rounding is given with each value."""
NEAR = 1.0
"""A value counts as near the printed one within this many points, in addition to its verdict."""
LIKELY = 2.0
"""A value counts as likely within this many standard errors of the difference."""
MOST_NAMED = 5
"""Most names listed of the things that a run lacks."""


def printed(name: str, folder: Path, declared: Mapping[str, Any]) -> Summary:
    """A row for each printed value whose data set and builder were run, and for other readings of it.

    name     : of its table and its figure
    folder   : folder of the CSVs
    declared : the keys of the section, as `docs/extend/grid.md` describes them
    """
    folds, measure = int(declared["folds"]), MEASURES[declared["measure"]]
    if measure.share and declared["unit"] == "share":
        measure = replace(measure, share=False, point=1 / PER_CENT)
    of_classes = measure.name == MEAN_PRECISION
    file, columns, rounding = folder / declared["values"], declared["builders"], declared["rounding"]
    values = printed_values_of(file, columns, measure.name, rounding, point=measure.point)
    differences = _differences(folder / declared["differences"]) if declared["differences"] else []
    remarked = any(row["remark"] for row in values)
    misprinted = any(row["corrected"] is not None for row in (*values, *differences))
    known = [Known("_known", KNOWN.format("nullif(d.why, '')")), Computed("why", of=_why)]
    least, errors = declared["least"], declared["standard_errors"]
    listed: list[Column] = [
        Known("case", "p.case"),
        *(Key(key) for key in ("source", "part", "builder")),
        Mean(measure.name, f"if(good, {measure.sql}, null)"),
        Printed(
            measure.name,
            "p.value",
            tolerance=SHARE,
            rounding="_rounding",
            n=folds,
            compared=lambda row: row["_main"] and not row["_failed"],
            limit=(lambda apart: max(least, errors * (apart.standard_error or 0.0))) if errors else None,
            corrected=(KNOWN.format("d.corrected") if differences else "p.corrected") if misprinted else "",
            headings=("printed", "difference", "tolerance", *([BEYOND] if errors else []), "verdict"),
        ),
        *(Value(name, f"avg({column}) filter (where good)") for name, column in declared["also"].items()),
        Computed("_error", of=lambda row: _error(row, measure, folds)),
        *(known if differences else []),
        *([Known("remark", "p.remark")] if remarked or not differences else []),
        Known(TEXT, "p.text"),
        Known("_rounding", "p.rounding"),
        Known("_main", "p.source = ours._title and p.builder = ours.builder"),
        Known("_line", "if(p.source = ours._title, p.case, p.case || ', ' || ours.part)"),
        Value("_failed", "count(*) filter (where not good)"),
        Value("_title", f"any_value({TITLE})"),
    ]
    headings = [name for column in listed for name in column.shown]
    if twice := [name for name in declared["also"] if headings.count(name) > 1]:
        raise ConfigError(
            f"{folder}: printed.also has the heading '{twice[0]}', which the table already has: choose another heading"
        )
    table = Table(
        name,
        declared["title"],
        of="precisions" if of_classes else "fits",
        columns=listed,
        beside=f"printed p join ours on (ours._title = p.source or {PART}) and (ours.builder = p.builder or {READING})",
        order="min(p.place) over (partition by p.case), p.source <> ours._title, p.place, _position",
        note=lambda rows: _note(rows, measure, declared, values),
        layout=Layout(("case",), ("builder",), (Pair(measure.name),)),
    )
    return Summary(
        tables=(table,),
        views=precisions({row["source"]: row[CLASSES] for row in values}) if of_classes else {},
        constants={"printed": values, "known_differences": differences},
        figures=(lambda results, folder: _draw(results, results.rows(table), measure, declared, (folder, name)),),
        finding=lambda results: _finding(results.rows(table), measure),
        screen=lambda results, width: (
            _screen(results.rows(table), measure, declared, values, results.rows(ACCURACIES))
            if results.rows(table)
            else [accuracies_screen(results, width), Text(_absent((), values), style="dim")]
        ),
        trees=lambda results: _trees(results, measure, results.rows(table)),
    )


def _differences(file: Path) -> list[Row]:
    """What is known about values that differ: of a builder, of a data set, or of both; empty: of all."""
    rows = csv_rows(file, DIFFERENCES, ["source", "builder"], {"corrected": float})
    return [{**row, "place": place} for place, (_, row) in enumerate(rows)]


def _why(row: Row) -> str | None:
    """What is known about a value that differs from the printed one."""
    beyond = row["difference"] is not None and abs(row["difference"]) > row.get(BEYOND, 0.0)
    return row["_known"] if beyond and not row["_failed"] and row["verdict"] is not Verdict.AGREES else None


def _absent(rows: Sequence[Row], values: Sequence[Row]) -> str:
    """The printed data sets, builders and single values that the run lacks, in words; empty if it has all."""
    cells = {(row["case"], row["builder"]) for row in rows if row["_line"] == row["case"]}
    if not cells:
        return f"this run has none of {counted(len(values), 'printed value')}"
    cases, builders = map(set, zip(*cells, strict=True))
    alone = [
        f"{value['case']} by {value['builder']}"
        for value in values
        if value["case"] in cases and value["builder"] in builders and (value["case"], value["builder"]) not in cells
    ]
    printed_cases, printed_builders = (list(dict.fromkeys(value[of] for value in values)) for of in ("case", "builder"))
    absent = [
        f"{out_of(len(names), among, thing)} ({first_of(names, MOST_NAMED)})"
        for names, among, thing in (
            ([case for case in printed_cases if case not in cases], len(printed_cases), "data set"),
            ([builder for builder in printed_builders if builder not in builders], len(printed_builders), "builder"),
            (alone, len(values), "value"),
        )
        if names
    ]
    return f"printed but not in this run: {'; '.join(absent)}" if absent else ""


def _unprinted(rows: Sequence[Row], run: Sequence[Row]) -> str:
    """The cells of a run without a printed value, in words; empty if each has one."""
    cells = {(row["_title"], row["builder"]) for row in rows}
    alone = [f"{row['_title']} by {row['builder']}" for row in run if (row["_title"], row["builder"]) not in cells]
    if not alone:
        return ""
    return f"in the run but not printed: {out_of(len(alone), len(run), 'cell')} ({first_of(alone, MOST_NAMED)})"


def _note(rows: Sequence[Row], measure: Measure, declared: Mapping[str, Any], values: Sequence[Row]) -> str:
    folds, least, errors, also = (declared[key] for key in ("folds", "least", "standard_errors", "also"))
    whole = [row for row in rows if row["_line"] == row["case"]]
    near = [
        f"{name}: {sum(_is_near(row, measure) for row in by_name)} within {NEAR:g} point of the paper, "
        f"{sum(map(_is_likely, by_name))} within {LIKELY:g} standard errors of the difference"
        for name, by_name in grouped(whole, "builder").items()
    ]
    splits = f"assuming the variance of our splits for the paper's {f'{folds} folds' if folds > 1 else 'single split'}"
    verdicts = rule(
        f"the difference exceeds {BEYOND} (the larger of {least:g} and {errors:g} standard errors, {splits})"
        if errors
        else "the difference is significant (two-sided at 5 % with Bonferroni's correction over the compared cells, "
        f"{splits})"
    )
    misprint = f"{MISPRINT} " if any("corrected" in row for row in rows) else ""
    percent = "; it is in percent, like differences and tolerances" if measure.share else ""
    means = f"{', '.join(also)}: means over the splits. " if also else ""
    parts = "A part of a printed data set is another reading of it, too. " if len(whole) < len(rows) else ""
    return (
        f"{measure.name}: {measure.meaning}{percent}. n: splits; low to high: 95 % normal interval of the mean over "
        f"them. {means}{declared['note']} {verdicts} {misprint}A builder whose name begins with that of a printed "
        "column, as did_0.1 begins with did, is another reading of the column: it has no verdict and does not affect "
        f"other verdicts. {parts}{'; '.join(filter(None, [*near, _absent(rows, values)]))}."
    ).replace("  ", " ")


def _finding(rows: Sequence[Row], measure: Measure) -> list[str]:
    """State how many of the printed values agree, in total and for each of several builders."""
    total = agreement((row["verdict"] for row in rows), measure.singular, measure.plural)
    counts = {name: tally(row["verdict"] for row in by_name) for name, by_name in grouped(rows, "builder").items()}
    agreeing = [f"{name} {by.get(Verdict.AGREES, 0)} of {sum(by.values())}" for name, by in counts.items() if by]
    return [f"{total}. By builder, {', '.join(agreeing)} agree" if len(agreeing) > 1 else total]


def _screen(
    rows: Sequence[Row], measure: Measure, declared: Mapping[str, Any], values: Sequence[Row], run: Sequence[Row]
) -> list[RenderableType]:
    """A line for each case: ours and the paper's, marked by the verdict."""
    title = f"{declared['title']}: test {measure.singular}{', %' if measure.share else ''}, ours (the paper's)"
    shown = beside_printed(rows, measure.name, "_line", "builder", title, 2 if measure.point == 1 else 3)
    legend = "; ".join(filter(None, (legend_of(rows, measure.name), declared["legend"])))
    below = filter(None, (legend, _absent(rows, values), _unprinted(rows, run)))
    return [shown, Text("\n".join(below), style="dim")]


def beside_printed(
    rows: Sequence[Row], ours: str, line: str, column: str, title: str, decimals: int = 2
) -> RenderableType:
    """The rows in the layout of the paper: the column `ours` before the printed text, marked by the verdict."""

    def cell(row: Row) -> str | None:
        if row[ours] is None:
            return None
        return f"{row[ours]:6.{decimals}f} ({row[TEXT]}){mark(row)}{row.get('_mark') or ''}"

    return pivot(rows, line=itemgetter(line), column=itemgetter(column), cell=cell, title=title, apart=1)


def legend_of(rows: Sequence[Row], ours: str, unjudged: str = UNJUDGED, wrong: str = "a misprint") -> str:
    """What the marks in the cells of `beside_printed` mean, without those that no cell has."""
    meanings = {
        "": "agrees",
        "≈": "consistent, no significant difference",
        "≠": "differs significantly from the paper",
        "-": unjudged,
        "!": wrong,
    }
    shown = {mark(row) for row in rows if row[ours] is not None}
    return "; ".join(f"{sign or 'no mark'}: {meaning}" for sign, meaning in meanings.items() if sign in shown)


def _trees(results: Results, measure: Measure, rows: Sequence[Row]) -> list[NotableTree]:
    """The trees of the cases closest to the paper and furthest from it, among those that fit a page."""
    fits = first_fits(results)
    cases = [
        (row["difference"] / measure.point, row["case"], fit)
        for row in rows
        if row["difference"] is not None and drawable(fit := fits[row["source"], row["part"], row["builder"]])
    ]
    cases.sort(key=lambda case: abs(case[0]))
    ends = zip(("nearest to", "furthest from"), [*cases[:1], *cases[1:][-1:]], strict=False)
    result = []
    for which, (apart, case, fit) in ends:
        points = f"{round(apart, 1) + 0.0:+.1f} points"  # without the sign of a -0.0
        result.append(notable(fit, f"{case}, whose {measure.singular} is {which} the printed one: {points}"))
    return result


def _is_near(row: Row, measure: Measure) -> bool:
    return row["difference"] is not None and abs(row["difference"]) <= NEAR * measure.point


def _error(row: Row, measure: Measure, folds: int) -> float | None:
    """The standard error of the difference from the printed value."""
    ours = estimate_of(row, measure.name)
    return ours.less(row["printed"], folds).standard_error if ours else None


def _is_likely(row: Row) -> bool:
    return row["_error"] is not None and abs(row["difference"]) <= LIKELY * row["_error"]


def _draw(
    results: Results, rows: Sequence[Row], measure: Measure, declared: Mapping[str, Any], named: tuple[Path, str]
) -> Sequence[Path]:
    """Draw ours beside the printed values; if sizes are in the table, both for all builders of a data set."""
    headline = declared["headline"] or declared["title"]
    if not declared["also"]:
        return drawn_beside(rows, measure, measure.name, "_line", (*named, headline))
    figures = ((row, row["printed"] / measure.point) for row in rows)
    shares = {
        (row["_title"], row["builder"]): (figure, as_printed(figure, row[TEXT], 1 / measure.point))
        for row, figure in figures
    }
    drawn = (results.rows(ACCURACIES), results.context["builders"], named[0])
    return draw(*drawn, name=named[1], headline=headline, printed=shares)


def drawn_beside(
    rows: Sequence[Row], measure: Measure, ours: str, line: str, named: tuple[Path, str, str]
) -> tuple[Path, ...]:
    """Draw the column `ours` beside the printed values, a panel for each builder; nothing if nothing was tested.

    named : the folder, the file name without extension, and the headline
    """
    tested = grouped((row for row in rows if row[ours] is not None), "builder")
    if not tested:
        return ()
    panels = {name: [(row[line], row, colour_of(name)) for row in by_name] for name, by_name in tested.items()}
    verdicts = [row["verdict"] for by_name in tested.values() for row in by_name]
    subtitle = f"{measure.singular}, mean over the splits; {agreement(verdicts, 'value')}"
    with judged_panels(*named, subtitle, panels, ours, sharex=True) as (frame, *_):
        frame.below(f"{measure.singular}{', %' if measure.share else ''}")
        frame.key(judged_entries(verdicts))
    return frame.files
