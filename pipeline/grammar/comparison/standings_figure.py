"""Builders against the first of them: a point each with both its intervals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.drawing.figures import INK, colour_of, fitted, look_of
from pipeline.drawing.frame import Inches, framed
from pipeline.drawing.marks import entry, interval, log_axis
from pipeline.screen import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from pipeline.grammar.columns import Row

__all__ = ["draw", "key", "ratios_panel"]

MOST_IN_A_LINE = 6

MOST_WITH_FIVES = 100
"""From the least to the greatest ratio, beyond which an axis has no room for marks at 2, 3 and 5."""


def draw(standings: Sequence[Row], folder: Path, name: str, headline: str) -> tuple[Path, ...]:
    """Draw `<name>.svg` and `.png`, accuracy against size and time; nothing where there are no two builders."""
    if len(standings) < 2:
        return ()
    first = fitted(standings[0]["builder"])
    said = (
        f"means over {counted(standings[0]['n'], 'data set')} of accuracy, geometric ones of ratios; bars are 95 % "
        "intervals, paired by data set; hollow: not a single tree"
    )
    inches = Inches(12.5, 6.2, left=0.94, right=0.19, above=1.55, below=0.71)
    with framed(folder, name, headline, said, inches, (1, 2), sharey=True, wspace=0.08) as frame:
        size, time = frame.panels[0]
        ratios_panel(size, standings, "nodes")
        ratios_panel(time, standings, "time")
        size.set_title("Size")
        size.set_xlabel(f"nodes, times those of {first}")
        size.set_ylabel(f"test accuracy, points above {first}")
        time.set_title("Time")
        time.set_xlabel(f"seconds to build, times those of {first}")
        frame.key(key(standings), MOST_IN_A_LINE)
    return frame.files


def key(standings: Sequence[Row]) -> list[Line2D]:
    """What each builder's point looks like."""
    return [entry(fitted(row["builder"]), **_mark(row)) for row in standings]


def ratios_panel(axes: Axes, standings: Sequence[Row], measure: str) -> None:
    """Differences in accuracy against the ratio of a measure, `nodes` or `time`; hollow: not a single tree."""
    axes.set_xscale("log")
    axes.axhline(0, color=INK, linewidth=0.8)
    for row in standings:
        x, low, high = (row[f"{measure}_{end}"] for end in ("ratio", "low", "high"))
        if x is None:
            continue
        look: dict[str, Any] = {"color": colour_of(row["builder"]), "linewidth": 1.2, "alpha": 0.6}
        interval(axes, low, high, row["difference"], **look)
        interval(axes, row["low"], row["high"], x, upright=True, **look)
        axes.plot([x], [row["difference"]], **_mark(row))
    axes.margins(x=0.06, y=0.06)
    low, high = axes.get_xlim()
    log_axis(axes.xaxis, (1, 3) if high > MOST_WITH_FIVES * low else (1, 2, 3, 5))


def _mark(row: Row) -> dict[str, Any]:
    """The marker of a builder, hollow where it is not a single tree."""
    look, whole = look_of(row["builder"]), row["nodes_ratio"] is not None
    return {
        "linestyle": "",
        "markersize": 7.5,
        "marker": look.marker,
        "markerfacecolor": look.colour if whole else "white",
        "markeredgecolor": "white" if whole else look.colour,
        "markeredgewidth": 0.7 if whole else 1.4,
    }
