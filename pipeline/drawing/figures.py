"""The style of all figures, and how they are saved."""

from __future__ import annotations

import io
import json
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote
from xml.sax.saxutils import escape, quoteattr

from algorithms.pictures.colours import BLUE, GREY, INK, LIGHT, VERMILLION
from pipeline.plain_text import plain
from pipeline.storage.atomic import write_atomically
from pipeline.summary.verdicts import Verdict
from pipeline.words import readable

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

__all__ = [
    "BLUE",
    "GREY",
    "INK",
    "JUDGED",
    "LIGHT",
    "PRINTED",
    "ROW",
    "VERMILLION",
    "fitted",
    "heading",
    "house_style",
    "label",
    "save",
]

PRINTED: dict[str, Any] = {
    "marker": "o",
    "markersize": 9.5,
    "markerfacecolor": "none",
    "markeredgecolor": GREY,
    "markeredgewidth": 1.0,
}
"""Style of a printed value, as keywords of `plot`: a ring with our value inside if they agree."""

JUDGED: Mapping[Verdict | None, Mapping[str, Any]] = {
    Verdict.AGREES: {"marker": "o", "markeredgewidth": 0},
    Verdict.CONSISTENT: {"marker": "o", "markeredgewidth": 1.4, "markerfacecolor": "white"},
    Verdict.DIFFERS: {"marker": "X", "markeredgewidth": 0},
    Verdict.MISPRINT: {"marker": "P", "markeredgewidth": 0},
    Verdict.FOLLOWS: {"marker": "D", "markeredgewidth": 0},
    Verdict.IMPOSSIBLE: {"marker": "s", "markeredgewidth": 0},
    None: {"marker": "o", "markeredgewidth": 0},
}
"""Marker of our value for each verdict, as keywords of `plot`. It does not set the colour."""


STYLE: dict[Any, object] = {
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.labelsize": 10,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "grid.color": LIGHT,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "svg.fonttype": "path",
    "svg.hashsalt": "orchard",
    "text.color": INK,
    "text.parse_math": False,  # a name with dollars in it is not a formula
    "xtick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.color": GREY,
    "ytick.labelcolor": INK,
    "ytick.left": False,
}


def fitted(name: str, most: int = 34) -> str:
    """A readable name in one line, shortened in the middle if it is too long for a figure."""
    flat = " ".join(readable(name).split())
    half = (most - 1) // 2
    return flat if len(flat) <= most else f"{flat[:half]}…{flat[-half:]}"


@contextmanager
def house_style(lines: str = "both") -> Iterator[None]:
    """Draw and save in the common style within the block; outer settings neither leak in nor change.

    lines : the axes with lines across the panels: both, x or y
    """
    import matplotlib as mpl

    # not `rcdefaults`, which would first read all styles of Matplotlib
    usual = {name: value for name, value in mpl.rcParamsDefault.items() if name != "backend"}
    with mpl.rc_context(usual | STYLE | {"axes.grid.axis": lines}):
        yield


LABEL = "label: "
"""Prefix of the id of a mark until it is saved; its text and attributes follow as percent-encoded JSON."""
ID = re.compile(rf'<g id="{LABEL}([^"]*)">')
ROW = "_row"
"""The key under which a row of a summary table has the id of the page element that shows it."""


def label(marks: Iterable[Artist], text: str = "", row: Mapping[str, Any] | None = None, **groups: str) -> None:
    """Label marks: the SVG shows the text when a reader points at them, and a page links to the row behind them.

    Parameters
    ----------
    marks : iterable of Artist
        The drawn objects.
    text : str
        The label; empty for objects that belong to other marks, such as lines and intervals.
    row : mapping, optional
        The row of a summary table that they show.
    groups : str
        Groups by which readers can switch them off, such as `builder="c45", data_set="uci/iris"`; by default the
        builder, the heuristic and the data set of the row.
    """
    row = row or {}
    heuristic = f"{row['impurity_type']}/{row['uncertainty']}" if row.get("impurity_type") else None
    own = {"builder": row.get("builder"), "heuristic": heuristic, "data_set": row.get("_title") or row.get("title")}
    own |= groups
    attributes = {f"of-{name.replace('_', '-')}": readable(value) for name, value in own.items() if value}
    if text and ROW in row:
        attributes["row"] = row[ROW]
    for mark in marks:
        mark.set_gid(LABEL + quote(json.dumps([text, attributes])))


def heading(text: Artist, words: str, below: float, what: str = "words") -> None:
    """Mark a line above a figure's panels, so that a page can cut it off the figure and show it as text.

    Parameters
    ----------
    text : Artist
        The drawn line.
    words : str
        Its text.
    below : float
        Points from the upper edge to the end of all such lines, where a page cuts the figure.
    what : str
        `words`; or `entry` for the text of an entry of the key, whose mark is drawn before it.
    """
    text.set_gid(LABEL + quote(json.dumps(["", {what: words, "below": f"{below:.1f}"}])))


def _labelled(match: re.Match[str]) -> str:
    """The SVG group of a mark with its attributes and its title, in place of an id."""
    text, attributes = json.loads(unquote(match[1]))
    written = "".join(f" data-{name}={quoteattr(plain(value))}" for name, value in attributes.items())
    return f"<g{written}>{f'<title>{escape(plain(text))}</title>' if text else ''}"


def save(figure: Figure, folder: Path, name: str) -> tuple[Path, Path]:
    """Write a figure as `<name>.svg` and `<name>.png` (160 dpi), always with the same bytes, and return their paths."""
    vector, raster = io.BytesIO(), io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph ")  # a name may have any letters; titles of marks have all of them
        figure.savefig(vector, format="svg", metadata={"Date": None, "Creator": None})
        figure.savefig(raster, format="png", dpi=160, metadata={"Software": None}, pil_kwargs={"compress_level": 1})
    return (
        write_atomically(folder / f"{name}.svg", ID.sub(_labelled, vector.getvalue().decode()).encode()),
        write_atomically(folder / f"{name}.png", raster.getvalue()),
    )
