"""The look of each builder, heuristic and solver: its colour, mark and line style, the same in every figure."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from algorithms.pictures.colours import BLUE, GREEN, INDIGO, INK, ORANGE, PURPLE, SKY, VERMILLION, WINE

Shape = Any
"""A mark: one of Matplotlib's letters, a polygon, or (corners, 1, degrees) of a star."""


@dataclass(frozen=True)
class Look:
    """The look of a builder or heuristic: its colour, the marker of a point, the style of a line."""

    colour: str
    marker: Shape = "o"
    line: str = "-"


def turned(*corners: tuple[float, float]) -> list[Shape]:
    """A polygon upright, and turned left by one, two and three quarters."""
    closed = (*corners, corners[0])
    return [
        closed,
        tuple((-y, x) for x, y in closed),
        tuple((-x, -y) for x, y in closed),
        tuple((y, -x) for x, y in closed),
    ]


ARROW, ARROW_LEFT, ARROW_DOWN, ARROW_RIGHT = turned(
    (0, 1), (1, -0.1), (0.5, -0.1), (0.5, -1), (-0.5, -1), (-0.5, -0.1), (-1, -0.1)
)
HOUSE, HOUSE_LEFT, HOUSE_DOWN, HOUSE_RIGHT = turned((0, 1), (0.9, 0.2), (0.9, -0.9), (-0.9, -0.9), (-0.9, 0.2))
CHEVRON, CHEVRON_LEFT, CHEVRON_DOWN, CHEVRON_RIGHT = turned((0, 1), (1, 0), (1, -1), (0, -0.35), (-1, -1), (-1, 0))
DISH, DISH_LEFT, DISH_DOWN, DISH_RIGHT = turned((-0.45, -0.75), (0.45, -0.75), (1, 0.75), (-1, 0.75))
CORNER, CORNER_2, CORNER_3, CORNER_4 = turned((-1, 1), (0, 1), (0, 0), (1, 0), (1, -1), (-1, -1))
HOURGLASS, BOW, *_ = turned((-0.95, 1), (0.95, 1), (0.3, 0), (0.95, -1), (-0.95, -1), (-0.3, 0))
TALL, WIDE, *_ = turned((-0.5, 1), (0.5, 1), (0.5, -1), (-0.5, -1))
TEE, TEE_LEFT, TEE_DOWN, TEE_RIGHT = turned(
    (-1, 1), (1, 1), (1, 0.35), (0.35, 0.35), (0.35, -1), (-0.35, -1), (-0.35, 0.35), (-1, 0.35)
)
SLANT, SLANT_UP, *_ = turned((-1, 0.7), (0.3, 0.7), (1, -0.7), (-0.3, -0.7))
STAR_3, STAR_4, STAR_5, STAR_8 = (3, 1, 0.0), (4, 1, 0.0), (5, 1, 0.0), (8, 1, 0.0)

HEURISTIC_COLOURS = {
    "w_sum/gini": BLUE,
    "w_sum/ent": SKY,
    "sum/rt": VERMILLION,
    "max/rt": GREEN,
    "w_max/rt": PURPLE,
}
"""The colour of each heuristic that is best for some cost (Alkhalid et al. 2013, Table 5)."""

OF_TYPE: Mapping[str, tuple[Shape, ...]] = {
    "max": ("^", ARROW, CHEVRON, HOUSE),
    "sum": (TALL, WIDE, SLANT, "s"),
    "w_max": ("v", ARROW_DOWN, CHEVRON_DOWN, HOUSE_DOWN),
    "w_sum": ("D", "o", STAR_4, "X"),
}
"""The marks of each type of impurity, by the measures in the order of OF_MEASURE."""
OF_MEASURE = {"ent": ORANGE, "gini": INDIGO, "me": WINE, "rt": SKY}

LOOKS: Mapping[str, Look] = {
    **{
        f"{kind}/{measure}": Look(HEURISTIC_COLOURS.get(f"{kind}/{measure}", colour), marker)
        for kind, markers in OF_TYPE.items()
        for (measure, colour), marker in zip(OF_MEASURE.items(), markers, strict=True)
    },
    "exact": Look(INK, STAR_8),
    "oct": Look(BLUE, "o"),
    "oct_mio": Look(ORANGE, DISH_RIGHT),
    "oct_flow": Look(PURPLE, SLANT),
    "tuned_oct": Look(BLUE, "8"),
    "split": Look(GREEN, TEE),
    "licketysplit": Look(SKY, TEE_LEFT),
    "rashomon": Look(BLUE, STAR_5),
    "cart": Look(VERMILLION, "s"),
    "tuned_cart": Look(VERMILLION, WIDE),
    "evo_tree": Look(GREEN, "p"),
    "evo_tree_front": Look(GREEN, STAR_4),
    "c45": Look(WINE, "^"),
    "j48": Look(WINE, "v"),
    "c45 unpruned": Look(PURPLE, HOUSE_LEFT),
    "id3": Look(ORANGE, ">"),
    "gain_ratio": Look(SKY, HOUSE_DOWN),
    "did": Look(BLUE, "<"),
    "did 0.1": Look(PURPLE, SLANT_UP),
    "did_0.1": Look(PURPLE, SLANT_UP),
    "look_ahead": Look(INDIGO, ARROW_RIGHT),
    "mid_level": Look(GREEN, ARROW_LEFT),
    "generate_tree": Look(INDIGO, "h"),
    "pre_pruned": Look(SKY, CHEVRON_DOWN),
    "reduced_error": Look(BLUE, DISH),
    "pessimistic": Look(GREEN, ARROW_DOWN),
    "cost_complexity": Look(VERMILLION, HOURGLASS),
    "logistic_tree": Look(PURPLE, BOW),
    "random_tree": Look(VERMILLION, HOUSE),
    "random_forest": Look(INDIGO, ARROW),
    "naive_bayes": Look(ORANGE, "D"),
    "naive_bayes_of_tree": Look(ORANGE, "d", "--"),
    "svm": Look(SKY, "X"),
    "mlp": Look(PURPLE, "P"),
    "tree_rules": Look(INDIGO, "*"),
    "sequential_covering": Look(SKY, TALL),
    "t2_printed": Look(SKY, CHEVRON),
    "t2_exhaustive": Look(SKY, CHEVRON_LEFT),
    "t3_printed": Look(ORANGE, DISH_DOWN),
    "t3_exhaustive": Look(GREEN, DISH_LEFT),
    "t3c_printed": Look(VERMILLION, HOUSE_RIGHT),
    "t3c_exhaustive": Look(PURPLE, CHEVRON_RIGHT),
    "pystreed": Look(VERMILLION, STAR_3),
    "pycontree": Look(GREEN, CORNER),
    "pydl8.5": Look(SKY, CORNER_2),
    "pytrees-rs DL8.5": Look(INDIGO, CORNER_3),
    "pytrees-rs ConTree": Look(WINE, CORNER_4),
    "gosdt": Look(ORANGE, "H", "--"),
    "arborenum": Look(BLUE, TEE_DOWN),
    "tree-praxis": Look(PURPLE, TEE_RIGHT),
}
"""Looks of known names: no two builders or solvers have the same mark, and no two heuristics."""

OTHERS = tuple(
    Look(colour, marker, "-.")
    for marker in ("<", ">", "p", "h", "*", "d")
    for colour in (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, INDIGO, WINE)
)
"""Looks of other names; none of them is in LOOKS."""


def look_of(name: str) -> Look:
    """The look of a builder or heuristic, which depends only on its name."""
    return LOOKS.get(name) or OTHERS[zlib.crc32(name.encode()) % len(OTHERS)]


def colour_of(name: str) -> str:
    """The colour of a builder or heuristic; for `exact` that of a proven minimum."""
    return look_of(name).colour


def looks_of(names: Sequence[str]) -> dict[str, Look]:
    """The looks of the builders of a figure: each as everywhere, except that an unknown name takes no other's mark."""
    result = {name: look for name in names if (look := LOOKS.get(name))}
    shapes = dict.fromkeys(look.marker for look in (*OTHERS, *LOOKS.values()))
    for name in names:
        look, used = look_of(name), {other.marker for other in result.values()}
        if name not in result:
            unused = (marker for marker in (look.marker, *shapes) if marker not in used)
            result[name] = replace(look, marker=next(unused, "o"))
    return result
