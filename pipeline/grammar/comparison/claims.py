"""Claims of documents, stated as differences between two builders, and the verdicts of runs on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, get_args

from rich.console import RenderableType
from rich.table import Table as Lines
from rich.text import Text

from pipeline.configuration.rules import one_of
from pipeline.csv_text import csv_rows
from pipeline.errors import ConfigError
from pipeline.grammar.columns import TITLE, Column, Key, Known, Mean, Row, Value, adjust, estimate_of
from pipeline.grammar.comparison.printed import MOST_NAMED
from pipeline.grammar.findings import does, listed
from pipeline.grammar.summary import Summary
from pipeline.grammar.table import Table
from pipeline.sql import literal
from pipeline.summary.verdicts import Verdict
from pipeline.words import first_of, out_of

Measure = Literal["accuracy", "train_accuracy", "overfitting", "nodes", "terminal_nodes", "build_seconds"]
"""How builders are compared. `accuracy` is on test rows; `overfitting` is training accuracy minus test accuracy."""

IN_POINTS: tuple[Measure, ...] = ("accuracy", "train_accuracy", "overfitting")
"""Measures whose difference is in percentage points; other measures are compared by their ratio."""

HARDLY = 1.0
"""“Hardly” in a claim means a difference of less than this many percentage points."""

LEAST = 4
"""Fewest data sets, or splits, for a verdict: the distribution of fewer differences is not known well enough."""

LEVEL = 0.05
"""Greatest probability that any claim whose true difference equals its bound gets a verdict other than open."""

LEGEND = (
    "±: 95 % interval, paired by data set, or by split if a claim is about one data set. open: not significantly above "
    f"or below the bound, after Holm's correction over all claims. “Hardly” in a claim means less than {HARDLY:g} "
    "point. See claims.csv"
)
MEASURED = """accuracy, train_accuracy, train_accuracy - accuracy as overfitting, log10(nodes) as nodes,
  log10(terminal_nodes) as terminal_nodes, log10(build_seconds) as build_seconds"""
BY_MEASURE = f"unpivot include nulls (value for measure in ({', '.join(get_args(Measure))}))"
PAIRED = """select l.builder as "left", r.builder as "right", l.measure, l.value - r.value as difference"""


COLUMNS = ["claim", "left", "right", "measure", "side", "bound", "on"]
"""The columns of the CSV of claims: the words, two builders, their measure, the claimed side of a bound, a data set."""
REMARK = "remark"
"""A further column that the CSV may have: what a reader of the verdict must know."""
TESTED = ["left", "right", "measure", "on"]
"""The columns that identify the difference a claim is about."""


def claims_of(file: Path) -> list[Row]:
    """Read the claims of a CSV with the columns claim, left, right, measure, side, bound and on, as a table for SQL.

    A claim is that the difference, left minus right, is `above` or `below` the bound. Differences of accuracies are in
    points, of other measures in decimal logarithms. `on` is the title of the data set whose splits count; if it is
    empty, the claim is about all data sets. The CSV may also have the column `remark`.

    Raises
    ------
    ConfigError
        A row has an unknown builder, measure, side or bound, or repeats another; or the CSV has other columns, or no
        row.
    """
    result: list[Row] = []
    for where, row in csv_rows(file, COLUMNS, [*TESTED, "side", "bound"], {"bound": float}):
        if not (row["left"] and row["right"] and row["left"] != row["right"]):
            found = f"left is '{row['left']}' and right '{row['right']}'"
            raise ConfigError(f"{where}: {found}: expected the names of two different builders")
        for key, choices in (("measure", get_args(Measure)), ("side", ("above", "below"))):
            one_of(*choices).check(f"{where}: {key}", row[key])
        side, bound = row["side"], row["bound"]
        claim: Row = {name: row[name] for name in ("claim", "left", "right", "measure")}
        claim |= {"above": side == "above", "bound": bound, "on": row["on"] or None, "claimed": f"{side} {bound:g}"}
        result.append({**claim, REMARK: row.get(REMARK) or None, "place": len(result)})
    return result


def _views(printed: Sequence[str]) -> Mapping[str, str]:
    """The views that claims are tested on; see `claims` for `printed`."""
    among = "true"
    if printed:
        names = ", ".join(map(literal, printed))
        among = f"(title in ({names}) or not exists (from sets where title in ({names}) or source in ({names})))"
    return {
        "of_sets": f"from (select source, part, builder, {MEASURED} from sets where good and {among}) {BY_MEASURE}",
        "of_splits": f"""from (select source, part, {TITLE} as title, repeat, fold, test_rows / rows as share, builder,
  {MEASURED}
  from (select * replace (100 * train_accuracy as train_accuracy) from fits where good)) {BY_MEASURE}""",
        "differences": f"""{PAIRED}, null as "on", 0 as share
from of_sets l join of_sets r using (source, part, measure)
union all by name
{PAIRED}, l.title as "on", l.share
from of_splits l join of_splits r using (source, part, repeat, fold, measure)""",
    }


def claims(file: Path, title: str, remark: str, document: str, printed: Sequence[str] = ()) -> Summary:
    """Test the claims of a CSV.

    Parameters
    ----------
    document : str
        Name of the document in the finding.
    printed : sequence of str
        Titles of the document's data sets. If the run has any of them, or a part of any, claims about all data sets
        are tested only on the data sets with these titles. By default, they are tested on all data sets of the run.
    """
    claimed = claims_of(file)
    table = _table(title, remark, claimed)
    return Summary(
        tables=(table,),
        views=_views(printed),
        constants={"claims": claimed},
        finding=lambda results: [_finding(results.rows(table), document)],
        screen=lambda results, _: _screen(results.rows(table)),
    )


def _table(title: str, remark: str, claimed: Sequence[Row]) -> Table:
    """A row for each claim whose two builders have fits on at least two data sets, or splits of the data set `on`."""
    note = (
        "n: data sets, or splits of the data set in the column on. difference: left minus right, paired by data set or "
        "split, with its 95 % interval by Student's t; accuracies in points, other measures as decimal logarithms of "
        "the ratio (-1: a tenth of the time, or of the nodes). If splits are paired, the interval allows for the "
        "rows that they share (Nadeau and Bengio 2003). overfitting: training accuracy minus test accuracy. p_holm: "
        "of the two-sided t test that the difference equals the bound, after Holm's correction over the claims; "
        f"empty if n is below {LEAST}, or if all differences are equal and not the bound. agrees, differs: p_holm is "
        f"below {LEVEL:g}, and the difference is on the claimed side of the bound, or on the other side; else open."
    )
    return Table(
        "claims",
        title,
        of="differences",
        among='("left", "right", measure) in (select "left", "right", measure from claims)',
        columns=[
            Known("claim", "c.claim"),
            *(Key(name, f'"{name}"') for name in ("left", "right", "measure", "on")),
            Mean("difference", low="", high="", widened="sqrt(1 + count(difference) * avg(share))"),
            *(Column("low"), Column("high")),
            Known("claimed", "c.claimed"),
            *(Column("p_holm"), Column("verdict")),
            Known(REMARK, f"c.{REMARK}"),
            Known("_above", "c.above"),
            Known("_bound", "c.bound"),
            Value("_whole", "count(difference) = count(*)"),
        ],
        beside='claims c join ours on (c."left", c."right", c.measure) = (ours."left", ours."right", ours.measure) '
        'and c."on" is not distinct from ours."on" where _whole and n > 1',
        order="c.place",
        complete=_judge,
        note=lambda rows: " ".join(filter(None, (note, remark, _untested(rows, claimed)))),
    )


def _untested(rows: Sequence[Row], claimed: Sequence[Row]) -> str:
    """State which claims have no row; empty if each has one."""
    tested = {tuple(row[name] for name in TESTED) for row in rows}
    names = [
        f"{claim['measure']} of {claim['left']} - {claim['right']}" + (f" on {claim['on']}" if claim["on"] else "")
        for claim in claimed
        if tuple(claim[name] for name in TESTED) not in tested
    ]
    why = "Not tested, because a builder is missing, or fewer than two data sets have finished fits"
    return f"{why}: {out_of(len(names), len(claimed), 'claim')} ({first_of(names, MOST_NAMED)})." if names else ""


def _finding(rows: Sequence[Row], document: str) -> str:
    """State how many tests agree with a document's claims, differ and are open, and which claims differ."""
    if not rows:
        return f"no claim of {document} was tested"
    verdicts = [row["verdict"] for row in rows]
    agreeing, open_ = verdicts.count(Verdict.AGREES), verdicts.count(Verdict.OPEN)
    differing = dict.fromkeys(row["claim"] for row in rows if row["verdict"] is Verdict.DIFFERS)
    others = []
    if differing:
        number = verdicts.count(Verdict.DIFFERS)
        others.append(f"{number} {does('differ', number)} ({'; '.join(differing)})")
    if open_:
        others.append(f"{open_} {'is' if open_ == 1 else 'are'} open")
    agree = f"{out_of(agreeing, len(rows), 'test')} {does('agree', len(rows))} with the claims of {document}"
    return ", ".join([agree, listed(others)] if others else [agree])


def _screen(rows: Sequence[Row]) -> list[RenderableType]:
    """A line for each claim, and the meaning of its verdict; nothing if none was tested."""
    if not rows:
        return []
    shown = Lines(title="Claims", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for heading in ("", "", "difference", "verdict"):
        shown.add_column(heading)
    previous = ""
    for row in rows:
        claim = row["claim"] if row["on"] is None else f"{row['claim']}: {row['on']}"
        verdict = Text(row["verdict"], style="dim" if row["verdict"] is Verdict.OPEN else "")
        shown.add_row("" if claim == previous else claim, f"{row['left']} - {row['right']}", _difference(row), verdict)
        previous = claim
    return ["", shown, Text(LEGEND, style="dim")]


def _difference(row: Row) -> str:
    measure = row["measure"]
    if measure in IN_POINTS:
        half = "" if row["high"] is None else f" ± {row['high'] - row['difference']:.2f}"
        return f"{row['difference']:+.2f}{half}" + (" of overfitting" if measure == "overfitting" else "")
    what = {"build_seconds": "as long", "terminal_nodes": "the leaves"}.get(measure, "the nodes")
    return f"{10 ** row['difference']:.2g} times {what}"


def _judge(rows: Sequence[Row]) -> None:
    """Fill in the interval of each difference, its p after Holm's correction over all claims, and its verdict."""
    for row in rows:
        difference = estimate_of(row, "difference")
        row["low"], row["high"] = difference.t_interval if difference else (None, None)
        row["_p"] = difference.less(row["_bound"]).t_p if difference and row["n"] >= LEAST else None
    adjust(rows, "_p")
    for row in rows:
        row["verdict"] = Verdict.OPEN
        if row["p_holm"] is not None and row["p_holm"] < LEVEL:
            above = row["difference"] > row["_bound"]
            row["verdict"] = Verdict.AGREES if above == row["_above"] else Verdict.DIFFERS
