"""The catalogue's description of a data set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath


class ColumnKind(StrEnum):
    """The purpose of a column of a file."""

    NUMERIC = "numeric"
    NOMINAL = "nominal"
    CLASS = "class"
    DROP = "drop"


@dataclass(frozen=True)
class Column:
    """A column of a file.

    labels : its values in order, if they are declared
    recode : replacements for texts of the file
    unit   : unit of the numbers made from dates and times, with the moment that is 0; empty for other columns
    """

    name: str
    kind: ColumnKind
    labels: tuple[str, ...] = ()
    recode: Mapping[str, str] = field(default_factory=dict)
    unit: str = ""


@dataclass(frozen=True)
class FileLayout:
    """How a file's bytes become columns of text.

    columns       : in the order of the file; empty: to be inferred
    separator     : one character, a blank for any run of blanks; None: to be inferred
    header        : most lines before the rows; whether they are a header is inferred
    missing       : texts that mean an unknown value
    encoding      : of a file that is not UTF-8; None: such a file is refused
    decimal_comma : whether numbers may have a decimal comma
    sequence      : number of letters in the last field, each of which is a column; 0: the last field is one column
    left_out      : lines that are not rows, word for word
    any_value     : a text, such as *, that means every declared value of its column. A row with it becomes a row for
                    each combination of these values, and repeated rows are kept once; None: there is no such text
    """

    columns: tuple[Column, ...] = ()
    separator: str | None = None
    header: int = 1
    missing: tuple[str, ...] = ()
    encoding: str | None = None
    decimal_comma: bool = False
    sequence: int = 0
    left_out: tuple[str, ...] = ()
    any_value: str | None = None


@dataclass(frozen=True)
class Address:
    """An address of a file: `urls` are joined end to end, `member` is the file within a zip archive."""

    urls: tuple[str, ...]
    sha256: str | None = None
    member: str | None = None


@dataclass(frozen=True)
class SetFile:
    """One part of a data set: its path in a data folder, its addresses in the order to try, and its rows.

    where : column and text of the rows that belong to the part, if a file contains several parts
    """

    path: PurePosixPath
    addresses: tuple[Address, ...]
    where: tuple[str, str] | None = None


@dataclass(frozen=True)
class Entry:
    """A data set of a catalogue.

    files        : keyed by part: `all`, or `train` and `test`, the published split
    fingerprints : contents known to be this data set; several if public files differ
    tried        : whether somebody has downloaded it from the addresses
    source       : the YAML file, for messages
    """

    name: str
    title: str
    about: str
    citation: str
    layout: FileLayout
    files: Mapping[str, SetFile]
    fingerprints: tuple[str, ...]
    tried: bool
    source: Path

    @property
    def paths(self) -> str:
        """The paths of its files below a folder of data sets, for messages."""
        return " and ".join(sorted({str(file.path) for file in self.files.values()}))
