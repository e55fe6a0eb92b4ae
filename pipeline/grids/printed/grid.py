"""Rerun a printed table of any paper: the data sets of its rows, the builders of its columns, one protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Annotated, Any

from pipeline.builders import builder_files
from pipeline.configuration.option_text import mapping_option, mapping_options
from pipeline.data.catalogue.column_choice import ColumnChoice
from pipeline.data.protocols import Protocol
from pipeline.data.sources import DataLocation
from pipeline.errors import ConfigError, no_choice
from pipeline.grammar.comparison.grid import DROP, GENERAL, CompareBuildersGrid, NamedSummary
from pipeline.grammar.keys import Key
from pipeline.printed_table.checks import DataSets, claims_on, exchanged, names_of_sets
from pipeline.printed_table.claim import Claim, Possibility
from pipeline.printed_table.figure import ALL, MEAN, PrintedFigure, PrintedTable
from pipeline.printed_table.measures import MEAN_PRECISION
from pipeline.printed_table.names import BUILDER_NAMES, NameMatcher
from pipeline.printed_table.reading import read_printed_table
from pipeline.printed_table.shares import Evaluation
from pipeline.typed_paths import typed_path
from pipeline.words import first_of

if TYPE_CHECKING:
    from pipeline.discovery import SearchPath
    from pipeline.grammar.summary import Summary

MOST_REMARKS = 10
"""Most remarks in the message about a table without any available data set or builder."""
SIZES_NEAR = 0.1
"""The share of a printed size or depth that does not matter."""
WORST_FIRST = (Possibility.IMPOSSIBLE, Possibility.UNDECIDED, Possibility.POSSIBLE)


@dataclass
class ConfiguredTable:
    """The printed table of a configuration.

    table      : the table as read
    sets       : the data sets of its rows
    builders   : the builder names in its columns, and our names of these builders
    evaluation : how the rows are tested
    sources    : the available data sets, as `source` names them, keyed by their names in the table
    """

    table: PrintedTable
    sets: DataSets
    builders: NameMatcher
    evaluation: Evaluation
    remarks: list[str] = field(default_factory=list)

    @cached_property
    def sources(self) -> dict[str, str]:
        """Our names of the data sets in its rows; a remark for each that is not available."""
        result = {}
        for printed in dict.fromkeys(figure.source for figure in self.table.figures):
            if printed not in (MEAN, ALL) and self.sets.loaded(printed) is not None:
                name = self.sets.names.find(printed).name or printed
                result[printed] = name
        return result

    @cached_property
    def builder_names(self) -> dict[str, str]:
        """Our names of the builders in its columns; a remark for each that is unknown."""
        result = {}
        for printed in dict.fromkeys(figure.builder for figure in self.table.figures if figure.measure.column):
            match = self.builders.find(printed)
            if match.name is None:
                near = f": is it {' or '.join(match.near)}?" if match.near else "."
                self.remarks.append(
                    f"builder {printed}: there is no builder of this name{near} Write {self._named(printed)}"
                )
            else:
                result[printed] = match.name
        return result

    def _named(self, printed: str) -> str:
        """What to type to map the headings of a printed builder, with their measures, to one of our builders."""
        figures = (figure for figure in self.table.figures if figure.builder == printed)
        measures = {figure.column: figure.measure.name for figure in figures if figure.column.startswith(f"{printed} ")}
        if not measures:
            return mapping_option("columns", printed, "NAME")
        return mapping_options("columns", {heading: f"NAME {measure}" for heading, measure in measures.items()})

    @cached_property
    def classes(self) -> dict[str, int]:
        """The number of classes, from the table or the data set, of each set with a mean precision; keyed by title."""
        result = {}
        for figure in self.table.figures:
            if figure.measure.name == MEAN_PRECISION and figure.source in self.sources:
                name, _, part = self.sources[figure.source].rpartition(":")
                title = name if part == "all" else f"{name} ({part})" if name else part
                loaded = self.sets.loaded(figure.source)
                result[title] = figure.classes or (len(loaded.whole.classes) if loaded else 0)
        return result

    @cached_property
    def as_printed(self) -> bool:
        """Whether each figure of a row has its own heading; if not, a heading covers several builders."""
        figures = self.table.figures
        return len({(figure.source, figure.column) for figure in figures}) == len(figures)

    @property
    def context(self) -> dict[str, Any]:
        """Its figures and claims, as tables of the summary."""
        return {
            "printed": [_figure_row(index, figure, self) for index, figure in enumerate(self.table.figures)],
            "claimed": [_claim_row(index, claim) for index, claim in enumerate(self.claims)],
        }

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """The claims about its figures."""
        return tuple(claims_on(self.table, self.sets, self.evaluation))


def _figure_row(index: int, figure: PrintedFigure, configured: ConfiguredTable) -> dict[str, Any]:
    """A printed figure as a row of the summary."""
    unit = Fraction(1, 10) ** figure.digits / 2
    near = float(unit) if figure.measure.share else max(float(unit), SIZES_NEAR * float(figure.value))
    claims = [claim for claim in configured.claims if figure in claim.figures]
    worst = next((verdict for verdict in WORST_FIRST if any(claim.verdict is verdict for claim in claims)), None)
    against = [claim for claim in claims if claim.verdict is Possibility.IMPOSSIBLE]
    proofs = [f"{claim.test}: {claim.proof}" for claim in against]
    return {
        "place": index,
        "line": figure.line,
        "row": figure.source,
        "heading": figure.column if configured.as_printed else f"{figure.builder} {figure.measure.name}",
        "source": configured.sources.get(figure.source, ""),
        "builder": configured.builder_names.get(figure.builder, ""),
        "measure": figure.measure.name,
        "text": figure.shown,
        "value": float(figure.value),
        "below": figure.below,
        "near": near,
        "corrected": None if figure.corrected is None else float(figure.corrected),
        "can_be": None if worst is None else str(worst),
        "disproved": any(len(claim.figures) == 1 for claim in against),
        "note": "; ".join(filter(None, [figure.note, *proofs])) or None,
    }


def _claim_row(index: int, claim: Claim) -> dict[str, Any]:
    """A claim as a row of the summary."""
    return {
        "place": index,
        "test": claim.test,
        "verdict": str(claim.verdict),
        "at": claim.where,
        "figures": "; ".join(figure.named for figure in claim.figures),
        "proof": claim.proof,
        "assumes": claim.assumes or None,
        "show": claim.question or claim.tree or None,
    }


def _texts(key: str, value: Any) -> dict[str, str]:
    """The mapping of texts in a key of the configuration."""
    given = value or {}
    if not isinstance(given, dict) or not all(isinstance(text, str) for pair in given.items() for text in pair):
        raise ConfigError(
            f"{key} is {value!r}: expected a mapping, such as {{Iris: uci/iris}}; write a name of digits in quotes"
        )
    return dict(given)


def _configured_table(config: Any, search_path: SearchPath) -> ConfiguredTable:
    """Read the printed table that a configuration names; ConfigError if that fails."""
    if not isinstance(config.printed, str):
        given = "null" if config.printed is None else repr(config.printed)
        raise ConfigError(f"`printed` is {given}: expected the CSV of a printed table, such as printed=table.csv")
    rows, columns = _texts("rows", config.rows), _texts("columns", config.columns)
    table = read_printed_table(typed_path(config.printed), columns, config.measure, config.decimals)
    catalogue = DataLocation.of(config.data).open()
    known = {*builder_files(search_path.conf_folders), *_own_builders(config.builders)}
    builders = NameMatcher(sorted(known), {}, BUILDER_NAMES)
    _check_builders(table, columns, builders)
    protocol = Protocol.of(config.protocol)
    return ConfiguredTable(
        table,
        DataSets(
            catalogue,
            names_of_sets(catalogue, table, rows),
            partial(mapping_option, "rows"),
            ColumnChoice.of(config),
            published=protocol.method == "published",
            complete=config.incomplete_rows == DROP,
        ),
        builders,
        _evaluation(protocol),
    )


def _check_builders(table: PrintedTable, columns: Mapping[str, str], builders: NameMatcher) -> None:
    """Raise ConfigError if `columns` maps a heading to a builder that does not exist."""
    named = {figure.builder for figure in table.figures}
    for heading, given in columns.items():
        name = next((each for each in named if f"{given} ".startswith(f"{each} ")), "")  # a measure may follow it
        if name not in heading and builders.find(name).name is None:
            raise ConfigError(f"columns.{heading} is {given!r}: {no_choice('builder', name, builders.known)}")


def _own_builders(builders: Any) -> list[str]:
    """The names of the builders that the configuration itself defines."""
    given = builders if isinstance(builders, list) else []
    names = [entry.get("name", entry.get("builder")) if isinstance(entry, dict) else entry for entry in given]
    return [name for name in names if isinstance(name, str)]


def _evaluation(protocol: Protocol) -> Evaluation:
    share = Fraction(str(protocol.test_share)).limit_denominator(1000) if protocol.method == "holdout" else None
    folds = protocol.folds if protocol.method == "k_fold" else None
    return Evaluation(folds, protocol.repeats, share, published=protocol.method == "published")


def _with_all(name: str) -> str:
    """The data set of a printed row: the whole data set, unless a part is given."""
    return name if name.rpartition(":")[0] else f"{name}:all"


PRINTED = Key(
    {"printed": Any, "rows": Any, "columns": Any, "measure": str, "decimals": int | None},
    lambda _, __: None,
    lambda _, __: None,
)
"""The keys of a printed table, which `PrintedGrid.of` reads together."""


@dataclass(frozen=True)
class PrintedSummary(NamedSummary):
    """The summary of a comparison with a printed table.

    configured : the printed table
    splits     : number of splits behind each of our figures
    """

    configured: ConfiguredTable = field(kw_only=True)
    splits: int = field(kw_only=True)

    @property
    def context(self) -> dict[str, Any]:
        """The printed figures, and the claims about them."""
        return {"splits": self.splits, **self.configured.context}

    @property
    def remarks(self) -> Sequence[str]:
        """The parts of the table that are left out."""
        return (*self.configured.table.remarks, *self.configured.sets.remarks, *self.configured.remarks)

    def summary(self) -> Summary:
        """The printed table beside ours."""
        from pipeline.grids.printed.summary import summary_of

        return summary_of(self.configured.classes)


@dataclass(frozen=True, kw_only=True)
class PrintedGrid(CompareBuildersGrid, version=5, kind="compare_builders"):
    """A comparison of builders that is made from a printed table; its keys are those of both."""

    summary: NamedSummary = field(compare=False, default=GENERAL)
    configured: Annotated[None, PRINTED] = field(compare=False, default=None)

    @classmethod
    def of(cls, config: Any, search_path: SearchPath) -> CompareBuildersGrid:  # type: ignore[override]
        """Make the comparison of a composed configuration. By default its sets and builders are the table's."""
        configured, derived = _configured_table(config, search_path), copy(config)
        if config.source is None:
            derived.source = list(dict.fromkeys(map(_with_all, configured.sources.values())))
        if config.builders is None:
            derived.builders = list(dict.fromkeys(configured.builder_names.values()))
        for key, what, say in (
            ("source", "data sets of its rows", "rows={NAME: uci/…}"),
            ("builders", "builders of its columns", "columns={HEADING: c45}"),
        ):
            if not getattr(derived, key):
                turned = exchanged(configured.table, configured.sets.names)
                why = [f"\n- {remark}" for remark in (*turned, *configured.sets.remarks, *configured.remarks)]
                options = f"{'Or type' if why else 'Type'} {say} or {key}=[…]"
                together = mapping_options("rows", configured.sets.without_file)
                if key == "source" and len(configured.sets.without_file) > 1 and together:
                    options = f"Without a file, you can use {together}\n{options}"
                raise ConfigError(
                    f"{config.printed}: none of the {what} is available.{first_of(why, MOST_REMARKS, '')}\n{options}"
                )
        grid = super().of(derived, search_path)
        of_comparison = {key.name: getattr(grid, key.name) for key in fields(CompareBuildersGrid)}
        splits = grid.protocol.repeats * grid.protocol.folds
        summary = PrintedSummary("printed", configured=configured, splits=splits)
        return CompareBuildersGrid(**of_comparison | {"summary": summary})


KIND = PrintedGrid.offered()
