"""Accuracies beside printed ones: a panel for each builder, a line for each case, ours in the printed ring."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.lines import Line2D

from pipeline.drawing.figures import GREY, INK, JUDGED, PRINTED, colour_of, fitted, judged_key
from pipeline.drawing.frame import Inches, framed
from pipeline.grammar.findings import agreement
from pipeline.summary.verdicts import Verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grammar.columns import Row

__all__ = ["draw"]

LINE, LETTER = 0.25, 0.088  # inches
POINT = 5


def draw(rows: Sequence[Row], folder: Path, name: str, headline: str) -> tuple[Path, ...]:
    """Draw `<name>.svg` and `.png` and return their paths; nothing where nothing was tested."""
    tested = [row for row in rows if row["accuracy"] is not None]
    if not tested:
        return ()
    cases = list(dict.fromkeys(row["case"] for row in tested))
    builders = list(dict.fromkeys(row["builder"] for row in tested))
    verdicts = [row["verdict"] for row in tested]
    left = 0.35 + LETTER * max(len(fitted(case)) for case in cases)
    inches = Inches(10.0, 2.15 + LINE * len(cases), left=left, right=0.15, above=1.5, below=0.65)
    said = f"mean accuracy over the folds of a cross-validation; {agreement(verdicts, 'value')}"
    with framed(
        folder, name, headline or name, said, inches, (1, len(builders)), sharex=True, sharey=True, wspace=0.08
    ) as frame:
        for panel, builder in zip(frame.panels[0], builders, strict=True):
            _panel(panel, builder, [row for row in tested if row["builder"] == builder], cases)
        frame.panels[0][0].set_yticks(range(len(cases)), map(fitted, cases))
        frame.panels[0][0].set_ylim(len(cases) - 0.4, -0.6)
        frame.below("test accuracy, % of test rows")
        frame.key(
            [
                Line2D(
                    [], [], color=INK, markersize=POINT, linewidth=1.8, label="this run, 95 % interval", **JUDGED[None]
                ),
                Line2D([], [], linestyle="", label="printed", **PRINTED),
                *judged_key(verdicts, POINT),
            ]
        )
    return frame.files


def _panel(axes: Axes, builder: str, rows: Sequence[Row], cases: Sequence[str]) -> None:
    """One builder: means with their intervals, in rings that are the printed values, linked where they differ."""
    colour = colour_of(builder)
    axes.set_title(fitted(builder), pad=6)
    axes.grid(visible=True, axis="both")
    for row in rows:
        line, mean = cases.index(row["case"]), row["accuracy"]
        if row["verdict"] is Verdict.DIFFERS:
            axes.plot([mean, row["printed"]], [line, line], color=GREY, linewidth=0.8, linestyle=(0, (1, 1.5)))
        axes.plot([row["printed"]], [line], linestyle="", **PRINTED)
        if row["low"] is not None:
            axes.plot([row["low"], row["high"]], [line, line], color=colour, linewidth=1.8)
        axes.plot([mean], [line], color=colour, markersize=POINT, **JUDGED[row["verdict"]])
