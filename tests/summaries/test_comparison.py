"""The rule of Table 5, and which heuristics can be told apart."""

from __future__ import annotations

import numpy as np

from pipeline.grammar.greedy_excess import level_with_next
from pipeline.grids.greedy_vs_dp.summary import pair_verdict
from pipeline.summary.statistics import critical_z
from pipeline.summary.verdicts import Verdict
from tests.oracles import greedy_excess as oracle
from tests.oracles.paired import Paired


def ruling(columns: list[list[float]], printed: list[int]) -> Verdict | None:
    """The verdict of a printed pair, for samples of heuristics that are ranked by their means."""
    moments = Paired(np.array(columns).T)
    ranked = np.argsort(moments.mean, kind="stable").tolist()
    rival = next(column for column in ranked if column not in printed)
    rows = []
    for column in printed:
        above, behind = moments.difference(column, rival), moments.difference(column, ranked[1])
        late = column not in ranked[:2]
        rows.append(
            {
                "tables": moments.n,
                "_rival_mean": float(moments.mean[rival]),
                "_above": above.mean,
                "_above_error": above.standard_error,
                "_behind": behind.mean if late else None,
                "_behind_error": behind.standard_error if late else None,
            }
        )
    result = pair_verdict(rows)
    assert result == oracle.pair_verdict(moments, ranked, printed)
    return result


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
    row = {"tables": 400, "gap_to_next": 0.5}
    assert [level_with_next(row | {"gap_standard_error": error}) for error in (0.2, 0.3, None)] == [False, True, True]
    assert not level_with_next(row | {"gap_to_next": None})
