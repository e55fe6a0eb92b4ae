"""The good tree at a place in their order, without those before it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from algorithms.attributes.thresholds import cut_between
from algorithms.data_set import AttributeKind
from algorithms.optimal.plan import ByBounds, ByCodes, Leaf, Plan
from algorithms.optimal.rashomon.good_trees import GoodTrees
from algorithms.optimal.rashomon.minima import one_split_of, parts_of

__all__ = ["Places"]

Integers = NDArray[np.int64]


class Places:
    """The subtrees of each state with a key, in order.

    The first question comes first; of those who ask it, the first attribute; the subtree of the last branch changes
    fastest.
    """

    def __init__(self, trees: GoodTrees) -> None:
        self._trees, self._graph, self._shift = trees, trees.graph, trees.bits.terms.shift
        self.numbers = trees.numbers()
        self._askers = trees.bits.askers()
        self._ways_known: dict[tuple[int, int, int], int] = {}
        self._splits_known: dict[int, tuple[Integers, Integers]] = {}

    def plan(self, state: int, key: int, place: int) -> Plan:
        """The subtree of a state at a place from 0 among those with this key."""
        if not key >> self._shift & ((1 << self._shift) - 1):  # no splits
            return Leaf()
        if self._graph.depth[state] == 1:
            keys, parts = self._one_split(state)
            questions = np.flatnonzero(keys == key)
            until = np.cumsum(self._askers[questions])
            chosen = int(np.searchsorted(until, place, "right"))
            question = int(questions[chosen])
            asker = place - int(until[chosen] - self._askers[question])
            return self._split(state, question, asker, [Leaf()] * int(parts[question]))
        rest = key - (1 << self._shift)
        for choice in range(self._graph.begin[state], self._graph.end[state]):
            ways, askers = self._ways(choice, 0, rest), self._askers[self._graph.question[choice]]
            if place < ways * int(askers):
                break
            place -= ways * int(askers)
        asker, place = divmod(place, ways)
        plans = []
        for branch in range(self._graph.branch[choice], self._graph.branch[choice + 1]):
            below = int(self._graph.to[branch])
            after = branch + 1 - int(self._graph.branch[choice])
            for own, number in self.numbers.of(below).items():
                others = self._ways(choice, after, rest - own)
                if place < number * others:
                    break
                place -= number * others
            here, place = divmod(place, others)
            plans.append(self.plan(below, own, here))
            rest -= own
        return self._split(state, int(self._graph.question[choice]), asker, plans)

    def _ways(self, choice: int, branch: int, key: int) -> int:
        """How many subtrees for the branches of a choice from this one on have this key together."""
        graph = self._graph
        if graph.branch[choice] + branch == graph.branch[choice + 1]:
            return int(key == 0)
        if (choice, branch, key) not in self._ways_known:
            below = int(graph.to[graph.branch[choice] + branch])
            self._ways_known[choice, branch, key] = sum(
                number * self._ways(choice, branch + 1, key - own)
                for own, number in self.numbers.of(below).items()
                if own <= key
            )
        return self._ways_known[choice, branch, key]

    def _one_split(self, state: int) -> tuple[Integers, Integers]:
        """(questions,) the key of one split by each question, -1 where it cannot be asked; its number of branches."""
        if state not in self._splits_known:
            errors, parts = one_split_of(self._trees.search, self._graph.words[state])
            keys = (errors << 2 * self._shift) + (1 << self._shift) + parts
            self._splits_known[state] = np.where(errors < 0, -1, keys), parts
        return self._splits_known[state]

    def _split(self, state: int, question: int, asker: int, below: Sequence[Plan]) -> Plan:
        """A split of a state by one of the attributes that ask a question, with the subtrees of its branches."""
        bits, words = self._trees.bits, self._graph.words[state]
        first, last = bits.questions.first[question : question + 2]
        parts = np.empty((max(2, last - first), len(words)), np.uint64)
        parts = parts[: parts_of(bits.questions, question, words, parts)]
        attribute = bits.members[question][asker]
        data = self._trees.instance.data
        values = [np.unique(data.columns[attribute][bits.rows_of(part)]).tolist() for part in parts]
        if data.attributes[attribute].kind is AttributeKind.NUMERIC:
            if values[0] > values[1]:  # the attribute's other value is in the mask of the question
                values, below = values[::-1], below[::-1]
            return ByBounds(attribute, (cut_between(float(values[0][-1]), float(values[1][0])),), tuple(below))
        return ByCodes(attribute, tuple(map(tuple, values)), tuple(below))
