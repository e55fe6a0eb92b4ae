"""The rows of the tasks of a search: the best tree of each that is better than those known before, or a bound."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from math import inf
from typing import Any

import numpy as np

from algorithms.data.data_set import DataSet
from algorithms.optimal.binary.bit_search import SharedMemo
from algorithms.optimal.branch_tests import HARDEST, BranchTests, divided_tests, solve_branches
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.lookahead.limited_search import solve_within_limits
from algorithms.optimal.missing_values import WithMissing, solved
from algorithms.optimal.root_tests import Root, RootTests, root_tests
from algorithms.optimal.solution import Effort, Solution
from algorithms.trees.decision_tree import DecisionTree
from pipeline.data.sources import Source
from pipeline.grammar.axes import Item, once
from pipeline.grammar.cells import Made
from pipeline.grammar.whole_sources import labelled, labels_of, measured, proof_of, rehearsal_sets
from pipeline.grids.parallel_proof.grid import START, TIE, First, ParallelProofGrid
from pipeline.work.plugin_process import clock

FIRST_WORK = 100_000_000
"""Units of work of the search for a first tree: about a second."""


def cell(grid: ParallelProofGrid, item: Item, method: str) -> Made:  # noqa: ARG001
    """Search the tests of a task for a tree that is better than the best so far."""
    best = grid.incumbent(item)
    return _made(grid, item, best.below(item.task) if best else inf)


def again(grid: ParallelProofGrid, item: Item, method: str) -> Made:  # noqa: ARG001
    """The best tree of a task, whatever other tasks have found.

    A task of a branch has a tree only if its search reached no limit. Without the bounds of other tasks, it may need
    more work.
    """
    of_branch = item.task != START and isinstance(parts_of(grid, item)[item.task - 1], BranchTests)
    return _made(replace(grid, max_work=None) if of_branch else grid, item, inf)


def rehearsals(grid: ParallelProofGrid, items: Sequence[Item], _: Sequence[str]) -> Iterable[Callable[[], object]]:
    """Solve forty rows with the tests of one attribute at the root."""
    return [partial(_rehearse, min(item.max_depth, 3), min(grid.min_rows_leaf, 2)) for item in items]


@cache  # what a process has loaded once serves all its tasks, which are many and short
def _rehearse(max_depth: int, min_rows_leaf: int) -> None:
    for data in rehearsal_sets():
        instance = Instance(data, np.ones(data.rows), max_depth=max_depth, min_samples_leaf=min_rows_leaf)
        solve_within_limits(instance, Effort(work=1000))
        solve(instance, root=Root(root_tests(instance, 2)[0], 1.0))


@once("source")
def trained(grid: ParallelProofGrid, item: Item) -> DataSet:  # noqa: ARG001
    """The rows of a source that have a class."""
    return labelled(item.source)


@once("source", "max_depth")
def instance_of(grid: ParallelProofGrid, item: Item) -> Instance:
    """The rows of a source, and the trees that are allowed."""
    return _instance(trained(grid, item), item.max_depth, grid.min_rows_leaf, grid.alpha)


@once("source", "max_depth")
def parts_of(grid: ParallelProofGrid, item: Item) -> Sequence[RootTests | BranchTests]:
    """The tests of each task, from task 1 on."""
    instance = instance_of(grid, item)
    return divided_tests(replace(instance, data=WithMissing.of(instance.data).data), grid.tasks)


def _instance(data: DataSet, max_depth: int, min_rows_leaf: int, alpha: float) -> Instance:
    limits: dict[str, Any] = {"max_depth": max_depth, "min_samples_leaf": min_rows_leaf, "alpha": alpha}
    return Instance(data, np.ones(data.rows), missing="best_side", **limits)


@lru_cache(maxsize=8)
def first_solution(source: Source, max_depth: int, min_rows_leaf: int, alpha: float) -> tuple[Solution, float]:
    """The solution of a short search, which is the same in every process, and its seconds."""
    instance = _instance(labelled(source), max_depth, min_rows_leaf, alpha)
    began = clock()
    return solved(instance, partial(solve_within_limits, effort=Effort(work=FIRST_WORK))), clock() - began


def _made(grid: ParallelProofGrid, item: Item, known: float) -> Made:
    """The row of a task that looks for trees below a known objective.

    A tree that is published is that of the task alone, so that it can be rebuilt from its row.
    """
    data = instance_of(grid, item).data
    first = grid.first(item)
    if item.task == START or first is None:
        solution, seconds = first_solution(item.source, item.max_depth, grid.min_rows_leaf, grid.alpha)
        if item.task == START:
            return _row(data, solution, solution.tree, seconds)
        first = First(solution.objective, solution.optimal)
    if first.optimal:
        proven = {"optimal": True, "objective": None, "bound": first.objective}
        return Made(proven | {"rows": data.rows, "build_seconds": 0.0})
    began, below, tests = clock(), min(known, first.objective), parts_of(grid, item)[item.task - 1]
    if isinstance(tests, BranchTests):
        return _of_branch(grid, item, tests, first, below)
    memo = _memo_of(grid, item)
    alone = below == first.objective and memo.entries is None
    solution = _solved(grid, item, tests, below, memo)
    if not alone and not (solution.optimal and solution.objective >= below):
        own = _solved(grid, item, tests, first.objective, SharedMemo())
        solution = replace(own, bound=max(own.bound, min(solution.bound, own.objective)))
    better = solution.objective < first.objective * (1 - TIE)
    return _row(data, solution, solution.tree if better else None, clock() - began)


def _solved(grid: ParallelProofGrid, item: Item, tests: RootTests, below: float, memo: SharedMemo) -> Solution:
    search = partial(solve, effort=Effort(work=grid.max_work), root=Root(tests, below), memo=memo)
    return solved(instance_of(grid, item), search)


def _of_branch(grid: ParallelProofGrid, item: Item, tests: BranchTests, first: First, below: float) -> Made:
    """The row of a task that has some tests of a branch. If the branch is the HARDEST one, the row has only a bound."""
    began, instance = clock(), instance_of(grid, item)
    start = item.number - item.task + 1 + parts_of(grid, item).index(replace(tests, rank=HARDEST, part=0))
    lows = [grid.bounds.get(number, 0.0) for number in range(start, start + tests.parts)]
    search = partial(solve_branches, tests=tests, below=below, lows=lows, effort=Effort(work=grid.max_work))
    solution = solved(instance, search)
    better = solution.objective < min(below, first.objective * (1 - TIE))
    row = _row(instance.data, solution, solution.tree if better else None, clock() - began)
    return replace(row, measures={**row.measures, "optimal": None}) if tests.rank == HARDEST else row


_of_thread = threading.local()


def _memo_of(grid: ParallelProofGrid, item: Item) -> SharedMemo:
    """The memo that the tasks of a search share in this thread, which keeps only the last one."""
    search = item.source, item.max_depth, grid.min_rows_leaf, grid.alpha
    if search != getattr(_of_thread, "search", None):
        _of_thread.search, _of_thread.memo = search, SharedMemo()
    memo: SharedMemo = _of_thread.memo
    return memo


def _row(data: DataSet, solution: Solution, tree: DecisionTree | None, seconds: float) -> Made:
    """The row of a task, whose tree is None if it is not better than the first one."""
    if tree is None:
        return Made(proof_of(solution) | {"objective": None, "rows": data.rows, "build_seconds": seconds})
    return Made(measured(tree, data, seconds) | proof_of(solution), lambda: (tree, labels_of(data)))
