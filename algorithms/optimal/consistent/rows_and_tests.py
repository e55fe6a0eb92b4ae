"""Rows and the tests that may split them, as sets of rows, and the rows that cannot share a leaf."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms.array_types import Words, packed
from algorithms.data_set import AttributeKind, DataSet
from algorithms.optimal.consistent.consistent_search import find_conflicts

WORDS_OF_PIVOTS = 8
"""Machine words of the rows examined for conflicts, sampled if there are more. No word contains other rows."""


class SeparatingTests(NamedTuple):
    """The tests of some rows. A set of rows has a bit for each row, those examined for conflicts, the pivots, first."""

    sets: Any  # (sets, words) uint64: for a cut the rows that are not above it, for a branch its rows
    first: Any  # (attributes + 1,) int64: attribute a has the sets from first[a] to first[a + 1]
    branches: Any  # (attributes,) bool: whether its sets are branches; else they are cuts by increasing value
    classes: Any  # (classes, words) uint64: the rows of each class that occurs
    conflicts: Any  # (pivots, words of pivots) uint64: for each pivot, those that cannot share a leaf with it
    rows: Any  # (words,) uint64: all rows


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
