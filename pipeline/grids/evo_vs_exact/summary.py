"""The summary of evolved and grown trees beside the fewest training errors: set by set, and over all sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from pipeline.grammar.columns import Row, estimate_of
from pipeline.grammar.findings import listed, points
from pipeline.grammar.notable_trees import drawable, notable, wrong
from pipeline.grammar.pivot import listing
from pipeline.grammar.summary import Found, Summary
from pipeline.grid import NotableTree
from pipeline.grids.evo_vs_exact.grid import EXACT
from pipeline.grids.evo_vs_exact.tables import BUILDERS, DESCENTS, FRONTIERS, MARKS, SETS, VIEWS

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["SUMMARY"]

LEGEND = (
    "reached: trees with as few errors as any; needed: fewest splits of a tree with no more errors; not proven: sets "
    "left out, of which a bound is known"
)


def _finding(found: Found) -> list[str]:
    """How often each builder finds a tree of the fewest errors, depth by depth, and how far from it it is."""
    known = [row for row in found.rows(BUILDERS) if row["n"]]
    if not known:
        return ["the fewest training errors are proven of no data set"]
    said = []
    for builder in dict.fromkeys(row["builder"] for row in known):
        own = [row for row in known if row["builder"] == builder]
        reached = [f"{row['reached']} of {row['trees']} at depth {row['max_depth']}" for row in own]
        worst = estimate_of(max(own, key=lambda row: row["excess"]), "excess")
        far = f"up to {points(worst)} above on average" if worst else ""
        said.append(f"{builder} in {listed(reached)}, {far}")
    said[0] = f"trees of as few training errors as any of their depth has: {said[0]}"
    return said


def _screen(found: Found, _: int) -> list[RenderableType]:
    """A line for each depth and builder."""
    lines = []
    for row in found.rows(BUILDERS):
        half = "" if row["high"] is None else f" ± {row['high'] - row['excess']:.2f}"
        excess = "" if row["excess"] is None else f"{row['excess']:.2f}{half}"
        sizes = ("" if row[name] is None else f"{row[name]:.1f}" for name in ("splits", "fewest_splits"))
        reached = f"{row['reached']}/{row['trees']}"
        lines.append([row["max_depth"], row["builder"], row["n"], reached, excess, *sizes, row["not_proven"]])
    shown = listing(
        "Training errors above the fewest of any tree of that depth",
        ("depth", "builder", "sets", "reached", "excess, points", "splits", "needed", "not proven"),
        lines,
        words=["builder"],
    )
    return [shown, Text(LEGEND, style="dim")]


def _trees(found: Found) -> list[NotableTree]:
    """Of the builder that is furthest above the fewest errors the worst tree, and the best of its depth."""
    rows: dict[tuple[Any, ...], list[Row]] = {}
    question = "select *, (parameters ->> 'max_depth')::int as max_depth from results order by position"
    for row in filter(drawable, found.ask(question)):
        rows.setdefault(tuple(row[name] for name in ("source", "part", "max_depth", "builder")), []).append(row)
    proven = [row for row in found.rows(SETS) if row["proven"] == "true"]
    for one in sorted(proven, key=lambda row: -row["excess"]):
        cell = (one["source"], one["part"], one["max_depth"])
        own, best = rows.get((*cell, one["builder"]), []), rows.get((*cell, EXACT), [])
        if own and best:
            worst = min(own, key=lambda row: float(row["train_accuracy"]))
            fewest = f"{wrong(best[0])}, the fewest of depth {one['max_depth']}"
            return [notable(worst, wrong(worst)), notable(best[0], fewest)]
    return []


SUMMARY = Summary(
    tables=(BUILDERS, SETS, MARKS, FRONTIERS, DESCENTS),
    views=VIEWS,
    finding=_finding,
    screen=_screen,
    trees=_trees,
    failed="status <> 'ok' and terminal_nodes is null",
    failures_in="",
    worked=lambda found: bool(found.rows(SETS)),
    nothing="The fewest training errors are proven of no data set.",
)
