"""The figure of grown trees beside the smallest: a panel for each builder, a line for each data set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.drawing.figures import GREY, INK, fitted, look_of
from pipeline.drawing.frame import Inches, framed
from pipeline.drawing.marks import entry, entry_of, log_axis, name_lines, names_width
from pipeline.grammar.columns import grouped
from pipeline.grids.smallest_tree.summary import SETS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grammar.columns import Row
    from pipeline.grammar.summary import Found

__all__ = ["draw"]

PANEL, LINE, ABOVE, BELOW = 3.0, 0.25, 1.35, 0.65
"""Inches: width of a panel, the height of a line, and what is above and below the panels."""
POINT = 6.5
BOUND: dict[str, Any] = {"linestyle": "", "marker": "|", "color": INK, "markersize": 9, "markeredgewidth": 1.5}
DIAMOND: dict[str, Any] = {"linestyle": "", "marker": "D", "markersize": POINT - 2}
PROVEN: dict[str, Any] = {"color": INK, "markeredgecolor": "white"}
FOUND: dict[str, Any] = {"color": "white", "markeredgecolor": INK}
SMALL: dict[str, Any] = {"color": GREY, "fontsize": 7.5, "textcoords": "offset points", "va": "center"}


def draw(found: Found, folder: Path) -> tuple[Path, ...]:
    """Draw `smallest_tree.svg` and `.png` and return their paths; nothing where there are no leaves to compare."""
    sets = [row for row in found.rows(SETS) if row["excess"] is not None]
    if not sets:
        return ()
    builders, titles = (list(dict.fromkeys(row[name] for row in sets)) for name in ("builder", "_title"))
    left = names_width(titles)
    width, height = left + PANEL * len(builders), ABOVE + BELOW + LINE * len(titles)
    inches = Inches(width, height, left=left, right=0.01 * width, above=ABOVE, below=BELOW)
    said = "leaves grown, and the fewest of any tree with the same classification of the training rows; logarithmic"
    title, shape = "The smallest tree that says the same", (1, len(builders))
    with framed(folder, "smallest_tree", title, said, inches, shape, sharex=True, sharey=True, wspace=0.07) as frame:
        panels = frame.titled(builders, x="leaves").values()
        for panel, own in zip(panels, grouped(sets, "builder").values(), strict=True):
            panel.set_xscale("log")
            for row in own:
                _line(panel, row, titles.index(row["_title"]))
        first, leaves = frame.panels[0, 0], [row[name] for row in sets for name in ("bound", "leaves")]
        first.set_xlim(min(leaves) / 1.3, 1.1 * max(leaves) * (max(leaves) / min(leaves)) ** 0.3)
        log_axis(first.xaxis)
        name_lines(first, titles)
        grown = [entry_of(one, f"grown by {fitted(one)}", linestyle="", marker=look_of(one).marker) for one in builders]
        fewest = [entry("fewest, proven", **DIAMOND, **PROVEN), entry("fewest found", **DIAMOND, **FOUND)]
        frame.key([*grown, *fewest, entry("proven bound", **BOUND)], 7, columnspacing=1.2, handletextpad=0.3)
    return frame.files


def _line(axes: Axes, row: Row, line: int) -> None:
    """The leaves of a grown tree, and the fewest; where these are not proven, their bound too."""
    look, proven = look_of(row["builder"]), row["proven"] == "true"
    grown, fewest, bound = row["leaves"], row["fewest_leaves"], row["bound"]
    axes.plot([fewest, grown], [line, line], color=look.colour, linewidth=2, alpha=0.55, solid_capstyle="butt")
    if not proven:
        axes.plot([bound, fewest], [line, line], color=INK, linewidth=1, linestyle=(0, (2, 2)))
        axes.plot([bound], [line], **BOUND)
    axes.plot([grown], [line], look.marker, color=look.colour, markersize=POINT + 2, markeredgecolor="white")
    if grown > fewest:
        axes.annotate(f"+{100 * (grown - fewest) / fewest:.0f} %", (grown, line), xytext=(5, 0), **SMALL)
    axes.plot([fewest], [line], **DIAMOND, **(PROVEN if proven else FOUND))
