"""Partitions: identities of information theory, the axioms of a metric, and the deck's examples."""

from __future__ import annotations

from fractions import Fraction
from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.measures.partitions import (
    blocks,
    conditional_entropy,
    entropy,
    join,
    mantaras_distance,
    mutual_information,
    rokhlin_distance,
)

DISTANCES = pytest.mark.parametrize("distance", [rokhlin_distance, mantaras_distance])


@st.composite
def some_partitions(draw: Any, number: int) -> tuple[list[np.ndarray], np.ndarray | None]:
    rows = draw(st.integers(1, 12))
    column = st.lists(st.integers(0, 3), min_size=rows, max_size=rows).map(np.array)
    weights = draw(st.none() | st.lists(st.sampled_from([0.5, 1, 2, 3.25]), min_size=rows, max_size=rows).map(np.array))
    return [draw(column) for _ in range(number)], weights


def as_sets(partition: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(block.tolist()) for block in blocks(partition)}


@given(some_partitions(4))
def test_the_chain_rule_of_the_deck(case: Any) -> None:
    """I(A1, A2, A3; Y) = sum H(Ai | A before) - sum H(Ai | A before, Y)."""
    (*attributes, decisions), weights = case
    before, orthogonality, remaining = np.zeros(len(decisions), np.int64), 0.0, 0.0
    for attribute in attributes:
        orthogonality += conditional_entropy(attribute, before, weights)
        remaining += conditional_entropy(attribute, join(before, decisions), weights)
        before = join(before, attribute)
    result = mutual_information(join(*attributes), decisions, weights)
    assert result == pytest.approx(orthogonality - remaining, abs=1e-9)


@given(some_partitions(1))
def test_entropy_is_that_of_the_shares(case: Any) -> None:
    (partition,), weights = case
    given_weights = np.ones(len(partition)) if weights is None else weights
    shares = [
        Fraction(given_weights[block].sum()) / Fraction(given_weights.sum()) for block in map(list, as_sets(partition))
    ]
    assert entropy(partition, weights) == pytest.approx(-sum(share * log2(share) for share in shares), abs=1e-12)


@DISTANCES
@given(case=some_partitions(3))
def test_distances_are_metrics(distance: Any, case: Any) -> None:
    (a, b, c), weights = case
    between = distance(a, b, weights)
    assert distance(a, a, weights) == pytest.approx(0, abs=1e-12)
    assert between == pytest.approx(distance(b, a, weights), abs=1e-12)
    assert (between < 1e-9) == (as_sets(a) == as_sets(b))
    assert distance(a, c, weights) <= between + distance(b, c, weights) + 1e-9


@given(some_partitions(2))
def test_mantaras_is_rokhlin_to_scale(case: Any) -> None:
    (a, b), weights = case
    distance, joint = mantaras_distance(a, b, weights), entropy(join(a, b), weights)
    assert 0 <= distance <= 1
    assert distance * joint == pytest.approx(rokhlin_distance(a, b, weights), abs=1e-9)
    assert rokhlin_distance(a, b, weights) == pytest.approx(
        entropy(a, weights) + entropy(b, weights) - 2 * mutual_information(a, b, weights), abs=1e-9
    )


@given(some_partitions(3))
def test_a_join_has_the_common_parts_of_blocks(case: Any) -> None:
    (a, b, c), _ = case
    assert as_sets(join(a, b, c)) == {x & y & z for x in as_sets(a) for y in as_sets(b) for z in as_sets(c)} - {
        frozenset()
    }
    assert sorted(set(join(a, b).tolist())) == list(range(len(as_sets(join(a, b)))))


@given(some_partitions(1), st.permutations(range(4)), st.sampled_from([1, 10**9]))
def test_numbers_of_blocks_do_not_matter(case: Any, numbers: list[int], apart: int) -> None:
    (partition,), weights = case
    renamed = np.array(numbers)[partition] * apart - 7
    assert rokhlin_distance(partition, renamed, weights) == pytest.approx(0, abs=1e-12)
    assert as_sets(renamed) == as_sets(partition)
