"""A front of two costs on axes of Matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from algorithms.colours import INK

if TYPE_CHECKING:
    from algorithms.axes import Axes

MARGIN = 0.06
"""Share of an axis's range that extends beyond the points."""


def draw_front(
    axes: Axes, points: Sequence[tuple[float, float]], right: float | None = None, top: float | None = None
) -> None:
    """Draw a front as steps, which nothing gets below, and its points; without points nothing.

    The first coordinate increases and the second does not. The steps reach a little beyond the last and the first
    point, or to `right` and `top`.
    """
    if not points:
        return
    xs, ys = zip(*points, strict=True)
    last = xs[-1] + axis_margin(xs) if right is None else right
    first = ys[0] + axis_margin(ys) if top is None else top
    steps = [(xs[0], first), *points, (last, ys[-1])]
    axes.step(*zip(*steps, strict=True), where="post", color=INK, linewidth=1.3)
    axes.plot(xs, ys, "o", color=INK, markersize=3)


def whole(values: Sequence[float]) -> bool:
    """Whether all values are whole numbers, so that ticks between them mean nothing."""
    return all(float(value).is_integer() for value in values)


def axis_margin(values: Sequence[float]) -> float:
    """How far an axis extends beyond its values: a share of their range, or 1 or more if they are equal."""
    return MARGIN * (max(values) - min(values)) or max(1.0, 1e-9 * abs(values[0]))
