"""The search for the graph of good trees, within limits, and the exact numbers of its trees."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial, wraps
from threading import RLock
from typing import Any, TypeVar, cast

import numpy as np

from algorithms._numba.compiling import Stopwatch
from algorithms._numba.primitives import LANES
from algorithms.array_types import Integers
from algorithms.kernel_arrays import arrays_of
from algorithms.optimal.binary.row_bits import MOST_ROWS_OF_16_BITS
from algorithms.optimal.instance import Instance
from algorithms.optimal.rashomon import expansion
from algorithms.optimal.rashomon.bit_tests import TIE, BitRows, bit_rows
from algorithms.optimal.rashomon.cost_memo import ENTRIES, UNTIL, WORK, LeastCostMemo, copy_entries
from algorithms.optimal.rashomon.counts import START, Counts, count_by_key, empty_tallies, log_numbers
from algorithms.optimal.rashomon.fair_values import cheapest_by_value
from algorithms.optimal.rashomon.least_tree_costs import LeastCostBuffers, LeastCostSearch
from algorithms.optimal.rashomon.node_splits import CODES, CUT, write_one_split
from algorithms.optimal.rashomon.pair_costs import Pairs
from algorithms.optimal.rashomon.remainders import primes_below, whole_number
from algorithms.optimal.rashomon.vote_counts import ParentStates, count_around, count_votes
from algorithms.optimal.solution import Effort, EffortSpentError

SLICE = 1 << 20
"""Units of work between two checks of the clock: tests of a set of rows, and pairs of them."""
MOST_PAIRED = 2048
"""The most tests whose pairs are counted: the clock is not checked while the pairs of a set of rows are counted."""
FIRST_STATES, FIRST_SLOTS = 1 << 10, 1 << 14
"""Lengths at first, of the graph and of the memo."""
STATES_AT_ONCE = 1 << 10
"""States whose trees one counter counts between two checks of the clock."""
MOST_COMBINED = 10**9
"""The most pairs of subtrees that are combined for the fairest tree."""
MOST_COUNTERS = 32
"""The most counters of one pass, see `count_by_key`."""

NO_LIMIT = 1 << 62
PRIME_BITS = 31
"""Primes are below 2**31, so that products of remainders fit into 63 bits."""


Method = TypeVar("Method", bound=Callable[..., Any])


def locked(method: Method) -> Method:
    """Decorate a method of `GoodTrees`: an object runs these methods in one thread at a time, for its scratch."""

    @wraps(method)
    def alone(self: GoodTrees, *arguments: Any) -> Any:
        with self.lock:
            return method(self, *arguments)

    return cast("Method", alone)


@dataclass(eq=False)
class GoodTrees:
    """The graph of the trees of at most `levels` levels whose cost is at most `most`, in the unit of `bits`.

    A limit of seconds holds for the search and for each count by itself. Counts of several threads run one after
    another, since they share the scratch of the search.
    """

    instance: Instance
    bits: BitRows
    most: float
    levels: int
    effort: Effort
    _clock: Stopwatch
    search: LeastCostSearch = field(init=False)
    pairs: Pairs | None = field(init=False)
    graph: expansion.Graph = field(init=False)
    lock: Any = field(default_factory=RLock, init=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Copy another object, perhaps from its pickle, with a new lock."""
        vars(self).update(state, lock=RLock())

    @staticmethod
    def of(instance: Instance, most: float, effort: Effort, *, subsets: bool) -> GoodTrees:
        """Build the graph; `most` is in the unit of the weights. Raises EffortSpentError if a limit is reached."""
        clock = Stopwatch()

        def check() -> None:
            if effort.seconds is not None and clock.seconds > effort.seconds:
                raise _spent(instance, effort.seconds, "seconds (time_limit)", 0)

        levels = int(min(instance.most_levels, _most_paid_for(instance, most)))  # each level has a split, which costs
        leaves = _most_leaves(instance, most, levels)
        bits = bit_rows(instance, effort.memory, check, most, leaves, subsets=subsets)
        trees = GoodTrees(instance, bits, most / bits.unit + bits.terms.tie, levels, effort, clock)
        trees._expand()
        return trees

    @locked
    def numbers(self) -> Counts:
        """The numbers of the subtrees of each state by key, as remainders by `primes`."""
        self._clock = Stopwatch()
        return self._counts_below(*self._tree_counters())

    @locked
    def without_attributes(self) -> list[dict[int, int]]:
        """For each attribute, the exact numbers by key of the good trees that do not test it."""
        counters = [(self.bits.multiplicity(without), prime) for without in self._attributes for prime in self.primes]
        by_key = self._counts_of_root(counters)
        width = len(self.primes)
        return [
            {key: whole_number(counted[first : first + width], self.primes) for key, counted in by_key.items()}
            for first in range(0, len(counters), width)
        ]

    @locked
    def usage(self) -> list[dict[int, tuple[int, int]]]:
        """For each attribute, by key, the least and the greatest weight of the rows that reach a test of it."""
        counters: list[tuple[Integers, int]] = []
        for attribute in self._attributes:
            alone = np.array([attributes == [attribute] for attributes in self.bits.attributes_of], np.int64)
            among = np.array([attribute in attributes for attributes in self.bits.attributes_of], np.int64)
            counters += [(-alone, 0), (among, 0)]
        by_key = self._counts_of_root(counters)
        return [
            {key: (-weights[2 * attribute], weights[2 * attribute + 1]) for key, weights in by_key.items()}
            for attribute in self._attributes
        ]

    @locked
    def cheapest_by_value(self, worth: Integers, favourable: int, split: int) -> Counts:
        """For each state, the key of the cheapest subtree by value, instead of numbers; see `fair_values`."""
        self._clock = Stopwatch()
        pairs = np.array([0, MOST_COMBINED])

        def count(*states_to_counts: Any) -> tuple[int, int]:
            value = worth, favourable, split, self.most_splits, pairs
            done: tuple[int, int] = cheapest_by_value(self.search, self.graph, *value, *states_to_counts)
            if pairs[0] > pairs[1]:
                raise self._spent(MOST_COMBINED, "pairs of subtrees")
            return done

        return self._count_in_steps(self._upwards, self._no_counts(1), count)

    @locked
    def one_split(self, state: int) -> tuple[Integers, Integers]:
        """(tests,) the key of one split of a state by each test, -1 where it cannot be made; its number of branches."""
        errors, branches = np.zeros((2, len(self.bits.tests.kind)), np.int64)
        write_one_split(self.search, self.graph.words[state], errors, branches)
        keys = (errors << 2 * self.bits.terms.shift) + (1 << self.bits.terms.shift) + branches
        return np.where(errors < 0, -1, keys), branches

    def measures(self, key: int) -> tuple[int, int, int]:
        """(errors, splits, leaves) of a tree by its key; errors are in the unit of `bits`."""
        shift, field = self.bits.terms.shift, (1 << self.bits.terms.shift) - 1
        return key >> 2 * shift, key >> shift & field, key & field

    def cost_of(self, key: int) -> float:
        """The cost of a tree by its key."""
        errors, splits, leaves = self.measures(key)
        return float(errors + self.bits.terms.split * splits + self.bits.terms.leaf * leaves)

    @locked
    def votes(self) -> list[list[int]]:
        """(rows, classes): how many good trees classify each row as each class."""
        self._clock = Stopwatch()
        data, row = self.instance.data, self.bits.row
        factor, primes = self._tree_counters()
        around = self._counts_around(factor, primes, self._counts_below(factor, primes))
        rows = self.search.rows
        of_bits = np.zeros((len(rows.weight), len(rows.start) - 1, len(primes)), np.int64)

        once, trees = np.ones((1, len(primes)), np.int64), np.empty(len(primes), np.int64)

        def count(states: Integers, *_: Any) -> tuple[int, int]:
            limit = self.most_splits
            count_votes(self.search, self.graph, states, factor, around, limit, primes, once, trees, of_bits)
            return len(states), 0

        self._count_in_steps(self._upwards, around, count)
        votes = np.zeros((data.rows, len(data.classes), len(primes)), np.int64)
        votes[row[row >= 0], : of_bits.shape[1]] = of_bits[row >= 0]
        return [[whole_number(remainders, self.primes) for remainders in of_row] for of_row in votes.tolist()]

    @property
    def most_splits(self) -> int:
        """How many splits a good tree may have."""
        return NO_LIMIT if self.instance.max_splits is None else self.instance.max_splits

    @cached_property
    def primes(self) -> tuple[int, ...]:
        """Primes whose product exceeds every number of trees."""
        logs = np.zeros(len(self._upwards))
        log_numbers(self.bits.multiplicity(), self.graph, self._upwards, logs)
        return primes_below(1 << PRIME_BITS, int(logs.max() // (PRIME_BITS - 1)) + 1)

    @cached_property
    def _upwards(self) -> Integers:
        """The states, those of fewer levels first."""
        return np.argsort(self.graph.depth[: self.graph.size[0]], kind="stable")

    @property
    def _attributes(self) -> range:
        return range(len(self.instance.data.columns))

    def _tree_counters(self) -> tuple[Integers, Integers]:
        """(tests, primes), (primes,): the factors and primes of the counters of all trees, see `count_by_key`."""
        factor = np.repeat(self.bits.multiplicity()[:, np.newaxis], len(self.primes), axis=1)
        return factor, np.array(self.primes, np.int64)

    def _counts_of_root(self, counters: Sequence[tuple[Integers, int]]) -> dict[int, list[int]]:
        """The counts of all good trees by key. A counter is given by its factor of each test, and its prime or 0."""
        by_key: dict[int, list[int]] = {}
        first, width = 0, 1
        while first < len(counters):
            self._clock = Stopwatch()
            factors, primes = zip(*counters[first : first + width], strict=True)
            counts = self._counts_below(np.stack(factors, axis=1), np.array(primes, np.int64))
            entries = slice(counts.begin[0], counts.end[0])
            for key, numbers in zip(counts.key[entries].tolist(), counts.number[entries].tolist(), strict=True):
                by_key.setdefault(key, []).extend(numbers)
            first, free = first + width, self.effort.memory - self._bytes()
            width = max(1, min(MOST_COUNTERS, free // (3 * counts.key.nbytes)))  # `with_room` doubles the length
        return by_key

    def _counts_below(self, factor: Integers, primes: Integers) -> Counts:
        """The numbers of the subtrees of each state, see `count_by_key`."""
        count = partial(count_by_key, self.search, self.graph, self.bits.given, factor, primes)
        return self._count_in_steps(self._upwards, self._no_counts(len(primes)), count)

    def _counts_around(self, factor: Integers, primes: Integers, below: Counts) -> Counts:
        """The numbers of the trees around each state, see `count_around`."""
        count = partial(count_around, self.bits.terms, self.graph, factor, primes, self._parents, below)
        around = self._no_counts(len(primes))
        around.end[0], around.size[0], around.key[0], around.number[0] = 1, 1, 0, 1
        downwards = np.argsort(-self.graph.depth[: self.graph.size[0]], kind="stable")
        return self._count_in_steps(downwards[1:], around, count)

    def _no_counts(self, counters: int) -> Counts:
        states = int(self.graph.size[0])
        begin, end, size = np.zeros(states, np.int64), np.zeros(states, np.int64), np.zeros(1, np.int64)
        return Counts(begin, end, np.empty(START, np.int64), np.empty((START, counters), np.int64), size)

    def _count_in_steps(self, states: Integers, counts: Counts, count: Callable[..., tuple[int, int]]) -> Counts:
        """Call `count` for some of the states at a time, see `count_by_key`, and check the limits after each call."""
        slots, counters = START, counts.number.shape[1]
        tallies, held = empty_tallies(slots, counters), 0
        at_once = max(1, STATES_AT_ONCE // counters)
        for first in range(0, len(states), at_once):
            waiting = states[first : first + at_once]
            while True:
                done, held = count(waiting, tallies, held, counts)
                waiting = waiting[done:]
                if held:
                    counts = counts.with_room(held)
                elif len(waiting):
                    slots *= 4
                    tallies = empty_tallies(slots, counters)
                else:
                    break
            self._check_effort(counts)
        return counts

    @cached_property
    def _parents(self) -> ParentStates:
        graph, (states, choices, branches) = self.graph, self.graph.size.tolist()
        child = graph.child[:branches]
        branch = np.argsort(child, kind="stable")
        choice = np.repeat(np.arange(choices), np.diff(graph.first_branch[: choices + 1]))[branch]
        owner = np.empty(choices, np.int64)
        for state in np.flatnonzero(graph.end[:states] > graph.begin[:states]).tolist():
            owner[graph.begin[state] : graph.end[state]] = state
        begin = np.concatenate([[0], np.cumsum(np.bincount(child, minlength=states))])
        return ParentStates(begin, branch, choice, owner[choice])

    def _expand(self) -> None:
        """Find the least cost, then write the choices of all states, those of more levels first."""
        bits, tests, levels = self.bits, self.bits.tests, self.levels
        branches = int(np.diff(tests.first)[tests.kind == CODES].max(initial=2))
        words, classes = tests.mask.shape[1], len(bits.rows.start) - 1
        number = len(tests.kind)
        sizes = {"branches": branches, "words": words, "classes": classes, "tests": number}
        scratch = arrays_of(LeastCostBuffers, levels=levels + 2, **sizes)
        paired = number if bits.rows.common_weight and (tests.kind == CUT).all() and number <= MOST_PAIRED else 0
        self.pairs = _pairs(levels + 2, paired, words, classes, self.instance.data.rows) if paired else None
        memo = arrays_of(LeastCostMemo, slots=FIRST_SLOTS)
        self.search = LeastCostSearch(bits.rows, tests, bits.terms, memo, scratch)
        self.graph = _graph(FIRST_STATES + 2 * len(tests.mask), words, levels)
        self.graph.words[0], self.graph.depth[0], self.graph.ceiling[0] = bits.all, levels, self.most
        while not self.graph.size[expansion.STATES]:
            self._advance(-1, 0)
        for level in range(levels, 1, -1):
            state = int(self.graph.head[level])
            while state >= 0:
                state = self._advance(state, 2 * len(tests.mask) + 2)

    def _advance(self, state: int, branches: int) -> int:
        """Expand some states of a depth; return the next one, -1 after the last."""
        self._allow_work()
        ended, state = expansion.expand(self.search, self.pairs, self.graph, state, branches)
        if ended == expansion.FULL:
            old = self.graph
            self.graph = _graph(2 * len(old.depth), old.words.shape[1], len(old.head) - 1)
            for name, array in old._asdict().items():
                if name != "slot":
                    getattr(self.graph, name)[: len(array)] = array
            expansion.fill_slots(self.graph)
        return int(state)

    def _allow_work(self) -> None:
        """Allow another slice of work, and double the memo if it is half full; raise EffortSpentError at a limit."""
        memo = self.search.memo
        if 2 * memo.state[ENTRIES] >= len(memo.depth):
            larger = arrays_of(LeastCostMemo, slots=2 * len(memo.depth))
            larger.state[WORK] = memo.state[WORK]
            copy_entries(memo, larger)
            self.search = self.search._replace(memo=larger)
        self._check_effort()
        state, work = self.search.memo.state, self.effort.work
        if work is not None and state[WORK] >= work:
            raise self._spent(work, "units of work (max_work)")
        until = state[WORK] + SLICE
        state[UNTIL] = until if work is None else min(until, work)

    def _check_effort(self, counts: Counts | tuple[()] = ()) -> None:
        """Raise EffortSpentError if a limit is reached."""
        effort = self.effort
        if effort.seconds is not None and self._clock.seconds > effort.seconds:
            raise self._spent(effort.seconds, "seconds (time_limit)")
        if self._bytes(counts) > effort.memory:
            raise self._spent(int(effort.memory), "bytes (memory_limit)")

    def _bytes(self, counts: Counts | tuple[()] = ()) -> int:
        """The bytes of all arrays of the search, and of counts."""
        search = self.search
        arrays = (*search.memo, *search.scratch, *(self.pairs or ()), *self.graph, *counts)
        return int(sum(array.nbytes for array in arrays) + search.tests.mask.nbytes)

    def _spent(self, limit: float, unit: str) -> EffortSpentError:
        return _spent(self.instance, limit, unit, int(self.graph.size[0]))


def _most_paid_for(instance: Instance, most: float) -> float:
    """The most splits, or leaves, that a tree of at most this cost can pay for."""
    return (most / instance.unit_of_objective + TIE) / instance.alpha if instance.alpha > 0 else math.inf


def _most_leaves(instance: Instance, most: float, levels: int) -> int:
    """A bound of the leaves of two disjoint subtrees together, whose keys are added before their cost is checked.

    Each is part of a tree that costs at most `most` and has at most this many levels.
    """
    data = instance.data
    branches = (len(about.labels) + (index in data.incomplete) for index, about in enumerate(data.attributes))
    rows, width = data.rows, max([2, *branches])
    return int(min(rows, width ** min(levels, rows.bit_length()), 2 + 2 * (width - 1) * _most_paid_for(instance, most)))


def _spent(instance: Instance, limit: float, unit: str, nodes: int) -> EffortSpentError:
    data = instance.data
    return EffortSpentError(
        f"the search for the good trees for {data.rows:,} rows and {len(data.columns):,} attributes reached its limit "
        f"of {limit:,} {unit}, after it had found {nodes:,} nodes. Raise the limit, reduce the depth, the splits or "
        "epsilon, or increase min_samples_leaf or alpha"
    )


def _pairs(levels: int, tests: int, words: int, classes: int, rows: int) -> Pairs:
    word, count = (np.uint16, np.int16) if rows <= MOST_ROWS_OF_16_BITS else (np.uint32, np.int32)
    narrow, stride = words * (8 // np.dtype(word).itemsize), -(-tests // LANES) * LANES
    return arrays_of(
        Pairs,
        levels=levels,
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
