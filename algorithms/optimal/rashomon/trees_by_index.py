"""The good tree at an index of their order, without making the trees before it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from algorithms.array_types import Integers
from algorithms.data.data_set import AttributeKind, missing_in
from algorithms.optimal.plan import Leaf, Plan, split_by_values
from algorithms.optimal.rashomon.good_trees import GoodTrees
from algorithms.optimal.rashomon.node_splits import CODES
from algorithms.optimal.rashomon.remainders import whole_number
from algorithms.trees.arrays import NO_NODE


class TreesByIndex:
    """The subtrees of each state with a key, in order: by test, then by its attribute, then by the first subtree.

    The subtree of the last branch changes fastest.
    """

    def __init__(self, trees: GoodTrees) -> None:
        self._trees, self._graph, self._shift = trees, trees.graph, trees.bits.terms.shift
        self._counts = trees.numbers()
        self._numbers: dict[int, dict[int, int]] = {}
        self._multiplicity = trees.bits.multiplicity()
        self._memo_of_ways: dict[tuple[int, int, int], int] = {}
        self._memo_of_splits: dict[int, tuple[Integers, Integers]] = {}

    def numbers(self, state: int) -> dict[int, int]:
        """The exact number of subtrees of a state by key: errors, splits and leaves; keys increase."""
        if state not in self._numbers:
            counts, primes = self._counts, self._trees.primes
            entries = slice(counts.begin[state], counts.end[state])
            numbers = [whole_number(remainders, primes) for remainders in counts.number[entries].tolist()]
            self._numbers[state] = dict(sorted(zip(counts.key[entries].tolist(), numbers, strict=True)))
        return self._numbers[state]

    def plan(self, state: int, key: int, index: int) -> Plan:
        """The subtree of a state of an index from 0 among those with this key."""
        _, splits, _ = self._trees.measures(key)
        if not splits:
            return Leaf()
        if self._graph.depth[state] == 1:
            return self._one_split_plan(state, key, index)
        rest = key - (1 << self._shift)
        for choice in range(self._graph.begin[state], self._graph.end[state]):
            ways, multiplicity = self._ways(choice, 0, rest), self._multiplicity[self._graph.test[choice]]
            if index < ways * int(multiplicity):
                break
            index -= ways * int(multiplicity)
        which, index = divmod(index, ways)  # of the choice at which the loop ended
        plans = []
        for branch in range(self._graph.first_branch[choice], self._graph.first_branch[choice + 1]):
            below = int(self._graph.child[branch])
            after = branch + 1 - int(self._graph.first_branch[choice])
            for branch_key, number in self.numbers(below).items():
                ways = self._ways(choice, after, rest - branch_key)
                if index < number * ways:
                    break
                index -= number * ways
            branch_index, index = divmod(index, ways)
            plans.append(self.plan(below, branch_key, branch_index))
            rest -= branch_key
        return split_plan(self._trees, state, int(self._graph.test[choice]), which, plans)

    def _one_split_plan(self, state: int, key: int, index: int) -> Plan:
        """The same for a state of depth 1."""
        if state not in self._memo_of_splits:
            self._memo_of_splits[state] = self._trees.one_split(state)
        keys, parts = self._memo_of_splits[state]
        tests = np.flatnonzero(keys == key)
        ends = np.cumsum(self._multiplicity[tests])
        chosen = int(np.searchsorted(ends, index, "right"))
        test = int(tests[chosen])
        which = index - int(ends[chosen] - self._multiplicity[test])
        return split_plan(self._trees, state, test, which, [Leaf()] * int(parts[test]))

    def _ways(self, choice: int, branch: int, key: int) -> int:
        """How many subtrees for the branches of a choice from this one on have this key together."""
        ways = self._memo_of_ways
        if (choice, branch, key) not in ways:
            first, end = self._graph.first_branch[choice : choice + 2].tolist()
            numbers = [self.numbers(int(below)) for below in self._graph.child[first + branch : end]]
            unknown: list[list[int]] = []  # the keys that may be left for the branches from each one on
            left = {key}
            for after, of_branch in enumerate(numbers, branch):
                unknown.append([rest for rest in left if (choice, after, rest) not in ways])
                left = {rest - used for rest in unknown[-1] for used in of_branch if used <= rest}
            ways |= {(choice, end - first, rest): int(rest == 0) for rest in left}
            for after in reversed(range(branch, end - first)):
                for rest in unknown[after - branch]:
                    ways[choice, after, rest] = sum(
                        number * ways[choice, after + 1, rest - used]
                        for used, number in numbers[after - branch].items()
                        if used <= rest
                    )
        return ways[choice, branch, key]


def split_plan(trees: GoodTrees, state: int, test: int, which: int, below: Sequence[Plan]) -> Plan:
    """A split of a state by a test, with the subtrees of its branches; `which` of the test's attributes makes it.

    Where no row of the state lacks the value, missing ones go as in `WithMissing.tree`.
    """
    bits, words, instance = trees.bits, trees.graph.words[state], trees.instance
    attribute = bits.attributes_of[test][which]
    column = instance.data.columns[attribute]
    parts = [bits.rows_of(part) for part in bits.parts(test, words)]
    values = [np.where(missing_in(column[rows]), np.nan, column[rows].astype(np.float64)) for rows in parts]
    numeric = instance.data.attributes[attribute].kind is AttributeKind.NUMERIC
    if numeric and np.nanmin(values[0], initial=np.inf) > np.nanmin(values[1], initial=np.inf):
        # the attribute's other value is in the mask of the test
        parts, values, below = parts[::-1], values[::-1], below[::-1]
    elsewhere = NO_NODE
    if attribute in instance.data.incomplete and bits.tests.kind[test] != CODES:
        elsewhere = int(np.argmax([instance.weights[rows].sum() for rows in parts]))
    return split_by_values(instance.data, attribute, values, below, elsewhere=elsewhere)
