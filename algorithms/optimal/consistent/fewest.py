"""The fewest leaves of a consistent tree: numbers of leaves are tried from a lower bound upwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.compiling import Stopwatch
from algorithms.array_types import Words, packed
from algorithms.data.data_set import AttributeKind, DataSet
from algorithms.kernel_arrays import arrays_of
from algorithms.optimal.consistent.consistent_search import (
    NO,
    YES,
    ConsistentBuffers,
    LeavesMemo,
    decide,
    find_conflicts,
    leaves_at_least,
)
from algorithms.optimal.solution import Effort, Status, Stopped

__all__ = ["ROWS_OF_A_UNIT", "FewestLeaves", "search_fewest"]

NO_LIMIT = 1 << 60
ROWS_OF_A_UNIT = 512
"""The most rows of a set whose examination is one unit of work."""
WORK_BEFORE_SPLIT = 4_000_000
"""Units of work after which a set of rows without a proof is split greedily."""
SLICE = 1_000_000
"""Units of work between checks of the clock, or an eighth of the work so far if that is more."""
FEWEST_SLOTS, MOST_SLOTS, BYTES_OF_SLOT = 1 << 4, 1 << 22, 24
"""Limits of the slots of the memo, and bytes of each."""
WORDS_OF_PIVOTS = 8
"""Machine words of the rows examined for conflicts, sampled if there are more. No word contains other rows."""


@dataclass(frozen=True)
class FewestLeaves:
    """The result of a search for the fewest leaves of a tree without errors.

    Attributes
    ----------
    leaves : int or None
        The number of leaves of the smallest tree found; None if no tree was found.
    bound : int
        A lower bound: every tree without errors has at least this number of leaves.
    status : Status
        How the search ended.

    Examples
    --------
    >>> from orchard import data_set_of, fewest_leaves
    >>> result = fewest_leaves(data_set_of([["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]], [0, 1, 1, 0]))
    >>> result.leaves, result.optimal
    (4, True)
    """

    leaves: int | None
    bound: int
    status: Status

    @property
    def optimal(self) -> bool:
        """Whether it is proven that no tree without errors has fewer leaves."""
        return self.leaves == self.bound


def search_fewest(data: DataSet, effort: Effort) -> FewestLeaves:
    """Search for the fewest leaves of a consistent tree. Rows with equal values must have the same class.

    Numbers of leaves are tried in increasing order. If this takes long, a small tree is grown, whose size is an upper
    bound: a set of rows that is solved quickly gets a smallest tree, any other set the split of least Gini impurity.

    No tree is returned if the limit of time is reached before one is grown, or if the sets of rows take more than the
    limit of memory. The unit of work is the examination of a set of at most 512 rows.
    """
    if bytes_of_tests(data) > effort.memory:
        return FewestLeaves(None, len(np.unique(data.decisions)), Status.MEMORY_LIMIT)
    search = _LeavesSearch(splitting_tests(data), effort)
    rows = search.tests.rows
    bound, leaves = search.climb(rows, 1, NO_LIMIT, WORK_BEFORE_SPLIT)
    if leaves is None:
        try:
            leaves = search.small_tree(rows)
        except Stopped as stopped:
            return FewestLeaves(None, bound, stopped.status)
        bound, fewest = search.climb(rows, bound, leaves, NO_LIMIT)
        leaves = leaves if fewest is None else fewest
    ended = search.limit if bound < leaves else None
    return FewestLeaves(leaves, bound, ended or Status.OPTIMAL)


class SeparatingTests(NamedTuple):
    """The tests of some rows. A set of rows has a bit for each row, those examined for conflicts, the pivots, first."""

    sets: Any  # (sets, words) uint64: for a cut the rows that are not above it, for a branch its rows
    first: Any  # (attributes + 1,) int64: attribute a has the sets from first[a] to first[a + 1]
    branches: Any  # (attributes,) bool: whether its sets are branches; else they are cuts by increasing value
    classes: Any  # (classes, words) uint64: the rows of each class that occurs
    conflicts: Any  # (pivots, words of pivots) uint64: for each pivot, those that cannot share a leaf with it
    rows: Any  # (words,) uint64: all rows


class _LeavesSearch:
    """Searches for the fewest leaves of sets of rows, with a common memo and limits for all of them."""

    def __init__(self, tests: SeparatingTests, effort: Effort) -> None:
        rows, words = int(np.bitwise_count(tests.rows).sum()), len(tests.rows)
        self.tests, self.effort, self.clock = tests, effort, Stopwatch()
        self.scratch = arrays_of(ConsistentBuffers, levels=rows, words=words, pivots=tests.conflicts.shape[1])
        slots = 1 << max(FEWEST_SLOTS, int(min(MOST_SLOTS, effort.memory / BYTES_OF_SLOT))).bit_length() - 1
        self.memo = arrays_of(LeavesMemo, slots=slots)

    @property
    def limit(self) -> Status | None:
        """The limit that is reached."""
        return self.effort.reached(self.clock.seconds, int(self.scratch.work[0]))

    def climb(self, rows: Words, bound: int, enough: int, work: int) -> tuple[int, int | None]:
        """Try increasing numbers of leaves; return a lower bound, and the fewest leaves if they are proven, else None.

        rows   : (words,) the set of rows
        bound  : a known lower bound
        enough : leaves of a known tree; this number is not tried
        work   : units of work after which to stop
        """
        counter = self.scratch.work
        until = counter[0] + work
        bound = max(bound, leaves_at_least(self.tests, rows, self.scratch.left, enough))
        enough = min(enough, 1) if bound == 1 else enough
        while bound < enough:
            if counter[0] >= until or self.limit:
                return bound, None
            most = until if self.effort.work is None else min(until, self.effort.work)
            counter[1] = min(most, counter[0] + max(SLICE, counter[0] // 8))
            self.scratch.mask[0] = rows
            answer = decide(self.tests, self.memo, self.scratch, 0, bound)
            if answer == YES:
                return bound, bound
            bound += answer == NO
        return bound, enough

    def small_tree(self, rows: Words) -> int:
        """The leaves of a small consistent tree of some rows (words,). Raises Stopped at the limit of time."""
        leaves = 0
        waiting = [rows]
        while waiting:
            part = waiting.pop()
            _, least = self.climb(part, 1, NO_LIMIT, WORK_BEFORE_SPLIT)
            if least is None:
                waiting += min(self._splits(part), key=self._impurity)
            else:
                leaves += least
        return leaves

    def _splits(self, rows: Words) -> Iterator[list[Words]]:
        """For each test that splits a set of rows, the parts of the set. Raises Stopped at the limit of time."""
        tests = self.tests
        for attribute, branches in enumerate(tests.branches.tolist()):
            sets = tests.sets[tests.first[attribute] : tests.first[attribute + 1]] & rows
            for split in [list(sets)] if branches else ([inside, rows & ~inside] for inside in sets):
                if self.effort.seconds is not None and self.clock.seconds >= self.effort.seconds:
                    raise Stopped(Status.TIME_LIMIT)
                parts = [part for part in split if part.any()]
                if len(parts) > 1:
                    yield parts

    def _impurity(self, parts: Iterable[Words]) -> float:
        """The weighted Gini impurity after a split, times the number of its rows."""
        counts = np.array([np.bitwise_count(self.tests.classes & part).sum(axis=1, dtype=np.int64) for part in parts])
        size = counts.sum(axis=1)
        return float((size - (counts**2).sum(axis=1) / size).sum())


def splitting_tests(data: DataSet) -> SeparatingTests:
    """The tests of the distinct rows of a data set without missing values, the pivots with most conflicts first."""
    _, distinct = np.unique(data.values(), axis=0, return_index=True)
    rows = data.take(np.random.default_rng(0).permutation(np.sort(distinct)))
    drawn = _tests_of(rows)
    pivots = min(rows.rows, 64 * WORDS_OF_PIVOTS)
    conflicts = np.zeros((pivots, pivots), np.bool_)
    ranks = np.empty((rows.rows, len(rows.attributes)), np.int64)  # for each value, how many smaller ones there are
    for index, column in enumerate(rows.columns):
        ranks[:, index] = np.unique(column, return_inverse=True)[1]
    find_conflicts(drawn, ranks, rows.decisions, np.empty(len(drawn.rows), np.uint64), conflicts)
    order = np.argsort(-conflicts.sum(axis=1), kind="stable")
    ordered = _tests_of(rows.take(np.concatenate([order, np.arange(pivots, rows.rows)])))
    return ordered._replace(conflicts=packed(conflicts[order][:, order]))


def bytes_of_tests(data: DataSet) -> int:
    """About the bytes that `splitting_tests`, and a search in its sets of rows, take."""
    sets = sum(len(np.unique(column)) for column in data.columns)
    return (2 * sets + data.rows) * -(-data.rows // 64) * 8


def _tests_of(data: DataSet) -> SeparatingTests:
    """The tests of rows, without their conflicts."""
    index, words = np.arange(data.rows), -(-data.rows // 64)
    sets: list[Words] = [np.empty((0, words), np.uint64)]
    first, branches = [0], []
    for attribute, column in zip(data.attributes, data.columns, strict=True):
        values, code = np.unique(column, return_inverse=True)
        of_value = np.zeros((len(values), words), np.uint64)
        np.bitwise_or.at(of_value, (code, index >> 6), np.uint64(1) << (index & 63).astype(np.uint64))
        branching = attribute.kind is AttributeKind.NOMINAL and len(values) > 2
        sets.append(of_value if branching else np.bitwise_or.accumulate(of_value)[:-1])
        first.append(first[-1] + len(sets[-1]))
        branches.append(branching)
    return SeparatingTests(
        sets=np.concatenate(sets),
        first=np.array(first),
        branches=np.array(branches, np.bool_),
        classes=packed(data.decisions == np.unique(data.decisions)[:, None]),
        conflicts=np.empty((0, 0), np.uint64),
        rows=packed(np.ones((1, data.rows), np.bool_))[0],
    )
