"""Exact solvers on the same instances: ours by search and by mixed-integer programming, and those of others."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from algorithms.optimal.instance import Instance, check_options
from pipeline.builders import Builder
from pipeline.configuration.settings import Data
from pipeline.data.protocols import drawn_seed
from pipeline.data.sources import Source, place_of_source, sources_named
from pipeline.errors import ConfigError
from pipeline.grammar.axes import At, Axis, of_depths, once
from pipeline.grammar.cells import Made
from pipeline.grammar.choices import parameter_of, place_of, tree_builder, tree_example
from pipeline.grammar.keys import (
    DISTINCT,
    ONCE,
    SOURCES,
    Key,
    Seed,
    at_least,
    builders_key,
    each,
    more_than,
    one_of,
)
from pipeline.grammar.sources import DataGrid
from pipeline.grids.solvers.peers import PEERS
from pipeline.plain_text import note

if TYPE_CHECKING:
    from algorithms.data_set import DataSet
    from pipeline.data.catalogue.loading import LoadedSet
    from pipeline.discovery import Places

__all__ = ["BINARY", "KIND", "NUMERIC", "Of", "PeerVersion", "SolversGrid"]

BINARY, NUMERIC = "binary", "numeric"
"""Kinds of instance: of attributes of two values alone, or with numeric attributes at any threshold."""
FIRST_COLUMN = "a1"
"""What the reader of files calls the first column of one without a header."""


class PeerVersion(NamedTuple):
    """A peer by its name in PEERS, and its version here; None where it is not installed."""

    name: str
    version: str | None


class Of(NamedTuple):
    """A source and the kind of its attributes."""

    source: Source
    attributes: str


def in_folder(config: Any) -> tuple[Source, ...]:
    """The files of the folder that the key names: a `.txt` each, columns apart by blanks, the class the first."""
    if config.folder is None:
        return ()
    files = sorted(str(file) for file in Path(config.folder).expanduser().glob("[!A-Z]*.txt"))
    if not files:
        msg = f"folder is {config.folder}, which has no .txt files (those that begin with a capital are not counted)"
        raise ConfigError(msg)
    return sources_named(files, FIRST_COLUMN, config.data)


def _sources(key: str, config: Any) -> tuple[Source, ...]:
    names = getattr(config, key)
    return sources_named(names, config.target, config.data) if names else ()


def _peers(config: Any, _: Places) -> tuple[PeerVersion, ...]:
    for rule in (each(one_of(*PEERS)), ONCE):
        rule.check("peers", config.peers)
    return tuple(PeerVersion(name, PEERS[name].version()) for name in config.peers)


def _place_of_instance(row: Mapping[str, Any], instances: Sequence[Of]) -> int:
    """Of a source with both kinds of attributes the first is meant where the row does not tell."""
    kind = parameter_of(row, "attributes")
    places = [place for place, one in enumerate(instances) if kind in {None, one.attributes}]
    place_of("attributes", kind, list(dict.fromkeys(one.attributes for one in instances)))
    return places[place_of_source([instances[place].source for place in places], row)]


KEYS = {"target": str | None, "data": Data}
BINARY_KEY = replace(
    SOURCES,
    keys={"source": Any, "folder": str | None, **KEYS},
    of=lambda config, _: (*_sources("source", config), *in_folder(config)),
)
NUMERIC_KEY = replace(SOURCES, keys={"numeric": Any, **KEYS}, of=lambda config, _: _sources("numeric", config))
PEERS_KEY = Key(
    {"peers": list[str]},
    _peers,
    lambda kept, _: tuple(PeerVersion(*peer) for peer in kept),
    lambda peers: [list(peer) for peer in peers],
)
INSTANCES = Axis(
    "instance",
    lambda grid: grid.instances,
    lambda of: of.source.called,
    lambda of: f"{of.source.title}, {of.attributes}",
    _place_of_instance,
)
SOLVERS = Axis(
    "solver",
    lambda grid: [*grid.builders, *grid.peers],
    lambda solver: {"builder": solver.name},
    lambda solver: str(solver.name),
    lambda row, solvers: place_of("builder", row.get("builder"), [solver.name for solver in solvers]),
)


@dataclass(frozen=True, kw_only=True)
class SolversGrid(DataGrid, version=2):
    """Every solver on every instance: errors / L_hat + alpha x splits is minimised at a depth, on all rows of a source.

    sources       : instances of these come first, their attributes made binary; after these the numeric ones
    numeric       : sources whose numeric attributes stay as they are, nominal ones being made binary
    bins          : a numeric attribute is made binary by the cut points of so many intervals of equal frequency
    depths        : of each source
    min_rows_leaf : fewest rows in a leaf
    alpha         : what a split costs where the majority rule costs 1
    seconds       : that a solver has for an instance
    builders      : ours
    peers         : those of others; their versions are of the identity, so that one installed later is asked
    seed          : of builders that draw
    """

    sources: Annotated[tuple[Source, ...], BINARY_KEY]
    numeric: Annotated[tuple[Source, ...], NUMERIC_KEY]
    bins: Annotated[int, at_least(2)]
    depths: Annotated[tuple[int, ...], DISTINCT]
    min_rows_leaf: Annotated[int, at_least(1)]
    alpha: float
    seconds: Annotated[float, more_than(0)]
    builders: Annotated[tuple[Builder, ...], builders_key()]
    peers: Annotated[tuple[PeerVersion, ...], PEERS_KEY]
    seed: Seed

    axes = (INSTANCES, of_depths(), SOLVERS)
    asks = ("solver",)
    noun = "fits"
    question = '"select builder, status, count(*), sum(optimal::int) proven from results group by all order by all"'

    def check(self) -> None:
        """Raise ConfigError where solvers cannot be asked so, or for nothing."""
        from algorithms.optimal.optimal_classifier import OptimalClassifier

        try:
            for depth in self.depths:
                check_options(max_depth=depth, alpha=self.alpha)
        except ValueError as error:
            raise ConfigError(str(error)) from error
        for builder in self.builders:
            if not builder.extends(OptimalClassifier):
                msg = (
                    f"builder '{builder.name}' ({builder.class_path}) is no OptimalClassifier, whose options are asked"
                )
                raise ConfigError(msg)
        if not self.items:
            msg = "there are no instances: name at least one data set in source or numeric, or a folder of them"
            raise ConfigError(msg)

    @property
    def instances(self) -> list[Of]:
        """The sources, each with its kind of attributes."""
        return [*(Of(source, BINARY) for source in self.sources), *(Of(source, NUMERIC) for source in self.numeric)]

    @property
    def example(self) -> str:
        """The tree of our first solver on the first instance."""
        return tree_example(self.instances[0].source.name, self.builders)

    @once("instance")
    def loaded(self, at: At) -> LoadedSet:
        """The data set of an item."""
        return at.instance.source.load()  # type: ignore[no-any-return]

    def options(self, at: At) -> dict[str, Any]:
        """What every solver is asked for, as the estimators of `algorithms.optimal` call it."""
        return {
            "alpha": self.alpha,
            "max_depth": at.max_depth,
            "min_rows_leaf": self.min_rows_leaf,
            "time_limit": self.seconds,
        }

    def called(self, at: At, ask: str) -> dict[str, Any]:  # noqa: ARG002
        """The parameters are what is asked for and, of ours, their own."""
        asked = {"attributes": at.instance.attributes, **self.options(at)}
        asked |= json.loads(at.solver.parameters) if isinstance(at.solver, Builder) else {}
        return at.called | {"parameters": json.dumps(asked, sort_keys=True)}

    @once()
    def instance_of(self, at: At) -> Instance:
        """The rows of a source that have a class, missing values filled, attributes of the item's kind.

        Raises ValueError where there are fewer rows than a leaf must have.
        """
        from pipeline.grammar.whole_sources import with_two_branches

        of, limits = at.instance, {"max_depth": at.max_depth, "min_samples_leaf": self.min_rows_leaf}
        data = with_two_branches(of.source, bins=self.bins if of.attributes == BINARY else None)
        return Instance(data, np.ones(data.rows), **limits, alpha=self.alpha)

    def facts(self, at: At) -> dict[str, Any]:
        """The rows of the instance, if there can be such an instance."""
        with suppress(Exception):  # with which the cell fails
            return {"rows": self.instance_of(at).data.rows}
        return {}

    def cell(self, at: At, ask: str) -> Made:  # noqa: ARG002
        """The solver of an item on its instance."""
        from pipeline.grids.solvers.rows import solved

        seed = drawn_seed(self.seed, at.instance.source.title)
        return solved(at.solver, self.instance_of(at), self.options(at), seed)

    def prepare(self) -> None:
        """Have every data set here and the kernels compiled, and name the peers that are not installed."""
        absent = [peer.name for peer in self.peers if peer.version is None]
        if absent:
            note(f"not installed, so skipped: {', '.join(absent)} (pip install 'orchard-trees[peers]' has them all)")
        super().prepare()

    def rehearsals(self, ats: Sequence[At], asks: Sequence[str]) -> Iterable[Callable[[], object]]:  # noqa: ARG002
        """Solving a few rows with each builder."""
        from pipeline.grids.solvers.rows import rehearsals

        return rehearsals({at.solver.name: at.solver for at in ats if isinstance(at.solver, Builder)}.values())

    def trained(self, at: At) -> DataSet:
        """The rows of the instance of an item."""
        return self.instance_of(at).data

    def ask_of(self, row: Mapping[str, Any]) -> str:
        """One of our solvers; others return predictions and keep their trees."""
        solver = self.at(self.item(row)).solver
        if not isinstance(solver, Builder):
            ours = ", ".join(builder.name for builder in self.builders)
            msg = f"{solver.name} is an external solver, which returns no tree; builders with trees: {ours}"
            raise ConfigError(msg)
        tree_builder([solver], row)
        return "solver"

    @property
    def told(self) -> dict[str, Any]:
        """The solvers in the order of the rows of an instance, with the versions of those that are not ours."""
        ours = [(builder.name, "ours") for builder in self.builders]
        theirs = [(peer.name, peer.version or "not installed") for peer in self.peers]
        competitors = enumerate([*ours, *theirs])
        return {"competitors": [{"name": name, "version": own, "place": place} for place, (name, own) in competitors]}


KIND = SolversGrid.offered()
