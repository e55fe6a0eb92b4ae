"""Tests whether printed statistics follow from the accuracies or ranks of their table.

A rounded accuracy may be half a unit off, and of two that print alike either may be greater. So each statistic is
bounded from both sides over all accuracies that print as those of the table. It is impossible only outside the bounds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest

from pipeline.printed_table.claim import Claim, Possibility, differences_by, mean_ranks_by, wins_by
from pipeline.printed_table.figure import ALL, MEAN, PrintedFigure
from pipeline.printed_table.ranks import BuilderPair, accuracies_of, pair_named, rank_ranges
from pipeline.summary.statistics import critical_difference
from pipeline.words import counted

LEVELS = (0.05, 0.1)
MOST_EXACT = 50
"""Number of differences up to which Wilcoxon's test is also computed exactly."""
SLACK = 1e-9
"""Tolerance of floating-point comparisons."""
QUANTILE_ERROR = 0.001
"""Error of the quantiles in printed tables, such as 2.949 in Demšar (2006, table 5) for 2.9483."""
OF_PAIR = "the p is two-sided, and not adjusted for other tests"
ASSUMED = {
    "critical_difference": "the critical difference is of Nemenyi's test, or of Bonferroni and Dunn's, at 5 or 10 %",
    "friedman": "the statistic is Friedman's chi-squared, or Iman and Davenport's F",
    "friedman_p": "p is by the chi-squared or the F distribution",
    "sign_p": OF_PAIR,
    "wilcoxon_p": OF_PAIR,
}
"""What a claim assumes, by the measure of its figure."""


@dataclass(frozen=True)
class Span:
    """The bounds of a statistic, and the method that computes it, in words."""

    method: str
    low: float
    high: float


def significance_claims(figures: Sequence[PrintedFigure]) -> Iterator[Claim]:
    """Claims on critical differences, Friedman's test, the sign test and Wilcoxon's signed-rank test."""
    accuracies = accuracies_of(figures)
    for figure in figures:
        spans: list[Span] = []
        question = ""
        match figure.measure.name:
            case "critical_difference":
                spans, question = _critical_differences(figures), _error_question(figures)
            case "friedman" | "friedman_p" as name:
                spans = _friedman(figures, p=name == "friedman_p")
                listed = [accuracy for own in accuracies.values() for accuracy in own.values()]
                question = mean_ranks_by(listed) if listed else ""
            case "sign_p" if pair := pair_named(figure.builder, accuracies):
                spans, question = _sign_p(pair), wins_by(pair.left, pair.right)
            case "wilcoxon_p" if pair := pair_named(figure.builder, accuracies):
                spans, question = _wilcoxon_p(pair), differences_by(pair.left, pair.right)
        if spans:
            yield _claim(figure, spans, question)


def _claim(figure: PrintedFigure, spans: Sequence[Span], question: str) -> Claim:
    numbers = figure.numbers()
    low, high = (-math.inf if figure.below else float(numbers.low)), float(numbers.high)
    fits = [span for span in spans if low <= span.high + SLACK and span.low - SLACK <= high]
    proof = "; ".join(f"{span.method}: {_between(span)}" for span in fits[:1] or spans)
    assumes = f"all builders and data sets are in the table; {ASSUMED[figure.measure.name]}"
    return Claim("significance", [figure], Possibility.of(bool(fits)), proof, assumes, question, whole=True)


def _between(span: Span) -> str:
    low, high = (f"{end:.4g}" for end in (span.low, span.high))
    return low if low == high else f"{low} to {high}"


def _size(figures: Sequence[PrintedFigure]) -> tuple[int, int]:
    """The number of builders and of data sets with accuracies, else with ranks; 0 if there are none.

    It is 0, too, if a builder lacks the accuracy for a data set: tests leave out either of them.
    """
    for name in ("accuracy", "rank"):
        measured = [figure for figure in figures if figure.measure.name == name]
        builders = {figure.builder for figure in measured}
        sources = {figure.source for figure in measured} - {MEAN, ALL}
        if len(builders) > 1 and sources:
            whole = name == "rank" or sum(map(len, accuracies_of(figures).values())) == len(builders) * len(sources)
            return (len(builders), len(sources)) if whole else (0, 0)
    return 0, 0


def _error_question(figures: Sequence[PrintedFigure]) -> str:
    """SQL that gives the standard error of a difference of average ranks; the quantile times it is critical."""
    builders, sets = _size(figures)
    return f"select sqrt({builders} * ({builders} + 1) / (6 * {sets})) as error" if sets else ""


def _critical_differences(figures: Sequence[PrintedFigure]) -> list[Span]:
    """The critical differences of Nemenyi's test and of Bonferroni and Dunn's (Demšar 2006, section 3.2.2)."""
    from scipy.stats import norm

    builders, sets = _size(figures)
    if not builders:
        return []
    error = math.sqrt(builders * (builders + 1) / (6 * sets))
    of = f"of {builders} builders on {counted(sets, 'data set')}"
    result = []
    for level in LEVELS:
        nemenyi = critical_difference(builders, sets, level)
        dunn = norm.isf(level / (2 * (builders - 1))) * error
        near = QUANTILE_ERROR * error
        result += [
            Span(f"{name} {of} at {100 * level:g} %", exact - near, exact + near)
            for name, exact in (("Nemenyi's", nemenyi), ("Bonferroni and Dunn's", dunn))
        ]
    return result


def _chi_squared(figures: Sequence[PrintedFigure]) -> tuple[float, float, int, int] | None:
    """The least and the greatest chi-squared of Friedman's test, and its numbers of builders and data sets.

    It grows with the squared distances of the average ranks from their mean. Each average rank is bounded. The
    correction for ties divides it by the share of the ranks' variance that ties leave: 1 - sum(t^3 - t) / N (k^3 - k)
    over groups of t tied builders. Average ranks alone hide the ties, so that the share may then be anything above 0.
    """
    builders, sets = _size(figures)
    means = {rank.builder: rank for rank in figures if rank.measure.name == "rank" and rank.source == MEAN}
    rows = [rank_ranges(row) for row in accuracies_of(figures).values()]
    left = 0.0
    if builders and rows and len(rows[0]) == builders:
        ends = [
            (sum(row[name].best for row in rows) / sets, sum(row[name].worst for row in rows) / sets)
            for name in rows[0]
        ]
        tied = sum(ranks.possibly_tied**2 - 1 for row in rows for ranks in row.values())
        left = max(0.0, 1 - tied / (sets * (builders**3 - builders)))
    elif builders and len(means) > 1:
        builders = len(means)
        ends = [(float(rank.numbers().low), float(rank.numbers().high)) for rank in means.values()]
    else:
        return None
    centre = (builders + 1) / 2
    least = sum(max(0.0, low - centre, centre - high) ** 2 for low, high in ends)
    most = sum(max(abs(low - centre), abs(high - centre)) ** 2 for low, high in ends)
    factor = 12 * sets / (builders * (builders + 1))
    greatest = sets * (builders - 1.0)
    return factor * least, min(factor * most / left, greatest) if left else greatest, builders, sets


def _friedman(figures: Sequence[PrintedFigure], *, p: bool) -> list[Span]:
    """Chi-squared, and Iman and Davenport's F, which is computed from it (Demšar 2006, section 3.2.2); or their p."""
    bounded = _chi_squared(figures)
    if bounded is None:
        return []
    low, high, builders, sets = bounded
    most = sets * (builders - 1)
    f_low, f_high = ((sets - 1) * chi / (most - chi) if chi < most else math.inf for chi in (low, high))
    if not p:
        return [Span("Friedman's chi-squared", low, high), Span("Iman and Davenport's F", f_low, f_high)]
    from scipy.stats import chi2, f

    freedom = (builders - 1, (builders - 1) * (sets - 1))
    return [
        Span("p of Friedman's chi-squared", float(chi2.sf(high, freedom[0])), float(chi2.sf(low, freedom[0]))),
        Span("p of Iman and Davenport's F", float(f.sf(f_high, *freedom)), float(f.sf(f_low, *freedom))),
    ]


def _span(method: str, values: Sequence[float]) -> Span:
    return Span(method, min(values), max(values))


def _sign_p(pair: BuilderPair) -> list[Span]:
    """The p of the sign test, exact and by the normal distribution; ties are left out, or divided between both."""
    from scipy.stats import binomtest, norm

    wins, losses, alike = pair.wins, pair.losses, pair.alike
    counts = [(wins + more, losses + less) for more in range(alike + 1) for less in range(alike + 1 - more)]
    exact = [binomtest(won, won + lost).pvalue if won + lost else 1.0 for won, lost in counts]
    spans = [_span("two-sided p of the sign test", exact)]
    for correction, how in ((0, ""), (1, ", corrected for continuity")):
        scores = [max(0, abs(won - lost) - correction) / math.sqrt(won + lost) for won, lost in counts if won + lost]
        by_normal = [2 * float(norm.sf(score)) for score in scores]
        spans.append(_span(f"two-sided p of the sign test, by the normal distribution{how}", by_normal))
    return spans


def _wilcoxon_p(pair: BuilderPair) -> list[Span]:
    """The p of Wilcoxon's signed-rank test.

    The rank sum of the positive differences is the number of pairs i <= j of differences whose sum is positive (Tukey).
    Differences are known up to rounding, so that some sums are surely positive, and others perhaps. Zeros are left out
    or counted as differences of either sign; the p of zeros that are ranked as by Pratt (1959) lies between these.

    The exact p of differences of which t are tied, over all signs of their mean ranks, lies between the p without ties
    of rank sums that are smaller and greater by t^2 / 8: with any signs, the tie changes the sum by at most this much.
    """
    ends = []
    for accuracies in zip(pair.left, pair.right, strict=True):
        left, right = (accuracy.numbers() for accuracy in accuracies)
        ends.append((left.low - right.high, left.high - right.low))
    pairs = [(i, j) for j in range(len(ends)) for i in range(j + 1)]
    certain = [low > 0 or high < 0 for low, high in ends]  # to be nonzero; zeros are in no pair
    surely = sum(ends[i][0] + ends[j][0] > 0 and certain[i] and certain[j] for i, j in pairs)
    perhaps = sum(ends[i][1] + ends[j][1] >= 0 for i, j in pairs)
    groups, exact, normal = _tied(ends), [], []
    tied, apart = sum(t**3 - t for t in groups), math.ceil(sum(t * t // 4 for t in groups) / 2)
    for number in range(max(sum(certain), 1), len(ends) + 1):
        most = number * (number + 1) // 2
        low, high = min(surely, most), min(perhaps, most)
        normal += _normal_p(number, low, high, tied)
        low, high = max(low - apart, 0), min(high + apart, most)
        middle = [most // 2] if low <= most // 2 <= high else []
        exact += [_exact_p(number, rank_sum) for rank_sum in (low, high, *middle)]  # the least and the greatest p
    spans = [_span("two-sided p of Wilcoxon's test, by the normal distribution", normal)]
    if len(ends) <= MOST_EXACT:
        spans.append(_span("two-sided p of Wilcoxon's test, exact", exact))
    return spans


def _exact_p(number: int, rank_sum: int) -> float:
    """The exact two-sided p for differences without ties."""
    counts = [1]  # of the choices of signs that give each sum of the ranks so far
    for rank in range(1, number + 1):
        counts = [sum(ways) for ways in zip_longest(counts, [0] * rank + counts, fillvalue=0)]
    smaller = min(rank_sum, len(counts) - 1 - rank_sum)
    return float(min(1.0, 2 * sum(counts[: smaller + 1]) / 2**number))


def _tied(ends: Sequence[tuple[Fraction, Fraction]]) -> list[int]:
    """The sizes of the largest possible groups of differences with the same absolute value."""
    sizes = sorted((max(low, -high, Fraction()), max(-low, high)) for low, high in ends)
    groups: list[int] = []
    reach = None
    for least, most in sizes:
        if reach is not None and least <= reach:
            groups[-1] += 1
            reach = max(reach, most)
        else:
            groups.append(1)
            reach = most
    return groups


def _normal_p(number: int, low: int, high: int, tied: int) -> list[float]:
    """Two-sided p of the ends and the middle of rank sums, with and without corrections for continuity and ties."""
    from scipy.stats import norm

    mean = number * (number + 1) / 4
    variance = number * (number + 1) * (2 * number + 1) / 24
    least = variance - min(tied, number**3 - number) / 48
    distances = [abs(low - mean), abs(high - mean), *([0.0] if low <= mean <= high else [])]
    return [
        min(1.0, 2 * float(norm.sf(max(0.0, distance - correction) / math.sqrt(squared))))
        for distance in distances
        for correction in (0.0, 0.5)
        for squared in (variance, least)
    ]
