"""The lines of a typed CSV, and remarks on those that are not rows of the table."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from pipeline.errors import ConfigError
from pipeline.words import first_of

DELIMITERS = ",;\t|"
MOST_BYTES = 2**20


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

    file   : the file that is read
    strict : whether each remark is an error; otherwise the rest of the table is read
    lines  : a line for each remark
    unread : number of remarks on something that was left out
    """

    file: Path
    strict: bool = False
    lines: list[str] = field(default_factory=list)
    unread: int = 0

    def say(self, line: str) -> None:
        """Add a remark."""
        if self.strict:
            msg = f"{self.file}, {line}"
            raise ConfigError(msg)
        self.lines.append(line)

    def left_out(self, line: str, end: str = ": it is left out") -> None:
        """Add a remark on something that is left out; `end` follows it unless it is an error."""
        self.say(line if self.strict else f"{line}{end}")
        self.unread += 1


def lines_of(file: Path) -> tuple[list[Line], bool]:
    """The lines of a file, and whether the commas in its cells are decimal signs."""
    try:
        if file.stat().st_size > MOST_BYTES:
            msg = f"{file}: larger than {MOST_BYTES:,} bytes: expected a printed table"
            raise ConfigError(msg)
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        msg = f"{file}: {error.strerror}: expected a CSV of printed figures"
        raise ConfigError(msg) from error
    except UnicodeDecodeError as error:
        msg = f"{file}: byte {error.start + 1} is not UTF-8: save the file as CSV in UTF-8"
        raise ConfigError(msg) from error
    rows = text.splitlines()
    delimiter = max(DELIMITERS, key=lambda sign: (sum(sign in row for row in rows), sign == ","))
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    lines, number = [], 1
    for cells in reader:
        lines.append(Line(number, cells))
        number = reader.line_num + 1
    while lines and lines[-1].empty:
        lines.pop()
    if not lines:  # the last of them is not empty
        msg = f"{file}: the file is empty: expected headings and printed figures below them"
        raise ConfigError(msg)
    return lines, delimiter != ","


def first_table(lines: list[Line], remarks: Remarks) -> list[Line]:
    """The lines of the first table, headings first, without the title above it and without further tables."""
    begin = next(i for i, line in enumerate(lines) if not line.empty)
    while begin + 1 < len(lines) and sum(bool(cell.strip()) for cell in lines[begin].cells) == 1:
        remarks.say(f"line {lines[begin].number} is no row of the table, and is left out: {short(lines[begin])}")
        begin = next((i for i in range(begin + 1, len(lines)) if not lines[i].empty), len(lines) - 1)
    taken = [lines[begin]]
    for position, line in enumerate(lines[begin + 1 :], begin + 1):
        if line.empty:
            continue
        if len(taken) > 1 and _is_heading(line, taken[1:], after_gap=lines[position - 1].empty):
            left = f"lines {line.number} to {lines[-1].number} are left out"
            remarks.say(f"line {line.number} begins a second table ({short(line)}): {left}; give it its own file")
            break
        taken.append(line)
    return taken


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
    return any(letter.isalpha() for letter in cell) and not any(letter.isdigit() for letter in cell[:1])


def short(line: Line) -> str:
    """The first cells of a line, for a message."""
    return first_of([cell.strip() for cell in line.cells if cell.strip()], 3)
