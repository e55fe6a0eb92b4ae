"""The house style of figures, and how they are saved."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.storage.atomic import write_atomically

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["BLUE", "GREY", "HEURISTIC_COLOURS", "INK", "LIGHT", "VERMILLION", "house_style", "save"]

BLUE = "#0072B2"
VERMILLION = "#D55E00"
INK = "#222222"
GREY = "#6B6B6B"
LIGHT = "#DDDDDD"
"""The palette: blue and vermillion are Okabe and Ito's, which the colour-blind tell apart; the rest are greys."""

HEURISTIC_COLOURS = {
    "w_sum/gini": "#0072B2",
    "w_sum/ent": "#56B4E9",
    "sum/rt": "#D55E00",
    "max/rt": "#009E73",
    "w_max/rt": "#CC79A7",
}
"""The heuristics that are best for one cost or another (Table 5 of `000_…`), each in its colour in every figure."""

STYLE: dict[Any, object] = {
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
    "axes.grid": True,
    "axes.grid.axis": "x",
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


@contextmanager
def house_style() -> Iterator[None]:
    """Draw and save within this for the house style; what is set outside neither leaks in nor is changed."""
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE)
        yield


def save(figure: Figure, folder: Path, name: str) -> tuple[Path, Path]:
    """Write a figure as `<name>.svg` and `<name>.png` (160 dpi), the same bytes each time, and return their paths."""
    vector, raster = io.BytesIO(), io.BytesIO()
    figure.savefig(vector, format="svg", metadata={"Date": None, "Creator": None})
    figure.savefig(raster, format="png", dpi=160, metadata={"Software": None}, pil_kwargs={"compress_level": 1})
    return (
        write_atomically(folder / f"{name}.svg", vector.getvalue()),
        write_atomically(folder / f"{name}.png", raster.getvalue()),
    )
