"""A table and a tree made again from what a result row is called."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from algorithms.costs import COST_FUNCTIONS
from algorithms.impurity import IMPURITY_FUNCTIONS
from algorithms.tree import check_tree_for_table
from algorithms.tree_json import from_json
from pipeline.record.runs import kept_run
from pipeline.show import main
from tests.pipeline.command_line import orchard, parts, rows, run_folder

Show = Callable[..., tuple[int, str, str]]


@pytest.fixture
def show(finished_once: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Show:
    """`pipeline.show` beside the finished run: exit status, stdout and stderr."""
    monkeypatch.chdir(finished_once)

    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            status = main(list(arguments))
        except SystemExit as leaving:
            status = leaving.code if isinstance(leaving.code, int) else 1
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def stored(folder: Path, group: int, table: int) -> list[dict[str, object]]:
    found = rows(folder / "outputs").to_pylist()
    return [row for row in found if (row["group"], row["table_index"]) == (group, table)]


@pytest.mark.parametrize("heuristic", [function.name for function in IMPURITY_FUNCTIONS])
def test_a_greedy_tree_has_the_stored_costs(show: Show, heuristic: str) -> None:
    status, out, err = show("--table", "7", "--group", "2", "--heuristic", heuristic)
    assert (status, err) == (0, "")
    assert "the stored row has the same" in out


@pytest.mark.parametrize("cost", COST_FUNCTIONS)
def test_an_optimal_tree_has_the_stored_minimum(show: Show, cost: str) -> None:
    status, out, err = show("--table", "40", "--cost", cost)
    assert (status, err) == (0, "")
    assert "the stored row has the same" in out


def test_a_stored_row_that_differs_is_shown(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    from pipeline import show as module

    real = module._stored
    monkeypatch.setattr(module, "_stored", lambda *given: [row | {"nodes": 1234} for row in real(*given)])
    status, out, _ = show("--table", "1", "--heuristic", "max/rt")
    assert status == 0
    assert "the stored row has nodes 1234" in out
    assert "has the same" not in out


def test_a_table_is_shown_with_its_rows_and_what_is_stored(show: Show, finished_once: Path) -> None:
    status, out, _ = show("--table", "3")
    assert status == 0
    table = kept_run(finished_once / "outputs", None).grid.table(2)
    lines = [line.split() for line in out.splitlines()]
    assert ["f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "decision"] in lines
    for codes, decision in zip(table.codes, table.decisions, strict=True):
        assert [*map(str, codes), str(decision)] in lines
    for row in stored(finished_once, 1, 3):
        name = "least of each" if row["builder"] == "exact" else f"{row['impurity_type']}/{row['uncertainty']}"
        (line,) = [line for line in out.splitlines() if f" {name} " in line]
        assert str(row["nodes"]) in line.replace("│", " ").split()


def test_json_is_the_tree(show: Show, finished_once: Path) -> None:
    status, out, _ = show("--table", "3", "--heuristic", "sum/me", "--form", "json")
    assert status == 0
    json.loads(out)
    tree = from_json(out)
    table = kept_run(finished_once / "outputs", None).grid.table(2)
    check_tree_for_table(tree, table)
    (row,) = [row for row in stored(finished_once, 1, 3) if (row["impurity_type"], row["uncertainty"]) == ("sum", "me")]
    costs = tree.costs(table)
    assert {name: row[name] for name in COST_FUNCTIONS} == {name: costs[name] for name in COST_FUNCTIONS}


def test_dot_has_a_node_for_each_and_an_edge_to_each_but_the_root(show: Show, finished_once: Path) -> None:
    status, out, _ = show("--table", "3", "--cost", "nodes", "--form", "dot")
    assert status == 0
    (exact,) = [row for row in stored(finished_once, 1, 3) if row["builder"] == "exact"]
    assert out.startswith("digraph")
    assert out.rstrip().endswith("}")
    assert out.count("{") == out.count("}")
    edges = out.count("->")
    nodes = len([line for line in out.splitlines() if "[label=" in line and "->" not in line])
    assert (nodes, edges) == (exact["nodes"], exact["nodes"] - 1)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--table", "41"], ["table 41", "1 to 40"]),
        (["--table", "0"], ["table 0", "1 to 40"]),
        (["--table", "1", "--group", "3"], ["group 3", "1 to 2"]),
        (["--table", "1", "--heuristic", "w_sum/gni"], ["w_sum/gni"]),
        (["--table", "1", "--cost", "width"], ["width", "average_depth"]),
        (["--table", "x"], ["--table", "'x'"]),
        (["--table", "1", "--run", "zzz"], ["'zzz'", "(greedy_vs_dp)"]),
        (["--table", "1", "--output", "nowhere"], ["nowhere", "--output"]),
        (["--table", "1", "--cost", "nodes", "--heuristic", "max/rt"], ["not allowed with"]),
    ],
)
def test_what_there_is_not_is_named_with_the_choices(show: Show, arguments: list[str], named: list[str]) -> None:
    status, out, err = show(*arguments)
    assert (status, out) == (2, "")
    assert [word for word in named if word not in err] == []
    assert "Traceback" not in err


def test_an_unknown_heuristic_is_answered_with_those_there_are(show: Show) -> None:
    assert "max/rt" in show("--table", "1", "--heuristic", "w_sum/gni")[2]


def test_a_run_is_found_by_the_beginning_of_its_id(show: Show, finished_once: Path) -> None:
    run = run_folder(finished_once / "outputs").name.removeprefix("run=")
    status, out, _ = show("--table", "1", "--run", run[:4])
    assert status == 0
    assert run in out


def test_a_table_that_is_not_done_yet_can_be_shown(finished: Path) -> None:
    for part in parts(finished / "outputs"):
        part.unlink()
    done = orchard("--table", "1", cwd=finished, module="pipeline.show")
    assert (done.returncode, done.stderr) == (0, "")
    assert "no rows are stored for it yet" in done.stdout
    done = orchard("--table", "1", "--heuristic", "max/rt", cwd=finished, module="pipeline.show")
    assert done.returncode == 0
    assert "no row is stored for it" in done.stdout
