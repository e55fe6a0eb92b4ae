"""Questions to the result rows, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.compute as pc
import pytest

from pipeline.query import main
from pipeline.query.command import SHOWN_ROWS
from tests.pipeline.command_line import orchard, parts, rows, run_folder

Query = Callable[..., tuple[int, str, str]]


@pytest.fixture
def query(finished_once: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Query:
    """`pipeline.query` beside the finished run: exit status, stdout and stderr."""
    monkeypatch.chdir(finished_once)

    def run(*arguments: str) -> tuple[int, str, str]:
        status = main(list(arguments))
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def test_an_answer_is_the_rows_own(query: Query, finished_once: Path) -> None:
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


def test_grid_and_run_are_columns(query: Query, finished_once: Path) -> None:
    run = run_folder(finished_once / "outputs").name.removeprefix("run=")
    assert query("select distinct grid, run from results", "--format", "csv")[1] == f"grid,run\ngreedy_vs_dp,{run}\n"


def test_a_screen_gets_a_table_and_the_first_rows_of_many(query: Query) -> None:
    status, out, err = query("select table_index as [odd] from results".replace("[odd]", '"[red]odd"'))
    assert status == 0
    assert "[red]odd" in out
    assert len(out.splitlines()) == SHOWN_ROWS + 2
    assert f"first {SHOWN_ROWS} of 1,360 rows" in err
    assert len(query("select table_index from results", "--format", "csv")[1].splitlines()) == 1 + 1360


def test_null_and_no_rows_can_be_shown(query: Query) -> None:
    assert "null" in query("select error from results limit 1")[1]
    assert query("select error from results where false")[0] == 0


@pytest.mark.parametrize(
    "question",
    [
        "copy results to 'stolen.csv'",
        "copy (select 1) to 'stolen.parquet'",
        "export database 'stolen'",
        "attach 'stolen.db'",
        "install httpfs",
        "load httpfs",
        "set enable_external_access = true",
        "set lock_configuration = false",
        "pragma database_list",
        "create table t as select 1",
        "drop view results",
        "insert into results select * from results",
        "select 1; select 2",
        "select 1; copy results to 'stolen.csv'",
        "",
        "select * from read_text('secret.txt')",
        "select * from read_csv('secret.txt')",
        "select * from read_blob('secret.txt')",
        "select * from 'secret.txt'",
        "select * from glob('*')",
        "select * from read_parquet('other.parquet')",
        "select * from read_csv('https://localhost/x.csv')",
        "select getenv('HOME')",
        "explain analyze copy results to 'stolen.csv'",
    ],
)
def test_only_results_are_read_and_nothing_is_written(
    finished_once: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    question: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.txt").write_text("secret words\n")
    (tmp_path / "other.parquet").write_bytes(parts(finished_once / "outputs")[0].read_bytes())
    status = main([question, "--output", str(finished_once / "outputs")])
    said = capsys.readouterr()
    assert (status, said.out) == (2, "")
    assert said.err.startswith("orchard query: ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.parquet", "secret.txt"]


def test_a_question_that_is_wrong_is_answered_with_why(query: Query) -> None:
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
    done = orchard("select count(*) from results", "--format", "csv", cwd=finished, module="pipeline.query")
    assert done.returncode == 0
    assert f"left out: {spoilt.relative_to(finished)} has other bytes" in done.stderr
    first, stop = (int(word) for word in spoilt.name.split("-")[1:3])
    assert done.stdout.splitlines()[-1] == str((80 - (stop - first)) * 17)
    assert spoilt.read_bytes() == content


def test_no_results_are_a_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["select 1 from results", "--output", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert f"no results in {tmp_path}" in said.err
    assert list(tmp_path.iterdir()) == []


def test_no_complete_part_is_a_message(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for part in parts(finished / "outputs"):
        part.unlink()
    assert main(["select 1 from results", "--output", str(finished / "outputs")]) == 2
    assert "no complete part" in capsys.readouterr().err


def test_a_run_of_another_version_does_not_keep_the_others_from_being_asked(finished: Path) -> None:
    notes = finished / "outputs/results/grid=uci_exact/run=0123456789ab/_run"
    notes.mkdir(parents=True)
    for identity in ({"grid": "uci_exact", "sources": []}, {"grid": "of_tomorrow"}):
        (notes / "run.json").write_text(json.dumps({"identity": identity, "versions": {}}))
        done = orchard("select count(*) as n from results", "--format", "csv", cwd=finished, module="pipeline.query")
        assert (done.returncode, done.stdout) == (0, f"n\n{80 * 17}\n")
        assert "this version does not have, or has otherwise" in done.stderr


def test_nothing_but_a_select_is_run(finished: Path) -> None:
    (part, *_) = parts(finished / "outputs")
    before = part.read_bytes()
    copy = f"copy (select 1 as x) to '{part}' (format parquet, use_tmp_file false)"
    for question in (copy, f"explain analyze {copy}", "explain select 1"):
        done = orchard(question, cwd=finished, module="pipeline.query")
        assert done.returncode == 2
        assert "expected one SELECT" in done.stderr
    assert part.read_bytes() == before
