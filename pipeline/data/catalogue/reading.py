"""Convert the bytes of a file in any known form to columns of text."""

from __future__ import annotations

import codecs
import csv
import re
import shlex

import pyarrow as pa
import pyarrow.parquet
from pyarrow import compute

from pipeline.data.catalogue.delimited import TextTable, delimited, refuse_twins
from pipeline.data.catalogue.entry import Column, ColumnKind, FileLayout
from pipeline.data.catalogue.limits import check_columns
from pipeline.data.catalogue.lines import some
from pipeline.errors import DataError
from pipeline.words import counted

MOST_CELLS = 2**29  # of a Parquet file
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
ATTRIBUTE = re.compile(
    r"""@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{]+)\s*(.*)""", re.IGNORECASE | re.DOTALL
)
NUMERIC = {"numeric", "real", "integer"}
MISSING_IN_ARFF = "?"
INDEX_OF_PANDAS = re.compile(r"__index_level_\d+__")
"""Matches the column in which pandas stores an index without a name."""
BEFORE_COMMENT = re.compile(r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^%])*""", re.DOTALL)
DATA = re.compile(rb"(?mi)^[ \t]*@data[ \t]*(%.*)?$")


def read_text(content: bytes, name: str, layout: FileLayout) -> TextTable:
    """The columns of a Parquet, ARFF or delimited file, recognised by its first bytes.

    Raises DataError: the file is empty, its encoding is neither UTF-8 nor declared, lines do not fit, or there are too
    many columns; the message names file and line.
    """
    if content[:4] == b"PAR1":
        return _parquet(content, name, layout)
    text = _decoded(content, name, layout.encoding)
    if not text.strip():
        raise DataError(f"{name}: the file is empty: expected a row per line")
    if is_arff(text):
        return arff(text, name, layout)
    return delimited(text, name, layout)


def _decoded(content: bytes, name: str, encoding: str | None) -> bytes:
    """The text in UTF-8, without a byte order mark, with LF line ends."""
    if content.startswith(UTF_16) and encoding is None:
        raise DataError(
            f"{name}: the file is in UTF-16: save it as UTF-8, or add `encoding: utf-16` to its YAML file in a "
            "catalogue"
        )
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        if encoding is None:
            location = f"{name}, line {_line_of(content, error.start)}"
            raise DataError(
                f"{location}: byte 0x{content[error.start]:02x} is not UTF-8: save the file as UTF-8, or give the "
                "encoding in the YAML file of a catalogue, such as `encoding: latin-1`. If the file is text in "
                f"Latin-1, `iconv -f latin1 -t utf-8 {shlex.quote(name)} > utf8.csv` converts it"
            ) from error
        content = _recoded(content, name, encoding)
    content = content.removeprefix(codecs.BOM_UTF8)
    if (zero := content.find(b"\0")) >= 0:
        where = f"{name}, line {_line_of(content, zero)}"
        raise DataError(f"{where}: there is a zero byte: expected a text file, such as CSV or ARFF, or a Parquet file")
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return content


def _line_of(content: bytes, position: int) -> int:
    """The number of the line, from 1, of a byte; lines end by LF, CR LF or CR."""
    before = content[:position]
    return 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")


def _recoded(content: bytes, name: str, encoding: str) -> bytes:
    try:
        return content.decode(encoding).encode()
    except LookupError as error:
        raise DataError(
            f"{name}: `encoding: {encoding}` is not a known encoding: expected one such as latin-1, cp1252 or utf-16"
        ) from error
    except UnicodeError as error:
        raise DataError(
            f"{name}: the file is not in the declared encoding {encoding}: {error}; change `encoding` in its YAML file"
        ) from error


def _parquet(content: bytes, name: str, layout: FileLayout) -> TextTable:
    try:
        file = pyarrow.parquet.ParquetFile(pa.BufferReader(content), page_checksum_verification=True)
        rows, names = file.metadata.num_rows, file.schema_arrow.names
        check_columns(len(names), name)
        refuse_twins(names, name)
        if rows * len(names) > MOST_CELLS:  # a few bytes may expand to any number of equal ones
            raise DataError(
                f"{name}: the file has {rows:,} rows of {len(names):,} columns: expected at most {MOST_CELLS:,} "
                "cells; take a sample of its rows, or fewer columns"
            )
        table = file.read()
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"{name}: cannot be read as Parquet: {error}") from error
    names = [text for text in names if layout.columns or not INDEX_OF_PANDAS.fullmatch(text)]
    if not rows or len(names) < 2:
        raise DataError(
            f"{name}: the file has {counted(rows, 'row')} and {counted(len(names), 'column')}: expected at least "
            "one row and two columns"
        )
    wanted = [column for column in layout.columns if column.kind is not ColumnKind.DROP]
    present = set(names)
    for column in wanted:
        if column.name not in present:
            raise DataError(
                f"{name}: there is no column '{column.name}' among {some(names)}: add it to the file, or change the "
                "names under `columns` in the catalogue's YAML"
            )
    columns = tuple(wanted) or tuple(Column(text, ColumnKind.NOMINAL) for text in names)
    return TextTable(
        name, columns, tuple(_text(table.column(column.name), column.name, name) for column in columns), None
    )


def _text(column: pa.ChunkedArray, column_name: str, name: str) -> pa.ChunkedArray:
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    try:
        return compute.cast(column, pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise DataError(
            f"{name}: column '{column_name}' is of type {column.type}: expected text, numbers or booleans"
        ) from error


def is_arff(content: bytes) -> bool:
    """Whether a text declares attributes as ARFF does."""
    return re.search(rb"(?mi)^[ \t]*@(relation|attribute)\b", content[: 2**16]) is not None


def arff(content: bytes, name: str, layout: FileLayout) -> TextTable:
    """The columns of an ARFF file in UTF-8 with LF line ends; `?` is missing.

    The file's own declarations are used unless the layout has some; the last attribute is then the class.

    Raises DataError, which names file and line; also if it has too many columns.
    """
    start = DATA.search(content)
    if start is None:
        raise DataError(
            f"{name}: the file has no line @data: expected an ARFF file with @attribute lines, then the line @data, "
            "then the rows"
        )
    lines = [
        (line.decode().strip(), f"{name}, line {number}")
        for number, line in enumerate(content[: start.start()].split(b"\n"), start=1)
        if line.strip().lower().startswith(b"@attribute")
    ]
    check_columns(len(lines), name)
    declared = [_attribute(*line) for line in lines]
    if len(declared) < 2:
        raise DataError(
            f"{name}: the file declares {counted(len(declared), 'attribute')}: expected @attribute lines for "
            "attributes and a class"
        )
    first: dict[str, str] = {}
    for column, (_, location) in zip(declared, lines, strict=True):
        if first.setdefault(column.name, location) != location:
            raise DataError(
                f"{location}: attribute '{column.name}' is also declared at {first[column.name]}: rename one of the two"
            )
    # emptied, not cut: the rows keep their line numbers
    body = re.sub(rb"(?m)^[ \t]*%.*$", b"", content[start.end() :])
    if re.search(rb"(?m)^[ \t]*\{", body):
        raise DataError(
            f"{name}: the file has sparse rows (in braces), which Orchard does not read: write each row with all its "
            "values"
        )
    rows = b"\n" * content.count(b"\n", 0, start.end()) + body
    columns = layout.columns or tuple(declared)
    if len(columns) != len(declared):
        raise DataError(
            f"{name}: the file declares {counted(len(declared), 'attribute')}, but its YAML file in the catalogue has "
            f"{counted(len(columns), 'column')}: change `columns` in the YAML file"
        )
    declared_layout = FileLayout(columns, ",", header=0, missing=layout.missing, left_out=layout.left_out)
    quote = "'" if rows.count(b"'") >= rows.count(b'"') else '"'
    return delimited(_with_doubled(quote, rows.decode()).encode(), name, declared_layout, quote)


def _with_doubled(quote: str, text: str) -> str:
    """ARFF text whose quotes within a quoted text are doubled, as in a CSV, instead of behind a backslash."""
    return text.replace(f"\\{quote}", quote * 2)


def _attribute(line: str, location: str) -> Column:
    match = ATTRIBUTE.fullmatch(line)
    if match is None:
        raise DataError(f"{location}: expected @attribute, a name and a type, found {line[:60]!r}")
    named, kind = match[1], BEFORE_COMMENT.findall(match[2])[0].strip()
    name = re.sub(r"\\(['\"])", r"\1", named[1:-1]) if re.fullmatch(r"(['\"]).*\1", named) else named
    if kind.startswith("{") and kind.endswith("}"):
        quote = "'" if "'" in kind else '"'
        labels = next(csv.reader([_with_doubled(quote, kind[1:-1])], quotechar=quote, skipinitialspace=True), [])
        known = dict.fromkeys(label.strip() for label in labels if label.strip() != MISSING_IN_ARFF)
        return Column(name, ColumnKind.NOMINAL, tuple(known))
    if kind.split(" ")[0].lower() in NUMERIC:
        return Column(name, ColumnKind.NUMERIC)
    if kind.lower() == "string":
        return Column(name, ColumnKind.NOMINAL)
    msg = f"{location}: attribute '{name}' is of type {kind[:40]!r}: expected numeric, real, integer, string or {{…}}"
    if kind.lower().startswith("date"):
        msg += "; give dates such as 2026-01-31 the type string"
    raise DataError(msg)
