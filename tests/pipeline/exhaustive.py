"""Builders for tests of the grid of exact solvers: one that tries every tree, and one that lies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.data.data_set import AttributeKind
from algorithms.optimal.instance import Instance
from algorithms.optimal.optimal_classifier import OptimalClassifier
from algorithms.optimal.plan import ByBounds, ByCodes, Leaf, Plan, tree_of_plan
from algorithms.optimal.solution import OnProgress, Solution, Status
from algorithms.trees.costs import NONTERMINAL_NODES

__all__ = ["ExhaustiveClassifier", "LyingClassifier", "exhausted"]


def exhausted(instance: Instance) -> Solution:
    """The best tree of binary tests, by trying all."""
    data = instance.data

    def best(rows: NDArray[np.intp], depth: int) -> tuple[float, Plan]:
        counts = np.bincount(data.decisions[rows], instance.weights[rows], len(data.classes))
        result: tuple[float, Plan] = (float(counts.sum() - counts.max()), Leaf())
        if depth == 0:
            return result
        for index, (attribute, column) in enumerate(zip(data.attributes, data.columns, strict=True)):
            nominal = attribute.kind is AttributeKind.NOMINAL
            values = np.unique(column[rows])
            cuts = [0.0] if nominal else ((values[1:] + values[:-1]) / 2).tolist()
            for cut in cuts:
                left = column[rows] <= cut
                parts = rows[left], rows[~left]
                if min(map(len, parts)) < instance.min_samples_leaf:
                    continue
                below = [best(part, depth - 1) for part in parts]
                cost = sum(each for each, _ in below) + instance.size_cost
                if cost < result[0] - 1e-9:
                    plans = tuple(plan for _, plan in below)
                    split: Plan = (
                        ByCodes(index, ((0,), (1,)), plans) if nominal else ByBounds(index, (float(cut),), plans)
                    )
                    result = cost, split
        return result

    _, plan = best(np.arange(data.rows), instance.max_depth or 0)
    tree = tree_of_plan(plan, data, instance.weights)
    errors = float(instance.weights[tree.predict(data.values()) != data.decisions].sum())
    splits = int(tree.costs_of_rows(data.values())[NONTERMINAL_NODES.name])
    objective = instance.objective(errors, splits, splits + 1)
    return Solution(tree, errors, splits, splits + 1, objective, objective, Status.OPTIMAL)


class ExhaustiveClassifier(OptimalClassifier):
    """Tries every tree."""

    def __init__(
        self, *, max_depth: Any = None, min_samples_leaf: Any = 1, alpha: Any = 0.0, time_limit: Any = None
    ) -> None:
        self.max_depth, self.min_samples_leaf, self.alpha, self.time_limit = (
            max_depth,
            min_samples_leaf,
            alpha,
            time_limit,
        )
        self.max_splits, self.penalty, self.class_weight = None, "splits", None

    def _solution(self, instance: Instance, on_progress: OnProgress | None) -> Solution:
        return exhausted(instance)


class LyingClassifier(ExhaustiveClassifier):
    """Says less than its tree has."""

    def _solution(self, instance: Instance, on_progress: OnProgress | None) -> Solution:
        return replace(exhausted(instance), objective=-1.0)
