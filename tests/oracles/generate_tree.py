"""GenerateTree as the document prints it, slow and plain: rows as lists, impurities as exact fractions where they are.

A tree is a decision, or (attribute, {branch: tree}); a branch is a code, or (lower, upper): the numbers of the node on
either side of the cut, with the place 0 or 1.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import log2
from typing import Any

Row = tuple[list[Any], int, Fraction]  # values, class, weight


def impurity(rows: list[Row], name: str) -> Any:
    size = sum(weight for _, _, weight in rows)
    shares = [share / size for share in class_weights(rows).values()]
    if name == "misclassification":
        return 1 - max(shares)
    if name == "gini":
        return 1 - sum(share**2 for share in shares)
    return -sum(float(share) * log2(share) for share in shares)


def class_weights(rows: list[Row]) -> Counter[int]:
    weights: Counter[int] = Counter()
    for _, label, weight in rows:
        weights[label] += weight  # type: ignore[assignment]
    return weights


def splits(rows: list[Row], attribute: int, numeric: bool) -> list[dict[Any, list[Row]]]:
    """Every split that the document allows of the rows by this attribute."""
    known = sorted({values[attribute] for values, _, _ in rows})
    if len(known) < 2:
        return []
    if not numeric:
        return [{code: [row for row in rows if row[0][attribute] == code] for code in known}]
    result = []
    for lower, upper in pairwise(known):
        at_cut = {label for values, label, _ in rows if values[attribute] in {lower, upper}}
        if len(at_cut) > 1:
            result.append(
                {
                    (lower, upper, 0): [row for row in rows if row[0][attribute] <= lower],
                    (lower, upper, 1): [row for row in rows if row[0][attribute] >= upper],
                }
            )
    return result


def tree(
    rows: list[Row],
    numeric: list[bool],
    name: str,
    threshold: float = 0,
    penalty: float = 0,
    least_weight: float = 0,
) -> Any:
    weights = class_weights(rows)
    answer = min(label for label, weight in weights.items() if weight == max(weights.values()))
    size, own = sum(weights.values()), impurity(rows, name)
    if len(weights) == 1 or own <= threshold or size < least_weight:
        return answer
    best = None
    for attribute, is_numeric in enumerate(numeric):
        for split in splits(rows, attribute, is_numeric):
            after = sum(sum(w for _, _, w in part) * impurity(part, name) for part in split.values()) / size
            after += penalty * log2(len(split)) if penalty else 0
            if best is None or after < best[0] - Fraction(1, 10**9) * own:
                best = after, attribute, split
    if best is None:
        return answer
    _, attribute, split = best
    return attribute, {
        branch: tree(part, numeric, name, threshold, penalty, least_weight) for branch, part in split.items()
    }
