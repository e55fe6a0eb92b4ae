"""`pipeline.open_results`: the same answers for programs, kept open as long as anything refers to them."""

from __future__ import annotations

import builtins
import gc
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copytree
from typing import Any

import duckdb
import pandas
import pyarrow as pa
import pyarrow.dataset
import pytest

import pipeline
from pipeline.errors import ConfigError
from tests.pipeline.command_line import parts, python, rows, run_folder

QUESTION = "select builder, count(*) as n, avg(nodes) as nodes from results group by all order by all"


def test_two_lines_give_arrow_pandas_and_duckdb(finished_once: Path) -> None:
    output = finished_once / "outputs"
    answer = pipeline.open_results(output).sql(QUESTION)
    gc.collect()
    table = answer.arrow()
    assert isinstance(table, pa.Table)
    assert table.column_names == answer.columns == ["builder", "n", "nodes"]
    assert table["n"].to_pylist() == [80, 1280]
    expected = [sum(result) / len(result) for result in _nodes(output)]
    assert table["nodes"].to_pylist() == pytest.approx(expected, rel=1e-12)
    frame = answer.pandas()
    assert list(frame["builder"]) == ["exact", "greedy"]
    assert list(frame["n"]) == [80, 1280]
    assert answer.duckdb().filter("n > 100").fetchall() == [("greedy", 1280, table["nodes"][1].as_py())]
    assert "greedy" in repr(answer)


def _nodes(output: Path) -> list[list[int]]:
    results = rows(output).to_pylist()
    return [[row["nodes"] for row in results if row["builder"] == builder] for builder in ("exact", "greedy")]


def test_the_files_are_read_without_any_help_of_ours(finished: Path) -> None:
    """As `docs/results.md` has it; the id of a run may be of digits alone."""
    output = finished / "outputs"
    results = pipeline.open_results(output).sql("select builder, nodes from results order by all").arrow().to_pylist()
    run_folder(output).rename(run_folder(output).with_name("run=123456789012"))
    rows = f"read_parquet('{output}/results/**/*.parquet', hive_types_autocast = false)"
    with duckdb.connect() as database:
        rows_of_answer = database.sql(f"select builder, nodes from {rows} order by all").to_arrow_table().to_pylist()
        assert database.sql(f"select distinct grid, run from {rows}").fetchall() == [("greedy_vs_dp", "123456789012")]
    frame = pandas.read_parquet(output / "results", columns=["grid", "run", "builder", "nodes", "status"])
    table = pyarrow.dataset.dataset(output / "results", partitioning="hive").to_table(
        columns=["run", "builder", "nodes"]
    )
    assert rows_of_answer == results
    assert frame.sort_values(["builder", "nodes"])[["builder", "nodes"]].to_dict("records") == results
    assert table.drop_columns("run").sort_by([("builder", "ascending"), ("nodes", "ascending")]).to_pylist() == results
    assert set(frame["run"]) == set(table["run"].to_pylist()) == {"123456789012"}


def test_a_run_in_the_folders_of_two_grids_is_reported(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = run_folder(finished / "outputs")
    copytree(run.parent, run.parent.with_name("grid=copied"))
    once = "select count(*) from results where grid = 'copied'"
    assert pipeline.open_results(finished / "outputs").sql(once).duckdb().fetchall() == [(1360,)]
    assert capsys.readouterr().err == (
        f"run {run.name.removeprefix('run=')} is stored for the grids copied, greedy_vs_dp, with the same rows: to "
        "count them once, add `grid = 'copied'` to the query, or delete the folder if it is a copy\n"
    )
    assert pipeline.open_results(finished / "outputs", run.name.removeprefix("run=")).sql(QUESTION).columns
    assert capsys.readouterr().err == ""


def test_one_run_can_be_queried_and_an_unknown_one_is_reported(finished_once: Path) -> None:
    output = str(finished_once / "outputs")
    run = run_folder(Path(output)).name.removeprefix("run=")
    with pipeline.open_results(output, run=run[:5]) as results:
        assert results.sql("select distinct run from results").arrow()["run"].to_pylist() == [run]
        assert repr(results) == "<results of 1,360 results, 1,360 greedy_vs_dp>"
    with pytest.raises(ConfigError, match="run 'zz' is not among the runs"):
        pipeline.open_results(output, run="zz")
    with pytest.raises(ConfigError, match="no results in"):
        pipeline.open_results("nowhere")


def test_closed_results_say_so(finished_once: Path) -> None:
    with pipeline.open_results(finished_once / "outputs") as results:
        answer = results.sql("from results")
    results.close()
    for use in (
        lambda: results.sql("from results"),
        results.describe,
        answer.arrow,
        answer.pandas,
        lambda: answer.columns,
    ):
        with pytest.raises(ConfigError, match="these results are closed"):
            use()


def test_threads_can_query_the_same_results(finished_once: Path) -> None:
    with pipeline.open_results(finished_once / "outputs") as results, ThreadPoolExecutor(8) as threads:
        answer = results.sql("select count(*) as n from results")
        queries = [lambda: results.sql("select count(*) as n from results").arrow(), answer.arrow] * 20
        result = [each.result() for each in [*map(threads.submit, queries), threads.submit(results.describe)]]
    assert {table["n"][0].as_py() for table in result[:-1]} == {1360}
    assert result[-1].num_rows > 60


def test_closing_ends_the_question_of_another_thread(finished_once: Path) -> None:
    results = pipeline.open_results(finished_once / "outputs")
    answer = results.sql("select count(*) from range(200000) a, range(200000) b")
    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(answer.arrow)
        while not results.database.question_lock.locked():
            time.sleep(0.01)
        time.sleep(0.1)
        results.close()
        with pytest.raises(duckdb.Error):
            future.result(timeout=120)


def test_programs_are_kept_to_one_select_too(finished_once: Path) -> None:
    frame = pa.table({"mine": [1]})
    with pipeline.open_results(finished_once / "outputs") as results:
        with pytest.raises(ConfigError, match="expected one SELECT"):
            results.sql("create table t as select 1")
        with pytest.raises(duckdb.Error):
            results.sql("from frame").arrow()
        with pytest.raises(duckdb.Error, match="dept"):
            results.sql("select dept from results").arrow()
    assert frame.num_rows == 1


def test_without_pandas_the_error_says_what_to_install(finished_once: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = builtins.__import__

    def without(name: str, *arguments: Any, **named: Any) -> Any:
        if name == "pandas":
            raise ImportError(name)
        return known(name, *arguments, **named)

    with pipeline.open_results(finished_once / "outputs") as results:
        answer = results.sql(QUESTION)
        monkeypatch.setattr(builtins, "__import__", without)
        with pytest.raises(ConfigError, match=r"type python -m pip install pandas, or call \.arrow\(\)"):
            answer.pandas()


def test_importing_pipeline_loads_nothing() -> None:
    program = "import sys; before = set(sys.modules); import pipeline; print(*sorted(set(sys.modules) - before))"
    assert not {"duckdb", "pyarrow", "numpy", "rich", "pandas"} & set(python(program).split())


HOST = """
import os, signal, sys, threading, time
import pipeline
results = pipeline.open_results(sys.argv[1])
def asleep():  # as DuckDB where it heeds no interrupt
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    time.sleep(600)
before = time.monotonic()
try:
    results.database.fetched(asleep)
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - before < 120)
try:
    results.sql("select 1").arrow()
except pipeline.errors.ConfigError as error:
    print(error)
results.close()
print(pipeline.open_results(sys.argv[1]).sql("select 7 as n").arrow()["n"].to_pylist())
"""


def test_an_interrupt_is_raised_in_a_program_that_goes_on(finished_once: Path) -> None:
    assert python(HOST, finished_once / "outputs", seconds=240).splitlines() == [
        "interrupted True",
        "an interrupted query has not ended: open the results again to run another query",
        "[7]",
    ]


def test_a_part_that_changes_after_it_was_verified_is_not_read(finished: Path) -> None:
    output = finished / "outputs"
    with pipeline.open_results(output) as results:
        assert results.sql("select count(*) as n from results").arrow()["n"].to_pylist() == [1360]
        part = parts(output)[0]
        content = bytearray(part.read_bytes())
        content[100] ^= 1
        part.write_bytes(content)
        with pytest.raises(Exception, match="changed since it was verified"):
            results.sql("select sum(nodes), sum(depth), max(error) from results").arrow()
    with pipeline.open_results(output) as results:
        (n,) = results.sql("select count(*) as n from results").arrow()["n"].to_pylist()
        assert n < 1360
