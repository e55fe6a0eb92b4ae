"""The comparison of two runs on the screen: counts, the first rows, and what to type for all of them."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape

from pipeline.listing import listing
from pipeline.query.comparison import Comparison
from pipeline.screen import console, counted, out_of, output_flag, tool

__all__ = ["said", "show_comparison"]


def said(found: Comparison) -> str:
    """How many rows differ, in a sentence."""
    rows = f"{out_of(found.differing, found.both, 'row')} that both runs have differ"
    alone = [
        f"{counted(count, 'row')} only in {side}" for count, side in ((found.only_a, "a"), (found.only_b, "b")) if count
    ]
    return "; ".join([rows, *alone])


def show_comparison(found: Comparison, output: Path) -> None:
    """Show how two runs differ."""
    out = console()
    out.print(f"[bold]{escape(found.grid)}[/]: a is run {found.a}, b is run {found.b}", soft_wrap=True)
    for run, complete in zip((found.a, found.b), found.complete, strict=True):
        if not complete:
            out.print(f"run {run} is not complete: the rows that are there are compared")
    out.print("\n[bold]Keys that differ[/]")
    if found.keys:
        out.print(listing(("key", "a", "b"), [(key.name, key.a, key.b) for key in found.keys], out.width)[0])
    else:
        out.print("none")
    out.print(f"\n[bold]Rows[/], joined by {escape(', '.join(found.joined_by))}")
    out.print(said(found))
    if found.not_compared:
        out.print(f"not compared, only in one run: {', '.join(found.not_compared)}", markup=False)
    if found.columns:
        rows = [(name, count, f"{count / found.both:.1%}") for name, count in found.columns.items()]
        out.print()
        out.print(listing(("column", "rows that differ", "share"), rows, out.width)[0])
    if not found.total:
        return
    shown, left_out = listing(found.names, found.first, out.width)
    more = [f"the first {len(found.first)} of {found.total:,} rows"] if found.total > len(found.first) else []
    out.print()
    out.print(shown)
    if left_out or more:
        out.print("; ".join([*left_out, *more]), markup=False)
    again = f"{tool('query')} --compare {found.a} {found.b}{output_flag(output)}"
    out.print("\n[bold]All of them[/]")
    out.print(f"as CSV: {again} --format csv", soft_wrap=True, markup=False)
    out.print(f"as SQL: {found.question}", soft_wrap=True, markup=False)
