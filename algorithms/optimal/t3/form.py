"""The form of trees that the options of T2, T3 and T3C allow."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Form:
    """Trees with a branch for each value or interval, and one for unknown values."""

    depth: int  # most edges from the root to a leaf
    acceptable: float  # a node with at most this error rate is a leaf (MAE)
    leaf_intervals: int  # most intervals of a number whose branches are all leaves
    inner_intervals: int  # most intervals of any other number

    @property
    def monotone(self) -> bool:
        """Whether removing rows never increases the fewest errors.

        It can if a node with few enough errors must be a leaf: without some of its rows it may have too many.
        """
        return self.acceptable == 0
