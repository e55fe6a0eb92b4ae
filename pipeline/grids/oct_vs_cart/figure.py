"""The figures of OCT beside CART: where each wins, and how that moves with the rule of the region."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import MaxNLocator

from pipeline.drawing.figures import GREY, INK, colour_of, look_of
from pipeline.drawing.frame import Inches, framed
from pipeline.drawing.marks import band, entry, log_axis
from pipeline.grammar.columns import Row, grouped
from pipeline.grammar.summary import Found
from pipeline.grids.oct_vs_cart.grid import CART, OCT
from pipeline.grids.oct_vs_cart.tables import ACCURACY, DATA_SETS, IMPROVEMENT, RATIO, SWEEP, TIE

__all__ = ["draw"]

PANEL, LEFT, RIGHT, LEAST_WIDTH = 3.0, 0.75, 0.2, 9.5
"""Inches: the width of a panel, what is beside all of them, and the least width of a figure."""
COLOURS = {OCT: colour_of(OCT), CART: colour_of(CART), TIE: GREY}
MARKERS = {OCT: look_of(OCT).marker, CART: look_of(CART).marker, TIE: "D"}
SAID = {OCT: "OCT wins", CART: "CART wins", TIE: "tie"}
COUNTS = {OCT: "oct_wins", CART: "cart_wins", TIE: "ties"}
SAND = "#F3F0E2"
RATIOS, HIGHEST = (0.7, 2000.0), 102
"""Ends of the axis of n / (p ln K), and above 100 %."""
MOST_POINTS = 8.0
"""Points apart from which on marks are equally large."""


def draw(found: Found, folder: Path) -> tuple[Path, ...]:
    """Draw `oct_vs_cart` and `region` as .svg and .png and return their paths; nothing where there are no results."""
    sets = found.rows(DATA_SETS)
    return (*_wins(sets, folder), *_sweep(found.rows(SWEEP), folder)) if sets else ()


def _wins(sets: Sequence[Row], folder: Path) -> tuple[Path, ...]:
    """A panel for each depth: CART's accuracy against n / (p ln K), by who wins."""
    by_depth = grouped(sets, "max_depth")
    said = (
        "each data set by CART's test accuracy and its size; the larger the mark, the more points apart "
        f"(up to {MOST_POINTS:g})"
    )
    inches, shape = _inches(len(by_depth), 4.9), (1, len(by_depth))
    with framed(
        folder, "oct_vs_cart", "Where an optimal tree beats CART", said, inches, shape, sharey=True, wspace=0.07
    ) as frame:
        titles = [f"depth {depth}" for depth in by_depth]
        panels = frame.titled(titles, "n / (p ln K)", "accuracy of CART, %").values()
        for panel, own in zip(panels, by_depth.values(), strict=True):
            panel.set_xscale("log")
            size = RATIOS[1] - RATIO, HIGHEST - ACCURACY
            panel.add_patch(Rectangle((RATIO, ACCURACY), *size, facecolor=SAND, edgecolor="none", zorder=0))
            for row in own:
                _mark(panel, row)
            panel.set_xlim(*RATIOS)
            panel.set_ylim(min(row["cart_accuracy"] for row in sets) - 4, HIGHEST)
            log_axis(panel.xaxis, (1,))
        point: dict[str, Any] = {"linestyle": "", "marker": "o", "color": INK}
        key: list[Artist] = [
            *(entry(SAID[who], linestyle="", marker=MARKERS[who], color=COLOURS[who]) for who in SAID),
            entry("all splits proven", **point),
            entry("best found on some", markerfacecolor="white", **point),
            Patch(facecolor=SAND, label="region, calibrated to the paper's counts"),
        ]
        frame.key(key, len(key), columnspacing=1.2, handletextpad=0.4)
    return frame.files


def _mark(panel: Axes, row: Row) -> None:
    """A data set, filled where all its searches ended with a proof."""
    who, whole = row["winner"], row["proven"] == row["splits"]
    ratio = min(max(row["n_per_p_ln_k"], RATIOS[0]), RATIOS[1])
    panel.scatter(
        [ratio],
        [row["cart_accuracy"]],
        26 + 26 * min(abs(row["difference"]), MOST_POINTS),
        marker=MARKERS[who],
        linewidths=1.1,
        alpha=0.85,
        facecolors=COLOURS[who] if whole else "white",
        edgecolors=COLOURS[who],
    )


def _sweep(sweep: Sequence[Row], folder: Path) -> tuple[Path, ...]:
    """A column for each depth: improvement inside, and counts inside, as CART's least accuracy moves."""
    by_depth = grouped(sweep, "max_depth")
    said = (
        f"data sets with n / (p ln K) >= {RATIO:g} and CART at least so accurate; the upright line is the calibrated "
        f"{ACCURACY:g} %"
    )
    inches, shape = _inches(len(by_depth), 6.6), (2, len(by_depth))
    shared = {"sharex": "row", "sharey": "row", "wspace": 0.07, "hspace": 0.18}
    title = "Sensitivity to the threshold of the region"
    with framed(folder, "region", title, said, inches, shape, lines="y", **shared) as frame:
        for top, bottom, (depth, own) in zip(*frame.panels, by_depth.items(), strict=True):
            _improvement(top, own)
            _counts(bottom, own)
            for panel in (top, bottom):
                panel.axvline(ACCURACY, color=GREY, linewidth=0.8)
                panel.set_xlim(own[0]["least_cart_accuracy"], own[-1]["least_cart_accuracy"])
            top.set_title(f"depth {depth}")
            bottom.set_xlabel("least accuracy of CART, %")
        above, below = frame.panels[:, 0]
        below.set_ylim(bottom=-0.5)  # of all, for they share it
        above.set_ylabel("improvement inside, points")
        below.set_ylabel("data sets inside")
        key = [entry(SAID[who], color=COLOURS[who]) for who in SAID]
        key += [
            entry("ours, with 95 % interval", color=INK),
            entry("the paper, at its own threshold, which is not known", color=INK, linestyle=":"),
        ]
        frame.key(key, len(key), columnspacing=1.2, handletextpad=0.4)
    return frame.files


def _improvement(axes: Axes, own: Sequence[Row]) -> None:
    """The mean improvement with its interval, and the printed one."""
    at = [row["least_cart_accuracy"] for row in own]
    band(axes, at, own, IMPROVEMENT, alpha=0.12, color=INK)
    axes.axhline(0, color=GREY, linewidth=0.8)
    if own[0][f"printed_{IMPROVEMENT}"] is not None:
        axes.axhline(own[0][f"printed_{IMPROVEMENT}"], color=INK, linestyle=":", linewidth=1.2)


def _counts(axes: Axes, own: Sequence[Row]) -> None:
    """Wins and ties, and the printed ones."""
    at = [row["least_cart_accuracy"] for row in own]
    for who, name in COUNTS.items():
        axes.step(at, [row[name] for row in own], where="pre", color=COLOURS[who], linewidth=1.4)
        if own[0][f"printed_{name}"] is not None:
            axes.axhline(own[0][f"printed_{name}"], color=COLOURS[who], linestyle=":", linewidth=1.2)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))


def _inches(depths: int, height: float) -> Inches:
    width = max(LEFT + RIGHT + PANEL * depths, LEAST_WIDTH)
    return Inches(width, height, left=LEFT, right=RIGHT, above=1.35, below=0.6)
