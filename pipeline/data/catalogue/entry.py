"""What a catalogue says of a data set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath

__all__ = ["Address", "Column", "ColumnKind", "Entry", "Layout", "SetFile"]


class ColumnKind(StrEnum):
    """What a column of a file is for."""

    NUMERIC = "numeric"
    NOMINAL = "nominal"
    CLASS = "class"
    DROP = "drop"


@dataclass(frozen=True)
class Column:
    """A column of a file.

    labels : its values in their order where they are declared
    recode : what a text of the file stands for
    unit   : of the numbers that dates and times have become, with the moment that is 0; empty for other columns
    """

    name: str
    kind: ColumnKind
    labels: tuple[str, ...] = ()
    recode: Mapping[str, str] = field(default_factory=dict)
    unit: str = ""


@dataclass(frozen=True)
class Layout:
    """How a file's bytes become columns of text.

    columns       : in the order of the file; empty: to be found out
    separator     : one character, a blank for any run of blanks; None: to be found out
    header        : how many lines may stand before the rows; whether they do is found out
    missing       : the texts that stand for a value that is not known
    encoding      : of a file that is not UTF-8; None: such a file is refused
    decimal_comma : whether numbers may have a comma for their point
    sequence      : number of letters in the last field, each a column of its own; 0: the last field is one column
    left_out      : lines that are no rows, word for word
    any_value     : the text that stands for every declared value of its column, such as *; a row that has it becomes a
                    row for each combination of these values, and rows that come twice are kept once; None: no text
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
    """Where a file can be had: `urls` are joined end to end, `member` is the file within a zip archive."""

    urls: tuple[str, ...]
    sha256: str | None = None
    member: str | None = None


@dataclass(frozen=True)
class SetFile:
    """One part of a data set: its place in a data folder, its addresses in the order to try, the rows that are its own.

    where : column and text of the rows that belong to the part, where a file holds several parts
    """

    path: PurePosixPath
    addresses: tuple[Address, ...]
    where: tuple[str, str] | None = None


@dataclass(frozen=True)
class Entry:
    """A data set of a catalogue.

    files        : by part: `all`, or `train` and `test`, the published split
    fingerprints : the contents that are known to be this data set; more than one where public files differ
    tried        : whether somebody has downloaded it from the addresses
    source       : the YAML file, for messages
    """

    name: str
    title: str
    about: str
    citation: str
    layout: Layout
    files: Mapping[str, SetFile]
    fingerprints: tuple[str, ...]
    tried: bool
    source: Path
