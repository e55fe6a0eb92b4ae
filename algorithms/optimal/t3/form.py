"""Which trees T2, T3 and T3C choose among: the form that their options describe."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Form"]


@dataclass(frozen=True)
class Form:
    """Trees with a branch per value or interval, and one more for unknown values.

    depth           : edges from the root to a leaf at most
    acceptable      : a node whose error rate is no more is a leaf (MAE)
    leaf_intervals  : of a number at most so many where all its branches are leaves
    inner_intervals : of a number at most so many elsewhere
    """

    depth: int
    acceptable: float
    leaf_intervals: int
    inner_intervals: int

    @property
    def monotone(self) -> bool:
        """Whether the fewest errors never rise when rows are taken away.

        They may where a node must be a leaf that has few enough errors: without some of its rows it may have too few.
        """
        return self.acceptable == 0

    @staticmethod
    def of(
        classes: int,
        inner_intervals: int,
        *,
        max_depth: int,
        mae: float,
        max_intervals: int | None,
        max_branches: int | None,
    ) -> Form:
        """The form that options of the estimators describe."""
        intervals = classes + 1 if max_intervals is None else max_intervals
        most = intervals if max_branches is None else max_branches
        return Form(max_depth, float(mae), min(intervals, most), min(inner_intervals, intervals, most))
