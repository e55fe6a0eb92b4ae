"""A comparison of builders that a YAML declares: beside printed values, beside the first builder, beside claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pipeline.errors import ConfigError
from pipeline.grammar.comparison.claims import claims
from pipeline.grammar.comparison.printed import MOST_PERCENT, printed
from pipeline.grammar.comparison.sections import Section, comparison, splits
from pipeline.grammar.comparison.standings import standings
from pipeline.grammar.notable_trees import no_worse_but_smaller
from pipeline.grammar.summary import Found, Summary
from pipeline.grid import NotableTree
from pipeline.yaml_files import read_plain_yaml

__all__ = ["declared_comparison", "sections_of"]

SECTIONS: dict[str, dict[str, tuple[type, ...]]] = {
    "printed": {
        "title": (str,),
        "headline": (str,),
        "values": (str,),
        "builders": (dict,),
        "folds": (int,),
        "rounding": (int, float),
        "note": (str,),
        "legend": (str,),
    },
    "standings": {"title": (str,), "headline": (str,)},
    "claims": {"title": (str,), "document": (str,), "values": (str,), "remark": (str,)},
}
"""The sections that a declaration may have, with the keys of each."""
OPTIONAL = {"note": "", "legend": "", "remark": "", "headline": ""}


def declared_comparison(name: str, file: Path) -> Summary:
    """The summary that a file declares, `comparison.yaml` of the folder of a grid.

    Parameters
    ----------
    name : str
        Of the grid: the stem of its table and figure.
    file : Path
        It has one or more of these sections.

        ``printed`` holds accuracies against printed ones: ``title`` of the table, ``values``, a CSV with the columns
        ``case`` (what the paper calls a data set), ``source``, perhaps ``remark``, and accuracies in percent;
        ``builders``, which of its columns is of which builder; ``folds`` behind a printed value; ``rounding``, half
        a unit of the last printed digit; and if wanted ``headline`` of the figure, ``note``, ``legend`` of the screen.

        ``standings`` holds each builder against the first: ``title``, ``headline``.

        ``claims`` tests differences between two builders: ``title``, ``document``, ``values``, a CSV with the columns
        ``claim``, ``left``, ``right``, ``measure``, ``side``, ``bound`` and ``on``; ``remark``.

        ``trees`` lists pairs of a builder and a list of others: the trees of a split on which one of the others, tried
        in order, saves most leaves of the builder's tree at no cost in accuracy.

    Raises
    ------
    ConfigError
        A section, a key or a column is missing, unknown or not of its type.
    """
    declared, folder = sections_of(file), file.parent
    sections = []
    if keys := declared.get("printed"):
        sections.append(printed(name, folder, keys))
    if keys := declared.get("standings"):
        sections.append(standings(name, keys["title"], keys["headline"] or keys["title"]))
    if keys := declared.get("claims"):
        sections.append(claims(folder / keys.pop("values"), **keys))
    if pairs := declared.get("trees"):
        sections = [replace(section, trees=lambda _: ()) for section in sections]
        sections.append(Section(trees=lambda found: _trees(found, pairs)))
    return comparison(*sections)


def sections_of(file: Path) -> dict[str, Any]:
    """The sections of a declaration, each key that may be left out with its default."""
    found = read_plain_yaml(file)
    known = [*SECTIONS, "trees"]
    if not isinstance(found, dict) or not found or any(section not in known for section in found):
        msg = f"{file}: expected one or more of the sections {', '.join(known)}"
        raise ConfigError(msg)
    return {
        section: _checked_trees(file, keys) if section == "trees" else _checked(file, section, keys)
        for section, keys in found.items()
    }


def _checked(file: Path, section: str, given: Any) -> dict[str, Any]:
    keys = SECTIONS[section]
    if not isinstance(given, dict):
        msg = f"{file}: {section} is {given!r}: expected keys with values, such as {', '.join(keys)}"
        raise ConfigError(msg)
    for key, value in given.items():
        if key not in keys:
            msg = f"{file}: unknown key '{section}.{key}'\nkeys under {section}: {', '.join(keys)}"
            raise ConfigError(msg)
        if not isinstance(value, keys[key]) or isinstance(value, bool):
            msg = f"{file}: {section}.{key} is {value!r}: expected {' or '.join(kind.__name__ for kind in keys[key])}"
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
            return all(isinstance(one, str) for one in others)
    return False


def _check_values(file: Path, section: str, whole: Mapping[str, Any]) -> None:
    """Raise ConfigError where a value of its type cannot be."""
    if "values" in whole and not (file.parent / whole["values"]).is_file():
        msg = f"{file}: {section}.values is {whole['values']!r}: expected the name of a CSV in {file.parent}"
        raise ConfigError(msg)
    if whole.get("folds", 1) < 1 or not 0 <= whole.get("rounding", 0) <= MOST_PERCENT:
        msg = f"{file}: expected {section}.folds of 1 or more, and {section}.rounding of 0 to {MOST_PERCENT}"
        raise ConfigError(msg)
    if not all(isinstance(word, str) for pair in whole.get("builders", {}).items() for word in pair):
        msg = f"{file}: {section}.builders is {whole['builders']!r}: expected COLUMN: BUILDER, numbers in quotes"
        raise ConfigError(msg)


def _trees(found: Found, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[NotableTree]:
    by_split = splits(found)
    return [
        tree
        for larger, smaller in pairs
        for tree in next(filter(None, (no_worse_but_smaller(by_split, larger, one) for one in smaller)), ())
    ]
