"""The frame that figures share: a title, a caption, a legend, and panels placed in inches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pipeline.drawing.figures import GREY, INK, fitted, heading, house_style, save

if TYPE_CHECKING:
    import matplotlib.axes
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

Axes: TypeAlias = "matplotlib.axes.Axes"
"""A panel, named for type checkers only: Matplotlib is imported when a figure is drawn."""

LEFT = 0.12  # inches from the left edge to title and key
TITLE, CAPTION, KEY = 0.18, 0.48, 0.66  # inches from the upper edge to the top of each
POINTS = 72  # of an inch
REST, LINE = 0.26, 0.16  # inches of the rest of a headline, and of a further line of the caption


@dataclass(frozen=True)
class Inches:
    """The size of a figure and the margins of its panels, in inches; by default those of one panel."""

    width: float = 6.0
    height: float = 3.5
    left: float = 0.8
    right: float = 0.2
    above: float = 0.9
    below: float = 0.6


ONE_PANEL = Inches()


@dataclass
class Frame:
    """A figure under construction.

    Parameters
    ----------
    panels : array of Axes, (rows, columns)
        The panels for the data.
    files : tuple of Path
        Its files, once it is saved.
    further : float
        Inches of further lines of the title and the caption; the key is below them.
    """

    figure: Figure
    panels: NDArray[Any]
    inches: Inches
    further: float = 0.0
    files: tuple[Path, ...] = field(default=())

    @property
    def panel(self) -> Axes:
        """The only panel."""
        return self.panels[0, 0]  # type: ignore[no-any-return]

    def key(self, entries: Sequence[Artist], most_in_a_line: int = 6, **looks: Any) -> None:
        """Explain marks and lines in as many lines as needed."""
        lines = max(1, -(-len(entries) // most_in_a_line))
        corner = (LEFT / self.inches.width - 0.008, 1 - (KEY + self.further) / self.inches.height)
        defaults: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": corner, "columnspacing": 1.4}
        legend = self.figure.legend(handles=list(entries), ncols=-(-len(entries) // lines), **(defaults | looks))
        below = POINTS * (self.inches.height - legend.get_window_extent().y0 / self.figure.dpi)
        for text in legend.get_texts():
            heading(text, text.get_text(), below, "entry")

    def titled(
        self, titles: Sequence[str], x: str = "", y: str = "", letters: int = 34, **looks: Any
    ) -> dict[str, Axes]:
        """Give each title a panel, row by row, and hide the remaining panels.

        Parameters
        ----------
        titles : sequence of str
            Each is shortened to fit.
        x, y : str
            Names of the axes, below the lowest panel of each column and left of each row.
        looks : Any
            Keywords of `Axes.set_title`.

        Returns
        -------
        dict of str to Axes
        """
        panels, across = list(self.panels.flat), self.panels.shape[1]
        for index, axes in enumerate(panels):
            if index >= len(titles):
                axes.set_visible(False)
                continue
            axes.set_title(fitted(titles[index], letters), **looks)
            if y and index % across == 0:
                axes.set_ylabel(y)
            if x and index + across >= len(titles):
                axes.set_xlabel(x)
                axes.tick_params(labelbottom=True)
        self.figure.align_ylabels(self.panels[:, 0])
        return dict(zip(titles, panels, strict=False))

    def below(self, words: str) -> None:
        """Name the horizontal axis that all panels share."""
        middle = (self.inches.left + self.inches.width - self.inches.right) / 2
        self.figure.text(middle / self.inches.width, 0.14 / self.inches.height, words, ha="center", color=INK)


def further_lines(title: str | tuple[str, str], caption: str) -> float:
    """Inches of the rest of a headline, and of all lines but the first of the caption."""
    return REST * (not isinstance(title, str) and bool(title[1])) + LINE * caption.count("\n")


def grid_shape(panels: int, most: int, least: int = 1) -> tuple[int, int]:
    """The rows and columns for a number of panels, at most `most` in a row, with space for at least `least`."""
    across = min(most, max(panels, least))
    return -(-panels // across), across


@contextmanager
def framed(
    folder: Path,
    name: str,
    title: str | tuple[str, str],
    caption: str,
    inches: Inches = ONE_PANEL,
    shape: tuple[int, int] = (1, 1),
    lines: str = "both",
    **grid: Any,
) -> Iterator[Frame]:
    """Draw a figure in the common style within the block; at its end it is saved as `<name>.svg` and `.png`.

    Parameters
    ----------
    folder : Path
        Folder of its files.
    title : str or (str, str)
        Headline; or a headline and the rest of it, which gets a line of its own.
    caption : str
        A line below it: what is shown, of how many, with which intervals.
    inches : Inches
        Its size.
    shape : (int, int)
        Rows and columns of panels; (0, 0) for a figure that places its own.
    lines : str
        The axes with lines across the panels: both, x or y.
    grid : Any
        Keywords of `Figure.subplots`, such as `sharey`; `wspace`, `hspace` and ratios go to its grid.
    """
    import matplotlib.figure

    of_grid = {key: grid.pop(key) for key in ("wspace", "hspace", "width_ratios", "height_ratios") if key in grid}
    with house_style(lines):
        figure = matplotlib.figure.Figure(figsize=(inches.width, inches.height))
        edges = {
            "left": inches.left / inches.width,
            "right": 1 - inches.right / inches.width,
            "bottom": inches.below / inches.height,
            "top": 1 - inches.above / inches.height,
        }
        panels: Any = ()
        if all(shape):
            panels = figure.subplots(*shape, squeeze=False, gridspec_kw=edges | of_grid, **grid)
        headline, rest = (title, "") if isinstance(title, str) else title
        further = further_lines(title, caption)
        for words, top, looks in (
            (headline, TITLE, {"fontsize": 14, "fontweight": "bold"}),
            (rest, CAPTION, {"fontsize": 11}),
            (caption, CAPTION + REST * bool(rest), {"color": GREY, "linespacing": 1.35}),
        ):
            if words:
                line = figure.text(LEFT / inches.width, 1 - top / inches.height, words, va="top", **looks)
                heading(line, words, POINTS * (KEY + further))
        frame = Frame(figure, np.asarray(panels), inches, further)
        yield frame
        frame.files = save(figure, folder, name)
