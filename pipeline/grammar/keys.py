"""Types of fields that several grids have: data sets, protocols, builders, heuristics, options of tables, memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from algorithms.impurity import IMPURITY_FUNCTIONS, ImpurityFunction, impurity_function
from pipeline.builders import Builder, builders_named
from pipeline.configuration.settings import Data, ProtocolSettings, TableFromData
from pipeline.data.protocols import Protocol
from pipeline.data.sources import Source, sources_named
from pipeline.data.table_options import TableOptions
from pipeline.errors import ConfigError, no_choice
from pipeline.grammar.fields import Key, at_least, within
from pipeline.work.limits import MIB

if TYPE_CHECKING:
    from pipeline.discovery import Places

__all__ = [
    "GraphBytes",
    "Heuristics",
    "Seed",
    "Table",
    "TreeBuilders",
    "WholeSources",
    "builders_key",
    "check_tree_builders",
    "heuristics_named",
    "protocol_key",
    "sources_key",
]

MOST_MIB = 2**20

Seed = Annotated[int, at_least(0)]
"""The root of all draws."""


def _identities(values: Sequence[Source | Builder]) -> list[dict[str, Any]]:
    return [value.identity() for value in values]


def sources_key(*, draws: bool = False) -> Key:
    """Data sets by their names or paths; where the grid `draws`, rows of them by a number after the name."""
    return Key(
        {"source": Any, "target": str | None, "data": Data},
        lambda config, _: sources_named(config.source, config.target, config.data, draws=draws),
        lambda kept, place: tuple(Source.from_identity(source, place) for source in kept),
        _identities,
        late=2,
    )


WholeSources = Annotated[tuple[Source, ...], sources_key()]
"""Data sets, all of whose rows are taken."""


def protocol_key(*, tunes: bool = False) -> Key:
    """Which rows train and which test; where the grid `tunes`, also by which it does."""
    return Key(
        {"protocol": ProtocolSettings},
        lambda config, _: Protocol.of(config.protocol, tunes=tunes),
        lambda kept, _: Protocol(**kept),
    )


def builders_key(*, trees: bool = False, takes: Sequence[str] = ()) -> Key:
    """Builders by their names.

    trees : whether each must grow a tree
    takes : parameters that each must take
    """

    def of(config: Any, places: Places) -> tuple[Builder, ...]:
        builders = builders_named(config.builders, config.plugins, places.conf_folders)
        if trees:
            check_tree_builders(builders)
        for builder in builders:
            for parameter in takes:
                if not builder.takes(parameter):
                    msg = f"builder '{builder.name}' ({builder.class_path}) has no parameter {parameter}: leave it out"
                    raise ConfigError(msg)
        return builders

    return Key(
        {"builders": Any},
        of,
        lambda kept, place: tuple(Builder.from_identity(one, place.plugins) for one in kept),
        _identities,
        late=1,
    )


TreeBuilders = Annotated[tuple[Builder, ...], builders_key(trees=True)]
"""Builders that grow a tree each."""


Heuristics = Annotated[
    tuple[ImpurityFunction, ...],
    Key(
        {"heuristics": list[str]},
        lambda config, _: heuristics_named(config.heuristics),
        lambda kept, _: tuple(impurity_function(name) for name in kept),
        lambda heuristics: [heuristic.name for heuristic in heuristics],
    ),
]
"""Greedy heuristics by the names of their impurity functions."""

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


def _graph_bytes(config: Any, _: Places) -> int:
    within(1, MOST_MIB).check("graph_mib", config.graph_mib, null=False)
    return int(config.graph_mib) * MIB


GraphBytes = Annotated[int, Key({"graph_mib": int}, _graph_bytes, lambda kept, _: kept, int)]
"""Memory that the graph of separable subtables of a table may take: bytes here, MiB in the configuration."""


def heuristics_named(names: Sequence[str]) -> tuple[ImpurityFunction, ...]:
    """The impurity functions of these names, in the order of the paper's tables."""
    known = {function.name: function for function in IMPURITY_FUNCTIONS}
    for name in names:
        if name not in known:
            raise ConfigError(no_choice("heuristic", name, known))
    if not names:
        msg = f"heuristics is empty: expected some of {', '.join(known)}"
        raise ConfigError(msg)
    return tuple(function for function in IMPURITY_FUNCTIONS if function.name in names)


def check_tree_builders(builders: Sequence[Builder]) -> None:
    """Return only if every builder grows a tree; ConfigError names the first that does not."""
    for builder in builders:
        if not builder.grows_tree:
            msg = f"builder '{builder.name}' ({builder.class_path}) grows no tree, whose costs are asked: leave it out"
            raise ConfigError(msg)
