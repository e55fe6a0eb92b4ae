"""Trees bred over some rows, asked of others: each test becomes the nearest that there is among the new rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers, Words
from algorithms.evolutionary.population import Population
from algorithms.evolutionary.training_rows import CodedRows

__all__ = ["transferred"]

HALF = np.uint64(32)
"""Bits of a random word that one draw takes."""


def transferred(population: Population, before: CodedRows, after: CodedRows, words: Words) -> Population:
    """The trees with tests of the rows after, of the same attributes as those before.

    A number is cut at the nearest place to where it was; of a label that no row has, the one of the nearest code is
    asked. A test of an attribute that does not differ any more is drawn again, by a random word for each node. Classes
    of leaves stay as they are, so that they mean something only if they are those of most rows.
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
    """(tests,): where the tests of an attribute are: midway between two numbers or codes, or at the code of a label."""
    values = coded.values[tested].astype(np.float64)
    return values if coded.labels[tested] else values[:-1] / 2 + values[1:] / 2


def _nearest(places: Numbers, where: Numbers) -> NDArray[np.int64]:
    """For each of some numbers the nearest of increasing places, of two the lower."""
    above = np.searchsorted(places, where).clip(0, len(places) - 1)
    below = (above - 1).clip(0)
    return np.asarray(np.where(where - places[below] <= places[above] - where, below, above))


def _below(words: Words, counts: NDArray[np.int64] | int) -> NDArray[np.int64]:
    """Words of 32 bits as whole numbers from 0, less than counts."""
    return (words * np.asarray(counts).astype(np.uint64) >> HALF).astype(np.int64)
