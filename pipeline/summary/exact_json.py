"""Convert dataclasses to strict JSON and back, or read them from YAML. Values must have exact types; misfits are named.

Floats are written with as many digits as distinguish them. A float that is not finite is an object, such as
`{"float": "nan"}`, since JSON has no number for it.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import types
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from reprlib import Repr
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from pipeline.errors import did_you_mean

Read = Callable[[Any], Any]
Kind = TypeVar("Kind")

SEAL = re.compile(rb',"digest":"([0-9a-f]{32})"}\s*\Z')
"""The end of a file: the digest of the rest of it."""
LARGEST = 2**127
"""Above any whole number in a table: those of DuckDB have 128 bits."""
NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
SHOWN = Repr()
SHOWN.maxstring = SHOWN.maxother = 60
LONGEST_NAME = 60
NAMES = {str: "a text", bool: "true or false", int: "a whole number", float: "a number", type(None): "null"}


class MisfitError(ValueError):
    """A JSON value does not fit; the message says where.

    path : where the value is, such as `.tables[3].rows`
    """

    def __init__(self, found: object, expected: str, path: str = "") -> None:
        super().__init__(found, expected, path)
        self.found, self.expected, self.path = found, expected, path

    def __str__(self) -> str:
        """Where the value is, what was expected and what was found."""
        return f"{self.path.lstrip('.') or 'the file'} is {SHOWN.repr(self.found)}: expected {self.expected}"


def encoded(value: object) -> str:
    """A dataclass and everything it contains as one line of ASCII.

    Raises TypeError: it contains a value that JSON cannot represent.
    """
    return json.dumps(_plain(value), allow_nan=False, separators=(",", ":"))


def sealed(value: object) -> bytes:
    """The content of a file with a dataclass as by `encoded`, and a last key: the digest of the rest."""
    content = encoded(value).encode()
    return content[:-1] + f',"digest":"{_digest(content)}"}}'.encode()


def decoded(kind: type[Kind], content: bytes) -> Kind:
    """Read a dataclass of this type from a file that `sealed` or an earlier version, without a digest, has made.

    Raises MisfitError: the content has changed since, is not JSON, or does not fit the type. All fields must be there.
    """
    if seal := SEAL.search(content):
        content = content[: seal.start()] + b"}"
        if _digest(content) != seal[1].decode():
            raise MisfitError(
                seal[1].decode(), "the digest of the other keys; the file has changed since it was written", ".digest"
            )
    try:
        parsed = json.loads(content, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise MisfitError(content, f"JSON ({error})") from error
    return built(kind, parsed, whole=True)


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def built(kind: type[Kind], parsed: object, *, whole: bool = False) -> Kind:
    """Make a dataclass of this type from parsed JSON or YAML.

    Its fields may be of type `str`, `bool`, `int`, `float`, None, unions of these, `Sequence`, `list`, `tuple`,
    `Mapping` and `dict` with texts as keys, dataclasses, and `Any`.

    whole : whether fields with a default must be present, too

    Raises MisfitError: a field is missing or unknown, a value has another type, or a dataclass refuses its values.
    """
    hint: Any = kind
    value: Kind = _reader(hint, whole)(parsed)
    return value


def parsed(kind: type[Kind], text: str | bytes) -> Kind | None:
    """Make a dataclass of this type from JSON; None if it does not fit: a file may be damaged or someone else's."""
    try:
        return built(kind, json.loads(text))
    except (ValueError, RecursionError):
        return None


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")


def _plain(value: Any) -> Any:
    """A value in the types that JSON has."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(float(value))}
    if value is None or isinstance(value, str | int | float):
        return value
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, Iterable):
        return [_plain(inner) for inner in value]
    if hasattr(value, "item"):  # a number of NumPy's
        return _plain(value.item())
    raise TypeError(f"{value!r} is of type {type(value).__name__}, which JSON does not have")


@cache
def _reader(hint: Hashable, whole: bool) -> Read:
    """The function that makes a value of a type from parsed JSON."""
    if hint is Any:
        return lambda value: value
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
    plain = {kind for kind in kinds if kind in NAMES}
    other = next((_reader(kind, whole) for kind in kinds if kind not in plain), None)
    expected = " or ".join(name for kind, name in NAMES.items() if kind in plain)

    def read(value: Any) -> Any:
        kind = type(value)
        if kind in plain:
            if (kind is float and not math.isfinite(value)) or (kind is int and abs(value) >= LARGEST):
                raise MisfitError(value, "a smaller number")
            return value
        if float in plain and kind is dict and list(value) == ["float"] and value["float"] in list(NOT_FINITE):
            return NOT_FINITE[value["float"]]
        if other is None:
            raise MisfitError(value, expected)
        return other(value)

    return read


def _items(path: str, entries: Iterable[tuple[object, Read, Any]]) -> Iterator[Any]:
    """Read each entry: a name, its reader and a value. If it does not fit, the error has its path, with the name."""
    for name, read, value in entries:
        try:
            yield read(value)
        except MisfitError as error:
            above = path.format(str(name)[:LONGEST_NAME])
            raise MisfitError(error.found, error.expected, above + error.path) from error


def _sequence(read: Read, size: int | None) -> Read:
    expected = "a list" if size is None else f"a list of {size}"

    def read_all(values: Any) -> tuple[Any, ...]:
        if type(values) is not list or (size is not None and len(values) != size):
            raise MisfitError(values, expected)
        return tuple(_items("[{}]", ((index, read, value) for index, value in enumerate(values))))

    return read_all


def _mapping(read: Read) -> Read:
    def read_all(values: Any) -> dict[str, Any]:
        if type(values) is not dict:
            raise MisfitError(values, "an object")
        items = _items(".{}", ((name, read, value) for name, value in values.items()))
        return dict(zip(map(str, values), items, strict=True))

    return read_all


def _dataclass(kind: type[Any], whole: bool) -> Read:
    hints = get_type_hints(kind)
    readers = {field.name: _reader(hints[field.name], whole) for field in fields(kind)}
    optional = {f.name for f in fields(kind) if f.default is not MISSING or f.default_factory is not MISSING}
    needed = readers.keys() if whole else readers.keys() - optional
    expected = f"an object with the keys {', '.join(readers)}"

    def read(values: Any) -> Any:
        if type(values) is not dict:
            raise MisfitError(values, expected)
        for odd, how in ((values.keys() - readers.keys(), "unknown"), (needed - values.keys(), "missing")):
            if odd:
                key = min(map(str, odd))[:LONGEST_NAME]
                hint = did_you_mean(key, readers) if how == "unknown" else ""
                raise MisfitError(values, f"{expected}; {how} key {key!r}{hint}")
        items = _items(".{}", ((name, readers[name], value) for name, value in values.items()))
        try:
            return kind(**dict(zip(values, items, strict=True)))
        except MisfitError:
            raise
        except ValueError as error:
            raise MisfitError(values, f"consistent values ({error})") from error

    return read
