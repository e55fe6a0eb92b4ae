"""Phrases that findings share, and tables for the terminal."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from pipeline.grammar.columns import Row
from pipeline.summary.statistics import Estimate
from pipeline.summary.verdicts import Verdict, tally
from pipeline.words import out_of

OTHERS = {
    Verdict.CONSISTENT: ("is consistent with it", "are consistent with it"),
    Verdict.DIFFERS: ("differs", "differ"),
    Verdict.MISPRINT: ("is a misprint", "are misprints"),
    Verdict.FOLLOWS: ("follows from another printed value", "follow from other printed values"),
    Verdict.IMPOSSIBLE: ("is impossible", "are impossible"),
    Verdict.NO_INPUT: ("has no input", "have no input"),
    Verdict.OPEN: ("is open", "are open"),
}
"""The verdicts other than `agrees`, in the singular and the plural."""


def agreement(
    verdicts: Iterable[Verdict | None], noun: str, nouns: str | None = None, *, known: str = "the paper"
) -> str:
    """Count the verdicts in words: "3 of 8 cells agree with the paper, 4 are consistent with it and 1 differs".

    Parameters
    ----------
    verdicts : one for each value; None if it was not compared
    noun, nouns : the noun for a value, and its plural unless that is formed with an s
    known : what the values were compared with
    """
    counts = tally(verdicts)
    compared = sum(counts.values())
    if not compared:
        return f"no {nouns or noun + 's'} were compared with {known}"
    others = [f"{counts[each]} {words[counts[each] != 1]}" for each, words in OTHERS.items() if each in counts]
    agree = f"{out_of(counts.get(Verdict.AGREES, 0), compared, noun, nouns)} {does('agree', compared)} with {known}"
    return f"{agree}, {listed(others)}" if others else agree


def does(verb: str, number: int) -> str:
    """Inflect a verb for a number: "agrees" for 1, otherwise "agree"."""
    return f"{verb}s" if number == 1 else verb


def listed(words: Sequence[str]) -> str:
    """Join words into an enumeration: "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def tied_names(names: Sequence[str]) -> str:
    """Enumerate tied names; of three or more, only the first: "a", "a and b", "a and 2 more"."""
    return listed(names) if len(names) < 3 else f"{names[0]} and {len(names) - 1} more"


def above(share: float) -> str:
    """Describe an excess over a minimum, given as a share of it: "4.2 % above" or "0.5 % below"."""
    return f"{abs(100 * share):.1f} % {'below' if share < 0 else 'above'}"


def points(estimate: Estimate) -> str:
    """A mean in points with half its 95 % interval, if it has one: "1.2 ± 0.3 points"."""
    half = "" if estimate.high is None else f" ± {estimate.high - estimate.mean:.1f}"
    return f"{estimate.mean:.1f}{half} points"


MARKS = {
    Verdict.AGREES: "",
    Verdict.CONSISTENT: "≈",
    Verdict.DIFFERS: "≠",
    Verdict.MISPRINT: "!",
    Verdict.FOLLOWS: "!",
    Verdict.IMPOSSIBLE: "!",
    None: "-",
}
"""Shown after a value on the terminal; `!` means that the printed value is proved wrong."""


def mark(row: Row) -> str:
    """The mark of a row's verdict."""
    return MARKS.get(row["verdict"], "")


def listing(
    title: str,
    headings: Sequence[str],
    lines: Iterable[Sequence[object]] = (),
    words: Collection[str] = ("",),
    names: int | None = None,
    apart: int = 2,
) -> Table:
    """Lines of values below headings. Columns named in `words` are aligned left, others right.

    names : width of the first column, whose names are folded; None: as wide as they need
    apart : spaces between columns
    """
    shown = Table(title=title, title_justify="left", box=None, padding=(0, apart, 0, 0), pad_edge=False)
    for index, heading in enumerate(headings):
        width = None if index else names
        fold: dict[str, Any] = {"no_wrap": True} if width is None else {"overflow": "fold", "max_width": width}
        shown.add_column(heading, justify="left" if heading in words else "right", **fold)
    for line in lines:
        shown.add_row(*(Text(str(value)) for value in line))
    return shown


def pivot(
    rows: Sequence[Row],
    *,
    line: Callable[[Row], str],
    column: Callable[[Row], str],
    cell: Callable[[Row], str | Text | None],
    title: str,
    numeric: bool = False,
    apart: int = 2,
) -> Group:
    """The rows as a cross table below its title. Lines and columns are in order of first appearance.

    cell  : gives the text for a row; None if it failed
    apart : spaces between columns
    """
    shown = Table(box=None, padding=(0, apart, 0, 0))
    shown.add_column("", no_wrap=True)
    columns = list(dict.fromkeys(map(column, rows)))
    for name in columns:
        shown.add_column(Text(name), justify="right" if numeric else "left", overflow="fold")
    by_cell = {(line(row), column(row)): row for row in rows}
    for name in dict.fromkeys(map(line, rows)):
        cells = [by_cell.get((name, heading)) for heading in columns]
        shown.add_row(Text(name), *("" if row is None else _cell(cell(row)) for row in cells))
    return with_title(title, shown)


def with_title(title: str, table: Table) -> Group:
    """A table below a title that may be wider; the title of a `Table` is folded to its width."""
    return Group(Text(title, style="table.title"), table)


def _cell(words: str | Text | None) -> Text:
    if words is None:
        return Text("failed", style="red")
    return Text(words) if isinstance(words, str) else words
