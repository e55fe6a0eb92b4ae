"""Read delimited text (comma, semicolon, tab or blanks, with or without a header) as columns of text."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NoReturn

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import compute
from pyarrow import csv as pc

from pipeline.data.catalogue.entry import Column, ColumnKind, FileLayout
from pipeline.data.catalogue.limits import check_columns
from pipeline.data.catalogue.lines import (
    SEPARATOR_NAMES,
    fields_of,
    lines_before,
    present_of,
    separator_of,
    some,
    stays_open,
    widths_of,
)
from pipeline.errors import DataError
from pipeline.words import counted

SAMPLE = 200  # lines examined to find the separator and the header
SAMPLE_BYTES = 2**22  # of these lines, a number beyond which two of them suffice
LONGEST_LINE = 2**26  # in bytes


@dataclass(frozen=True)
class TextTable:
    """Columns of text, and the position of each row in the file.

    name    : the file, for messages
    columns : the description of each column; of kind DROP, or NOMINAL without labels if nothing is known
    texts   : a column of text for each; null if the file itself says that there is no value
    content : the lines that the rows were read from; None if the file has no lines
    header  : number of lines before the rows
    named   : whether the file, or its description, has the names of the columns
    rows    : the number in the file of each row; None: all rows of the file
    """

    name: str
    columns: tuple[Column, ...]
    texts: tuple[pa.ChunkedArray, ...]
    content: bytes | None
    header: int = 0
    named: bool = True
    rows: NDArray[np.int64] | None = None

    def kept(self) -> TextTable:
        """The table without the columns to drop."""
        pairs = zip(self.columns, self.texts, strict=True)
        kept = [(column, text) for column, text in pairs if column.kind is not ColumnKind.DROP]
        return replace(self, columns=tuple(column for column, _ in kept), texts=tuple(text for _, text in kept))

    def location(self, row: int) -> str:
        """The file and the line of a row, counted from 0."""
        row = row if self.rows is None else int(self.rows[row])
        if self.content is None:
            return f"{self.name}, row {row + 1}"
        line = next(islice(_lines(self.content), self.header + row, None))[0]
        return f"{self.name}, line {line}"


def _lines(content: bytes) -> Iterator[tuple[int, bytes]]:
    """The nonempty lines, with their numbers from 1."""
    for number, line in enumerate(io.BytesIO(content), start=1):
        if line.strip(b" \n"):
            yield number, line.rstrip(b"\n")


def delimited(content: bytes, name: str, layout: FileLayout, quote: str = '"') -> TextTable:
    """Read the columns of a text in UTF-8 with LF line ends.

    Raises DataError, which names file and line, if no separator fits, a line has another number of fields, or there are
    too many columns.
    """
    content = _without(content, layout.left_out)
    if b"\n " in content or content.startswith(b" "):
        content = re.sub(rb"(?m)^ +$", b"", content)
    sample = list(_sample(content, name))
    if not sample:
        raise DataError(f"{name}: there are no rows: expected a row per line")
    separator = layout.separator or separator_of([line for _, line in sample], layout, quote)
    content = _without_padding(content, separator, quote)
    sample = list(_sample(content, name))
    rows = [fields_of(line, separator, quote) for _, line in sample]
    preamble = lines_before(rows, layout)
    for number, line in sample[: max(preamble, 1)]:
        if stays_open(line, separator, quote):
            _refuse_open(f"{name}, line {number}", line)
    if preamble == len(rows):
        raise DataError(f"{name}: the file has a header, but no rows: expected a row per line")
    width = Counter(map(len, rows[preamble:])).most_common(1)[0][0]
    check_columns(width, f"{name}, line {sample[preamble][0]}")
    head = (rows[preamble - 1], f"{name}, line {sample[preamble - 1][0]}") if preamble else ([], name)
    columns, fields = (
        _inferred_columns(*head, width) if not layout.columns else _columns(*head, width, layout, separator)
    )
    table = TextTable(name, columns, (), content, preamble, named=bool(layout.columns or preamble))
    texts = _read(table, content, separator, quote, width)
    if layout.sequence:
        texts = [*texts[:-1], *_letters(texts[-1], layout.sequence, table)]
    return replace(table, texts=tuple(texts[index] for index in fields))


def _sample(content: bytes, name: str) -> Iterator[tuple[int, str]]:
    """The first lines with their numbers, enough to show what the others are like."""
    size = 0
    for taken, (number, line) in enumerate(islice(_lines(content), SAMPLE)):
        size += len(line)
        if taken >= 2 and size > SAMPLE_BYTES:
            return
        _check_length(line, f"{name}, line {number}")
        yield number, line.decode()


def _check_length(line: bytes, location: str) -> None:
    """Raise DataError if a line is too long."""
    if len(line) > LONGEST_LINE:
        raise DataError(
            f"{location}: the line has {len(line):,} bytes, but at most {LONGEST_LINE:,} are read: end each row with LF"
        )


def _without(content: bytes, left_out: Sequence[str]) -> bytes:
    """The content with these lines emptied, so that the others keep their numbers."""
    for line in left_out:
        content = re.sub(rb"(?m)^" + re.escape(line.encode()) + rb"[ \t]*$", b"", content)
    return content


def _without_padding(content: bytes, separator: str, quote: str) -> bytes:
    """The content without blanks between a separator and a quoted text, as in `1, "yes"`."""
    if separator == " " or f" {quote}".encode() not in content:
        return content
    mark, start = re.escape(quote.encode()), rb"(?:(?<=%b)|(?m:^))" % separator.encode()
    return re.sub(start + b" *(" + mark + b"(?:[^" + mark + rb"\n]|" + mark * 2 + b")*" + mark + b")", rb"\1", content)


def _columns(
    names: Sequence[str], location: str, width: int, layout: FileLayout, separator: str
) -> tuple[tuple[Column, ...], list[int]]:
    """The declared columns, and the field of a line for each: by its name in the header, or else by its order."""
    kept = [column for column in layout.columns if column.kind is not ColumnKind.DROP]
    lower = [text.lower() for text in names] if len(names) == width else []  # a header must name all fields
    field_of = {text: field for field, text in enumerate(lower)}
    lost = [column for column in kept if column.name.lower() not in field_of]
    if not lost:
        refuse_twins(lower, location)
        present = tuple(column for column in layout.columns if column.name.lower() in field_of)
        return present, [field_of[column.name.lower()] for column in present]
    if len(lost) * 2 < len(kept):
        raise DataError(
            f"{location}: there is no column '{lost[0].name}' among {some(names)}: add it to the file, or change the "
            "names under `columns` in the catalogue's YAML"
        )
    if width not in widths_of(layout):
        raise DataError(
            f"{location}: most lines have {counted(width, 'field')}, separated by "
            f"{SEPARATOR_NAMES.get(separator, repr(separator))}: expected {counted(len(layout.columns), 'column')}, "
            f"from '{layout.columns[0].name}' to '{layout.columns[-1].name}'. Change the lines, or the declaration "
            "of the columns (@attribute in an ARFF file, `columns` or `separator` in a catalogue's YAML)"
        )
    present = present_of(layout, width)
    return present, list(range(len(present)))


def _inferred_columns(names: Sequence[str], location: str, width: int) -> tuple[tuple[Column, ...], list[int]]:
    """Nominal columns with the names of the header; without a header a1, a2, … and last the class."""
    if width < 2:
        raise DataError(
            f"{location}: each line has one field: expected attributes and a class, separated by commas, semicolons, "
            "tabs or blanks"
        )
    if names and len(names) != width:
        mend = "check the separators and the quotes of the rows"
        if len(names) < width:
            mend = "give every column a name, or delete this line if it is not the header"
        raise DataError(f"{location}: the header has {counted(len(names), 'field')}, but the rows have {width}: {mend}")
    named = [text or f"a{number}" for number, text in enumerate(names, start=1)]
    named = named or [*(f"a{number}" for number in range(1, width)), "class"]
    refuse_twins(named, location)
    return tuple(Column(text, ColumnKind.NOMINAL) for text in named), list(range(width))


def refuse_twins(names: Sequence[str], location: str) -> None:
    """Raise DataError if two columns have the same name."""
    for name, count in Counter(names).items():
        if count > 1:
            raise DataError(f"{location}: two columns are called '{name}': give each a name of its own")


def _read(table: TextTable, content: bytes, separator: str, quote: str, width: int) -> list[pa.ChunkedArray]:
    """The fields of the lines after the header, column by column."""
    bad: list[pc.InvalidRow] = []

    def stop(row: pc.InvalidRow) -> str:
        bad.append(row)
        return "error"

    rows = content
    for _, line in islice(_lines(content), table.header):
        rows = rows[rows.index(line) + len(line) :]
    if separator == " ":
        rows = re.sub(rb"[ \t]+", b" ", rows)
        rows = re.sub(rb"(?m)^ ?\((.*)\) ?$", rb"\1", rows)
        rows = re.sub(rb"(?m)^ | $", b"", rows)
    try:
        fields = pc.read_csv(
            pa.BufferReader(rows.lstrip(b"\n")),
            read_options=pc.ReadOptions(
                column_names=[str(index) for index in range(width)], use_threads=False, block_size=LONGEST_LINE
            ),
            parse_options=pc.ParseOptions(
                delimiter=separator,
                quote_char=False if separator == " " else quote,
                invalid_row_handler=stop,
            ),
            convert_options=pc.ConvertOptions(
                column_types={str(index): pa.string() for index in range(width)}, strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid as error:
        if not bad:
            for number, line in _lines(content):
                _check_length(line, f"{table.name}, line {number}")
            raise DataError(f"{table.name}: cannot be read: {error}") from error
        location = table.location((bad[0].number or 1) - 1)
        raise DataError(
            f"{location}: the line has {counted(bad[0].actual_columns, 'field')}, but other lines have {width}: "
            f"{bad[0].text[:60]!r}; change the line, close its quotes, or put quotes around a text that contains the "
            "separator"
        ) from error
    for column in fields.columns:
        broken = compute.match_substring(column, "\n")
        if compute.any(broken).as_py():
            row = int(np.flatnonzero(broken.to_numpy(zero_copy_only=False))[0])
            _refuse_open(table.location(row), column[row].as_py())
    return list(fields.columns)


def _refuse_open(location: str, text: str) -> NoReturn:
    raise DataError(
        f"{location}: a quoted text does not end on its line: {text[:60]!r}; close the quotes, or take the line "
        "break out of the text"
    )


def _letters(sequences: pa.ChunkedArray, length: int, table: TextTable) -> list[pa.ChunkedArray]:
    """Split texts of equal length into a column for each letter."""
    bare = compute.utf8_trim_whitespace(sequences)
    wrong = compute.not_equal(compute.utf8_length(bare), length)
    if compute.any(wrong).as_py():
        row = compute.index(wrong, True).as_py()
        letters = compute.utf8_length(bare[row]).as_py()
        found = f"the last field has {counted(letters, 'letter')}"
        raise DataError(f"{table.location(row)}: {found}: expected {length}, one for each column")
    return [compute.utf8_slice_codeunits(bare, index, index + 1) for index in range(length)]
