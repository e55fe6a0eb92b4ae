"""A comparison of builders that a YAML declares: beside printed values, beside the first builder, beside claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from pipeline.errors import ConfigError
from pipeline.grammar.columns import Row
from pipeline.grammar.comparison.claims import claim_rows, claim_table, claim_views, claims_of, claims_screen, ruled
from pipeline.grammar.comparison.printed import (
    printed_finding,
    printed_screen,
    printed_table,
    printed_trees,
    printed_values_of,
)
from pipeline.grammar.comparison.standings import PAIRS, most_accurate, standing_table, standings_screen
from pipeline.grammar.comparison.summary import comparison, splits
from pipeline.grammar.notable_trees import no_worse_but_smaller
from pipeline.grammar.summary import Found, Summary
from pipeline.grammar.table import Table
from pipeline.grid import NotableTree

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["DECLARATION", "declared_comparison"]

DECLARATION = "comparison.yaml"
"""The file of a grid's folder that declares its summary."""

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


def declared_comparison(name: str, folder: Path) -> Summary:
    """The summary that the file `comparison.yaml` of a grid's folder declares.

    Parameters
    ----------
    name : str
        Of the grid: the stem of its table and figure.
    folder : Path
        Holds `comparison.yaml`, with one or more of these sections.

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
    declared = _declared(folder / DECLARATION)
    tables: list[Table] = []
    said: list[Callable[[Found], list[str]]] = []
    shown: list[Callable[[Found], list[RenderableType]]] = []
    figures: list[Callable[[Found, Path], Sequence[Path]]] = []
    others: dict[str, Any] = {"constants": {}, "views": {}}
    if printed := declared.get("printed"):
        table = printed_table(name, printed)
        others["constants"]["printed"] = printed_values_of(folder / printed["values"], printed["builders"])
        tables.append(table)
        said.append(lambda found: printed_finding(found.rows(table)))
        shown.append(lambda found: printed_screen(found.rows(table), printed["legend"]))
        figures.append(partial(_draw_printed, table, printed["headline"] or printed["title"]))
    if standing := declared.get("standings"):
        beside = standing_table(name, standing["title"])
        others["views"] |= PAIRS
        tables.append(beside)
        shown.append(lambda found: [standings_screen(found.rows(beside))])
        figures.append(partial(_draw_standings, beside, standing["headline"] or standing["title"]))
    if claims := declared.get("claims"):
        tested = claim_table(claims["title"], claims["remark"])
        others["constants"]["claims"] = claim_rows(claims_of(folder / claims["values"]))
        others["views"] |= claim_views()
        tables.append(tested)
        said.append(lambda found: [ruled(found.rows(tested), claims["document"])])
        shown.append(lambda found: claims_screen(found.rows(tested)))
    if standing:
        said.append(lambda found: [most_accurate(found.rows(beside))])
    pairs = declared.get("trees", ())
    return comparison(
        *tables,
        finding=lambda found: [clause for say in said for clause in say(found)],
        screen=lambda found, _: [part for show in shown for part in show(found)],
        trees=lambda found: _trees(found, pairs) if pairs or not printed else printed_trees(found, found.rows(table)),
        figures=figures,
        **others,
    )


def _declared(file: Path) -> dict[str, Any]:
    """The sections of a declaration, each key that may be left out with its default."""
    found = yaml.safe_load(file.read_text(encoding="utf-8"))
    known = [*SECTIONS, "trees"]
    if not isinstance(found, dict) or not found or any(section not in known for section in found):
        msg = f"{file}: expected one or more of the sections {', '.join(known)}"
        raise ConfigError(msg)
    return {section: keys if section == "trees" else _checked(file, section, keys) for section, keys in found.items()}


def _checked(file: Path, section: str, given: Any) -> dict[str, Any]:
    keys = SECTIONS[section]
    if not isinstance(given, dict):
        msg = f"{file}: {section} is {given!r}: expected keys with values, such as {', '.join(keys)}"
        raise ConfigError(msg)
    for key, value in given.items():
        if key not in keys:
            msg = f"{file}: unknown key '{section}.{key}'\nkeys under {section}: {', '.join(keys)}"
            raise ConfigError(msg)
        if not isinstance(value, keys[key]):
            msg = f"{file}: {section}.{key} is {value!r}: expected {' or '.join(kind.__name__ for kind in keys[key])}"
            raise ConfigError(msg)
    whole = {**OPTIONAL, **given}
    missing = [key for key in keys if key not in whole]
    if missing:
        msg = f"{file}: no value for {', '.join(f'{section}.{key}' for key in missing)}"
        raise ConfigError(msg)
    return whole


def _trees(found: Found, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[NotableTree]:
    by_split = splits(found)
    return [
        tree
        for larger, smaller in pairs
        for tree in next(filter(None, (no_worse_but_smaller(by_split, larger, one) for one in smaller)), ())
    ]


def _draw_printed(table: Table, headline: str, found: Found, folder: Path) -> Sequence[Path]:
    from pipeline.grammar.comparison.printed_figure import draw

    return draw(found.rows(table), folder, table.name, headline)


def _draw_standings(table: Table, headline: str, found: Found, folder: Path) -> Sequence[Path]:
    from pipeline.grammar.comparison.standings_figure import draw

    rows: Sequence[Row] = found.rows(table)
    return draw(rows, folder, table.name, headline)
