"""The printed tables of documents, and the grids and summary tables that answer them: `documents.yaml` of grids.

Such a file has `run`, with the fields of Experiment, and `documents`: each has `cited`, `title` and `printed`, a list
with the fields of Printed. A document is in the file of every grid that computes a part of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import yaml

from pipeline.discovery import GridFolder, Places
from pipeline.errors import ConfigError
from pipeline.summary.exact_json import MisfitError, built
from pipeline.yaml_files import read_yaml_file

__all__ = ["FILE", "Document", "Experiment", "Papers", "Printed", "papers"]

FILE = "documents.yaml"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # in C: ten times as fast, if it is built


@dataclass(frozen=True)
class Experiment:
    """A grid that is compared with documents.

    grid  : its name, which is the name of the folder and not in the file
    place : its order among the runs: quick grids have small numbers
    free  : keys whose value may differ from `conf/grid/` without invalidating the comparison
    fewer : keys whose list may lack entries of `conf/grid/`; the missing entries are then not compared
    quick : overrides of `size=quick`, for these keys only
    """

    grid: str = ""
    place: int = 0
    free: tuple[str, ...] = ()
    fewer: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()


@dataclass(frozen=True)
class Printed:
    """A table of a document, or its claims in words.

    name    : its name in the document, or its location
    what    : its content
    grid    : the name of the grid, which is the name of the folder and not in the file
    table   : the summary table of the grid's run that stands beside it; None: it prints no figures, and the run's
              finding is all there is to say
    figures : number of printed figures, or claims
    named   : columns of that table that identify the figure of a row
    pairs   : its columns of our figure (several columns are parted by /) and of print's; a row in which the latter is
              empty has no such figure
    rule    : empty: the column `verdict` says how they compare; else they agree where they are equal, which it tells
    against : of such a table, the column of what the document's own other figures make of it: where it is another than
              print's, print contradicts itself
    made_of : the printed table, before this one in the same document, whose figures `against` is made from: where one
              of these is contradicted, a figure that is as `against` has it follows from it
    shared  : columns of both tables: a figure is made from those with its value there; where it has none, from all
    corrected : by a column of print's figures, the column of what they should be where `why` shows that they are
              wrong; such a figure is a misprint if ours is the corrected one
    only    : the rows of the printed table, by the values of a column; other rows are other readings
    why     : the column with the reason why a figure differs, if there is one
    whole   : keys of which no entry may be missing
    claims  : whether it consists of claims, not figures
    again   : the printed table whose figures these are, read in another way: they are in no total, and figures there
              that differ say what this reading makes of them; empty: they are its own
    inferred : why these figures are counted as they are read here, where the document leaves open what they measure;
              empty: it says so itself. The rule is one for all documents: the reading that wins nine of ten random
              halves of the cases, as `pipeline.grammar.comparison.candidates` tries them, is counted, and the others
              are `again`
    place   : its position in its document, among the answered tables
    """

    name: str
    what: str
    grid: str = ""
    table: str | None = None
    figures: int = 0
    named: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    rule: str = ""
    against: str | None = None
    made_of: str | None = None
    shared: tuple[str, ...] = ()
    corrected: Mapping[str, str] = field(default_factory=dict)
    only: Mapping[str, tuple[str | int, ...]] = field(default_factory=dict)
    why: str | None = None
    whole: tuple[str, ...] = ()
    claims: bool = False
    again: str = ""
    inferred: str = ""
    place: int = 0


@dataclass(frozen=True)
class Document:
    """A document, by its authors and year, and its printed tables in order."""

    cited: str
    title: str
    printed: tuple[Printed, ...] = ()


@dataclass(frozen=True)
class _File:
    """The content of `documents.yaml`."""

    documents: tuple[Document, ...]
    run: Experiment = field(default_factory=Experiment)


@dataclass(frozen=True)
class Papers:
    """All comparisons: grids in the order of their runs, documents by their authors."""

    experiments: Mapping[str, Experiment]
    documents: tuple[Document, ...]


@cache
def papers(places: Places | None = None) -> Papers:
    """The documents of the grids in these places, by default the installed ones; none of their code is run.

    Raises
    ------
    ConfigError
        A file has a wrong key or value, two files contradict each other about a document, a table is made from one that
        does not come before it, or reads one again that is not in the document.
    """
    experiments: list[Experiment] = []
    documents: dict[str, tuple[Document, Path]] = {}
    folders = (places or Places()).folders()
    for folder in folders.values():
        file = folder.path / FILE
        if file.is_file():
            experiment, found = _read(file, folder)
            experiments.append(experiment)
            for document in found:
                known, other = documents.get(document.cited, (document, file))
                if known.title != document.title:
                    msg = f"{file}: document {document.cited} has another title than in {other}"
                    raise ConfigError(msg)
                printed = document.printed if known is document else (*known.printed, *document.printed)
                documents[document.cited] = replace(known, printed=printed), other
    experiments.sort(key=lambda one: (one.place, one.grid))
    ordered = (documents[cited][0] for cited in sorted(documents))
    return Papers({one.grid: one for one in experiments}, tuple(_in_order(one, folders) for one in ordered))


def _in_order(document: Document, folders: Mapping[str, GridFolder]) -> Document:
    """The document with its tables in its own order."""
    printed = tuple(sorted(document.printed, key=lambda one: one.place))
    for place, one in enumerate(printed):
        before = [other.name for other in printed[:place]]
        if one.made_of is not None and one.made_of not in before:
            msg = (
                f"{folders[one.grid].path / FILE}: '{one.name}' of document {document.cited} is made_of "
                f"'{one.made_of}': expected a table before it: {', '.join(before) or 'there is none'}"
            )
            raise ConfigError(msg)
        counted = [other.name for other in printed if not other.again]
        if one.again and one.again not in counted:
            msg = (
                f"{folders[one.grid].path / FILE}: '{one.name}' of document {document.cited} reads '{one.again}' "
                f"again: expected a counted table of the document: {', '.join(counted) or 'there is none'}"
            )
            raise ConfigError(msg)
    return replace(document, printed=printed)


def _read(file: Path, folder: GridFolder) -> tuple[Experiment, tuple[Document, ...]]:
    """The content of a grid's file."""
    try:
        said = built(_File, read_yaml_file(file, lambda text: yaml.load(text, LOADER)))  # noqa: S506 - a safe one
    except MisfitError as error:
        msg = f"{file}: {error}"
        raise ConfigError(msg) from error
    of_grid = [
        replace(document, printed=tuple(replace(one, grid=folder.name) for one in document.printed))
        for document in said.documents
    ]
    return replace(said.run, grid=folder.name), tuple(of_grid)
