"""How a grid turns data sets into decision tables."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, get_args

from algorithms.data.attributes.discretisation import Method, fitted_thresholds, with_thresholds
from algorithms.data.attributes.thresholds import Thresholds
from algorithms.data.tables_from_data import OPTIONS, decision_table
from pipeline.configuration.rules import at_least, one_of
from pipeline.errors import ConfigError

if TYPE_CHECKING:
    from algorithms.data.table import DecisionTable
    from pipeline.configuration.settings import TableFromData
    from pipeline.data.catalogue.loading import LoadedSet

METHODS = get_args(Method)


@dataclass(frozen=True)
class TableOptions:
    """The options of `algorithms.data.tables_from_data.decision_table`, and of discretisation before it.

    numeric    : for numeric attributes without thresholds: `values`, `refuse`, or a method of
                 `algorithms.data.attributes.discretisation`, which finds cuts from the training rows
    bins       : number of intervals of equal width or frequency
    thresholds : cut points of numeric attributes, keyed by name
    """

    missing: str
    numeric: str
    bins: int
    thresholds: tuple[tuple[str, tuple[float, ...]], ...]
    distinct_attributes: str
    decision_ties: str
    row_weights: str

    @staticmethod
    def of(config: TableFromData) -> TableOptions:
        """Read the options from a configuration; ConfigError names one with a value that is not allowed."""
        thresholds = _thresholds(config.thresholds)
        for name, known in OPTIONS.items():
            one_of(*known, *(METHODS if name == "numeric" else ())).check(f"table.{name}", getattr(config, name))
        at_least(1).check("table.bins", config.bins)
        return TableOptions(**vars(config) | {"thresholds": thresholds})

    @staticmethod
    def from_identity(identity: dict[str, Any]) -> TableOptions:
        """Make the options from their `identity()`; identities without `decision_ties` are of runs that sorted."""
        thresholds = tuple((name, tuple(cuts)) for name, cuts in identity["thresholds"])
        return TableOptions(**({"decision_ties": "sorted"} | identity | {"thresholds": thresholds}))

    def identity(self) -> dict[str, Any]:
        """All of them, as JSON values."""
        return asdict(self) | {"thresholds": [[name, list(cuts)] for name, cuts in self.thresholds]}

    def table(self, loaded: LoadedSet, part: str) -> DecisionTable:
        """The decision table of a part of a data set; DataSetError if it has none.

        If a set has training rows, cut points are fitted on these alone, whichever part is requested.
        """
        data = with_thresholds(loaded.part(part), self._chosen)
        if self.numeric in METHODS:
            fitted = fitted_thresholds(loaded.parts.get("train", loaded.part(part)), self.numeric, bins=self.bins)  # type: ignore[arg-type]
            data = with_thresholds(data, {name: cuts for name, cuts in fitted.items() if name not in self._chosen})
        given = {name: getattr(self, name) for name in OPTIONS}
        return decision_table(data, **given | ({"numeric": "refuse"} if self.numeric in METHODS else {}))

    @property
    def _chosen(self) -> dict[str, Thresholds]:
        return {name: Thresholds(cuts) for name, cuts in self.thresholds}


def _thresholds(given: Any) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """The given cut points, keyed by attribute; ConfigError if they are not valid."""
    if not isinstance(given or {}, dict):
        raise ConfigError(
            f"table.thresholds is {given}: expected cut points for each attribute, such as {{age: [30, 50]}}"
        )
    chosen = []
    for name, cuts in (given or {}).items():
        if not isinstance(cuts, list) or not all(type(cut) in {int, float} for cut in cuts):
            raise ConfigError(f"table.thresholds of '{name}' is {cuts}: expected a list of numbers")
        try:
            Thresholds(tuple(map(float, cuts)))
        except ValueError as error:
            raise ConfigError(f"table.thresholds of '{name}': {error}") from error
        chosen.append((str(name), tuple(map(float, cuts))))
    return tuple(chosen)
