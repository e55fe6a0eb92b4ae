"""Weka 3.6's Id3 in its own arithmetic: doubles added up in its order, so that they round as in Java.

Weka takes the greatest gain as it is rounded, and so lets rounding decide between attributes that gain the same. With
`tie` above 0 the first of those counts instead. Trees are those of `tests.oracles.brute_force`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np

from tests.oracles.brute_force import Tree

ZERO = 1e-6
LOG_2 = math.log(2)


def trees(
    codes: np.ndarray, decisions: np.ndarray, values: Sequence[int], classes: int, ties: Sequence[float]
) -> list[Tree]:
    """The tree of each `tie`."""

    @cache
    def gains_of(rows: bytes) -> list[float]:
        """The gain of each attribute on rows, given as the bytes of their indices."""
        here = np.frombuffer(rows, np.int64)
        whole = _entropy(np.bincount(decisions[here], minlength=classes).tolist(), len(here))
        return [_gain(codes[here, index], decisions[here], count, classes, whole) for index, count in enumerate(values)]

    def grown(rows: np.ndarray, tie: float) -> Tree:
        gains, best = gains_of(rows.tobytes()), 0
        for index, gain in enumerate(gains):
            if gain > gains[best] + tie:
                best = index
        if abs(gains[best]) < ZERO:
            return int(np.bincount(decisions[rows], minlength=classes).argmax())
        column = codes[rows, best]
        return best, {code: grown(rows[column == code], tie) for code in np.unique(column).tolist()}

    return [grown(np.arange(len(decisions)), tie) for tie in ties]


def right(grown: Tree, codes: np.ndarray, decisions: np.ndarray) -> int:
    """Rows classified correctly; a value without training rows predicts nothing."""
    count = 0
    for row, decision in zip(codes.tolist(), decisions.tolist(), strict=True):
        node = grown
        while isinstance(node, tuple):
            node = node[1].get(row[node[0]])
        count += node == decision
    return count


def _gain(column: np.ndarray, decisions: np.ndarray, values: int, classes: int, entropy: float) -> float:
    """The gain of an attribute on rows with this entropy."""
    gain, counts = entropy, np.bincount(column * classes + decisions, minlength=values * classes)
    for part in counts.reshape(values, classes).tolist():
        if sum(part):
            gain -= sum(part) / len(decisions) * _entropy(part, sum(part))
    return gain


def _entropy(counts: list[int], size: int) -> float:
    entropy = 0.0
    for count in counts:
        if count:
            entropy -= count * (math.log(count) / LOG_2)
    return entropy / size + math.log(size) / LOG_2
