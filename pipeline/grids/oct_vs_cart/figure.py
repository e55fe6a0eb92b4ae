"""The figures of OCT beside CART: where each wins, and how that moves with the rule of the region."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

from pipeline.drawing.figures import GREY, INK, LIGHT, colour_of, house_style, look_of, save
from pipeline.grids.oct_vs_cart.grid import CART, OCT
from pipeline.grids.oct_vs_cart.region import CALIBRATED, Region, Standing, standing
from pipeline.grids.oct_vs_cart.sets import SetResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw"]

PANEL, LEFT, RIGHT = 3.0, 0.75, 0.2
"""Inches: the width of a panel, and what is beside all of them."""
COLOURS = {OCT: colour_of(OCT), CART: colour_of(CART), "tie": GREY}
MARKERS = {OCT: look_of(OCT).marker, CART: look_of(CART).marker, "tie": "D"}
SAID = {OCT: "OCT wins", CART: "CART wins", "tie": "tie"}
THRESHOLDS = np.linspace(50.0, 96.0, 93)


def draw(sets: Sequence[SetResult], folder: Path) -> tuple[Path, ...]:
    """Draw `oct_vs_cart` and `region` as .svg and .png and return their paths; nothing where there are no results."""
    if not sets:
        return ()
    with house_style():
        return (*_wins(sets, folder), *_sweep(sets, folder))


def _wins(sets: Sequence[SetResult], folder: Path) -> tuple[Path, Path]:
    """A panel for each depth: CART's accuracy against n / (p ln K), by who wins."""
    depths, ends = list(dict.fromkeys(one.max_depth for one in sets)), (0.7, 2000.0)
    figure, (panels,) = _panels(depths, rows=1, height=4.9, above=1.35, below=0.6)
    for panel, depth in zip(panels, depths, strict=True):
        mine = [one for one in sets if one.max_depth == depth]
        panel.set_xscale("log")
        panel.grid(visible=True, axis="both", color=LIGHT)
        panel.add_patch(
            Rectangle(
                *((CALIBRATED.ratio, CALIBRATED.accuracy), ends[1] - CALIBRATED.ratio, 102 - CALIBRATED.accuracy),
                facecolor="#F3F0E2", edgecolor="none", zorder=0,
            )
        )  # fmt: skip
        for one in mine:
            who, whole = one.winner(), one.proven == len(one.oct)
            ratio = min(max(one.ratio, ends[0]), ends[1])
            size = 26 + 26 * min(abs(one.difference.mean), 8.0)
            panel.scatter(
                *([ratio], [one.cart_accuracy]), size, marker=MARKERS[who], linewidths=1.1, alpha=0.85,
                facecolors=COLOURS[who] if whole else "white", edgecolors=COLOURS[who],
            )  # fmt: skip
        panel.set_xlim(*ends)
        panel.set_ylim(min(one.cart_accuracy for one in sets) - 4, 102)
        panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        panel.xaxis.set_minor_locator(NullLocator())
        panel.set_title(f"depth {depth}")
        panel.set_xlabel("n / (p ln K)")
    panels[0].set_ylabel("accuracy of CART, %")
    key: list[Line2D | Patch] = [
        Line2D([], [], linestyle="", marker=MARKERS[who], color=COLOURS[who], label=SAID[who]) for who in COLOURS
    ]
    key += [
        Line2D([], [], linestyle="", marker="o", color=INK, label="all splits proven"),
        Line2D([], [], linestyle="", marker="o", color=INK, markerfacecolor="white", label="best found on some"),
        Patch(facecolor="#F3F0E2", label="region, calibrated to print's counts"),
    ]
    said = "each data set by CART's test accuracy and its size; the larger the mark, the more points apart (up to 8)"
    _head(figure, "Where an optimal tree beats CART", said, key)
    return save(figure, folder, "oct_vs_cart")


def _sweep(sets: Sequence[SetResult], folder: Path) -> tuple[Path, Path]:
    """A column for each depth: improvement inside, and counts inside, as CART's least accuracy moves."""
    depths = list(dict.fromkeys(one.max_depth for one in sets))
    figure, (above, below) = _panels(depths, rows=2, height=6.6, above=1.35, below=0.6)
    for top, bottom, depth in zip(above, below, depths, strict=True):
        found = [standing(sets, depth, True, Region(float(least), CALIBRATED.ratio)) for least in THRESHOLDS]
        _improvement(top, found)
        _counts(bottom, found)
        top.set_title(f"depth {depth}")
        bottom.set_xlabel("least accuracy of CART, %")
    below[0].set_ylim(bottom=-0.5)  # of all, for they share it
    above[0].set_ylabel("improvement inside, points")
    below[0].set_ylabel("data sets inside")
    key = [Line2D([], [], color=COLOURS[who], label=SAID[who]) for who in COLOURS]
    key += [
        Line2D([], [], color=INK, label="ours, with 95 % interval"),
        Line2D([], [], color=INK, linestyle=":", label="print, at its own threshold, which is not known"),
    ]
    said = (
        f"data sets with n / (p ln K) >= {CALIBRATED.ratio:g} and CART at least so accurate; the upright line is the "
        f"calibrated {CALIBRATED.accuracy:g} %"
    )
    _head(figure, "What moves with the rule of the region", said, key)
    return save(figure, folder, "region")


def _improvement(axes: Axes, found: Sequence[Standing]) -> None:
    def drawn(values: list[float | None]) -> list[float]:
        return [math.nan if value is None else value for value in values]

    axes.plot(THRESHOLDS, drawn([one.improvement.mean if one.improvement else None for one in found]), color=INK)
    low = drawn([one.improvement.low if one.improvement else None for one in found])
    high = drawn([one.improvement.high if one.improvement else None for one in found])
    axes.fill_between(THRESHOLDS, low, high, color=INK, alpha=0.12, linewidth=0)
    axes.axhline(0, color=GREY, linewidth=0.8)
    if found[0].printed:
        axes.axhline(found[0].printed.figures["mean_improvement"], color=INK, linestyle=":", linewidth=1.2)
    _finish(axes)


def _counts(axes: Axes, found: Sequence[Standing]) -> None:
    for who, name in ((OCT, "oct_wins"), (CART, "cart_wins"), ("tie", "ties")):
        axes.step(THRESHOLDS, [getattr(one, name) for one in found], where="pre", color=COLOURS[who], linewidth=1.4)
        if found[0].printed:
            axes.axhline(found[0].printed.figures[name], color=COLOURS[who], linestyle=":", linewidth=1.2)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    _finish(axes)


def _finish(axes: Axes) -> None:
    axes.grid(visible=True, axis="y", color=LIGHT)
    axes.grid(visible=False, axis="x")
    axes.axvline(CALIBRATED.accuracy, color=GREY, linewidth=0.8)
    axes.set_xlim(THRESHOLDS[0], THRESHOLDS[-1])


def _panels(
    depths: Sequence[int], *, rows: int, height: float, above: float, below: float
) -> tuple[Figure, list[list[Axes]]]:
    width = max(LEFT + RIGHT + PANEL * len(depths), 9.5)
    figure = Figure(figsize=(width, height))
    place = {"left": LEFT / width, "right": 1 - RIGHT / width, "bottom": below / height, "top": 1 - above / height}
    panels = figure.subplots(
        rows,
        len(depths),
        sharex="row",
        sharey="row",
        squeeze=False,
        gridspec_kw=place | {"wspace": 0.07, "hspace": 0.18},
    )
    return figure, [list(row) for row in panels]


def _head(figure: Figure, title: str, said: str, key: Sequence[Line2D | Patch]) -> None:
    """Title, what is drawn, and the key, above the panels."""
    height = figure.get_figheight()
    figure.text(0.012, 1 - 0.16 / height, title, fontsize=14, fontweight="bold", va="top")
    figure.text(0.012, 1 - 0.46 / height, said, color=GREY, va="top")
    figure.legend(
        handles=list(key), ncols=len(key), loc="upper left", bbox_to_anchor=(0.004, 1 - 0.64 / height),
        columnspacing=1.2, handletextpad=0.4,
    )  # fmt: skip
