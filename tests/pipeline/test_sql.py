"""Values and names in SQL: read back by DuckDB as they were, and never as a word of it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.sql import identifier, literal
from pipeline.summary.tables import SummaryTable

HOSTILE = [
    "'; drop table results; --",
    '" from x --',
    "it's",
    "\\'",
    "$$;$$",
    "a\nb",
    "{0}",
    "?",
    "$1",
    "",
    "'" * 7,
    "é\0x",
]


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as database:
        yield database


@given(st.one_of(st.text(st.characters(exclude_categories=["Cs"])), st.integers(-(2**63), 2**63 - 1), st.none()))
def test_texts_and_whole_numbers_read_back(database: duckdb.DuckDBPyConnection, value: str | int | None) -> None:
    assert database.execute(f"select {literal(value)}").fetchall() == [(value,)]


@given(st.floats(allow_nan=False))
def test_floats_are_the_same_to_the_bit(database: duckdb.DuckDBPyConnection, value: float) -> None:
    question = f"select {literal(value)}::double, x = {literal(value)} from (select $1 as x)"
    assert database.execute(question, [value]).fetchall() == [(value, True)]


def test_numbers_that_are_not_finite_are_written_in_sql() -> None:
    with duckdb.connect() as database:
        ((nan, infinity),) = database.execute(f"select {literal(math.nan)}, {literal(-math.inf)}").fetchall()
    assert math.isnan(nan)
    assert infinity == -math.inf


@pytest.mark.parametrize("name", [name for name in HOSTILE if name and "\0" not in name])
def test_names_are_names(database: duckdb.DuckDBPyConnection, name: str) -> None:
    assert database.sql(f"select 1 as {identifier(name)}").columns == [name]
    assert database.execute(f"select {identifier(name)} from (select 2 as {identifier(name)})").fetchall() == [(2,)]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_value_of_a_row_is_only_a_value_in_its_question(
    database: duckdb.DuckDBPyConnection, name: str
) -> None:
    table = SummaryTable("t", "T", ("who", "n"), [(name, 1)], "", "select {who} as who, {n} + 1 as more")
    question = table.question_of(table.records[0])
    assert len(database.extract_statements(question)) == 1
    assert database.execute(question).fetchall() == [(name, 2)]
