"""The Rashomon set of an instance: every tree whose objective is at most epsilon above the least objective.

Two trees are different if at some node they test different attributes or split the rows differently. Two attributes
that split the rows in the same way give different trees. Three differences do not count: another threshold between the
same two values; another class of a leaf where several classes are the most common; and another branch for missing
values at a node where no row lacks the value.

If splits cost nothing (alpha = 0), trees with useless splits are counted, too. `max_splits` of the instance
limits how many useless splits a tree can have.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from algorithms.array_types import Numbers
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.missing_values import can_be_completed, solved
from algorithms.optimal.plan import tree_of_plan
from algorithms.optimal.rashomon.bit_tests import TIE
from algorithms.optimal.rashomon.fairness import FairSearch, FairTree, Measure, groups_of
from algorithms.optimal.rashomon.good_trees import GoodTrees
from algorithms.optimal.rashomon.membership import objective_of, tree_of_rows
from algorithms.optimal.rashomon.set_answers import (
    AttributeUse,
    GoodSize,
    ImportanceInterval,
    draw_importances,
    draw_sizes,
)
from algorithms.optimal.rashomon.trees_by_index import TreesByIndex
from algorithms.optimal.rashomon.trees_in_order import TreesInOrder, in_words
from algorithms.optimal.solution import Effort, EffortSpentError, Solution, proven
from algorithms.options import Number, ParameterError, Whole, check_parameters, made_by
from algorithms.trees.decision_tree import DecisionTree

if TYPE_CHECKING:
    from algorithms.pictures.axes import Axes

__all__ = ["RashomonSet"]


@made_by("OCTClassifier().rashomon_set(X, y)")
@dataclass(frozen=True, eq=False)
class RashomonSet(TreesInOrder):
    """All trees whose objective is at most `epsilon` above the least objective, in order of objective.

    `OCTClassifier().rashomon_set(X, y)` makes it. The number of trees may have hundreds of digits, so trees are made on
    demand: `good[0]` is the first tree, `good[:5]` is a list of the first five, and a loop takes one after another.

    Trees are different if at some node they test different attributes or split the rows differently. So neighbours in
    this order often test the same attributes at other thresholds. `sample` draws from the whole set.

    Attributes
    ----------
    instance : Instance
        The rows, the allowed trees and the objective.
    objective : float
        The least objective.
    epsilon : float
        How much the objective of a tree may exceed the least objective: a difference, not a share of it.
    subsets : bool
        Whether nominal attributes are also split into two sets of values.

    Notes
    -----
    The trees share most of their subtrees, so they are stored as one graph. A node of the graph is a set of rows and
    the number of levels that may follow. A tree takes one split at each node that it reaches. The numbers of trees are
    exact; they are computed from the leaves upwards.

    References
    ----------
    - Breiman (2001), *Statistical Modeling: The Two Cultures*, section 8: Rashomon and the multiplicity of good models.
    - Xin et al. (2022), *Exploring the Whole Rashomon Set of Sparse Decision Trees*.
    - Fisher, Rudin & Dominici (2019), *All Models are Wrong, but Many are Useful*, section 3: the range of the
      importance of a variable over all good models.
    - Dong & Rudin (2020), *Exploring the Cloud of Variable Importance for the Set of All Good Models*.
    - Dwork et al. (2012), *Fairness Through Awareness*, section 3: statistical parity, called demographic parity here.
    - Hardt, Price & Srebro (2016), *Equality of Opportunity in Supervised Learning*, section 2.

    Examples
    --------
    >>> from orchard import OCTClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> good = OCTClassifier(max_depth=2, alpha=0.1).rashomon_set(X, y, epsilon=0.05)
    >>> good
    <RashomonSet: 2 trees of objective 0.2>
    >>> len(good), good[:2]
    (2, [<DecisionTree: 5 nodes, 3 leaves, depth 2>, <DecisionTree: 5 nodes, 3 leaves, depth 2>])
    >>> [use.share for use in good.uses()]
    [1.0, 1.0]
    """

    instance: Instance
    objective: float
    epsilon: float
    subsets: bool
    _effort: Effort
    _trees: GoodTrees

    @staticmethod
    def of(
        instance: Instance, epsilon: float = 0.0, effort: Effort | None = None, *, subsets: bool = False
    ) -> RashomonSet:
        """The set of an instance. With `subsets`, nominal attributes may also be split into two sets of values.

        Raises
        ------
        EffortSpentError
            A limit is reached before the least objective is proven or the trees are counted. The limit of seconds holds
            for each step alone: the least objective, the search for the trees, and each count of the trees.
        ParameterError
            `epsilon` is negative or not finite, or values are missing and `missing` is not "best_side". If only labels
            are missing, "own_branch" is accepted, too.
        """
        check_parameters({"epsilon": [Number(0, closed="left")]}, {"epsilon": epsilon})
        if not can_be_completed(instance):
            given = f"X has missing values, and missing={instance.missing!r}"
            raise ParameterError(f"{given}: expected missing='best_side' for a Rashomon set of such rows")
        effort = effort or Effort()
        data = instance.data.take(np.arange(instance.data.rows))  # a copy, since the caller may change its arrays
        instance = replace(instance, data=data, weights=instance.weights.copy())
        objective = _best(instance, effort, subsets=subsets).objective
        most = (objective + epsilon) * instance.unit_of_objective
        trees = GoodTrees.of(instance, most, effort, subsets=subsets)
        return RashomonSet(instance, objective, float(epsilon), subsets, effort, trees)

    def __repr__(self) -> str:
        trees = f"{in_words(self.number)} tree{'' if self.number == 1 else 's'}"
        least, most = f"{self.objective:g}", f"{self.sizes[-1].objective:g}"
        return f"<RashomonSet: {trees} of objective {least if least == most else f'{least} to {most}'}>"

    def __contains__(self, tree: object) -> bool:
        """Whether a tree, or that of an estimator, is in the set. If classes tie in a leaf, it may have any of them."""
        tree = tree_of_rows(tree, self.instance.data)
        if not isinstance(tree, DecisionTree):
            return False
        return objective_of(tree, self.instance, subsets=self.subsets) <= self.objective + self.epsilon + TIE

    @cached_property
    def number(self) -> int:
        """The number of trees."""
        return sum(size.number for size in self.sizes)

    @cached_property
    def sizes(self) -> tuple[GoodSize, ...]:
        """How many trees have the same objective, errors, splits and leaves, in the order of the trees."""
        equal: dict[tuple[int, int, int], list[GoodSize]] = {}
        for rank, size, _ in self._sizes:
            equal.setdefault((rank, size.splits, size.leaves), []).append(size)
        return tuple(sizes[0]._replace(number=sum(size.number for size in sizes)) for sizes in equal.values())

    def tree(self, index: int = 0) -> DecisionTree:
        """The tree at an index; the first tree has index 0.

        Trees are in order of objective, then of splits and leaves, then of the attribute of the root. The subtree of
        the last branch changes fastest.

        Raises
        ------
        IndexError
            There is no such tree.
        """
        index = operator.index(index)
        if not 0 <= index < self.number:
            raise IndexError(
                f"`index` is {index}: expected 0 or more, and less than the number of trees, {in_words(self.number)}"
            )
        sizes = iter(self._sizes)
        _, size, key = next(sizes)
        while index >= size.number:
            index -= size.number
            _, size, key = next(sizes)
        return tree_of_plan(self._trees_by_index.plan(0, key, index), self.instance.data, self.instance.weights)

    def trees(self, limit: int | None = None) -> Iterator[DecisionTree]:
        """The first `limit` trees, one by one in the order of `tree`. Without `limit`, all trees of the set."""
        check_parameters({"limit": [Whole(0), None]}, {"limit": limit})
        last = self.number if limit is None else min(limit, self.number)
        return (self.tree(index) for index in range(last))

    def sample(self, number: int, random_state: int | None = None) -> list[DecisionTree]:
        """Trees drawn at random. In every draw, all trees of the set have the same chance.

        Parameters
        ----------
        number : int
            The number of trees; a tree can be drawn more than once.
        random_state : int, optional
            The seed. Without a seed, every call draws other trees.
        """
        check_parameters(
            {"number": [Whole(0)], "random_state": [Whole(0), None]}, {"number": number, "random_state": random_state}
        )
        seed = None if random_state is None else int(random_state)
        generator = random.Random(seed)  # noqa: S311 - numpy draws no integers of any size
        return [self.tree(generator.randrange(self.number)) for _ in range(number)]

    def smallest(self) -> DecisionTree:
        """The first of the trees with the fewest leaves, in the order of `tree`."""
        index, best, fewest = 0, 0, self.sizes[0].leaves
        for size in self.sizes:
            if size.leaves < fewest:
                best, fewest = index, size.leaves
            index += size.number
        return self.tree(best)

    def shallowest(self) -> DecisionTree:
        """A tree with the fewest levels; among such trees, a tree with the least objective.

        Raises
        ------
        EffortSpentError
            A limit is reached before the least objective for some depth is proven.
        """
        for depth in count():
            best = _best(replace(self.instance, max_depth=depth), self._effort, subsets=self.subsets)
            if best.objective <= self.objective + self.epsilon + TIE:
                break
        return best.tree

    def uses(self) -> tuple[AttributeUse, ...]:
        """For each attribute, the share of the trees that use it, and how much the least objective rises without it.

        Raises
        ------
        EffortSpentError
            A limit is reached before the trees that do not use an attribute are counted.
        """
        without = self._trees.without_attributes()
        return tuple(self._use(attribute, numbers) for attribute, numbers in enumerate(without))

    def importances(self) -> tuple[ImportanceInterval, ...]:
        """For each attribute, its least and its greatest importance in a good tree.

        The importance of an attribute in a tree is the share of the rows, by weight, that reach a node that tests it on
        their way to a leaf: the attribute usage of C5.0. It is 1 for the attribute at the root and 0 for an attribute
        that the tree does not test. The intervals are exact, however many trees there are.

        Raises
        ------
        EffortSpentError
            A limit is reached before the trees are counted.
        """
        total = int(self._trees.bits.given.weight.sum())
        result = []
        for attribute, by_key in enumerate(self._trees.usage()):
            least, greatest = zip(*[by_key[key] for _, _, key in self._sizes], strict=True)
            result.append(ImportanceInterval(attribute, min(least) / total, max(greatest) / total))
        return tuple(result)

    def fairest(
        self,
        groups: Any,
        measure: Measure = "demographic_parity",
        *,
        favourable: Any = None,
        samples: int = 1000,
        random_state: int | None = None,
    ) -> FairTree:
        """The tree with the least difference between groups of rows, and with the least objective among such trees.

        Parameters
        ----------
        groups : array-like of shape (n_rows,)
            The group of each row that `rashomon_set` was given, leaving out rows of weight 0.
        measure : {"demographic_parity", "equal_opportunity"}, default="demographic_parity"
            "demographic_parity" compares the share of each group's rows that the tree classifies as favourable.
            "equal_opportunity" compares the same share among the rows whose true class is favourable. The difference is
            the greatest share minus the least.
        favourable : label, optional
            The favourable class; by default the second of two classes. If there are more classes, it must be given.
        samples : int, default=1000
            Number of trees that are drawn at random if not all trees of the set can be compared. The result is then the
            fairest of these trees and of the first tree of the set.
        random_state : int, optional
            The seed of these draws. Without a seed, every call draws other trees.

        Returns
        -------
        FairTree
            `exact` says whether all trees were compared. Trees are drawn instead if this takes more than 10**9 pairs of
            subtrees, or more memory or time than allowed, or if the weights of the rows differ too much.

        Raises
        ------
        ParameterError
            A row has no group; there is only one group; `favourable` is needed but not given, or is not a class; or a
            group has no row of the favourable class, which equal opportunity needs.
        """
        check_parameters(
            {"samples": [Whole(1)], "random_state": [Whole(0), None]},
            {"samples": samples, "random_state": random_state},
        )
        compared = groups_of(self.instance, groups, measure, favourable)
        try:
            plan = FairSearch(self._trees, compared).best()
        except EffortSpentError:
            trees = [self.tree(), *self.sample(samples, random_state)]
            judged = (compared.judged(tree, self.instance, exact=False) for tree in trees)
            return min(judged, key=lambda tree: tree.difference)
        tree = tree_of_plan(plan, self.instance.data, self.instance.weights)
        return compared.judged(tree, self.instance, exact=True)

    def votes(self) -> Numbers:
        """For each row, the share of the trees that classify it as each class.

        If several classes are the most common in a leaf, the class of the leaf is the first of these.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)

        Raises
        ------
        EffortSpentError
            A limit is reached before the trees are counted.
        """
        return np.array([[votes / self.number for votes in of_row] for of_row in self._trees.votes()])

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the objective of the trees against their splits; a larger mark stands for more trees.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default a new figure.

        Raises
        ------
        ImportError
            Matplotlib is not installed.
        """
        return draw_sizes(self.sizes, ax)

    def plot_importances(self, ax: Axes | None = None) -> Axes:
        """Draw the importances of each attribute as an interval, with the most important attribute on top.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default a new figure, large enough for all attributes.

        Raises
        ------
        EffortSpentError
            A limit is reached before the trees are counted.
        ImportError
            Matplotlib is not installed.
        """
        names = [attribute.name for attribute in self.instance.data.attributes]
        intervals = [(names[attribute], least, greatest) for attribute, least, greatest in self.importances()]
        return draw_importances(intervals, ax)

    @cached_property
    def _trees_by_index(self) -> TreesByIndex:
        return TreesByIndex(self._trees)

    @cached_property
    def _sizes(self) -> list[tuple[int, GoodSize, int]]:
        """For each key, in the order of the trees: the rank of the objective, the size, and the key."""
        sizes = [(self._size(key, number), key) for key, number in self._trees_by_index.numbers(0).items()]
        allowed = [pair for pair in sizes if pair[0].splits <= self._trees.most_splits]
        allowed.sort(key=lambda pair: pair[0].objective)
        objectives = np.array([size.objective for size, _ in allowed])
        ranks = np.cumsum(np.diff(objectives, prepend=objectives[0]) > TIE).tolist()  # equal up to rounding: one rank
        ranked = [(rank, size, key) for rank, (size, key) in zip(ranks, allowed, strict=True)]
        return sorted(ranked, key=lambda item: (item[0], item[1].splits, item[1].leaves))

    def _size(self, key: int, number: int) -> GoodSize:
        units, splits, leaves = self._trees.measures(key)
        errors = units * self._trees.bits.unit
        return GoodSize(self.instance.objective(errors, splits, leaves), errors, splits, leaves, number)

    def _use(self, attribute: int, numbers: dict[int, int]) -> AttributeUse:
        without = [self._size(key, number) for key, number in numbers.items() if number]
        allowed = [size for size in without if size.splits <= self._trees.most_splits]
        share = (self.number - sum(size.number for size in allowed)) / self.number
        if allowed:
            return AttributeUse(attribute, share, min(size.objective for size in allowed) - self.objective)
        rest = [index for index in range(len(self.instance.data.columns)) if index != attribute]
        other = replace(self.instance, data=self.instance.data.select(rest))
        best = _best(other, self._effort, subsets=self.subsets).objective
        return AttributeUse(attribute, share, best - self.objective)


def _best(instance: Instance, effort: Effort, *, subsets: bool) -> Solution:
    """The proven optimum."""
    return proven(solved(instance, partial(solve, effort=effort, subsets=subsets)))
