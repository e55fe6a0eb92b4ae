"""Data sets that a rule defines exactly, generated instead of read.

Attributes and labels have the names of the UCI repository's descriptions; for sets that are not in UCI, the names of
the Penn Machine Learning Benchmarks. The labels of an attribute are sorted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby, product

import numpy as np

from algorithms.data.data_set import Attribute, AttributeKind, DataSet

__all__ = ["RULE_SETS"]

Row = tuple[str, ...]
Rule = Callable[..., bool]

BIT = "01"
CORRAL = dict.fromkeys(("A0", "A1", "B0", "B1", "Irrelevant", "Correlated"), BIT)
MONKS = {"a1": "123", "a2": "123", "a3": "12", "a4": "123", "a5": "1234", "a6": "12"}
BALLOONS = {
    "Color": ("YELLOW", "PURPLE"),
    "size": ("SMALL", "LARGE"),
    "act": ("STRETCH", "DIP"),
    "age": ("ADULT", "CHILD"),
}
SQUARES = [f"{row}-{column}-square" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right")]
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def _balance_scale() -> DataSet:
    """Which side a balance tips to, 625 rows: the greater weight x distance (Siegler 1976). Equal to UCI's file.

    The four attributes are numeric, 1 to 5, as in the set's description.
    """
    columns = np.indices((5, 5, 5, 5)).reshape(4, -1) + 1.0
    left_weight, left_distance, right_weight, right_distance = columns
    tips_right = np.sign(right_weight * right_distance - left_weight * left_distance)
    names = ("Left-Weight", "Left-Distance", "Right-Weight", "Right-Distance")
    attributes = tuple(Attribute(name, AttributeKind.NUMERIC) for name in names)
    return DataSet(attributes, tuple(columns), ("L", "B", "R"), (1 + tips_right).astype(np.int32))


def _tic_tac_toe() -> DataSet:
    """The 958 boards on which tic-tac-toe ends when x begins; positive if x won. Equal to UCI's file, row for row.

    The boards on which x won come first, then the boards on which o won, then the draws.
    """
    ended: dict[str, list[Row]] = {"x": [], "o": [], "draw": []}
    for board in product("xob", repeat=9):
        lead = board.count("x") - board.count("o")
        lines = {board[i] for i, j, k in LINES if board[i] == board[j] == board[k]} - {"b"}
        if lines == {"x"} and lead == 1:
            ended["x"].append(board)
        elif lines == {"o"} and lead == 0:
            ended["o"].append(board)
        elif not lines and lead == 1 and "b" not in board:
            ended["draw"].append(board)
    boards = [board for kind in ended.values() for board in kind]
    positive = [True] * len(ended["x"]) + [False] * (len(boards) - len(ended["x"]))
    return _data_set(dict.fromkeys(SQUARES, "xob"), boards, positive, ("negative", "positive"))


def _balloons(inflated: Rule) -> DataSet:
    """A concept of the balloons; the rows of the rarer class are listed twice."""
    rows = list(product(*BALLOONS.values()))
    rarer = sum(inflated(*row) for row in rows) < len(rows) / 2
    listed: list[Row] = []
    for value, run in groupby(rows, lambda row: inflated(*row)):
        listed += list(run) * (2 if value is rarer else 1)
    return _data_set(BALLOONS, listed, [inflated(*row) for row in listed], ("F", "T"))


def _cube(values: Mapping[str, Sequence[str]], rule: Rule, classes: tuple[str, str] = ("0", "1")) -> DataSet:
    """Every combination of values once, the last attribute changing fastest; the second class where the rule holds."""
    rows = list(product(*values.values()))
    return _data_set(values, rows, [rule(*row) for row in rows], classes)


def _data_set(
    values: Mapping[str, Sequence[str]], rows: Sequence[Row], positive: Sequence[bool], classes: tuple[str, str]
) -> DataSet:
    attributes = tuple(Attribute(name, AttributeKind.NOMINAL, tuple(sorted(labels))) for name, labels in values.items())
    columns = tuple(
        np.array([attribute.labels.index(row[index]) for row in rows], np.int32)
        for index, attribute in enumerate(attributes)
    )
    return DataSet(attributes, columns, classes, np.array(positive, np.int32))


RULE_SETS: dict[str, Callable[[], DataSet]] = {
    "monks-1": partial(_cube, MONKS, lambda a1, a2, _a3, _a4, a5, _a6: a1 == a2 or a5 == "1"),
    "monks-2": partial(_cube, MONKS, lambda *row: row.count("1") == 2),
    "monks-3": partial(
        _cube, MONKS, lambda _1, a2, _3, a4, a5, _6: (a5 == "3" and a4 == "1") or (a5 != "4" and a2 != "3")
    ),
    "balance-scale": _balance_scale,
    "tic-tac-toe": _tic_tac_toe,
    "balloons/adult-stretch": partial(_balloons, lambda _color, _size, act, age: age == "ADULT" or act == "STRETCH"),
    "balloons/adult+stretch": partial(_balloons, lambda _color, _size, act, age: age == "ADULT" and act == "STRETCH"),
    "balloons/yellow-small": partial(_balloons, lambda color, size, _act, _age: color == "YELLOW" and size == "SMALL"),
    "balloons/yellow-small+adult-stretch": partial(
        _cube,
        BALLOONS,
        lambda color, size, act, age: (color, size) == ("YELLOW", "SMALL") or (act, age) == ("STRETCH", "ADULT"),
        ("F", "T"),
    ),
    "corral": partial(_cube, CORRAL, lambda a0, a1, b0, b1, *_: a0 == a1 == "1" or b0 == b1 == "1"),
    "mofn-3-7-10": partial(_cube, {f"Bit-{i}": BIT for i in range(10)}, lambda *bits: bits[2:9].count("1") >= 3),
    "parity5+5": partial(
        _cube,
        {f"Bit {i}": BIT for i in range(1, 11)},
        lambda *bits: sum(bits[i - 1] == "1" for i in (2, 3, 4, 6, 8)) % 2 == 1,
    ),
}
"""Functions that make the sets, by name. The names are UCI's, or PMLB's for sets that UCI lacks.

The MONK sets (Thrun et al. 1991) have all 432 combinations of values, without noise, as the published test files do,
row for row. The published training files are random samples, so no rule defines them. The balloons (Pazzani 1991) equal
their files row for row. The last three sets have each combination of bits once. These are the distinct rows of the
files, which list 160, 1324 and 1124 rows. They are due to John, Kohavi and Pfleger (1994) and to MLC++. In corral, the
attribute Correlated agrees with the class in 75 % of the rows of the file, and in half of these rows.
"""
