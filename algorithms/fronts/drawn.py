"""How a front of two costs displays itself."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from algorithms.axes import new_axes
from algorithms.fronts.front_plot import draw_front, whole
from algorithms.fronts.front_svg import front_svg, number
from algorithms.plurals import counted

if TYPE_CHECKING:
    from algorithms.axes import Axes

SHOWN = 8
"""The most points shown by `repr`."""


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
        cells = [points.names, *((number(x), number(y)) for x, y in points.coordinates)]
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
        axes.locator_params("x", integer=whole([x for x, _ in points.coordinates]))
        axes.locator_params("y", integer=whole([y for _, y in points.coordinates]))
        axes.set(xlabel=points.names[0], ylabel=points.names[1])
        return axes
