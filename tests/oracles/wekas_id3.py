"""Weka 3.6's Id3 in its own arithmetic: doubles added up in its order, so that they round as in Java.

Weka takes the greatest gain as it is rounded, and so lets rounding decide between attributes that gain the same. With
`tie` above 0 the first of those counts instead. Trees are those of `tests.oracles.brute_force`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tests.oracles.brute_force import Tree

ZERO = 1e-6
LOG_2 = math.log(2)


def tree(codes: np.ndarray, decisions: np.ndarray, values: Sequence[int], classes: int, tie: float = 0.0) -> Tree:
    gains = [_gain(codes[:, index], decisions, count, classes) for index, count in enumerate(values)]
    best = 0
    for index, gain in enumerate(gains):
        if gain > gains[best] + tie:
            best = index
    if abs(gains[best]) < ZERO:
        return int(np.bincount(decisions, minlength=classes).argmax())
    below = {}
    for code in np.unique(codes[:, best]).tolist():
        rows = codes[:, best] == code
        below[code] = tree(codes[rows], decisions[rows], values, classes, tie)
    return best, below


def right(grown: Tree, codes: np.ndarray, decisions: np.ndarray) -> int:
    """Rows classified correctly; a value without training rows predicts nothing."""
    count = 0
    for row, decision in zip(codes.tolist(), decisions.tolist(), strict=True):
        node = grown
        while isinstance(node, tuple):
            node = node[1].get(row[node[0]])
        count += node == decision
    return count


def _gain(column: np.ndarray, decisions: np.ndarray, values: int, classes: int) -> float:
    gain = _entropy(np.bincount(decisions, minlength=classes).tolist(), len(decisions))
    counts = np.zeros((values, classes), int)
    np.add.at(counts, (column, decisions), 1)
    for part in counts.tolist():
        if sum(part):
            gain -= sum(part) / len(decisions) * _entropy(part, sum(part))
    return gain


def _entropy(counts: list[int], size: int) -> float:
    entropy = 0.0
    for count in counts:
        if count:
            entropy -= count * (math.log(count) / LOG_2)
    return entropy / size + math.log(size) / LOG_2
