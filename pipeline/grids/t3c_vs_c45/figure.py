"""The figure of T2, T3 and T3C: accuracy against size beside C4.5, and what more levels and fewer branches do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from pipeline.drawing.figures import GREY, INK, colour_of, fitted, house_style, save
from pipeline.grammar.standings_figure import key, ratios_panel
from pipeline.grids.t3c_vs_c45.steps import SWEPT
from pipeline.screen import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grammar.standings import Standing
    from pipeline.grids.t3c_vs_c45.steps import Step
    from pipeline.summary.statistics import Estimate

__all__ = ["draw"]

WIDTH, HEIGHT = 14, 6.2
APART = 0.12
"""Half of what the points of training and test rows stand apart."""


def draw(stand: Sequence[Standing], swept: Sequence[Step], folder: Path) -> tuple[Path, ...]:
    """Draw `t3c_vs_c45.svg` and `.png` and return their paths; nothing where there are no two builders."""
    if len(stand) < 2:
        return ()
    varied = {one.builder for one in swept} - {SWEPT}
    shown = [one for one in stand if one.builder not in varied]
    sweeps = list(dict.fromkeys(one.sweep for one in swept))
    with house_style():
        figure = Figure(figsize=(WIDTH, HEIGHT))
        room = {"wspace": 0.28, "left": 0.06, "right": 0.985, "width_ratios": [1.7, *[1] * len(sweeps)]}
        size, *others = figure.subplots(1, 1 + len(sweeps), gridspec_kw=room, squeeze=False)[0]
        figure.subplots_adjust(top=0.72, bottom=0.115)
        first = fitted(stand[0].builder)
        ratios_panel(size, shown, lambda one: one.nodes_ratio)
        size.set_title("Size")
        size.set_xlabel(f"nodes, times those of {first}")
        size.set_ylabel(f"test accuracy, points above {first}")
        for axes, sweep in zip(others, sweeps, strict=True):
            axes.sharey(others[0])
            _steps_panel(axes, [one for one in swept if one.sweep == sweep])
            axes.set_xlabel(sweep)
            axes.tick_params(labelleft=axes is others[0])
        if others:
            others[0].set_title("T3C of more and fewer levels, branches and acceptable errors")
            others[0].set_ylabel(f"accuracy, points above {SWEPT}")
            others[-1].legend(loc="lower left", fontsize=9)
        figure.text(0.012, 0.965, "Small trees of fewest training errors", fontsize=14, fontweight="bold", va="top")
        said = (
            f"mean differences in accuracy over {counted(stand[0].difference.n, 'data set')}, against geometric "
            "mean ratios of nodes; bars are 95 % intervals, paired by data set"
        )
        figure.text(0.012, 0.91, said, color=GREY, va="top")
        figure.legend(handles=key(shown), ncols=len(shown), loc="upper left", bbox_to_anchor=(0.005, 0.88))
        return save(figure, folder, "t3c_vs_c45")


def _steps_panel(axes: Axes, swept: Sequence[Step]) -> None:
    """Training and test accuracy of each step."""
    axes.grid(visible=True, axis="y")
    axes.axhline(0, color=INK, linewidth=0.8)
    colour = colour_of(SWEPT)
    for label, face, shift, kind in (
        ("training rows", "white", -APART, [one.train for one in swept]),
        ("test rows", colour, APART, [one.test for one in swept]),
    ):
        places = [place + shift for place in range(len(swept))]
        for place, one in zip(places, kind, strict=True):
            _bar(axes, place, one, colour)
        axes.plot(places, [one.mean for one in kind], "o", color=colour, markerfacecolor=face, label=label)
    axes.set_xticks(range(len(swept)), [one.step for one in swept])
    axes.set_xlim(-0.6, len(swept) - 0.4)


def _bar(axes: Axes, place: float, one: Estimate, colour: str) -> None:
    if one.low is not None and one.high is not None:
        axes.plot([place, place], [one.low, one.high], color=colour, linewidth=1.2, alpha=0.6)
