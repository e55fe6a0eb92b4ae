"""How a Rashomon set is drawn: objective against splits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from algorithms.axes import new_axes

if TYPE_CHECKING:
    from algorithms.axes import Axes

__all__ = ["draw_sizes"]

LEAST_AREA, AREA_OF_TENFOLD = 18.0, 22.0
"""Square points of the mark of one tree, and what each power of ten adds."""
MOST_WRITTEN = 10**9
"""Larger numbers are written by their power of ten."""


def draw_sizes(sizes: Sequence[tuple[int, float, int]], ax: Axes | None) -> Axes:
    """Draw a mark for each (splits, objective, number of trees); its area grows with the logarithm of the number."""
    axes = new_axes((5.0, 3.5)) if ax is None else ax
    splits, objectives, numbers = zip(*sizes, strict=True)
    marks = axes.scatter(splits, objectives, [_area(number) for number in numbers], alpha=0.5, linewidths=0)
    axes.locator_params("x", integer=True)
    axes.set(xlabel="splits", ylabel="objective")
    shown = sorted({min(numbers), max(numbers)})
    keys = [axes.scatter([], [], _area(number), color=marks.get_facecolor(), linewidths=0) for number in shown]
    axes.legend(
        keys, [f"{number:,}" if number < MOST_WRITTEN else f"{float(number):.0e}" for number in shown], title="trees"
    )
    return axes


def _area(number: int) -> float:
    return LEAST_AREA + AREA_OF_TENFOLD * math.log10(number)
