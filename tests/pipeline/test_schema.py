"""What a grid's `columns.csv` declares."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from pipeline.arrow_arrays import table_of_rows
from pipeline.errors import ConfigError
from pipeline.schema import LARGE_DICTIONARIES, RESULTS, RESULTS_IN_MEMORY, STATUSES, field, tables_in

HEADINGS = "table,column,type,meaning\nhoney,,,honey by hive\n"


def test_columns_are_declared_or_those_of_the_results(tmp_path: Path) -> None:
    file = tmp_path / "columns.csv"
    assert tables_in(file) == {}
    file.write_text(f"{HEADINGS}honey,source,,\nhoney,grams,int64,what it weighs\n")
    honey = tables_in(file)["honey"]
    assert honey.meaning == "honey by hive"
    expected = pa.schema([RESULTS.field("source"), field("grams", pa.int64(), "what it weighs")])
    assert honey.schema.equals(expected, check_metadata=True)


@pytest.mark.parametrize(("column", "kind"), [("grams", ""), ("grams", "int7")])
def test_a_column_of_no_known_type_is_an_error_that_names_its_line(tmp_path: Path, column: str, kind: str) -> None:
    file = tmp_path / "columns.csv"
    file.write_text(f"{HEADINGS}honey,{column},{kind},what it weighs\n")
    with pytest.raises(
        ConfigError, match=rf"columns.csv, line 3: column {column} has the type '{kind}': expected one of bool"
    ):
        tables_in(file)


def test_the_meaning_of_the_status_lists_every_status() -> None:
    assert RESULTS.field("status").metadata[b"meaning"].decode() == f"one of {', '.join(STATUSES)}"


def test_a_chunk_may_have_any_number_of_names() -> None:
    """Such as of a comparison of hundreds of settings of one builder."""
    rows = [dict.fromkeys(LARGE_DICTIONARIES, f"name {number}") | {"status": "ok"} for number in range(40_000)]
    table = table_of_rows(rows, RESULTS_IN_MEMORY)
    assert all(table[name].to_pylist() == [row[name] for row in rows] for name in (*LARGE_DICTIONARIES, "status"))
