"""What DuckDB refuses is reported with the position in the question if it is known."""

from __future__ import annotations

import duckdb
import pytest

from pipeline.query.database import KEYWORD_COLUMNS, message_of, with_quotes
from pipeline.schema import known_tables


def refused(question: str) -> str:
    with pytest.raises(duckdb.Error) as raised, duckdb.connect() as database:
        database.sql(question).fetchall()
    return message_of(raised.value)


def test_an_error_points_at_its_position_in_the_question() -> None:
    why, question, caret = refused("selec 1").splitlines()
    assert why == 'Parser Error: syntax error at or near "selec"'
    assert question[caret.index("^") :] == "selec 1"


@pytest.mark.parametrize(
    "question", ["select a from (select 1 as b)", "select nosuch(1)", "select b, count(*) from (select 1 as b)"]
)
def test_advice_is_kept_and_no_line_is_empty(question: str) -> None:
    why = refused(question)
    assert all(line.strip() for line in why.splitlines())
    assert any(advice in why for advice in ("Candidate bindings", "Did you mean", "ANY_VALUE"))


def test_of_an_error_in_python_the_last_line_is_shown() -> None:
    error = duckdb.InvalidInputException("Invalid\nTraceback (most recent call last):\n  File\nPermissionError: no")
    assert message_of(error) == "PermissionError: no"


@pytest.mark.parametrize(
    "question",
    [
        "select group from results",
        "select avg(depth), Group from results",
        "select 'a group' as x from results where group = 1",
        'select "group" from results group by group',
    ],
)
def test_a_column_that_is_a_keyword_of_sql_is_shown_in_quotes(question: str) -> None:
    with pytest.raises(duckdb.ParserException) as raised, duckdb.connect() as database:
        database.extract_statements(question)
    why, shown, caret = message_of(with_quotes(raised.value, question, KEYWORD_COLUMNS)).splitlines()
    assert why.endswith('; write group in quotes if it is the name of a column: "group"')
    assert (shown.removeprefix("LINE 1: "), caret.strip("^ ")) == (question, "")


@pytest.mark.parametrize(
    "question", ["select a frm b group by c", "select 'group' frm b", 'select r."group" frm b c d']
)
def test_an_error_elsewhere_has_no_hint_about_quotes(question: str) -> None:
    with pytest.raises(duckdb.ParserException) as raised, duckdb.connect() as database:
        database.extract_statements(question)
    assert with_quotes(raised.value, question, KEYWORD_COLUMNS) is raised.value


def test_the_columns_that_are_words_of_the_language_are_known() -> None:
    with duckdb.connect() as database:
        reserved = "select keyword_name from duckdb_keywords() where keyword_category = 'reserved'"
        words = {word for (word,) in database.execute(reserved).fetchall()}
    assert words & {field.name for table in known_tables().values() for field in table.schema} == set(KEYWORD_COLUMNS)
