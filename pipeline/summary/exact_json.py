"""Convert dataclasses to strict JSON and back, or read them from YAML. Values must have exact types; misfits are named.

Floats are written with as many digits as distinguish them. A float that is not finite is an object, such as
`{"float": "nan"}`, since JSON has no number for it.
"""

from __future__ import annotations

import json
import math
import types
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from reprlib import Repr
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

__all__ = ["MisfitError", "built", "decoded", "encoded", "fitting"]

Read = Callable[[Any], Any]
Kind = TypeVar("Kind")

LARGEST = 2**127
"""Above any whole number in a table: those of DuckDB have 128 bits."""
NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
SHOWN = Repr()
SHOWN.maxstring = SHOWN.maxother = 60
LONGEST_NAME = 60
NAMES = {str: "a text", bool: "true or false", int: "a whole number", float: "a number", type(None): "null"}


class MisfitError(ValueError):
    """A JSON value does not fit; the message says where.

    place : path of the value, such as `.tables[3].rows`
    """

    def __init__(self, found: object, expected: str, place: str = "") -> None:
        super().__init__(found, expected, place)
        self.found, self.expected, self.place = found, expected, place

    def __str__(self) -> str:
        """Where the value is, what was expected and what was found."""
        return f"{self.place.lstrip('.') or 'the file'} is {SHOWN.repr(self.found)}: expected {self.expected}"


def encoded(value: object) -> str:
    """A dataclass and everything it contains as one line of ASCII.

    Raises TypeError: it contains a value that JSON cannot represent.
    """
    return json.dumps(_plain(value), allow_nan=False, separators=(",", ":"))


def decoded(kind: type[Kind], text: str | bytes) -> Kind:
    """Read a dataclass of this type from `encoded`, which must have all fields.

    Raises MisfitError: the text is not JSON, or does not fit the type.
    """
    try:
        found = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise MisfitError(text, f"JSON ({error})") from error
    return built(kind, found, whole=True)


def built(kind: type[Kind], found: object, *, whole: bool = False) -> Kind:
    """Make a dataclass of this type from parsed JSON or YAML.

    Its fields may be of type `str`, `bool`, `int`, `float`, None, unions of these, `Sequence`, `list`, `tuple`,
    `Mapping` and `dict` with texts as keys, dataclasses, and `Any`.

    whole : whether fields with a default must be present, too

    Raises MisfitError: a field is missing or unknown, a value has another type, or a dataclass refuses its values.
    """
    hint: Any = kind
    value: Kind = _reader(hint, whole)(found)
    return value


def fitting(kind: type[Any], text: str | bytes) -> dict[str, Any]:
    """The entries of a JSON object that fit fields of a dataclass, by name; empty if the text is no such object.

    Other entries are left out: the file may be damaged or someone else's.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    given = found if isinstance(found, dict) else {}
    kept = {}
    for name, hint in get_type_hints(kind).items():
        with suppress(MisfitError, KeyError):
            kept[name] = _reader(hint, True)(given[name])
    return kept


def _no_constant(name: str) -> object:
    msg = f"{name} is not a JSON number"
    raise ValueError(msg)


def _plain(value: Any) -> Any:
    """Make a value from parsed JSON."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(float(value))}
    if value is None or isinstance(value, str | int | float):
        return value
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
def _reader(hint: Hashable, whole: bool) -> Read:
    """The function that makes a value of a type."""
    if hint is Any:
        return lambda found: found
    if isinstance(hint, type) and is_dataclass(hint):
        return _dataclass(hint, whole)
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (tuple, list, Sequence):
        size = None if origin is not tuple or inner[-1] is Ellipsis else len(inner)
        return _sequence(_reader(inner[0], whole), size)
    if origin in (dict, Mapping):
        return _mapping(_reader(inner[1], whole))
    return _value(inner if origin in (Union, types.UnionType) else (hint,), whole)


def _value(kinds: tuple[Any, ...], whole: bool) -> Read:
    """The function that accepts a value of one of these plain types, or of the one type that is not plain."""
    plain = {one for one in kinds if one in NAMES}
    other = next((_reader(one, whole) for one in kinds if one not in plain), None)
    expected = " or ".join(name for one, name in NAMES.items() if one in plain)

    def read(found: Any) -> Any:
        kind = type(found)
        if kind in plain:
            if (kind is float and not math.isfinite(found)) or (kind is int and abs(found) >= LARGEST):
                raise MisfitError(found, "a number of less digits")
            return found
        if float in plain and kind is dict and list(found) == ["float"] and found["float"] in list(NOT_FINITE):
            return NOT_FINITE[found["float"]]
        if other is None:
            raise MisfitError(found, expected)
        return other(found)

    return read


def _items(place: str, entries: Iterable[tuple[object, Read, Any]]) -> Iterator[Any]:
    """Read each entry; one that does not fit is named by its position."""
    for name, read, found in entries:
        try:
            yield read(found)
        except MisfitError as error:
            here = place.format(str(name)[:LONGEST_NAME])
            raise MisfitError(error.found, error.expected, here + error.place) from error


def _sequence(read: Read, size: int | None) -> Read:
    expected = "a list" if size is None else f"a list of {size}"

    def read_all(found: Any) -> tuple[Any, ...]:
        if type(found) is not list or (size is not None and len(found) != size):
            raise MisfitError(found, expected)
        return tuple(_items("[{}]", ((index, read, one) for index, one in enumerate(found))))

    return read_all


def _mapping(read: Read) -> Read:
    def read_all(found: Any) -> dict[str, Any]:
        if type(found) is not dict:
            raise MisfitError(found, "an object")
        return dict(
            zip(map(str, found), _items(".{}", ((name, read, one) for name, one in found.items())), strict=True)
        )

    return read_all


def _dataclass(kind: type[Any], whole: bool) -> Read:
    hints = get_type_hints(kind)
    readers = {field.name: _reader(hints[field.name], whole) for field in fields(kind)}
    needed = {one.name for one in fields(kind) if whole or (one.default is MISSING and one.default_factory is MISSING)}
    expected = f"an object of {', '.join(readers)}"

    def read(found: Any) -> Any:
        if type(found) is not dict:
            raise MisfitError(found, expected)
        for odd, how in ((found.keys() - readers.keys(), "without"), (needed - found.keys(), "with")):
            if odd:
                raise MisfitError(found, f"{expected}, {how} {min(map(str, odd))[:LONGEST_NAME]!r}")
        values = zip(found, _items(".{}", ((name, readers[name], one) for name, one in found.items())), strict=True)
        try:
            return kind(**dict(values))
        except MisfitError:
            raise
        except ValueError as error:
            raise MisfitError(found, f"what holds together ({error})") from error

    return read
