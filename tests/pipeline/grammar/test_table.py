"""Tables declared as SQL: means, intervals and verdicts as NumPy has them, and questions that answer their rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.grammar.columns import Column, Key, Known, Mean, Printed, Value, estimate_of
from pipeline.grammar.table import Table
from pipeline.summary.statistics import Estimate
from pipeline.summary.verdicts import Comparison, Tolerance, verdicts

VIEWS = {"good": "select * from results where status = 'ok'", "halves": "select *, value / 2 as half from good"}
TABLE = Table(
    "halves",
    "Halves",
    of="halves",
    columns=[
        Key("source"),
        Key("builder"),
        Mean("half"),
        Value("most", "max(half)"),
        Value("_first", "min(half)"),
        Printed("half", "p.value", tolerance=Tolerance(0.0), n=10),
        Known("_place", "p.place"),
    ],
    beside="ours left join printed p using (source, builder)",
    order="_position",
)
MISPRINTED = Printed(
    "value",
    "p.value",
    tolerance=Tolerance(0.0),
    n=4,
    compared=lambda row: row["source"] != "other",
    corrected="p.right",
)
OBSERVATIONS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b'c"]),
        st.sampled_from(["{x}", "y"]),
        st.sampled_from(["ok", "failed"]),
        st.one_of(st.none(), st.floats(-1e3, 1e3, allow_subnormal=False)),
    ),
    max_size=30,
)
COLUMNS = ("source", "builder", "status", "value")


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as result:
        yield result


def set_up(connection: duckdb.DuckDBPyConnection, rows: list[tuple[object, ...]], printed: float) -> None:
    kinds = pa.schema(
        [("source", pa.string()), ("builder", pa.string()), ("status", pa.string()), ("value", pa.float64())]
    )
    table = pa.Table.from_pylist([dict(zip(COLUMNS, row, strict=True)) for row in rows], schema=kinds)
    connection.register("results", table.append_column("position", pa.array(range(len(rows)), pa.int64())))
    known = [{"source": "a", "builder": "y", "value": printed, "place": 0}]
    connection.register("printed", pa.Table.from_pylist(known))
    for name, sql in VIEWS.items():
        connection.execute(f"create or replace view {name} as {sql}")


@pytest.mark.parametrize(
    ("printed", "right", "expected"),
    [
        (10.0, None, "agrees"),
        (10.0, 90.0, "agrees"),  # a correction changes nothing where the printed value agrees
        (90.0, 10.0, "misprint"),
        (90.0, 10.9, "misprint"),  # within a tenth
        (90.0, 11.5, "differs"),  # not shown to be right
        (90.0, 89.0, "differs"),
        (90.0, None, "differs"),
    ],
)
def test_a_value_that_differs_is_a_misprint_where_the_corrected_one_agrees(
    printed: float, right: float | None, expected: str
) -> None:
    columns = [Key("source"), Mean("value"), MISPRINTED]
    table = Table("t", "T", of="results", columns=columns, beside="ours, printed p", order="source")
    spread = [9.99, 10.01, 9.99, 10.01]
    with duckdb.connect() as connection:
        for source, values in (("a", spread), ("equal", [10.0] * 4), ("other", spread)):
            rows = pa.Table.from_pylist([{"source": source, "value": value} for value in values])
            connection.register(f"r_{source}", rows)
        connection.execute("create view results as from r_a union all from r_equal union all from r_other")
        known = pa.schema([("value", pa.float64()), ("right", pa.float64())])
        connection.register("printed", pa.Table.from_pylist([{"value": printed, "right": right}], schema=known))
        judged, equal, other = table.rows(connection)
    assert judged["verdict"] == expected
    assert equal["verdict"] == ("agrees" if printed == 10 else None)  # without spread and limit nothing differs
    assert other["verdict"] is None
    assert judged["corrected"] == right
    assert table.headings.index("corrected") == table.headings.index("printed") + 1


@pytest.mark.parametrize(
    ("value", "printed", "rounding"), [(84.35, 84.4, 0.05), (84.35, 84.3, 0.05), (0.125, 0.12, 0.005)]
)
def test_equal_observations_agree_where_they_round_to_the_printed_value(
    value: float, printed: float, rounding: float
) -> None:
    """Also half a unit of its last digit away, where floats are further away than that."""
    columns = [Key("source"), Mean("value"), Printed("value", f"{printed}::double", tolerance=Tolerance(rounding), n=3)]
    table = Table("t", "T", of="results", columns=columns, order="source")
    with duckdb.connect() as connection:
        for source, ours in (("edge", value), ("beyond", value + math.copysign(1e-6, value - printed))):
            connection.register(f"r_{source}", pa.Table.from_pylist([{"source": source, "value": ours}] * 3))
        connection.execute("create view results as from r_edge union all from r_beyond")
        rows = {row["source"]: row["verdict"] for row in table.rows(connection)}
    assert rows == {"edge": "agrees", "beyond": None}


@pytest.mark.parametrize(("apart", "expected"), [(0.02, None), (0.0200001, "differs")])
@pytest.mark.parametrize("printed", [0.1, 0.6, 0.9])
def test_a_difference_up_to_the_limit_is_not_significant_whatever_floats_make_of_it(
    printed: float, apart: float, expected: str | None
) -> None:
    """As floats, these differences of 0.02 are larger."""
    beside = Printed("value", f"{printed}::double", tolerance=Tolerance(0.0005), limit=lambda _: 0.02)
    with duckdb.connect() as connection:
        connection.register("results", pa.Table.from_pylist([{"value": printed + apart}] * 3))
        (row,) = Table("t", "T", of="results", columns=[Mean("value"), beside]).rows(connection)
    assert row["verdict"] == expected


@settings(max_examples=40)
@given(OBSERVATIONS, st.floats(-10, 10))
def test_means_intervals_and_verdicts_are_those_of_numpy(rows: list[tuple[object, ...]], printed: float) -> None:
    with duckdb.connect() as connection:
        set_up(connection, rows, printed)
        results = TABLE.rows(connection)
    by_key: dict[tuple[object, object], list[float | None]] = {}
    for source, builder, status, value in rows:
        if status == "ok":
            by_key.setdefault((source, builder), []).append(None if value is None else float(str(value)) / 2)
    assert [(row["source"], row["builder"]) for row in results] == list(by_key)
    apart = []
    for row in results:
        values = [each for each in by_key[row["source"], row["builder"]] if each is not None]
        estimate = Estimate.of(np.array(values)) if values else None
        ours = estimate_of(row, "half")
        assert (ours is None) == (estimate is None)
        if ours and estimate:
            assert (ours.n, row["most"]) == (estimate.n, max(values))
            for name, theirs in (("half", estimate.mean), ("low", estimate.low), ("high", estimate.high)):
                assert row[name] == (None if theirs is None else pytest.approx(theirs, rel=1e-9, abs=1e-9))
        judged = ours.less(printed, 10) if ours and row["printed"] is not None else None
        apart.append(Comparison.of(judged, 0.1 * abs(printed)))
        assert row["difference"] == (judged.mean if judged else None)
        ends = [None, None]
        if judged and len(values) > 1:
            half = 1.959963984540054 * np.std(values, ddof=1) * (1 / len(values) + 1 / 10) ** 0.5
            ends = [pytest.approx(np.mean(values) - printed + side * half, abs=1e-6) for side in (-1, 1)]
        assert [row["difference_low"], row["difference_high"]] == ends
    for row, expected in zip(results, verdicts(apart), strict=True):
        assert row["verdict"] == expected or (expected is None and row["_half_error"] == 0)


@settings(max_examples=40)
@given(OBSERVATIONS)
def test_the_question_of_a_row_answers_it(rows: list[tuple[object, ...]]) -> None:
    with duckdb.connect() as connection:
        set_up(connection, rows, 1.0)
        results = TABLE.rows(connection)
        written = TABLE.written_as(results, VIEWS)
        connection.execute("create view kept as select * exclude position from results")
        for row, values in zip(results, written.records, strict=True):
            question = written.question_of(values).replace("from results", "from kept")
            answer = connection.execute(question)
            names = [column[0] for column in answer.description or ()]
            ((*numbers,),) = answer.fetchall()
            assert names == ["source", "builder", "n", "half", "low", "high", "most"]
            assert numbers == [row[name] for name in names]


def test_a_table_keeps_the_texts_of_its_printed_values(connection: duckdb.DuckDBPyConnection) -> None:
    set_up(connection, [("a", "y", "ok", 1.0), ("b'c", "y", "ok", 1.0)], 71.0)
    texts = Known("_text", "format('{:.1f}', p.value)")
    table = replace(TABLE, columns=[*TABLE.columns, texts])
    written = table.written_as(table.rows(connection), VIEWS)
    assert written.printed == ["71.0", None]
    assert "_text" not in written.columns
    assert TABLE.written_as(TABLE.rows(connection), VIEWS).printed == []


def test_only_the_views_that_a_table_uses_stand_in_its_question() -> None:
    assert "good as" in TABLE.question(VIEWS)
    assert "unused" not in TABLE.question({**VIEWS, "unused": "select 1"})


def test_a_spread_that_is_rounding_is_none(connection: duckdb.DuckDBPyConnection) -> None:
    rows: list[tuple[object, ...]] = [("a", "y", "ok", 2 * (0.1 + index * 1e-17 + 0.2)) for index in range(9)]
    set_up(connection, rows, 0.3)
    (row,) = TABLE.rows(connection)
    assert row["_half_error"] == 0
    assert row["low"] == row["half"] == row["high"]


@pytest.mark.parametrize("name", ["", "../depths", "a/b", "a b", "a\n"])
def test_the_name_of_a_table_names_its_files(name: str) -> None:
    with pytest.raises(ValueError, match="expected letters, digits, _ and -, because files get this name"):
        replace(TABLE, name=name)


@pytest.mark.parametrize(
    ("columns", "heading"),
    [
        ([Mean("train_accuracy"), Mean("test_accuracy")], "n"),  # `low` and `high` would be those of the last
        ([Value("most", "max(half)"), Value("most", "min(half)")], "most"),
        ([Key("most", "builder"), Value("most", "max(half)")], "most"),
        ([Mean("half"), Printed("half", "p.value"), Printed("half", "p.other")], "printed"),
    ],
)
def test_two_columns_of_one_heading_are_refused(columns: list[Column], heading: str) -> None:
    with pytest.raises(ValueError, match=f"two columns of table 'halves' have the heading '{heading}': rename one"):
        replace(TABLE, columns=columns)


@pytest.mark.parametrize("sql", ["max(date '2020-01-02')", "list(builder)", "max({'a': 1})"])
def test_a_decimal_is_a_number_and_what_files_do_not_have_is_named(
    connection: duckdb.DuckDBPyConnection, sql: str
) -> None:
    connection.execute("create or replace table results as select 'x' as builder")
    table = Table(
        "any", "Any", of="results", columns=[Key("builder"), Value("half", "sum(0.5)"), Value("_hidden", sql)]
    )
    rows = table.rows(connection)
    assert repr(rows[0]["half"]) == "0.5"
    assert table.written_as(rows, {}).rows == [["x", 0.5]]
    shown = replace(table, columns=[Key("builder"), Value("shown", sql)])
    with pytest.raises(ValueError, match=r"table 'any': column 'shown' is .*: expected a number, a text, .*::text"):
        shown.written_as(shown.rows(connection), {})


def test_a_heading_may_have_any_characters(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("create or replace table results as select 'x' as builder, unnest([1.0, 3.0]) as value")
    columns = [Key("the builder", "builder"), Mean('"acc" & %', "value", n="n of it")]
    (row,) = Table("any", "Any", of="results", columns=columns).rows(connection)
    assert (row["the builder"], row['"acc" & %'], row["n of it"]) == ("x", 2.0, 2)
