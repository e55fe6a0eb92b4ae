"""Two runs of a grid held against each other: what differs is counted as a plain loop over the rows counts it."""

from __future__ import annotations

import csv
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pipeline
from pipeline.errors import ConfigError
from pipeline.plan import GridRun, run_id
from pipeline.record.provenance import begin
from pipeline.storage.parts import publish
from tests.pipeline.command_line import run_orchard
from tests.pipeline.record.recorded import CART, compared, rows_of

CHANGES: dict[str, dict[str, Any]] = {
    "none": {},
    "time": {"build_seconds": 1e9},
    "number": {"nodes": 12345},
    "two": {"nodes": 12345, "test_accuracy": None},
    "text": {"error": "it's gone"},
    "parameters": {"parameters": '{"depth": 3}'},
    "moved": {},
}


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> GridRun:
    """A complete run of CART on two folds of a data set, twice repeated."""
    return compared(tmp_path_factory.mktemp("compared") / "outputs", (CART, replace(CART, name="again")))


def beside(
    run: GridRun, output: Path, seed: int, rows: list[dict[str, Any]] | None = None, *, first: int = 0
) -> GridRun:
    """A run of the same grid but for its seed, with rows of its own; a run without its first items is not complete."""
    grid = replace(run.grid, seed=seed)  # type: ignore[type-var]
    other = GridRun(grid, run.name, run_id(grid), output)
    for name, table in (grid.work(first, grid.items) if first else rows_of(grid)).items():
        mine = table if rows is None or name != "results" else pa.Table.from_pylist(rows, schema=table.schema)
        publish(mine, other.folder(name), other.id, first, grid.items)
    begin(other, f"seed: {seed}\noutput: {output}\nsummary: accuracies\n", "python -m pipeline +grid=x")
    return other


def own_rows(run: GridRun) -> list[dict[str, Any]]:
    return rows_of(run.grid)["results"].to_pylist()


numbers = count()


@settings(deadline=None, max_examples=25)
@given(st.lists(st.sampled_from(sorted(CHANGES)), min_size=4, max_size=4))
def test_rows_that_differ_are_counted_and_named(first: GridRun, changes: list[str]) -> None:
    output = first.output.parent / f"case{next(numbers)}"
    before = own_rows(first)
    after = [row | CHANGES[change] for row, change in zip(before, changes, strict=True)]
    for row in (row for row, change in zip(after, changes, strict=True) if change == "moved"):
        row["fold"] += 70
    a, b = beside(first, output, 1, before), beside(first, output, 2, after)
    comparison = pipeline.compare(output, a.id[:7], b.id)
    assert (comparison.a, comparison.b, comparison.complete) == (a.id, b.id, (True, True))
    assert comparison.keys == {"seed": ("1", "2")}
    moved = changes.count("moved")
    assert "parameters" not in comparison.joined_by
    assert (comparison.both, comparison.only_a, comparison.only_b) == (4 - moved, moved, moved)
    expected = {
        "nodes": changes.count("number") + changes.count("two"),
        "test_accuracy": changes.count("two"),
        "error": changes.count("text"),
        "parameters": changes.count("parameters"),
    }
    assert comparison.columns == {name: n for name, n in expected.items() if n}
    assert comparison.differing == sum(expected.values()) - changes.count("two")
    with pipeline.open_results(output) as results:
        answer = results.sql(comparison.question).arrow().to_pylist()
    assert len(answer) == comparison.total == len(comparison.first)
    assert sorted(row["only_in"] for row in answer if row["only_in"]) == sorted([a.id, b.id] * moved)
    for row in answer:
        if row.get("nodes_a") != row.get("nodes_b") and row["only_in"] is None:
            (old,) = [each for each in before if (each["fold"], each["builder"]) == (row["fold"], row["builder"])]
            assert (row["nodes_a"], row["nodes_b"]) == (old["nodes"], 12345)


def test_a_builder_twice_is_distinguished_by_its_parameters(first: GridRun) -> None:
    output = first.output.parent / "parameters"
    rows = [row | {"builder": "cart", "parameters": f'{{"of": "{row["builder"]}"}}'} for row in own_rows(first)]
    a, b = beside(first, output, 1, rows), beside(first, output, 2, [*rows[:3], rows[3] | {"nodes": 99}])
    comparison = pipeline.compare(output, a.id, b.id)
    assert comparison.joined_by[-1] == "parameters"
    assert (comparison.both, comparison.columns) == (4, {"nodes": 1})
    twice = beside(first, output, 3, [rows[0], rows[0], *rows[2:]])
    with pytest.raises(ConfigError, match="several result rows with the same source, part, "):
        pipeline.compare(output, a.id, twice.id)


def test_nan_is_not_shown_as_a_change_of_nan(first: GridRun) -> None:
    output = first.output.parent / "nan"
    rows = [row | {"objective": float("nan")} for row in own_rows(first)]
    a = beside(first, output, 1, rows)
    b = beside(first, output, 2, [rows[0] | {"objective": 1.0, "nodes": 99}, *rows[1:]])
    c = beside(first, output, 3, [row | {"nodes": 99} for row in rows])
    assert pipeline.compare(output, a.id, b.id).columns == {"nodes": 1, "objective": 1}
    comparison = pipeline.compare(output, b.id, c.id)
    assert comparison.columns == {"nodes": 3, "objective": 1}
    shown = sorted(str(row[-1]) for row in comparison.tables()[-1].rows)
    assert [words.split()[0] for words in shown] == ["nodes"] * 3 + ["objective"]
    assert not any("nan → nan" in words for words in shown)


def test_of_an_incomplete_run_the_rows_that_are_there_are_compared(first: GridRun) -> None:
    output = first.output.parent / "incomplete"
    assert first.grid.items > 1
    a, b = beside(first, output, 1), beside(first, output, 2, first=1)
    comparison = pipeline.compare(output, a.id, b.id)
    assert comparison.complete == (True, False)
    assert (comparison.only_a, comparison.only_b) == (comparison.both, 0)
    assert comparison.only_a > 0
    message = run_orchard("--compare", a.id, b.id, cwd=output.parent, module="pipeline.query")
    assert message.returncode != 0  # of ./outputs, which has neither
    message = run_orchard("--compare", a.id, b.id, "--output", "incomplete", cwd=output.parent, module="pipeline.query")
    assert message.returncode == 0, message.stderr
    assert f"Run {b.id} is not complete" in message.stdout
    assert f"{comparison.only_a} rows only in a" in message.stdout


def test_columns_that_one_run_lacks_are_named(first: GridRun) -> None:
    output = first.output.parent / "columns"
    a, b = beside(first, output, 1), beside(first, output, 2)
    (part,) = b.results.glob("*.parquet")
    part.unlink()
    table = rows_of(b.grid)["results"]
    changed = table.drop_columns(["depth"]).append_column("mean_depth", pa.nulls(table.num_rows, pa.float64()))
    publish(changed, b.results, b.id, 0, b.grid.items)
    comparison = pipeline.compare(output, a.id, b.id)
    assert comparison.not_compared == ("depth", "mean_depth")
    assert comparison.both == table.num_rows


def test_other_runs_are_refused_with_what_to_name(first: GridRun) -> None:
    output = first.output.parent / "refused"
    a, b = beside(first, output, 1), beside(replace(first, name="other"), output, 2)
    for pair, why in (((a.id, "none"), "not among the runs"), ((a.id, a.id[:6]), f"both run {a.id}")):
        with pytest.raises(ConfigError, match=why.replace("not of", "is not of")):
            pipeline.compare(output, *pair)
    why = f"run {a.id} is of grid compare_builders, but run {b.id} is of grid other: .* --output {output} lists them"
    with pytest.raises(ConfigError, match=why):
        pipeline.compare(output, a.id, b.id)


def test_the_command_shows_counts_and_writes_every_row(first: GridRun) -> None:
    output = first.output.parent / "outputs_of_command"
    rows = own_rows(first)
    a, b = beside(first, output, 1, rows), beside(first, output, 2, [rows[0] | {"nodes": 99}, *rows[1:]])
    where = ("--output", output.name)
    shown = run_orchard("--compare", a.id, b.id, *where, cwd=output.parent, module="pipeline.query")
    assert shown.returncode == 0, shown.stderr
    for message in ("seed  1  2", "The runs differ in 1 of 4 rows that both have", "nodes_b", "as SQL: select"):
        assert message in shown.stdout
    question = shown.stdout.partition("as SQL: ")[2].strip()
    by_sql = run_orchard(question, *where, "--format", "csv", cwd=output.parent, module="pipeline.query")
    whole = run_orchard("--compare", a.id, b.id, *where, "--format", "csv", cwd=output.parent, module="pipeline.query")
    assert whole.stdout == by_sql.stdout
    (row,) = csv.DictReader(whole.stdout.splitlines())
    assert row["nodes_b"] == "99"
    same = run_orchard("--compare", a.id, b.id, "--run", a.id, *where, cwd=output.parent, module="pipeline.query")
    assert (same.returncode, same.stdout) == (2, "")
    assert "leave --run out" in same.stderr
