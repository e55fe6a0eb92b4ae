"""The answers of a Rashomon set about its trees and their attributes, and pictures of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from algorithms.pictures.axes import new_axes

if TYPE_CHECKING:
    from algorithms.pictures.axes import Axes

__all__ = ["AttributeUse", "GoodSize", "ImportanceInterval"]

LEAST_AREA, AREA_OF_TENFOLD = 18.0, 22.0
"""Square points of the mark of one tree, and what each power of ten adds."""
DOT = 30.0
"""Square points of the ends of an interval."""
MOST_WRITTEN = 10**9
"""Larger numbers are written by their power of ten."""


class GoodSize(NamedTuple):
    """How many good trees have the same errors, splits and leaves, and so the same objective.

    Attributes
    ----------
    objective : float
    errors : float
        The weight of the rows that each tree misclassifies.
    splits, leaves : int
    number : int
        Number of these trees.
    """

    objective: float
    errors: float
    splits: int
    leaves: int
    number: int


class AttributeUse(NamedTuple):
    """The share of the good trees that use an attribute, and the loss if no tree may use it.

    Attributes
    ----------
    attribute : int
        Its index.
    share : float
        The share of the good trees that use it.
    loss : float
        How much greater the least objective is if no tree may use the attribute.
    """

    attribute: int
    share: float
    loss: float


class ImportanceInterval(NamedTuple):
    """How important an attribute is in good trees: from the least to the greatest.

    Attributes
    ----------
    attribute : int
        Its index.
    least, greatest : float
        The least and the greatest share of the rows, by weight, that reach a node that tests the attribute.
    """

    attribute: int
    least: float
    greatest: float


def draw_sizes(sizes: Sequence[GoodSize], ax: Axes | None) -> Axes:
    """Draw a mark for each size; its area grows with the logarithm of the number of trees."""
    axes = new_axes((5.0, 3.5)) if ax is None else ax
    objectives, _, splits, _, numbers = zip(*sizes, strict=True)
    marks = axes.scatter(splits, objectives, [_area(number) for number in numbers], alpha=0.5, linewidths=0)
    axes.locator_params("x", integer=True)
    axes.set(xlabel="splits", ylabel="objective")
    shown = sorted({min(numbers), max(numbers)})
    keys = [axes.scatter([], [], _area(number), color=marks.get_facecolor(), linewidths=0) for number in shown]
    axes.legend(
        keys, [f"{number:,}" if number < MOST_WRITTEN else f"{Decimal(number):.0e}" for number in shown], title="trees"
    )
    return axes


def draw_importances(intervals: Sequence[tuple[str, float, float]], ax: Axes | None) -> Axes:
    """Draw each (name, least, greatest) as a line between two dots, the greatest on top."""
    ordered = sorted(intervals, key=lambda interval: (interval[2], interval[1]))
    axes = new_axes((6.0, 1.0 + 0.25 * len(ordered))) if ax is None else ax
    heights = range(len(ordered))
    names, least, greatest = zip(*ordered, strict=True) if ordered else ((), (), ())
    axes.hlines(heights, least, greatest, linewidths=2)
    axes.scatter(least, heights, s=DOT, facecolors="white", edgecolors="C0", zorder=3)
    axes.scatter(greatest, heights, s=DOT, color="C0", zorder=2)
    axes.set_yticks(heights, names)
    axes.set(xlim=(-0.03, 1.03), ylim=(-0.6, len(ordered) - 0.4), xlabel="share of the rows that meet the attribute")
    return axes


def _area(number: int) -> float:
    return LEAST_AREA + AREA_OF_TENFOLD * math.log10(number)
