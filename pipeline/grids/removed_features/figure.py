"""The figure of removed features: accuracy against the number of attributes removed, a row of panels a data set."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.ticker import MaxNLocator

from pipeline.drawing.figures import look_of
from pipeline.drawing.frame import Inches, framed
from pipeline.drawing.marks import band, entry
from pipeline.grids.removed_features.grid import BY_GAIN
from pipeline.grids.removed_features.summary import POINTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grammar.columns import Row
    from pipeline.grammar.summary import Found

__all__ = ["draw"]

WIDTH, PANEL, ABOVE, BELOW = 10.0, 2.2, 1.35, 0.65
"""Inches: the figure's width, a row of panels, and what is above and below the panels."""


def draw(found: Found, folder: Path) -> tuple[Path, ...]:
    """Draw `removed_features.svg` and `.png` and return their paths; nothing where nothing was tested.

    Data sets go downwards; to the left is the order by gain, to the right the mean of the random orders, if there are.
    """
    tested = [row for row in found.rows(POINTS) if row["n"]]
    if not tested:
        return ()
    titles, orders, builders = (
        list(dict.fromkeys(row[name] for row in tested)) for name in ("_title", "order", "builder")
    )
    splits, random = (
        max((row["n"] for row in tested if (row["order"] == BY_GAIN) == gain), default=0) for gain in (True, False)
    )
    said = f"left: the most informative attribute goes first; 95 % intervals over {splits} splits"
    said += f".  right: mean of {random} random orders; intervals over these" if random else ""
    inches = Inches(WIDTH, ABOVE + BELOW + PANEL * len(titles), left=0.75, right=0.15, above=ABOVE, below=BELOW)
    shape, rooms = (len(titles), len(orders)), {"hspace": 0.42, "wspace": 0.05}
    title = "What is left without features"
    with framed(folder, "removed_features", title, said, inches, shape, lines="y", sharey="row", **rooms) as frame:
        for panels, one in zip(frame.panels, titles, strict=True):
            for panel, order in zip(panels, orders, strict=True):
                _panel(panel, [row for row in tested if (row["_title"], row["order"]) == (one, order)], builders)
            panels[0].set_title(one)
            panels[0].set_ylabel("accuracy, %")
        frame.figure.align_ylabels(frame.panels[:, 0])
        for panel in frame.panels[-1]:
            panel.set_xlabel("attributes removed")
        frame.key([entry(name, markersize=4, **_line(name)) for name in builders])
    return frame.files


def _panel(axes: Axes, points: Sequence[Row], builders: Sequence[str]) -> None:
    """A line with its band for each builder."""
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    for builder in builders:
        own = [row for row in points if row["builder"] == builder]
        removed = [row["removed"] for row in own]
        band(axes, removed, own, "test_accuracy", linewidth=1.5, markersize=3, **_line(builder))


def _line(builder: str) -> dict[str, Any]:
    """How a builder's line is drawn, as keywords of `plot`."""
    look = look_of(builder)
    return {"color": look.colour, "linestyle": look.line, "marker": look.marker}
