"""The data sets and builders that a declared comparison names: each must be known, in the run or elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.builders import builder_files
from pipeline.data.sources import Place, Source
from pipeline.errors import ConfigError, no_choice
from pipeline.grammar.comparison.claims import COLUMNS
from pipeline.grammar.comparison.csv_rows import csv_rows
from pipeline.grammar.comparison.declared import sections_of
from pipeline.yaml_files import read_plain_yaml

if TYPE_CHECKING:
    from pipeline.data.catalogue.catalogue import Catalogue
    from pipeline.discovery import Places

__all__ = ["KnownNames", "check_claims", "check_names"]

PARTED = re.compile(r"(.+?)(?: \((?:\d+ rows|(?:\d+ rows of )?(train|test))\))?")
"""The title of a data set: its name, and which rows of it where those are not all."""


def check_names(file: Path, known: KnownNames) -> None:
    """Raise ConfigError where a `comparison.yaml`, or a CSV beside it, has a name that is not known."""
    declared = sections_of(file)
    if printed := declared.get("printed"):
        for column, builder in printed["builders"].items():
            known.check_builder(f"{file}: printed.builders, column {column}", builder, readings=True)
        for where, row in csv_rows(file.parent / printed["values"], ["source"], ["case", "source"]):
            known.check_source(f"{where}, column source", row["source"])
    if claims := declared.get("claims"):
        check_claims(file.parent / claims["values"], known)
    for larger, smaller in declared.get("trees", ()):
        for builder in (larger, *smaller):
            known.check_builder(f"{file}: trees", builder)


def check_claims(file: Path, known: KnownNames) -> None:
    """Raise ConfigError where a CSV of claims has a name that is not known."""
    for where, row in csv_rows(file, COLUMNS, COLUMNS):
        for column in ("left", "right"):
            known.check_builder(f"{where}, column {column}", row[column])
        if row["on"]:
            known.check_source(f"{where}, column on", row["on"])


@dataclass(frozen=True)
class KnownNames:
    """The data sets and builders of a run, and those that other runs can have.

    sources  : of the run
    builders : of the run, by name
    place    : where the catalogue is
    places   : where YAMLs of builders and of grids are
    """

    sources: Sequence[Source]
    builders: Sequence[str]
    place: Place
    places: Places

    def check_source(self, where: str, title: str) -> None:
        """Raise ConfigError where no run can have a data set of this title."""
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
        """Raise ConfigError where no run has a builder of this name or, with `readings`, one whose name goes on."""
        if name in self.builders or name in self._all_builders:
            return
        if not readings or not any(known.startswith(f"{name}_") for known in self._all_builders):
            msg = f"{where}: {no_choice('builder', name, sorted(self._all_builders))}"
            raise ConfigError(msg)

    @cached_property
    def _all_builders(self) -> set[str]:
        """The names of the run's builders, of the YAMLs of builders, and of variants in the YAMLs of grids."""
        named = (str(one["name"]) for one in self._in_grids("builders") if isinstance(one, dict) and "name" in one)
        return {*self.builders, *builder_files(self.places.conf_folders), *named}

    @cached_property
    def _paths_in_grids(self) -> set[str]:
        return {re.sub(r"(:(all|train|test))?(:\d+)?$", "", str(one)) for one in self._in_grids("source")}

    @cached_property
    def _catalogue(self) -> Catalogue:
        return self.place.open()

    def _in_grids(self, key: str) -> list[Any]:
        """What the lists under a key of all YAMLs of grids hold; a YAML that cannot be read has none."""
        found: list[Any] = []
        for file in (file for folder in self.places.conf_folders for file in (folder / "grid").glob("*.yaml")):
            with suppress(ConfigError):
                grid = read_plain_yaml(file)
                listed = grid.get(key) if isinstance(grid, dict) else None
                found += listed if isinstance(listed, list) else [listed]
        return found
