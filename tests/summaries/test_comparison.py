"""The rule of Table 5, and which heuristics can be told apart."""

from __future__ import annotations

import numpy as np

from pipeline.grammar.costs import COSTS
from pipeline.grids.greedy_vs_dp.comparison import best_two, pair_verdict
from pipeline.summary.statistics import PairedMoments, critical_z
from pipeline.summary.verdicts import Verdict

FEW = ("max/rt", "sum/rt", "w_sum/gini")


def ruling(columns: list[list[float]], printed: list[int]) -> Verdict | None:
    """The verdict of a printed pair, for samples of heuristics that are ranked by their means."""
    moments = PairedMoments.of(np.array(columns).T)
    return pair_verdict(moments, np.argsort(moments.mean, kind="stable").tolist(), printed)


def test_a_printed_pair_is_judged_against_our_second() -> None:
    noise = np.random.default_rng(0).normal(size=100)
    error = noise.std(ddof=1) / 10
    third = noise - noise.mean()

    def worse_by(z: float) -> list[list[float]]:
        return [[-5.0] * 100, [0.0] * 100, list(third + z * error)]

    limit = critical_z(5)
    assert ruling(worse_by(9), [1, 0]) is Verdict.AGREES
    assert ruling(worse_by(limit - 0.01), [0, 2]) is Verdict.CONSISTENT
    assert ruling(worse_by(limit + 0.01), [2, 0]) is Verdict.DIFFERS
    assert ruling([*worse_by(0.5), list(third + 9 * error)], [2, 3]) is Verdict.DIFFERS


def test_a_printed_pair_agrees_only_if_the_sample_excludes_that_another_is_much_better() -> None:
    """The third is 0.05 worse than our second, whose mean is 1: a tenth is exceeded unless the sample is large."""
    for spread, expected in ((0.3, Verdict.AGREES), (3.0, Verdict.CONSISTENT)):
        noise = np.tile([-spread, spread], 200)
        columns = [[0.5] * 400, [1.0] * 400, list(1.05 + noise)]
        assert ruling(columns, [0, 2]) is expected
        assert ruling(columns, [0, 1]) is expected  # our own two, but the third may be better


def test_a_printed_pair_without_spread() -> None:
    assert ruling([[0.0] * 9, [1.0] * 9, [1.0] * 9], [0, 2]) is Verdict.AGREES
    assert ruling([[0.0], [1.0], [2.0]], [0, 2]) is None
    assert ruling([[0.0], [1.0], [2.0]], [0, 1]) is Verdict.CONSISTENT  # one table tells nothing


def test_level_with_the_next() -> None:
    rng = np.random.default_rng(3)
    base = rng.normal(size=(400, 1))
    apart = np.array([0.0, 0.001, 2.0])
    pooled = {cost: PairedMoments.of(base + apart + 0.1 * rng.normal(size=(400, 3))) for cost in COSTS}
    best = best_two(pooled, FEW, {})
    assert [row.level_with_next for row in best if row.position == 2] == [False] * 5
    assert all(row.heuristic != FEW[2] for row in best)
