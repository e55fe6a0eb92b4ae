"""`--multirun`: which runs a sweep has, how its mistakes are named, and the table of its runs."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from omegaconf import OmegaConf

from pipeline.command import _list_sweep
from pipeline.driver.outcome import Outcome
from tests.pipeline.command_line import (
    FINISHED,
    GRID,
    rows,
    run_folder,
    run_orchard,
)
from tests.pipeline.conftest import Command


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (
            ("+grid=greedy_vs_dp,greed_grows", "tables.coun=3"),
            "unknown key 'tables.coun', did you mean 'tables.count'?",
        ),
        (("+grid=greedy_vs_dp,greed_grow",), "no grid is called 'greed_grow', did you mean 'greed_grows'?"),
    ],
)
def test_a_mistake_in_a_sweep_over_grids_is_named(command: Command, words: tuple[str, ...], named: str) -> None:
    status, _, err = command("--multirun", *words, "--cfg", "job")
    assert (status, named in err) == (2, True)


@pytest.mark.parametrize(
    "override",
    [
        *("seed=glob(*)", "seed=interval(1,3)", "seed=range(1,3),5", "seed=range(3,1)", "seed=range(1,3,0)"),
        *("seed=range(nan,3)", "seed=range(0,inf)"),
    ],
)
def test_a_sweep_lists_its_values(command: Command, tmp_path: Path, override: str) -> None:
    status, out, err = command("+grid=greedy_vs_dp", "--multirun", override)
    assert (status, out) == (2, "")
    assert override in err
    assert "key=value1,value2" in err
    assert ("more than 100,000 values: write fewer" in err) == (override == "seed=range(0,inf)")
    assert list(tmp_path.iterdir()) == []


def test_a_sweep_is_of_all_combinations_in_the_order_of_the_words(command: Command) -> None:
    words = ("seed=range(1,3)", "chunk=5,6", "redo=failed", "cluster.workers=choice(1,2)")
    status, out, err = command("--multirun", "+grid=greedy_vs_dp", *words, "--cfg", "job")
    assert (status, err) == (0, "")
    keys = ("seed", "chunk", "cluster.workers")
    results = [OmegaConf.create(text) for text in re.split(r"(?m)^(?=grid: )", out) if text]
    assert [tuple(OmegaConf.select(run, key) for key in keys) for run in results] == [
        *((1, 5, 1), (1, 5, 2), (1, 6, 1), (1, 6, 2)),
        *((2, 5, 1), (2, 5, 2), (2, 6, 1), (2, 6, 2)),
    ]


@pytest.mark.long
def test_a_sweep_runs_whole_grids_one_after_another(tmp_path: Path) -> None:
    arguments = ("--multirun", "seed=1,2", *GRID, "tables.count=10", "tables.groups=1")
    done = run_orchard(*arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Results ") == 2
    assert len(list(tmp_path.glob("outputs/results/grid=greedy_vs_dp/run=*"))) == 2
    assert rows(tmp_path / "outputs").num_rows == 2 * 10 * 17
    assert [path.name for path in tmp_path.iterdir()] == ["outputs"]


def test_a_bad_grid_of_a_sweep_does_not_end_the_others(tmp_path: Path) -> None:
    done = run_orchard(*GRID, "tables.count=5", "tables.groups=1", "seed=-1,2", "-m", cwd=tmp_path)
    assert done.returncode == 2
    assert "seed is -1" in done.stderr
    assert rows(tmp_path / "outputs").num_rows == 5 * 17
    table = done.stdout.partition("All runs of the sweep")[2]
    run = run_folder(tmp_path / "outputs").name.removeprefix("run=")
    lines = [line.split() for line in table.splitlines() if line.startswith("seed=")]
    assert [line[:2] for line in lines] == [["seed=-1", "exit"], ["seed=2", run]]
    assert lines[0][1:6] == ["exit", "status", "2", "seed", "is"]
    assert lines[1][2] == "done"
    assert "python -m pipeline.report\n" in table
    (folder,) = tmp_path.glob("outputs/summaries/grid=greedy_vs_dp/sweep=*")
    assert str(folder.relative_to(tmp_path)) in table
    swept = list(csv.reader((folder / "swept_runs.csv").read_text().splitlines()))
    assert [line[:3] for line in swept[1:]] == [["-1", "", "exit status 2"], ["2", run, "done"]]
    shown = run_orchard("--table", "1", "--run", run, cwd=tmp_path, module="pipeline.show")
    assert shown.returncode == 0, shown.stderr
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert {"summary.json", "cells.csv", "cells.md"} < before.keys()
    run_orchard("cluster.workers=2", "-m", "seed=-1,2", "tables.groups=1", "tables.count=5", *GRID[:1], cwd=tmp_path)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before, "resumed, it is another sweep"
    assert [path.name for path in folder.parent.glob("sweep=*")] == [folder.name]


def test_one_run_has_no_table_of_a_sweep(finished: Path) -> None:
    done = run_orchard(*FINISHED, "--multirun", cwd=finished)
    assert done.returncode == 0, done.stderr
    assert "of the sweep" not in done.stdout  # its name may be in the path of the interpreter
    assert list(finished.glob("outputs/summaries/*/sweep=*")) == []


def test_the_table_of_a_sweep_names_what_was_swept_and_each_folder(capsys: pytest.CaptureFixture[str]) -> None:
    runs = [["+grid=g", "seed=1", "chunk=2"], ["+grid=g", "seed=2", "chunk=2"], ["+grid=g", "seed=3", "chunk=2"]]
    ended = [Outcome(0, "abc", "3 of 4 [cells] agree", "my out"), Outcome(143, finding="stopped by SIGTERM")]
    _list_sweep(runs, ended)
    out = capsys.readouterr().out
    table = [re.split(r"\s{2,}", line.strip()) for line in out.splitlines()]
    assert ["seed=1", "abc", "done", "3 of 4 [cells] agree"] in table
    assert ["seed=2", "stopped", "stopped by SIGTERM"] in table
    assert ["seed=3", "not begun"] in table
    assert "pipeline.show --run ID --output 'my out'" in out
    assert "chunk" not in out


def test_a_secret_in_the_values_of_a_sweep_or_in_an_error_is_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    runs = [["+grid=g", "api_token=abc"], ["+grid=g", "api_token=xyz"]]
    _list_sweep(runs, [Outcome(0, "abcd"), Outcome(2, finding="unknown key 'api_token=xyz'")])
    out = capsys.readouterr().out
    assert out.count("api_token=***") == 3
    assert "xyz" not in out
