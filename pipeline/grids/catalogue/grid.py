"""Every data set of the catalogue, read and held against what the catalogue says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

from pipeline.configuration.settings import Data
from pipeline.data.sources import Place, Source, listed
from pipeline.errors import ConfigError, OrchardError
from pipeline.grammar.at import At
from pipeline.grammar.axes import of_sources
from pipeline.grammar.cells import CellGrid, Made
from pipeline.grammar.fields import Key
from pipeline.grid import RESULTS_TABLE, GridSummary
from pipeline.storage.parts import Part
from pipeline.work.losses import Loss, LostError

if TYPE_CHECKING:
    from algorithms.table import DecisionTable
    from pipeline.data.catalogue.loading import LoadedSet
    from pipeline.discovery import Places

__all__ = ["KIND", "CatalogueGrid"]


def _data_sets(config: Any, _: Places) -> tuple[Source, ...]:
    place = Place.of(config.data)
    known = place.open()
    names = known.names() if config.source is None else listed(config.source)
    if not names or len(set(names)) < len(names):
        msg = f"source is {names}: expected data sets, each once, or null for all"
        raise ConfigError(msg)
    return tuple(Source(name, "all", known.fingerprints(name), place=place) for name in names)


DATA_SETS = Key(
    {"source": Any, "data": Data},
    _data_sets,
    lambda kept, place: tuple(Source(name, "all", tuple(known), place=place) for name, known in kept.items()),
    lambda sources: {source.name: list(source.fingerprints) for source in sources},
    kept="data_sets",
)


@dataclass(frozen=True, kw_only=True)
class CatalogueGrid(CellGrid, version=1):
    """Data sets by name, each with the contents that are known to be it."""

    sources: Annotated[tuple[Source, ...], DATA_SETS]

    axes = (of_sources(),)
    asks = ("sizes",)
    noun = "data sets"
    tables = lost_in = (RESULTS_TABLE, "data_sets")
    first_items = 4
    question = '"select source, part, rows, distinct_rows, contradictions from data_sets order by rows desc"'

    @property
    def example(self) -> str:
        """The first data set."""
        return f"--source {quote(self.sources[0].name)}"

    def prepare(self) -> None:
        """Nothing: a data set that cannot be had becomes a row that says so."""

    def called(self, at: At, ask: str) -> dict[str, Any]:  # noqa: ARG002
        """The data set alone."""
        return at.called

    def loaded(self, at: At) -> LoadedSet:
        """A data set, whatever it held when the run was begun."""
        return at.source.place.open().load(at.source.name)  # type: ignore[no-any-return]

    def cell(self, at: At, ask: str) -> Made:  # noqa: ARG002
        """The sizes of a data set and of each of its parts."""
        from pipeline.grids.catalogue.rows import sizes

        try:
            return sizes(self.loaded(at))
        except OrchardError as error:
            raise LostError(Loss("failed", str(error))) from error

    def table(self, item: int) -> DecisionTable:
        """The decision table of a data set, each distinct number a value and each missing value one of its own."""
        from algorithms.tables_from_data import decision_table

        return decision_table(self.loaded(self.at(item)).whole, missing="value", numeric="values")

    def ask_of(self, row: Mapping[str, Any]) -> str:  # noqa: ARG002 - of no row
        """ConfigError: this grid has no trees."""
        msg = "a catalogue has data sets and no builders, so its rows have no trees"
        raise ConfigError(msg)

    def summarise(self, parts: Mapping[str, Sequence[Part]], folder: Path) -> GridSummary:
        """What each data set holds."""
        from pipeline.grids.catalogue.summary import summary

        return summary(self._undeclared()).of(parts, folder)

    def _undeclared(self) -> list[str]:
        """The data sets of which nothing says what they are to hold, as far as the catalogue is still there to ask."""
        undeclared = []
        with suppress(OrchardError):
            known = self.sources[0].place.open()
            undeclared += [source.name for source in self.sources if not known.declares(source.name)]
        return undeclared


KIND = CatalogueGrid.offered()
