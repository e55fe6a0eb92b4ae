"""Arrow arrays made without pandas are those that pyarrow makes."""

from __future__ import annotations

import re
from enum import StrEnum

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pipeline.arrow_arrays import array_of, constant, numpy_of, table_of_columns, table_of_rows
from tests.pipeline.command_line import python


class Colour(StrEnum):
    RED = "red"


VALUES = (
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.sampled_from(Colour),
    st.lists(st.integers(0, 9)),
)
COLUMNS = st.one_of(st.lists(st.none() | of, min_size=1) for of in VALUES) | st.lists(
    st.none() | st.integers(-9, 9) | st.floats(allow_nan=False), min_size=1
)


@given(COLUMNS)
def test_rows_become_what_pyarrow_makes_of_them(values) -> None:
    rows = [{"value": value} for value in values]
    assert table_of_rows(rows).equals(pa.Table.from_pylist(rows))
    schema = table_of_rows(rows).schema
    results = table_of_rows(rows, schema)
    results.validate(full=True)
    assert results.equals(pa.Table.from_pylist(rows, schema=schema))


@given(st.lists(st.none() | st.integers(-9, 9), min_size=1), st.sampled_from([pa.int8(), pa.int32(), pa.float64()]))
def test_whole_numbers_become_the_type_of_their_column(values, of) -> None:
    rows, schema = [{"value": value} for value in values], pa.schema([("value", of), ("absent", pa.bool_())])
    assert table_of_rows(rows, schema).equals(pa.Table.from_pylist(rows, schema=schema))


@pytest.mark.parametrize(
    ("value", "of", "expected"),
    [
        (300, pa.int8(), "a whole number (int8)"),
        (2**70, pa.int64(), "a whole number (int64)"),
        ("a", pa.int32(), "a whole number (int32)"),
        (2.5, pa.int32(), "a whole number (int32)"),
        (float("nan"), pa.int32(), "a whole number (int32)"),
        (1, pa.string(), "text"),
        (1, pa.dictionary(pa.int8(), pa.string()), "text"),
        ([1], pa.int32(), "a whole number (int32)"),
        ("a", pa.float64(), "a number"),
        ("a", pa.bool_(), "true or false"),
    ],
)
def test_a_value_that_does_not_fit_its_column_is_named(value, of, expected) -> None:
    with pytest.raises(ValueError, match=re.escape(f"value is {value!r}: expected {expected}")):
        table_of_rows([{"value": None}, {"value": value}], pa.schema([("value", of)]))


def test_a_fraction_that_is_whole_becomes_a_whole_number() -> None:
    rows = table_of_rows([{"value": 2.0}, {"value": None}, {"value": 3}], pa.schema([("value", pa.int32())]))
    assert rows["value"].to_pylist() == [2, None, 3]


def test_no_rows_have_the_columns_of_their_schema() -> None:
    schema = pa.schema([("name", pa.string()), ("number", pa.int32())])
    assert table_of_rows([], schema).equals(schema.empty_table())
    assert table_of_rows([]).num_columns == 0


@given(arrays(st.sampled_from([np.int8, np.int32, np.int64, np.float64, np.bool_]), 9), arrays(np.bool_, 9))
def test_numbers_of_numpy_become_what_pyarrow_makes_of_them(values, null) -> None:
    result = array_of(values[::2], null[::2])
    result.validate(full=True)
    assert result.to_pylist() == pytest.approx(pa.array(values[::2], mask=null[::2]).to_pylist(), nan_ok=True)
    assert array_of(values).type == pa.array(values).type


def test_an_array_is_read_back() -> None:
    parts = pa.chunked_array([array_of(np.arange(3)), array_of(np.arange(4))])
    assert numpy_of(parts).tolist() == [0, 1, 2, 0, 1, 2, 3]
    assert numpy_of(parts.chunk(1)[2:]).tolist() == [2, 3]
    assert numpy_of(array_of(np.arange(2), np.array([False, True]))).tolist() == pytest.approx([0, np.nan], nan_ok=True)


def test_columns_become_a_table() -> None:
    schema = pa.schema([("a", pa.int32()), ("b", constant("x", 1).type), ("c", pa.string())])
    result = table_of_columns({"a": np.arange(3), "b": constant("x", 3)}, schema)
    assert result.to_pylist() == [{"a": index, "b": "x", "c": None} for index in range(3)]
    with pytest.raises(pa.ArrowInvalid):
        table_of_columns({"a": np.full(1, 2**40)}, schema)


WITHOUT = """
import sys
from pipeline.arrow_arrays import *
import numpy as np, pyarrow as pa
array_of(np.arange(3), np.arange(3) > 1), texts(["a", None]), constant("a", 3), numpy_of(array_of(np.arange(3)))
schema = pa.schema([("a", pa.int32()), ("b", pa.string()), ("c", pa.float64()), ("d", pa.bool_())])
table_of_columns({"a": np.arange(3)}, schema)
table_of_rows([{"a": 1, "b": "x", "c": 2, "d": None}, {"a": None, "b": None, "c": 0.5, "d": True}], schema)
table_of_rows([], schema), table_of_rows([{"a": 1, "b": "x", "c": 0.5}])
sys.exit("pandas" in sys.modules)
"""


def test_nothing_imports_pandas() -> None:
    python(WITHOUT)


RUN = """
import sys
from pipeline.command import main
few = ["tables.count=5", "tables.groups=1", "heuristics=[max/rt,w_sum/gini]"]
assert main(["+grid=greedy_vs_dp", *few, "cluster=threads", f"output={sys.argv[1]}"]) == 0
sys.exit("pandas" in sys.modules)
"""


def test_the_main_job_does_without_pandas(tmp_path) -> None:
    pytest.importorskip("pandas")
    python(RUN, tmp_path / "outputs")
