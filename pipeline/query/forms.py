"""A query's result as CSV, JSON or Parquet, written in batches, so that memory does not grow with its rows."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import IO, Any

import duckdb
import pyarrow as pa

from pipeline.csv_text import csv_text
from pipeline.errors import ConfigError


def as_csv(answer: pa.RecordBatchReader) -> Iterator[str]:
    """The answer as CSV, numbers in full, texts as by `csv_text`."""
    before = csv_text([answer.schema.names])
    for batch in _batches(answer):
        yield before + csv_text(rows_of(batch))
        before = ""
    yield before


def as_json(answer: pa.RecordBatchReader) -> Iterator[str]:
    """The answer as a JSON array with one object a line; NaN and infinity become null."""
    names = _different(answer.schema.names)
    before = "[\n"
    for batch in _batches(answer):
        for row in rows_of(batch):
            values = {name: _json_value(value) for name, value in zip(names, row, strict=True)}
            yield before + json.dumps(values, ensure_ascii=False, allow_nan=False)
            before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


TEXTS: dict[str, Callable[[pa.RecordBatchReader], Iterator[str]]] = {"csv": as_csv, "json": as_json}
"""The text formats."""


def write_parquet(answer: pa.RecordBatchReader, file: IO[bytes]) -> None:
    """Write the answer as Parquet, with its types."""
    import pyarrow.parquet as pq

    _different(answer.schema.names)
    try:
        with pq.ParquetWriter(file, answer.schema) as writer:
            for batch in _batches(answer):
                writer.write_batch(batch)
    except pa.ArrowNotImplementedError as error:
        raise ConfigError(
            f"Parquet cannot store a column ({error}): cast it to another type in the query, such as x::varchar"
        ) from error


def _batches(answer: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
    """The rows in batches; duckdb.Error if the question fails on the way."""
    while True:
        try:
            batch = answer.read_next_batch()
        except StopIteration:
            return
        except (pa.ArrowException, OSError) as error:  # Arrow wraps DuckDB's errors in these
            raise duckdb.Error(str(error)) from error
        yield batch


def rows_of(answer: pa.RecordBatch | pa.Table) -> Iterable[tuple[Any, ...]]:
    """The rows as Python values; ConfigError names a column of dates that Python cannot hold."""
    return zip(*map(_values, answer.schema.names, answer.columns), strict=True)


def _values(name: str, column: pa.Array | pa.ChunkedArray) -> list[Any]:
    try:
        return column.to_pylist()  # type: ignore[no-any-return]
    except (OverflowError, ValueError) as error:  # infinite dates, and those after the year 9999
        raise ConfigError(
            f"column {name} has a value that cannot be shown ({error}): cast the column to text, such as x::varchar"
        ) from error


def _json_value(value: Any) -> Any:
    """A value for JSON; a decimal becomes a number if that is exact, else its digits."""
    if isinstance(value, dict):
        return {str(key): _json_value(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_json_value(inner) for inner in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Decimal):
        if value == value.to_integral_value():
            return int(value)
        return float(value) if Decimal(repr(float(value))) == value else str(value)
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def _different(names: list[str]) -> list[str]:
    """The names, if all are different."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ConfigError(
            f"two columns of the answer are called {twice[0]!r}: rename one of them in the query, with AS"
        )
    return names
