"""The rows of the tasks of a search: the best tree of each that is better than those known before, or a bound."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from math import inf
from typing import Any

import numpy as np

from algorithms.data_set import DataSet
from algorithms.optimal.binary.bit_search import SharedMemo
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
    """The best tree of a task, whatever other tasks have found."""
    return _made(grid, item, inf)


def rehearsals(grid: ParallelProofGrid, items: Sequence[Item], _: Sequence[str]) -> Iterable[Callable[[], object]]:
    """Solve forty rows with the tests of one attribute at the root."""
    for depth in {min(item.max_depth, 3) for item in items}:
        for data in rehearsal_sets():
            instance = Instance(data, np.ones(data.rows), max_depth=depth, min_samples_leaf=min(grid.min_rows_leaf, 2))
            yield partial(solve_within_limits, instance, Effort(work=1000))
            yield partial(solve, instance, root=Root(root_tests(instance, 2)[0], 1.0))


@once("source")
def trained(grid: ParallelProofGrid, item: Item) -> DataSet:  # noqa: ARG001
    """The rows of a source that have a class."""
    return labelled(item.source)


@once("source", "max_depth")
def instance_of(grid: ParallelProofGrid, item: Item) -> Instance:
    """The rows of a source, and the trees that are allowed."""
    return _instance(trained(grid, item), item.max_depth, grid.min_rows_leaf, grid.alpha)


@once("source", "max_depth")
def parts_of(grid: ParallelProofGrid, item: Item) -> list[RootTests]:
    """The tests at the root, by task from 1 on."""
    instance = instance_of(grid, item)
    return root_tests(replace(instance, data=WithMissing.of(instance.data).data), grid.tasks)


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
    began, below, memo = clock(), min(known, first.objective), _memo_of(grid, item)
    alone = below == first.objective and memo.entries is None
    solution = _solved(grid, item, below, memo)
    if not alone and not (solution.optimal and solution.objective >= below):
        own = _solved(grid, item, first.objective, SharedMemo())
        solution = replace(own, bound=max(own.bound, min(solution.bound, own.objective)))
    better = solution.objective < first.objective * (1 - TIE)
    return _row(data, solution, solution.tree if better else None, clock() - began)


def _solved(grid: ParallelProofGrid, item: Item, below: float, memo: SharedMemo) -> Solution:
    root = Root(parts_of(grid, item)[item.task - 1], below)
    return solved(instance_of(grid, item), partial(solve, effort=Effort(work=grid.max_work), root=root, memo=memo))


class _Remembered(threading.local):
    """The memo that the tasks of the last search in this thread share."""

    search: tuple[Any, ...] = ()
    memo: SharedMemo


_remembered = _Remembered()


def _memo_of(grid: ParallelProofGrid, item: Item) -> SharedMemo:
    """The memo of the tasks of a search in this thread."""
    search = item.source, item.max_depth, grid.min_rows_leaf, grid.alpha
    if search != _remembered.search:
        _remembered.search, _remembered.memo = search, SharedMemo()
    return _remembered.memo


def _row(data: DataSet, solution: Solution, tree: DecisionTree | None, seconds: float) -> Made:
    """The row of a task, whose tree is None if it is not better than the first one."""
    if tree is None:
        return Made(proof_of(solution) | {"objective": None, "rows": data.rows, "build_seconds": seconds})
    return Made(measured(tree, data, seconds) | proof_of(solution), lambda: (tree, labels_of(data)))
