"""Cuts of a number against trying all of them, and trees of one level against counting plainly."""

from __future__ import annotations

from itertools import accumulate, combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.kernel_arrays import arrays_of
from algorithms.optimal.t3.cuts import best_cuts
from algorithms.optimal.t3.one_level import LEAF, NO_CLASS, best_attribute, interval_cuts, recoded
from algorithms.optimal.t3.two_level_cuts import RECENT, T3Node, TwoLevelBuffers

VALUES = st.lists(st.lists(st.sampled_from([0, 0, 0, 1, 1, 2, 5]), min_size=3, max_size=3), min_size=1, max_size=12)


def leaf_errors(counts: np.ndarray[Any, Any]) -> float:
    total = counts.sum(axis=0)
    return float(total.sum() - total.max())


def first_of_best(counts: np.ndarray[Any, Any], fewest: int, most: int) -> tuple[float, tuple[int, ...]]:
    """Of fewest errors the fewest intervals, then the first cut, then the next."""
    collected = []
    for number in range(min(fewest, len(counts)), min(most, len(counts)) + 1):
        for cuts in combinations(range(1, len(counts)), number - 1):
            parts = [counts[first:stop] for first, stop in pairwise((0, *cuts, len(counts)))]
            collected.append((sum(map(leaf_errors, parts)), number, cuts))
    errors, _, cuts = min(collected)
    return errors, cuts


@given(VALUES, st.integers(1, 2), st.integers(2, 4), st.booleans(), st.sampled_from([1e9, 3.0, 1.0]))
@settings(max_examples=400)
def test_cuts_are_the_first_of_fewest_errors(
    values: list[list[int]], fewest: int, most: int, monotone: bool, limit: float
) -> None:
    counts = np.array(values, float)

    def errors(first: int, stop: int, limit: float) -> float:
        return min(leaf_errors(counts[first:stop]), limit)

    weight_before = [0.0, *accumulate(counts.sum(axis=1).tolist())]
    result = best_cuts(weight_before, errors, fewest=fewest, most=most, limit=limit, tie=1e-9, monotone=monotone)
    least, cuts = first_of_best(counts, fewest, most)
    assert (result.errors, result.starts) == ((least, cuts) if least < limit else (limit, ()))


def test_most_cuts_are_passed_over() -> None:
    generator = np.random.default_rng(0)
    labels = (np.arange(2000) > 1200) ^ (generator.random(2000) < 0.1)
    counts = np.stack([labels, ~labels], axis=1).astype(float)
    limits = []

    def errors(first: int, stop: int, _: float) -> float:
        limits.append((first, stop))
        return leaf_errors(counts[first:stop])

    weight_before = np.arange(2001.0).tolist()
    cuts = best_cuts(weight_before, errors, fewest=2, most=2, limit=1e9, tie=1e-9)
    below = np.cumsum(counts, axis=0)[:-1]
    every = below.min(axis=1) + (counts.sum(axis=0) - below).min(axis=1)
    assert cuts.starts == (int(every.argmin()) + 1,)
    assert cuts.errors == every.min()
    assert len(limits) < 200


@given(VALUES, st.integers(1, 5))
@settings(max_examples=300)
def test_intervals_of_leaves_are_the_fewest_of_fewest_errors(values: list[list[int]], most: int) -> None:
    counts = np.array(values, float)
    counts = counts[counts.sum(axis=1) > 0]
    if not len(counts):
        return
    cuts = interval_cuts(counts, min(most, len(counts)), 1e-9).tolist()
    least, first = first_of_best(counts, 1, most)
    parts = [counts[start:stop] for start, stop in pairwise((0, *cuts, len(counts)))]
    assert sum(map(leaf_errors, parts)) == least
    assert len(cuts) == len(first)


@given(st.integers(0, 2**32 - 1), st.integers(1, 200), st.integers(2, 4))
@settings(max_examples=100, deadline=None)
def test_the_best_attribute_of_one_level(seed: int, rows: int, intervals: int) -> None:
    generator = np.random.default_rng(seed)
    width = np.array([3, 150, 70], np.int64)
    numeric = np.array([False, True, True])
    codes = np.stack([generator.integers(0, known + 1, rows) for known in width]).astype(np.int32)
    decisions = generator.integers(0, 3, rows).astype(np.int32)
    weights = generator.integers(1, 4, rows).astype(float)
    some = np.flatnonzero(generator.random(rows) < 0.7)
    node = T3Node(codes, width, numeric, decisions, weights, np.zeros((rows, 2), np.uint64), intervals, 0.0, 1e-9)
    sizes = {"rows": rows, "known": 150, "classes": 3, "words": 3, "attributes": 3, "recent": RECENT, "slots": 2}
    scratch = arrays_of(TwoLevelBuffers, intervals=intervals, **sizes)
    scratch.only[:] = NO_CLASS
    result = best_attribute(node, some, scratch)
    assert not scratch.counts.any()
    table = np.bincount(decisions[some], weights[some], 3)[None]
    errors = [leaf_errors(table)]
    for known, column, is_number in zip(width, codes, numeric, strict=True):
        of_values = np.zeros((known + 1, 3))
        np.add.at(of_values, (column[some], decisions[some]), weights[some])
        there = of_values[:known][of_values[:known].sum(axis=1) > 0]
        unknown = leaf_errors(of_values[known:])
        if is_number and len(there):
            cuts = interval_cuts(there, min(intervals, len(there)), 1e-9).tolist()
            parts = [there[start:stop] for start, stop in pairwise((0, *cuts, len(there)))]
            errors.append(unknown + sum(map(leaf_errors, parts)))
        else:
            errors.append(unknown + sum(leaf_errors(row[None]) for row in there))
    best = int(np.argmin(errors))
    assert result == (errors[best], best - 1)
    assert LEAF == -1


def test_numbers_are_ranked_anew_among_some_rows() -> None:
    codes = np.array([[0, 2, 5, 6, 2], [1, 0, 3, 2, 3]], np.int32)
    result, width = recoded(codes, np.array([6, 3]), np.array([True, False]), np.array([4, 2, 3]))
    assert result.tolist() == [[0, 1, 2], [3, 3, 2]]
    assert width.tolist() == [2, 3]


@pytest.mark.parametrize("values", [1, 2])
def test_few_values_have_few_intervals(values: int) -> None:
    cuts = best_cuts(list(map(float, range(values + 1))), lambda *_: 0.0, fewest=2, most=3, limit=5, tie=1e-9)
    assert cuts.starts == tuple(range(1, values))
