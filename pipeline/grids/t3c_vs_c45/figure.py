"""The figure of T2, T3 and T3C: accuracy against size beside C4.5, and the effect of levels, branches and errors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.drawing.figures import INK, colour_of, fitted
from pipeline.drawing.frame import Inches, framed
from pipeline.drawing.marks import interval
from pipeline.grammar.comparison.standings_figure import key, ratios_panel
from pipeline.screen import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grammar.columns import Row

__all__ = ["draw"]

APART = 0.12
"""Half of the distance between the points of training and test rows."""


def draw(standings: Sequence[Row], steps: Sequence[Row], swept: str, folder: Path) -> tuple[Path, ...]:
    """Draw `t3c_vs_c45.svg` and `.png` and return their paths; nothing where there are no two builders."""
    if len(standings) < 2:
        return ()
    varied = {row["builder"] for row in steps} - {swept}
    shown = [row for row in standings if row["builder"] not in varied]
    sweeps = list(dict.fromkeys(row["sweep"] for row in steps))
    said = (
        f"mean differences in accuracy over {counted(standings[0]['n'], 'data set')}, against geometric mean ratios of "
        "nodes; bars are 95 % intervals, paired by data set"
    )
    inches = Inches(14.0, 6.2, left=0.84, right=0.21, above=1.74, below=0.71)
    shape, ratios = (1, 1 + len(sweeps)), [1.7, *[1] * len(sweeps)]
    title = "Small trees of fewest training errors"
    with framed(folder, "t3c_vs_c45", title, said, inches, shape, wspace=0.28, width_ratios=ratios) as frame:
        size, *others = frame.panels[0]
        first = fitted(standings[0]["builder"])
        ratios_panel(size, shown, "nodes")
        size.set_title("Size")
        size.set_xlabel(f"nodes, times those of {first}")
        size.set_ylabel(f"test accuracy, points above {first}")
        for axes, sweep in zip(others, sweeps, strict=True):
            axes.sharey(others[0])
            _steps_panel(axes, [row for row in steps if row["sweep"] == sweep], colour_of(swept))
            axes.set_xlabel(sweep)
            axes.tick_params(labelleft=axes is others[0])
        if others:
            others[0].set_title("T3C of more and fewer levels, branches and acceptable errors")
            others[0].set_ylabel(f"accuracy, points above {swept}")
            others[-1].legend(loc="lower left", fontsize=9)
        frame.key(key(shown), len(shown))
    return frame.files


def _steps_panel(axes: Axes, steps: Sequence[Row], colour: str) -> None:
    """Training and test accuracy of each step."""
    axes.axhline(0, color=INK, linewidth=0.8)
    for rows, face, shift in (("train", "white", -APART), ("test", colour, APART)):
        at = [place + shift for place in range(len(steps))]
        for place, row in zip(at, steps, strict=True):
            ends = row[f"{rows}_low"], row[f"{rows}_high"]
            interval(axes, *ends, place, upright=True, color=colour, linewidth=1.2, alpha=0.6)
        means = [row[f"{rows}_difference"] for row in steps]
        label = "training rows" if rows == "train" else "test rows"
        axes.plot(at, means, "o", color=colour, markerfacecolor=face, label=label)
    axes.set_xticks(range(len(steps)), [row["step"] for row in steps])
    axes.set_xlim(-0.6, len(steps) - 0.4)
