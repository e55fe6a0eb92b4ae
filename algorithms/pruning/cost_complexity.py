"""Cost-complexity pruning of CART (Li; Breiman, Friedman, Olshen and Stone 1984, chapter 3)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers
from algorithms.options import Number, check_parameters
from algorithms.pictures.fronts import DrawnFront, Points
from algorithms.pruning.subtrees import errors, known_counts, pruned, rows_that_end
from algorithms.trees.arrays import NO_NODE, NodeKind
from algorithms.trees.decision_tree import DecisionTree
from algorithms.trees.given import tree_and_labels

__all__ = ["CostComplexity", "Links", "cost_complexity", "links"]

DIGITS = 12  # decimal digits to which g is compared if counts are fractional or large
EXACT_SUM = 2.0**52  # below it, sums of whole counts are exact


@dataclass(frozen=True, eq=False)
class Links:
    """The quantities that decide which node to prune; errors are weights of training rows."""

    size: float  # weight of all training rows
    errors: Numbers  # (nodes,) of the node as a leaf; R(t) is this over size
    subtree_errors: Numbers  # (nodes,) of the subtree T_t; R(T_t) is this over size
    leaves: NDArray[np.int64]  # (nodes,) of the subtree

    def strength(self, node: int) -> Fraction:
        """g(t) = (R(t) - R(T_t)) / (leaves of T_t - 1) of a nonterminal node, exact for these errors."""
        saved = Fraction(float(self.errors[node])) - Fraction(float(self.subtree_errors[node]))
        return saved / Fraction(self.size) / int(self.leaves[node] - 1)


def links(tree: DecisionTree) -> Links:
    """The errors and leaves of all nodes and subtrees, from the tree's counts.

    Raises TreeError if the tree has no counts.
    """
    counts = known_counts(tree)
    return Links(
        size=float(counts[0].sum()),
        errors=errors(tree, counts),
        subtree_errors=tree.sums_over_subtrees(errors(tree, rows_that_end(tree))),
        leaves=tree.sums_over_subtrees((tree.kind == NodeKind.TERMINAL).astype(np.int64)),
    )


@dataclass(frozen=True, eq=False, repr=False)
class CostComplexity(DrawnFront):
    """The trees that minimise R(T) + alpha |leaves of T|, in order of increasing alpha.

    R(T) is the share of the training rows that T classifies wrongly. Tree 0 is the given tree. Tree i is tree i - 1
    after its node `nodes[i - 1]` has become a leaf; the last tree has one leaf. A notebook shows the errors against the
    leaves.

    Attributes
    ----------
    tree : DecisionTree
        The given tree.
    nodes : ndarray of shape (steps,)
        The node of `tree` that each step makes terminal.
    alphas : tuple of Fraction, steps + 1 long
        In nondecreasing order; the first is 0. For alphas from `alphas[i]` to `alphas[i + 1]`, both included, tree i
        minimises R(T) + alpha |leaves of T| among all trees obtained from `tree` by making nodes terminal.
    leaves : ndarray of shape (steps + 1,)
        The number of leaves of each tree.
    errors : ndarray of shape (steps + 1,)
        The weight of the training rows that each tree classifies wrongly.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import CARTClassifier, cost_complexity
    >>> sequence = cost_complexity(CARTClassifier().fit(*load_iris(return_X_y=True)))
    >>> sequence.leaves.tolist()
    [9, 7, 6, 5, 4, 3, 2, 1]
    >>> sequence.step(sequence.number(alpha=0.02))
    <DecisionTree: 5 nodes, 3 leaves, depth 2>
    """

    tree: DecisionTree
    nodes: NDArray[np.int64]
    alphas: tuple[Fraction, ...]
    leaves: NDArray[np.int64]
    errors: Numbers

    def _points(self) -> Points:
        return Points(
            ("leaves", "errors"), tuple(zip(self.leaves.tolist()[::-1], self.errors.tolist()[::-1], strict=True))
        )

    def step(self, number: int) -> DecisionTree:
        """Tree `number` of the sequence, 0 to the number of steps; IndexError if there is no such tree."""
        if not 0 <= number <= len(self.nodes):
            raise IndexError(
                f"`number` is {number}: expected the number of a tree of the sequence, 0 to {len(self.nodes)}"
            )
        return pruned(self.tree, self.nodes[:number])

    def number(self, alpha: float | Fraction) -> int:
        """The index of the smallest tree that minimises R + alpha |leaves|; alpha is 0 or more."""
        check_parameters({"alpha": [Number(0.0)]}, {"alpha": alpha})
        return bisect_right(self.alphas, alpha) - 1

    def pruned(self, alpha: float | Fraction) -> DecisionTree:
        """The smallest tree that minimises R + alpha |leaves|; alpha is 0 or more."""
        return self.step(self.number(alpha))


def cost_complexity(tree: Any) -> CostComplexity:
    """Return the trees of cost-complexity pruning. Each step from a tree to the next prunes one node.

    Each step makes the weakest link terminal. This is the node of least g, where g is the increase of the error rate
    for each leaf that is removed (Breiman and others 1984, section 3.3). Ties go to the node with the fewest leaves
    below it, then to the first node in the tree's order. If all counts are integers and add up to less than 2^52, g is
    compared exactly (while errors x leaves < 2^52) and the alphas are exact fractions; otherwise g and the alphas are
    rounded to 12 decimal digits. Steps with g = 0 count, too, so that `pruned(0)` is the smallest tree of fewest
    errors.

    Parameters
    ----------
    tree : DecisionTree or fitted estimator
        The tree, or an estimator that has one as `tree_`.

    Returns
    -------
    CostComplexity

    Raises
    ------
    TreeError
        The tree has no counts.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import CARTClassifier, cost_complexity
    >>> cost_complexity(CARTClassifier().fit(*load_iris(return_X_y=True))).leaves.tolist()
    [9, 7, 6, 5, 4, 3, 2, 1]
    """
    tree, _ = tree_and_labels(tree)
    link = links(tree)
    nodes, alphas, leaves, wrong = [], [Fraction(0)], [int(link.leaves[0])], [float(link.subtree_errors[0])]
    for node, saved_leaves, more_errors, g in _weakest_links(tree, link):
        nodes.append(node)
        alphas.append(max(alphas[-1], g))
        leaves.append(leaves[-1] - saved_leaves)
        wrong.append(wrong[-1] + more_errors)
    return CostComplexity(tree, np.array(nodes, np.int64), tuple(alphas), np.array(leaves), np.array(wrong))


def _weakest_links(tree: DecisionTree, link: Links) -> Iterator[tuple[int, int, float, Fraction]]:
    """(node, leaves that pruning it removes, additional weight of wrongly classified rows, g), one after another."""
    exact = bool((tree.counts == np.floor(tree.counts)).all()) and link.size < EXACT_SUM
    parent = tree.parents().tolist()
    as_leaf, below, leaves = link.errors.tolist(), link.subtree_errors.tolist(), link.leaves.tolist()

    def strength(node: int) -> tuple[float, int, int]:
        g = (as_leaf[node] - below[node]) / (leaves[node] - 1)
        return g if exact else round(g / link.size, DIGITS), leaves[node], node

    heap = [strength(node) for node in range(tree.nodes) if leaves[node] > 1]
    heapify(heap)
    while heap:
        weakest = heappop(heap)
        node = weakest[-1]
        if leaves[node] < 2 or weakest != strength(node):
            continue  # the node is at or below a pruned one, or its strength has changed
        saved, added = leaves[node] - 1, as_leaf[node] - below[node]
        yield node, saved, added, Fraction(added) / Fraction(link.size) / saved if exact else Fraction(weakest[0])
        removed = [node]
        while removed:
            below_node = removed.pop()
            leaves[below_node] = 0
            removed += [child for child in tree.children(below_node) if leaves[child]]
        above = parent[node]
        while above != NO_NODE:
            leaves[above] -= saved
            below[above] += added
            if leaves[above] > 1:
                heappush(heap, strength(above))
            above = parent[above]
