"""The conditions that remain for the branches of a test."""

from __future__ import annotations

from collections.abc import Iterator
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
    lowest: int  # the lowest class of a leaf
    highest: int  # the highest


def branch_states(
    terms: ConditionTerms, noted: int, state: State, attribute: int, branches: int, in_order: bool
) -> list[tuple[State, ...]]:
    """The states of the branches of a test, for each way to divide the classes between the sides of a monotone one.

    Each branch has all splits and required attributes that are left; `allotments` divides them among the branches.

    noted    : the attributes whose tests on the path matter below, as bits
    in_order : whether the values of the first branch are below those of the second
    """
    bit, sign = 1 << attribute, int(terms.monotone[attribute])
    after = state._replace(
        splits=state.splits - 1,
        required=state.required & ~bit,
        rank=max(state.rank, int(terms.rank[attribute])),
        tested=state.tested | (bit & noted),
    )
    if not (sign and in_order):
        return [(after,) * branches]
    middles = range(state.lowest, state.highest + 1)
    ends = [(after._replace(highest=middle), after._replace(lowest=middle)) for middle in middles]
    return [(*pair[::sign], *(after,) * (branches - 2)) for pair in ends]


def allotments(required: int, splits: float, *, is_last: bool) -> Iterator[tuple[int, float]]:
    """The possible shares of a branch in the remaining required attributes (bits) and splits; the last one gets all."""
    numbers = [splits] if is_last or splits == inf else range(int(splits) + 1)
    return product([required] if is_last else _subsets(required), numbers)


def _subsets(bits: int) -> Iterator[int]:
    """All sets of some bits."""
    subset = 0
    yield subset
    while subset != bits:
        subset = (subset - bits) & bits
        yield subset
