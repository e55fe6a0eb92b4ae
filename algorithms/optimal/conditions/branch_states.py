"""The conditions that remain for the branches of a test."""

from __future__ import annotations

from collections.abc import Generator
from itertools import product
from math import inf
from typing import NamedTuple

from algorithms.optimal.conditions.terms import ConditionTerms


class State(NamedTuple):
    """The conditions that remain for the trees of some rows."""

    splits: float  # splits at most
    required: int  # attributes that must be tested, as bits
    rank: int  # no attribute of a lower rank may be tested
    tested: int  # attributes that the path has tested and that rows can be split by again, as bits
    low: int  # the lowest class of a leaf
    high: int  # the highest


def branch_states(
    terms: ConditionTerms, noted: int, state: State, attribute: int, branches: int, in_order: bool
) -> list[tuple[State, ...]]:
    """The states of the branches of a test: each way to share splits, required attributes and classes.

    noted    : the attributes whose tests on the path matter below, as bits
    in_order : whether the values of the first branch are below those of the second
    """
    bit, sign = 1 << attribute, int(terms.monotone[attribute])
    after = state._replace(
        rank=max(state.rank, int(terms.rank[attribute])),
        tested=state.tested | (bit & noted),
        required=state.required & ~bit,
    )
    classes = [((state.low, state.high),) * branches]
    if sign and in_order:
        ranges = [((state.low, middle), (middle, state.high)) for middle in range(state.low, state.high + 1)]
        classes = [(*pair[::sign], *classes[0][2:]) for pair in ranges]
    bits = [1 << a for a in range(len(terms.rank)) if after.required >> a & 1]
    needs = [
        tuple(sum(need for need, at in zip(bits, chosen, strict=True) if at == branch) for branch in range(branches))
        for chosen in product(range(branches), repeat=len(bits))  # the branch of each required attribute
    ]
    splits = [(inf,) * branches] if state.splits == inf else list(_compositions(int(state.splits) - 1, branches))
    return [
        tuple(
            after._replace(low=low, high=high, required=required, splits=most)
            for (low, high), required, most in zip(*of_branches, strict=True)
        )
        for of_branches in product(classes, needs, splits)
    ]


def _compositions(total: int, parts: int) -> Generator[tuple[int, ...]]:
    """The ways to share a number among parts."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)
