"""Dataclasses as strict JSON and back: every value with its exact type, and whatever does not fit named by its place.

Floats are written with as many digits as tell them apart. One that is not finite is an object, such as
`{"float": "nan"}`, since JSON has no number for it.
"""

from __future__ import annotations

import json
import math
import types
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from reprlib import Repr
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

__all__ = ["MisfitError", "decoded", "encoded"]

Decode = Callable[[Any], Any]
Kind = TypeVar("Kind")

LARGEST = 2**127
"""Beyond any whole number that a table can have: those of DuckDB have 128 bits."""
NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
SHOWN = Repr()
SHOWN.maxstring = SHOWN.maxother = 60
LONGEST_NAME = 60


class MisfitError(ValueError):
    """What a file of JSON holds that it should not, and where.

    place : such as `.tables[3].rows`
    """

    def __init__(self, found: object, expected: str, place: str = "") -> None:
        super().__init__(found, expected, place)
        self.found, self.expected, self.place = found, expected, place

    def __str__(self) -> str:
        """Where it is, what was expected there and what was found."""
        return f"{self.place.lstrip('.') or 'the file'} is {SHOWN.repr(self.found)}: expected {self.expected}"


def encoded(value: object) -> str:
    """A dataclass with all that it holds as one line of ASCII.

    Raises
    ------
    TypeError
        It holds what JSON does not have.
    """
    return json.dumps(_plain(value), allow_nan=False, separators=(",", ":"))


def decoded(kind: type[Kind], text: str | bytes) -> Kind:
    """The dataclass of a kind that was written as `encoded`.

    Its fields are of `str`, `bool`, `int`, `float`, None, unions of these, `Sequence`, `tuple[…, ...]`, `Mapping` and
    `dict` with texts as keys, dataclasses, and `Any`, which stands for any JSON.

    Raises
    ------
    MisfitError
        The text is no JSON; a field lacks or is not known; a value has another type; or a dataclass refuses its values.
    """
    try:
        found = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise MisfitError(text, f"JSON ({error})") from error
    hint: Any = kind
    value: Kind = _decode(hint)(found)
    return value


def _below(error: MisfitError, place: str) -> MisfitError:
    """The same, seen from what holds it at a place."""
    return MisfitError(error.found, error.expected, place + error.place)


def _no_constant(name: str) -> object:
    msg = f"{name} is no number of JSON"
    raise ValueError(msg)


def _plain(value: Any) -> Any:
    """The value made of what JSON has."""
    if value is None or isinstance(value, bool):
        return value
    for kind in (str, int):
        if isinstance(value, kind):
            return kind(value)  # of a kind that is derived from it
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"float": repr(float(value))}
    return _plain_items(value)


def _plain_items(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, Iterable):
        return [_plain(one) for one in value]
    if hasattr(value, "item"):  # a number of NumPy's
        return _plain(value.item())
    msg = f"{value!r} is of {type(value).__name__}, which JSON does not have"
    raise TypeError(msg)


@cache
def _decode(hint: Hashable) -> Decode:
    """What makes a value of a type from JSON."""
    if hint is Any:
        return lambda found: found
    if isinstance(hint, type) and is_dataclass(hint):
        return _dataclass(hint)
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (tuple, Sequence):
        return _sequence(_decode(inner[0]))
    if origin in (dict, Mapping):
        return _mapping(_decode(inner[1]))
    return _value(inner if origin in (Union, types.UnionType) else (hint,))


def _value(kinds: tuple[Any, ...]) -> Decode:
    """What accepts a value of one of these plain types, or of one of these and no other."""
    plain = {one for one in kinds if one in (str, bool, int, float, type(None))}
    others = [_decode(one) for one in kinds if one not in plain]
    expected = " or ".join(sorted("null" if one is type(None) else one.__name__ for one in plain))

    def read(found: Any) -> Any:
        kind = type(found)
        if kind in plain:
            if (kind is float and not math.isfinite(found)) or (kind is int and abs(found) >= LARGEST):
                raise MisfitError(found, "a number of less digits")
            return found
        if float in plain and kind is dict and list(found) == ["float"] and found["float"] in list(NOT_FINITE):
            return NOT_FINITE[found["float"]]
        for other in others:
            return other(found)
        raise MisfitError(expected, found)

    return read


def _sequence(read: Decode) -> Decode:
    def read_all(found: Any) -> tuple[Any, ...]:
        if type(found) is not list:
            raise MisfitError(found, "a list")
        values: list[Any] = []
        try:
            for one in found:
                values.append(read(one))  # noqa: PERF401 - how many there are tells which does not fit
        except MisfitError as error:
            raise _below(error, f"[{len(values)}]") from error
        return tuple(values)

    return read_all


def _mapping(read: Decode) -> Decode:
    def read_all(found: Any) -> dict[str, Any]:
        if type(found) is not dict:
            raise MisfitError(found, "an object")
        values: dict[str, Any] = {}
        for name, one in found.items():
            try:
                values[name] = read(one)
            except MisfitError as error:
                raise _below(error, f".{name[:LONGEST_NAME]}") from error
        return values

    return read_all


def _dataclass(kind: type[Any]) -> Decode:
    hints = get_type_hints(kind)
    readers = {field.name: _decode(hints[field.name]) for field in fields(kind)}

    def read(found: Any) -> Any:
        if type(found) is not dict or set(found) != set(readers):
            raise MisfitError(found, f"an object of {', '.join(readers)}")
        values: dict[str, Any] = {}
        for name, one in found.items():
            try:
                values[name] = readers[name](one)
            except MisfitError as error:
                raise _below(error, f".{name}") from error
        try:
            return kind(**values)
        except MisfitError:
            raise
        except ValueError as error:
            raise MisfitError(found, f"what holds together ({error})") from error

    return read
