"""Options of what evolves, checked: the messages name the option, what was expected and what was found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

__all__ = ["check_choice", "check_number", "check_whole"]


def check_whole(name: str, value: Any, least: int, most: float = math.inf) -> int:
    """The value as Python's own number, as sums of numpy's small ones overflow; ValueError if it is out of range."""
    if not isinstance(value, Integral) or isinstance(value, bool) or not least <= int(value) <= most:
        upto = "" if most == math.inf else f" to {most}"
        msg = f"{name} is {value!r}: expected a whole number from {least}{upto}"
        raise ValueError(msg)
    return int(value)


def check_number(name: str, value: Any, most: float) -> float:
    """The value as Python's own number; ValueError unless it is a finite one from 0 to `most`."""
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= float(value) <= most or value == math.inf:
        upto = "a finite number from 0" if most == math.inf else f"a number from 0 to {most}"
        msg = f"{name} is {value!r}: expected {upto}"
        raise ValueError(msg)
    return float(value)


def check_choice(name: str, value: Any, allowed: Sequence[str]) -> None:
    """Raise ValueError unless the value is one of those allowed."""
    if value not in allowed:
        msg = f"{name} is {value!r}: expected {' or '.join(map(repr, allowed))}"
        raise ValueError(msg)
