"""`summary.json`: everything about a run's summary that readers need, without part files, grids or data sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.configuration.keys import RequestedKey
from pipeline.storage.atomic import write_atomically
from pipeline.storage.locations import LARGEST_RECORD, contents
from pipeline.summary.exact_json import MisfitError, decoded, sealed
from pipeline.summary.failures import Failures
from pipeline.summary.tables import FILE, FILE_NAME, SummaryTable, Value

FORMAT = "orchard.summary/5"
NAME = "summary.json"


class UnreadableSummaryError(Exception):
    """A `summary.json` cannot be used: it is damaged, of another format, or of another run."""


@dataclass(frozen=True)
class TreeLabels:
    """The labels of a tree's attributes, values and classes, as texts; attributes without a test have no values.

    units : of the numbers of the attributes; empty if none has a unit
    """

    attributes: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    decisions: tuple[str, ...]
    units: tuple[str, ...] = ()


@dataclass(frozen=True)
class RecordedTree:
    """A tree to show.

    title  : its name, and why it is shown
    row    : the columns that identify its result row
    tree   : as written by `algorithms.trees.json_text`; None: `why` gives the reason why it could not be rebuilt
    labels : labels of its attributes, values and classes
    """

    title: str
    row: dict[str, Value]
    tree: dict[str, Any] | None
    labels: TreeLabels | None
    why: str = ""

    def __post_init__(self) -> None:
        """Refuse a tree without labels, and one with neither a tree nor a reason."""
        if (self.tree is None) != (self.labels is None) or (self.tree is None) != bool(self.why):
            raise MisfitError(
                self.why, "a reason if there is no tree, and an empty text if there is a tree with labels", ".why"
            )


def plain_values(row: Mapping[str, Any]) -> dict[str, Value]:
    """A row with values that JSON has: any other value as text."""
    return {
        str(name): value if value is None or isinstance(value, str | int | float) else str(value)
        for name, value in row.items()
    }


def missed(title: str, row: Mapping[str, Any], why: str) -> RecordedTree:
    """A tree that could not be rebuilt, and the reason."""
    return RecordedTree(title, plain_values(row), None, None, why or "the reason is unknown")


@dataclass(frozen=True)
class MadeFrom:
    """The sources of a summary.

    parts   : names of the part files, which contain their digests, and their bytes, keyed by table
    version : of Orchard
    code    : fingerprint of its modules
    """

    parts: dict[str, dict[str, int]]
    version: str
    code: str


@dataclass(frozen=True)
class SummaryRecord:
    """A run's summary.

    grid        : name of the grid in its folders
    meaning     : description of the grid, from the first comment of its YAML; empty if that is not found
    finding     : the result in one sentence
    has_results : whether there are results, not only failures
    items       : number of items of the run
    rows        : number of result rows
    tables      : with the query behind the rows of each; a slot in it, such as `{source}`, is replaced by a row's value
    figures     : the names of their files, with the bytes of each
    requested   : the keys of its configuration, those that differ from the grid's first; empty if the configuration is
                  lost
    """

    run: str
    grid: str
    meaning: str
    finding: str
    has_results: bool
    items: int
    rows: int
    tables: tuple[SummaryTable, ...]
    figures: dict[str, int]
    trees: tuple[RecordedTree, ...]
    failures: Failures
    requested: tuple[RequestedKey, ...]
    made_from: MadeFrom
    format: str = field(default=FORMAT)

    def __post_init__(self) -> None:
        """Refuse files elsewhere."""
        for name in self.figures:
            if not FILE.fullmatch(name):
                raise MisfitError(name, FILE_NAME, ".figures")

    @property
    def judged(self) -> SummaryTable | None:
        """The first of its tables that has verdicts; its finding begins with it."""
        return next((table for table in self.tables if table.verdicts), None)

    @property
    def lacks_trees(self) -> bool:
        """Whether any of its trees could not be rebuilt."""
        return any(tree.tree is None for tree in self.trees)


def write_summary(record: SummaryRecord, folder: Path) -> Path:
    """Write a run's complete `summary.json`.

    Raises UnreadableSummaryError: it would be too large to read.
    """
    content = sealed(record)
    if len(content) > LARGEST_RECORD:
        raise UnreadableSummaryError(f"{NAME} would have {len(content):,} bytes: expected {LARGEST_RECORD:,} at most")
    return write_atomically(folder / NAME, content)


def read_summary(folder: Path, run: str, grid: str) -> SummaryRecord:
    """Read the summary of a run from the folder of its summaries. Nothing in it is executed or imported.

    Raises UnreadableSummaryError: it is missing, damaged, of another format or of another run.
    """
    try:
        content = contents(folder / NAME)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UnreadableSummaryError(f"has no {NAME}") from error
    except OSError as error:
        raise UnreadableSummaryError(f"has a {NAME} that cannot be read: {error.strerror or error}") from error
    try:
        result = decoded(SummaryRecord, content)
    except MisfitError as error:
        raise UnreadableSummaryError(f"has a {NAME} that is damaged or not of format {FORMAT!r}: {error}") from error
    if (result.format, result.run, result.grid) != (FORMAT, run, grid):
        raise UnreadableSummaryError(
            f"has the {NAME} of another run: format {result.format!r}, grid {result.grid!r} and run {result.run!r}"
        )
    return result
