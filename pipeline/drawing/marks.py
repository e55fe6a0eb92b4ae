"""Marks that figures share: intervals, bands, printed rings, logarithmic axes, named lines, entries of a key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.drawing.figures import GREY, INK, JUDGED, PRINTED, fitted, label
from pipeline.drawing.frame import Axes, Frame, Inches, framed, further_lines
from pipeline.drawing.looks import colour_of
from pipeline.summary.rounding import TEXT, as_printed
from pipeline.summary.verdicts import CONTRADICTED, Verdict
from pipeline.words import readable

if TYPE_CHECKING:
    from matplotlib.axis import Axis
    from matplotlib.lines import Line2D


Row = Mapping[str, Any]

POINT = 5
"""Size of a mean inside a printed ring."""
LETTER, BESIDE_NAMES = 0.088, 0.35  # inches of a letter, and of the rest of the margin left of a panel
DOTTED = (0, (1, 1.5))
WIDE = 1.8


def interval(
    axes: Axes, low: float | None, high: float | None, at: float, *, upright: bool = False, row: Row | None = None,
    **look: Any,
) -> None:  # fmt: skip
    """Draw an interval as a line along the horizontal axis, or `upright`; nothing if an end is None.

    Parameters
    ----------
    at : float
        Position on the other axis.
    row : Row, optional
        The row whose builder and data set can switch it off.
    look : Any
        Keywords of `Axes.plot`; by default the line is 1.8 points wide.
    """
    if low is not None and high is not None:
        ends, across = [low, high], [at, at]
        label(axes.plot(*((across, ends) if upright else (ends, across)), **({"linewidth": WIDE} | look)), "", row)


def band(
    axes: Axes, at: Sequence[float], rows: Sequence[Row], mean: str = "mean", ends: tuple[str, str] = ("low", "high"),
    *, scale: float = 1.0, alpha: float = 0.16, named: str | Callable[[Any], str] = "", **look: Any,
) -> None:  # fmt: skip
    """Draw the means of rows as a line, and their intervals as a band of the same colour around it.

    Parameters
    ----------
    at : sequence of float
        Position of each row on the horizontal axis.
    mean, ends : str, (str, str)
        Fields of a row. Without an end the band is as narrow as the line; without a mean neither is drawn.
    scale : float
        Factor of all of them, such as 100 for percent.
    named : str or callable
        The label of the line if it has no marker; otherwise a function that labels the point of a row.
    look : Any
        Keywords of `Axes.plot` for the line; the band has the same `color`.
    """
    if not rows:
        return
    nan = float("nan")
    means = [nan if row[mean] is None else scale * row[mean] for row in rows]
    low, high = (
        [middle if row[end] is None else scale * row[end] for row, middle in zip(rows, means, strict=True)]
        for end in ends
    )
    pointed = {key: look.pop(key) for key in ("marker", "markersize") if key in look}
    line = axes.plot(at, means, **look)
    range_of_means = f"{named}: {means[0]:.4g} to {means[-1]:.4g}" if named and not pointed else ""
    label(line, range_of_means, rows[0])
    label([axes.fill_between(at, low, high, color=look["color"], alpha=alpha, linewidth=0)], "", rows[0])
    for x, y, row in zip(at, means, rows, strict=True):
        if pointed and row[mean] is not None:
            interval_of_row = (None if row[end] is None else scale * row[end] for end in ends)
            text = valued(named(row), y, *interval_of_row) if callable(named) else ""
            point(axes, x, y, text, row, color=look["color"], **pointed)


def point(axes: Axes, x: float, y: float, text: str, row: Row | None = None, **look: Any) -> None:
    """Draw the labelled mark of a row; `look` has keywords of `Axes.plot`."""
    label(axes.plot([x], [y], **({"linestyle": ""} | look)), text, row)


def ring(axes: Axes, x: float | None, y: float) -> list[Line2D]:
    """Draw a printed value as a ring; nothing if it is None."""
    return [] if x is None else axes.plot([x], [y], linestyle="", **PRINTED)


def valued(name: str, mean: float, low: float | None = None, high: float | None = None) -> str:
    """The label of a mark: its name and value and, if there is one, its interval."""
    within = "" if low is None or high is None else f", 95 % interval {low:.4g} to {high:.4g}"
    return f"{name}: {mean:.4g}{within}"


def judged(axes: Axes, line: float, row: Row, mean: str, colour: str, scale: float = 1.0, name: str = "") -> None:
    """Draw the mean of a row with its interval, in the ring of the printed value, marked by its verdict.

    A mean that the printed value contradicts is linked to the printed value.

    Parameters
    ----------
    row : Row
        With the fields `mean`, low, high, printed and verdict.
    scale : float
        Factor of all of them, such as 100 for percent.
    name : str
        Name of the mark in its label.
    """
    verdict, ours = row["verdict"], scale * row[mean]
    low, high, printed = (None if row[name] is None else scale * row[name] for name in ("low", "high", "printed"))
    if verdict in CONTRADICTED and printed is not None:
        label(axes.plot([ours, printed], [line, line], color=GREY, linewidth=0.8, linestyle=DOTTED), "", row)
    marks = ring(axes, printed, line)
    interval(axes, low, high, line, row=row, color=colour)
    marks += axes.plot([ours], [line], color=colour, markersize=POINT, **JUDGED[verdict])
    shown = "" if printed is None else as_printed(printed, row.get(TEXT), scale)
    beside = f"; printed {shown}{f', {verdict}' if verdict else ''}" if shown else ""
    label(marks, valued(name, ours, low, high) + beside, row)


@contextmanager
def judged_panels(
    folder: Path,
    name: str,
    title: str | tuple[str, str],
    caption: str,
    panels: Mapping[str, Sequence[tuple[str, Row, str]]],
    mean: str,
    *,
    scale: float = 1.0,
    **grid: Any,
) -> Iterator[tuple[Frame, dict[str, Axes], list[str]]]:
    """A figure of `judged` rows for the block, with its panels and lines: a panel for each title, in a row.

    Parameters
    ----------
    panels : mapping
        For each title, the line, the row and the colour of each mark. Lines with the same name are the same.
    mean, scale
        As in `judged`.
    grid : Any
        As in `framed`.
    """
    lines = list(dict.fromkeys(line for marks in panels.values() for line, _, _ in marks))
    left, above = names_width(lines), 1.5 + further_lines(title, caption)
    width = max(10.0, left + 2.3 * len(panels))
    inches = Inches(width, above + 0.65 + 0.25 * len(lines), left=left, right=0.15, above=above, below=0.65)
    with framed(folder, name, title, caption, inches, (1, len(panels)), sharey=True, wspace=0.08, **grid) as frame:
        shown = frame.titled(list(panels), pad=6)
        for panel, axes, marks in zip(shown, shown.values(), panels.values(), strict=True):
            for line, row, colour in marks:
                judged(axes, lines.index(line), row, mean, colour, scale, f"{line}, {readable(panel)}")
        name_lines(frame.panels[0, 0], lines)
        yield frame, shown, lines


def log_axis(axis: Axis, ticks: Sequence[float] | None = None) -> None:
    """Label a logarithmic axis with plain numbers, such as 0.1 and 300, without minor ticks.

    Parameters
    ----------
    ticks : sequence of float, optional
        Those of each decade, such as (1, 3). By default from (1,) to (1, 2, 3, 5), depending on the number of decades:
        set the limits of the axis first.
    """
    from matplotlib.ticker import LogLocator

    low, high = sorted(axis.get_view_interval())
    if ticks is None:
        ticks = (1, 2, 3, 5) if high <= 20 * low else (1, 3) if high <= 1000 * low else (1,)
    axis.set_major_locator(LogLocator(subs=tuple(ticks)))
    plain_numbers(axis)


def few_ticks(axis: Axis, most: int = 10, **steps: Any) -> None:
    """Limit the number of intervals between the ticks of an axis.

    Parameters
    ----------
    most : int
        Maximum number of intervals.
    steps : Any
        Keywords of `matplotlib.ticker.MaxNLocator`, such as `integer=True`.
    """
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(most, **steps))


def plain_numbers(axis: Axis) -> None:
    """Label an axis with plain numbers, such as 0.1 and 300, without minor ticks."""
    from matplotlib.ticker import FuncFormatter, NullLocator

    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}".replace("-", "\N{MINUS SIGN}")))


def name_lines(axes: Axes, names: Sequence[str]) -> None:
    """Name the lines of a panel, the first at height 0 on top, each one unit below the one before."""
    axes.set_yticks(range(len(names)), map(fitted, names))
    axes.set_ylim(len(names) - 0.4, -0.6)


def names_width(names: Iterable[str]) -> float:
    """Inches needed left of a panel for these names of lines."""
    return BESIDE_NAMES + LETTER * max(len(fitted(name)) for name in names)


def entry(label: str, **look: Any) -> Line2D:
    """An entry of a key: a line or, with `linestyle=""`, a mark with this look."""
    from matplotlib.lines import Line2D

    return Line2D([], [], label=label, **look)


def entry_of(name: str, label: str = "", **look: Any) -> Line2D:
    """The entry of a builder, heuristic or external solver in its own colour."""
    return entry(label or fitted(name), **({"color": colour_of(name)} | look))


def judged_entries(verdicts: Iterable[Verdict | None], colour: str = INK) -> list[Line2D]:
    """Entries for the marks of `judged`: ours with its interval, printed values, and each verdict but `agrees`."""
    present = set(verdicts)
    ours = entry("this run, 95 % interval", color=colour, markersize=POINT, linewidth=WIDE, **JUDGED[None])
    printed = [entry("printed", linestyle="", **PRINTED)] if any(present) else []
    others = [verdict for verdict in (Verdict.CONSISTENT, *CONTRADICTED) if verdict in present]
    return [
        ours,
        *printed,
        *(entry(str(verdict), linestyle="", color=INK, markersize=POINT, **JUDGED[verdict]) for verdict in others),
    ]
