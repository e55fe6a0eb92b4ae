"""CSV: texts that come back exactly, and that no reading of the file takes for a formula or a new line."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata

import duckdb
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.csv_text import csv_text
from pipeline.query.forms import as_csv
from pipeline.summary.tables import SummaryTable

SIGNS = "=+-@＝＋－＠﹦﹢﹣﹫"
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
NUMBERS_THEN_QUOTED = re.compile(rf'{NUMBER.pattern}(,({NUMBER.pattern})?)*(,".*)?', NUMBER.flags | re.DOTALL)
"""A line whose first cell is a number, as a reader of other separators has it: after it no text without quotes."""
PIECES = st.sampled_from(
    [
        *SIGNS,
        *"\r\n\t;,|\"'\\ x1",
        "\ufeff",
        "\u200b",
        "\u00a0",
        "\u3000",
        "\u2028",
        "\x85",
        "\x0b",
        "\x00",
        "\u202e",
        "-1.5",
    ]
)
TEXTS = st.text() | st.lists(PIECES, max_size=8).map("".join)
VALUES = TEXTS | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.booleans() | st.none()
LINE_BREAKS = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def visible(text: str) -> str:
    """A text from its first character that is seen on."""
    return text.lstrip("".join(sign for sign in set(text) if unicodedata.category(sign)[0] in "CMZ"))


def check_inert(text: str) -> None:
    for line in LINE_BREAKS.split(text):
        assert_no_formula(line)
        for quote in '"', "\0":
            for cell in line.replace("\t", ";").split(";"):
                assert_no_formula(cell.strip(quote))
    for separator in ",;\t":
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            for cell in row:
                assert_no_formula(cell)


def assert_no_formula(cell: str) -> None:
    seen = visible(cell)
    number = NUMBER.fullmatch(cell) or NUMBERS_THEN_QUOTED.fullmatch(cell)
    assert number or not seen.startswith(tuple(SIGNS)), cell


def true_value(cell: str) -> str:
    """What docs/results.md says of a cell."""
    result = json.loads(f'"{cell[1:]}"') if cell.startswith("'") else cell
    assert isinstance(result, str)
    return result


@given(st.lists(st.lists(VALUES, min_size=3, max_size=3), max_size=4))
@example([["y\r=HYPERLINK(1)", "x;=1", "＝1"]])
@example([[-1, "0+cmd|' /C calc'!A0", "x"]])
@example([["a", 'b;"=1', '"'], ["\ufeff =1", "'=1", "x;\u200b＠y"]])
def test_no_reading_of_a_file_has_a_formula(rows: list[list[str | float | None]]) -> None:
    text = csv_text(rows)
    assert text.count("\n") == len(rows)
    check_inert(text)
    text.encode()


@given(st.lists(st.lists(TEXTS, min_size=1, max_size=3), max_size=4))
def test_texts_come_back(rows: list[list[str]]) -> None:
    results = csv.reader(io.StringIO(csv_text(rows), newline=""), strict=True)
    assert [[true_value(cell) for cell in row] for row in results] == rows


@given(st.lists(st.lists(st.none() | st.integers() | st.floats(allow_nan=False), min_size=2, max_size=2), max_size=3))
def test_numbers_are_numbers(rows: list[list[float | None]]) -> None:
    results = csv.reader(csv_text(rows).splitlines())
    assert [[None if cell == "" else float(cell) for cell in row] for row in results] == [
        [None if value is None else float(value) for value in row] for row in rows
    ]


@pytest.mark.parametrize(
    "text", ["iris setosa", "-1.5", "+2e-3", "a,b", 'say "x"', "é", "p\\q", "x=1", "a; b", "2026-02-01"]
)
def test_ordinary_texts_are_unchanged(text: str) -> None:
    assert list(csv.reader([csv_text([[text, 1]])])) == [[text, "1"]]


@given(TEXTS, TEXTS)
def test_every_writer_writes_so(heading: str, text: str) -> None:
    names, row = [heading, "n"], [text, 1]
    expected = csv_text([names, row])
    assert SummaryTable("t", "T", names, [row], "").as_csv() == expected
    stored = [each.encode("utf-8", "replace").decode() for each in (heading, text)]
    answer = pa.Table.from_arrays([pa.array([stored[1]]), pa.array([1])], names=[stored[0], "n"])
    assert "".join(as_csv(answer.to_reader())) == csv_text([[stored[0], "n"], [stored[1], 1]])


def test_an_answer_of_the_database_is_inert() -> None:
    question = "select 'y' || chr(13) || '=HYPERLINK(1)' as class, 'x;=1' as other, '＝1' as \"=name\""
    with duckdb.connect() as database:
        text = "".join(as_csv(database.sql(question).to_arrow_reader(10)))
    check_inert(text)
    names, row = csv.reader(text.splitlines())
    assert list(map(true_value, names)) == ["class", "other", "=name"]
    assert list(map(true_value, row)) == ["y\r=HYPERLINK(1)", "x;=1", "＝1"]
