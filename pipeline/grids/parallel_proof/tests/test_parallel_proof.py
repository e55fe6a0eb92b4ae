"""Searches in tasks: the tree and the proof of one search, in whatever order the tasks end."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.trees.decision_tree import DecisionTree
from orchard import OCTClassifier
from pipeline.configuration.settings import Data
from pipeline.data.sources import sources_named
from pipeline.errors import ConfigError
from pipeline.grids.parallel_proof import rows as rows_module
from pipeline.grids.parallel_proof.grid import Incumbent, ParallelProofGrid
from pipeline.grids.parallel_proof.summary import SUMMARY
from pipeline.storage.parts import Part, publish
from tests.pipeline.command_line import run_orchard
from tests.summaries.builder_rows import verified, written

Row = dict[str, Any]
MEASURES = ("objective", "nodes", "depth", "train_accuracy")
NAMES = ("sklearn/wine", "rule/monks-1")
TASKS, MANY = 6, 80
ORDERS = (
    [*range(2 * (TASKS + 1))],
    [*reversed(range(2 * (TASKS + 1)))],
    np.random.default_rng(1).permutation(2 * (TASKS + 1)).tolist(),
)


def grid(**changes: Any) -> ParallelProofGrid:
    sources = sources_named(list(NAMES), None, Data(None, None))
    made = ParallelProofGrid(sources=sources, depths=(3,), min_rows_leaf=5, alpha=0.0, tasks=TASKS, max_work=None)
    return replace(made, **changes)


@pytest.fixture(autouse=True)
def a_poor_first_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first search ends at once, so that the tasks have trees to find."""
    monkeypatch.setattr(rows_module, "FIRST_WORK", 1)
    rows_module.first_solution.cache_clear()


def two_valued(folder: Path) -> str:
    """The path of a file whose eight attributes have two values each."""
    generator = np.random.default_rng(5)
    cells = generator.integers(0, 2, (90, 8))
    classes = np.where(generator.random(90) < 0.8, cells[:, :5].sum(axis=1) > 2, cells[:, 7])
    lines = [
        ",".join([*(("no", "yes")[cell] for cell in row), str(label)])
        for row, label in zip(cells, classes, strict=True)
    ]
    path = folder / "two_valued.csv"
    path.write_text("\n".join(["a,b,c,d,e,f,g,h,class", *lines]))
    return str(path)


def few_numbers(folder: Path) -> str:
    """The path of a file with two numbers of four values, some of which are missing, and an attribute of two values."""
    generator = np.random.default_rng(3)
    numbers = generator.integers(0, 4, (60, 2))
    labels = np.where(numbers.sum(axis=1) > generator.integers(0, 6, 60), "yes", "no")
    cells = np.where(generator.random((60, 2)) < 0.2, "", numbers.astype(str))
    lines = [",".join((*row, "ab"[index % 2], labels[index])) for index, row in enumerate(cells)]
    path = folder / "few_numbers.csv"
    path.write_text("\n".join(["a,b,c,class", *lines]))
    return str(path)


def part_of(made: ParallelProofGrid, item: int, folder: Path) -> Part:
    return verified(publish(made.work(item, item + 1)["results"], folder, "x", item, item + 1))


def in_order(made: ParallelProofGrid, order: list[int], folder: Path) -> tuple[list[Row], list[Part]]:
    """The rows and part files of all tasks, each of which knows those before it in the order."""
    parts: dict[int, Part] = {}
    rows: dict[int, Row] = {}
    for item in order:
        (rows[item],) = made.work(item, item + 1)["results"].to_pylist()
        parts[item] = part_of(made, item, folder)
        made = made.knowing([parts[item]])
    return [rows[item] for item in sorted(rows)], [parts[item] for item in sorted(parts)]


def summary_of(parts: list[Part], folder: Path) -> tuple[list[Row], Any]:
    folder.mkdir()
    rows = SUMMARY.rows_of({"results": parts})
    return [*rows["proofs"]], written(SUMMARY, {"results": parts}, folder)


def instance(made: ParallelProofGrid, item: int) -> Instance:
    data = made.trained(made.item(item))
    return Instance(data, np.ones(data.rows), max_depth=3, min_samples_leaf=5)


def same(tree: DecisionTree, other: DecisionTree) -> bool:
    return all(
        np.array_equal(getattr(tree, name), getattr(other, name)) for name in ("attribute", "edge_bound", "counts")
    )


@pytest.mark.parametrize("order", ORDERS, ids=["first to last", "last to first", "at random"])
def test_the_tree_and_the_proof_are_those_of_one_search(order: list[int], tmp_path: Path) -> None:
    made = grid()
    rows, parts = in_order(made, order, tmp_path / "parts")
    proofs, summary = summary_of(parts, tmp_path / "summary")
    for search, proof in enumerate(proofs):
        whole = solve(instance(made, search * (TASKS + 1)))
        assert proof["proven"]
        assert proof["objective"] == pytest.approx(whole.objective)
        assert proof["bound"] == pytest.approx(whole.objective)
        assert proof["train_accuracy"] == pytest.approx(1 - whole.errors / whole.tree.counts[0].sum())
        assert proof["open_tasks"] == 0
        own = rows[search * (TASKS + 1) : (search + 1) * (TASKS + 1)]
        assert proof["better_trees"] == sum(row["objective"] is not None for row in own[1:])
    drawn = (tmp_path / "summary/parallel_proof.svg").read_text()  # of wine alone: monks-1 is proven at once
    assert all(f"<title>task {task}, sklearn/wine" in drawn for task in range(TASKS + 1))
    assert drawn.count(", the best tree</title>") == 2  # the bar and its mark
    best, _ = made.tree(summary.trees[0].row)
    in_turn = written(SUMMARY, {"results": in_order(made, ORDERS[0], tmp_path / "in_turn")[1]}, tmp_path / "parts")
    assert [tree.row for tree in summary.trees] == [tree.row for tree in in_turn.trees]
    assert same(best, made.tree(in_turn.trees[0].row)[0])


@pytest.mark.parametrize("order", [[*range(TASKS + 1)], [0, 4, 6, 2, 1, 5, 3], [*reversed(range(TASKS + 1))]], ids=str)
@pytest.mark.parametrize("max_work", [None, 1])
def test_tasks_of_two_valued_attributes_remember_sets_of_rows(
    order: list[int], max_work: int | None, tmp_path: Path
) -> None:
    """The tree and the proof are those of one search, and each row is that of its rebuilt tree."""
    made = grid(
        sources=sources_named([two_valued(tmp_path)], None, Data(None, None)), min_rows_leaf=1, max_work=max_work
    )
    rows, parts = in_order(made, order, tmp_path / "parts")
    ((proof,), _) = summary_of(parts, tmp_path / "summary")
    whole = solve(replace(instance(made, 0), min_samples_leaf=1))
    assert proof["proven"] or max_work
    assert proof["bound"] <= whole.objective * (1 + 1e-9)
    if max_work is None:
        assert proof["objective"] == pytest.approx(whole.objective)
    alone = made.work(0, TASKS + 1)["results"].to_pylist()
    for row, own in zip(rows, alone, strict=True):
        if row["objective"] is not None:
            assert {name: row[name] for name in MEASURES} == {name: own[name] for name in MEASURES}
            assert made.tree(row)[0].nodes == row["nodes"]


@pytest.mark.parametrize(("in_turn", "max_work"), [(True, None), (False, None), (False, 60)])
@pytest.mark.parametrize("make", [two_valued, few_numbers])
def test_many_tasks_divide_the_branches_of_each_test_at_the_root(
    make: Callable[[Path], str], in_turn: bool, max_work: int | None, tmp_path: Path
) -> None:
    """The tree and the proof are those of one search, and each row is that of its rebuilt tree."""
    source = sources_named([make(tmp_path)], None, Data(None, None))
    made = grid(sources=source, min_rows_leaf=1, max_work=max_work, tasks=MANY)
    order = [*range(MANY + 1)] if in_turn else np.random.default_rng(1).permutation(MANY + 1).tolist()
    rows, parts = in_order(made, order, tmp_path / "parts")
    ((proof,), summary) = summary_of(parts, tmp_path / "summary")
    whole = OCTClassifier(max_depth=3).fit(made.trained(made.item(0))).solution_
    assert proof["bound"] <= whole.objective * (1 + 1e-9)
    assert proof["tasks"] == MANY
    if max_work is None:
        assert proof["proven"]
        assert proof["open_tasks"] == 0
        assert proof["objective"] == pytest.approx(whole.objective)
        assert sum(row["optimal"] is None for row in rows) > MANY / 3  # tasks that only give bounds
        assert made.tree(summary.trees[0].row)[0].nodes in {row["nodes"] for row in rows}
    for row in rows:
        if row["objective"] is not None:
            again = made.rebuilt(row).measures
            assert {name: row[name] for name in MEASURES} == {name: again[name] for name in MEASURES}


def test_a_task_needs_no_first_tree_that_another_has_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = grid()
    for work in (1, 10**9):  # the first tree is poor, then optimal
        monkeypatch.setattr(rows_module, "FIRST_WORK", work)
        rows_module.first_solution.cache_clear()
        alone = made.work(1, 4)["results"].drop_columns("build_seconds")
        informed = made.knowing([part_of(made, 0, tmp_path / str(work))])
        informed = replace(informed, incumbents={})
        with monkeypatch.context() as patch:
            patch.delattr(rows_module, "first_solution")
            assert informed.work(1, 4)["results"].drop_columns("build_seconds") == alone
        assert informed.firsts[0].optimal == (work > 1)


def test_missing_values_go_to_the_better_side_as_in_one_search(tmp_path: Path) -> None:
    generator = np.random.default_rng(3)
    numbers = generator.normal(size=(60, 3)).round(2)
    labels = np.where(numbers[:, 0] + numbers[:, 1] > generator.normal(size=60) / 2, "yes", "no")
    cells = np.where(generator.random((60, 3)) < 0.3, "", numbers.astype(str))
    lines = [",".join((*row, label)) for row, label in zip(cells, labels, strict=True)]
    (tmp_path / "mine.csv").write_text("\n".join(["a,b,c,class", *lines]))
    made = grid(sources=sources_named([str(tmp_path / "mine.csv")], None, Data(None, None)), min_rows_leaf=2)
    _, parts = in_order(made, [*range(TASKS + 1)], tmp_path / "parts")
    ((proof,), summary) = summary_of(parts, tmp_path / "summary")
    whole = OCTClassifier(max_depth=3, min_samples_leaf=2).fit(made.trained(made.item(0))).solution_
    assert proof["proven"]
    assert proof["objective"] == pytest.approx(whole.objective)
    tree, _ = made.tree(summary.trees[0].row)
    assert (tree.unknown_to >= 0).any()


def test_a_row_holds_whatever_was_known(tmp_path: Path) -> None:
    """A task that knows nothing finds its own best tree; one that knows a better one bounds its trees by it."""
    made = grid()
    alone = made.work(0, TASKS + 1)["results"].to_pylist()
    rows, _ = in_order(made, ORDERS[0], tmp_path)
    least = min(row["objective"] for row in alone if row["objective"] is not None)
    assert least == min(row["objective"] for row in rows[: TASKS + 1] if row["objective"] is not None)
    for own, row in zip(alone[1:], rows[1:], strict=False):
        assert row["bound"] <= own["bound"] + 1e-9
        assert row["objective"] is None or row["objective"] == pytest.approx(own["objective"])
        assert least <= row["bound"] + 1e-9


def test_a_limit_of_work_leaves_a_true_bound(tmp_path: Path) -> None:
    made = grid(max_work=5000)
    _, parts = in_order(made, ORDERS[0], tmp_path / "parts")
    (wine, _), _ = summary_of(parts, tmp_path / "summary")
    least = solve(instance(made, 0)).objective
    assert not wine["proven"]
    assert 0 < wine["open_tasks"] <= TASKS
    assert wine["bound"] <= least <= wine["objective"]


def test_a_search_all_of_whose_tasks_fail_is_one_of_the_summary(tmp_path: Path) -> None:
    """Wine has fewer rows than a leaf must have here, monks-1 has enough."""
    made = grid(min_rows_leaf=200)
    _, parts = in_order(made, [*range(made.items)], tmp_path / "parts")
    (wine, monks), summary = summary_of(parts, tmp_path / "summary")
    assert (wine["seconds"], wine["proven"], wine["open_tasks"]) == (None, False, TASKS)
    assert monks["proven"]
    begins = f"Proven optimal: 1 of 2 trees; {TASKS} tasks ended without a proof; all tasks took "
    assert summary.finding.startswith(begins)
    assert summary.screen(80)


def test_each_search_has_incumbents_of_its_own(tmp_path: Path) -> None:
    """Of equal objectives, the first task's counts; a task without a tree leaves what was known."""
    made = grid()
    table = made.work(0, made.items)["results"]
    objectives = [0.9, None, 0.5, 0.5 + 1e-12, 0.7, None, None, None, 0.4, *[None] * 5]
    column = table.schema.get_field_index("objective")
    table = table.set_column(column, table.schema.field(column), pa.array(objectives, pa.float64()))
    halves = [
        verified(publish(table.slice(first, 7), tmp_path, "x", first, first + 7)) for first in range(0, made.items, 7)
    ]
    assert made.knowing(halves).incumbents == {0: (0.5, 2), 1: (0.4, 1)}
    assert made.knowing(halves[1:]).knowing(halves[:1]).incumbents == {0: (0.5, 2), 1: (0.4, 1)}
    assert made.knowing([replace(halves[0], path=tmp_path / "gone.parquet")]).incumbents == {}
    result = Incumbent(0.5, 2)
    assert result.below(3) == 0.5 < result.below(1) < 0.5 + 1e-8


def test_rows_are_named_by_their_task() -> None:
    made = grid()
    for item in range(made.items):
        row = made.work(item, item + 1)["results"].to_pylist()[0]
        assert made.number_of(row) == item
        assert json.loads(row["parameters"])["task"] == item % (TASKS + 1)
    with pytest.raises(ConfigError, match="task 7: expected 0 to 6"):
        made.number_of({"parameters": '{"task": 7}'})


@pytest.mark.parametrize(("name", "tasks"), [("sklearn/wine", 8), ("two-valued", 8), ("two-valued", 40)])
def test_a_run_that_goes_on_knows_the_best_tree(name: str, tasks: int, tmp_path: Path) -> None:
    """The second run computes the tasks whose part files are gone, from the best tree of the others."""
    source = two_valued(tmp_path) if name == "two-valued" else name
    searched = (f"source=[{source}]", "depths=[3]", "min_rows_leaf=1", f"tasks={tasks}")
    arguments = ("+grid=parallel_proof", *searched, "chunk=1")
    proofs = []
    for _ in range(2):
        run = run_orchard(*arguments, "cluster=threads", "cluster.workers=1", cwd=tmp_path)
        assert run.returncode == 0, run.stderr
        assert "is proven optimal" in " ".join(run.stdout.split())
        (file,) = tmp_path.glob("outputs/summaries/*/*/proofs.csv")
        with file.open(encoding="utf-8") as text:
            proofs += csv.DictReader(text)
        for part in sorted(tmp_path.glob("outputs/results/*/*/part-*.parquet"))[1::2]:
            part.unlink()
    first, again = ({name: row[name] for name in ("objective", "bound", "proven", "open_tasks")} for row in proofs)
    assert first == again
