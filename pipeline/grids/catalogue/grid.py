"""Every data set of the catalogue, read and held against what the catalogue says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from pipeline.data.sources import Place, listed
from pipeline.errors import ConfigError, OrchardError
from pipeline.grammar.choices import place_of
from pipeline.grid import RESULTS_TABLE, GridKind, RebuildsTrees, RebuiltTree
from pipeline.grids.catalogue.settings import CatalogueSettings
from pipeline.storage.parts import Part

if TYPE_CHECKING:
    import pyarrow as pa

    from algorithms.table import DecisionTable
    from pipeline.grid import GridSummary

__all__ = ["KIND", "CatalogueGrid"]

RESULTS_VERSION = 1  # raise it when the numbers of an unchanged configuration change


@dataclass(frozen=True)
class CatalogueGrid(RebuildsTrees):
    """Data sets by name; item i is the i-th. `fingerprints` are, of each, the contents that are known to be it."""

    names: tuple[str, ...]
    fingerprints: tuple[tuple[str, ...], ...]
    place: Place = field(compare=False, default=Place())

    noun = "data sets"
    tables = (RESULTS_TABLE, "data_sets")
    first_items = 4
    cells_per_item = 1
    question = '"select source, part, rows, distinct_rows, contradictions from data_sets order by rows desc"'

    @staticmethod
    def of(config: CatalogueSettings) -> CatalogueGrid:
        """The grid of a composed configuration; ConfigError names a data set that there is not."""
        place = Place.of(config.data)
        known = place.open()
        names = tuple(known.names() if config.source is None else listed(config.source))
        if not names or len(set(names)) < len(names):
            msg = f"source is {list(names)}: expected data sets, each once, or null for all"
            raise ConfigError(msg)
        return CatalogueGrid(names, tuple(known.fingerprints(name) for name in names), place)

    @staticmethod
    def from_identity(identity: dict[str, Any], place: Place) -> CatalogueGrid:
        """The grid of which `identity()` is this, its data found at a place."""
        fingerprints = tuple(tuple(identity["data_sets"][name]) for name in identity["data_sets"])
        return CatalogueGrid(tuple(identity["data_sets"]), fingerprints, place)

    @property
    def items(self) -> int:
        """Data sets."""
        return len(self.names)

    @property
    def example(self) -> str:
        """The first data set."""
        return f"--source {quote(self.names[0])}"

    def identity(self) -> dict[str, Any]:
        """All that can change a number."""
        known = dict(zip(self.names, map(list, self.fingerprints), strict=True))
        return {"grid": "catalogue", "results_version": RESULTS_VERSION, "data_sets": known}

    def prepare(self) -> None:
        """Nothing: a data set that cannot be had becomes a row that says so."""

    def work(self, first: int, stop: int) -> dict[str, pa.Table]:
        """The rows of some data sets; one that cannot be had or read has rows that say so."""
        import pyarrow as pa

        from pipeline.grids.catalogue.rows import failure_rows, rows_of_set

        known = self.place.open()
        found = []
        for name in self.names[first:stop]:
            try:
                found.append(rows_of_set(name, known.load(name)))
            except OrchardError as error:
                found.append(failure_rows(name, "failed", str(error)))
        return {table: pa.concat_tables([tables[table] for tables in found]) for table in self.tables}

    def failure(self, item: int, status: str, error: str) -> dict[str, pa.Table]:
        """The rows of a data set whose reading took down its worker."""
        from pipeline.grids.catalogue.rows import failure_rows

        return failure_rows(self.names[item], status, error)

    def item(self, row: Mapping[str, Any]) -> int:
        """The item that a data set is; ConfigError where there is none."""
        return place_of("source", row.get("source"), self.names)

    def title(self, item: int) -> str:
        """Its name."""
        return self.names[item]

    def table(self, item: int) -> DecisionTable:
        """The decision table of a data set, each distinct number a value and each missing value one of its own."""
        from algorithms.tables_from_data import decision_table

        return decision_table(self.place.open().load(self.names[item]).whole, missing="value", numeric="values")

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:  # noqa: ARG002 - of no row
        """ConfigError: this grid has no trees."""
        msg = "a catalogue has data sets and no builders, so its rows have no trees"
        raise ConfigError(msg)

    def load_summary(self) -> None:
        """Nothing: there is no figure."""

    def summarise(self, parts: Mapping[str, Sequence[Part]], folder: Path) -> GridSummary:
        """What each data set holds."""
        from pipeline.grids.catalogue.summary import summary

        return summary(self._undeclared()).of(parts, folder)

    def _undeclared(self) -> list[str]:
        """The data sets of which nothing says what they are to hold, as far as the catalogue is still there to ask."""
        undeclared = []
        with suppress(OrchardError):
            known = self.place.open()
            undeclared += [name for name in self.names if not known.declares(name)]
        return undeclared


KIND = GridKind(CatalogueSettings, lambda found, _: CatalogueGrid.of(found), CatalogueGrid.from_identity)
