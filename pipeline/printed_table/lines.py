"""The lines of a typed or pasted table, and remarks on those that are not rows of it."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from pipeline.errors import ConfigError
from pipeline.printed_table.cells import TYPE
from pipeline.words import first_of

DELIMITERS = ",;\t|&"
MOST_BYTES = 2**20
BLANKS = {
    **dict.fromkeys(map(ord, "\u00a0\u2007\u2009\u200a\u202f\v\f\x85\u2028\u2029"), " "),
    **dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"), None),
}
"""Blanks that do not end a row, which are read as usual ones, and invisible signs, which are left out."""
NO_CELLS = {
    "|": re.compile(r"^[\s|:-]*--[\s|:-]*$"),
    "&": re.compile(
        r"\\\\(?:\[[^\]]*\])?\s*(?=$|\\)|\\(?:[hc]line|(?:top|mid|bottom|cmid)rule)(?:\([lr]*\))?(?:\{[-\d]*\})?|"
        r"^\s*\\(?:begin|end)\{.*$"
    ),
}
"""What is no cell in a row of Markdown and LaTeX, by their delimiters: lines between rows, and ends of rows."""
MOST_SHOWN = 40
"""Most characters of a line in a message."""


@dataclass(frozen=True)
class Line:
    """A row of the file: the number of its first line, and its cells."""

    number: int
    cells: Sequence[str]

    @property
    def empty(self) -> bool:
        """Whether all cells are blank."""
        return not any(cell.strip() for cell in self.cells)


@dataclass
class Remarks:
    """Remarks for a reader of the table.

    file    : the file that is read
    strict  : whether each remark is an error; otherwise the rest of the table is read
    lines   : a line for each remark
    unread  : number of remarks on something that was left out
    missing : lines and columns of cells with a dash, or the like, in place of a figure
    """

    file: Path
    strict: bool = False
    lines: list[str] = field(default_factory=list)
    unread: int = 0
    missing: list[str] = field(default_factory=list)

    def say(self, line: str) -> None:
        """Add a remark."""
        if self.strict:
            raise ConfigError(f"{self.file}, {line}")
        self.lines.append(line)

    def left_out(self, line: str, end: str = "; the cell is left out") -> None:
        """Add a remark on something that is left out; `end` follows it unless it is an error."""
        self.say(line if self.strict else f"{line}{end}")
        self.unread += 1


def lines_of(file: Path, remarks: Remarks) -> tuple[list[Line], bool]:
    """The lines of a file, and whether the commas in its cells are decimal signs."""
    rows = _text(file).translate(BLANKS).splitlines()
    delimiter = max(DELIMITERS, key=lambda sign: (sum(sign in row for row in rows), sign == ","))
    if (no_cell := NO_CELLS.get(delimiter)) is not None:
        rows = [no_cell.sub("", row) for row in rows]
    try:
        lines = list(_separated(rows, delimiter, 1))
    except csv.Error:  # a quotation mark that nothing closes, which would take the lines below into its cell
        lines = []
        for number, row in enumerate(rows, 1):
            try:
                lines += _separated([row], delimiter, number)
            except csv.Error:
                why = "a quotation mark is not closed, or is not around the whole cell"
                remarks.left_out(f"line {number}: {why} ({row[:MOST_SHOWN]})", "; the line is left out")
    while lines and lines[-1].empty:
        lines.pop()
    if not lines:  # the last of them is not empty
        raise ConfigError(f"{file}: the file is empty: expected headings and printed figures below them")
    while not any("".join(line.cells[:1]).strip() for line in lines):  # as rows of Markdown begin
        lines = [Line(line.number, line.cells[1:]) for line in lines]
    return lines, delimiter != ","


def _text(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)  # a pipe or a device has no size, and may never end
        if len(content) > MOST_BYTES:
            raise ConfigError(f"{file}: the file is larger than {MOST_BYTES:,} bytes: expected a printed table")
        return content.decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}; expected a CSV of printed figures") from error
    except UnicodeDecodeError as error:
        line = len(content[: error.start].splitlines()) or 1
        raise ConfigError(
            f"{file}, line {line}: byte {error.start + 1} of the file is not UTF-8: save the file as CSV in UTF-8"
        ) from error


def _separated(rows: Sequence[str], delimiter: str, number: int) -> Iterator[Line]:
    """The cells of rows, the first of which has a number; a quoted cell may contain several rows."""
    reader = csv.reader((f"{row}\n" for row in rows), delimiter=delimiter, skipinitialspace=True, strict=True)
    begin = 1
    for cells in reader:
        yield Line(number + begin - 1, cells)
        begin = reader.line_num + 1


def first_table(lines: list[Line], remarks: Remarks) -> list[Line]:
    """The lines of the first table, headings first, without the title above it and without further tables."""
    filled = [position for position, line in enumerate(lines) if not line.empty]
    begin = filled[0]
    for position, below in pairwise(filled):
        if not _is_title(lines[position], lines[below]):
            break
        remarks.say(
            f"line {lines[position].number} is not a row of the table, and is left out: {short(lines[position])}"
        )
        begin = below
    taken = [lines[begin]]
    for position, line in enumerate(lines[begin + 1 :], begin + 1):
        if line.empty:
            continue
        if len(taken) > 1 and _is_heading(line, taken[1:], after_gap=lines[position - 1].empty):
            last = lines[-1].number
            left = f"lines {line.number} to {last} are left out" if last > line.number else "this line is left out"
            remarks.say(
                f"line {line.number} begins a second table, with the columns {short(line)}: {left}. Put the second "
                "table into a file of its own"
            )
            break
        taken.append(line)
    return taken


def _is_title(line: Line, below: Line) -> bool:
    """Whether a line is above the headings: it has one cell, or fewer than the words of the line below it."""
    filled = [cell for cell in below.cells if cell.strip()]
    return sum(map(bool, map(str.strip, line.cells))) == 1 or (
        len(line.cells) < len(below.cells) and len(filled) == len(below.cells) and all(map(_is_word, filled))
    )


def _is_heading(line: Line, above: Sequence[Line], *, after_gap: bool) -> bool:
    """Whether a line has headings, not figures: two words or more and no number, or a word alone after a gap.

    One of the words must be below a number; otherwise the line has remarks on a data set without figures.
    """
    filled = {index: cell for index, cell in enumerate(line.cells) if index and cell.strip()}
    if not filled:
        return after_gap
    if not all(map(_is_word, filled.values())) or not (after_gap or len(filled) > 1):
        return False
    cells = [row.cells[index] for row in above for index in filled if index < len(row.cells)]
    return any(cell.strip() and not _is_word(cell) for cell in cells)


def _is_word(cell: str) -> bool:
    bare = TYPE.sub(" ", cell).strip()
    return any(letter.isalpha() for letter in bare) and not bare[0].isdigit()


def short(line: Line) -> str:
    """The first cells of a line, for a message."""
    return first_of([cell.strip() for cell in line.cells if cell.strip()], 3)
