"""Counts beside printed ones: how many of some data sets, say, have a property, here and in a paper."""

from __future__ import annotations

import math

from pipeline.summary.verdicts import Comparison

__all__ = ["counts_compared", "wilson"]


def wilson(count: int, of: int) -> tuple[float, float] | None:
    """Wilson's 95 % interval of a count of so many; None of none."""
    from scipy.stats import binomtest

    if not of:
        return None
    share = binomtest(count, of).proportion_ci(0.95, method="wilson")
    return of * float(share.low), of * float(share.high)


def counts_compared(count: int, of: int, printed: int, printed_of: int, tolerance: float) -> Comparison | None:
    """Two counts compared as shares, their difference in units of the printed count; None where there is nothing.

    The interval is Newcombe's (1998), made of Wilson's two; p is that of Fisher's exact test. Both take what the paper
    counted for independent of what is counted here.
    """
    from scipy.stats import fisher_exact

    ours, theirs = wilson(count, of), wilson(printed, printed_of)
    if ours is None or theirs is None:
        return None
    share, printed_share = count / of, printed / printed_of
    (low, high), (printed_low, printed_high) = ours, theirs
    difference = share - printed_share
    return Comparison(
        low=printed_of * (difference - math.hypot(share - low / of, printed_high / printed_of - printed_share)),
        high=printed_of * (difference + math.hypot(high / of - share, printed_share - printed_low / printed_of)),
        p=float(fisher_exact([[count, of - count], [printed, printed_of - printed]]).pvalue),
        tolerance=tolerance,
    )
