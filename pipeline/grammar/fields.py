"""Fields of a grid whose types say which keys of the configuration they are, what these may hold, and how runs keep it.

A field is `depths: Annotated[tuple[int, ...], each(within(1, 20)), DISTINCT]`, or of a type of `pipeline.grammar.keys`.
Functions of a key of one's own stand outside the class: those written in an annotation do not see the module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, make_dataclass
from dataclasses import field as dataclass_field
from dataclasses import fields as dataclass_fields
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from omegaconf import MISSING

from pipeline.configuration.rules import DISTINCT, ONCE, Rule, at_least, each, lists, more_than, one_of, within
from pipeline.configuration.settings import Settings

if TYPE_CHECKING:
    from pipeline.data.sources import Place
    from pipeline.discovery import Places

__all__ = [
    "DISTINCT",
    "ONCE",
    "Called",
    "Field",
    "Key",
    "Rule",
    "at_least",
    "each",
    "fields_of",
    "more_than",
    "one_of",
    "put",
    "settings_of",
    "taken",
    "within",
]


@dataclass(frozen=True)
class Called:
    """What the configuration and the records of runs call a field that has another name here."""

    name: str


@dataclass(frozen=True)
class Key:
    """How a field is had from the configuration, kept in the record of a run, and read back.

    keys     : of the configuration that it takes, each with its type there
    of       : its value in a configuration; ConfigError where there can be no such value
    back     : the value that a record keeps, its data found at a place
    identity : what of a value can change a number, as JSON values
    late     : what is later than others is had after them, so that what is cheap is checked first
    kept     : what records call the field where that is not its name; with a point, a name within another
    """

    keys: Mapping[str, Any]
    of: Callable[[Any, Places], Any]
    back: Callable[[Any, Place], Any]
    identity: Callable[[Any], Any] = lambda value: value.identity()
    late: int = 0
    kept: str | None = None


def _plain(name: str, kind: Any, about: list[Any]) -> Key:
    """The key of a number, a text, true or false, nothing, or a list of such."""
    key = next((one.name for one in about if isinstance(one, Called)), name)
    null = NoneType in get_args(kind)

    def of(config: Any, _: Places) -> Any:
        value = _tuples(getattr(config, key))
        for rule in about:
            if isinstance(rule, Rule) and not (null and value is None):
                rule.check(key, value, null=null)
        return value

    return Key({key: _of_configuration(kind)}, of, lambda kept, _: _tuples(kept), lists, kept=key)


@dataclass(frozen=True)
class Field:
    """A field with the key that it is.

    of_rows : whether it can change a row, so that the identity of a run has it
    """

    name: str
    key: Key
    of_rows: bool

    @property
    def kept(self) -> str:
        """What records call it."""
        return self.key.kept or self.name


@cache
def fields_of(cls: type[Any]) -> tuple[Field, ...]:
    """The fields of a dataclass that are keys.

    One that is not compared changes no row, and is a key only where its type is Annotated.
    """
    hints, found = get_type_hints(cls, include_extras=True), []
    for one in dataclass_fields(cls):
        hint = hints[one.name]
        kind, *about = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        if one.compare or about:
            key = next((part for part in about if isinstance(part, Key)), None)
            found.append(Field(one.name, key or _plain(one.name, kind, about), one.compare))
    return tuple(found)


@cache
def settings_of(cls: type[Any]) -> type[Settings]:
    """The class of the configuration of a grid, made of its fields."""
    kinds = {key: kind for one in fields_of(cls) for key, kind in one.key.keys.items()}  # type: ignore[arg-type]
    known = {one.name for one in dataclass_fields(Settings)}
    made = [(key, kind, dataclass_field(default=MISSING)) for key, kind in kinds.items() if key not in known]
    found = make_dataclass(cls.__name__.removesuffix("Grid"), made, bases=(Settings,))
    found.__module__, found.__doc__ = cls.__module__, cls.__doc__
    return found


def put(identity: dict[str, Any], path: str, value: Any) -> None:
    """Have a value under a name of an identity, or within what has the name before the point; mappings are joined."""
    name, _, within_it = path.partition(".")
    if within_it:
        put(identity.setdefault(name, {}), within_it, value)
    else:
        identity[name] = identity[name] | value if isinstance(identity.get(name), dict) else value


def taken(identity: Mapping[str, Any], path: str) -> Any:
    """The value that `put` had under this name; of mappings that were joined the whole."""
    for name in path.split("."):
        identity = identity[name]
    return identity


def _of_configuration(kind: Any) -> Any:
    """The type that a configuration has for a type of a field: lists for tuples."""
    if get_origin(kind) is tuple:
        return list[_of_configuration(get_args(kind)[0])]  # type: ignore[misc]
    if get_origin(kind) is Literal:
        return str
    if get_origin(kind) in {Union, UnionType}:
        return Union[tuple(_of_configuration(one) for one in get_args(kind))]  # noqa: UP007 - of types held in a list
    return kind


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list | tuple) else value
