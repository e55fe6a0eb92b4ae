"""Answers as CSV, JSON and Parquet: every value as it is, or in the nearest form that there is for it."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator
from decimal import Decimal

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.errors import ConfigError
from pipeline.query.forms import as_csv, as_json, write_parquet

KINDS = """
select 1 as whole, 9007199254740993::bigint as large, sum(x)::hugeint as total, 0.1 + 0.2::double as sum, 1.50 as price,
    123456789012345678.12 as exact, true as yes, null as nothing, 'nan'::double as nan, '-inf'::double as least,
    date '2026-02-01' as day, timestamp '2026-02-01 10:00:00' as moment, [1, null] as list,
    {'a': 'nan'::double} as struct,
    'é "q",' || chr(10) as text, '=1+1' as "=formula", '\\x41'::blob as bytes from range(3) t(x)
"""


@pytest.fixture
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as database:
        yield database


def test_csv_is_exact_and_runs_no_formula(database: duckdb.DuckDBPyConnection) -> None:
    text = "".join(as_csv(database.sql(KINDS).to_arrow_reader(10)))
    (row,) = csv.DictReader(io.StringIO(text, newline=""))
    assert (row["whole"], row["large"], row["total"]) == ("1", "9007199254740993", "3")
    assert float(row["sum"]) == 0.1 + 0.2
    assert (row["exact"], row["yes"], row["nothing"]) == ("123456789012345678.12", "true", "")
    assert json.loads(f'"{row["text"][1:]}"') == 'é "q",\n'
    assert row["'=formula"] == "'=1+1"
    assert row["day"] == "2026-02-01"


def test_json_is_what_json_readers_read(database: duckdb.DuckDBPyConnection) -> None:
    text = "".join(as_json(database.sql(KINDS).to_arrow_reader(10)))

    def refuse(word: str) -> float:
        raise AssertionError(word)

    (row,) = json.loads(text, parse_constant=refuse)
    assert (row["whole"], row["large"], row["total"], row["sum"]) == (1, 9007199254740993, 3, 0.1 + 0.2)
    assert (row["price"], row["exact"]) == (1.5, "123456789012345678.12")
    assert (row["yes"], row["nothing"], row["nan"], row["least"]) == (True, None, None, None)
    assert (row["list"], row["struct"]) == ([1, None], {"a": None})
    assert (row["day"], row["text"], row["=formula"]) == ("2026-02-01", 'é "q",\n', "=1+1")


def test_parquet_keeps_types_and_values(database: duckdb.DuckDBPyConnection) -> None:
    file = io.BytesIO()
    write_parquet(database.sql(KINDS).to_arrow_reader(10), file)
    result = pq.read_table(io.BytesIO(file.getvalue()))
    expected = database.sql(KINDS).to_arrow_table()
    assert result.schema == expected.schema
    (row,), (other,) = result.to_pylist(), expected.to_pylist()
    assert math.isnan(row.pop("nan"))
    assert math.isnan(other.pop("nan"))
    assert math.isnan(row.pop("struct")["a"])
    other.pop("struct")
    assert row == other
    assert row["exact"] == Decimal("123456789012345678.12")


@pytest.mark.parametrize("rows", [0, 1, 25])
def test_any_number_of_rows_comes_through_batch_by_batch(database: duckdb.DuckDBPyConnection, rows: int) -> None:
    question = f"select i, 'x' || i as name from range({rows}) t(i)"
    expected = [{"i": i, "name": f"x{i}"} for i in range(rows)]
    table = database.sql(question).to_arrow_table()
    reader = pa.Table.from_batches(table.to_batches(max_chunksize=10), table.schema)
    assert json.loads("".join(as_json(reader.to_reader(10)))) == expected
    text = "".join(as_csv(reader.to_reader(10)))
    assert [{"i": int(row["i"]), "name": row["name"]} for row in csv.DictReader(io.StringIO(text))] == expected
    assert text.startswith("i,name\n")
    file = io.BytesIO()
    write_parquet(reader.to_reader(10), file)
    assert pq.read_table(io.BytesIO(file.getvalue())).to_pylist() == expected


def test_two_columns_of_one_name_are_refused_where_one_would_hide_the_other(
    database: duckdb.DuckDBPyConnection,
) -> None:
    question = "select 1 as a, 2 as a"
    assert "".join(as_csv(database.sql(question).to_arrow_reader(10))) == "a,a\n1,2\n"
    with pytest.raises(ConfigError, match="two columns of the answer are called 'a'"):
        "".join(as_json(database.sql(question).to_arrow_reader(10)))
    with pytest.raises(ConfigError, match="two columns"):
        write_parquet(database.sql(question).to_arrow_reader(10), io.BytesIO())
