"""The search for the fairest good tree: values of whole trees, and the tree with the best of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from algorithms.array_types import Words
from algorithms.optimal.plan import Leaf, Plan
from algorithms.optimal.rashomon.bit_tests import set_bits
from algorithms.optimal.rashomon.fairness import Groups
from algorithms.optimal.rashomon.good_trees import GoodTrees
from algorithms.optimal.rashomon.trees_by_index import split_plan
from algorithms.optimal.solution import EffortSpentError
from algorithms.rounding import first_largest

VALUE_BITS = 62


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
            below = self._matched(states, value - self._split, key - (1 << shift), set())
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

    def _matched(
        self, states: Sequence[int], value: int, key: int, failed: set[tuple[int, int, int]]
    ) -> list[tuple[int, int]] | None:
        """A value and a key of each state, which add up to the given value and key; None if there are none.

        failed : (number of last states, value, key) for sums that are known to be impossible
        """
        if not states:
            return [] if value == key == 0 else None
        if value < 0 or key < 0 or (len(states), value, key) in failed:
            return None
        keys = self._cheapest(states[0])
        candidates = keys.items() if len(states) > 1 else [(value, keys.get(value, -1))]
        for first_value, first_key in candidates:
            rest = self._matched(states[1:], value - first_value, key - first_key, failed)
            if rest is not None:
                return [(first_value, first_key), *rest]
        failed.add((len(states), value, key))
        return None
