"""Transfers trees bred over some rows to other rows: each test becomes the nearest possible test."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers, Words
from algorithms.evolutionary.population import Population
from algorithms.evolutionary.training_rows import TrainingRows

HALF = np.uint64(32)
"""Bits of a random word that one draw uses."""


def transferred(population: Population, before: TrainingRows, after: TrainingRows, words: Words) -> Population:
    """The trees with tests of the new rows, which have the same attributes.

    A cut moves to the nearest possible cut. A test for a label that no row has becomes one for the label of the nearest
    code. A test of an attribute that is now constant is drawn again, by a random word for each node. Classes of leaves
    stay, so they are meaningful only if leaves take the class of most rows.
    """
    nodes = population.nodes[: population.start[-1]].copy()
    attribute_before, drawn = nodes["attribute"].copy(), words[: len(nodes)]
    for tested, attribute in enumerate(before.attribute):
        testing = attribute_before == tested
        if attribute in after.attribute:
            tested_after = after.attribute.index(attribute)
            positions = _positions(before, tested)[nodes["cut"][testing]]
            nodes["attribute"][testing] = tested_after
            nodes["cut"][testing] = _nearest(_positions(after, tested_after), positions)
        else:
            nodes["attribute"][testing] = _below(drawn[testing] >> HALF, len(after.attribute))
            cuts = after.tests.cuts[nodes["attribute"][testing]]
            nodes["cut"][testing] = _below(drawn[testing] & np.uint64((1 << 32) - 1), cuts)
    return Population(nodes, population.start.copy(), population.depth.copy(), np.zeros_like(population.correct))


def _positions(coded: TrainingRows, tested: int) -> Numbers:
    """(tests,): the position of each test of an attribute: midway between two numbers or codes, or a label's code."""
    values = coded.values[tested].astype(np.float64)
    return values if coded.labels[tested] else values[:-1] / 2 + values[1:] / 2


def _nearest(positions: Numbers, numbers: Numbers) -> NDArray[np.int64]:
    """For each number the index of the nearest of increasing positions; of two equally near, the lower."""
    above = np.searchsorted(positions, numbers).clip(0, len(positions) - 1)
    below = (above - 1).clip(0)
    return np.asarray(np.where(numbers - positions[below] <= positions[above] - numbers, below, above))


def _below(words: Words, counts: NDArray[np.int64] | int) -> NDArray[np.int64]:
    """Words of 32 bits as integers from 0 to below counts."""
    return (words * np.asarray(counts).astype(np.uint64) >> HALF).astype(np.int64)
