"""Partitions of the rows of a table: joins, entropies and distances (Ben-Gal et al. 2014, "IT Partitions Approach").

A partition is an array of shape (rows,) with the number of each row's block; the numbers themselves do not matter. So a
column of codes is a partition, and so are the decisions. Entropies are in bits. `weights` has the weight of each row,
by default 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.measures.uncertainty import ent

DENSE = 8
"""Block numbers up to this many times the number of rows are counted instead of sorted."""

Partition = NDArray[np.integer[Any]]
Weights = NDArray[np.floating[Any]]


def join(first: Partition, *others: Partition) -> Partition:
    """The coarsest partition finer than all of these, A v B: rows share a block if they share a block in each of these.

    The blocks are numbered from 0, in the order of the block numbers in the first partition, then in the next.
    """
    small = [each if each.min() >= 0 and each.max() < 2**31 else _numbered(each) for each in (first, *others)]
    return _numbered(joint_numbers(len(first), small))


def joint_numbers(rows: int, partitions: Iterable[Partition]) -> NDArray[np.int64]:
    """(rows,): the block of each row in a join, numbered with gaps. Block numbers of the partitions are below 2**31."""
    joined, end = np.zeros(rows, np.int64), 1
    for partition in partitions:
        values = int(partition.max()) + 1
        if end * values >= 2**62:
            joined = _numbered(joined)
            end = int(joined.max()) + 1
        joined = joined * values + partition
        end *= values
    return joined


def blocks(partition: Partition) -> list[NDArray[np.int64]]:
    """The indices of the rows of each block, with the blocks in the order of their numbers."""
    order = np.argsort(partition, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(partition[order])) + 1)


def entropy(partition: Partition, weights: Weights | None = None) -> float:
    """H(A) in bits."""
    return max(0.0, float(ent(np.bincount(_numbered(partition), weights))))


def conditional_entropy(partition: Partition, given: Partition, weights: Weights | None = None) -> float:
    """H(A | B) = H(A v B) - H(B), in bits."""
    return max(0.0, entropy(join(partition, given), weights) - entropy(given, weights))


def mutual_information(first: Partition, second: Partition, weights: Weights | None = None) -> float:
    """I(A; B) = H(A) - H(A | B), in bits."""
    return max(0.0, entropy(first, weights) - conditional_entropy(first, second, weights))


def rokhlin_distance(first: Partition, second: Partition, weights: Weights | None = None) -> float:
    """H(A | B) + H(B | A) = 2 H(A v B) - H(A) - H(B), in bits: a metric on partitions (Rokhlin 1967)."""
    joint = entropy(join(first, second), weights)
    return max(0.0, 2 * joint - entropy(first, weights) - entropy(second, weights))


def mantaras_distance(first: Partition, second: Partition, weights: Weights | None = None) -> float:
    """Rokhlin's distance over H(A v B), that is 1 - I(A; B) / H(A v B), from 0 to 1 (López de Mántaras 1991).

    It is 0 for two partitions of one block.
    """
    joint = entropy(join(first, second), weights)
    return min(1.0, rokhlin_distance(first, second, weights) / joint) if joint > 0 else 0.0


def _numbered(partition: Partition) -> NDArray[np.int64]:
    """The partition with its blocks renumbered from 0 without gaps, in the same order."""
    least, greatest = int(partition.min()), int(partition.max())
    if greatest - least > DENSE * len(partition):
        return np.unique(partition, return_inverse=True)[1].ravel()
    offset = partition.astype(np.int64) - least
    present = np.zeros(greatest - least + 1, bool)
    present[offset] = True
    return (np.cumsum(present) - 1)[offset]
