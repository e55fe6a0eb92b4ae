"""`summary.json`: all that a run's readers need of its summary, so that they ask no part, no grid and no data set."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from string import Formatter
from typing import Any

from pipeline.configuration.keys import Key
from pipeline.storage.atomic import write_atomically
from pipeline.storage.places import LARGEST_NOTE, contents
from pipeline.summary.exact_json import MisfitError, decoded, encoded
from pipeline.summary.failures import Failures
from pipeline.summary.tables import SummaryTable, Value
from pipeline.summary.verdicts import Verdict, tally

__all__ = [
    "FORMAT",
    "NAME",
    "VERDICT",
    "MadeFrom",
    "RecordedFigure",
    "RecordedTable",
    "RecordedTree",
    "SummaryRecord",
    "TreeLabels",
    "UnreadableSummaryError",
    "called",
    "missed",
    "read_summary",
    "verdicts_in",
    "write_summary",
]

FORMAT = "orchard.summary/2"
NAME = "summary.json"
VERDICT = "verdict"
"""The column of a table that has verdicts."""
FILE = re.compile(r"[^./\\\x00-\x1f][^/\\\x00-\x1f]{0,199}")
"""The name of a file beside it, and of no other."""
FORMS = {"", "name"}
"""How a slot of a question may be formatted."""


class UnreadableSummaryError(Exception):
    """Why a `summary.json` cannot be used: it is damaged, of another format, or of another run."""


@dataclass(frozen=True)
class RecordedTable:
    """A summary table, the names of its files, and how many of its rows have each verdict.

    table : with the question behind its rows, in which a slot such as `{source}` stands for the row's own value
    """

    table: SummaryTable
    files: tuple[str, ...]
    verdicts: dict[str, int]

    @classmethod
    def of(cls, table: SummaryTable, files: tuple[str, ...]) -> RecordedTable:
        """The table with its verdicts counted."""
        return cls(table, files, {str(one): count for one, count in tally(verdicts_in(table)).items()})

    def __post_init__(self) -> None:
        """Refuse names that are of no file here, slots that are no columns, and verdicts that were not counted so."""
        for name in (self.table.name, *self.files):
            _check_file(name)
        _check_slots(self.table)
        counted = {str(one): count for one, count in tally(verdicts_in(self.table)).items()}
        if self.verdicts != counted:
            raise MisfitError(self.verdicts, f"those of its rows, {counted}", ".verdicts")


@dataclass(frozen=True)
class RecordedFigure:
    """A figure.

    name  : stem of its files
    files : their names
    words : what is written in it
    """

    name: str
    files: tuple[str, ...]
    words: str

    def __post_init__(self) -> None:
        """Refuse names that are of no file here."""
        for name in (self.name, *self.files):
            _check_file(name)


@dataclass(frozen=True)
class TreeLabels:
    """What the numbers of a tree stand for, as texts; of an attribute whose values no node asks for, none."""

    attributes: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    decisions: tuple[str, ...]


@dataclass(frozen=True)
class RecordedTree:
    """A tree that a reader wants to see.

    title  : which it is, and why
    row    : what tells its result row from the others
    tree   : as `algorithms.trees.json_text` writes it; None: `why` says why it could not be built again
    labels : what its numbers stand for
    """

    title: str
    row: dict[str, Value]
    tree: dict[str, Any] | None
    labels: TreeLabels | None
    why: str = ""

    def __post_init__(self) -> None:
        """Refuse a tree without labels, and one that is neither there nor missed."""
        if (self.tree is None) != (self.labels is None) or (self.tree is None) != bool(self.why):
            raise MisfitError(self.why, "a tree and its labels, or why there is none", ".why")


def called(row: Mapping[str, Any]) -> dict[str, Value]:
    """What tells a result row from the others, as plain values."""
    return {
        str(name): value if value is None or isinstance(value, str | int | float) else str(value)
        for name, value in row.items()
    }


def missed(title: str, row: Mapping[str, Any], why: str) -> RecordedTree:
    """A tree that cannot be built again, and why."""
    return RecordedTree(title, called(row), None, None, why or "nothing is known of the reason")


@dataclass(frozen=True)
class MadeFrom:
    """What a summary was made from, and by what.

    parts   : by table, the names of the part files, which hold the digest of each, and their bytes
    version : of Orchard
    code    : fingerprint of its modules
    """

    parts: dict[str, dict[str, int]]
    version: str
    code: str


@dataclass(frozen=True)
class SummaryRecord:
    """A run's summary.

    grid    : what its folders call the grid
    meaning : what the grid is, by the first comment of its YAML; empty where that is not found
    finding : in a sentence
    worked  : whether there was anything to summarise but failures
    items   : how many the run has
    rows    : result rows
    asked   : the keys of its configuration, those first that differ from its grid's; none where that is lost
    """

    run: str
    grid: str
    meaning: str
    finding: str
    worked: bool
    items: int
    rows: int
    tables: tuple[RecordedTable, ...]
    figures: tuple[RecordedFigure, ...]
    trees: tuple[RecordedTree, ...]
    failures: Failures
    asked: tuple[Key, ...]
    made_from: MadeFrom
    format: str = field(default=FORMAT)

    @property
    def lacks_trees(self) -> bool:
        """Whether any of its trees could not be built again."""
        return any(one.tree is None for one in self.trees)


def write_summary(record: SummaryRecord, folder: Path) -> Path:
    """Write a run's `summary.json` whole.

    Raises
    ------
    UnreadableSummaryError
        It is too large to be read again.
    """
    content = encoded(record).encode()
    if len(content) > LARGEST_NOTE:
        msg = f"{NAME} would have {len(content):,} bytes: expected {LARGEST_NOTE:,} at most"
        raise UnreadableSummaryError(msg)
    return write_atomically(folder / NAME, content)


def read_summary(folder: Path, run: str, grid: str) -> SummaryRecord:
    """The summary of a run, from the folder of its summaries; nothing in it is run or imported.

    Raises
    ------
    UnreadableSummaryError
        It is missing, damaged, of another format or of another run.
    """
    try:
        content = contents(folder / NAME)
    except (FileNotFoundError, NotADirectoryError) as error:
        msg = f"has no {NAME}"
        raise UnreadableSummaryError(msg) from error
    except OSError as error:
        msg = f"has a {NAME} that cannot be read: {error.strerror or error}"
        raise UnreadableSummaryError(msg) from error
    try:
        found = decoded(SummaryRecord, content)
    except MisfitError as error:
        other = _format_of(content)
        why = f"of format {other[:100]!r}, not {FORMAT!r}" if other not in {None, FORMAT} else f"damaged: {error}"
        msg = f"has a {NAME} that is {why}"
        raise UnreadableSummaryError(msg) from error
    if (found.format, found.run, found.grid) != (FORMAT, run, grid):
        msg = f"has a {NAME} of format {found.format!r}, grid {found.grid!r} and run {found.run!r}"
        raise UnreadableSummaryError(msg)
    return found


def verdicts_in(table: SummaryTable) -> Iterator[Verdict]:
    """The verdicts of a table's rows, of those that have one."""
    for place, name in enumerate(table.columns):
        if name == VERDICT:
            yield from (Verdict(str(row[place])) for row in table.rows if row[place] in list(Verdict))


def _format_of(content: bytes) -> str | None:
    """What a file says that its format is; None where it says nothing."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return None
    name = found.get("format") if isinstance(found, Mapping) else None
    return name if isinstance(name, str) else None


def _check_file(name: str) -> None:
    if not FILE.fullmatch(name):
        raise MisfitError(name, "the name of a file beside it")


def _check_slots(table: SummaryTable) -> None:
    """Refuse a question whose slots stand for something other than a value of the row."""
    slots = [(name, how, change) for _, name, how, change in Formatter().parse(table.question) if name is not None]
    for name, how, change in slots:
        if name not in table.columns or how not in FORMS or change is not None or set(name) & set(".[]"):
            raise MisfitError(table.question, "slots that are columns of the table", ".question")
