"""Fronts of two costs: as lines of text, as SVG and on axes of Matplotlib."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from algorithms.pictures.axes import new_axes
from algorithms.pictures.colours import BLUE, INK
from algorithms.pictures.svg_elements import FONT, SMALL, escaped, svg_element, text_element, text_width
from algorithms.plurals import counted

if TYPE_CHECKING:
    from algorithms.pictures.axes import Axes

SHOWN = 8
"""The most points shown by `repr`."""
MARGIN = 0.06
"""Share of an axis's range that extends beyond the points."""
WIDTH, HEIGHT = 360, 220  # of the area within the axes
PAD, TICK = 8, 5
MOST_TICKS = 6
MOST_MARKS = 200
"""Points that get a mark; larger fronts are drawn as steps only."""


@dataclass(frozen=True)
class Points:
    """The points of a front."""

    names: tuple[str, str]  # the labels of its axes
    coordinates: tuple[tuple[float, float], ...]  # the first increasing and the second not


class DrawnFront:
    """A front that writes, draws and plots its points."""

    @abstractmethod
    def _points(self) -> Points:
        """The points to draw."""

    def __repr__(self) -> str:
        """The number of points, and some of the points, each on its own line."""
        points = self._points()
        cells = [points.names, *((_number(x), _number(y)) for x, y in points.coordinates)]
        if len(points.coordinates) > SHOWN:
            cells = [*cells[: SHOWN - 1], ("…", "…"), cells[-1]]
        widths = [max(len(row[column]) for row in cells) for column in range(2)]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in cells]
        title = counted(len(points.coordinates), "point")
        return "\n".join([f"<{type(self).__name__}: {title}>", *(lines if points.coordinates else [])])

    def _repr_svg_(self) -> str | None:
        points = self._points()
        if not points.coordinates:
            return None
        return front_svg(points.coordinates, points.names, f"{type(self).__name__}: {' against '.join(points.names)}")

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the front as steps, with its points.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default a new figure.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            Matplotlib is not installed.
        """
        points = self._points()
        axes = new_axes((5.0, 3.5)) if ax is None else ax
        draw_front(axes, points.coordinates)
        axes.ticklabel_format(style="plain", useOffset=False)
        axes.locator_params("x", integer=_whole([x for x, _ in points.coordinates]))
        axes.locator_params("y", integer=_whole([y for _, y in points.coordinates]))
        axes.set(xlabel=points.names[0], ylabel=points.names[1])
        return axes


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
    last = xs[-1] + _axis_margin(xs) if right is None else right
    first = ys[0] + _axis_margin(ys) if top is None else top
    steps = [(xs[0], first), *points, (last, ys[-1])]
    axes.step(*zip(*steps, strict=True), where="post", color=INK, linewidth=1.3)
    axes.plot(xs, ys, "o", color=INK, markersize=3)


def _whole(values: Sequence[float]) -> bool:
    """Whether all values are whole numbers, so that ticks between them mean nothing."""
    return all(float(value).is_integer() for value in values)


def _axis_margin(values: Sequence[float]) -> float:
    """How far an axis extends beyond its values: a share of their range, or 1 or more if they are equal."""
    return MARGIN * (max(values) - min(values)) or max(1.0, 1e-9 * abs(values[0]))


def front_svg(points: Sequence[tuple[float, float]], names: tuple[str, str], title: str) -> str:
    """The front as an SVG element, alone or within a page; below 150 kB for any front.

    There is at least one point; the first coordinate increases and the second does not. The steps go from point to
    point: no tree is below them. A point's tooltip has its two costs, by the `names` of the axes. Lines and text have
    the colour of the surrounding text. The text alternative of the picture is the `title`.
    """
    across, up = (Axis([point[k] for point in points], (WIDTH, HEIGHT)[k]) for k in range(2))
    left = PAD + max(text_width(text, SMALL) for _, text in up.ticks) + TICK + 4
    top = PAD + FONT + PAD
    bottom = top + HEIGHT
    right = left + max(WIDTH, text_width(names[0], FONT), text_width(names[1], FONT) - left) + PAD
    right += text_width(across.ticks[-1][1], SMALL) / 2
    positions = [(left + across.of(x), bottom - up.of(y)) for x, y in points]
    drawn = [text_element(PAD, PAD + FONT, names[1], "")]
    for value, text in up.ticks:
        height = bottom - up.of(value)
        drawn.append(_line(left - TICK, height, left + WIDTH, height, 0.15))
        drawn.append(text_element(left - TICK - 3, height + 4, text, f'font-size="{SMALL}" text-anchor="end"'))
    for value, text in across.ticks:
        x = left + across.of(value)
        drawn.append(_line(x, top, x, bottom + TICK, 0.15))
        drawn.append(text_element(x, bottom + TICK + SMALL + 2, text, f'font-size="{SMALL}" text-anchor="middle"'))
    drawn += [_line(left, top, left, bottom, 0.6), _line(left, bottom, left + WIDTH, bottom, 0.6)]
    drawn.append(text_element(left + WIDTH / 2, bottom + 3 * FONT, names[0], 'text-anchor="middle"'))
    drawn.append(_steps(positions, top, left + WIDTH))
    if len(points) <= MOST_MARKS:
        drawn += [_mark(*position, point, names) for position, point in zip(positions, points, strict=True)]
    return svg_element(right, bottom + 3 * FONT + PAD, title, drawn)


class Axis:
    """An axis: the position of each value on it, in pixels, and ticks at round values."""

    def __init__(self, values: Sequence[float], length: float) -> None:
        past = _axis_margin(values)
        self._low, self._high, self._length = min(values) - past, max(values) + past, length
        step = _step(self._high - self._low, only_whole=_whole(values))
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        first, last = math.ceil(self._low / step - 1e-9), math.floor(self._high / step + 1e-9)
        self.ticks = [(k * step, f"{k * step:,.{digits}f}") for k in range(first, last + 1)]

    def of(self, value: float) -> float:
        """The distance of a value from the start of the axis."""
        return self._length * (value - self._low) / (self._high - self._low)


def _step(span: float, *, only_whole: bool) -> float:
    """1, 2 or 5 times a power of 10, such that an axis has few ticks; at least 1 for whole numbers."""
    least = span / MOST_TICKS
    power = 10.0 ** math.floor(math.log10(least))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least)
    return max(step, 1.0) if only_whole else step


def _steps(positions: Sequence[tuple[float, float]], top: float, right: float) -> str:
    """The line of the front, rounded to tenths of a pixel, which limits its length."""
    path = [f"M{positions[0][0]:.1f} {top:.1f}"]
    for x, y in positions:
        for piece in (f"H{x:.1f}", f"V{y:.1f}"):
            if piece not in path[-2:]:
                path.append(piece)
    path.append(f"H{right:.1f}")
    return f'<path d="{"".join(path)}" fill="none" stroke="currentColor" stroke-width="1.3"/>'


def _mark(x: float, y: float, point: tuple[float, float], names: tuple[str, str]) -> str:
    text = ", ".join(f"{name} {_number(value)}" for name, value in zip(names, point, strict=True))
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{BLUE}"><title>{escaped(text)}</title></circle>'


def _number(value: float) -> str:
    """A cost as text: an integer in full, others to six digits."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.6g}"


def _line(x: float, y: float, to_x: float, to_y: float, opacity: float) -> str:
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    return f'<line {ends} stroke="currentColor" stroke-opacity="{opacity}"/>'
