"""Types of a grid's fields: which configuration keys a field reads, which values are allowed, and how runs record it.

Example: `depths: Annotated[tuple[int, ...], each(within(1, 20)), DISTINCT]`. Types that several grids use are defined
below: data sets, protocols, builders, heuristics, options of tables, memory. Define the functions of your own `Key`
outside the class, because functions in an annotation cannot see the names of the module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass, make_dataclass
from dataclasses import field as dataclass_field
from dataclasses import fields as dataclass_fields
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from algorithms.measures.impurity import IMPURITY_FUNCTIONS, ImpurityFunction, impurity_function
from pipeline.builders import Builder, builders_named
from pipeline.configuration.rules import DISTINCT, ONCE, Rule, at_least, each, lists, more_than, one_of, within
from pipeline.configuration.settings import MISSING, Data, ProtocolSettings, Settings, TableFromData
from pipeline.data.catalogue.column_choice import ColumnChoice
from pipeline.data.protocols import Protocol
from pipeline.data.sources import DataLocation, Source, sources_named
from pipeline.data.table_options import TableOptions
from pipeline.discovery import SearchPath
from pipeline.errors import ConfigError, no_choice
from pipeline.work.limits import MIB

__all__ = ["DISTINCT", "ONCE", "Rule", "at_least", "each", "more_than", "one_of", "within"]
"""The rules that grids import from here; names that are defined below need no list."""


@dataclass(frozen=True)
class Called:
    """The name of a field in the configuration and in records, if it differs from the field's own."""

    name: str


@dataclass(frozen=True)
class Key:
    """How a field is read from the configuration, recorded with a run, and read back.

    keys     : the keys of the configuration that it reads, with their types
    of       : gives its value for a configuration; ConfigError if the configuration does not allow one
    back     : gives the value for what a record holds; the `DataLocation` says where its data is
    identity : gives whatever can change a result, as JSON values
    late     : fields with greater numbers are read later, so that cheap checks come first
    kept     : the name in records, if it is not the field's own; `a.b` is the name b within a
    """

    keys: Mapping[str, Any]
    of: Callable[[Any, SearchPath], Any]
    back: Callable[[Any, DataLocation], Any]
    identity: Callable[[Any], Any] = lambda value: value.identity()
    late: int = 0
    kept: str | None = None


def _plain(name: str, kind: Any, metadata: list[Any]) -> Key:
    """The key of a number, a text, a truth value, null, or a list of these, whose type is annotated with `metadata`."""
    key = next((mark.name for mark in metadata if isinstance(mark, Called)), name)
    null = NoneType in get_args(kind)

    def of(config: Any, _: SearchPath) -> Any:
        value = _tuples(getattr(config, key))
        for rule in metadata:
            if isinstance(rule, Rule):
                rule.check(key, value, null=null)
        return value

    return Key({key: _of_configuration(kind)}, of, lambda kept, _: _tuples(kept), lists, kept=key)


@dataclass(frozen=True)
class Field:
    """A field and its key.

    changes_rows : whether it can change a row and so is part of a run's identity
    """

    name: str
    key: Key
    changes_rows: bool

    @property
    def kept(self) -> str:
        """Its name in records."""
        return self.key.kept or self.name


@cache
def fields_of(cls: type[Any]) -> tuple[Field, ...]:
    """The fields of a dataclass that are keys.

    A field with `compare=False` changes no row. It is a key only if its type is Annotated.
    """
    hints = get_type_hints(cls, include_extras=True)
    result = []
    for field in dataclass_fields(cls):
        hint = hints[field.name]
        kind, *metadata = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        if field.compare or metadata:
            key = next((mark for mark in metadata if isinstance(mark, Key)), None)
            result.append(Field(field.name, key or _plain(field.name, kind, metadata), field.compare))
    return tuple(result)


@cache
def settings_of(cls: type[Any]) -> type[Settings]:
    """Make the configuration class of a grid from its fields."""
    kinds = {key: kind for field in fields_of(cls) for key, kind in field.key.keys.items()}  # type: ignore[arg-type]
    inherited = {field.name for field in dataclass_fields(Settings)}
    own = [(key, kind, _without_value(kind)) for key, kind in kinds.items() if key not in inherited]
    result = make_dataclass(cls.__name__.removesuffix("Grid"), own, bases=(Settings,))
    result.__module__, result.__doc__ = cls.__module__, cls.__doc__
    return result


def _without_value(kind: Any) -> Any:
    """The field of a key without a value. If keys are below it, they have none, so that each can be given by itself."""
    keyed = isinstance(kind, type) and is_dataclass(kind)
    return dataclass_field(default_factory=kind) if keyed else dataclass_field(default=MISSING)


def put(identity: dict[str, Any], path: str, value: Any) -> None:
    """Store a value in an identity under a path `name` or `name.within`; mappings are merged."""
    name, _, within_it = path.partition(".")
    if within_it:
        put(identity.setdefault(name, {}), within_it, value)
    else:
        identity[name] = identity[name] | value if isinstance(identity.get(name), dict) else value


def value_at(identity: Mapping[str, Any], path: str) -> Any:
    """The value that `put` stored under a path; merged mappings are returned whole."""
    for name in path.split("."):
        identity = identity[name]
    return identity


def _of_configuration(kind: Any) -> Any:
    """The type in the configuration for the type of a field: lists in place of tuples."""
    if get_origin(kind) is tuple:
        return list[_of_configuration(get_args(kind)[0])]  # type: ignore[misc]
    if get_origin(kind) is Literal:
        return str
    if get_origin(kind) in {Union, UnionType}:
        return Union[tuple(map(_of_configuration, get_args(kind)))]  # noqa: UP007 - of types held in a list
    return kind


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list | tuple) else value


MOST_MIB = 2**20

Seed = Annotated[int, at_least(0)]
"""The seed of all draws."""


def _identities(values: Sequence[Source | Builder]) -> list[dict[str, Any]]:
    return [value.identity() for value in values]


COLUMN_KEYS: Mapping[str, Any] = {"target": str | None, "drop": list[str], "types": Any}
"""The keys about the columns of the user's own files; `ColumnChoice.of` reads them together."""

SOURCES = Key(
    {"source": Any, **COLUMN_KEYS, "data": Data},
    lambda config, _: sources_named(config.source, ColumnChoice.of(config), config.data),
    lambda kept, location: tuple(Source.from_identity(source, location) for source in kept),
    _identities,
    late=2,
)
"""Data sets, given by name or path."""

WholeSources = Annotated[tuple[Source, ...], SOURCES]
"""Data sets of which all rows are used."""


def protocol_key(*, tunes: bool = False) -> Key:
    """The protocol: which rows train, which test and, if the grid `tunes`, which rows it tunes on."""
    return Key(
        {"protocol": ProtocolSettings},
        lambda config, _: Protocol.of(config.protocol, tunes=tunes),
        lambda kept, _: Protocol(**kept),
    )


def builders_key(*, trees: bool = False, takes: Sequence[str] = ()) -> Key:
    """Builders, given by name.

    trees : whether each must grow a tree
    takes : parameters that each must have
    """

    def of(config: Any, search_path: SearchPath) -> tuple[Builder, ...]:
        builders = builders_named(config.builders, config.plugins, search_path.conf_folders)
        if trees:
            check_tree_builders(builders)
        for builder in builders:
            for parameter in takes:
                if not builder.takes(parameter):
                    raise ConfigError(
                        f"builder '{builder.name}' ({builder.class_path}) has no parameter {parameter}, which this "
                        "grid sets: leave the builder out"
                    )
        return builders

    return Key(
        {"builders": Any},
        of,
        lambda kept, location: tuple(Builder.from_identity(builder, location.plugins) for builder in kept),
        _identities,
        late=1,
    )


TreeBuilders = Annotated[tuple[Builder, ...], builders_key(trees=True)]
"""Builders that all grow trees."""


Heuristics = Annotated[
    tuple[ImpurityFunction, ...],
    Key(
        {"heuristics": list[str]},
        lambda config, _: heuristics_named(config.heuristics),
        lambda kept, _: tuple(impurity_function(name) for name in kept),
        lambda heuristics: [heuristic.name for heuristic in heuristics],
    ),
]
"""Greedy heuristics, given by the names of their impurity functions."""

Table = Annotated[
    TableOptions,
    Key(
        {"table": TableFromData},
        lambda config, _: TableOptions.of(config.table),
        lambda kept, _: TableOptions.from_identity(kept),
        kept="table",
    ),
]
"""How a data set becomes a decision table."""


def _graph_bytes(config: Any, _: SearchPath) -> int:
    within(1, MOST_MIB).check("graph_mib", config.graph_mib, null=False)
    return int(config.graph_mib) * MIB


GraphBytes = Annotated[int, Key({"graph_mib": int}, _graph_bytes, lambda kept, _: kept, int)]
"""Memory limit for the graph of separable subtables of a table, in bytes; the configuration gives MiB."""


def heuristics_named(names: Sequence[str]) -> tuple[ImpurityFunction, ...]:
    """The impurity functions with these names, in the order of the paper's tables."""
    functions = {function.name: function for function in IMPURITY_FUNCTIONS}
    for name in names:
        if name not in functions:
            raise ConfigError(no_choice("heuristic", name, functions))
    if not names:
        raise ConfigError(f"`heuristics` is empty: expected some of {', '.join(functions)}")
    return tuple(function for function in IMPURITY_FUNCTIONS if function.name in names)


def check_tree_builders(builders: Sequence[Builder]) -> None:
    """Raise ConfigError if a builder does not grow a tree, naming the first such builder."""
    for builder in builders:
        if not builder.grows_tree:
            named = f"builder '{builder.name}' ({builder.class_path})"
            raise ConfigError(f"{named} grows no tree, which this grid needs: leave the builder out")
