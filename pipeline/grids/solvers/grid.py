"""Exact solvers on the same instances: ours by search and by mixed-integer programming, and those of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pipeline.builders import Builder, builders_named
from pipeline.data.sources import Place, Source, place_of_source, sources_named
from pipeline.errors import ConfigError
from pipeline.grammar.choices import parameter_of, place_of
from pipeline.grammar.source_tables import check_seed
from pipeline.grammar.tree_builders import tree_builder, tree_example
from pipeline.grid import RESULTS_TABLE, TRYING, GridKind, GridSummary, RebuildsTrees, RebuiltTree
from pipeline.grids.solvers.settings import Solvers
from pipeline.storage.parts import Part

if TYPE_CHECKING:
    import pyarrow as pa

    from algorithms.table import DecisionTable

__all__ = ["BINARY", "KIND", "NUMERIC", "Cell", "PeerVersion", "SolversGrid"]

RESULTS_VERSION = 2  # raise it when the numbers of an unchanged configuration change
BINARY, NUMERIC = "binary", "numeric"
"""Kinds of instance: of attributes of two values alone, or with numeric attributes at any threshold."""
FIRST_COLUMN = "a1"
"""What the reader of files calls the first column of one without a header."""


class PeerVersion(NamedTuple):
    """A peer by its name in `peers.kinds`, and its version here; None where it is not installed."""

    name: str
    version: str | None


class Cell(NamedTuple):
    """What an item is: a solver, by place, on a source of which attributes are of a kind, at a depth."""

    source: int
    attributes: str
    max_depth: int
    solver: int


@dataclass(frozen=True)
class SolversGrid(RebuildsTrees):
    """Every solver on every instance: errors / L_hat + alpha x splits is minimised at a depth, on all rows of a source.

    sources       : item i is of the i-th sources in turn, its attributes made binary; after these the numeric ones
    numeric       : sources whose numeric attributes stay as they are, nominal ones being made binary
    bins          : a numeric attribute is made binary by the cut points of so many intervals of equal frequency
    depths        : of each source
    min_rows_leaf : fewest rows in a leaf
    alpha         : what a split costs where the majority rule costs 1
    seconds       : that a solver has for an instance
    builders      : ours
    peers         : those of others
    seed          : of builders that draw
    """

    sources: tuple[Source, ...]
    numeric: tuple[Source, ...]
    bins: int
    depths: tuple[int, ...]
    min_rows_leaf: int
    alpha: float
    seconds: float
    builders: tuple[Builder, ...]
    peers: tuple[PeerVersion, ...]
    seed: int

    noun = "fits"
    tables = (RESULTS_TABLE,)
    first_items = 1
    cells_per_item = 1

    @staticmethod
    def of(config: Solvers, folders: Sequence[Path] | None = None) -> SolversGrid:
        """The grid of a composed configuration; ConfigError names a key whose value cannot be."""
        from algorithms.optimal.instance import check_options
        from algorithms.optimal.oct_classifier import OCTClassifier

        check_seed(config.seed)
        depths = config.depths
        rules = (
            ("depths", depths, bool(depths) and len(set(depths)) == len(depths), "whole numbers from 1, each once"),
            ("bins", config.bins, config.bins >= 2, "2 or more"),
            ("seconds", config.seconds, config.seconds > 0, "more than 0"),
        )
        for key, value, right, expected in rules:
            if not right:
                msg = f"{key} is {value}: expected {expected}"
                raise ConfigError(msg)
        try:
            for depth in depths:
                check_options(depth, config.min_rows_leaf, None, config.alpha, "splits")
        except ValueError as error:
            raise ConfigError(str(error)) from error
        builders = builders_named(config.builders, config.plugins, folders)
        for builder in builders:
            if not builder.extends(OCTClassifier):
                msg = f"builder '{builder.name}' ({builder.class_path}) is no OCTClassifier, whose options are asked"
                raise ConfigError(msg)
        sources = sources_named(config.source, config.target, config.data) if config.source else ()
        numeric = sources_named(config.numeric, config.target, config.data) if config.numeric else ()
        grid = SolversGrid(
            sources=(*sources, *_in_folder(config)),
            numeric=numeric,
            bins=config.bins,
            depths=tuple(depths),
            min_rows_leaf=config.min_rows_leaf,
            alpha=float(config.alpha),
            seconds=float(config.seconds),
            builders=builders,
            peers=_peers(config.peers),
            seed=config.seed,
        )
        if not grid.items:
            msg = "there are no instances: name at least one data set in source or numeric, or a folder of them"
            raise ConfigError(msg)
        return grid

    @staticmethod
    def from_identity(identity: dict[str, Any], place: Place) -> SolversGrid:
        """The grid of which `identity()` is this, its data found at a place."""
        kept = {key: value for key, value in identity.items() if key not in {"grid", "results_version"}}
        return SolversGrid(
            **kept
            | {key: tuple(Source.from_identity(one, place) for one in identity[key]) for key in ("sources", "numeric")}
            | {
                "depths": tuple(identity["depths"]),
                "builders": tuple(Builder.from_identity(one, place.plugins) for one in identity["builders"]),
                "peers": tuple(PeerVersion(*peer) for peer in identity["peers"]),
            }
        )

    @property
    def solvers(self) -> tuple[str, ...]:
        """Their names, ours first."""
        return (*(builder.name for builder in self.builders), *(peer.name for peer in self.peers))

    @property
    def items(self) -> int:
        """Fits."""
        return len(self._instances) * len(self.depths) * len(self.solvers)

    @property
    def example(self) -> str:
        """The tree of our first solver on the first instance."""
        return tree_example(self._instances[0][0].name, self.builders)

    @property
    def question(self) -> str:
        """How often each solver proves its tree best."""
        return '"select builder, status, count(*), sum(optimal::int) proven from results group by all order by all"'

    def identity(self) -> dict[str, Any]:
        """All that can change a number; the versions of peers are of it, so that one installed later is asked."""
        return {
            "grid": "solvers",
            "results_version": RESULTS_VERSION,
            "sources": [source.identity() for source in self.sources],
            "numeric": [source.identity() for source in self.numeric],
            "bins": self.bins,
            "depths": list(self.depths),
            "min_rows_leaf": self.min_rows_leaf,
            "alpha": self.alpha,
            "seconds": self.seconds,
            "builders": [builder.identity() for builder in self.builders],
            "peers": [list(peer) for peer in self.peers],
            "seed": self.seed,
        }

    def prepare(self) -> None:
        """Have every data set here, read once, and the kernels compiled; OrchardError where a set cannot be had."""
        from pipeline.grids.solvers.rows import rehearse
        from pipeline.screen import note

        for source, _ in self._instances:
            for remark in source.load().remarks:
                note(remark)
        absent = [peer.name for peer in self.peers if peer.version is None]
        if absent:
            note(f"not installed, so skipped: {', '.join(absent)} (pip install 'orchard-trees[peers]' has them all)")
        note(TRYING)
        rehearse(self, [place for place, builder in enumerate(self.builders) if builder.own])

    def cell(self, item: int) -> Cell:
        """What an item is."""
        place, solver = divmod(item, len(self.solvers))
        source, depth = divmod(place, len(self.depths))
        return Cell(source, self._instances[source][1], self.depths[depth], solver)

    def source(self, cell: Cell) -> Source:
        """The source of a cell."""
        return self._instances[cell.source][0]

    def work(self, first: int, stop: int) -> dict[str, pa.Table]:
        """The row of each of some fits."""
        import pyarrow as pa

        from pipeline.grids.solvers.rows import rehearse, row_of
        from pipeline.schema import HELD_RESULTS

        cells = [self.cell(item) for item in range(first, stop)]
        rehearse(self, {cell.solver for cell in cells if cell.solver < len(self.builders)})
        return {RESULTS_TABLE: pa.Table.from_pylist([row_of(self, cell) for cell in cells], schema=HELD_RESULTS)}

    def failure(self, item: int, status: str, error: str) -> dict[str, pa.Table]:
        """The row of a fit that took down its worker, or of a data set that could not be read."""
        import pyarrow as pa

        from pipeline.grids.solvers.rows import called
        from pipeline.schema import HELD_RESULTS

        row = called(self, self.cell(item)) | {"status": status, "error": error}
        return {RESULTS_TABLE: pa.Table.from_pylist([row], schema=HELD_RESULTS)}

    def item(self, row: Mapping[str, Any]) -> int:
        """The item of a source, a solver, and of the parameters the kind of attributes and max_depth; or ConfigError.

        A source may be there with both kinds: its first is meant where the row does not tell.
        """
        kind = parameter_of(row, "attributes")
        places = [place for place, (_, one) in enumerate(self._instances) if kind in {None, one}]
        place_of("attributes", kind, list(dict.fromkeys(one for _, one in self._instances)))
        place = places[place_of_source([self._instances[place][0] for place in places], row)]
        depth = place_of("max_depth", parameter_of(row, "max_depth"), self.depths)
        solver = place_of("builder", row.get("builder"), self.solvers)
        return (place * len(self.depths) + depth) * len(self.solvers) + solver

    def title(self, item: int) -> str:
        """The source, the depth and the solver."""
        cell = self.cell(item)
        return f"{self.source(cell).title}, {cell.attributes}, depth {cell.max_depth}, {self.solvers[cell.solver]}"

    def table(self, item: int) -> DecisionTable:
        """The instance of an item as a decision table, each distinct number a value."""
        from algorithms.tables_from_data import decision_table
        from pipeline.grids.solvers.rows import instance_of

        return decision_table(instance_of(self, self.cell(item)).data, numeric="values", distinct_attributes="keep")

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The tree of a solver of ours; those of others tell what their trees predict, and keep them."""
        from pipeline.grids.solvers.rows import rebuilt_tree

        cell = self.cell(self.item(row))
        if cell.solver >= len(self.builders):
            ours = ", ".join(builder.name for builder in self.builders)
            msg = (
                f"{self.solvers[cell.solver]} is a solver of others, whose trees are not had: trees are there of {ours}"
            )
            raise ConfigError(msg)
        tree_builder([self.builders[cell.solver]], row)
        return rebuilt_tree(self, cell)

    def load_summary(self) -> None:
        """Import what draws the figure, most of a summary's time."""
        import pipeline.grids.solvers.figure  # noqa: F401

    def summarise(self, parts: Mapping[str, Sequence[Part]], folder: Path) -> GridSummary:
        """Instances by solvers, what each proves, and the figure."""
        from pipeline.grids.solvers.summary import summary_of

        versions = {peer.name: peer.version or "not installed" for peer in self.peers}
        return summary_of(self.solvers, versions).of(parts, folder)

    @property
    def _instances(self) -> list[tuple[Source, str]]:
        """The sources, each with its kind of attributes."""
        return [*((source, BINARY) for source in self.sources), *((source, NUMERIC) for source in self.numeric)]


def _in_folder(config: Solvers) -> tuple[Source, ...]:
    """The files of the folder that the key names: a `.txt` each, columns apart by blanks, the class the first."""
    if config.folder is None:
        return ()
    files = sorted(str(file) for file in Path(config.folder).expanduser().glob("[!A-Z]*.txt"))
    if not files:
        msg = f"folder is {config.folder}, which has no .txt files (those that begin with a capital are not counted)"
        raise ConfigError(msg)
    return sources_named(files, FIRST_COLUMN, config.data)


def _peers(names: Sequence[str]) -> tuple[PeerVersion, ...]:
    from pipeline.grids.solvers.peers.kinds import PEERS

    if not isinstance(names, list) or len(set(names)) < len(names) or not set(names) <= set(PEERS):
        msg = f"peers is {names!r}: expected some of {', '.join(PEERS)}, each once"
        raise ConfigError(msg)
    return tuple(PeerVersion(name, PEERS[name].version()) for name in names)


KIND = GridKind(Solvers, lambda found, places: SolversGrid.of(found, places.conf_folders), SolversGrid.from_identity)
