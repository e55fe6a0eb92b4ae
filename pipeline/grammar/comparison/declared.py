"""A comparison declared in YAML: printed values, standings beside the first builder, claims; and the names it uses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pipeline.builders import builder_files
from pipeline.configuration.rules import at_least, one_of, within
from pipeline.data.catalogue.catalogue import Catalogue
from pipeline.data.sources import DataLocation, Source
from pipeline.discovery import SearchPath
from pipeline.errors import ConfigError, did_you_mean, no_choice
from pipeline.grammar.comparison.candidates import candidates
from pipeline.grammar.comparison.claims import COLUMNS, claims
from pipeline.grammar.comparison.measures import MEASURES
from pipeline.grammar.comparison.printed import printed
from pipeline.grammar.comparison.printed_values import csv_rows, printed_values_of
from pipeline.grammar.comparison.sections import comparison, splits
from pipeline.grammar.comparison.standings import standings
from pipeline.grammar.notable_trees import no_worse_but_smaller
from pipeline.grammar.summary import Results, Summary
from pipeline.grid import NotableTree
from pipeline.printed_table.figure import PER_CENT
from pipeline.words import TYPES
from pipeline.yaml_files import read_plain_yaml

SECTIONS: dict[str, dict[str, type]] = {
    "printed": {
        "title": str,
        "headline": str,
        "values": str,
        "builders": dict,
        "folds": int,
        "measure": str,
        "rounding": float,
        "note": str,
        "legend": str,
    },
    "candidates": {"title": str, "values": str, "builders": dict},
    "standings": {"title": str, "headline": str},
    "claims": {"title": str, "document": str, "values": str, "remark": str},
}
"""The sections that a declaration may have, with the keys of each."""
RULES = {"folds": at_least(1), "measure": one_of(*MEASURES), "rounding": within(0, PER_CENT)}
OPTIONAL = {"note": "", "legend": "", "remark": "", "headline": "", "measure": "accuracy", "rounding": None}


def declared_comparison(name: str, file: Path) -> Summary:
    """Make the summary that a grid's `comparison.yaml` declares.

    Parameters
    ----------
    name : str
        Of the grid; file name of its table and figure.
    file : Path
        It has one or more of these sections.

        ``printed`` compares a measure with printed values. ``title``: of the table. ``values``: a CSV with the columns
        ``case`` (the paper's name of a data set), ``source``, optionally ``remark``, and values in percent.
        ``builders``: which of its columns belongs to which builder. ``folds``: the number of splits behind a printed
        value. Optional: ``measure``, one of `measures.MEASURES`; ``rounding``, half a unit of the last printed digit,
        if the CSV has lost digits; ``headline`` of the figure; ``note``; ``legend`` of the terminal output.

        ``candidates`` compares such values with accuracy and mean precision, and with each candidate builder:
        ``title``, ``values`` (a CSV as for ``printed``, with the column ``classes``) and ``builders``.

        ``standings`` compares each builder with the first: ``title``, ``headline``.

        ``claims`` tests differences between two builders: ``title``, ``document``, ``values`` (a CSV with the columns
        ``claim``, ``left``, ``right``, ``measure``, ``side``, ``bound`` and ``on``) and ``remark``.

        ``trees`` lists pairs of a builder and a list of others. It shows the trees of a split on which one of the
        others, tried in order, saves most leaves of the builder's tree without losing accuracy.

    Raises
    ------
    ConfigError
        A section, a key or a column is missing, unknown or of the wrong type.
    """
    declared, folder = sections_of(file), file.parent
    sections = []
    if keys := declared.get("printed"):
        sections.append(printed(name, folder, keys))
    if keys := declared.get("candidates"):
        sections.append(candidates(keys["title"], folder / keys["values"], keys["builders"]))
    if keys := declared.get("standings"):
        sections.append(standings(name, keys["title"], keys["headline"] or keys["title"]))
    if keys := declared.get("claims"):
        sections.append(claims(folder / keys.pop("values"), **keys))
    if pairs := declared.get("trees"):
        sections = [replace(section, trees=lambda _: ()) for section in sections]
        sections.append(Summary(trees=lambda results: _trees(results, pairs)))
    return comparison(*sections)


def sections_of(file: Path) -> dict[str, Any]:
    """The sections of a declaration, with defaults for missing optional keys."""
    declared = read_plain_yaml(file)
    sections = [*SECTIONS, "trees"]
    if not isinstance(declared, dict) or not declared or any(section not in sections for section in declared):
        msg = f"{file}: expected one or more of the sections {', '.join(sections)}"
        raise ConfigError(msg)
    return {
        section: _checked_trees(file, keys) if section == "trees" else _checked(file, section, keys)
        for section, keys in declared.items()
    }


def _checked(file: Path, section: str, given: Any) -> dict[str, Any]:
    keys = SECTIONS[section]
    if not isinstance(given, dict):
        msg = f"{file}: {section} is {given!r}: expected keys with values, such as {', '.join(keys)}"
        raise ConfigError(msg)
    for key, value in given.items():
        if key not in keys:
            hint = did_you_mean(key, keys, f"{section}.")
            msg = f"{file}: unknown key '{section}.{key}'{hint}\nkeys under {section}: {', '.join(keys)}"
            raise ConfigError(msg)
        kind = keys[key]
        if not isinstance(value, (int, float) if kind is float else kind) or isinstance(value, bool):
            msg = f"{file}: {section}.{key} is {'null' if value is None else repr(value)}: expected {TYPES[kind]}"
            raise ConfigError(msg)
    whole: dict[str, Any] = {key: OPTIONAL[key] for key in keys if key in OPTIONAL} | given
    missing = [key for key in keys if key not in whole]
    if missing:
        msg = f"{file}: no value for {', '.join(f'{section}.{key}' for key in missing)}"
        raise ConfigError(msg)
    _check_values(file, section, whole)
    return whole


def _checked_trees(file: Path, given: Any) -> list[tuple[str, list[str]]]:
    pairs = [tuple(pair) for pair in given] if isinstance(given, list) and all(map(_is_pair, given)) else []
    if not pairs:
        msg = f"{file}: trees is {given!r}: expected a list of pairs [BUILDER, [OTHERS]]"
        raise ConfigError(msg)
    return pairs


def _is_pair(given: Any) -> bool:
    match given:
        case [str(), [*others]]:
            return all(isinstance(name, str) for name in others)
    return False


def _check_values(file: Path, section: str, whole: Mapping[str, Any]) -> None:
    """Raise ConfigError if a value of the right type is not allowed."""
    if "values" in whole and not (file.parent / whole["values"]).is_file():
        existing = ", ".join(sorted(path.name for path in file.parent.glob("*.csv"))) or "none"
        what = f"{section}.values is {whole['values']!r}"
        msg = f"{file}: {what}: expected the name of a CSV in {file.parent}, found {existing}"
        raise ConfigError(msg)
    for key, rule in RULES.items():
        if (value := whole.get(key)) is not None:
            rule.check(f"{file}: {section}.{key}", value)
    if not all(isinstance(word, str) for pair in whole.get("builders", {}).items() for word in pair):
        given = f"{section}.builders is {whole['builders']!r}"
        msg = f"{file}: {given}: expected COLUMN: BUILDER for each column; put numbers in quotes"
        raise ConfigError(msg)


def _trees(results: Results, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[NotableTree]:
    by_split = splits(results)
    return [
        tree
        for larger, smaller in pairs
        for tree in next(filter(None, (no_worse_but_smaller(by_split, larger, name) for name in smaller)), ())
    ]


PARTED = re.compile(r"(.+?)(?: \((?:\d+ rows|(?:\d+ rows of )?(train|test))\))?")
"""The title of a data set: its name and, unless it is the whole, its part."""


def check_names(file: Path, known: KnownNames) -> None:
    """Raise ConfigError if a `comparison.yaml`, or a CSV beside it, contains an unknown name."""
    declared = sections_of(file)
    for section in declared.keys() & {"printed", "candidates"}:
        printed = declared[section]
        for column, builder in printed["builders"].items():
            known.check_builder(f"{file}: {section}.builders, column {column}", builder, readings=True)
        values = file.parent / printed["values"]
        for row in printed_values_of(values, printed["builders"]):
            known.check_source(f"{values}, line {row['line']}, column source", row["source"])
    if claims := declared.get("claims"):
        check_claims(file.parent / claims["values"], known)
    for larger, smaller in declared.get("trees", ()):
        for builder in (larger, *smaller):
            known.check_builder(f"{file}: trees", builder)


def check_claims(file: Path, known: KnownNames) -> None:
    """Raise ConfigError if a CSV of claims contains an unknown name."""
    for where, row in csv_rows(file, COLUMNS, COLUMNS):
        for column in ("left", "right"):
            known.check_builder(f"{where}, column {column}", row[column])
        if row["on"]:
            known.check_source(f"{where}, column on", row["on"])


@dataclass(frozen=True)
class KnownNames:
    """The data sets and builders of a run, and those that other runs can have.

    sources     : of the run
    builders    : of the run, keyed by name
    location    : where the catalogue is
    search_path : where the YAMLs of builders and of grids are
    """

    sources: Sequence[Source]
    builders: Sequence[str]
    location: DataLocation
    search_path: SearchPath

    def check_source(self, where: str, title: str) -> None:
        """Raise ConfigError if no run can have a data set with this title."""
        from pipeline.data.catalogue.catalogue import is_path

        if any(title == source.title for source in self.sources):
            return
        matched = PARTED.fullmatch(title)
        name, part = matched.groups() if matched else (title, None)
        if is_path(name):
            if not Path(name).expanduser().is_file() and name not in self._paths_in_grids:
                msg = f"{where}: there is no file {name}"
                raise ConfigError(msg)
            return
        try:
            parts = () if name in self._catalogue.built_in else tuple(self._catalogue.entry(name).files)
        except ConfigError as error:
            msg = f"{where}: {error}"
            raise ConfigError(msg) from error
        if part and part not in parts:
            msg = f"{where}: '{name}' has no part '{part}'"
            raise ConfigError(msg)

    def check_builder(self, where: str, name: str, *, readings: bool = False) -> None:
        """Raise ConfigError if no run has a builder with this name or, if `readings`, one whose name continues it."""
        if name in self.builders or name in self._all_builders:
            return
        if not readings or not any(builder.startswith(f"{name}_") for builder in self._all_builders):
            msg = f"{where}: {no_choice('builder', name, sorted(self._all_builders))}"
            raise ConfigError(msg)

    @cached_property
    def _all_builders(self) -> set[str]:
        """The names of the run's builders, of the YAMLs of builders, and of variants in the YAMLs of grids."""
        listed = self._in_grids("builders")
        variants = (str(entry["name"]) for entry in listed if isinstance(entry, dict) and "name" in entry)
        return {*self.builders, *builder_files(self.search_path.conf_folders), *variants}

    @cached_property
    def _paths_in_grids(self) -> set[str]:
        return {re.sub(r"(:(all|train|test))?(:\d+)?$", "", str(source)) for source in self._in_grids("source")}

    @cached_property
    def _catalogue(self) -> Catalogue:
        return self.location.open()

    def _in_grids(self, key: str) -> list[Any]:
        """The contents of the lists under a key of all YAMLs of grids; a YAML that cannot be read has none."""
        result: list[Any] = []
        for file in (file for folder in self.search_path.conf_folders for file in (folder / "grid").glob("*.yaml")):
            with suppress(ConfigError):
                grid = read_plain_yaml(file)
                listed = grid.get(key) if isinstance(grid, dict) else None
                result += listed if isinstance(listed, list) else [listed]
        return result
