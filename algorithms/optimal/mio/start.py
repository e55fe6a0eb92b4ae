"""Trees that a solver starts from: by our own search, or CART's within the limits."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from algorithms.optimal.cart_start import cart_within
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.mio.binary_splits import BinarySplits, RankSplit
from algorithms.optimal.plan import Leaf, tree_of_plan
from algorithms.optimal.solution import Effort, Status

Start = Literal["search", "cart", "none"]


def starting_tree(
    instance: Instance, splits: BinarySplits, depth: int, start: Start, seconds: float
) -> tuple[dict[int, RankSplit] | None, bool]:
    """The splits of a tree of at most this depth, or None for "none"; and whether Ctrl-C ended the search for it.

    The search may take this many seconds. CART's tree is not pruned; `BinarySplits.pruned` improves either.
    """
    if start == "none":
        return None, False
    coded = replace(instance, data=splits.data_set(instance.data), max_depth=depth)
    if start == "cart":
        leaf = tree_of_plan(Leaf(), coded.data, coded.weights)
        return splits.placed(cart_within(replace(coded, alpha=0.0), leaf)), False
    solution = solve(coded, Effort(seconds=seconds))
    return splits.placed(solution.tree), solution.status is Status.INTERRUPTED
