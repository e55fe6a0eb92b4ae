"""Fayyad and Irani's discretisation as it is defined: every cut tried, entropies compared exactly."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

Pairs = list[tuple[float, int]]

CLOSE = 1e-9


class TooCloseError(Exception):
    """Gain and price agree to within rounding: floating point cannot say which is greater."""


def cuts(values: Sequence[float], classes: Sequence[int]) -> list[tuple[float, float]]:
    """The accepted cuts in increasing order, each as the two values that it lies between."""
    return _cuts(sorted(zip(values, classes, strict=True)))


def _cuts(pairs: Pairs) -> list[tuple[float, float]]:
    distinct = sorted({value for value, _ in pairs})
    if len(distinct) < 2:
        return []
    best, least = 0.0, None
    for lower in distinct[:-1]:
        parts = [pair for pair in pairs if pair[0] <= lower], [pair for pair in pairs if pair[0] > lower]
        within = _power(parts[0]) * _power(parts[1])
        if least is None or within < least:
            best, least = lower, within
    left, right = [pair for pair in pairs if pair[0] <= best], [pair for pair in pairs if pair[0] > best]
    n, k = len(pairs), _classes(pairs)
    gain = _entropy(pairs) - len(left) / n * _entropy(left) - len(right) / n * _entropy(right)
    delta = math.log2(3**k - 2) - (
        k * _entropy(pairs) - _classes(left) * _entropy(left) - _classes(right) * _entropy(right)
    )
    price = math.log2(n - 1) / n + delta / n
    if abs(gain - price) < CLOSE:
        raise TooCloseError
    if gain < price:
        return []
    return [*_cuts(left), (best, right[0][0]), *_cuts(right)]


def _power(pairs: Pairs) -> Fraction:
    """2 to the number of values times their class entropy, which is n^n / prod c^c: a ratio of whole numbers."""
    counts = Counter(label for _, label in pairs)
    return Fraction(len(pairs) ** len(pairs), math.prod(count**count for count in counts.values()))


def _classes(pairs: Pairs) -> int:
    return len({label for _, label in pairs})


def _entropy(pairs: Pairs) -> float:
    counts = Counter(label for _, label in pairs)
    return -sum(count / len(pairs) * math.log2(count / len(pairs)) for count in counts.values())
