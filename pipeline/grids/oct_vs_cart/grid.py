"""Optimal classification trees beside CART, both tuned on validation rows (`002_…`, "Results")."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

from pipeline.data.protocols import Protocol, ProtocolError
from pipeline.data.sources import Place, Source, place_of_source, sources_named
from pipeline.errors import ConfigError
from pipeline.grammar.choices import parameter_of, place_of
from pipeline.grammar.source_tables import check_seed
from pipeline.grid import RESULTS_TABLE, GridKind, GridSummary, RebuildsTrees, RebuiltTree
from pipeline.grids.oct_vs_cart.settings import OctVsCart
from pipeline.storage.parts import Part
from pipeline.work.losses import Loss

if TYPE_CHECKING:
    import pyarrow as pa

    from algorithms.table import DecisionTable

__all__ = ["CART", "KIND", "METHODS", "OCT", "OctVsCartGrid", "Trial"]

RESULTS_VERSION = 3  # raise it when the numbers of an unchanged configuration change
DEEPEST = 20

CART, OCT = "cart", "oct"
METHODS = (CART, OCT)
"""What the rows call the builders, in their order."""


class Trial(NamedTuple):
    """What an item is: a source by place, a repeat of the protocol from 1, and a greatest depth."""

    source: int
    repeat: int
    max_depth: int


@dataclass(frozen=True)
class OctVsCartGrid(RebuildsTrees):
    """CART and OCT at each depth, on the same training and validation rows of each split of each source.

    sources       : data sets; rows with a missing value are left out, nominal attributes are dummy-coded
    protocol      : which rows train, tune and test
    depths        : edges from the root to a leaf at most
    min_rows_leaf : fewest training rows in a leaf, as a share of them
    refit         : whether the tree with the tuned alpha is grown again, from training and validation rows
    work_limit    : units of work that a search may do; None for no limit
    seed          : root of all draws
    losses        : what becomes of the methods, by place, that are not asked

    Items are in the order of sources, then repeats, then depths.
    """

    sources: tuple[Source, ...]
    protocol: Protocol
    depths: tuple[int, ...]
    min_rows_leaf: float
    refit: bool
    work_limit: int | None
    seed: int
    losses: Mapping[int, Loss] = field(default_factory=dict, compare=False)

    noun = "pairs of fits"
    tables = (RESULTS_TABLE, "tunings")
    first_items = 1
    cells_per_item = len(METHODS)
    incomplete = False
    most_rows = None

    @staticmethod
    def of(config: OctVsCart) -> OctVsCartGrid:
        """The grid of a composed configuration; ConfigError names a key whose value cannot be."""
        check_seed(config.seed)
        protocol = Protocol.of(config.protocol, tunes=True)
        depths = tuple(config.depths)
        for depth in depths:
            if not 1 <= depth <= DEEPEST:
                msg = f"depths has {depth}: expected 1 to {DEEPEST}"
                raise ConfigError(msg)
        if not depths or len(set(depths)) < len(depths):
            msg = f"depths is {list(depths)}: expected at least one, and each once"
            raise ConfigError(msg)
        if not 0 < config.min_rows_leaf <= 0.5:
            msg = f"min_rows_leaf is {config.min_rows_leaf}: expected a share of the training rows, at most 0.5"
            raise ConfigError(msg)
        if config.work is not None and config.work < 1:
            msg = f"work is {config.work}: expected 1 or more units, or null for no limit"
            raise ConfigError(msg)
        sources = sources_named(config.source, config.target, config.data)
        return OctVsCartGrid(sources, protocol, depths, config.min_rows_leaf, config.refit, config.work, config.seed)

    @staticmethod
    def from_identity(identity: dict[str, Any], place: Place) -> OctVsCartGrid:
        """The grid of which `identity()` is this, its data found at a place."""
        return OctVsCartGrid(
            sources=tuple(Source.from_identity(source, place) for source in identity["sources"]),
            protocol=Protocol(**identity["protocol"]),
            depths=tuple(identity["depths"]),
            min_rows_leaf=identity["min_rows_leaf"],
            refit=identity["refit"],
            work_limit=identity["work"],
            seed=identity["seed"],
        )

    @property
    def items(self) -> int:
        """Splits of all sources, at each depth."""
        return len(self.sources) * self.protocol.splits * len(self.depths)

    @property
    def example(self) -> str:
        """The optimal tree of the first source, split and depth."""
        return f"--source {quote(self.sources[0].name)} --builder {OCT}"

    @property
    def question(self) -> str:
        """Which is the more accurate, by depth."""
        return (
            '"select max_depth, builder, avg(test_accuracy), avg(alpha), sum(optimal::int) from results '
            'join tunings using (run, source, part, repeat, builder, parameters) group by all order by all"'
        )

    def identity(self) -> dict[str, Any]:
        """All that can change a number."""
        return {
            "grid": "oct_vs_cart",
            "results_version": RESULTS_VERSION,
            "sources": [source.identity() for source in self.sources],
            "protocol": self.protocol.identity(),
            "depths": list(self.depths),
            "min_rows_leaf": self.min_rows_leaf,
            "refit": self.refit,
            "work": self.work_limit,
            "seed": self.seed,
        }

    def prepare(self) -> None:
        """Have every data set here, check that it can be split, and have the kernels compiled."""
        from pipeline.grammar.comparison.rows import PartedSet
        from pipeline.grids.oct_vs_cart.rows import rehearse
        from pipeline.screen import note

        for source in self.sources:
            loaded = source.load()
            for remark in loaded.remarks:
                note(remark)
            try:
                self.protocol.check(PartedSet.of(self, source, loaded).split_source)
            except ProtocolError as error:
                raise ConfigError(str(error)) from error
        note("trying the search on a few rows: the first time on this machine that compiles its kernels ...")
        rehearse(self)

    def trial(self, item: int) -> Trial:
        """What an item is."""
        place, depth = divmod(item, len(self.depths))
        source, repeat = divmod(place, self.protocol.splits)
        return Trial(source, repeat + 1, self.depths[depth])

    def parameters(self, max_depth: int) -> str:
        """What the rows of a depth have as parameters of both builders."""
        return json.dumps({"max_depth": max_depth, "min_rows_leaf": self.min_rows_leaf}, sort_keys=True)

    def work(self, first: int, stop: int) -> dict[str, pa.Table]:
        """The rows of some items, of each those of CART and OCT."""
        from pipeline.grids.oct_vs_cart.rows import rehearse, rows_of_trials, tables_of

        rehearse(self)
        rows = []
        for number, trials in groupby(map(self.trial, range(first, stop)), key=lambda trial: trial.source):
            rows += rows_of_trials(self, self.sources[number], list(trials))
        return tables_of(rows)

    def failure(self, item: int, status: str, error: str) -> dict[str, pa.Table]:
        """The rows of an item that took down its worker, or of a data set that could not be read."""
        from pipeline.grids.oct_vs_cart.rows import failed_rows, tables_of

        trial = self.trial(item)
        return tables_of(failed_rows(self, self.sources[trial.source].called, trial, status, error))

    @property
    def asked(self) -> int:
        """The methods."""
        return len(METHODS)

    def losing(self, losses: Mapping[int, Loss]) -> OctVsCartGrid:
        """The same grid, but that these methods are not asked."""
        return replace(self, losses=losses)

    def item(self, row: Mapping[str, Any]) -> int:
        """The item of a source, a repeat and a max_depth of the parameters; ConfigError where there is none."""
        source = place_of_source(self.sources, row)
        repeat = place_of("repeat", row.get("repeat"), range(1, self.protocol.splits + 1))
        depth = place_of("max_depth", parameter_of(row, "max_depth"), self.depths)
        return (source * self.protocol.splits + repeat) * len(self.depths) + depth

    def title(self, item: int) -> str:
        """The source, the repeat and the depth."""
        trial = self.trial(item)
        return f"{self.sources[trial.source].title}, repeat {trial.repeat}, depth {trial.max_depth}, training rows"

    def table(self, item: int) -> DecisionTable:
        """The training rows of an item as a decision table: each distinct number a value."""
        from algorithms.tables_from_data import decision_table
        from pipeline.grids.oct_vs_cart.rows import split_rows

        trial = self.trial(item)
        train, _, _ = split_rows(self, self.sources[trial.source], trial.repeat)
        return decision_table(train, numeric="values", distinct_attributes="keep")

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The tuned tree of CART or OCT."""
        from pipeline.grids.oct_vs_cart.rows import rebuilt_tree

        method = METHODS[place_of("builder", row.get("builder"), METHODS)]
        trial = self.trial(self.item(row))
        return rebuilt_tree(self, self.sources[trial.source], trial, method)

    def load_summary(self) -> None:
        """Import what draws the figures, most of a summary's time."""
        import pipeline.grids.oct_vs_cart.figure  # noqa: F401

    def summarise(self, parts: Mapping[str, Sequence[Part]], folder: Path) -> GridSummary:
        """The paper's rows beside ours, each data set, other thresholds of the region and of ties, and two figures."""
        from pipeline.grids.oct_vs_cart.summary import SUMMARY

        return SUMMARY.of(parts, folder)


KIND = GridKind(OctVsCart, lambda found, _: OctVsCartGrid.of(found), OctVsCartGrid.from_identity)
