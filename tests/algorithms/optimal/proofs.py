"""What a solution says, held against the tree it gives and against every tree there is."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from algorithms.data.data_set import MISSING, DataSet
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed import solve_ranks as search
from algorithms.optimal.mixed.solve_ranks import solve_mixed
from algorithms.optimal.solution import Effort, Solution, Status
from algorithms.trees.arrays import NO_NODE, NodeKind
from algorithms.trees.decision_tree import DecisionTree
from tests.oracles.optimal_trees import best_objective, fewest_errors, fewest_errors_by_leaves


def check_allowed(tree: DecisionTree, instance: Instance, *, subsets: bool = False) -> tuple[float, int, int]:
    """That a tree is one of those the instance allows; its errors, splits and leaves."""
    replace(tree)  # checks its arrays
    values, decisions = instance.data.values(), instance.data.decisions
    leaves = tree.kind == NodeKind.TERMINAL
    for node, rows in tree.rows_of_nodes(values):
        weight = np.bincount(decisions[rows], instance.weights[rows], len(instance.data.classes))
        assert tree.counts[node] == pytest.approx(weight)
        assert weight[tree.decision[node]] == pytest.approx(weight.max())
        assert not leaves[node] or len(rows) >= instance.min_samples_leaf
        if tree.kind[node] == NodeKind.CODES:
            codes = np.unique(instance.data.columns[tree.attribute[node]][rows]).tolist()
            tested = tree.edge_code[tree.edges_of(node)].tolist()
            assert {*codes} - {MISSING} <= {*tested}
            branches = len(tested) + (tree.unknown_to[node] not in {NO_NODE, *tree.edge_to[tree.edges_of(node)]})
            assert len(tree.children(node)) in {branches, 2 if subsets or instance.data.incomplete else branches}
    splits = int((~leaves).sum())
    assert instance.max_depth is None or tree.depths().max() <= instance.max_depth
    assert instance.max_splits is None or splits <= instance.max_splits
    wrong = tree.predict(values) != decisions
    return float(instance.weights[wrong].sum()), splits, int(leaves.sum())


def check_solution(solution: Solution, instance: Instance, *, subsets: bool = False, proven: bool = True) -> None:
    """Check that a solution describes its tree; and where it should be proven, that no tree is better."""
    errors, splits, leaves = check_allowed(solution.tree, instance, subsets=subsets)
    assert (solution.splits, solution.leaves) == (splits, leaves)
    assert solution.errors == pytest.approx(errors)
    assert solution.objective == pytest.approx(instance.objective(errors, splits, leaves))
    assert solution.forced == pytest.approx(forced_errors(instance))
    assert solution.bound <= solution.objective + 1e-9
    if proven:
        assert solution.status is Status.OPTIMAL
        assert solution.optimal
        assert solution.bound == pytest.approx(solution.objective)
        best = best_objective(instance, subsets=subsets) if instance.baseline else instance.objective(0.0, 0, 1)
        assert solution.objective == pytest.approx(best)


def check_frontier(solution: Solution, instance: Instance, *, subsets: bool = False) -> None:
    """That the frontier has the fewest errors of every number of splits, each point with its tree."""
    expected: list[tuple[int, float]] = []
    for splits, errors in fewest_errors(instance, subsets=subsets).items():
        if not expected or errors < expected[-1][1] - 1e-9:
            expected.append((splits, errors))
    assert [point.splits for point in solution.frontier] == [splits for splits, _ in expected]
    for point, (_, errors) in zip(solution.frontier, expected, strict=True):
        assert point.errors == pytest.approx(errors)
        assert point.optimal
        result, splits, _ = check_allowed(point.tree, instance, subsets=subsets)
        assert (result, splits) == (pytest.approx(point.errors), point.splits)


def forced_errors(instance: Instance) -> float:
    """The weight of errors that no tree avoids: in every set of equal rows, all but the heaviest class."""
    alike: dict[tuple[float, ...], dict[int, float]] = defaultdict(lambda: defaultdict(float))
    rows = zip(
        np.nan_to_num(instance.data.values(), nan=np.pi).tolist(),
        instance.data.decisions.tolist(),
        instance.weights.tolist(),
        strict=True,
    )
    for values, decision, weight in rows:
        alike[tuple(values)][decision] += weight
    return sum(sum(of_class.values()) - max(of_class.values()) for of_class in alike.values())


def check_long_frontier(instance: Instance) -> None:
    """Check the frontier of a search that goes through all steps of a long one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "BRIEF_WORK", 1)
        patch.setattr(search, "LONG_WORK", 1)
        solution = solve_mixed(instance, Effort(), frontier=True)
    check_solution(solution, instance)
    check_frontier(solution, instance)


def one_class_each(data: DataSet) -> DataSet:
    """Equal rows get the class of the first of them."""
    _, first, row = np.unique(data.values(), axis=0, return_index=True, return_inverse=True)
    return replace(data, decisions=data.decisions[first][row.ravel()])


def least(data: DataSet) -> int:
    by_leaves = fewest_errors_by_leaves(Instance(data, np.ones(data.rows)))
    return min(leaves for leaves, errors in by_leaves.items() if errors == 0)
