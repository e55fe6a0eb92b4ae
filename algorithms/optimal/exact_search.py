"""The search for an optimal classification tree, with binary, multiway and numeric splits."""

from __future__ import annotations

from dataclasses import replace

from algorithms._numba.compiling import Stopwatch
from algorithms.optimal.binary.bit_search import SharedMemo
from algorithms.optimal.binary.row_bits import RowBits
from algorithms.optimal.binary.solve_bits import solve_binary
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed.solve_ranks import solve_mixed
from algorithms.optimal.plan import plan_of, tree_of_plan
from algorithms.optimal.root_tests import NOTHING_EXCLUDED, Root
from algorithms.optimal.solution import Effort, Frontier, OnProgress, Solution
from algorithms.trees.decision_tree import DecisionTree


def solve(
    instance: Instance,
    effort: Effort | None = None,
    *,
    subsets: bool = False,
    frontier: bool = False,
    on_progress: OnProgress | None = None,
    root: Root = NOTHING_EXCLUDED,
    memo: SharedMemo | None = None,
) -> Solution:
    """The best tree of an instance, and whether it is proven best.

    A nominal attribute has a branch for each of its values in the rows of a node. A numeric attribute is split at any
    threshold between two of its values.

    effort      : the limits of the search; when it reaches one, the best tree so far is returned
    subsets     : whether nominal attributes may also be split into two sets of values
    frontier    : whether to find the fewest errors for each number of splits in the same search
    on_progress : called several times a second with the best objective and the bound so far
    root        : excludes trees by the test of their root or by their objective. The bound holds for the other trees.
                  The result is the best of the other trees, or a better tree. If all trees are excluded, it is a leaf
    memo        : results that searches of the same instance share. The search on bits reads and extends it. If several
                  trees are equally good, the search may then return another of these

    If no attribute has more than two values, the faster search on bits is used.
    """
    effort, heaviest_useful = effort or Effort(), 2 * instance.baseline
    if 0 < heaviest_useful < instance.weights.max():  # rounded sums with a heavier row may hide lighter rows
        solution = solve(
            instance.lighter, effort, subsets=subsets, frontier=frontier, on_progress=on_progress, root=root, memo=memo
        )
        points = Frontier(replace(point, tree=_weighted(point.tree, instance)) for point in solution.frontier)
        return replace(solution, tree=_weighted(solution.tree, instance), frontier=points)
    clock = Stopwatch()
    rows = None if instance.data.incomplete else RowBits.of(instance)
    effort = effort.after(clock.seconds)
    if rows is not None:
        return solve_binary(instance, rows, effort, frontier=frontier, on_progress=on_progress, root=root, memo=memo)
    return solve_mixed(instance, effort, subsets=subsets, frontier=frontier, on_progress=on_progress, root=root)


def _weighted(tree: DecisionTree, instance: Instance) -> DecisionTree:
    """The tree with the weights of the rows of an instance."""
    return tree_of_plan(plan_of(tree, range(len(instance.data.attributes))), instance.data, instance.weights)
