"""The figure of ways to prune: accuracy against size and against time, each beside the first builder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from pipeline.drawing.figures import GREY, fitted, house_style, save
from pipeline.grammar.standings_figure import key, ratios_panel
from pipeline.screen import counted

if TYPE_CHECKING:
    from pipeline.grammar.standings import Standing

__all__ = ["draw"]

WIDTH, HEIGHT = 12.5, 6.2
MOST_IN_A_LINE = 6


def draw(stand: Sequence[Standing], folder: Path) -> tuple[Path, ...]:
    """Draw `pruning.svg` and `.png` and return their paths; nothing where there are no two builders."""
    if len(stand) < 2:
        return ()
    with house_style():
        figure = Figure(figsize=(WIDTH, HEIGHT))
        size, time = figure.subplots(1, 2, sharey=True, gridspec_kw={"wspace": 0.08, "left": 0.075, "right": 0.985})
        figure.subplots_adjust(top=0.75, bottom=0.115)
        ratios_panel(size, stand, lambda one: one.nodes_ratio)
        ratios_panel(time, stand, lambda one: one.time_ratio)
        first = fitted(stand[0].builder)
        size.set_title("Size")
        size.set_xlabel(f"nodes, times those of {first}")
        size.set_ylabel(f"test accuracy, points above {first}")
        time.set_title("Time")
        time.set_xlabel(f"seconds to build, times those of {first}")
        figure.text(0.012, 0.965, "What pruning buys", fontsize=14, fontweight="bold", va="top")
        said = (
            f"means over {counted(stand[0].difference.n, 'data set')} of accuracy, geometric ones of ratios; bars "
            "are 95 % intervals, paired by data set; hollow marks are no single trees"
        )
        figure.text(0.012, 0.91, said, color=GREY, va="top")
        known = key(stand)
        columns = -(-len(known) // 2) if len(known) > MOST_IN_A_LINE else len(known)
        figure.legend(handles=known, ncols=columns, loc="upper left", bbox_to_anchor=(0.005, 0.88), columnspacing=1.4)
        return save(figure, folder, "pruning")
