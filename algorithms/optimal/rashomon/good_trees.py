"""The search for the graph of good trees, within limits, and the exact numbers of its trees."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from algorithms._numba.compiling import Stopwatch
from algorithms._numba.primitives import LANES
from algorithms.kernel_arrays import arrays_of
from algorithms.optimal.binary.bit_memo import hash_of
from algorithms.optimal.binary.buffers import MOST_ROWS_OF_16_BITS
from algorithms.optimal.instance import Instance
from algorithms.optimal.rashomon import cost_memo, expansion, minima
from algorithms.optimal.rashomon.bit_instance import CODES, CUT
from algorithms.optimal.rashomon.bit_tests import BitRows, bit_rows
from algorithms.optimal.rashomon.counts import START, Counts, count_by_key, log_numbers
from algorithms.optimal.rashomon.outside import Parents, count_around, count_votes
from algorithms.optimal.rashomon.pair_costs import Pairs
from algorithms.optimal.rashomon.similar_sets import Similar
from algorithms.optimal.solution import Effort, EffortSpentError

__all__ = ["GoodTrees", "Numbers", "primes_below", "whole_number"]

Integers = NDArray[np.int64]

SLICE = 1 << 20
"""Units of work between two looks at the clock: tests of a set of rows, and pairs of them."""
MOST_PAIRED = 2048
"""The most tests whose pairs are counted: all pairs of a set of rows are counted between two looks at the clock."""
FIRST_STATES, FIRST_SLOTS = 1 << 10, 1 << 14
STATES_AT_ONCE = 1 << 10
"""Whose trees are counted between two looks at the clock."""

NO_LIMIT = 1 << 62
PRIME_BITS = 31
"""Primes are below 2**31, so that products of remainders fit into 63 bits."""


class Numbers:
    """How many subtrees each state has, by key: errors, splits and leaves."""

    def __init__(
        self, begin: Integers, end: Integers, key: Integers, remainders: Integers, primes: tuple[int, ...]
    ) -> None:
        self._begin, self._end, self._key, self._remainders, self._primes = begin, end, key, remainders, primes
        self._known: dict[int, dict[int, int]] = {}

    def of(self, state: int) -> dict[int, int]:
        """The number of subtrees of a state by key; keys increase."""
        if state not in self._known:
            entries = slice(self._begin[state], self._end[state])
            numbers = [whole_number(one, self._primes) for one in self._remainders[entries].tolist()]
            self._known[state] = dict(sorted(zip(self._key[entries].tolist(), numbers, strict=True)))
        return self._known[state]


@dataclass(eq=False)
class GoodTrees:
    """The graph of the trees whose cost is at most `most`, in the unit of `bits`.

    A limit of seconds holds for the search, and anew for each count.
    """

    instance: Instance
    bits: BitRows
    most: float
    effort: Effort
    search: minima.Search = field(init=False)
    graph: expansion.Graph = field(init=False)

    @staticmethod
    def of(instance: Instance, most: float, effort: Effort, *, subsets: bool) -> GoodTrees:
        """Search them; `most` is in the unit of the weights. Raises EffortSpentError if the effort does not suffice."""
        bits = bit_rows(instance, effort.memory, subsets=subsets)
        trees = GoodTrees(instance, bits, most / bits.unit + bits.terms.tie, effort)
        trees._expand()
        return trees

    def numbers(self, without: int = -1) -> Numbers:
        """The exact numbers of the subtrees of each state; `without` is an attribute that they may not use."""
        self._clock = Stopwatch()
        counted = [self._below(prime, without) for prime in self.primes]
        size = int(counted[0].size[0])
        remainders = np.stack([counts.number[:size] for counts in counted], axis=1)
        return Numbers(counted[0].begin, counted[0].end, counted[0].key, remainders, self.primes)

    def votes(self) -> list[list[int]]:
        """(rows, classes): how many good trees classify each row as each class."""
        self._clock = Stopwatch()
        graph, data, row = self.graph, self.instance.data, self.bits.row
        most_splits = NO_LIMIT if self.instance.max_splits is None else self.instance.max_splits
        votes = np.zeros((data.rows, len(data.classes), len(self.primes)), np.int64)
        for k, prime in enumerate(self.primes):
            around = self._around(prime, self._below(prime))
            of_bits = count_votes(self.search, graph, self.bits.multiplicity(), around, most_splits, prime)
            votes[row[row >= 0], : of_bits.shape[1], k] = of_bits[row >= 0]
        return [[whole_number(one, self.primes) for one in of_row] for of_row in votes.tolist()]

    @cached_property
    def primes(self) -> tuple[int, ...]:
        """Primes whose product exceeds every number of trees."""
        logs = log_numbers(self.bits.multiplicity(), self.graph, self._upwards)
        return primes_below(1 << PRIME_BITS, int(logs.max() // (PRIME_BITS - 1)) + 1)

    @cached_property
    def levels(self) -> int:
        """The greatest depth of a good tree: each level has a split that costs something."""
        instance, terms = self.instance, self.bits.terms
        depth = instance.data.rows if instance.max_depth is None else instance.max_depth
        if instance.max_splits is not None:
            depth = min(depth, instance.max_splits)
        price = terms.split + terms.leaf
        if price > 0:
            depth = int(max(min(depth, self.most / price), 0))
        return int(min(depth, max(instance.data.rows // terms.least - 1, 0)))

    @cached_property
    def _upwards(self) -> Integers:
        """The states, those of fewer levels first."""
        return np.argsort(self.graph.depth[: self.graph.size[0]], kind="stable")

    def _below(self, prime: int, without: int = -1) -> Counts:
        """What is below each state, see `count_by_key`."""
        multiplicity = self.bits.multiplicity(without)

        def count(states: Integers, counts: Counts) -> Counts:
            return Counts(*count_by_key(self.search, self.graph, states, multiplicity, prime, counts))

        return self._counted(self._upwards, self._no_counts(), count)

    def _around(self, prime: int, below: Counts) -> Counts:
        """What is around each state, see `count_around`."""
        multiplicity = self.bits.multiplicity()

        def count(states: Integers, counts: Counts) -> Counts:
            return Counts(
                *count_around(self.search, self.graph, states, multiplicity, self._parents, below, prime, counts)
            )

        around = self._no_counts()
        around.end[0], around.size[0], around.key[0], around.number[0] = 1, 1, 0, 1
        downwards = np.argsort(-self.graph.depth[: self.graph.size[0]], kind="stable")
        return self._counted(downwards[1:], around, count)

    def _no_counts(self) -> Counts:
        states = int(self.graph.size[0])
        begin, end, size = np.zeros(states, np.int64), np.zeros(states, np.int64), np.zeros(1, np.int64)
        return Counts(begin, end, np.empty(START, np.int64), np.empty(START, np.int64), size)

    def _counted(self, states: Integers, counts: Counts, count: Callable[[Integers, Counts], Counts]) -> Counts:
        """Count some states at a time, and look at the limits between."""
        for first in range(0, len(states), STATES_AT_ONCE):
            counts = count(states[first : first + STATES_AT_ONCE], counts)
            self._check_effort(counts)
        return counts

    @cached_property
    def _parents(self) -> Parents:
        graph, (states, choices, branches) = self.graph, self.graph.size.tolist()
        to = graph.to[:branches]
        branch = np.argsort(to, kind="stable")
        choice = np.repeat(np.arange(choices), np.diff(graph.branch[: choices + 1]))[branch]
        owner = np.empty(choices, np.int64)
        for state in np.flatnonzero(graph.end[:states] > graph.begin[:states]).tolist():
            owner[graph.begin[state] : graph.end[state]] = state
        begin = np.concatenate([[0], np.cumsum(np.bincount(to, minlength=states))])
        return Parents(begin, branch, choice, owner[choice])

    def _expand(self) -> None:
        bits, tests = self.bits, self.bits.tests
        wide = np.diff(tests.first)[tests.kind == CODES]
        branches = max(2, int(wide.max(initial=2)))
        levels = self.levels
        words, classes = bits.tests.mask.shape[1], len(bits.rows.start) - 1
        self._clock = Stopwatch()
        number = len(tests.kind)
        room = arrays_of(minima.Room, levels=levels + 2, branches=branches, words=words, classes=classes, tests=number)
        two = number if bits.rows.each and (tests.kind == CUT).all() and number <= MOST_PAIRED else 0
        pairs = _pairs(levels + 2, two, words, classes, self.instance.data.rows)
        similar = arrays_of(Similar, levels=levels + 2, tests=two if bits.terms.least == 1 else 0)
        self.search = minima.Search(bits.rows, tests, bits.terms, _memo(FIRST_SLOTS), room, pairs, similar)
        self.graph = _graph(FIRST_STATES + 2 * len(tests.mask), words, levels)
        key = np.zeros(2, np.uint64)
        hash_of(bits.all, bits.all, True, key)
        room.node[0] = bits.all
        least = self._until(lambda: minima.least_cost(self.search, 0, levels, self.most))
        expansion.add_state(self.graph, bits.all, key, levels, least, self.most)
        for level in range(levels, 1, -1):
            state = int(self.graph.head[level])
            while state >= 0:
                state = self._advance(state, 2 * len(tests.mask) + 2)

    def _until(self, call: Callable[[], float]) -> float:
        while True:
            self._allow()
            value = call()
            if value < minima.NEVER:
                return value

    def _advance(self, state: int, branches: int) -> int:
        self._allow()
        ended, state = expansion.expand(self.search, self.graph, state, branches)
        if ended == expansion.FULL:
            old = self.graph
            self.graph = _graph(2 * len(old.depth), old.words.shape[1], len(old.head) - 1)
            expansion.larger(old, self.graph)
        return int(state)

    def _allow(self) -> None:
        """Allow another slice of work, with room for it; raise EffortSpentError if a limit is reached."""
        memo = self.search.memo
        if 2 * memo.state[cost_memo.ENTRIES] >= len(memo.depth):
            larger = _memo(2 * len(memo.depth))
            larger.state[cost_memo.WORK] = memo.state[cost_memo.WORK]
            cost_memo.moved(memo, larger)
            self.search = self.search._replace(memo=larger)
        self._check_effort()
        state, work = self.search.memo.state, self.effort.work
        if work is not None and state[cost_memo.WORK] >= work:
            raise self._spent(work, "units of work")
        until = state[cost_memo.WORK] + SLICE
        state[cost_memo.UNTIL] = until if work is None else min(until, work)

    def _check_effort(self, counts: Counts | tuple[()] = ()) -> None:
        """Raise EffortSpentError if a limit is reached."""
        search, effort = self.search, self.effort
        arrays = (*search.memo, *search.room, *search.pairs, *search.similar, *self.graph, *counts)
        held = sum(array.nbytes for array in arrays) + search.tests.mask.nbytes
        if effort.seconds is not None and self._clock.seconds > effort.seconds:
            raise self._spent(effort.seconds, "seconds")
        if held > effort.memory:
            raise self._spent(int(effort.memory), "bytes")

    def _spent(self, limit: float, unit: str) -> EffortSpentError:
        data = self.instance.data
        return EffortSpentError(
            f"counting the good trees of {data.rows:,} rows and {len(data.columns):,} attributes reached its limit of "
            f"{limit:,} {unit}, with {self.graph.size[0]:,} nodes of them known. Raise the limit, or ask for less "
            "depth, fewer splits, larger leaves, a larger alpha or a smaller epsilon"
        )


def whole_number(remainders: Sequence[int], primes: Sequence[int]) -> int:
    """The least number that leaves these remainders (the Chinese remainder theorem, by Garner's algorithm)."""
    number, modulus = 0, 1
    for remainder, prime in zip(remainders, primes, strict=True):
        number += modulus * ((remainder - number) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    return number


@cache
def primes_below(end: int, number: int) -> tuple[int, ...]:
    """The greatest primes below a number, as many as wanted, by division."""
    divisors = np.arange(3, math.isqrt(end) + 1, 2)
    odd = (candidate for candidate in range(end - 1 - end % 2, 2, -2) if (candidate % divisors).all())
    return tuple(islice(odd, number))


def _memo(slots: int) -> cost_memo.Memo:
    return arrays_of(cost_memo.Memo, slots=slots)


def _pairs(levels: int, tests: int, words: int, classes: int, rows: int) -> Pairs:
    word, count = (np.uint16, np.int16) if rows <= MOST_ROWS_OF_16_BITS else (np.uint32, np.int32)
    narrow, stride = words * (8 // np.dtype(word).itemsize), -(-tests // LANES) * LANES
    return arrays_of(
        Pairs,
        levels=levels if tests else 0,
        tests=tests,
        classes=classes,
        lanes=narrow * stride,
        narrow=narrow,
        stride=stride,
        word=word,
        count=count,
    )


def _graph(states: int, words: int, levels: int) -> expansion.Graph:
    slots = 1 << (2 * states - 1).bit_length()
    graph = arrays_of(expansion.Graph, states=states, words=words, slots=slots, levels=levels + 1)
    graph.slot.fill(-1)
    graph.head.fill(-1)
    return graph
