"""The summary of OCT beside CART: the paper's eight rows beside ours, and results that the paper does not report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from pipeline.drawing.figures import GREY, INK, label
from pipeline.drawing.frame import Axes, Inches, framed
from pipeline.drawing.looks import colour_of, look_of
from pipeline.drawing.marks import band, entry, few_ticks, log_axis, valued
from pipeline.grammar.columns import Row, grouped, titled
from pipeline.grammar.comparison.sections import joined_sections, splits
from pipeline.grammar.notable_trees import furthest_ahead
from pipeline.grammar.summary import Results, Summary
from pipeline.grid import NotableTree
from pipeline.grids.oct_vs_cart import tables
from pipeline.grids.oct_vs_cart.grid import CART, OCT
from pipeline.grids.oct_vs_cart.tables import (
    ACCURACY,
    DATA_SETS,
    IMPROVEMENT,
    LISTED,
    PRINTED_COUNTS,
    RATIO,
    SWEEP,
    TIE,
)
from pipeline.words import counted, first_of

if TYPE_CHECKING:
    from matplotlib.artist import Artist

LEVEL = 0.05
MOST_NAMES = 6


def _finding(results: Results) -> list[str]:
    """State who wins how often, and how much of that is beyond chance."""
    sets = results.rows(DATA_SETS)
    winners = [row["winner"] for row in sets]
    wins = f"OCT is more accurate in {winners.count(OCT)} of {_pairs(len(winners))}, CART in {winners.count(CART)}"
    return [wins, *_significance(sets)]


def _screen(results: Results, _: int) -> list[RenderableType]:
    """State on what the values rest, and what is beyond chance."""
    sets = results.rows(DATA_SETS)
    lines = [
        _proven(sets),
        f"region: CART's accuracy at the depth >= {ACCURACY:g} % and n / (p ln K) >= {RATIO:g}. These thresholds are "
        "not published, but calibrated to the paper's counts; region.csv and the figure show others",
    ]
    lines += _significance(sets) or ["significance: not tested, because a single split has no spread"]
    lines += _power(sets)
    lines.append("ties: exactly equal mean accuracy; the paper's rule is not known (ties.csv: other tolerances)")
    absent = [row["name"] for row in results.rows(LISTED) if row["part"] is None]
    if absent:
        missing = first_of(absent, MOST_NAMES)
        lines.append(f"data sets of the paper that are not in this run: {missing}; others that differ: listed.csv")
    return [Text("\n".join(lines))]


def _proven(sets: Sequence[Row]) -> str:
    """The searches that ended with a proof, by depth."""
    counts = [
        f"{sum(row['proven'] for row in own)} of {sum(row['splits'] for row in own)} at depth {depth}"
        for depth, own in grouped(sets, "max_depth").items()
    ]
    return f"searches for OCT that ended with a proof: {', '.join(counts)}"


def _pairs(count: int) -> str:
    return counted(count, "pair of a data set and a depth", "pairs of a data set and a depth")


def _significance(sets: Sequence[Row]) -> list[str]:
    """State how many data sets differ beyond chance; empty if that cannot be tested."""
    tested = [row for row in sets if row["p_value"] is not None]
    if not tested:
        return []
    alone, after = (sum(row[p] < LEVEL for row in tested) for p in ("p_value", "p_holm"))
    return [
        f"the difference is significant in {alone} of {_pairs(len(tested))} at 5 %, and in {after} after Holm's "
        "correction over the data sets of a depth"
    ]


def _power(sets: Sequence[Row]) -> list[str]:
    """The smallest significant difference, alone and as the first of Holm's procedure: medians over the pairs."""
    from scipy.stats import t

    tested = [row for row in sets if row["p_value"] is not None]
    spread = [row for row in tested if row["_corrected_error"]]
    if not spread:
        return []
    depths = [row["max_depth"] for row in tested]
    alone, first = (
        median(
            row["_corrected_error"] * float(t.isf(LEVEL / (2 * (depths.count(row["max_depth"]) if holm else 1)), df))
            for row in spread
            if (df := row["splits"] - 1)
        )
        for holm in (False, True)
    )
    return [
        f"power: with {spread[0]['splits']} splits, the smallest significant difference is {alone:.1f} points, and "
        f"{first:.0f} after the correction (medians over pairs of a data set and a depth); so most true differences of "
        "a few points stay undetected"
    ]


def _trees(results: Results) -> list[NotableTree]:
    """The trees of OCT and CART on two splits: where OCT leads most on test rows, and where CART does."""
    by_split = splits(results, "parameters")
    return [*furthest_ahead(by_split, OCT, CART), *furthest_ahead(by_split, CART, OCT)[::-1]]


PANEL, LEFT, RIGHT, LEAST_WIDTH = 3.0, 0.75, 0.2, 9.5
"""In inches: the width of a panel, the margins beside all panels, and the least width of a figure."""
COLOURS = {OCT: colour_of(OCT), CART: colour_of(CART), TIE: GREY}
MARKERS = {OCT: look_of(OCT).marker, CART: look_of(CART).marker, TIE: "D"}
WINNERS = {OCT: "OCT wins", CART: "CART wins", TIE: "tie"}
COUNTS = {OCT: "oct_wins", CART: "cart_wins", TIE: "ties"}
SAND = "#F3F0E2"
BESIDE, HIGHEST = 1.5, 102
"""The factor by which the axis of n / (p ln K) exceeds the data on both sides; the end of the axis of accuracies."""
MOST_POINTS = 8.0
"""Marks are equally large from this distance in points on."""


def _draw_wins(results: Results, folder: Path) -> tuple[Path, ...]:
    """Draw `oct_vs_cart`, a panel for each depth: CART's accuracy against n / (p ln K), coloured by who wins."""
    from matplotlib.patches import Patch, Rectangle

    sets = [row for row in results.rows(DATA_SETS) if isfinite(row["n_per_p_ln_k"])]  # it is infinite for one class
    if not sets:
        return ()
    by_depth, ratios = grouped(sets, "max_depth"), [row["n_per_p_ln_k"] for row in sets]
    ends = min([*ratios, RATIO]) / BESIDE, max([*ratios, RATIO]) * BESIDE
    caption = (
        "one mark for each data set, by CART's test accuracy and the size of the set; the larger the mark, the "
        f"larger the difference in points (up to {MOST_POINTS:g})"
    )
    inches, shape = _inches(len(by_depth), 4.9), (1, len(by_depth))
    with framed(
        folder, "oct_vs_cart", "Where an optimal tree beats CART", caption, inches, shape, sharey=True, wspace=0.07
    ) as frame:
        titles = [f"depth {depth}" for depth in by_depth]
        panels = frame.titled(titles, "n / (p ln K)", "accuracy of CART, %").values()
        for panel, own in zip(panels, by_depth.values(), strict=True):
            panel.set_xscale("log")
            size = ends[1] - RATIO, HIGHEST - ACCURACY
            panel.add_patch(Rectangle((RATIO, ACCURACY), *size, facecolor=SAND, edgecolor="none", zorder=0))
            for row in own:
                _mark(panel, row)
            panel.set_xlim(*ends)
            panel.set_ylim(min(row["cart_accuracy"] for row in sets) - 4, HIGHEST)
            log_axis(panel.xaxis, (1,))
        point: dict[str, Any] = {"linestyle": "", "marker": "o", "color": INK}
        key: list[Artist] = [
            *(entry(WINNERS[who], linestyle="", marker=MARKERS[who], color=COLOURS[who]) for who in WINNERS),
            entry("all splits proven", **point),
            entry("best found on some", markerfacecolor="white", **point),
            Patch(facecolor=SAND, label="region, calibrated to the paper's counts"),
        ]
        frame.key(key, len(key), columnspacing=1.2, handletextpad=0.4)
    return frame.files


def _mark(panel: Axes, row: Row) -> None:
    """Draw a data set, filled if all its searches ended with a proof."""
    who, whole = row["winner"], row["proven"] == row["splits"]
    mark = panel.scatter(
        [row["n_per_p_ln_k"]],
        [row["cart_accuracy"]],
        26 + 26 * min(abs(row["difference"]), MOST_POINTS),
        marker=MARKERS[who],
        linewidths=1.1,
        alpha=0.85,
        facecolors=COLOURS[who] if whole else "white",
        edgecolors=COLOURS[who],
        clip_on=False,
    )
    difference = valued("OCT above CART, points", row["difference"], row["low"], row["high"])
    position = f"CART's accuracy {row['cart_accuracy']:.4g} %, n / (p ln K) {row['n_per_p_ln_k']:.4g}"
    text = f"{titled(row)}, depth {row['max_depth']}: {position}; {difference}"
    label([mark], text, row, data_set=titled(row), wins=WINNERS[who])


def _draw_region(results: Results, folder: Path) -> tuple[Path, ...]:
    """Draw `region`, a column for each depth: improvement and counts inside, as CART's least accuracy changes."""
    by_depth = grouped(results.rows(SWEEP), "max_depth")
    if not by_depth:
        return ()
    caption = (
        f"data sets with n / (p ln K) >= {RATIO:g} and at least this accuracy of CART; vertical line: the calibrated "
        f"{ACCURACY:g} %"
    )
    inches, shape = _inches(len(by_depth), 6.6), (2, len(by_depth))
    shared = {"sharex": "row", "sharey": "row", "wspace": 0.07, "hspace": 0.18}
    title = "Sensitivity to the threshold of the region"
    with framed(folder, "region", title, caption, inches, shape, lines="y", **shared) as frame:
        for top, bottom, (depth, own) in zip(*frame.panels, by_depth.items(), strict=True):
            _improvement(top, own)
            _counts(bottom, own)
            for panel in (top, bottom):
                panel.axvline(ACCURACY, color=GREY, linewidth=0.8)
                panel.set_xlim(own[0]["least_cart_accuracy"], own[-1]["least_cart_accuracy"])
            top.set_title(f"depth {depth}")
            bottom.set_xlabel("least accuracy of CART, %")
        above, below = frame.panels[:, 0]
        below.set_ylim(bottom=-0.5)  # of all, because they share it
        above.set_ylabel("improvement inside, points")
        below.set_ylabel("data sets inside")
        key = [entry(WINNERS[who], color=COLOURS[who]) for who in WINNERS]
        key += [
            entry("ours, with 95 % interval", color=INK),
            entry("the paper, at its own threshold, which is not known", color=INK, linestyle=":"),
        ]
        frame.key(key, len(key), columnspacing=1.2, handletextpad=0.4)
    return frame.files


def _improvement(axes: Axes, own: Sequence[Row]) -> None:
    """Draw the mean improvement with its interval, and the printed one."""
    thresholds = [row["least_cart_accuracy"] for row in own]
    depth = own[0]["max_depth"]
    band(axes, thresholds, own, IMPROVEMENT, alpha=0.12, named=f"improvement inside at depth {depth}", color=INK)
    axes.axhline(0, color=GREY, linewidth=0.8)
    if own[0][f"printed_{IMPROVEMENT}"] is not None:
        axes.axhline(own[0][f"printed_{IMPROVEMENT}"], color=INK, linestyle=":", linewidth=1.2)


def _counts(axes: Axes, own: Sequence[Row]) -> None:
    """Draw wins and ties, and the printed ones."""
    thresholds = [row["least_cart_accuracy"] for row in own]
    for who, name in COUNTS.items():
        line = axes.step(thresholds, [row[name] for row in own], where="pre", color=COLOURS[who], linewidth=1.4)
        text = f"{WINNERS[who]} inside at depth {own[0]['max_depth']}: {own[0][name]} to {own[-1][name]}"
        label(line, text, own[0], wins=WINNERS[who])
        printed = own[0][f"printed_{name}"]
        if printed is not None:
            line = [axes.axhline(printed, color=COLOURS[who], linestyle=":", linewidth=1.2)]
            label(line, f"{WINNERS[who]}, printed: {printed}", own[0], wins=WINNERS[who])
    few_ticks(axes.yaxis, integer=True)


def _inches(depths: int, height: float) -> Inches:
    width = max(LEFT + RIGHT + PANEL * depths, LEAST_WIDTH)
    return Inches(width, height, left=LEFT, right=RIGHT, above=1.35, below=0.6)


SUMMARY = replace(
    joined_sections(
        Summary(views=tables.VIEWS),
        PRINTED_COUNTS,
        Summary(
            tables=(DATA_SETS, tables.REGION, tables.TIES, LISTED, tables.SWEEP),
            finding=_finding,
            screen=_screen,
            figures=(_draw_wins, _draw_region),
            trees=_trees,
        ),
    ),
    printed=tables.PRINTED,
    failed="status <> 'ok' and terminal_nodes is null",
    failures_in="data_sets",
    has_results=lambda results: bool(results.rows(DATA_SETS)),
    nothing="No data set was tested with both OCT and CART.",
)
