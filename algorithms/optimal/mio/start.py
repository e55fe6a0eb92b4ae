"""Trees that a solver starts from: by our own search, or CART's, cut back to what is allowed."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from algorithms.induction.cart import cart_tree
from algorithms.optimal.instance import Instance
from algorithms.optimal.mio.binary_splits import BinarySplits, Split
from algorithms.optimal.search import solve
from algorithms.optimal.solution import Effort, Status
from algorithms.pruning.cost_complexity import cost_complexity
from algorithms.tree import DecisionTree

__all__ = ["Start", "starting_tree"]

Start = Literal["search", "cart", "none"]


def starting_tree(
    instance: Instance, splits: BinarySplits, depth: int, start: Start, seconds: float
) -> tuple[dict[int, Split] | None, bool]:
    """What a tree of at most this depth asks, or None for "none"; and whether Ctrl-C ended the search for it.

    The search may take that many seconds.
    """
    if start == "none":
        return None, False
    coded = replace(instance, data=splits.data_set(instance.data), max_depth=depth)
    if start == "cart":
        return splits.placed(_cart(coded)), False
    found = solve(coded, Effort(seconds=seconds))
    return splits.placed(found.tree), found.status is Status.INTERRUPTED


def _cart(coded: Instance) -> DecisionTree:
    """Of the trees that cost-complexity pruning makes of CART's, the best that has no more splits than are allowed."""
    grown = cart_tree(
        coded.data, coded.weights, min_rows_leaf=coded.min_rows_leaf, max_depth=coded.max_depth, random_state=0
    )
    sequence = cost_complexity(grown)
    most = grown.nodes if coded.max_splits is None else coded.max_splits
    _, number = min(
        (coded.objective(errors, leaves - 1, leaves), number)
        for number, (errors, leaves) in enumerate(zip(sequence.errors, sequence.leaves, strict=True))
        if leaves - 1 <= most
    )
    return sequence.step(number)
