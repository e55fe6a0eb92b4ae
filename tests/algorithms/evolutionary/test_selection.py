"""How often trees become parents: what is expected of each, and what comes of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.evolutionary.selection import expectations, roulette, shuffled, stochastic_uniform, tournament

FITNESS = st.lists(st.sampled_from([0.1, 0.2, 0.25, 0.5, 0.9]), min_size=2, max_size=40).map(np.array)


def words(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2**64 - 1, shape, np.uint64, endpoint=True)


@given(FITNESS, st.integers(1, 90))
def test_expectations_are_by_rank_and_add_up(fitness: np.ndarray, parents: int) -> None:
    expected = expectations(fitness, parents)
    assert expected.sum() == pytest.approx(parents)
    rank = [sum((other, k) <= (mine, index) for k, other in enumerate(fitness)) for index, mine in enumerate(fitness)]
    assert expected * np.sqrt(rank) == pytest.approx(np.full(len(fitness), expected.max()))


@given(FITNESS, st.integers(1, 90), st.integers(0, 2**64 - 1))
def test_stochastic_uniform_is_off_by_less_than_one(fitness: np.ndarray, parents: int, word: int) -> None:
    expected = expectations(fitness, parents)
    chosen = stochastic_uniform(expected, np.array([word], np.uint64))
    assert len(chosen) == parents
    assert (np.abs(np.bincount(chosen, minlength=len(fitness)) - expected) < 1 + 1e-9).all()


def test_a_step_that_ends_where_a_section_begins_is_in_it() -> None:
    assert stochastic_uniform(np.ones(5), np.zeros(1, np.uint64)).tolist() == [0, 1, 2, 3, 4]


def frequencies_agree(chosen: np.ndarray, share: np.ndarray) -> bool:
    result = np.bincount(chosen, minlength=len(share)) / len(chosen)
    return bool((np.abs(result - share) < 4 * np.sqrt(share * (1 - share) / len(chosen))).all())


def test_roulette_is_in_proportion() -> None:
    expected = expectations(np.array([0.3, 0.1, 0.2, 0.4, 0.5]), 100_000)
    assert frequencies_agree(roulette(expected, words(100_000)), expected / 100_000)
    wrong = np.roll(expected, 1) / 100_000
    assert not frequencies_agree(roulette(expected, words(100_000)), wrong)


def test_the_best_of_four_wins_a_tournament() -> None:
    fitness = np.array([0.3, 0.1, 0.2, 0.4, 0.5])
    chosen = tournament(expectations(fitness, 100_000), words(100_000, 4))
    rank = fitness.argsort().argsort()
    share = ((5 - rank) / 5) ** 4 - ((4 - rank) / 5) ** 4  # the least of four ranks drawn with replacement
    assert frequencies_agree(chosen, share)


def test_shuffling_keeps_all_and_prefers_no_order() -> None:
    orders = np.array([shuffled(np.arange(3), words(3, seed=seed)) for seed in range(6000)])
    assert (np.sort(orders) == np.arange(3)).all()
    _, counts = np.unique(orders @ [9, 3, 1], return_counts=True)
    assert len(counts) == 6
    assert counts.min() > 850
