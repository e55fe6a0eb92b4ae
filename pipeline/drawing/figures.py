"""The house style of figures, and how they are saved."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from algorithms.colours import BLUE, GREEN, GREY, INDIGO, INK, LIGHT, ORANGE, PURPLE, SKY, VERMILLION, WINE
from pipeline.storage.atomic import write_atomically
from pipeline.summary.verdicts import Verdict

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

__all__ = [
    "BLUE",
    "GREY",
    "HEURISTIC_COLOURS",
    "INK",
    "JUDGED",
    "LIGHT",
    "PRINTED",
    "VERMILLION",
    "Look",
    "colour_of",
    "fitted",
    "house_style",
    "label",
    "look_of",
    "save",
]

PRINTED: dict[str, Any] = {
    "marker": "o",
    "markersize": 9.5,
    "markerfacecolor": "none",
    "markeredgecolor": GREY,
    "markeredgewidth": 1.0,
}
"""A printed value, as keywords of `plot`: a ring, in which ours sits where they agree."""

JUDGED: Mapping[Verdict | None, Mapping[str, Any]] = {
    Verdict.AGREES: {"marker": "o", "markeredgewidth": 0},
    Verdict.CONSISTENT: {"marker": "o", "markeredgewidth": 1.4, "markerfacecolor": "white"},
    Verdict.DIFFERS: {"marker": "X", "markeredgewidth": 0},
    Verdict.MISPRINT: {"marker": "P", "markeredgewidth": 0},
    Verdict.FOLLOWS: {"marker": "D", "markeredgewidth": 0},
    Verdict.IMPOSSIBLE: {"marker": "s", "markeredgewidth": 0},
    None: {"marker": "o", "markeredgewidth": 0},
}
"""The marker of our value for each verdict, as keywords of `plot`. The colour is not part of it."""


@dataclass(frozen=True)
class Look:
    """How a builder or heuristic is drawn, in every figure: its colour, the marker of a point, the style of a line."""

    colour: str
    marker: str = "o"
    line: str = "-"


HEURISTIC_COLOURS = {
    "w_sum/gini": BLUE,
    "w_sum/ent": SKY,
    "sum/rt": VERMILLION,
    "max/rt": GREEN,
    "w_max/rt": PURPLE,
}
"""The colour of each heuristic that is best for some cost (Alkhalid et al. 2013, Table 5), the same in every figure."""

OF_TYPE = {"max": "^", "sum": "s", "w_max": "v", "w_sum": "o"}
OF_MEASURE = {"ent": ORANGE, "gini": INDIGO, "me": WINE, "rt": SKY}

LOOKS: Mapping[str, Look] = {
    **{
        f"{kind}/{measure}": Look(HEURISTIC_COLOURS.get(f"{kind}/{measure}", colour), marker)
        for kind, marker in OF_TYPE.items()
        for measure, colour in OF_MEASURE.items()
    },
    "exact": Look(INK, "D"),
    "oct": Look(BLUE),
    "oct_mio": Look(ORANGE, "s"),
    "oct_flow": Look(PURPLE, "v"),
    "tuned_oct": Look(BLUE, "s"),
    "cart": Look(VERMILLION, "s"),
    "tuned_cart": Look(VERMILLION, "P"),
    "evo_tree": Look(GREEN),
    "evo_tree_front": Look(GREEN, "s"),
    "c45": Look(WINE),
    "j48": Look(WINE),
    "c45 unpruned": Look(PURPLE, "s"),
    "id3": Look(ORANGE),
    "gain_ratio": Look(SKY, "s"),
    "did": Look(BLUE, "D"),
    "did 0.1": Look(PURPLE, "D"),
    "did_0.1": Look(PURPLE, "D"),
    "look_ahead": Look(INDIGO, "s"),
    "mid_level": Look(GREEN, "D"),
    "generate_tree": Look(INDIGO),
    "pre_pruned": Look(SKY, "v"),
    "reduced_error": Look(BLUE, "v"),
    "pessimistic": Look(GREEN, "v"),
    "cost_complexity": Look(VERMILLION, "v"),
    "logistic_tree": Look(PURPLE, "s"),
    "random_tree": Look(VERMILLION, "^"),
    "random_forest": Look(WINE, "^"),
    "naive_bayes": Look(ORANGE, "D"),
    "naive_bayes_of_tree": Look(ORANGE, "P", "--"),
    "svm": Look(SKY, "^"),
    "mlp": Look(PURPLE, "^"),
    "tree_rules": Look(INDIGO, "X"),
    "sequential_covering": Look(SKY, "X"),
    "t2_printed": Look(SKY),
    "t2_exhaustive": Look(SKY, "D"),
    "t3_printed": Look(ORANGE, "^"),
    "t3_exhaustive": Look(GREEN, "^"),
    "t3c_printed": Look(VERMILLION),
    "t3c_exhaustive": Look(PURPLE),
    "pystreed": Look(VERMILLION, "X"),
    "pycontree": Look(GREEN, "X"),
    "pydl8.5": Look(SKY, "P"),
    "pytrees-rs DL8.5": Look(INDIGO, "P"),
    "pytrees-rs ConTree": Look(WINE, "P"),
    "gosdt": Look(ORANGE, "X", "--"),
}
"""Of what has a name of ours: what is drawn together differs in colour, or else in marker and line."""

OTHERS = tuple(
    Look(colour, marker, "-.")
    for marker in ("<", ">", "p", "h", "*", "d")
    for colour in (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, INDIGO, WINE)
)
"""Of what has another name; no look of LOOKS is among them."""

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
    "text.parse_math": False,  # a name with dollars in it is a name
    "xtick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.color": GREY,
    "ytick.labelcolor": INK,
    "ytick.left": False,
}


def look_of(name: str) -> Look:
    """How a builder or heuristic is drawn, by its name alone, whatever else is in the figure."""
    return LOOKS.get(name) or OTHERS[zlib.crc32(name.encode()) % len(OTHERS)]


def colour_of(name: str) -> str:
    """The colour of a builder or heuristic, the same in every figure; of `exact` that of a proven minimum."""
    return look_of(name).colour


def fitted(name: str, most: int = 34) -> str:
    """A name as a figure has room for it: what is longer loses its middle, and all is on one line."""
    flat = " ".join(name.split())
    half = (most - 1) // 2
    return flat if len(flat) <= most else f"{flat[:half]}…{flat[-half:]}"


@contextmanager
def house_style(lines: str = "both") -> Iterator[None]:
    """Draw and save within this for the house style; what is set outside neither leaks in nor is changed.

    lines : the axes with lines across the panels: both, x or y
    """
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE | {"axes.grid.axis": lines})
        yield


LABEL = "label: "
"""What the id of a mark begins with until it is a title."""
ID = re.compile(rf'<g id="{LABEL}([^"]*)">')


def label(marks: Iterable[Artist], text: str) -> None:
    """Give marks a label, which the SVG shows where a reader points at them."""
    for mark in marks:
        mark.set_gid(LABEL + text)


def save(figure: Figure, folder: Path, name: str) -> tuple[Path, Path]:
    """Write a figure as `<name>.svg` and `<name>.png` (160 dpi), the same bytes each time, and return their paths."""
    vector, raster = io.BytesIO(), io.BytesIO()
    figure.savefig(vector, format="svg", metadata={"Date": None, "Creator": None})
    figure.savefig(raster, format="png", dpi=160, metadata={"Software": None}, pil_kwargs={"compress_level": 1})
    return (
        write_atomically(folder / f"{name}.svg", ID.sub(r"<g><title>\1</title>", vector.getvalue().decode()).encode()),
        write_atomically(folder / f"{name}.png", raster.getvalue()),
    )
