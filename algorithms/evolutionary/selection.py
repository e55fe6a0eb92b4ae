"""Selection of parents (Jankowski & Jackowski 2014, section 4.4), as in Matlab's genetic algorithm, which they used."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers, Words

__all__ = ["Selection", "expectations", "roulette", "shuffled", "stochastic_uniform", "tournament"]

Selection = Literal["stochastic_uniform", "roulette", "tournament"]

Trees = NDArray[np.int64]


def expectations(fitness: Numbers, parents: int) -> Numbers:
    """(trees,): how many times each is to be chosen, of `parents` in all, by rank scaling.

    The fittest, of least fitness, has rank 1, of equal ones the first; it is in proportion to 1 / sqrt(rank).
    """
    rank = np.empty(len(fitness), np.int64)
    rank[np.argsort(fitness, kind="stable")] = np.arange(1, len(fitness) + 1)
    scores = 1 / np.sqrt(rank.astype(np.float64))
    return np.asarray(scores * (parents / np.cumsum(scores)[-1]))  # one after another: the same sum on any machine


def stochastic_uniform(expected: Numbers, words: Words) -> Trees:
    """(parents,): for each a step along a line, of which each tree has a section as long as is expected of it.

    The steps are equal, the first at a random offset, for which one random word (1,) is needed; so that a tree is
    chosen as often as expected but for less than one.
    """
    return _landed(expected, np.arange(_parents(expected)) + _shares(words[:1]))


def roulette(expected: Numbers, words: Words) -> Trees:
    """(parents,): each by a spin of its own, in proportion to what is expected; a random word (parents,) for each."""
    return _landed(expected, _shares(words) * _parents(expected))


def tournament(expected: Numbers, words: Words) -> Trees:
    """(parents,): each the one most expected of some drawn with replacement, by random words (parents, players)."""
    players = ((words >> np.uint64(32)) * np.uint64(len(expected)) >> np.uint64(32)).astype(np.int64)
    return np.take_along_axis(players, expected[players].argmax(axis=1)[:, None], axis=1)[:, 0]


def shuffled(trees: Trees, words: Words) -> Trees:
    """(trees,): in a random order, by a random word for each."""
    return trees[np.argsort(words, kind="stable")]


def _parents(expected: Numbers) -> int:
    return round(float(np.cumsum(expected)[-1]))


def _shares(words: Words) -> Numbers:
    """Words as numbers from 0, less than 1."""
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _landed(expected: Numbers, positions: Numbers) -> Trees:
    """The trees in whose sections positions on the line are; the last has what rounding leaves over."""
    ends = np.cumsum(expected)
    return np.minimum(np.searchsorted(ends, positions, side="right"), len(expected) - 1)
