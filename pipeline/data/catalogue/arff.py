"""Weka's ARFF: a header that declares the attributes, and a body with commas (not the sparse form)."""

from __future__ import annotations

import csv
import re

from pipeline.data.catalogue.delimited import TextTable, delimited
from pipeline.data.catalogue.entry import Column, ColumnKind, Layout
from pipeline.data.catalogue.limits import Limits
from pipeline.errors import DataError

__all__ = ["arff", "is_arff"]

ATTRIBUTE = re.compile(
    r"""@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{]+)\s*(.*)""", re.IGNORECASE | re.DOTALL
)
NUMERIC = {"numeric", "real", "integer"}
DATA = re.compile(rb"(?mi)^[ \t]*@data[ \t]*$")


def is_arff(content: bytes) -> bool:
    """Whether a text declares attributes as ARFF does."""
    return re.search(rb"(?mi)^[ \t]*@(relation|attribute)\b", content[: 2**16]) is not None


def arff(content: bytes, name: str, layout: Layout, limits: Limits) -> TextTable:
    """The columns of an ARFF file in UTF-8 with LF line ends; `?` is missing.

    The file's own declarations are used unless the layout has some; the last attribute is then the class.

    Raises DataError, which names file and line; also if it has more columns than the limits allow.
    """
    start = DATA.search(content)
    if start is None:
        msg = f"{name}: has no line @data: expected an ARFF file, @attribute lines and then @data and the rows"
        raise DataError(msg)
    lines = [
        (line.decode().strip(), f"{name}, line {number}")
        for number, line in enumerate(content[: start.start()].split(b"\n"), start=1)
        if line.strip().lower().startswith(b"@attribute")
    ]
    limits.check_columns(len(lines), name)
    declared = [_attribute(*line) for line in lines]
    if len(declared) < 2:
        msg = f"{name}: declares {len(declared)} attributes: expected @attribute lines for attributes and a class"
        raise DataError(msg)
    first: dict[str, str] = {}
    for column, (_, place) in zip(declared, lines, strict=True):
        if first.setdefault(column.name, place) != place:
            msg = f"{place}: two attributes are called '{column.name}', the other at {first[column.name]}: rename one"
            raise DataError(msg)
    # emptied, not cut: the rows keep their line numbers
    body = re.sub(rb"(?m)^[ \t]*%.*$", b"", content[start.end() :])
    if re.search(rb"(?m)^[ \t]*\{", body):
        msg = f"{name}: holds sparse rows, in braces, which are not read here: write it with all values"
        raise DataError(msg)
    rows = b"\n" * content.count(b"\n", 0, start.end()) + body
    columns = layout.columns or tuple(declared)
    if len(columns) != len(declared):
        msg = (
            f"{name}: declares {len(declared)} attributes, the catalogue's YAML {len(columns)} columns: mend `columns`"
        )
        raise DataError(msg)
    own = Layout(columns, ",", header=0, missing=layout.missing, left_out=layout.left_out)
    return delimited(rows, name, own, "'" if rows.count(b"'") >= rows.count(b'"') else '"', limits)


def _attribute(line: str, place: str) -> Column:
    found = ATTRIBUTE.fullmatch(line)
    if found is None:
        msg = f"{place}: expected @attribute, a name and a type, found {line[:60]!r}"
        raise DataError(msg)
    name, kind = found[1].strip("'\""), found[2].partition("%")[0].strip()
    if kind.startswith("{") and kind.endswith("}"):
        quote = "'" if "'" in kind else '"'
        labels = next(csv.reader([kind[1:-1]], quotechar=quote, skipinitialspace=True), [])
        return Column(name, ColumnKind.NOMINAL, tuple(dict.fromkeys(label.strip() for label in labels)))
    if kind.split(" ")[0].lower() in NUMERIC:
        return Column(name, ColumnKind.NUMERIC)
    if kind.lower() == "string":
        return Column(name, ColumnKind.NOMINAL)
    msg = f"{place}: attribute '{name}' is of type {kind[:40]!r}: expected numeric, real, integer, string or {{…}}"
    if kind.lower().startswith("date"):
        msg += "; for dates such as 2026-01-31 write string"
    raise DataError(msg)
