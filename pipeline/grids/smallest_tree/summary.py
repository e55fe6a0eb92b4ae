"""The summary of grown trees beside the smallest that classify the same: set by set, and over all sets."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pipeline.grammar.columns import Key, Mean, Row, Value
from pipeline.grammar.comparison.sections import first_fits
from pipeline.grammar.findings import above, does, listed
from pipeline.grammar.notable_trees import drawable, notable
from pipeline.grammar.pivot import listing
from pipeline.grammar.questions import TITLE
from pipeline.grammar.summary import Found, Summary
from pipeline.grammar.table import POSITION, Table
from pipeline.grid import NotableTree
from pipeline.grids.smallest_tree.grid import FEWEST
from pipeline.screen import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["SUMMARY"]

VIEWS = {
    "pairs": f"""select g.*, f.terminal_nodes as fewest, f.bound as least,
  (g.terminal_nodes - fewest) / fewest as above_fewest,
  above_fewest is not null and coalesce(f.optimal, false) as known, f.build_seconds as seconds,
  f.status as search_status, f.error as search_error
from (select *, {TITLE} as title from results) g join results f
  on g.source = f.source and g.part = f.part and f.builder = '{FEWEST}'
  and (f.parameters ->> 'classification_of') = g.builder"""
}
"""Each grown tree with the fewest leaves beside it; `known`: the fewest are proven."""

BUILDERS = Table(
    "smallest_tree",
    "Leaves above the fewest",
    of="pairs",
    columns=[
        Key("builder"),
        Value("n", "count(*) filter (where known)"),
        Value("already_smallest", "count(*) filter (where known and above_fewest = 0)"),
        Mean("mean_excess", "if(known, above_fewest, null)", n=""),
        Value("worst", "max(above_fewest) filter (where known)"),
        Value("worst_on", "first(title order by above_fewest desc, position) filter (where known)", of_rows=True),
        Value("not_proven", "count(*) filter (where not known and above_fewest is not null)"),
        POSITION,
    ],
    order="_position",
    note="excess: (leaves - fewest) / fewest, fewest being the leaves of the smallest tree of any depth that gives "
    "each training row the class that the builder's tree gives it, with tests of the same kind: two branches for CART, "
    "else a branch for each label and two for a number. n: data sets where it is proven; low to high: 95 % normal "
    "interval of the mean over them, which are no random sample. not_proven: data sets where the search ended by its "
    "limit.",
)
SETS = Table(
    "smallest_tree_sets",
    "Leaves beside the fewest, set by set",
    of="pairs",
    columns=[
        *(Key(name) for name in ("source", "part", "builder")),
        Value("rows"),
        Value("leaves", "any_value(terminal_nodes)"),
        Value("fewest_leaves", "any_value(fewest)"),
        Value("bound", "any_value(round(least)::bigint)"),
        Value("proven", "any_value(if(above_fewest is null, null, known::varchar))"),
        Value("excess", "any_value(above_fewest)"),
        Value("seconds"),
        Value("status", "any_value(search_status)"),
        Value("error", "any_value(search_error)"),
        Value("_title", f"any_value({TITLE})"),
        POSITION,
    ],
    order="_position",
    note=lambda rows: (
        f"n = {counted(len(rows), 'tree')}. fewest_leaves: of the smallest tree found with the same "
        "classification of the rows; bound: no such tree has fewer. Where they differ, excess is the least that it can "
        "be. seconds: to find it."
    ),
)


def _finding(found: Found) -> list[str]:
    """How many trees have the fewest leaves already, and which builder comes nearest to them on average.

    Builders are compared that are known on most data sets.
    """
    builders = found.rows(BUILDERS)
    known = [row for row in builders if row["n"]]
    if not known:
        return ["the fewest leaves are proven beside no tree"]
    smallest, proven = (sum(row[name] for row in known) for name in ("already_smallest", "n"))
    left = sum(row["not_proven"] for row in builders)
    already = "is the smallest of its" if smallest == 1 else "are the smallest of their"
    said = [f"{smallest} of {counted(proven, 'tree')} {already} classification already"]
    said += [f"of {left} more only a bound is known"] if left else []
    most = max(row["n"] for row in known)
    ranked = sorted((row for row in known if row["n"] == most), key=lambda row: row["mean_excess"])
    nearest = [row["builder"] for row in ranked if _level(row, ranked[0])]
    come = f"{does('come', len(nearest))} nearest to the fewest leaves"
    said.append(f"{listed(nearest)} {come}, {_on_mean(ranked[0])}")
    if not _level(ranked[-1], ranked[0]):
        said.append(f"{ranked[-1]['builder']} is the furthest, {_on_mean(ranked[-1])}")
    return said


def _level(row: Row, other: Row) -> bool:
    """Whether two means are equal up to rounding."""
    return math.isclose(row["mean_excess"], other["mean_excess"], abs_tol=1e-12)


def _on_mean(row: Row) -> str:
    return f"{above(row['mean_excess'])} on the mean of {counted(row['n'], 'data set')}"


def _trees(found: Found) -> list[NotableTree]:
    """The tree furthest above the fewest leaves, the nearest of the same rows, and the largest of fewest."""
    grown = first_fits(found)
    pairs = [(row, grown[row["source"], row["part"], row["builder"]]) for row in found.rows(SETS)]
    shown = [(row, tree) for row, tree in pairs if row["proven"] == "true" and drawable(tree)]
    if not shown:
        return []
    worst = max(shown, key=_excess)
    nearest = min((pair for pair in shown if pair[0]["_title"] == worst[0]["_title"]), key=_excess)
    fewest = [pair for pair in shown if not _excess(pair)]
    largest = max(fewest, key=lambda pair: int(pair[0]["leaves"]), default=worst)
    chosen = {row["_position"]: (row, tree) for row, tree in (worst, nearest, largest)}
    return [
        notable(
            tree, f"{row['fewest_leaves']} suffice for the same classification" if row["excess"] else "none has fewer"
        )
        for row, tree in chosen.values()
    ]


def _excess(pair: tuple[Row, Row]) -> float:
    return float(pair[0]["excess"])


def _screen(found: Found, _: int) -> list[RenderableType]:
    """A line a builder."""
    lines = []
    for row in found.rows(BUILDERS):
        mean, worst = ("" if row[name] is None else f"{100 * row[name]:.1f}" for name in ("mean_excess", "worst"))
        counts = (row["n"], row["already_smallest"])
        lines.append([row["builder"], *counts, mean, worst, row["worst_on"] or "", row["not_proven"]])
    title = "Leaves above the fewest of any tree with the same classification of the training rows"
    headings = ("", "data sets", "already smallest", "mean excess %", "worst %", "worst on", "not proven")
    return [listing(title, headings, lines, words=["", "worst on"])]


SUMMARY = Summary(
    tables=(BUILDERS, SETS),
    views=VIEWS,
    finding=_finding,
    screen=_screen,
    trees=_trees,
    failed="status <> 'ok' and terminal_nodes is null",
    failures_in="smallest_tree_sets",
    worked=lambda found: any(row["excess"] is not None for row in found.rows(SETS)),
    nothing="",
)
