"""The fairest of the good trees: the tree that treats groups of rows most alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Words, unmasked
from algorithms.data.data_set import DataSet, is_missing
from algorithms.optimal.instance import Instance
from algorithms.optimal.plan import Leaf, Plan
from algorithms.optimal.rashomon.bit_tests import set_bits
from algorithms.optimal.rashomon.good_trees import GoodTrees
from algorithms.optimal.rashomon.trees_by_index import split_plan
from algorithms.optimal.solution import EffortSpentError
from algorithms.options import ParameterError, check_choice
from algorithms.rounding import first_largest
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["FairTree"]

Measure = Literal["demographic_parity", "equal_opportunity"]

VALUE_BITS = 62


class FairTree(NamedTuple):
    """A good tree, and how differently it treats groups of rows.

    Attributes
    ----------
    tree : DecisionTree
    difference : float
        The greatest rate in `rates` minus the least.
    rates : dict
        For each group, the share of its rows that the tree classifies as the favourable class. For equal opportunity,
        only the rows whose true class is the favourable class count.
    exact : bool
        Whether it is proven that no good tree has a smaller difference. Otherwise, the tree is the fairest of the first
        tree and of trees drawn at random.
    """

    tree: DecisionTree
    difference: float
    rates: dict[Any, float]
    exact: bool


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of rows whose rates are compared."""

    names: Sequence[Any]
    member: NDArray[np.int64]  # (rows,) the group of each row, -1 if it does not count
    favourable: int  # the class

    def judged(self, tree: DecisionTree, instance: Instance, *, exact: bool) -> FairTree:
        """A tree with the rates of the groups."""
        chosen = tree.predict(instance.data.values()) == self.favourable
        counted = self.member >= 0
        total = np.bincount(self.member[counted], instance.weights[counted])
        favoured = np.bincount(self.member[counted & chosen], instance.weights[counted & chosen], len(total))
        rates = (favoured / total).tolist()
        return FairTree(tree, max(rates) - min(rates), dict(zip(self.names, rates, strict=True)), exact)


def groups_of(instance: Instance, groups: Any, measure: str, favourable: Any) -> Groups:
    """The groups as given, for the rows of an instance. Raises ParameterError if they are not valid."""
    data = instance.data
    check_choice("measure", measure, get_args(Measure))
    groups = unmasked(groups)
    labels = [name.item() if isinstance(name, np.generic) else name for name in np.asarray(groups, object).ravel()]
    if np.ndim(groups) != 1 or len(labels) != data.rows:
        raise ParameterError(
            f"`groups` has the shape {np.shape(groups)}: expected one group for each of the {data.rows:,} rows that "
            "the trees were built from, which are the rows with a positive weight"
        )
    for row, name in enumerate(labels):
        if is_missing(name):
            raise ParameterError(f"`groups` has no value for row {row}: give each row a group")
    names = list(dict.fromkeys(labels))
    if len(names) < 2:
        raise ParameterError(f"`groups` has only the group {names[0]!r}: expected two groups or more")
    index = {name: number for number, name in enumerate(names)}
    chosen = _favourable(data, favourable)
    member = np.array([index[name] for name in labels], np.int64)
    if measure == "equal_opportunity":
        member[data.decisions != chosen] = -1
        for name, number in index.items():
            if not (member == number).any():
                raise ParameterError(
                    f"group {name!r} has no row of class {data.classes[chosen]!r}: equal opportunity compares the rows "
                    "of this class. Merge the group with another group, or give measure='demographic_parity'"
                )
    return Groups(names, member, chosen)


def _favourable(data: DataSet, favourable: Any) -> int:
    """The index of a class, by its label; by default the second of two."""
    if favourable is None and len(data.classes) == 2:
        return 1
    if str(favourable) not in data.classes or favourable is None:
        raise ParameterError(
            f"favourable is {favourable!r}: expected one of the classes {', '.join(map(repr, data.classes))}"
        )
    return data.classes.index(str(favourable))


class FairSearch:
    """The values of the subtrees of each state, see `fair_values`.

    A value has a digit for the splits if they are limited, and one for each group: the weight of its rows that the
    subtree classifies as favourable. `_radix` has the place value of each digit, the least first.

    Raises EffortSpentError if the search takes more than the effort, values take more than 62 bits, or the weights of
    some rows were reduced.
    """

    def __init__(self, trees: GoodTrees, groups: Groups) -> None:
        if trees.bits.given is not trees.bits.rows:
            raise EffortSpentError(
                "the weights of the rows differ too much to compare the groups exactly: give weights that differ less"
            )
        self._trees, self._graph = trees, trees.graph
        bits, row = trees.bits, trees.bits.row
        classes = len(bits.rows.start) - 1  # without those after the last class that occurs
        self._favourable = min(groups.favourable, classes - 1)
        limited = trees.instance.max_splits is not None
        member = np.where(row >= 0, groups.member[row], -1)
        totals = [int(bits.rows.weight[member == number].sum()) for number in range(len(groups.names))]
        self._radix = [min(trees.most_splits, trees.instance.data.rows) + 1 if limited else 1]
        for total in totals:
            self._radix.append(self._radix[-1] * (total + 1))
        if self._radix[-1] >= 1 << VALUE_BITS or not all(totals):  # or one weighs too little beside the others
            raise EffortSpentError(
                "the weights of the rows are too large, or differ too much, to compare "
                f"{len(totals):,} groups exactly: give fewer groups, or weights that differ less"
            )
        digit = np.array(self._radix[:-1])[np.maximum(member, 0)]
        self._worth = np.where((member >= 0) & (groups.favourable < classes), bits.rows.weight * digit, 0)
        self._split = int(limited)
        self._counts = trees.cheapest_by_value(self._worth, self._favourable, self._split)
        self._keys: dict[int, dict[int, int]] = {}

    def best(self) -> Plan:
        """The good tree with the least difference between groups; of several, one of the least cost."""
        keys = self._cheapest(0)
        values = np.array(list(keys))
        rates = [  # the digit of each group, as a share of its greatest
            values % after // before / (after // before - 1)
            for before, after in zip(self._radix[:-1], self._radix[1:], strict=True)
        ]
        difference = np.round(np.max(rates, axis=0) - np.min(rates, axis=0), 12)
        costs = np.array([self._trees.cost_of(key) for key in keys.values()])
        chosen = int(values[np.lexsort((values, costs, difference))[0]])
        return self._plan(0, chosen, keys[chosen])

    def _cheapest(self, state: int) -> dict[int, int]:
        """The key of the cheapest subtree of a state by value."""
        if state not in self._keys:
            counts = self._counts
            entries = slice(counts.begin[state], counts.end[state])
            keys = counts.number[entries, 0].tolist()
            self._keys[state] = dict(zip(counts.key[entries].tolist(), keys, strict=True))
        return self._keys[state]

    def _plan(self, state: int, value: int, key: int) -> Plan:
        """A subtree of a state with this value and this key."""
        graph, shift = self._graph, self._trees.bits.terms.shift
        _, splits, _ = self._trees.measures(key)
        if not splits:
            return Leaf()
        if graph.depth[state] == 1:
            return self._one_split(state, value, key)
        for choice in range(graph.begin[state], graph.end[state]):
            states = graph.child[graph.first_branch[choice] : graph.first_branch[choice + 1]].tolist()
            below = self._matched(states, value - self._split, key - (1 << shift))
            if below is not None:
                plans = [self._plan(part, *value_and_key) for part, value_and_key in zip(states, below, strict=True)]
                return split_plan(self._trees, state, int(graph.test[choice]), 0, plans)
        raise AssertionError(state)  # each value was put together from these

    def _one_split(self, state: int, value: int, key: int) -> Plan:
        words = self._graph.words[state]
        keys, parts = self._trees.one_split(state)
        for test in np.flatnonzero(keys == key).tolist():
            if self._split + sum(map(self._leaf, self._trees.bits.parts(test, words))) == value:
                return split_plan(self._trees, state, test, 0, [Leaf()] * int(parts[test]))
        raise AssertionError(state)

    def _leaf(self, words: Words) -> int:
        """The value of a leaf with these rows."""
        inside = set_bits(words)
        rows, weight = self._trees.bits.row[inside], self._trees.bits.rows.weight[inside]
        of_class = np.bincount(self._trees.instance.data.decisions[rows], weight)
        return int(self._worth[inside].sum()) if first_largest(of_class) == self._favourable else 0

    def _matched(self, states: Sequence[int], value: int, key: int) -> list[tuple[int, int]] | None:
        """A value and a key of each state, which add up to the given value and key; None if there are none."""
        failed: set[tuple[int, int, int]] = set()
        # (number of first states, value and key that are left): sums that are known to be impossible
        chosen: list[tuple[int, int]] = []
        left = [(value, key)]  # before each state
        waiting = [self._candidates(states, *left[0])]
        while waiting:
            if len(chosen) == len(states):
                return chosen
            for first_value, first_key in waiting[-1]:
                rest = left[-1][0] - first_value, left[-1][1] - first_key
                if min(rest) >= 0 and (len(chosen) + 1, *rest) not in failed:
                    chosen.append((first_value, first_key))
                    left.append(rest)
                    waiting.append(self._candidates(states[len(chosen) :], *rest))
                    break
            else:
                failed.add((len(chosen), *left.pop()))
                waiting.pop()
                if chosen:
                    chosen.pop()
        return None

    def _candidates(self, states: Sequence[int], value: int, key: int) -> Iterator[tuple[int, int]]:
        """The values and keys that the first of the states may have, if all together have this value and key."""
        keys = self._cheapest(states[0]) if states else {}
        return iter(keys.items() if len(states) != 1 else [(value, key)] if keys.get(value, -1) == key else [])
