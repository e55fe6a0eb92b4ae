"""Words that findings share, and tables for the screen: a line for each row, or a column for each value of a column."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from pipeline.grammar.columns import Row
from pipeline.summary.statistics import Estimate
from pipeline.summary.verdicts import Verdict, tally
from pipeline.words import out_of

__all__ = ["MARKS", "above", "agreement", "does", "level", "listed", "listing", "mark", "pivot", "points"]

OTHERS = {
    Verdict.CONSISTENT: ("is consistent with it", "are consistent with it"),
    Verdict.DIFFERS: ("differs", "differ"),
    Verdict.MISPRINT: ("is a misprint", "are misprints"),
    Verdict.FOLLOWS: ("follows from another printed value", "follow from other printed values"),
    Verdict.IMPOSSIBLE: ("is impossible", "are impossible"),
    Verdict.NO_INPUT: ("has no input", "have no input"),
    Verdict.OPEN: ("is open", "are open"),
}
"""The verdicts besides `agrees`, of one value and of several."""


def agreement(
    verdicts: Iterable[Verdict | None],
    noun: str,
    nouns: str | None = None,
    *,
    known: str = "the paper",
    exact: bool = False,
) -> str:
    """How many values have each verdict: "3 of 8 cells agree with the paper, 4 are consistent with it and 1 differs".

    Parameters
    ----------
    verdicts : those of all values; None of what was not compared
    noun, nouns : what a value is, and several, where an s does not do
    known : what they were compared with
    exact : whether the values have no sampling error, so that none can be merely consistent; else that count is given
        even where it is 0
    """
    counts = tally(verdicts)
    compared = sum(counts.values())
    if not compared:
        return f"no {nouns or noun + 's'} were compared with {known}"
    always = () if exact else (Verdict.CONSISTENT,)
    shown = {each: counts.get(each, 0) for each in OTHERS if each in counts or each in always}
    others = [f"{count} {OTHERS[each][count != 1]}" for each, count in shown.items()]
    agree = f"{out_of(counts.get(Verdict.AGREES, 0), compared, noun, nouns)} {does('agree', compared)} with {known}"
    return f"{agree}, {listed(others)}" if others else agree


def does(verb: str, number: int) -> str:
    """A verb as so many do it: "agrees" of one, "agree" of others."""
    return f"{verb}s" if number == 1 else verb


def listed(words: Sequence[str]) -> str:
    """Words as a sentence has them: "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def level(names: Sequence[str]) -> str:
    """Names that are level, of many the first and how many more: "a", "a and b", "a and 2 more"."""
    return listed(names) if len(names) < 3 else f"{names[0]} and {len(names) - 1} more"


def above(share: float) -> str:
    """How far something is from a minimum, as a share of it: "4.2 % above" or "0.5 % below"."""
    return f"{abs(100 * share):.1f} % {'below' if share < 0 else 'above'}"


def points(estimate: Estimate) -> str:
    """A mean in points, with half its 95 % interval where it has one: "1.2 ± 0.3 points"."""
    half = "" if estimate.high is None else f" ± {estimate.high - estimate.mean:.1f}"
    return f"{estimate.mean:.1f}{half} points"


MARKS = {
    Verdict.AGREES: "",
    Verdict.CONSISTENT: "~",
    Verdict.DIFFERS: "*",
    Verdict.MISPRINT: "!",
    Verdict.FOLLOWS: "!",
    Verdict.IMPOSSIBLE: "!",
    None: "-",
}
"""Behind a value on the screen; !: the paper's is proved wrong."""


def mark(row: Row) -> str:
    """The mark of the verdict of a row."""
    return MARKS.get(row["verdict"], "")


def listing(
    title: str,
    headings: Sequence[str],
    lines: Iterable[Sequence[object]] = (),
    words: Collection[str] = ("",),
    names: int | None = None,
    apart: int = 2,
) -> Table:
    """Lines of values under headings; columns whose headings are among `words` are set left, others right.

    names : columns of the screen for the names in front, which are folded; None: as many as they need
    """
    shown = Table(title=title, title_justify="left", box=None, padding=(0, apart, 0, 0), pad_edge=False)
    for place, heading in enumerate(headings):
        room = None if place else names
        fold: dict[str, Any] = {"no_wrap": True} if room is None else {"overflow": "fold", "max_width": room}
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
) -> Table:
    """The rows as a table, lines and columns in the order in which they come up.

    cell : writes the value of a row; None where it failed
    """
    room = None if rows else len(title)  # a title is folded to the width of its table
    shown = Table(title=title, title_justify="left", box=None, padding=(0, apart, 0, 0), min_width=room)
    shown.add_column("")
    columns = list(dict.fromkeys(map(column, rows)))
    for name in columns:
        shown.add_column(Text(name), no_wrap=True, justify="right" if numeric else "left")
    by_cell = {(line(row), column(row)): row for row in rows}
    for name in dict.fromkeys(map(line, rows)):
        found = [by_cell.get((name, one)) for one in columns]
        shown.add_row(Text(name), *("" if row is None else _cell(cell(row)) for row in found))
    return shown


def _cell(words: str | Text | None) -> Text:
    if words is None:
        return Text("failed", style="red")
    return Text(words) if isinstance(words, str) else words
