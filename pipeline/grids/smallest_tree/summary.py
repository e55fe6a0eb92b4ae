"""The summary of grown trees beside the smallest that classify alike: for each data set, and over all."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from rich.console import RenderableType

from pipeline.drawing.figures import GREY, INK, fitted, label
from pipeline.drawing.frame import Axes, Inches, framed
from pipeline.drawing.looks import look_of
from pipeline.drawing.marks import entry, entry_of, log_axis, name_lines, names_width, point
from pipeline.grammar.columns import TITLE, Key, Mean, Row, Value, grouped
from pipeline.grammar.comparison.sections import first_fits
from pipeline.grammar.findings import above, does, listed, listing
from pipeline.grammar.notable_trees import drawable, notable
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import Table
from pipeline.grid import NotableTree
from pipeline.grids.smallest_tree.grid import FEWEST
from pipeline.words import counted, readable

VIEWS = {
    "pairs": f"""select g.*, f.terminal_nodes as fewest, f.bound as least,
  (g.terminal_nodes - fewest) / fewest as above_fewest,
  above_fewest is not null and coalesce(f.optimal, false) as known, f.build_seconds as seconds,
  f.status as search_status, f.error as search_error
from (select *, {TITLE} as title from results) g join results f
  on g.source = f.source and g.part = f.part and f.builder = '{FEWEST}'
  and (f.parameters ->> 'classification_of') = g.builder"""
}
"""Each grown tree beside the fewest leaves; `known`: the fewest are proven."""

BUILDERS = Table(
    "smallest_tree",
    "Leaves above the minimum",
    of="pairs",
    columns=[
        Key("builder"),
        Value("n", "count(*) filter (where known)"),
        Value("already_smallest", "count(*) filter (where known and above_fewest = 0)"),
        Mean("mean_excess", "if(known, above_fewest, null)", n=""),
        Value("worst", "max(above_fewest) filter (where known)"),
        Value("worst_on", "first(title order by above_fewest desc, position) filter (where known)", of_rows=True),
        Value("not_proven", "count(*) filter (where not known and above_fewest is not null)"),
    ],
    order="_position",
    note="excess: (leaves - fewest) / fewest. fewest: leaves of the smallest tree of any depth that gives each "
    "training row the same class as the builder's tree, with tests of the same kind (CART: two branches; "
    "others: a branch for each label, and two for a number). n: data sets on which fewest is proven; low to "
    "high: 95 % normal interval of the mean over these data sets, which are not a random sample. not_proven: "
    "data sets on which the search reached its limit.",
)
SETS = Table(
    "smallest_tree_sets",
    "Leaves beside the minimum, by data set",
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
    ],
    order="_position",
    note=lambda rows: (
        f"n = {counted(len(rows), 'tree')}. fewest_leaves: leaves of the smallest tree found with the same "
        "classification of the rows; bound: no such tree has fewer. If both differ, the true excess is at least "
        "excess. seconds: time to find that tree."
    ),
)


def _finding(results: Results) -> list[str]:
    """State how many trees already have the fewest leaves, and which builder comes closest on average.

    Only builders known on the most data sets are compared.
    """
    builders = results.rows(BUILDERS)
    known = [row for row in builders if row["n"]]
    if not known:
        return ["the minimum number of leaves is not proven for any tree"]
    smallest, proven = (sum(row[name] for row in known) for name in ("already_smallest", "n"))
    left = sum(row["not_proven"] for row in builders)
    have = "has" if 1 in (smallest, proven) else "have"
    same = "of all trees that classify the training rows in the same way"
    sentences = [f"{smallest} of {counted(proven, 'tree')} {have} the fewest leaves {same}"]
    sentences += [f"for {counted(left, 'further tree')}, this minimum is not proven"] if left else []
    most = max(row["n"] for row in known)
    ranked = sorted((row for row in known if row["n"] == most), key=lambda row: row["mean_excess"])
    nearest = [row["builder"] for row in ranked if _level(row, ranked[0])]
    come = f"{does('come', len(nearest))} closest to the minimum"
    sentences.append(f"{listed(nearest)} {come}, {_on_mean(ranked[0])}")
    if not _level(ranked[-1], ranked[0]):
        sentences.append(f"{ranked[-1]['builder']} is furthest from it, {_on_mean(ranked[-1])}")
    return sentences


def _level(row: Row, other: Row) -> bool:
    """Whether two means are equal up to rounding."""
    return math.isclose(row["mean_excess"], other["mean_excess"], abs_tol=1e-12)


def _on_mean(row: Row) -> str:
    return f"{above(row['mean_excess'])} on average over {counted(row['n'], 'data set')}"


def _trees(results: Results) -> list[NotableTree]:
    """The tree furthest above the fewest leaves, the closest of the same rows, and the largest with the fewest."""
    grown = first_fits(results)
    pairs = [(row, grown[row["source"], row["part"], row["builder"]]) for row in results.rows(SETS)]
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


def _screen(results: Results, _: int) -> list[RenderableType]:
    """A line for each builder."""
    lines = []
    for row in results.rows(BUILDERS):
        mean, worst = ("" if row[name] is None else f"{100 * row[name]:.1f}" for name in ("mean_excess", "worst"))
        counts = (row["n"], row["already_smallest"])
        lines.append([row["builder"], *counts, mean, worst, row["worst_on"] or "", row["not_proven"]])
    title = "Leaves above the minimum of all trees with the same classification of the training rows"
    headings = ("", "data sets", "already smallest", "mean excess %", "worst %", "worst on", "not proven")
    return [listing(title, headings, lines, words=["", "worst on"])]


PANEL, LINE, ABOVE, BELOW = 3.0, 0.25, 1.35, 0.65
"""In inches: width of a panel, height of a line, and space above and below the panels."""
POINT = 6.5
BOUND: dict[str, Any] = {"linestyle": "", "marker": "|", "color": INK, "markersize": 9, "markeredgewidth": 1.5}
DIAMOND: dict[str, Any] = {"linestyle": "", "marker": "D", "markersize": POINT - 2}
EDGE: dict[str, Any] = {"markeredgecolor": "white", "markeredgewidth": 0.6}
PROVEN: dict[str, Any] = {"color": INK, **EDGE}
UNPROVEN: dict[str, Any] = {"color": "white", "markeredgecolor": INK}
SMALL: dict[str, Any] = {"color": GREY, "fontsize": 7.5, "textcoords": "offset points", "va": "center"}


def _draw(results: Results, folder: Path) -> tuple[Path, ...]:
    """Draw `smallest_tree.svg` and `.png` and return their paths; nothing if there are no leaves to compare."""
    sets = [row for row in results.rows(SETS) if row["excess"] is not None]
    if not sets:
        return ()
    builders, titles = (list(dict.fromkeys(row[name] for row in sets)) for name in ("builder", "_title"))
    left = names_width(titles)
    width, height = left + PANEL * len(builders), ABOVE + BELOW + LINE * len(titles)
    inches = Inches(width, height, left=left, right=0.01 * width, above=ABOVE, below=BELOW)
    caption = "leaves of each tree, and the fewest with the same classification of the training rows; logarithmic"
    title, shape = "The smallest tree with the same classification", (1, len(builders))
    with framed(folder, "smallest_tree", title, caption, inches, shape, sharex=True, sharey=True, wspace=0.07) as frame:
        panels = frame.titled(builders, x="leaves").values()
        for panel, own in zip(panels, grouped(sets, "builder").values(), strict=True):
            panel.set_xscale("log")
            for row in own:
                _line(panel, row, titles.index(row["_title"]))
        first, leaves = frame.panels[0, 0], [row[name] for row in sets for name in ("bound", "leaves")]
        first.set_xlim(min(leaves) / 1.3, 1.1 * max(leaves) * (max(leaves) / min(leaves)) ** 0.3)
        log_axis(first.xaxis)
        name_lines(first, titles)
        grown = [
            entry_of(name, f"grown by {fitted(name)}", linestyle="", marker=look_of(name).marker) for name in builders
        ]
        fewest = [entry("fewest, proven", **DIAMOND, **PROVEN), entry("fewest found", **DIAMOND, **UNPROVEN)]
        frame.key([*grown, *fewest, entry("proven bound", **BOUND)], 7, columnspacing=1.2, handletextpad=0.3)
    return frame.files


def _line(axes: Axes, row: Row, line: int) -> None:
    """Draw the leaves of a grown tree, the fewest and, if these are not proven, their lower bound."""
    look, proven = look_of(row["builder"]), row["proven"] == "true"
    grown, fewest, bound = row["leaves"], row["fewest_leaves"], row["bound"]
    beside = axes.plot([fewest, grown], [line, line], color=look.colour, linewidth=2, alpha=0.55, solid_capstyle="butt")
    known = f"fewest {fewest}, proven" if proven else f"fewest found {fewest}, minimum at least {bound}"
    text = f"{readable(row['builder'])} on {row['_title']}: {counted(grown, 'leaf', 'leaves')}; {known}"
    if not proven:
        beside += axes.plot([bound, fewest], [line, line], color=INK, linewidth=1, linestyle=(0, (2, 2)))
        point(axes, bound, line, text, row, **BOUND)
    point(axes, grown, line, text, row, marker=look.marker, color=look.colour, markersize=POINT + 2, **EDGE)
    if grown > fewest:
        words = f"+{100 * (grown - fewest) / fewest:.0f} %"
        label([axes.annotate(words, (grown, line), xytext=(5, 0), **SMALL)], "", row)
    point(axes, fewest, line, text, row, **DIAMOND, **(PROVEN if proven else UNPROVEN))
    label(beside, "", row)


SUMMARY = Summary(
    tables=(BUILDERS, SETS),
    views=VIEWS,
    finding=_finding,
    screen=_screen,
    figures=(_draw,),
    trees=_trees,
    failed="status <> 'ok' and terminal_nodes is null",
    failures_in="smallest_tree_sets",
    has_results=lambda results: any(row["excess"] is not None for row in results.rows(SETS)),
    nothing="",
)
