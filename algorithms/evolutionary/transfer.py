"""Transfers trees bred over some rows to other rows: each test becomes the nearest possible test."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers, Words
from algorithms.evolutionary.population import Population
from algorithms.evolutionary.training_rows import CodedRows

__all__ = ["transferred"]

HALF = np.uint64(32)
"""Bits of a random word that one draw uses."""


def transferred(population: Population, before: CodedRows, after: CodedRows, words: Words) -> Population:
    """The trees with tests of the new rows, which have the same attributes.

    A cut moves to the nearest possible cut. A test for a label that no row has becomes one for the label of the nearest
    code. A test of an attribute that is now constant is drawn again, by a random word for each node. Classes of leaves
    stay, so they are meaningful only if leaves take the class of most rows.
    """
    nodes = population.nodes[: population.start[-1]].copy()
    asked, drawn = nodes["attribute"].copy(), words[: len(nodes)]
    for tested, place in enumerate(before.attribute):
        mine = asked == tested
        if place in after.attribute:
            now = after.attribute.index(place)
            where = _places(before, tested)[nodes["cut"][mine]]
            nodes["attribute"][mine], nodes["cut"][mine] = now, _nearest(_places(after, now), where)
        else:
            nodes["attribute"][mine] = _below(drawn[mine] >> HALF, len(after.attribute))
            cuts = after.tests.cuts[nodes["attribute"][mine]]
            nodes["cut"][mine] = _below(drawn[mine] & np.uint64((1 << 32) - 1), cuts)
    return Population(nodes, population.start.copy(), population.depth.copy(), np.zeros_like(population.right))


def _places(coded: CodedRows, tested: int) -> Numbers:
    """(tests,): the position of each test of an attribute: midway between two numbers or codes, or a label's code."""
    values = coded.values[tested].astype(np.float64)
    return values if coded.labels[tested] else values[:-1] / 2 + values[1:] / 2


def _nearest(places: Numbers, where: Numbers) -> NDArray[np.int64]:
    """For each number the index of the nearest of increasing positions; of two equally near, the lower."""
    above = np.searchsorted(places, where).clip(0, len(places) - 1)
    below = (above - 1).clip(0)
    return np.asarray(np.where(where - places[below] <= places[above] - where, below, above))


def _below(words: Words, counts: NDArray[np.int64] | int) -> NDArray[np.int64]:
    """Words of 32 bits as integers from 0 to below counts."""
    return (words * np.asarray(counts).astype(np.uint64) >> HALF).astype(np.int64)
