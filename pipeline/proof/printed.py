"""The printed tables of documents, and the summary tables that are compared with them, from grids' `documents.yaml`.

Such a file has `run`, with the fields of Experiment, and `documents`. Each document has `cited`, `title` and `printed`,
a list with the fields of Printed. A document is in the file of every grid that computes a part of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from string import Formatter

from pipeline.discovery import GridFolder, SearchPath
from pipeline.errors import ConfigError
from pipeline.summary.exact_json import MisfitError, built
from pipeline.summary.verdicts import Verdict
from pipeline.yaml_files import read_plain_yaml

FILE = "documents.yaml"


@dataclass(frozen=True)
class Experiment:
    """A grid that is compared with documents.

    grid     : the name of the grid: not in the file, but the name of its folder
    position : its position among the runs: quick grids have small numbers
    free     : keys whose value may differ from `conf/grid/` without invalidating the comparison
    fewer    : keys whose list may lack entries of `conf/grid/`; the missing entries are then not compared
    quick    : settings with `size=quick`, as `key=value`
    """

    grid: str = ""
    position: int = 0
    free: tuple[str, ...] = ()
    fewer: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()


@dataclass(frozen=True)
class Printed:
    """A table of a document, or its claims in words.

    name      : its name in the document, or its location
    what      : its content
    grid      : the name of the grid: not in the file, but the name of its folder
    table     : the summary table of the grid's run that is compared. Its layout gives the columns of printed values and
                of ours. A row without a printed value has no figure. None: the document prints no figures, and only the
                finding is shown
    figures   : number of printed figures, or claims
    rule      : empty: the verdicts are in the column `verdict`; otherwise figures agree if they are equal, and this
                text states the rule
    against   : column of the summary table with the value that other figures of the document imply; if it differs from
                the printed value, the document contradicts itself
    made_of   : an earlier printed table of the document, from whose figures `against` is computed: if one of these is
                contradicted, a figure that equals its value in `against` follows from it
    shared    : columns of both tables. A figure is computed from the figures with the same values in these columns; an
                empty value fits all of them
    corrected : the column of the corrected values, keyed by the column of the printed values. A figure is a misprint if
                ours equals the corrected value; `why` proves that the printed value is wrong
    proofs    : SQL that shows why a figure has a verdict, keyed by the verdict. A slot such as `{printed}` takes the
                value of a column of the summary table. Other figures have the query of the summary table
    only      : the values of a column in rows of the printed table; other rows are other readings
    why       : the column with the reason why a figure differs, if any
    whole     : keys whose list may lack no entry
    claims    : whether the table consists of claims, not figures
    again     : the printed table that has the same figures in another reading. The figures here are in no total, and
                figures that differ there state their result in this reading; empty: the figures are counted here
    inferred  : why this reading of the figures is counted, if the document does not state what they measure; otherwise
                empty. One rule applies to all documents: the counted reading wins on nine of ten random halves of the
                cases, as `pipeline.grammar.comparison.candidates` tests them, and the other readings have `again`
    position  : the position of the table in its document
    """

    name: str
    what: str
    grid: str = ""
    table: str | None = None
    figures: int = 0
    rule: str = ""
    against: str | None = None
    made_of: str | None = None
    shared: tuple[str, ...] = ()
    corrected: Mapping[str, str] = field(default_factory=dict)
    proofs: Mapping[str, str] = field(default_factory=dict)
    only: Mapping[str, tuple[str | int, ...]] = field(default_factory=dict)
    why: str | None = None
    whole: tuple[str, ...] = ()
    claims: bool = False
    again: str = ""
    inferred: str = ""
    position: int = 0


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
def papers(search_path: SearchPath | None = None) -> Papers:
    """The documents of the grids on a path, by default of the installed grids; no code of grids is run.

    Raises ConfigError: a file has a wrong key or value, two files give a document different titles, `made_of` names no
    earlier table, `again` names no counted table of the document, a key of `proofs` is not a verdict, or a brace in a
    proof has no partner.
    """
    experiments: list[Experiment] = []
    documents: dict[str, tuple[Document, Path]] = {}
    folders = (search_path or SearchPath()).folders()
    for folder in folders.values():
        file = folder.path / FILE
        if file.is_file():
            experiment, of_grid = _read(file, folder)
            experiments.append(experiment)
            for document in of_grid:
                known, first_file = documents.get(document.cited, (document, file))
                if known.title != document.title:
                    raise ConfigError(f"{file}: document {document.cited} has a different title in {first_file}")
                printed = document.printed if known is document else (*known.printed, *document.printed)
                documents[document.cited] = replace(known, printed=printed), first_file
    experiments.sort(key=lambda experiment: (experiment.position, experiment.grid))
    ordered = (documents[cited][0] for cited in sorted(documents))
    by_grid = {experiment.grid: experiment for experiment in experiments}
    return Papers(by_grid, tuple(_in_order(document, folders) for document in ordered))


def _in_order(document: Document, folders: Mapping[str, GridFolder]) -> Document:
    """The document with its tables in its own order."""
    printed = tuple(sorted(document.printed, key=lambda table: table.position))
    counted = [table.name for table in printed if not table.again]
    for index, table in enumerate(printed):
        where = f"{folders[table.grid].path / FILE}: '{table.name}' of document {document.cited}"
        before = [earlier.name for earlier in printed[:index]]
        if table.made_of is not None and table.made_of not in before:
            expected = f"expected an earlier table: {', '.join(before) or 'this table is the first'}"
            raise ConfigError(f"{where} has `made_of: {table.made_of}`: {expected}")
        if table.again and table.again not in counted:
            expected = (
                f"expected a table of the document without `again`: {', '.join(counted) or 'it has no such table'}"
            )
            raise ConfigError(f"{where} has `again: {table.again}`: {expected}")
        for verdict, sql in table.proofs.items():
            if verdict not in set(Verdict):
                raise ConfigError(
                    f"{where} has `proofs` of the verdict '{verdict}': expected one of {', '.join(Verdict)}"
                )
            try:
                list(Formatter().parse(sql))
            except ValueError as error:
                raise ConfigError(
                    f"{where} has a proof of '{verdict}' with a wrong slot: {error}. Double each brace that is not "
                    "part of a slot"
                ) from error
    return replace(document, printed=printed)


def _read(file: Path, folder: GridFolder) -> tuple[Experiment, tuple[Document, ...]]:
    """The content of a grid's file."""
    try:
        content = built(_File, read_plain_yaml(file))
    except MisfitError as error:
        raise ConfigError(f"{file}: {error}") from error
    of_grid = [
        replace(document, printed=tuple(replace(table, grid=folder.name) for table in document.printed))
        for document in content.documents
    ]
    return replace(content.run, grid=folder.name), tuple(of_grid)
