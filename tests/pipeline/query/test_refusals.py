"""What DuckDB refuses is told in a line, with the place in the question where it knows one."""

from __future__ import annotations

import duckdb
import pytest

from pipeline.query.refusals import told


def refused(question: str) -> str:
    with pytest.raises(duckdb.Error) as raised, duckdb.connect() as database:
        database.sql(question).fetchall()
    return told(raised.value)


def test_a_place_in_the_question_is_pointed_at() -> None:
    why, question, caret = refused("selec 1").splitlines()
    assert why == 'Parser Error: syntax error at or near "selec"'
    assert (question, caret) == ("  selec 1", "  ^^^^^")
    _, question, caret = refused("select 1,\n  from where x").splitlines()
    assert question[caret.index("^") :].startswith("where")
    assert "LINE" not in question


def test_of_many_functions_the_first_are_named() -> None:
    why = refused("select sum('a'::varchar)")
    assert len(why.splitlines()) == 1
    assert "'sum(VARCHAR)'" in why
    assert why.count(" -> ") == 3
    assert why.endswith(", …")


@pytest.mark.parametrize(
    "question", ["select a from (select 1 as b)", "select nosuch(1)", "select b, count(*) from (select 1 as b)"]
)
def test_advice_stands_in_the_same_line(question: str) -> None:
    why = refused(question)
    assert len(why.splitlines()) == 1
    assert any(advice in why for advice in ("Candidate bindings", "Did you mean", "ANY_VALUE"))


def test_of_an_error_in_python_the_last_line_is_told() -> None:
    error = duckdb.InvalidInputException("Invalid\nTraceback (most recent call last):\n  File\nPermissionError: no")
    assert told(error) == "PermissionError: no"
