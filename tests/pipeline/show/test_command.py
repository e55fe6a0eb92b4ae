"""A table and a tree made again from what a result row is called."""

from __future__ import annotations

import json
import os
import shlex
from functools import partial
from pathlib import Path
from shutil import copytree
from xml.etree import ElementTree

import pytest

from algorithms.measures.impurity import IMPURITY_FUNCTIONS
from algorithms.trees.costs import COST_FUNCTIONS
from algorithms.trees.json_text import from_json
from pipeline.record.runs import kept_runs
from tests.oracles.tree_for_table import check_tree_for_table
from tests.pipeline.command_line import parts, rows, run_folder, run_orchard
from tests.pipeline.conftest import Command


@pytest.fixture
def show(finished_once: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> Command:
    """`orchard show` beside the finished run: exit status, stdout and stderr."""
    monkeypatch.chdir(finished_once)
    return partial(command, "show")


def stored(folder: Path, group: int, table: int) -> list[dict[str, object]]:
    results = rows(folder / "outputs").to_pylist()
    return [row for row in results if (row["group"], row["table_index"]) == (group, table)]


@pytest.mark.parametrize("heuristic", [function.name for function in IMPURITY_FUNCTIONS])
def test_a_greedy_tree_has_the_stored_costs(show: Command, heuristic: str) -> None:
    status, out, err = show("--table", "7", "--group", "2", "--heuristic", heuristic)
    assert (status, err) == (0, "")
    assert "the stored row has the same" in out


@pytest.mark.parametrize("cost", COST_FUNCTIONS)
def test_an_optimal_tree_has_the_stored_minimum(show: Command, cost: str) -> None:
    status, out, err = show("--table", "40", "--cost", cost)
    assert (status, err) == (0, "")
    assert "the stored row has the same" in out


def test_a_stored_row_that_differs_is_shown(show: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    from pipeline.show import command

    real = command.stored_rows
    monkeypatch.setattr(command, "stored_rows", lambda *given: [row | {"nodes": 1234} for row in real(*given)])
    status, out, _ = show("--table", "1", "--heuristic", "max/rt")
    assert status == 0
    assert "the stored row differs: nodes 1234" in out
    assert "has the same" not in out


def test_a_table_is_shown_with_its_rows_and_what_is_stored(show: Command, finished_once: Path) -> None:
    status, out, _ = show("--table", "3")
    assert status == 0
    table = kept_runs(finished_once / "outputs")[-1].grid.table(2)
    lines = [line.split() for line in out.splitlines()]
    assert "50 distinct rows" in out
    assert ["f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "decision"] in lines
    for codes, decision in zip(table.codes, table.decisions, strict=True):
        assert [*map(str, codes), str(decision)] in lines
    for row in stored(finished_once, 1, 3):
        name = "minimum of each cost" if row["builder"] == "exact" else f"{row['impurity_type']}/{row['uncertainty']}"
        (line,) = [line for line in out.splitlines() if f" {name} " in line]
        assert str(row["nodes"]) in line.replace("│", " ").split()


def test_json_is_the_tree(show: Command, finished_once: Path) -> None:
    status, out, _ = show("--table", "3", "--heuristic", "sum/me", "--form", "json")
    assert status == 0
    json.loads(out)
    tree = from_json(out)
    table = kept_runs(finished_once / "outputs")[-1].grid.table(2)
    check_tree_for_table(tree, table)
    (row,) = [row for row in stored(finished_once, 1, 3) if (row["impurity_type"], row["uncertainty"]) == ("sum", "me")]
    costs = tree.costs(table)
    assert {name: row[name] for name in COST_FUNCTIONS} == {name: costs[name] for name in COST_FUNCTIONS}


def test_dot_has_a_node_for_each_and_an_edge_to_each_but_the_root(show: Command, finished_once: Path) -> None:
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
        (["--table", "1", "--heuristic", "w_sum/gni"], ["heuristic w_sum/gni: expected one of max/ent, "]),
        (["--table", "1", "--heuristic", "gini"], ["heuristic gini: expected one of max/ent, "]),
        (["--table", "1", "--builder", "cart"], ["builder cart: expected one of greedy, exact"]),
        (["--table", "1", "--builder", "exact"], ["--cost NAME, where NAME is one of average_depth"]),
        (["--repeat", "1"], ["--repeat selects nothing: these rows have no value for this option"]),
        (["--parameters", "max_depth"], ["max_depth", "NAME=VALUE"]),
        (["--source", "uci/zoo"], ["source uci/zoo: expected random"]),
        (["--form", "svg", "--to", "/etc/passwd/tree.svg"], ["/etc/passwd", "a folder that you can write to"]),
        (["--form", "svg", "--to", "/proc/nowhere/tree.svg"], ["/proc/nowhere/tree.svg", "no ordinary files"]),
        (["--table", "1", "--cost", "width"], ["width", "average_depth"]),
        (["--table", "x"], ["--table", "'x'"]),
        (["--table", "1", "--run", "zzz"], ["'zzz'", "(greedy_vs_dp)"]),
        (["--table", "1", "--output", "nowhere"], ["nowhere", "--output"]),
        (["--table", "1", "--cost", "nodes", "--heuristic", "max/rt"], ["not allowed with"]),
    ],
)
def test_unknown_names_are_named_with_the_choices(show: Command, arguments: list[str], named: list[str]) -> None:
    status, out, err = show(*arguments)
    assert (status, out) == (3 if "/etc/passwd/tree.svg" in arguments else 2, "")
    assert [word for word in named if word not in err] == []
    assert "usage" in err or err.count("\n") == 1
    assert "Traceback" not in err


def test_an_unknown_heuristic_is_answered_with_those_there_are(show: Command) -> None:
    assert "max/rt" in show("--table", "1", "--heuristic", "w_sum/gni")[2]


def test_a_run_is_found_by_the_beginning_of_its_id(show: Command, finished_once: Path) -> None:
    run = run_folder(finished_once / "outputs").name.removeprefix("run=")
    status, out, _ = show("--table", "1", "--run", run[:4])
    assert status == 0
    assert run in out


def test_a_table_that_is_not_done_yet_can_be_shown(finished: Path) -> None:
    for part in parts(finished / "outputs"):
        part.unlink()
    done = run_orchard("--table", "1", cwd=finished, module="pipeline.show")
    assert (done.returncode, done.stderr) == (0, "")
    assert "no rows are stored for this table yet" in done.stdout
    done = run_orchard("--table", "1", "--heuristic", "max/rt", cwd=finished, module="pipeline.show")
    assert done.returncode == 0
    assert "no row is stored for this tree" in done.stdout


def test_what_is_left_out_is_the_first(show: Command) -> None:
    assert show()[1].startswith("Table 1 of group 1, ")
    status, out, _ = show("--form", "text")
    assert status == 0
    assert out.startswith("Table 1 of group 1, by max/ent, ")


@pytest.fixture(scope="module")
def compared_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run of three builders, the first without trees, on two data sets; read it only."""
    folder = tmp_path_factory.mktemp("compared")
    builders = "builders=[naive_bayes,c45,{name: stump, builder: cart, parameters: {max_depth: 1}}]"
    sources = "source=[sklearn/iris,rule/corral]"
    done = run_orchard("+grid=compare_builders", sources, builders, "protocol.folds=2", "cluster=threads", cwd=folder)
    assert done.returncode == 0, done.stderr
    (folder / "said").write_text(done.stdout, encoding="utf-8")
    return folder


@pytest.fixture
def compared(show: Command, compared_once: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """`pipeline.show` beside that run."""
    monkeypatch.chdir(compared_once)
    return show


def test_a_row_is_chosen_by_source_fold_and_builder(compared: Command, compared_once: Path) -> None:
    results = rows(compared_once / "outputs").to_pylist()
    for source, fold, builder in (("rule/corral", 2, "c45"), ("sklearn/iris", 1, "stump")):
        status, out, err = compared("--source", source, "--fold", str(fold), "--builder", builder)
        assert (status, err) == (0, "")
        assert out.startswith(f"{source}, repeat 1, fold {fold}, training rows, by {builder}")
        assert "the stored row has the same" in out
        (row,) = [
            each for each in results if (each["source"], each["fold"], each["builder"]) == (source, fold, builder)
        ]
        assert f"train_accuracy {row['train_accuracy']:.6g}, test_accuracy {row['test_accuracy']:.6g}" in out


def test_without_a_builder_it_is_the_first_that_has_a_tree(compared: Command) -> None:
    assert ", by c45, run " in compared("--form", "text")[1]
    assert ", by stump (max_depth 1), run " in compared("--parameters", "max_depth=1")[1]


def test_the_rows_of_a_split_are_shown_with_their_accuracies(compared: Command) -> None:
    out = compared("--source", "rule/corral")[1]
    assert "grid compare_builders: 32 distinct rows\n" in out
    assert out.count("accuracy") == 2
    assert [name for name in ("naive_bayes", "c45", "stump") if f"\n{name} " not in out] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--builder", "naive_bayes"], "which makes no tree; builders that make trees: c45, stump"),
        (["--builder", "id3"], "builder id3: expected one of naive_bayes, c45, stump"),
        (["--fold", "3"], "fold 3: expected 1 to 2"),
        (
            ["--cost", "nodes"],
            "--cost nodes: this run has no minima of costs; give --builder NAME, where",
        ),
        (["--table", "1"], "--table selects nothing: these rows have no value for this option"),
        (
            ["--heuristic", "max/rt"],
            "--heuristic max/rt: this run has no greedy heuristics; give --builder NAME, where",
        ),
        (["--source", "uci/zoo"], "source uci/zoo: expected one of sklearn/iris, rule/corral"),
        (["--builder", "stump", "--parameters", "max_depth=2"], 'parameters {"max_depth": 2}: expected {"'),
        (["--builder", "c45", "--parameters", "max_depth=1"], "--parameters selects nothing: these rows have no value"),
        (["--removed", "1"], "--removed selects nothing: these rows have no value for this option"),
    ],
)
def test_unknown_data_sets_of_a_grid_are_named_with_the_choices(
    compared: Command, arguments: list[str], message: str
) -> None:
    status, out, err = compared(*arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_run_that_has_the_row_is_named(
    show: Command, compared_once: Path, finished_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (finished_once, compared_once):
        copytree(folder / "outputs/results", tmp_path / "outputs/results", dirs_exist_ok=True)
    copied = [
        tmp_path / run_folder(folder / "outputs").relative_to(folder) for folder in (finished_once, compared_once)
    ]
    for age, run in enumerate(copied):
        os.utime(run / "_run/run.json", (1e9 - age, 1e9 - age))
    newest, other = (run.name.removeprefix("run=") for run in copied)
    monkeypatch.chdir(tmp_path)
    status, out, err = show("--source", "rule/corral", "--builder", "c45", "--fold", "2")
    assert (status, out) == (2, "")
    assert err.endswith(
        f"(in the newest run, {newest} of grid greedy_vs_dp; "
        f"a run of grid compare_builders has such a row: add --run {other})\n"
    )
    for absent in (["--fold", "3"], ["--builder", "id3"], ["--source", "uci/zoo"]):
        assert show(*absent)[2].endswith("; no run has such a row)\n")
    assert show("--fold", "3", "--run", newest)[2].endswith("leave the option out\n")


def test_what_comes_next_shows_a_tree(compared: Command, compared_once: Path) -> None:
    (line,) = [line for line in (compared_once / "said").read_text(encoding="utf-8").splitlines() if ".show " in line]
    words = shlex.split(line.partition(".show ")[2])
    status, out, _ = compared(*words)
    assert status == 0
    assert "the stored row has the same" in out


def test_a_tree_replaces_no_file_device_pipe_or_link(compared: Command, tmp_path: Path) -> None:
    pipe, link, file = tmp_path / "pipe", tmp_path / "link", tmp_path / "file"
    os.mkfifo(pipe)
    file.write_text("mine")
    link.symlink_to(file)
    for target, what in (
        (pipe, "is a device or a pipe"),
        (link, "is a link"),
        (tmp_path, "is a folder"),
        (file, "already exists"),
    ):
        status, _, err = compared("--builder", "stump", "--to", str(target))
        assert status == 2
        assert f"--to {target} {what}" in err
    assert "is an address" in compared("--builder", "stump", "--to", "s3://b/x")[2]
    assert (pipe.is_fifo(), link.is_symlink(), file.read_text()) == (True, True, "mine")


@pytest.mark.parametrize("ending", ["svg", "dot", "gv", "json", "txt"])
def test_a_tree_is_written_to_a_file_in_the_form_of_its_ending(compared: Command, tmp_path: Path, ending: str) -> None:
    file = tmp_path / "new" / f"tree.{ending}"
    status, out, err = compared("--source", "sklearn/iris", "--builder", "stump", "--to", str(file))
    assert (status, out) == (0, "")
    tree = "sklearn/iris, repeat 1, fold 1, training rows, by stump (max_depth 1)"
    assert err == f"{tree}: the stored row has the same values\n"
    words = file.read_text(encoding="utf-8")
    if ending == "svg":
        assert ElementTree.fromstring(words).get("aria-label") == err.partition(":")[0]
    elif ending == "json":
        assert from_json(words).nodes == 3
    else:
        assert words.startswith("digraph tree {" if ending in {"dot", "gv"} else "petal ")
