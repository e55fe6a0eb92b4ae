"""Printed statistics of tests that the accuracies or ranks of their table do not give.

Rounding leaves an accuracy open by half a unit, and which of two alike is the greater. So each statistic is bounded
from both sides over all accuracies that print as the table does, and is impossible only outside these bounds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest

from pipeline.printed_table.claim import Claim, Possibility
from pipeline.printed_table.figure import ALL, MEAN, PrintedFigure
from pipeline.printed_table.granularity import Rounding
from pipeline.printed_table.ranks import Duel, accuracies_of, duel_of, standings_of
from pipeline.summary.statistics import critical_difference
from pipeline.words import counted

__all__ = ["significance_claims"]

LEVELS = (0.05, 0.1)
MOST_EXACT = 50
"""Differences up to which Wilcoxon's test is computed exactly as well as by the normal distribution."""
SLACK = 1e-9
"""Of floating-point numbers."""
QUANTILE_NEAR = 0.001
"""How far the quantiles of printed tables are from exact ones, as 2.949 in Demšar (2006, table 5) for 2.9483."""
OF_PAIR = "the p is two-sided, and not adjusted for other tests"
ASSUMED = {
    "critical_difference": "its level is 5 or 10 %, and its test is named here",
    "friedman": "it is Friedman's chi-squared, or Iman and Davenport's F",
    "friedman_p": "p is by the chi-squared or the F distribution",
    "sign_p": OF_PAIR,
    "wilcoxon_p": OF_PAIR,
}
"""What a claim assumes, by the measure of its figure."""


@dataclass(frozen=True)
class Span:
    """A statistic between two numbers, and how it is computed."""

    said: str
    low: float
    high: float


def significance_claims(figures: Sequence[PrintedFigure], rounding: Rounding = Rounding.NEAREST) -> Iterator[Claim]:
    """Claims on critical differences, Friedman's test, the sign test and Wilcoxon's signed-rank test."""
    for figure in figures:
        spans: list[Span] = []
        match figure.measure.name:
            case "critical_difference":
                spans = _critical_differences(figures)
            case "friedman":
                spans = _friedman(figures, rounding)
            case "friedman_p":
                spans = _friedman_p(figures, rounding)
            case "sign_p" | "wilcoxon_p" as name if duel := duel_of(figure.builder, accuracies_of(figures)):
                spans = _sign_p(duel) if name == "sign_p" else _wilcoxon_p(duel, rounding)
        if spans:
            yield _claim(figure, spans, rounding)


def _claim(figure: PrintedFigure, spans: Sequence[Span], rounding: Rounding) -> Claim:
    numbers = figure.numbers(rounding)
    low, high = (-math.inf if figure.below else float(numbers.low)), float(numbers.high)
    fits = [span for span in spans if low <= span.high + SLACK and span.low - SLACK <= high]
    shown = fits[:1] or spans
    proof = "; ".join(f"{span.said}: {_between(span)}" for span in shown)
    assumes = f"all builders and data sets are in the table; {ASSUMED[figure.measure.name]}"
    return Claim("significance", [figure], Possibility.of(bool(fits)), proof, assumes, whole=True)


def _between(span: Span) -> str:
    low, high = (f"{end:.4g}" for end in (span.low, span.high))
    return low if low == high else f"{low} to {high}"


def _size(figures: Sequence[PrintedFigure]) -> tuple[int, int]:
    """How many builders and data sets the table has: those with accuracies, else with ranks."""
    for name in ("accuracy", "rank"):
        own = [one for one in figures if one.measure.name == name]
        builders = {one.builder for one in own}
        sources = {one.source for one in own} - {MEAN, ALL}
        if len(builders) > 1 and sources:
            return len(builders), len(sources)
    return 0, 0


def _critical_differences(figures: Sequence[PrintedFigure]) -> list[Span]:
    """Of Nemenyi's test and of Bonferroni and Dunn's (Demšar 2006, section 3.2.2)."""
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
        near = QUANTILE_NEAR * error
        result += [
            Span(f"{name} {of} at {100 * level:g} %", exact - near, exact + near)
            for name, exact in (("Nemenyi's", nemenyi), ("Bonferroni and Dunn's", dunn))
        ]
    return result


def _chi_squared(figures: Sequence[PrintedFigure], rounding: Rounding) -> tuple[float, float, int, int] | None:
    """The least and the greatest chi-squared of Friedman's test, and how many builders and data sets it is over.

    It grows with the sum of squared average ranks, each of which is bounded.
    """
    accuracies = accuracies_of(figures)
    builders, sets = _size(figures)
    means = {one.builder: one for one in figures if one.measure.name == "rank" and one.source == MEAN}
    whole = [standings_of(row) for row in accuracies.values() if len(row) == builders]
    if builders > 1 and accuracies and len(whole) == len(accuracies):
        names = list(whole[0])
        ends = [
            (sum(one[name].best for one in whole) / sets, sum(one[name].worst for one in whole) / sets)
            for name in names
        ]
    elif len(means) > 1 and sets:
        builders = len(means)
        ends = [(float(one.numbers(rounding).low), float(one.numbers(rounding).high)) for one in means.values()]
    else:
        return None
    centre = (builders + 1) / 2
    least = sum(max(0.0, low - centre, centre - high) ** 2 for low, high in ends)
    most = sum(max(abs(low - centre), abs(high - centre)) ** 2 for low, high in ends)
    factor = 12 * sets / (builders * (builders + 1))
    greatest = sets * (
        builders - 1.0
    )  # also of average ranks alone: a correction for ties, which they hide, adds to it
    return factor * least, min(factor * most, greatest) if accuracies else greatest, builders, sets


def _friedman(figures: Sequence[PrintedFigure], rounding: Rounding) -> list[Span]:
    """Chi-squared, and Iman and Davenport's F, which is made of it (Demšar 2006, section 3.2.2)."""
    found = _chi_squared(figures, rounding)
    if found is None:
        return []
    low, high, builders, sets = found
    return [Span("Friedman's chi-squared", low, high), Span("Iman and Davenport's F", *_f(low, high, builders, sets))]


def _f(low: float, high: float, builders: int, sets: int) -> tuple[float, float]:
    most = sets * (builders - 1)

    def statistic(chi: float) -> float:
        return (sets - 1) * chi / (most - chi) if chi < most else math.inf

    return statistic(low), statistic(high)


def _friedman_p(figures: Sequence[PrintedFigure], rounding: Rounding) -> list[Span]:
    from scipy.stats import chi2, f

    found = _chi_squared(figures, rounding)
    if found is None:
        return []
    low, high, builders, sets = found
    less, more = _f(low, high, builders, sets)
    free = (builders - 1, (builders - 1) * (sets - 1))
    return [
        Span("p of Friedman's chi-squared", float(chi2.sf(high, free[0])), float(chi2.sf(low, free[0]))),
        Span("p of Iman and Davenport's F", float(f.sf(more, *free)), float(f.sf(less, *free))),
    ]


def _span(said: str, values: Iterable[float]) -> Span:
    found = list(values)
    return Span(said, min(found), max(found))


def _sign_p(duel: Duel) -> list[Span]:
    """Of the sign test, two-sided, exact and by the normal distribution: ties are left out, or divided between both."""
    from scipy.stats import binomtest, norm

    wins, alike = duel.wins, duel.alike
    ways = [(more, less) for more in range(alike + 1) for less in range(alike + 1 - more)]
    counts = [(wins + more, duel.losses + less) for more, less in ways]
    left_out = [binomtest(won, won + lost).pvalue if won + lost else 1.0 for won, lost in counts]
    divided = [binomtest(won, len(duel.left)).pvalue for won in range(wins, wins + alike + 1)]
    counts += [(won, len(duel.left) - won) for won in range(wins, wins + alike + 1)]
    scores = [abs(won - lost) / math.sqrt(won + lost) for won, lost in counts if won + lost]
    return [
        _span("two-sided p of the sign test", [*left_out, *divided]),
        _span("two-sided p of the sign test, by the normal distribution", (2 * float(norm.sf(one)) for one in scores)),
    ]


def _wilcoxon_p(duel: Duel, rounding: Rounding) -> list[Span]:
    """Of Wilcoxon's signed-rank test, two-sided, zeros left out or ranked as Pratt (1959) does.

    The rank sum of the positive differences is the number of pairs i <= j of differences whose sum is positive (Tukey);
    with differences that are known up to rounding, such sums are surely positive, or perhaps.
    """
    ends = []
    for one, other in zip(duel.left, duel.right, strict=True):
        mine, theirs = one.numbers(rounding), other.numbers(rounding)
        ends.append((mine.low - theirs.high, mine.high - theirs.low))
    pairs = [(i, j) for j in range(len(ends)) for i in range(j + 1)]
    certain = [low > 0 or high < 0 for low, high in ends]  # others may be zeros, which have no pairs
    surely = sum(ends[i][0] + ends[j][0] > 0 and certain[i] and certain[j] for i, j in pairs)
    perhaps = sum(ends[i][1] + ends[j][1] >= 0 for i, j in pairs)
    positive = sum(low > 0 for low, _ in ends), sum(high >= 0 for _, high in ends)
    nonzero = sum(certain)
    tied, exact, normal = _tied(ends), [], []
    for number in range(max(nonzero, 1), len(ends) + 1):
        exact += [_exact_p(number, one) for one in _extremes(surely, perhaps, number)]
        for zeros in {0, len(ends) - number}:
            low, high = surely + zeros * positive[0], perhaps + zeros * min(positive[1], number)
            normal += _normal_p(number, zeros, low, high, tied)
    spans = [_span("two-sided p of Wilcoxon's test, by the normal distribution", normal)]
    if len(ends) <= MOST_EXACT:
        spans.append(_span("two-sided p of Wilcoxon's test, exact", exact))
    return spans


def _extremes(low: int, high: int, number: int) -> set[int]:
    """The rank sums of so many differences that give the least and the greatest p: the ends, and the middle."""
    most = number * (number + 1) // 2
    low, high = min(low, most), min(high, most)
    middle = most // 2
    return {low, high, *((middle, most - middle) if low <= middle <= high else ())}


def _exact_p(number: int, rank_sum: int) -> float:
    """Two-sided, of differences without ties."""
    counts = [1]
    for rank in range(1, number + 1):  # of the signs that give each sum of the ranks so far
        counts = [sum(ways) for ways in zip_longest(counts, [0] * rank + counts, fillvalue=0)]
    smaller = min(rank_sum, len(counts) - 1 - rank_sum)
    return float(min(1.0, 2 * sum(counts[: smaller + 1]) / 2**number))


def _tied(ends: Sequence[tuple[Fraction, Fraction]]) -> int:
    """The most that the sum of t^3 - t can be over groups of t differences that are alike but for their sign."""
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
    return sum(t**3 - t for t in groups)


def _normal_p(number: int, zeros: int, low: int, high: int, tied: int) -> list[float]:
    """Two-sided p of the ends and the middle of some rank sums, corrected for continuity and ties, and not."""
    from scipy.stats import norm

    n = number + zeros
    mean = (n * (n + 1) - zeros * (zeros + 1)) / 4
    variance = (n * (n + 1) * (2 * n + 1) - zeros * (zeros + 1) * (2 * zeros + 1)) / 24
    least = max(variance - tied / 48, variance / (2 * n))  # if all are tied, 1 / n or more of it is left
    far = [abs(low - mean), abs(high - mean), *([0.0] if low <= mean <= high else [])]
    return [
        min(1.0, 2 * float(norm.sf(max(0.0, apart - correction) / math.sqrt(one))))
        for apart in far
        for correction in (0.0, 0.5)
        for one in (variance, least)
    ]
