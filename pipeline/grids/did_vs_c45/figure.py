"""The figure of DID over its weights: a panel per data set, average depth beside that of ID3, gain ratio and print."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from pipeline.drawing.figures import GREY, PRINTED, colour_of, house_style, save
from pipeline.grids.did_vs_c45.depth_cells import CASES, Depth, Printed, printed, ratio_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw"]

ACROSS = 3
WIDTH, PANEL, ABOVE, BELOW = 10.0, 2.4, 1.35, 0.7
"""Inches: the figure's width, the height of a row of panels, and what is above and below the panels."""

DID, EXACT = colour_of("did"), colour_of("exact")
ACROSS_PANEL = {"id3": "ID3", "gain_ratio": "gain ratio"}
"""Builders without weights, whose depth is a line across the panel; in words."""
DOTS = (0, (1, 1.5))
PRINT_LINE: dict[str, Any] = {"color": PRINTED["markeredgecolor"], "linewidth": 1.2, "linestyle": "--"}


def draw(depths: Sequence[Depth], folder: Path) -> tuple[Path, ...]:
    """Draw a panel a source as `did_vs_c45.svg` and `.png` and return their paths; nothing where there is no sweep."""
    by_source: dict[str, dict[str, Depth]] = {}
    for depth in depths:
        by_source.setdefault(depth.source, {})[depth.builder] = depth
    swept = {source: found for source, found in by_source.items() if _sweep(found)}
    if not swept:
        return ()
    names = {case.source: name for name, case in CASES.items()}
    ordered = sorted(swept, key=lambda source: list(names).index(source) if source in names else len(names))
    across = min(ACROSS, len(ordered))
    down = -(-len(ordered) // across)
    height = ABOVE + BELOW + PANEL * down
    with house_style():
        figure = Figure(figsize=(WIDTH, height))
        place = {"left": 0.07, "right": 0.985, "bottom": BELOW / height, "top": 1 - ABOVE / height}
        panels = figure.subplots(down, across, squeeze=False, gridspec_kw=place | {"wspace": 0.22, "hspace": 0.48})
        for panel, source in zip(panels.flat, ordered, strict=False):
            _panel(panel, names.get(source, source), source in names, swept[source])
        for panel in panels.flat[len(ordered) :]:
            panel.set_axis_off()
        for row in panels:
            row[0].set_ylabel("average depth, edges")
        figure.align_ylabels(panels[:, 0])
        _frame(figure, height)
        return save(figure, folder, "did_vs_c45")


def _sweep(found: dict[str, Depth]) -> list[tuple[float, Depth]]:
    swept = [(ratio_of(depth.parameters), depth) for depth in found.values()]
    return sorted(((ratio, depth) for ratio, depth in swept if ratio is not None), key=lambda pair: pair[0])


def _panel(axes: Axes, title: str, has_print: bool, found: dict[str, Depth]) -> None:
    """The sweep, and what it is held against as lines across."""
    sweep = _sweep(found)
    places = range(len(sweep))
    axes.set_title(title, pad=6)
    axes.grid(visible=True, axis="y")
    for name in ACROSS_PANEL:
        if name in found:
            axes.axhline(found[name].estimate.mean, color=colour_of(name), linewidth=1.2)
    # where rows contradict each other the document counts otherwise than the minimum of the merged table does
    comparable = all(found[name].on_table == found[name].estimate.mean for name in ("id3",) if name in found)
    if "exact" in found and comparable:
        axes.axhline(found["exact"].estimate.mean, color=EXACT, linewidth=1.2, linestyle=DOTS)
    if has_print:
        axes.axhline(Printed(printed()[title, "did"]["average_depth"]).value, **PRINT_LINE)
    depths = [depth.estimate for _, depth in sweep]
    axes.plot(places, [one.mean for one in depths], color=DID, marker="o", markersize=3.5, linewidth=1.3)
    low = [one.mean if one.low is None else one.low for one in depths]
    high = [one.mean if one.high is None else one.high for one in depths]
    axes.fill_between(places, low, high, color=DID, alpha=0.16, linewidth=0)
    shown = list(places)[:: max(1, len(sweep) // 6)]
    axes.set_xticks(shown, [f"{sweep[place][0]:g}" for place in shown])
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.margins(y=0.12)


def _frame(figure: Figure, height: float) -> None:
    """Title and key above the panels, the horizontal axis below."""
    figure.text(0.012, 1 - 0.18 / height, "DID over its weights", fontsize=14, fontweight="bold", va="top")
    said = (
        "average depth over the training rows of unpruned trees, against the ratio of DID's weights, not to scale; "
        "0 is ID3"
    )
    figure.text(0.012, 1 - 0.48 / height, said, color=GREY, va="top")
    figure.text(0.52, 0.14 / height, "w1 / w2", ha="center")
    key = [
        Line2D([], [], color=DID, marker="o", markersize=4, label="DID"),
        Line2D([], [], label="DID as printed", **PRINT_LINE),
        *(Line2D([], [], color=colour_of(name), label=words) for name, words in ACROSS_PANEL.items()),
        Line2D([], [], color=EXACT, linestyle=DOTS, label="exact minimum"),
    ]
    figure.legend(
        handles=key, ncols=len(key), loc="upper left", bbox_to_anchor=(0.005, 1 - 0.66 / height), columnspacing=1.4
    )
