"""Data sets that a rule defines exactly, generated instead of read.

Attributes and labels have the names of the UCI repository's descriptions; for sets that are not in UCI, the names of
the Penn Machine Learning Benchmarks. The labels of an attribute are sorted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby, product

import numpy as np

from algorithms.data_set import Attribute, AttributeKind, DataSet

__all__ = [
    "RULE_SETS",
    "balance_scale",
    "balloons_adult_and_stretch",
    "balloons_adult_or_stretch",
    "balloons_either_pair",
    "balloons_yellow_and_small",
    "corral",
    "mofn_3_7_10",
    "monks_1",
    "monks_2",
    "monks_3",
    "parity5_plus_5",
    "tic_tac_toe",
]

Row = tuple[str, ...]
Rule = Callable[..., bool]

BIT = "01"
MONKS = {"a1": "123", "a2": "123", "a3": "12", "a4": "123", "a5": "1234", "a6": "12"}
BALLOONS = {
    "Color": ("YELLOW", "PURPLE"),
    "size": ("SMALL", "LARGE"),
    "act": ("STRETCH", "DIP"),
    "age": ("ADULT", "CHILD"),
}
SQUARES = [f"{row}-{column}-square" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right")]
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def monks_1() -> DataSet:
    """MONK-1 without noise, 432 rows: a1 = a2 or a5 = 1 (Thrun et al. 1991). Equal to its .test file, row for row."""
    return _cube(MONKS, lambda a1, a2, _a3, _a4, a5, _a6: a1 == a2 or a5 == "1")


def monks_2() -> DataSet:
    """MONK-2, 432 rows: exactly two attributes are 1 (Thrun et al. 1991). Equal to its .test file, row for row."""
    return _cube(MONKS, lambda *row: row.count("1") == 2)


def monks_3() -> DataSet:
    """MONK-3 without noise, 432 rows: a5 = 3 and a4 = 1, or a5 is not 4 and a2 not 3.

    Equal to its .test file, row for row.
    """
    return _cube(MONKS, lambda _a1, a2, _a3, a4, a5, _a6: (a5 == "3" and a4 == "1") or (a5 != "4" and a2 != "3"))


def balance_scale() -> DataSet:
    """Which side a balance tips to, 625 rows: the greater weight x distance (Siegler 1976). Equal to UCI's file.

    The four attributes are numeric, 1 to 5, as in the set's description.
    """
    columns = np.indices((5, 5, 5, 5)).reshape(4, -1) + 1.0
    left_weight, left_distance, right_weight, right_distance = columns
    tips_right = np.sign(right_weight * right_distance - left_weight * left_distance)
    names = ("Left-Weight", "Left-Distance", "Right-Weight", "Right-Distance")
    attributes = tuple(Attribute(name, AttributeKind.NUMERIC) for name in names)
    return DataSet(attributes, tuple(columns), ("L", "B", "R"), (1 + tips_right).astype(np.int32))


def tic_tac_toe() -> DataSet:
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


def balloons_adult_or_stretch() -> DataSet:
    """Balloons, inflated if age is ADULT or act is STRETCH, 20 rows (Pazzani 1991).

    Equal to adult-stretch.data, row for row. The rows of the rarer class are listed twice; 16 rows are distinct.
    """
    return _balloons(lambda _color, _size, act, age: age == "ADULT" or act == "STRETCH")


def balloons_adult_and_stretch() -> DataSet:
    """Balloons, inflated if age is ADULT and act is STRETCH, 20 rows (Pazzani 1991).

    Equal to adult+stretch.data, row for row. The rows of the rarer class are listed twice; 16 rows are distinct.
    """
    return _balloons(lambda _color, _size, act, age: age == "ADULT" and act == "STRETCH")


def balloons_yellow_and_small() -> DataSet:
    """Balloons, inflated if color is YELLOW and size is SMALL, 20 rows (Pazzani 1991).

    Equal to yellow-small.data, row for row. The rows of the rarer class are listed twice; 16 rows are distinct.
    """
    return _balloons(lambda color, size, _act, _age: color == "YELLOW" and size == "SMALL")


def balloons_either_pair() -> DataSet:
    """Balloons, inflated if YELLOW and SMALL, or ADULT and STRETCH, 16 rows (Pazzani 1991).

    Equal to yellow-small+adult-stretch.data, row for row. The classes have 7 and 9 rows, and no row is listed twice.
    """

    def inflated(color: str, size: str, act: str, age: str) -> bool:
        return (color == "YELLOW" and size == "SMALL") or (age == "ADULT" and act == "STRETCH")

    return _cube(BALLOONS, inflated, ("F", "T"))


def corral() -> DataSet:
    """A0 and A1, or B0 and B1: 64 rows, every combination once (John, Kohavi and Pfleger 1994).

    These are the distinct rows of the file, which lists 160 rows. The attribute Correlated agrees with the class in
    75 % of the rows of the file, and in half of these rows.
    """
    bits = ("A0", "A1", "B0", "B1", "Irrelevant", "Correlated")
    return _cube(dict.fromkeys(bits, BIT), lambda a0, a1, b0, b1, *_: a0 == a1 == "1" or b0 == b1 == "1")


def mofn_3_7_10() -> DataSet:
    """At least 3 of the 7 bits Bit-2 to Bit-8 are 1, of 10 bits: 1024 rows, every combination once (MLC++).

    These are the distinct rows of the file, which lists 1324 rows.
    """
    return _cube({f"Bit-{i}": BIT for i in range(10)}, lambda *bits: bits[2:9].count("1") >= 3)


def parity5_plus_5() -> DataSet:
    """The parity of bits 2, 3, 4, 6 and 8 of 10: 1024 rows, every combination once (MLC++, parity5+5).

    These are the distinct rows of the file, which lists 1124 rows.
    """

    def odd(*bits: str) -> bool:
        return [bits[i - 1] for i in (2, 3, 4, 6, 8)].count("1") % 2 == 1

    return _cube({f"Bit {i}": BIT for i in range(1, 11)}, odd)


RULE_SETS: dict[str, Callable[[], DataSet]] = {
    "monks-1": monks_1,
    "monks-2": monks_2,
    "monks-3": monks_3,
    "balance-scale": balance_scale,
    "tic-tac-toe": tic_tac_toe,
    "balloons/adult-stretch": balloons_adult_or_stretch,
    "balloons/adult+stretch": balloons_adult_and_stretch,
    "balloons/yellow-small": balloons_yellow_and_small,
    "balloons/yellow-small+adult-stretch": balloons_either_pair,
    "corral": corral,
    "mofn-3-7-10": mofn_3_7_10,
    "parity5+5": parity5_plus_5,
}
"""Functions that make the sets, by name. The names are UCI's, or PMLB's for sets that UCI lacks.

The MONK sets have all 432 combinations of values, as the published test files do. The published training files are
random samples, so no rule defines them.
"""


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
