"""The figure of DID beside J48 and SVM: a panel per builder, a line per printed case, ours in the printed ring."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from pipeline.drawing.figures import GREY, INK, JUDGED, PRINTED, colour_of, house_style, judged_key, save
from pipeline.grammar.findings import agreement
from pipeline.summary.verdicts import Verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grids.did_vs_svm.summary import Cell

__all__ = ["draw"]

WIDTH, LINE, ABOVE, BELOW = 10.0, 0.25, 1.5, 0.65
"""Inches: the figure's width, the height of a line, and what is above and below the panels."""
POINT = 5
"""Size of our means."""


def draw(cells: Sequence[Cell], folder: Path) -> tuple[Path, ...]:
    """Draw `did_vs_svm.svg` and `.png` and return their paths; nothing where nothing was tested."""
    tested = [cell for cell in cells if cell.estimate]
    if not tested:
        return ()
    cases = list(dict.fromkeys(cell.case for cell in tested))
    builders = list(dict.fromkeys(cell.score.builder for cell in tested))
    height = ABOVE + BELOW + LINE * len(cases)
    with house_style():
        figure = Figure(figsize=(WIDTH, height))
        place = {"left": 0.135, "right": 0.985, "bottom": BELOW / height, "top": 1 - ABOVE / height, "wspace": 0.08}
        panels = figure.subplots(1, len(builders), sharex=True, sharey=True, squeeze=False, gridspec_kw=place)[0]
        for panel, builder in zip(panels, builders, strict=True):
            _panel(panel, builder, [cell for cell in tested if cell.score.builder == builder], cases)
        panels[0].set_yticks(range(len(cases)), cases)
        panels[0].set_ylim(len(cases) - 0.4, -0.6)
        _frame(figure, tested, height)
        return save(figure, folder, "did_vs_svm")


def _panel(axes: Axes, builder: str, cells: Sequence[Cell], cases: Sequence[str]) -> None:
    """One builder: means with their intervals, in rings that are the printed values, linked where they differ."""
    colour = colour_of(builder)
    axes.set_title(builder, pad=6)
    axes.grid(visible=True, axis="both")
    for cell in cells:
        if cell.estimate is None:
            continue
        line, mean = cases.index(cell.case), cell.estimate.mean
        if cell.verdict is Verdict.DIFFERS:
            axes.plot([mean, cell.printed], [line, line], color=GREY, linewidth=0.8, linestyle=(0, (1, 1.5)))
        axes.plot([cell.printed], [line], linestyle="", **PRINTED)
        if cell.estimate.low is not None and cell.estimate.high is not None:
            axes.plot([cell.estimate.low, cell.estimate.high], [line, line], color=colour, linewidth=1.8)
        axes.plot([mean], [line], color=colour, markersize=POINT, **JUDGED[cell.verdict])


def _frame(figure: Figure, cells: Sequence[Cell], height: float) -> None:
    """Title and key above the panels, the horizontal axis below."""
    verdicts = [cell.verdict for cell in cells]
    figure.text(0.012, 1 - 0.18 / height, "DID beside J48 and SVM", fontsize=14, fontweight="bold", va="top")
    said = f"mean accuracy over the folds of a cross-validation; {agreement(verdicts, 'value')}"
    figure.text(0.012, 1 - 0.48 / height, said, color=GREY, va="top")
    figure.text(0.55, 0.14 / height, "test accuracy, % of test rows", ha="center", color=INK)
    key = [
        Line2D([], [], color=INK, markersize=POINT, linewidth=1.8, label="this run, 95 % interval", **JUDGED[None]),
        Line2D([], [], linestyle="", label="printed", **PRINTED),
        *judged_key(verdicts, POINT),
    ]
    figure.legend(handles=key, ncols=len(key), loc="upper left", bbox_to_anchor=(0.005, 1 - 0.68 / height))
