"""Parameters of estimators and functions: declared once, checked by one function.

A declaration has the form of scikit-learn's `_parameter_constraints`: for each parameter a list of what is allowed.
scikit-learn's classes for this are private and accept True as a whole number. Messages name the parameter, its value
and what is allowed. Estimators declare their parameters by annotations, such as `Annotated[int, Whole(1)] | None`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from numbers import Integral, Rational, Real
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin

import numpy as np

__all__ = ["ParameterError"]

T = TypeVar("T")

MOST_WHOLE, MOST_NUMBER = 10**9, 1e300
"""Limits of numbers whose sums and products do not overflow."""

LARGEST = 2**63 - 1
"""The largest integer of a kernel's counter."""


class ParameterError(ValueError, TypeError):
    """A parameter has a wrong type or is out of its range; the message says what is allowed."""


@dataclass(frozen=True)
class Whole:
    """A whole number, from `least` to `most`; True and 1.0 are not whole numbers."""

    least: int
    most: int = LARGEST

    def allows(self, value: Any) -> bool:
        """Whether the value is allowed."""
        whole = type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))
        return whole and self.least <= int(value) <= self.most

    def __str__(self) -> str:
        if self.most == LARGEST:
            return f"a whole number of {self.least} or more"
        power = (self.most + 1).bit_length() - 1
        most = f"2**{power} - 1" if self.most > MOST_WHOLE and self.most + 1 == 1 << power else self.most
        return f"a whole number from {self.least} to {most}"


@dataclass(frozen=True)
class Number:
    """A number from `least` to `most`; `closed` says which ends are allowed, as in scikit-learn; `what` names it."""

    least: float
    most: float = np.inf
    closed: Literal["both", "left", "right", "neither"] = "both"
    what: str = "number"

    def allows(self, value: Any) -> bool:
        """Whether the value is allowed."""
        if type(value) is not float and (not isinstance(value, Real) or isinstance(value, bool)):
            return False
        exact, value = isinstance(value, Rational), cast("float", value)
        if exact and abs(value) > sys.float_info.max:
            return False
        if not self.least <= value <= self.most:
            return False
        return (self.closed in {"both", "left"} or value > self.least) and (
            self.closed in {"both", "right"} or value < self.most
        )

    def __str__(self) -> str:
        if self.most == np.inf:
            finite = "finite " if self.closed in {"left", "neither"} else ""
            least = f"of {self.least:g} or more" if self.closed in {"both", "left"} else f"above {self.least:g}"
            return f"a {finite}{self.what} {least}"
        first = {"both": "from", "left": "at least"}.get(self.closed, "above")
        last = {"both": "to", "right": "and at most"}.get(self.closed, "and below")
        # "a share of the rows above 0" could mean a share of some rows
        comma = "," if " " in self.what or self.closed == "left" else ""
        return f"a {self.what}{comma} {first} {self.least:g} {last} {self.most:g}"


@dataclass(frozen=True)
class Choice:
    """One of several texts."""

    texts: tuple[str, ...]

    def allows(self, value: Any) -> bool:
        """Whether the value is allowed."""
        return isinstance(value, str) and value in self.texts

    def __str__(self) -> str:
        return f"one of {', '.join(self.texts)}" if len(self.texts) > 1 else f'"{self.texts[0]}"'


@dataclass(frozen=True)
class Columns:
    """A list of names or positions of columns, or a mask; whether X has them is checked when X is read."""

    def allows(self, value: Any) -> bool:
        """Whether the value is allowed."""
        listed = isinstance(value, Collection) and not isinstance(value, str | bytes | Mapping)
        return listed and getattr(value, "ndim", 1) == 1

    def __str__(self) -> str:
        return "a list of names or positions of columns, or a mask of all columns"


Constraint = Whole | Number | Choice | Columns | type[Any] | None
Constraints = dict[str, Sequence[Constraint]]
"""The allowed values of each parameter. A class allows its instances, `bool` allows True and False."""

RANDOM_STATE: tuple[Constraint, ...] = (Whole(0, 2**32 - 1), np.random.RandomState, None)
"""What scikit-learn's `check_random_state` accepts."""


def declared(hint: Any) -> Sequence[Constraint]:
    """The constraints of an annotation: those in Annotated, the texts of a Literal, None, and instances of a class.

    Empty for annotations without constraints, such as int, float and str.
    """
    if get_origin(hint) is Annotated:
        metadata = hint.__metadata__
        return metadata[0] if isinstance(metadata[0], Sequence) else metadata
    if get_origin(hint) in {Union, UnionType}:
        parts = [declared(part) for part in get_args(hint)]
        return [constraint for part in parts for constraint in part] if all(parts) else []
    if get_origin(hint) is Literal:
        return [Choice(get_args(hint))]
    if hint is NoneType:
        return [None]
    return [hint] if isinstance(hint, type) and hint not in {int, float, str} else []


def check_parameters(constraints: Constraints, parameters: Mapping[str, Any]) -> None:
    """Raise ParameterError for the first parameter that its declaration does not allow."""
    for name, value in parameters.items():
        _check(name, value, constraints[name], ParameterError)


def check_whole(name: str, value: Any, least: int, most: int = MOST_WHOLE) -> int:
    """The value as an int of Python, because numpy's small types overflow; ParameterError if it is out of range."""
    _check(name, value, (Whole(least, most),), ParameterError)
    return int(value)


def check_choice(name: str, value: Any, allowed: Iterable[str], error: type[ValueError] = ParameterError) -> None:
    """Raise the error unless the value is allowed."""
    _check(name, value, (Choice(tuple(allowed)),), error)


def check_type(name: str, value: Any, kind: type[Any], how: str) -> None:
    """Raise TypeError unless the value is of a type; `how` is the call that makes one."""
    if not isinstance(value, kind):
        raise TypeError(f"`{name}` is of type {type(value).__name__}: expected {_article(kind)}, which {how} returns")


def made_by(how: str) -> Callable[[type[T]], type[T]]:
    """Decorate a class that users do not construct: the TypeError of a wrong call says `how` to get an instance."""

    def decorated(kind: type[T]) -> type[T]:
        construct: Callable[..., None] = kind.__init__

        @wraps(construct)
        def __init__(self: T, *args: Any, **options: Any) -> None:  # noqa: N807
            try:
                construct(self, *args, **options)
            except TypeError as error:
                raise TypeError(f"{error}; call {how} to get {_article(kind)}") from error

        kind.__init__ = __init__  # type: ignore[method-assign,assignment]
        return kind

    return decorated


def _check(name: str, value: Any, allowed: Sequence[Constraint], error: type[ValueError]) -> None:
    for constraint in allowed:
        if _allows(constraint, value):
            return
    raise error(f"{name} is {value!r}: expected {', or '.join(map(_text, allowed))}")


def _allows(constraint: Constraint, value: Any) -> bool:
    if constraint is None:
        return value is None
    if isinstance(constraint, type):
        return isinstance(value, constraint) or (constraint is bool and isinstance(value, np.bool_))
    return constraint.allows(value)


def _text(constraint: Constraint) -> str:
    if constraint is None or constraint is bool:
        return "True or False" if constraint else "None"
    if isinstance(constraint, type):
        return _article(constraint) if constraint.__module__ != "collections.abc" else "a dict"
    return str(constraint)


def _article(kind: type[Any]) -> str:
    return f"{'an' if kind.__name__.startswith((*'AEIOU', 'ndarray')) else 'a'} {kind.__name__}"
