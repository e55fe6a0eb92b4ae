"""The comparison of two runs on the screen: the differences, and the command for all of them."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape

from pipeline.listing import listing
from pipeline.query.comparison import Comparison
from pipeline.screen import console, output_flag, tool

__all__ = ["show_comparison"]


def show_comparison(found: Comparison, output: Path) -> None:
    """Show the differences of two runs."""
    out = console()
    out.print(f"[bold]{escape(found.grid)}[/]: a is run {found.a}, b is run {found.b}", soft_wrap=True)
    out.print(found.finding, markup=False)
    for table in found.tables():
        shown, left_out = listing(table.columns, table.rows, out.width)
        out.print(f"\n[bold]{table.title}[/]")
        out.print(shown)
        out.print(" ".join([table.note, *left_out]), markup=False)
    if found.total:
        again = f"{tool('query')} --compare {found.a} {found.b}{output_flag(output)}"
        out.print("\n[bold]All of them[/]")
        out.print(f"as CSV: {again} --format csv", soft_wrap=True, markup=False)
        out.print(f"as SQL: {found.question}", soft_wrap=True, markup=False)
