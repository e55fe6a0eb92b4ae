"""Exports executed by what they are for: DuckDB, SQLite, a C compiler, Python, onnxruntime, JPMML; decisions out."""

from __future__ import annotations

import ctypes
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from algorithms.data.table import Labels
from algorithms.trees.export import to_c, to_onnx, to_pmml, to_python, to_sql

UNSEEN = "a label that no row has"


def cells(values: np.ndarray, labels: Labels | None) -> dict[str, list[Any]]:
    """A column of values per attribute, as a user has them: labels, numbers, None where missing."""
    columns = {}
    for index, column in enumerate(values.T.tolist()):
        named = labels.values[index] if labels else ()
        name = labels.attributes[index] if labels else f"f{index + 1}"
        columns[name] = [_cell(value, named) for value in column]
    return columns


def _cell(value: float, named: Any) -> Any:
    if value != value:
        return None
    if not len(named):
        return value
    return named[int(value)] if value < len(named) else UNSEEN


def by_sql(tree: Any, values: np.ndarray, labels: Labels | None = None, **options: Any) -> list[Any]:
    columns = cells(values, labels)
    texts = [bool(labels and len(labels.values[index])) for index in range(values.shape[1])]
    table = pa.table(
        {
            name: pa.array(column, pa.string() if text else pa.float64())
            for (name, column), text in zip(columns.items(), texts, strict=True)
        }
        | {"row number": pa.array(range(len(values)))}
    )
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.register("given", table)
        query = f'SELECT {to_sql(tree, labels, **options)} FROM given ORDER BY "row number"'
        return [decision for (decision,) in connection.execute(query).fetchall()]


def by_sqlite(tree: Any, values: np.ndarray, labels: Labels | None = None, **options: Any) -> list[Any]:
    columns = cells(values, labels)
    names = ", ".join('"' + name.replace('"', '""') + '"' for name in columns)
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"CREATE TABLE given ({names})")
        positions = ", ".join("?" * len(columns))
        connection.executemany(f"INSERT INTO given VALUES ({positions})", zip(*columns.values(), strict=True))
        query = f"SELECT {to_sql(tree, labels, **options)} FROM given ORDER BY rowid"
        return [decision for (decision,) in connection.execute(query)]


def by_python(tree: Any, values: np.ndarray, labels: Labels | None = None, **options: Any) -> list[Any]:
    scope: dict[str, Any] = {}
    exec(to_python(tree, labels, **options), scope)
    columns = cells(values, labels)
    return [scope["predict"](dict(zip(columns, row, strict=True))) for row in zip(*columns.values(), strict=True)]


def by_c(tree: Any, values: np.ndarray, folder: Path, labels: Labels | None = None, **options: Any) -> list[int]:
    """Codes; compiled so that products and sums would be joined were they not kept apart."""
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no gcc")
    number = len(list(folder.iterdir()))
    source, library = folder / f"tree{number}.c", folder / f"tree{number}.so"
    source.write_text(to_c(tree, labels, **options))
    flags = ["-O2", "-std=c99", "-march=native", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    done = subprocess.run([compiler, *flags, "-o", library, source, "-lm"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    predict = ctypes.CDLL(str(library)).predict
    rows = np.ascontiguousarray(values, np.float64)
    pointer = ctypes.POINTER(ctypes.c_double)
    return [predict(row.ctypes.data_as(pointer)) for row in rows]


def by_onnx(tree: Any, values: np.ndarray, labels: Labels | None = None, **options: Any) -> list[Any]:
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    session = runtime.InferenceSession(to_onnx(tree, labels, **options).SerializeToString())
    columns, given = cells(values, labels), {}
    for wanted in session.get_inputs():
        column = columns.get(wanted.name, [0.0] * len(values))
        if "string" in wanted.type:
            array = np.array(["" if cell is None else cell for cell in column], object)
        else:
            array = np.array([np.nan if cell is None else cell for cell in column], np.float64)
        given[wanted.name] = array.reshape(-1, 1)
    return session.run(["decision"], given)[0].tolist()


def by_pmml(tree: Any, values: np.ndarray, folder: Path, labels: Labels | None = None, **options: Any) -> list[str]:
    """The text of decisions, by JPMML on a Java machine."""
    evaluators = pytest.importorskip("jpmml_evaluator")
    pytest.importorskip("jpype")
    if shutil.which("java") is None:
        pytest.skip("there is no Java")
    path = folder / "tree.pmml"
    path.write_text(to_pmml(tree, labels, **options), encoding="utf-8")
    evaluator = evaluators.make_evaluator(str(path), backend="jpype")
    columns = cells(values, labels)
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    target = evaluator.getTargetFields()[0].getName()
    return [evaluator.evaluate(row)[target] for row in rows]
