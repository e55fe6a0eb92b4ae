"""Pessimistic errors of one leaf, by C4.5 (Quinlan 1993, chapter 4) as Weka's J48 computes them."""

from math import sqrt
from typing import Any, NamedTuple

from algorithms._numba.decorators import inner, outer


class Confidence(NamedTuple):
    """The confidence factor, and the standard normal deviate that is exceeded with this probability."""

    factor: Any
    deviate: Any


@outer
def added_errors_of_leaf(total, errors, confidence):
    """The upper confidence limit of the errors of a leaf, less its errors; `total` is the weight of its rows."""
    if errors < 1:
        without_errors = total * (1 - confidence.factor ** (1 / total))
        if errors == 0:
            return without_errors
        with_one_error = max(total - 1, 0.0)
        if total > 1.5:
            with_one_error = _normal_limit(total, 1.0, confidence.deviate)
        return without_errors + errors * (with_one_error - without_errors)
    if errors + 0.5 >= total:
        return max(total - errors, 0.0)
    return _normal_limit(total, errors, confidence.deviate)


@inner
def _normal_limit(total, errors, z):
    """The limit by the normal approximation: Wilson's score limit with a continuity correction, less `errors`."""
    f = (errors + 0.5) / total
    root = sqrt(f / total - f * f / total + z * z / (4 * total * total))
    return (f + z * z / (2 * total) + z * root) / (1 + z * z / total) * total - errors
