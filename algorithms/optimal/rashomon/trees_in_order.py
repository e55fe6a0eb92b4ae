"""Trees in an order, possibly more than a machine's integer counts, as a sequence of Python."""

from __future__ import annotations

import operator
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from decimal import Decimal
from typing import SupportsIndex, overload

from algorithms.trees.decision_tree import DecisionTree

LEAST_ROUNDED = 10**15
"""Numbers from this on are written as a power of ten."""


class TreesInOrder(ABC):
    """At least one tree, each made from its index."""

    @property
    @abstractmethod
    def number(self) -> int:
        """The number of trees."""

    @abstractmethod
    def tree(self, index: int = 0) -> DecisionTree:
        """The tree at an index; the first tree has index 0."""

    def __iter__(self) -> Iterator[DecisionTree]:
        """All trees, one by one."""
        return map(self.tree, range(self.number))

    @overload
    def __getitem__(self, index: SupportsIndex) -> DecisionTree: ...

    @overload
    def __getitem__(self, index: slice) -> list[DecisionTree]: ...

    def __getitem__(self, index: SupportsIndex | slice) -> DecisionTree | list[DecisionTree]:
        """The tree at an index, which counts from the end if it is negative; for a slice, a list of trees."""
        if isinstance(index, slice):
            return [self.tree(position) for position in range(self.number)[index]]
        position = operator.index(index)
        return self.tree(position + self.number if -self.number <= position < 0 else position)

    def __len__(self) -> int:
        """The number of trees, if `len` can return it."""
        if self.number > sys.maxsize:
            raise OverflowError(
                f"the set has {in_words(self.number)} trees, too many for len() and list(): use `number`, or a slice "
                "such as [:5]"
            )
        return self.number

    def __bool__(self) -> bool:
        """True, since there is at least one tree."""
        return True


def in_words(number: int) -> str:
    """A number in full, or about, as a power of ten."""
    return f"{number:,}" if number < LEAST_ROUNDED else f"about 1e{Decimal(number).adjusted()}"
