"""The house style of figures: one look for each builder, that eyes of every kind tell apart."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import yaml
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from algorithms.measures.impurity import IMPURITY_FUNCTIONS
from pipeline.drawing import frame
from pipeline.drawing.figures import INK, fitted
from pipeline.drawing.looks import LOOKS, OTHERS, colour_of, look_of, looks_of
from pipeline.grammar.comparison import learning_curves
from pipeline.grids.solvers.peers import PEERS

CONF = Path(__file__).parents[2] / "conf"
GRIDS = sorted(path.stem for path in (CONF / "grid").glob("*.yaml"))
EYES = {
    "every colour": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "no green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "no red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
"""What is seen of linear RGB (Machado, Oliveira and Fernandes 2009, severity 1)."""
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = np.array([0.9505, 1.0, 1.089])
APART = 15.0
"""A CIE 1976 difference that is seen at a glance; 2.3 is just to be seen."""


@pytest.mark.parametrize("eyes", EYES)
def test_the_colours_of_builders_differ(eyes: str) -> None:
    """Also by the colour-blind, and from the ink of exact minima."""
    colours = {each.colour for each in LOOKS.values()} | {INK}
    seen = {colour: _lab(np.array(EYES[eyes]) @ _linear(colour)) for colour in colours}
    nearest, *pair = min((float(np.linalg.norm(seen[a] - seen[b])), a, b) for a, b in combinations(sorted(seen), 2))
    assert nearest > APART, pair


@pytest.mark.parametrize("grid", GRIDS)
def test_no_two_builders_of_a_grid_look_the_same(grid: str) -> None:
    requested = yaml.safe_load((CONF / "grid" / f"{grid}.yaml").read_text(encoding="utf-8")).get("builders") or []
    names = [entry if isinstance(entry, str) else entry.get("name", entry["builder"]) for entry in requested]
    assert len({look.marker for look in looks_of(names).values()}) == len(set(names))


def test_no_two_builders_of_ours_have_one_mark() -> None:
    heuristics = {function.name for function in IMPURITY_FUNCTIONS}
    for names in (heuristics, set(LOOKS) - heuristics - {"did 0.1"}):  # which is did_0.1 in another grid
        assert len({LOOKS[name].marker for name in names}) == len(names)


def test_a_name_of_ones_own_takes_no_mark_of_the_figure() -> None:
    mine = [f"mine {index}" for index in range(20)]
    names = [*mine, "oct", "cart", "c45"]
    result = looks_of(names)
    assert list(result)[:3] == ["oct", "cart", "c45"]
    assert all(result[name] == look_of(name) for name in ("oct", "cart", "c45"))
    assert all(result[name].colour == colour_of(name) for name in names)
    assert len({look.marker for look in result.values()}) == len(names)


def test_every_builder_heuristic_and_peer_has_a_look_of_its_own() -> None:
    ours = {path.stem for path in (CONF / "builder").glob("*.yaml")} | {
        function.name for function in IMPURITY_FUNCTIONS
    }
    assert (ours | set(PEERS)) <= set(LOOKS)
    assert not set(OTHERS) & set(LOOKS.values())
    assert [name for name, look in LOOKS.items() if look.colour == INK] == ["exact"]


def test_a_builder_of_ones_own_keeps_its_look() -> None:
    """It hangs on the name alone: written down here, so that a change of it is seen."""
    assert look_of("mine") in OTHERS
    assert colour_of("mine") == "#CC79A7"
    assert len({look_of(f"mine {index}") for index in range(30)}) > 15


def test_a_name_that_is_too_long_loses_its_middle() -> None:
    assert fitted("uci/iris") == "uci/iris"
    assert fitted("two\nlines") == "two lines"
    assert fitted("/home/me/" + "x" * 90 + "/mine.csv", 21) == "/home/me/x…x/mine.csv"


def _linear(colour: str) -> NDArray[np.float64]:
    values = np.array([int(colour[index : index + 2], 16) for index in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def _lab(linear: NDArray[np.float64]) -> NDArray[np.float64]:
    xyz = TO_XYZ @ np.clip(linear, 0, 1) / WHITE
    bent = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * bent[1] - 16, 500 * (bent[0] - bent[1]), 200 * (bent[1] - bent[2])])


@pytest.mark.parametrize("curves", [1, 7])
def test_the_key_of_learning_curves_is_clear_of_the_titles_below_it(
    curves: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    drawn: list[Figure] = []
    monkeypatch.setattr(frame, "save", lambda figure, *_: drawn.append(figure) or ())
    fitness = {f"{name}{end}": 0.1 for name in ("best", "mean") for end in ("", "_low", "_high")}
    points = [
        {"source": f"uci/set-{number}", "part": "all", "builder": "evo_tree", "generation": generation}
        | {"n": 2, **fitness}
        for number in range(curves)
        for generation in range(5)
    ]
    learning_curves.draw(points, tmp_path, "How EVO-Tree learns")
    (figure,) = drawn
    figure.set_dpi(72)
    drawing = FigureCanvasAgg(figure).get_renderer()
    (key,) = figure.legends
    titles = [axes.title.get_window_extent(drawing).y1 for axes in figure.axes]
    assert key.get_window_extent(drawing).y0 - max(titles) > 9  # points
