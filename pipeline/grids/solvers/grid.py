"""Exact solvers on the same instances: ours by search and by mixed-integer programming, and external ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from algorithms.optimal.instance import CONSTRAINTS, Instance
from algorithms.options import check_parameters
from pipeline.builders import Builder
from pipeline.configuration.settings import Data
from pipeline.data.catalogue.column_choice import ColumnChoice
from pipeline.data.sources import Source, index_of_source, own_files, sources_named
from pipeline.errors import ConfigError
from pipeline.grammar.axes import Axis, Item, index_of, of_depths, once, parameter_of, tree_builder, tree_example
from pipeline.grammar.keys import (
    COLUMN_KEYS,
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
from pipeline.grid import RESULTS_TABLE
from pipeline.grids.solvers.peers import PEERS
from pipeline.typed_paths import typed_path

if TYPE_CHECKING:
    from algorithms.data.data_set import DataSet
    from pipeline.data.catalogue.loading import LoadedSet
    from pipeline.discovery import SearchPath

BINARY, NUMERIC = "binary", "numeric"
"""Kinds of instance: with two-valued attributes only, or with numeric attributes split at any threshold."""
FIRST_COLUMN = "a1"
"""The name that the file reader gives to the first column of a file without a header."""


class PeerVersion(NamedTuple):
    """An external solver by its name in PEERS, with the installed version; None if it is not installed."""

    name: str
    version: str | None


class InstanceSource(NamedTuple):
    """A source and the kind of its attributes."""

    source: Source
    attributes: str


def in_folder(config: Any) -> tuple[Source, ...]:
    """The files of a folder: each `.txt` has columns separated by blanks, the class first."""
    if config.folder is None:
        return ()
    files = sorted(str(file) for file in typed_path(config.folder).glob("[!A-Z]*.txt"))
    if not files:
        raise ConfigError(
            f"`folder` is {config.folder}, which has no .txt files (files whose name begins with a capital are not "
            "read)"
        )
    return sources_named(files, ColumnChoice(FIRST_COLUMN), config.data)


def _sources(key: str, config: Any) -> tuple[Source, ...]:
    choice = ColumnChoice.of(config)
    choice.check_used([name for names in (config.source, config.numeric) for name in own_files(names or [])])
    names = getattr(config, key) or []
    return sources_named(names, choice if own_files(names) else None, config.data) if names else ()


def _peers(config: Any, _: SearchPath) -> tuple[PeerVersion, ...]:
    for rule in (each(one_of(*PEERS)), ONCE):
        rule.check("peers", config.peers)
    return tuple(PeerVersion(name, PEERS[name].version()) for name in config.peers)


def _index_of_instance(row: Mapping[str, Any], instances: Sequence[InstanceSource]) -> int:
    """The index of a row's instance: of several kinds of attributes the first, if the row does not say which."""
    kind = parameter_of(row, "attributes")
    index_of("attributes", kind, list(dict.fromkeys(instance.attributes for instance in instances)))
    of_kind = [index for index, instance in enumerate(instances) if kind in {None, instance.attributes}]
    return of_kind[index_of_source([instances[index].source for index in of_kind], row)]


KEYS = {**COLUMN_KEYS, "data": Data}
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
    lambda instance: instance.source.row_identity,
    lambda instance: f"{instance.source.title}, {instance.attributes}",
    _index_of_instance,
)
SOLVERS = Axis(
    "solver",
    lambda grid: [*grid.builders, *grid.peers],
    lambda solver: {"builder": solver.name},
    lambda solver: str(solver.name),
    lambda row, solvers: index_of("builder", row.get("builder"), [solver.name for solver in solvers]),
)


@dataclass(frozen=True, kw_only=True)
class SolversGrid(DataGrid, version=2):
    """Every solver on every instance: minimise errors / L_hat + alpha x splits at a depth, on all rows of a source.

    sources       : sources of the first instances, whose attributes are made binary; the numeric instances follow
    numeric       : sources whose numeric attributes stay as they are, nominal ones being made binary
    bins          : a numeric attribute is made binary at the cut points of this many intervals of equal frequency
    depths        : for each source
    min_rows_leaf : fewest rows in a leaf
    alpha         : cost of a split, where the cost of the majority rule is 1
    seconds       : time limit of a solver for an instance
    builders      : our solvers
    peers         : external solvers; their versions are part of the identity, so that one installed later is run
    seed          : root of the draws of builders that draw
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

    tables = failed_rows_in = (RESULTS_TABLE, "traces")
    columns_version = 2
    axes = (INSTANCES, of_depths(), SOLVERS)
    methods = (None,)
    noun = "fits"
    question = '"select builder, status, count(*), sum(optimal::int) proven from results group by all order by all"'

    def check(self) -> None:
        """Raise ConfigError if solvers cannot be run with these values, or there is nothing to run."""
        from algorithms.optimal.optimal_classifier import OptimalClassifier

        try:
            for depth in self.depths:
                check_parameters(CONSTRAINTS, {"max_depth": depth, "alpha": self.alpha})
        except ValueError as error:
            raise ConfigError(str(error)) from error
        for builder in self.builders:
            if not builder.extends(OptimalClassifier):
                raise ConfigError(
                    f"builder '{builder.name}' ({builder.class_path}) is not an OptimalClassifier, which this "
                    "grid needs: leave the builder out"
                )
        if not self.items:
            raise ConfigError(
                "there are no instances: give at least one data set in `source` or `numeric`, or a folder in `folder`"
            )

    @property
    def instances(self) -> list[InstanceSource]:
        """The sources, each with its kind of attributes."""
        kinds = ((self.sources, BINARY), (self.numeric, NUMERIC))
        return [InstanceSource(source, attributes) for sources, attributes in kinds for source in sources]

    @property
    def example(self) -> str:
        """The tree of our first solver on the first instance."""
        return tree_example(self.instances[0].source.name, self.builders)

    @once("instance")
    def loaded(self, item: Item) -> LoadedSet:
        """The data set of an item."""
        return item.instance.source.load()  # type: ignore[no-any-return]

    def options(self, item: Item) -> dict[str, Any]:
        """The options of every solver, as the estimators of `algorithms.optimal` name them."""
        return {
            "alpha": self.alpha,
            "max_depth": item.max_depth,
            "min_rows_leaf": self.min_rows_leaf,
            "time_limit": self.seconds,
        }

    def parameters(self, item: Item) -> dict[str, Any]:
        """The kind of instance, the options and, for our solvers, their own parameters."""
        own = json.loads(item.solver.parameters) if isinstance(item.solver, Builder) else {}
        return {"attributes": item.instance.attributes, **self.options(item)} | own

    @once()
    def instance_of(self, item: Item) -> Instance:
        """The rows of a source that have a class, missing values filled, with attributes of the item's kind.

        Raises ValueError if there are fewer rows than a leaf must have.
        """
        from pipeline.grammar.whole_sources import with_two_branches

        source, attributes = item.instance
        limits = {"max_depth": item.max_depth, "min_samples_leaf": self.min_rows_leaf}
        data = with_two_branches(source, bins=self.bins if attributes == BINARY else None)
        return Instance(data, np.ones(data.rows), **limits, alpha=self.alpha)

    def facts(self, item: Item) -> dict[str, Any]:
        """The number of rows of the instance, if there can be such an instance."""
        with suppress(Exception):  # with which the cell fails
            return {"rows": self.instance_of(item).data.rows}
        return {}

    def prepare(self, notify: Callable[[str], None]) -> None:
        """Load every data set, compile the kernels, and name the external solvers that are not installed."""
        absent = [peer.name for peer in self.peers if peer.version is None]
        if absent:
            names = ", ".join(absent)
            notify(
                f"solvers that are not installed are skipped: {names} (pip install 'orchard-trees[peers]' "
                "installs the solvers that run on this Python)"
            )
        super().prepare(notify)

    def trained(self, item: Item) -> DataSet:
        """The rows of the instance of an item."""
        return self.instance_of(item).data

    def method_of(self, row: Mapping[str, Any]) -> None:
        """Check that a row is of one of our solvers; external ones return predictions and keep their trees."""
        solver = self.item(self.number_of(row)).solver
        if not isinstance(solver, Builder):
            ours = ", ".join(builder.name for builder in self.builders) or "none"
            raise ConfigError(
                f"{solver.name} is an external solver, which returns no tree; builders that make trees: {ours}"
            )
        tree_builder([solver], row)

    @property
    def context(self) -> dict[str, Any]:
        """The solvers in the order of an instance's rows, with the versions of external ones."""
        ours = [(builder.name, "ours") for builder in self.builders]
        peers = [(peer.name, peer.version or "not installed") for peer in self.peers]
        competitors = [
            {"name": name, "version": version, "place": index} for index, (name, version) in enumerate([*ours, *peers])
        ]
        return {"competitors": competitors}


KIND = SolversGrid.offered()
