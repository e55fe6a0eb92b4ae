"""The same rows in every form a user may hold them, and estimators that remember what they were given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet
from algorithms.estimators.data_set_classifier import DataSetClassifier

pd = pytest.importorskip("pandas")

NOMINAL, NUMERIC = AttributeKind.NOMINAL, AttributeKind.NUMERIC


class Recorder(DataSetClassifier):
    """Remembers what it was given, and answers with the first class."""

    handles_missing = True

    def __init__(self, categorical_features: Any = "auto") -> None:
        self.categorical_features = categorical_features

    def _learn(self, data, weights) -> None:
        self.data_, self.weights_ = data, weights

    def _decisions(self, data):
        self.predicted_ = data
        return np.zeros(data.rows, np.int64)


class Strict(Recorder):
    handles_missing = False


class Coded(Recorder):
    handles_numeric = False


class LazyFrame:
    """The attribute by which a polars.LazyFrame is recognised."""

    def collect_schema(self) -> dict[str, type]:
        return {"a": float}

    def __len__(self) -> int:
        return 1


COLOURS, SIZES, OLD = ["red", None, "blue", "red"], [1.5, 2.0, np.nan, -3.0], [True, False, None, True]
ROWS = [list(row) for row in zip(COLOURS, SIZES, OLD, strict=True)]
NUMBERS = pa.array(SIZES, from_pandas=True)


def chunk(colour: str | None, size: float, old: bool | None) -> pa.Table:
    codes = pa.array([None if colour is None else ["blue", "red"].index(colour)], pa.int8())
    colours = pa.DictionaryArray.from_arrays(codes, ["blue", "red"])
    return pa.table({"colour": colours, "size": pa.array([size]), "old": pa.array([old], pa.bool_())})


class Stream:
    """Rows as a stream of chunks: dictionaries with nulls, and slices without rows that begin at the second row."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        codes = pa.array([[None, "blue", "red"].index(colour) for colour in COLOURS], pa.int8())
        colours = pa.DictionaryArray.from_arrays(codes, pa.array([None, "blue", "red"]))
        columns = {"colour": colours, "size": NUMBERS, "old": pa.array(OLD)}
        chunks = {name: pa.chunked_array([column[1:1], column[:1], column[1:]]) for name, column in columns.items()}
        return pa.table(chunks).__arrow_c_stream__(requested_schema)


FORMS = {
    "arrow": pa.table({"colour": COLOURS, "size": NUMBERS, "old": OLD}),
    "record batch": pa.record_batch({"colour": COLOURS, "size": NUMBERS, "old": OLD}),
    "chunks": pa.concat_tables(chunk(*row) for row in ROWS),
    "stream": Stream(),
    "pandas": pd.DataFrame({"colour": COLOURS, "size": SIZES, "old": pd.array(OLD, "boolean")}, index=[5, 5, 7, 1]),
    "pandas objects": pd.DataFrame({"colour": COLOURS, "size": SIZES, "old": OLD}, dtype=object),
    "pandas NA": pd.DataFrame(
        {
            "colour": pd.array(COLOURS, "string"),
            "size": pd.array([1.5, 2, None, -3], "Float64"),
            "old": pd.array(OLD, "boolean"),
        }
    ),
    "pandas categories": pd.DataFrame(
        {"colour": pd.Categorical(COLOURS, ["blue", "red"]), "size": SIZES, "old": pd.Categorical(OLD)}
    ),
    "rows": ROWS,
    "objects": np.array(ROWS, dtype=object),
}


def data() -> DataSet:
    attributes = (Attribute("colour", NOMINAL, ("red", "green", "blue")), Attribute("size", NUMERIC))
    columns = (np.array([2, 0, MISSING, 2], np.int32), np.array([1.0, np.nan, 3, 4]))
    return DataSet(attributes, columns, ("no", "yes", "maybe"), np.array([1, 0, 0, MISSING], np.int32))
