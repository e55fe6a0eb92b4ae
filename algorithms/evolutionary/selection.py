"""Selection of parents (Jankowski & Jackowski 2014, section 4.4), as in Matlab's genetic algorithm, which they used."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers, Words

Selection = Literal["stochastic_uniform", "roulette", "tournament"]

Trees = NDArray[np.int64]


def expectations(fitness: Numbers, parents: int) -> Numbers:
    """(trees,): the expected number of times that each tree is chosen, of `parents` in all, by rank scaling.

    It is proportional to 1 / sqrt(rank). The tree of least fitness has rank 1; of equal ones the first.
    """
    rank = np.empty(len(fitness), np.int64)
    rank[np.argsort(fitness, kind="stable")] = np.arange(1, len(fitness) + 1)
    scores = 1 / np.sqrt(rank.astype(np.float64))
    return np.asarray(scores * (parents / np.cumsum(scores)[-1]))  # summed one by one: the same sum on any machine


def stochastic_uniform(expected: Numbers, words: Words) -> Trees:
    """(parents,): equal steps along a line on which the section of each tree is as long as its expectation.

    The first step has a random offset, from one random word (1,). The count of a tree differs from its expectation by
    less than one.
    """
    return _landed(expected, np.arange(_parents(expected)) + _shares(words[:1]))


def roulette(expected: Numbers, words: Words) -> Trees:
    """(parents,): each drawn in proportion to the expectations, by one random word (parents,) each."""
    return _landed(expected, _shares(words) * _parents(expected))


def tournament(expected: Numbers, words: Words) -> Trees:
    """(parents,): each is the most expected of some trees drawn with replacement, by words (parents, players)."""
    players = ((words >> np.uint64(32)) * np.uint64(len(expected)) >> np.uint64(32)).astype(np.int64)
    return np.take_along_axis(players, expected[players].argmax(axis=1)[:, None], axis=1)[:, 0]


def shuffled(trees: Trees, words: Words) -> Trees:
    """(trees,): in random order, by a random word each."""
    return trees[np.argsort(words, kind="stable")]


def _parents(expected: Numbers) -> int:
    return round(float(np.cumsum(expected)[-1]))


def _shares(words: Words) -> Numbers:
    """Words as numbers from 0 to below 1."""
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _landed(expected: Numbers, positions: Numbers) -> Trees:
    """The trees whose sections contain positions on the line; positions beyond the end, by rounding, get the last."""
    ends = np.cumsum(expected)
    return np.minimum(np.searchsorted(ends, positions, side="right"), len(expected) - 1)
