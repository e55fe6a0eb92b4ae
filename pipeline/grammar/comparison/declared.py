"""A comparison declared in YAML: its sections, and the names of builders and data sets in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from os.path import normpath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pipeline.builders import builder_files
from pipeline.configuration.rules import DISTINCT, Rule, at_least, each, one_of, within
from pipeline.csv_text import csv_rows
from pipeline.data.catalogue.catalogue import Catalogue
from pipeline.data.sources import DataLocation, Source
from pipeline.discovery import SearchPath
from pipeline.errors import ConfigError, did_you_mean, no_choice
from pipeline.grammar.comparison.candidates import candidates
from pipeline.grammar.comparison.claims import COLUMNS, claims
from pipeline.grammar.comparison.counts import counts
from pipeline.grammar.comparison.learning_curves import curves
from pipeline.grammar.comparison.printed import DIFFERENCES, printed
from pipeline.grammar.comparison.printed_ranks import ranks, wins
from pipeline.grammar.comparison.printed_values import MEASURES, printed_values_of
from pipeline.grammar.comparison.sections import MEASURES as MEANS
from pipeline.grammar.comparison.sections import comparison, splits
from pipeline.grammar.comparison.sizes import COLUMNS as SIZES
from pipeline.grammar.comparison.sizes import sizes
from pipeline.grammar.comparison.standings import standings
from pipeline.grammar.notable_trees import furthest_ahead, no_worse_but_smaller
from pipeline.grammar.summary import Results, Summary
from pipeline.grid import RESULTS_TABLE, NotableTree
from pipeline.printed_table.figure import PER_CENT
from pipeline.printed_table.measures import ACCURACY
from pipeline.schema import known_tables
from pipeline.storage.parts import publish
from pipeline.typed_paths import typed_path
from pipeline.words import TYPES
from pipeline.yaml_files import read_plain_yaml

_KEYS = {
    "sizes": "title values",
    "printed": "title headline values builders folds measure unit rounding least standard_errors differences also note "
    "legend",
    "counts": "title values observations by counts means columns rounding fewest noun note",
    "candidates": "title values builders",
    "ranks": "title tests without called",
    "wins": "title of against called",
    "standings": "title headline",
    "claims": "title document values remark",
    "curves": "headline",
}
SECTIONS = {section: keys.split() for section, keys in _KEYS.items()}
"""The sections that a declaration may have besides `trees`, in the order of their tables, with their keys."""


@dataclass(frozen=True)
class _Key:
    """The type of a key's values, the rule for them and, unless the key is required, its default."""

    kind: type = str
    rule: Rule | None = None
    default: Any = ...


KEYS = {
    **dict.fromkeys(("title", "values", "observations", "document"), _Key()),
    **dict.fromkeys(("headline", "differences", "note", "legend", "without", "called", "remark"), _Key(default="")),
    **dict.fromkeys(("builders", "counts"), _Key(dict)),
    **dict.fromkeys(("means", "columns"), _Key(dict, default={})),
    "also": _Key(dict, each(one_of(*MEANS)), {}),
    **dict.fromkeys(("of", "against", "by"), _Key(list)),
    "folds": _Key(int, at_least(1)),
    "fewest": _Key(int, at_least(1), 1),
    "measure": _Key(str, one_of(*MEASURES), ACCURACY),
    "unit": _Key(str, one_of("percent", "share"), "percent"),
    "rounding": _Key(float, within(0, PER_CENT), None),
    **dict.fromkeys(("least", "standard_errors"), _Key(float, at_least(0), 0)),
    "noun": _Key(default="data set"),
    "tests": _Key(default="Tests of the ranks"),
}
CSVS = {("sizes", "values"): SIZES, ("printed", "differences"): DIFFERENCES, ("claims", "values"): COLUMNS}
"""The keys that name a CSV with names of builders or data sets, besides those of printed values, and its columns."""
TREES: dict[str, Callable[..., tuple[NotableTree, ...]]] = {
    "leaves": no_worse_but_smaller,
    "accuracy": lambda by_split, behind, ahead: furthest_ahead(by_split, ahead, behind)[::-1],
}
"""How the trees of two builders are chosen: the second saves leaves at no cost, or the first loses accuracy."""


def declared_comparison(name: str, file: Path) -> Summary:
    """Make the summary that a grid's `comparison.yaml` declares.

    Parameters
    ----------
    name : str
        Name of the grid, and file name of its table and figure.
    file : Path
        Its sections are described in `docs/extend/grid.md`.

    Raises
    ------
    ConfigError
        A section, a key or a column is missing, unknown or of the wrong type.
    """
    declared, folder = sections_of(file), file.parent
    paper = declared.get("printed", {"values": "", "builders": {}})
    values, columns = folder / paper["values"], paper["builders"]
    sources = dict.fromkeys(row["source"] for row in printed_values_of(values, columns)) if columns else ()
    standing = "standings" if "printed" in declared else name
    made: dict[str, Callable[[dict[str, Any]], Summary]] = {
        "sizes": lambda keys: sizes(folder / keys.pop("values"), **keys),
        "printed": lambda keys: printed(name, folder, keys),
        "counts": lambda keys: counts("counts", folder, keys),
        "candidates": lambda keys: candidates(folder / keys.pop("values"), **keys),
        "ranks": lambda keys: ranks(values, columns, **keys),
        "wins": lambda keys: wins(values, columns, **keys),
        "standings": lambda keys: standings(standing, keys["title"], keys["headline"] or keys["title"]),
        "claims": lambda keys: claims(folder / keys.pop("values"), **keys, printed=tuple(sources)),
        "curves": lambda keys: curves(**keys),
    }
    sections = [make(declared[section]) for section, make in made.items() if section in declared]
    if chosen := declared.get("trees"):
        sections = [replace(section, trees=lambda _: ()) for section in sections]
        sections.append(Summary(trees=lambda results: _trees(results, chosen)))
    try:
        return comparison(*sections)
    except ValueError as error:  # the name of the grid is that of another section's table
        raise ConfigError(
            f"{file}: a table of this file is called '{name}', but another table has that name already, because it is "
            "the name of the grid: rename the table in this file"
        ) from error


def sections_of(file: Path) -> dict[str, Any]:
    """The sections of a declaration, with defaults for missing optional keys."""
    declared = read_plain_yaml(file)
    sections = [*SECTIONS, "trees"]
    unknown = [section for section in declared if section not in sections] if isinstance(declared, dict) else []
    if not isinstance(declared, dict) or not declared or unknown:
        found = f"unknown section '{unknown[0]}': " if unknown else ""
        raise ConfigError(f"{file}: {found}expected one or more of the sections {', '.join(sections)}")
    result: dict[str, Any] = {
        section: _checked_trees(file, keys) if section == "trees" else _checked(file, section, keys)
        for section, keys in declared.items()
    }
    paper = result.get("printed", {"measure": "", "builders": {}})
    for section in result.keys() & {"ranks", "wins"}:
        if paper["measure"] != ACCURACY:
            raise ConfigError(
                f"{file}: the section `{section}` needs the section `printed`, with `measure: {ACCURACY}`"
            )
        for key in ("without", "of", "against"):
            names = result[section].get(key) or []
            known = each(one_of(*paper["builders"].values()))
            known.check(f"{file}: {section}.{key}", names if isinstance(names, list) else [names])
            if key in ("of", "against") and key in result[section]:
                DISTINCT.check(f"{file}: {section}.{key}", names)
    return result


def _checked(file: Path, section: str, given: Any) -> dict[str, Any]:
    keys = SECTIONS[section]
    if not isinstance(given, dict):
        raise ConfigError(f"{file}: `{section}` is {given!r}: expected keys with values, such as {', '.join(keys)}")
    for key, value in given.items():
        if key not in keys:
            hint = did_you_mean(key, keys, f"{section}.")
            raise ConfigError(f"{file}: unknown key '{section}.{key}'{hint}\nkeys under {section}: {', '.join(keys)}")
        kind = KEYS[key].kind
        if not isinstance(value, (int, float) if kind is float else kind) or isinstance(value, bool):
            what = "null" if value is None else repr(value)
            raise ConfigError(f"{file}: {section}.{key} is {what}: expected {TYPES.get(kind, 'a list')}")
    whole: dict[str, Any] = {key: KEYS[key].default for key in keys} | given
    missing = [key for key, value in whole.items() if value is ...]
    if missing:
        raise ConfigError(f"{file}: no value for {', '.join(f'{section}.{key}' for key in missing)}: add these keys")
    _check_values(file, section, whole)
    return whole


def _checked_trees(file: Path, given: Any) -> list[tuple[str, list[str], str]]:
    whole = isinstance(given, list) and all(map(_is_entry, given))
    entries = [(*entry, "leaves")[:3] for entry in given] if whole else []
    if not entries:
        what = "a list of pairs [BUILDER, [OTHERS]], or [BUILDER, [OTHERS], accuracy]"
        raise ConfigError(f"{file}: `trees` is {given!r}: expected {what}")
    return entries


def _is_entry(given: Any) -> bool:
    match given:
        case [str(), [*others]] | [str(), [*others], "leaves" | "accuracy"]:
            return all(isinstance(name, str) for name in others)
    return False


def _check_values(file: Path, section: str, whole: Mapping[str, Any]) -> None:
    """Raise ConfigError if a value of the right type is not allowed."""
    folder = file.absolute().parent
    for key in ("values", "differences"):
        path = Path(normpath(folder / whole.get(key, "")))
        if whole.get(key) and not (path.is_relative_to(folder.parent) and path.is_file()):  # also of another grid
            existing = ", ".join(sorted(path.name for path in file.parent.glob("*.csv"))) or "none"
            what = f"{section}.{key} is {whole[key]!r}"
            raise ConfigError(f"{file}: {what}: expected the name of a CSV in {file.parent}, which has {existing}")
    for key, value in whole.items():
        if value is not None and (rule := KEYS[key].rule):
            rule.check(f"{file}: {section}.{key}", [*value.values()] if isinstance(value, dict) else value)
    columns = whole.get("builders", {"": ""})
    if not columns or not all(isinstance(word, str) for pair in columns.items() for word in pair):
        given = f"{section}.builders is {whole['builders']!r}"
        raise ConfigError(
            f"{file}: {given}: expected COLUMN: BUILDER for each column; write a name of digits in quotes"
        )


def _trees(results: Results, chosen: Sequence[tuple[str, Sequence[str], str]]) -> list[NotableTree]:
    by_split = splits(results)
    return [
        tree
        for builder, others, by in chosen
        for tree in next(filter(None, (TREES[by](by_split, builder, name) for name in others)), ())
    ]


TITLE_AND_PART = re.compile(r"(.+?)(?: \((?:\d+ rows|(?:\d+ rows of )?(train|test))\))?")
"""The title of a data set: its name and, unless it is the whole, its part."""


def check_names(file: Path, known: KnownNames) -> None:
    """Raise ConfigError if a `comparison.yaml`, or a CSV beside it, contains an unknown name."""
    declared = sections_of(file)
    for section in declared.keys() & {"printed", "candidates"}:
        printed = declared[section]
        for column, builder in printed["builders"].items():
            name = builder.partition(" ")[0]  # a measure may follow it
            known.check_builder(f"{file}: {section}.builders, column {column}", name, readings=True)
        values = file.parent / printed["values"]
        for row in printed_values_of(values, printed["builders"]):
            known.check_source(f"{values}, line {row['line']}, column source", row["source"])
    for (section, key), columns in CSVS.items():
        if named := declared.get(section, {}).get(key):
            check_csv(file.parent / named, columns, known)
    for builder, others, _ in declared.get("trees", ()):
        for name in (builder, *others):
            known.check_builder(f"{file}: trees", name)
    if "counts" in declared:
        _check_sql(file, known.builders)


def _check_sql(file: Path, builders: Sequence[str]) -> None:
    """Raise ConfigError if the SQL of a declaration does not fit the tables of a run."""
    tables = known_tables()
    with TemporaryDirectory() as folder:
        parts = {
            name: [publish(tables[name].schema.empty_table(), Path(folder) / name, "", 0, 0)]
            for name in (RESULTS_TABLE, "classes")
        }
        try:
            declared_comparison(file.parent.name, file).rows_of(parts, builders=[*builders])
        except ValueError as error:
            raise ConfigError(f"{file}: {error}") from error


def check_csv(file: Path, columns: Sequence[str], known: KnownNames) -> None:
    """Raise ConfigError if a CSV of these columns contains an unknown name."""
    for where, row in csv_rows(file, columns, columns):
        for column, name in row.items():
            if name and column in ("left", "right", "builder"):
                known.check_builder(f"{where}, column {column}", name)
            elif name and column in ("on", "source"):
                known.check_source(f"{where}, column {column}", name)


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
        matched = TITLE_AND_PART.fullmatch(title)
        name, part = matched.groups() if matched else (title, None)
        if is_path(name):
            if not typed_path(name).is_file() and name not in self._paths_in_grids:
                raise ConfigError(f"{where}: there is no file {name}")
            return
        try:
            parts = () if name in self._catalogue.built_in else tuple(self._catalogue.entry(name).files)
        except ConfigError as error:
            raise ConfigError(f"{where}: {error}") from error
        if part and part not in parts:
            raise ConfigError(f"{where}: '{name}' has no part '{part}'")

    def check_builder(self, where: str, name: str, *, readings: bool = False) -> None:
        """Raise ConfigError if no run has a builder with this name or, if `readings`, one whose name continues it."""
        if name in self.builders or name in self._all_builders:
            return
        if not readings or not any(builder.startswith(f"{name}_") for builder in self._all_builders):
            raise ConfigError(f"{where}: {no_choice('builder', name, sorted(self._all_builders))}")

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
