"""Lower bounds on the errors of any tree, by its number of splits and by its depth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.solution import Effort, Solution

__all__ = ["FewestErrors", "fewest_by_depth", "fewest_by_splits"]

WHOLE = 1e-6
"""Rounding may lift a bound above a whole number of errors by up to this much."""


class FewestErrors(NamedTuple):
    """The fewest errors of trees with at most some number of splits: the best tree found, and a lower bound."""

    splits: int
    errors: int
    bound: int


def fewest_by_splits(instance: Instance, solution: Solution) -> list[FewestErrors]:
    """The fewest errors found and their lower bound, for each number of splits from 0 to the depth's maximum.

    Parameters
    ----------
    instance : Instance
        With a `max_depth`, alpha 0 and weights of 1.
    solution : Solution
        Of the instance, with its frontier.
    """
    points, least = solution.frontier, _whole(solution.bound * instance.baseline)
    fewest = []
    for splits in range(2 ** (instance.max_depth or 0)):
        errors = round(min(point.errors for point in points if point.splits <= splits))
        bound = next((_whole(point.bound) for point in points if point.splits >= splits), least)
        fewest.append(FewestErrors(splits, errors, errors if solution.exhausted else min(max(bound, least), errors)))
    return fewest


def fewest_by_depth(instance: Instance, frontier: Sequence[FewestErrors], max_work: int) -> list[int]:
    """A lower bound on the errors for each depth from 0 to that of the instance; one search for each depth."""
    deepest = instance.max_depth or 0
    between = [
        _whole(solve(replace(instance, max_depth=depth), Effort(work=max_work)).bound * instance.baseline)
        for depth in range(2, deepest)
    ]
    fewest = [frontier[0].bound, frontier[1].bound, *between]  # a tree of one split has depth 1
    bounds = [*fewest[:deepest], frontier[-1].bound]
    return list(accumulate(reversed(bounds), max))[::-1]  # a bound for a depth also holds for smaller depths


def _whole(bound: float) -> int:
    """The smallest whole number of errors that is not below a bound."""
    return max(math.ceil(bound - WHOLE), 0)
