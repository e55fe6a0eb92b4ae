"""Checks of options. Their messages name the option, what was found and what was expected."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

__all__ = ["check_choice", "check_number", "check_whole"]

MOST_WHOLE, MOST_NUMBER = 10**9, 1e300
"""Beyond, sums and products of them need not be numbers."""


def check_whole(name: str, value: Any, least: int, most: int = MOST_WHOLE) -> int:
    """The value as Python's own number, as sums of numpy's small ones overflow; ValueError if it is out of range."""
    if not isinstance(value, Integral) or isinstance(value, bool) or not least <= int(value) <= most:
        msg = f"{name} is {value!r}: expected a whole number from {least} to {most}"
        raise ValueError(msg)
    return int(value)


def check_number(name: str, value: Any, most: float = MOST_NUMBER) -> float:
    """The value as Python's own number; ValueError unless it is one from 0 to `most`."""
    real = isinstance(value, Real) and not isinstance(value, bool)
    if not real or not 0 <= value <= most:
        msg = f"{name} is {value!r}: expected a number from 0 to {most:g}"
        raise ValueError(msg)
    return float(value)


def check_choice(name: str, value: Any, allowed: Iterable[str], error: type[ValueError] = ValueError) -> None:
    """Raise the error unless the value is one of those allowed."""
    choices = tuple(allowed)
    if value not in choices:
        msg = f"{name} is {value!r}: expected one of {', '.join(choices)}"
        raise error(msg)
