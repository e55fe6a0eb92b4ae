"""Ranks and statistics of printed tables, against honest tables that are rounded."""

from __future__ import annotations

from itertools import combinations_with_replacement, compress, product
from math import comb

import numpy as np
import pytest
from scipy.stats import PermutationMethod, binomtest, friedmanchisquare, norm, rankdata, wilcoxon

from pipeline.printed_table.figure import ALL, MEAN
from pipeline.printed_table.ranks import rank_claims
from pipeline.printed_table.significance import significance_claims
from tests.pipeline.printed_table.figures import figure, verdicts


def honest_table(draws, digits):
    """Accuracies of a table, unrounded, and its figures."""
    builders, sets = int(draws.integers(2, 6)), int(draws.integers(3, 12))
    accuracies = draws.uniform(60, 100, size=(sets, builders)).round(int(draws.integers(1, 4)))
    figures = [
        figure(f"set {i}", f"b{j}", "accuracy", f"{accuracies[i, j]:.{digits}f}")
        for i in range(sets)
        for j in range(builders)
    ]
    return accuracies, figures


@pytest.mark.parametrize("method", ["average", "min"])
def test_honest_ranks_and_statistics_are_possible(method):
    draws = np.random.default_rng(2)
    judged = 0
    for _ in range(60):
        digits = int(draws.integers(0, 3))
        accuracies, figures = honest_table(draws, digits)
        sets, builders = accuracies.shape
        ranks = rankdata(-accuracies, axis=1, method=method)
        more = [figure(f"set {i}", f"b{j}", "rank", f"{ranks[i, j]:.1f}") for i in range(sets) for j in range(builders)]
        gains = accuracies[:, 0] - accuracies[:, 1]
        won, lost = int((gains > 1e-9).sum()), int((gains < -1e-9).sum())
        duel = "b0 vs b1"
        counts = zip(("wins", "ties", "losses"), (won, sets - won - lost, lost), strict=True)
        more += [figure(ALL, duel, name, count) for name, count in counts]
        if won + lost:
            more.append(figure(ALL, duel, "sign_p", f"{binomtest(won, won + lost).pvalue:.3f}"))
            for how in ("approx", "exact") if np.unique(abs(gains)).size == sets and 0 not in gains else ():
                p = wilcoxon(gains, method=how).pvalue
                more.append(figure(ALL, duel, "wilcoxon_p", f"{p:.3f}", line=3))
        if method == "average":
            means = ranks.mean(axis=0)
            more += [figure(MEAN, f"b{j}", "rank", f"{rank:.2f}") for j, rank in enumerate(means)]
            if builders > 2 and all(len(set(row)) == builders for row in accuracies.tolist()):
                statistic, p = friedmanchisquare(*accuracies.T)
                more += [figure(ALL, "all", "friedman", f"{statistic:.2f}")]
                more += [figure(ALL, "all", "friedman_p", f"{p:.3f}")]
        claims = [*rank_claims([*figures, *more]), *significance_claims([*figures, *more])]
        judged += len(claims)
        assert set(verdicts(claims)) <= {"possible"}, [claim for claim in claims if claim.verdict != "possible"]
    assert judged > 400


def test_statistics_of_tables_full_of_ties_are_possible():
    """Whichever way SciPy treats zeros and ties, of accuracies that are rounded after the test."""
    draws, judged = np.random.default_rng(5), 0
    for _ in range(30):
        sets, builders = int(draws.integers(3, 14)), int(draws.integers(3, 6))
        step, digits = float(draws.choice([0.04, 0.25, 0.5, 1.0])), int(draws.integers(0, 2))
        accuracies = 80 + step * draws.integers(0, int(draws.integers(2, 12)), size=(sets, builders))
        figures = [
            figure(f"set {i}", f"b{j}", "accuracy", f"{accuracies[i, j]:.{digits}f}")
            for i in range(sets)
            for j in range(builders)
        ]
        statistics = []
        if not (accuracies == accuracies[:, :1]).all():
            result, p = friedmanchisquare(*accuracies.T)
            statistics += [("all", "friedman", f"{result:.2f}"), ("all", "friedman_p", f"{p:.3f}")]
        gains = accuracies[:, 0] - accuracies[:, 1]
        for zeros in ("wilcox", "pratt", "zsplit") if gains.any() else ():
            for method, correction in (("approx", False), ("approx", True), ("exact", False)):
                p = wilcoxon(gains, method=method, zero_method=zeros, correction=correction).pvalue
                statistics.append(("b0 vs b1", "wilcoxon_p", f"{p:.3f}"))
        for name, measure, text in statistics:
            (claim,) = significance_claims([*figures, figure(ALL, name, measure, text)])
            assert claim.verdict == "possible", (claim.proof, text)
            judged += 1
    assert judged > 260


def printed_alike(sets):
    """Two builders whose accuracies print alike on each data set, so that each difference may have either sign."""
    return [figure(f"set {i}", name, "accuracy", f"{70 + i}") for i in range(sets) for name in ("a", "b")]


def all_possible(figures, measure, ps):
    claims = [
        significance_claims([*figures, figure(ALL, "a vs b", measure, text)]) for text in {f"{p:.7f}" for p in ps}
    ]
    return all(claim.verdict == "possible" for (claim,) in claims)


def test_every_p_of_signs_that_are_not_known_is_possible():
    """Of 10 differences, by all of their 1,024 signs."""
    sums = [sum(compress(range(1, 11), signs)) for signs in product((0, 1), repeat=10)]
    ps = {min(1, 2 * sum(other <= min(own, 55 - own) for other in sums) / 1024) for own in set(sums)}
    assert len(ps) == 28
    assert all_possible(printed_alike(10), "wilcoxon_p", ps)
    wins = {min(1, 2 * sum(comb(10, k) for k in range(min(won, 10 - won) + 1)) / 1024) for won in range(11)}
    assert all_possible(printed_alike(10), "sign_p", wins)
    assert all_possible(printed_alike(20), "wilcoxon_p", [4 / 2**20])
    (claim,) = significance_claims([*printed_alike(10), figure(ALL, "a vs b", "wilcoxon_p", "0.0010")])
    assert claim.verdict == "impossible"  # 0.0016 is the least, of ten ties by the normal distribution


def test_the_bounds_of_an_impossible_p_are_those_of_all_rank_sums():
    """Of 2 differences of unknown sign and 3 positive ones, which have rank sums from 6 to 15, the middle is 7."""
    known = [figure(f"known {i}", name, "accuracy", f"{80 + 5 * (name == 'a')}") for i in range(3) for name in "ab"]
    (claim,) = significance_claims([*printed_alike(2), *known, figure(ALL, "a vs b", "wilcoxon_p", "0.0001")])
    assert "by the normal distribution: 0.03843 to 1;" in claim.proof
    assert claim.proof.endswith("exact: 0.0625 to 1")


@pytest.mark.parametrize("decided", [0, 1, 3, 52])
def test_every_p_of_zeros_and_ties_is_possible(decided):
    """Whichever way SciPy treats them, of all differences that print alike besides some that do not."""
    known = [(3 + k) * (1 if k % 4 in (0, 3) else -1) for k in range(decided)]  # 52 of them: the rank sums are equal
    figures = printed_alike(4) + [
        figure(f"known {i}", name, "accuracy", f"{200 + gain * (name == 'a')}")
        for i, gain in enumerate(known)
        for name in ("a", "b")
    ]
    approximate = [("approx", False), ("approx", True)]
    for gains in combinations_with_replacement((-0.4, -0.2, 0.0, 0.2, 0.3) if decided < 50 else (-0.2, 0.0, 0.3), 4):
        if not any([*gains, *known]):
            continue
        ps = [
            wilcoxon([*gains, *known], method=method, zero_method=zeros, correction=correction).pvalue
            for zeros in ("wilcox", "pratt", "zsplit")
            for method, correction in (*approximate, *([("exact", False)] if decided < 50 else []))
        ]
        assert all_possible(figures, "wilcoxon_p", ps), gains


def test_every_exact_p_of_tied_differences_is_possible():
    """By all signs of the mean ranks, as SciPy computes it by default for few differences with ties."""
    for gains in combinations_with_replacement((-4, -2, -1, 1, 2, 3), 5):
        figures = [
            figure(f"set {i}", name, "accuracy", f"{80 + gain * (name == 'a')}.0")
            for i, gain in enumerate(gains)
            for name in ("a", "b")
        ]
        p = wilcoxon(gains, method=PermutationMethod(n_resamples=2**5)).pvalue
        assert all_possible(figures, "wilcoxon_p", [p]), gains


@pytest.mark.parametrize(
    ("sets", "builders", "text", "verdict"),
    [
        *((3, 4, text, "possible") for text in ("2.71", "2.42", "2.52")),
        *((3, 4, text, "impossible") for text in ("2.69", "3.1")),
        (4, 5, "3.0500", "possible"),  # of 2.728 in the paper's table 5, for 2.7278
        (4, 5, "2.7492", "possible"),
    ],
)
def test_critical_differences_of_demsar(sets, builders, text, verdict):
    """Of 4 builders on 3 sets the error is sqrt(20/18); Demšar 2006 has q = 2.569 and 2.291, 2.394 and 2.128."""
    rows = [[f"{70 + i + 3 * j}" for j in range(builders)] for i in range(sets)]
    claims = significance_claims([*of_rows(*rows), figure(ALL, "all", "critical_difference", text)])
    assert verdicts(claims) == [verdict]


def test_p_values_of_counted_rows_are_possible():
    """Differences of counts tie, or are 0, where the printed ones do not; the signs are tested by the normal, too."""
    draws = np.random.default_rng(4)
    for _ in range(80):
        sets = int(draws.integers(4, 16))
        rows = draws.choice([8, 50, 150, 178], size=sets)
        right = np.clip(np.rint(rows[:, None] * draws.normal(0.8, 0.06, size=(sets, 2))), 0, rows[:, None])
        shown = 100 * right / rows[:, None]
        figures = [figure(f"set {i}", f"b{j}", "accuracy", f"{shown[i, j]:.1f}") for i in range(sets) for j in (0, 1)]
        gains = np.round(shown[:, 0] - shown[:, 1], 9)
        won, lost = int((gains > 0).sum()), int((gains < 0).sum())
        if not won + lost:
            continue
        score = abs(won - lost) / np.sqrt(won + lost)
        results = [("sign_p", 2 * norm.sf(score))]
        for zeros in ("wilcox", "zsplit"):
            for corrected in (False, True):
                p = wilcoxon(gains, zero_method=zeros, correction=corrected, method="approx").pvalue
                results.append(("wilcoxon_p", p))
        for name, p in results:
            (claim,) = significance_claims([*figures, figure(ALL, "b0 vs b1", name, f"{p:.3f}")])
            assert claim.verdict == "possible", (name, p, claim.proof)


def test_average_ranks_alone_hide_ties_that_friedman_is_corrected_for():
    """Ranks 1.5, 1.5 and 3 on 4 data sets: 6 by the ranks, 8 with the correction; less than 6 is impossible."""
    ranks = [figure(MEAN, name, "rank", text) for name, text in (("a", "1.50"), ("b", "1.50"), ("c", "3.00"))]
    ranks += [figure(f"set {i}", "a", "rank", "1.5") for i in range(4)]
    for text, verdict in (("6.0", "possible"), ("8.0", "possible"), ("5.5", "impossible")):
        (claim,) = significance_claims([*ranks, figure(ALL, "all", "friedman", text)])
        assert claim.verdict == verdict, claim.proof


def of_rows(*rows):
    """Accuracies of the builders b0, b1, … on the data sets of these rows; None has no figure."""
    return [
        figure(f"set {i}", f"b{j}", "accuracy", text)
        for i, row in enumerate(rows)
        for j, text in enumerate(row)
        if text is not None
    ]


def test_friedmans_statistic_is_corrected_for_the_ties_of_accuracies():
    rows = (
        ("68.2", "70.4", "68.5", "60.6", "64.3", "57.7"),
        ("62.1", "58.3", "52.6", "48.1", "56.6", "61.6"),
        ("80.0", "86.7", "70.0", "76.7", "83.3", "83.3"),
    )
    corrected, p = friedmanchisquare(*np.array(rows, float).T)
    for measure, text, verdict in (
        ("friedman", f"{corrected:.3f}", "possible"),  # above 7, the greatest without the correction
        ("friedman", f"{2 * corrected / (15 - corrected):.3f}", "possible"),  # Iman and Davenport's F
        ("friedman_p", f"{p:.4f}", "possible"),
        ("friedman", "7.2", "impossible"),
    ):
        (claim,) = significance_claims([*of_rows(*rows), figure(ALL, "all", measure, text)])
        assert claim.verdict == verdict, (text, claim.proof)


def test_the_sign_test_may_be_corrected_for_continuity():
    """Of 5 wins and 3 losses: exact 0.727, by the normal distribution 0.480, and 0.724 with the correction."""
    rows = [("91.0", "90.0")] * 5 + [("90.0", "91.0")] * 3
    for text, verdict in (("0.727", "possible"), ("0.480", "possible"), ("0.724", "possible"), ("0.6", "impossible")):
        (claim,) = significance_claims([*of_rows(*rows), figure(ALL, "b0 vs b1", "sign_p", text)])
        assert claim.verdict == verdict, (text, claim.proof)


def test_statistics_of_a_table_with_a_missing_accuracy_are_not_tested():
    """Papers leave out the data set, or the builder, or count the missing accuracy as the worst."""
    rows = [("91.0", "90.0", "89.0"), ("91.0", None, "89.0"), ("91.0", "90.0", "88.0")]
    means = [figure(MEAN, f"b{i}", "rank", f"{i + 1}.00") for i in range(3)]
    counts = [("wins", 3), ("ties", 0), ("losses", 0), ("sign_p", 0.1), ("wilcoxon_p", 0.1)]
    figures = [*of_rows(*rows), *means, *(figure(ALL, "b0 vs b1", name, number) for name, number in counts)]
    figures += [figure(ALL, "all", name, "0.1") for name in ("friedman", "friedman_p", "critical_difference")]
    assert not list(significance_claims(figures))
    assert {claim.verdict for claim in rank_claims(figures)} == {"possible"}


def test_a_significance_claim_says_what_it_assumes():
    figures = [figure(f"set {i}", f"b{j}", "accuracy", f"{70 + i + 3 * j}") for i in range(4) for j in range(3)]
    reasons = {
        "critical_difference": "5 or 10 %",
        "friedman": "the statistic is Friedman's chi-squared",
        "sign_p": "two-sided",
        "wilcoxon_p": "not adjusted",
    }
    for name, words in reasons.items():
        (claim,) = significance_claims([*figures, figure(ALL, "b0 vs b1", name, "0.001")])
        assert words in claim.assumes
