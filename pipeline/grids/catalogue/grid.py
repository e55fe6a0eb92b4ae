"""Read every data set of the catalogue and check it against the recorded contents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from algorithms.data.data_set import MISSING, AttributeKind, DataSet
from algorithms.data.tables_from_data import decision_table
from algorithms.measures.partitions import join
from pipeline.configuration.settings import Data
from pipeline.data.sources import DataLocation, Source, listed
from pipeline.errors import ConfigError, OrchardError
from pipeline.failures import FailedError, Failure
from pipeline.grammar.axes import Item, of_sources
from pipeline.grammar.cells import Made
from pipeline.grammar.keys import Key
from pipeline.grammar.sources import DataGrid
from pipeline.grid import RESULTS_TABLE

if TYPE_CHECKING:
    from algorithms.data.table import DecisionTable
    from pipeline.data.catalogue.loading import LoadedSet
    from pipeline.discovery import SearchPath


def _data_sets(config: Any, _: SearchPath) -> tuple[Source, ...]:
    location = DataLocation.of(config.data)
    catalogue = location.open()
    names = catalogue.names() if config.source is None else listed(config.source)
    if not names or len(set(names)) < len(names):
        raise ConfigError(f"`source` is {names}: expected different data sets, or null for all")
    return tuple(Source(name, "all", catalogue.fingerprints(name), location=location) for name in names)


DATA_SETS = Key(
    {"source": Any, "data": Data},
    _data_sets,
    lambda kept, location: tuple(
        Source(name, "all", tuple(fingerprints), location=location) for name, fingerprints in kept.items()
    ),
    lambda sources: {source.name: list(source.fingerprints) for source in sources},
    kept="data_sets",
)


@dataclass(frozen=True, kw_only=True)
class CatalogueGrid(DataGrid, version=1):
    """Data sets by name, each with its recorded contents."""

    sources: Annotated[tuple[Source, ...], DATA_SETS]

    axes = (of_sources(),)
    methods = (None,)
    noun = "data sets"
    tables = failed_rows_in = (RESULTS_TABLE, "data_sets")
    first_items = 4
    question = '"select source, part, rows, distinct_rows, contradictions from data_sets order by rows desc"'

    def prepare(self, notify: Callable[[str], None]) -> None:
        """Do nothing: a missing data set becomes a row that says so."""

    def loaded(self, item: Item) -> LoadedSet:
        """The data set, whatever it contained when the run began."""
        return item.source.location.open().load(item.source.name)  # type: ignore[no-any-return]

    def cell(self, item: Item, _: None) -> Made:
        """Measure the sizes of a data set and of each of its parts."""
        try:
            loaded = self.loaded(item)
        except OrchardError as error:
            raise FailedError(Failure("failed", str(error))) from error
        ok = {"fingerprint": loaded.fingerprint, "status": "ok"}
        parts = [{"part": part, **counts(data), **ok} for part, data in loaded.parts.items()]
        return Made({"rows": sum(part["rows"] for part in parts), "status": "ok"}, more={"data_sets": parts})

    def table(self, number: int) -> DecisionTable:
        """The decision table of a data set: each distinct number is a value, and so is a missing one."""
        return decision_table(self.loaded(self.item(number)).whole, missing="value", numeric="values")

    def method_of(self, row: Mapping[str, Any]) -> str:  # noqa: ARG002 - of no row
        """Raise ConfigError: this grid has no trees."""
        raise ConfigError("a catalogue has data sets and no builders, so its rows have no trees")

    @property
    def context(self) -> dict[str, Any]:
        """Which data sets the catalogue has a fingerprint of; all, if the catalogue is not available."""
        declared = [source.name for source in self.sources]
        with suppress(OrchardError):
            declared = list(filter(self.sources[0].location.open().declares, declared))
        return {"known": [{"source": source.name, "declared": source.name in declared} for source in self.sources]}


def counts(data: DataSet) -> dict[str, int]:
    """The sizes of a data set. When rows are compared, a missing value counts as one more value."""
    kinds = [attribute.kind for attribute in data.attributes]
    coded = (np.unique(column, return_inverse=True)[1] for column in data.columns)  # for numbers; here NaN equals NaN
    groups = join(np.zeros(data.rows, np.int64), *coded)
    classes = np.unique(np.stack([groups, data.decisions], axis=1)[data.decisions != MISSING], axis=0)
    return {
        "rows": data.rows,
        "nominal": kinds.count(AttributeKind.NOMINAL),
        "numeric": kinds.count(AttributeKind.NUMERIC),
        "classes": len(np.unique(data.decisions[data.decisions != MISSING])),
        "missing_cells": int(data.missing.sum()),
        "missing_classes": int((data.decisions == MISSING).sum()),
        "distinct_rows": len(np.unique(groups)),
        "contradictions": int((np.bincount(classes[:, 0]) > 1).sum()),
    }


KIND = CatalogueGrid.offered()
