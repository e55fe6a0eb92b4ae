"""Questions to the result rows, and what is refused."""

from __future__ import annotations

import csv
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import pipeline
from pipeline.query import describe
from pipeline.query.command import SHOWN_ROWS, _named, main
from pipeline.query.database import Database, opened
from pipeline.query.describe import description
from pipeline.schema import known_tables
from tests.pipeline.command_line import environment, orchard, parts, rows, run_folder, run_orchard
from tests.pipeline.conftest import Command
from tests.pipeline.questions import finished_run


@pytest.fixture
def query(finished_once: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> Command:
    """`orchard query` beside the finished run: exit status, stdout and stderr."""
    monkeypatch.chdir(finished_once)
    return partial(command, "query")


def test_an_answer_is_the_rows_own(query: Command, finished_once: Path) -> None:
    table = rows(finished_once / "outputs")
    exact = table.filter(pc.equal(table["builder"], "exact"))
    question = "select count(*) as n, sum(nodes) as nodes, avg(average_depth) as d from results where builder = 'exact'"
    status, out, err = query(question, "--format", "csv")
    assert (status, err) == (0, "")
    header, answer = out.splitlines()
    assert header == "n,nodes,d"
    n, nodes, depth = answer.split(",")
    assert (int(n), int(nodes)) == (80, pc.sum(exact["nodes"]).as_py())
    assert float(depth) == pytest.approx(pc.mean(exact["average_depth"]).as_py(), rel=1e-12)


def test_a_screen_gets_a_table_and_the_first_rows_of_many(query: Command) -> None:
    status, out, err = query("select table_index as [odd] from results".replace("[odd]", '"[red]odd"'))
    assert status == 0
    assert "[red]odd" in out
    assert len(out.splitlines()) == SHOWN_ROWS + 2
    assert f"first {SHOWN_ROWS} of 1,360 rows" in err
    assert len(query("select table_index from results", "--format", "csv")[1].splitlines()) == 1 + 1360


def test_null_and_no_rows_can_be_shown(query: Command) -> None:
    assert "null" in query("select error from results limit 1")[1]
    assert query("select error from results where false")[0] == 0


def test_a_question_that_is_wrong_is_answered_with_why(query: Command) -> None:
    status, _, err = query("select dept from results")
    assert status == 2
    assert "dept" in err
    assert "depth" in err
    assert "Traceback" not in err


def test_a_spoilt_part_is_left_out_with_a_note(finished: Path) -> None:
    spoilt = parts(finished / "outputs")[0]
    content = bytearray(spoilt.read_bytes())
    content[100] ^= 1
    spoilt.write_bytes(content)
    done = run_orchard("select count(*) from results", "--format", "csv", cwd=finished, module="pipeline.query")
    assert done.returncode == 0
    assert f"left out: {spoilt.relative_to(finished)} has changed since" in done.stderr
    first, stop = (int(word) for word in spoilt.name.split("-")[1:3])
    assert done.stdout.splitlines()[-1] == str((80 - (stop - first)) * 17)
    assert spoilt.read_bytes() == content


def test_no_results_are_a_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["select 1 from results", "--output", str(tmp_path)]) == 2
    output = capsys.readouterr()
    assert f"no results in {tmp_path}" in output.err
    assert list(tmp_path.iterdir()) == []


def test_no_complete_part_is_a_message(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for part in parts(finished / "outputs"):
        part.unlink()
    assert main(["select 1 from results", "--output", str(finished / "outputs")]) == 2
    assert "no complete part" in capsys.readouterr().err


@pytest.mark.parametrize("identity", [{"grid": "uci_exact", "sources": []}, {"grid": "of_tomorrow"}])
def test_a_run_of_a_grid_that_is_not_installed_is_queried_by_its_record(
    finished: Path, identity: dict[str, object]
) -> None:
    """No grid is imported: what a question needs of a run, its record says."""
    file = run_folder(finished / "outputs") / "_run/run.json"
    record = json.loads(file.read_text())
    file.write_text(json.dumps(record | {"identity": identity}))
    done = run_orchard("select count(*) as n from results", "--format", "csv", cwd=finished, module="pipeline.query")
    assert (done.returncode, done.stdout) == (0, f"n\n{80 * 17}\n")
    file.write_text(json.dumps(record | {"cells_per_item": 16}))
    done = run_orchard("select count(*) as n from results", "--format", "csv", cwd=finished, module="pipeline.query")
    assert done.returncode == 2
    assert "no complete part" in done.stderr


def test_an_incomplete_record_does_not_hide_the_other_runs(finished: Path) -> None:
    record_folder = finished / "outputs/results/grid=uci_exact/run=0123456789ab/_run"
    record_folder.mkdir(parents=True)
    (record_folder / "run.json").write_text(json.dumps({"identity": {"grid": "of_tomorrow"}, "versions": {}}))
    done = run_orchard("select count(*) as n from results", "--format", "csv", cwd=finished, module="pipeline.query")
    assert (done.returncode, done.stdout) == (0, f"n\n{80 * 17}\n")


NO_OTHER = "expected one SELECT: no other statement is allowed"


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("copy results to 'stolen.csv'", NO_OTHER),
        ("select 1; create table t as select 1", NO_OTHER),
        ("", "expected one SELECT: the query is empty"),
        ("explain select 1", NO_OTHER),
        ("create table t as select 1", NO_OTHER),
        ("-- x", "expected one SELECT: the query is empty"),
        ("select 1; select 2", "expected one SELECT: the query has 2 statements; run each by itself"),
        (
            "from frnts",
            "Catalog Error: Table with name frnts does not exist! "
            "Views of these runs: results, greedy_vs_dp, runs; --describe shows all views",
        ),
    ],
)
def test_a_refused_question_is_answered_with_why(query: Command, finished_once: Path, question: str, why: str) -> None:
    before = sorted(finished_once.iterdir())
    assert query(question) == (2, "", f"orchard query: {why}\n")
    assert sorted(finished_once.iterdir()) == before


def test_a_copy_hidden_in_a_select_is_refused_in_a_line(query: Command) -> None:
    hidden = "with x as (copy (select 1) to 'parts://0/{}' (use_tmp_file false)) select * from x"
    name = sorted(path.name for path in Path("outputs").glob("results/*/*/*.parquet"))[0]
    status, out, err = query(hidden.format(name))
    assert (status, out) == (2, "")
    assert err == "orchard query: PermissionError: a query cannot write results\n"


def test_a_grid_is_a_view_of_its_result_rows(query: Command) -> None:
    both = "select (select count(*) from greedy_vs_dp), (select count(*) from results)"
    assert query(both, "--format", "csv")[1].splitlines()[1] == "1360,1360"


def test_a_screen_shows_the_columns_that_fit_and_names_the_others(query: Command) -> None:
    status, out, err = query("from results limit 3")
    assert status == 0
    assert max(map(len, out.splitlines())) <= 100
    assert "uncertainty" in out
    assert "impurity_type" not in out
    assert "terminal_nodes" not in out
    assert re.search("the same in all these rows: .*impurity_type max", err)
    assert "empty columns, not shown: repeat, fold" in err
    assert "columns not shown, because the lines would be too long:" in err
    assert "terminal_nodes" in err
    assert "--format csv prints everything" in err


def test_one_row_is_listed_downwards(query: Command) -> None:
    _, out, err = query("from results limit 1")
    lines = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert lines["grid"] == "greedy_vs_dp"
    assert lines["test_accuracy"].strip() == "null"
    assert err == ""


@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_a_file_holds_the_whole_answer_in_its_types(query: Command, tmp_path: Path, form: str) -> None:
    file = tmp_path / "new" / f"answer.{form}"
    question = "select source, depth, average_depth, sum(nodes) over () as s, optimal, depth > 3 as deep from results"
    assert query(question, "--to", str(file)) == (0, "", "")
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    with duckdb.connect() as free:
        read = (
            free.read_csv(file)
            if form == "csv"
            else free.read_json(file)
            if form == "json"
            else free.read_parquet(file)
        )
        assert read.columns == ["source", "depth", "average_depth", "s", "optimal", "deep"]
        rows = read.fetchall()
    assert len(rows) == 1360
    with pipeline.open_results("outputs") as results:
        expected = results.sql(question).duckdb().fetchall()
    assert rows == expected
    if form == "parquet":
        kinds = pq.read_schema(file)
        assert [str(kinds.field(name).type) for name in ("source", "depth", "average_depth", "s", "optimal")] == [
            *("string", "int32", "double", "decimal128(38, 0)", "bool")
        ]


def test_nothing_is_written_over(query: Command, tmp_path: Path) -> None:
    file = tmp_path / "answer.csv"
    file.write_text("mine")
    status, _, err = query("from results", "--to", str(file))
    assert status == 2
    assert err == (f"orchard query: --to {file} already exists, and no file is overwritten: give another path\n")
    assert file.read_text() == "mine"


def test_an_answer_is_put_in_no_link_and_at_no_address(query: Command, tmp_path: Path) -> None:
    link = tmp_path / "link.csv"
    link.symlink_to(tmp_path / "nowhere")
    for target, what in ((str(link), "a link"), ("s3://bucket/answer.csv", "an address")):
        status, _, err = query("from results", "--to", target)
        assert status == 2
        assert f"is {what}: expected a new file" in err
    assert link.is_symlink()


def test_a_path_that_cannot_be_written_is_named(query: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    target = tmp_path / "file" / "answer.csv"
    for request in ("from results", "--describe"):
        status, _, err = query(request, "--to", str(target))
        assert status == 3
        assert (
            err == f"orchard query: cannot write the answer to {target}: File exists; choose a file in a folder that "
            "you can write to\n"
        )
    status, _, err = query("from results", "--to", str(tmp_path / f"{'x' * 300}.csv"))
    assert status == 3
    assert err.endswith("x.csv: File name too long; choose a file in a folder that you can write to\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no file here is full")
@pytest.mark.parametrize("words", [["query", "select 1", "--format", "csv"], ["status"]])
def test_a_full_disk_of_the_output_is_not_reported_of_the_results(words: list[str], finished_once: Path) -> None:
    command = [sys.executable, "-m", "pipeline", *words]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, cwd=finished_once, stdout=full, stderr=subprocess.PIPE, env=environment(), check=False
        )
    assert done.returncode == 3
    assert done.stderr.decode() == (f"orchard {words[0]}: cannot write to standard output: No space left on device\n")


def test_a_question_that_goes_wrong_on_the_way_leaves_no_file(query: Command, tmp_path: Path) -> None:
    question = "select case when table_index = 40 then error('boom') else depth end as x from results"
    for form in ("csv", "json", "parquet"):
        status, _, err = query(question, "--to", str(tmp_path / f"answer.{form}"))
        assert status == 2
        assert "boom" in err
        assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []
    assert query(question, "--format", "csv")[0] in {1, 2}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "expected one of these: a query"),
        (("select 1", "--describe"), "expected one of these: a query"),
        (("select 1", "--format", "parquet"), "--to FILE"),
        (("select 1", "--to", "x.xlsx"), "the format is xlsx: expected one of csv, json, parquet, as the ending"),
        (("select 1", "--to", "x.csv", "--format", "table"), "the format is table: expected one of csv, json, parquet"),
        (("select 1 as a, 2 as a", "--format", "json"), "two columns of the answer are called 'a'"),
        (("select interval 1 day as i", "--to", "x.parquet"), "Parquet cannot store a column"),
        (("select '\udcff'",), "characters that are not Unicode"),
        (("select date '20000-01-01' as late",), "column late has a value that cannot be shown"),
        (("select 'infinity'::timestamp as late", "--format", "csv"), "column late has a value that cannot be shown"),
        (("select '-infinity'::date as early", "--to", "x.json"), "cast the column to text, such as x::varchar"),
        (
            ("pivot results on builder using count(*)",),
            "this PIVOT is run as several statements: list its columns, as in `on builder in ('greedy', ",
        ),
        (("select 1", "--run", "zz"), "run 'zz' is not among the runs"),
        (("--describe", "frnts"), "no view is called frnts: expected one of results, greedy_vs_dp, runs, classes"),
    ],
)
def test_impossible_options_are_reported_in_a_line(query: Command, arguments: tuple[str, ...], why: str) -> None:
    status, out, err = query(*arguments)
    assert (status, out) == (2, "")
    assert why in err
    assert len(err.splitlines()) == 1
    assert not list(Path().glob("x.*"))


def test_the_views_are_described(query: Command) -> None:
    status, out, _ = query("--describe")
    assert status == 0
    assert "greedy_vs_dp  1,360     1  result rows of grid greedy_vs_dp" in out
    assert "average_depth       DOUBLE   mean over the training rows of the number of edges" in out
    assert "No run here has rows of classes (compare_builders)" in out
    status, out, _ = query("--describe", "fronts", "--format", "csv")
    assert status == 0
    rows = {row["column"]: (row["type"], row["rows"], row["meaning"]) for row in csv.DictReader(out.splitlines())}
    assert rows["cost_x"] == ("VARCHAR", "0", "the first cost of the front")
    assert rows["y"][:2] == ("DOUBLE", "0")
    assert list(rows)[:2] == ["grid", "run"]


def test_the_views_are_described_without_any_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--describe", "--output", str(tmp_path)]) == 0
    output = capsys.readouterr()
    assert "here are the tables that grids write" in output.err
    for table in known_tables():
        assert table in output.out
    assert list(tmp_path.iterdir()) == []


def test_every_column_of_a_run_has_a_meaning_and_the_type_it_was_described_with(finished_once: Path) -> None:
    with pipeline.open_results(finished_once / "outputs") as results:
        there = {row["column"]: row for row in results.describe().to_pylist() if row["view"] == "results"}
    described = {row["column"]: row for row in description(None).to_pylist() if row["view"] == "results"}
    assert list(there) == list(described)
    for name, row in there.items():
        assert row["meaning"]
        assert (row["type"], row["meaning"]) == (described[name]["type"], described[name]["meaning"])


def test_columns_of_a_grid_that_is_not_installed_have_the_meanings_in_its_part_files(
    query: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanings() -> list[tuple[str, str]]:
        out = query("--describe", "results", "--format", "csv")[1]
        return [(row["column"], row["meaning"]) for row in csv.DictReader(out.splitlines())]

    known = meanings()
    monkeypatch.setattr(describe, "known_tables", dict)
    assert meanings() == known
    shown = query("--describe")[1]
    assert "average_depth       DOUBLE   mean over the training rows" in shown
    assert re.search(r"^results +[\d,]+ +\d+ +rows of grid greedy_vs_dp *$", shown, re.MULTILINE)


def test_many_runs_are_named_in_a_line(finished_once: Path) -> None:
    run = finished_run(finished_once / "outputs")
    runs = [replace(run, name=f"grid{index % 9}", id=f"{index:012x}") for index in range(300)]
    assert _named(runs) == "300 runs: 34 of grid0, 34 of grid1, 34 of grid2, 198 of other grids"
    assert _named(runs[:4]) == "4 runs: 1 of grid0, 1 of grid1, 1 of grid2, 1 of grid3"
    assert _named(runs[:2]) == "2 runs: 000000000000 (grid0), 000000000001 (grid1)"


def test_a_query_during_a_merge_is_run_again(
    query: Command, monkeypatch: pytest.MonkeyPatch, finished_once: Path
) -> None:
    looks = []

    @contextmanager
    def merged_at_first(*arguments: Any) -> Iterator[Database]:
        with opened(*arguments) as database:
            if not looks:
                first, part = next(iter(database.files._parts.items()))
                database.files._parts[first] = replace(part, path=Path("gone.parquet"))
            looks.append(1)
            yield database

    monkeypatch.setattr("pipeline.query.command.opened", merged_at_first)
    status, out, err = query("select count(*), sum(nodes) > 0 from results", "--format", "csv")
    assert (status, out.splitlines()[1]) == (0, "1360,true")
    assert "the query is run again" in err
    assert len(looks) == 2


def test_an_answer_as_text_is_exact_whatever_the_output_can_encode(finished_once: Path) -> None:
    words = ("select 'é – 木' as x", "--format")
    for form, expected in (("csv", "x\né – 木\n"), ("json", '[\n{"x": "é – 木"}\n]\n')):
        done = orchard(*words, form, cwd=finished_once, module="pipeline.query", PYTHONIOENCODING="ascii")
        assert (done.returncode, done.stdout) == (0, expected)


def test_a_limit_that_is_not_reached_changes_nothing(query: Command) -> None:
    handler = signal.getsignal(signal.SIGALRM)
    assert query("select 1 as n", "--format", "csv", "--seconds", "60") == (0, "n\n1\n", "")
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is handler
    for seconds in ("0", "-1", "nan", "inf"):
        status, out, err = query("select 1", f"--seconds={seconds}")
        assert (status, out) == (2, "")
        assert err == f"orchard query: --seconds is {float(seconds):g}: expected more than 0, and at most 9223372036\n"
