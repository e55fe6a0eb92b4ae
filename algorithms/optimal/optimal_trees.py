"""All optimal trees of an instance: how many there are, and each of them.

Two trees are different if at some node they ask different attributes or split the rows differently. Two attributes that
split the rows in the same way give different trees. Two thresholds between the same two values do not, and neither does
the choice among several most common classes of a leaf.

If splits cost nothing (alpha = 0), trees with splits that do not help are counted, too. To leave them out, set
`max_splits` of the instance to the fewest splits of an optimal tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import inf, prod

import numpy as np
from numpy.typing import NDArray

from algorithms.optimal.counted_costs import CountedCosts
from algorithms.optimal.instance import Instance
from algorithms.optimal.node_splits import NodeSplit
from algorithms.optimal.plan import Leaf, Plan, tree_of_plan
from algorithms.optimal.solution import Effort
from algorithms.options import made_by
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["OptimalTrees"]

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _State:
    """The trees over rows, of at most this depth, that have this cost; `place` is its index in a `LeastCost`."""

    rows: Rows
    depth: int
    place: int
    cost: float


@dataclass(frozen=True, eq=False)
class _Choice:
    """Some of the trees of a state: a leaf, or a split and a state for each branch; and their number."""

    number: int
    split: NodeSplit | None = None
    below: tuple[_State, ...] = ()


Choices = dict[tuple[bytes, int, int], list[_Choice]]


@made_by("OCTClassifier().optimal_trees(X, y)")
@dataclass(frozen=True, eq=False)
class OptimalTrees:
    """The optimal trees of an instance, in order; there is at least one.

    `OCTClassifier().optimal_trees(X, y)` makes them.

    Attributes
    ----------
    instance : Instance
        The rows, and which trees are allowed.
    objective : float
        The objective of each of the trees.
    number : int
        How many there are.

    Examples
    --------
    >>> from orchard import OCTClassifier
    >>> OCTClassifier(max_depth=1).optimal_trees([[0, 0], [1, 1]], [0, 1])
    <OptimalTrees: 2 of objective 0>
    """

    instance: Instance
    objective: float
    number: int
    _costs: CountedCosts
    _roots: tuple[tuple[int, _State], ...]

    def __repr__(self) -> str:
        return f"<OptimalTrees: {self.number} of objective {self.objective:g}>"

    @staticmethod
    def of(instance: Instance, effort: Effort | None = None, *, subsets: bool = False) -> OptimalTrees:
        """The optimal trees of an instance; with `subsets` nominal attributes may also be split into two sets of codes.

        If the majority rule makes no errors, it is the only optimal tree.

        The effort is checked between sets of rows. So a limit of seconds can be exceeded by the time for one set,
        several seconds with thousands of attributes or thresholds. A unit of work is a row of a set.

        Raises
        ------
        EffortSpentError
            They could not be counted within the effort.
        """
        costs = CountedCosts(instance, Effort() if effort is None else effort, subsets)
        least, depth = inf, 0
        while depth < costs.useful_depth(costs.root, costs.depth, least):
            least = min(costs.of(costs.root, depth, least).cost)  # quick to compute, and no optimal tree costs more
            depth += 1
        found = costs.of(costs.root, costs.depth, least)
        least = min(found.cost)
        roots = tuple(
            (number, _State(costs.root, costs.depth, place, cost))
            for place, (cost, number) in enumerate(zip(found.cost, found.number, strict=True))
            if number and cost <= least + costs.tie
        )
        objective = least / instance.baseline if instance.baseline else instance.objective(0.0, 0, 1)
        return OptimalTrees(instance, objective, sum(number for number, _ in roots), costs, roots)

    def tree(self, place: int = 0) -> DecisionTree:
        """The tree at an index from 0.

        If splits are limited, trees with fewer splits come first. A leaf comes before splits, which are ordered by
        attribute, then by cut. The subtree of the last branch changes fastest.

        Raises
        ------
        IndexError
            There is no such index.
        """
        if not 0 <= place < self.number:
            msg = f"place is {place}: expected one from 0 on, below the number of trees, {self.number}"
            raise IndexError(msg)
        return self._tree_at(place, {})

    def trees(self, limit: int | None = None) -> Iterator[DecisionTree]:
        """The first `limit` trees, or all of them, one by one in the order of `tree`."""
        chosen: Choices = {}
        last = self.number if limit is None else min(limit, self.number)
        return (self._tree_at(place, chosen) for place in range(last))

    def _tree_at(self, place: int, chosen: Choices) -> DecisionTree:
        root = 0
        while place >= self._roots[root][0]:
            place -= self._roots[root][0]
            root += 1
        plan = self._plan(self._roots[root][1], place, chosen)
        return tree_of_plan(plan, self.instance.data, self.instance.weights)

    def _plan(self, state: _State, place: int, chosen: Choices) -> Plan:
        key = state.rows.tobytes(), state.depth, state.place
        if key not in chosen:
            chosen[key] = list(self._choices(state))
        for choice in chosen[key]:
            if place < choice.number:
                break
            place -= choice.number
        if choice.split is None:
            return Leaf()
        plans: list[Plan] = []
        for below in reversed(choice.below):
            place, digit = divmod(place, self._number(below))
            plans.append(self._plan(below, digit, chosen))
        return choice.split.plan(plans[::-1])

    def _number(self, state: _State) -> int:
        return self._costs.of(state.rows, state.depth, state.cost).number[state.place]

    def _choices(self, state: _State) -> Iterator[_Choice]:
        costs = self._costs
        if state.place == 0 and costs.leaf(state.rows) <= state.cost + costs.tie:
            yield _Choice(1)
        for split in costs.splits(state.rows) if state.depth > 0 else ():
            found = costs.through(split, state.depth, state.cost)
            if found is None or found.cost[state.place] > state.cost + costs.tie:
                continue
            ceilings = [state.cost - costs.least_through(split) + costs.least(part) for part in split.parts]
            parts = [costs.of(part, state.depth - 1, most) for part, most in zip(split.parts, ceilings, strict=True)]
            for places in product(*(range(len(part.cost)) for part in parts)):
                if costs.length > 1 and sum(places) != state.place - 1:
                    continue
                cost = costs.at_split + sum(part.cost[k] for part, k in zip(parts, places, strict=True))
                if cost <= state.cost + costs.tie:
                    below = tuple(
                        _State(rows, state.depth - 1, k, part.cost[k])
                        for rows, part, k in zip(split.parts, parts, places, strict=True)
                    )
                    yield _Choice(prod(part.number[k] for part, k in zip(parts, places, strict=True)), split, below)
