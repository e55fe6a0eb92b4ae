"""Tests whether the ranks, wins, ties and losses of a printed table follow from its accuracies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, groupby

from pipeline.printed_table.arithmetic import bounds_of_sum, meets
from pipeline.printed_table.claim import Claim, Possibility, mean_ranks_by, ranks_by, sum_of, wins_by
from pipeline.printed_table.figure import ALL, MEAN, PrintedFigure, Rounding
from pipeline.printed_table.shares import decimal
from pipeline.words import counted

PAIR = re.compile(r"(.+?)\s+(?:vs\.?|v\.|against|versus)\s+(.+)")
ALL_RANKED = "all builders that were ranked are in the table"
SHARED = "tied builders share the mean of their ranks"
TIED = "n tied builders take up n ranks"
BY_ACCURACY = "a win is any difference of accuracies, significant or not; all data sets are in the table"
COUNTS = ("wins", "ties", "losses")

Accuracies = Mapping[str, Mapping[str, PrintedFigure]]
"""Accuracies by source and builder."""


@dataclass(frozen=True)
class RankRange:
    """The best and the worst rank that the printed digits of an accuracy allow."""

    best: int
    worst: int

    @property
    def possibly_tied(self) -> int:
        """The number of builders, with its own, whose accuracies may equal its own."""
        return self.worst - self.best + 1


def rank_ranges(row: Mapping[str, PrintedFigure]) -> dict[str, RankRange]:
    """The ranks of the builders on a data set, 1 for the most accurate, by their printed accuracies."""
    return {
        name: RankRange(
            1 + sum(_above(other, accuracy) for other in row.values()),
            sum(not _above(accuracy, other) for other in row.values()),
        )
        for name, accuracy in row.items()
    }


def _above(left: PrintedFigure, right: PrintedFigure) -> bool:
    """Whether the left accuracy is surely greater. Of two that print alike, either may be."""
    if left.digits == right.digits:
        return left.value > right.value
    return left.numbers(Rounding.ANY).low > right.numbers(Rounding.ANY).high


def accuracies_of(figures: Sequence[PrintedFigure]) -> dict[str, dict[str, PrintedFigure]]:
    """The test accuracies by source and builder, without upper bounds."""
    result: dict[str, dict[str, PrintedFigure]] = {}
    for figure in figures:
        if figure.measure.name == "accuracy" and figure.source not in (MEAN, ALL) and not figure.below:
            result.setdefault(figure.source, {})[figure.builder] = figure
    return result


def rank_claims(figures: Sequence[PrintedFigure]) -> Iterator[Claim]:
    """Claims on ranks, by the accuracies and by their known sum, and on wins, ties and losses."""
    accuracies = accuracies_of(figures)
    ranks: dict[str, dict[str, PrintedFigure]] = {}
    for figure in figures:
        if figure.measure.name == "rank" and figure.source != ALL:
            ranks.setdefault(figure.source, {})[figure.builder] = figure
    for source, row in ranks.items():
        if source == MEAN:
            yield from _mean_ranks(row, ranks, accuracies)
        else:
            yield from _ranks(row, accuracies.get(source, {}))
    yield from _counts(figures, accuracies)


def _ranks(row: Mapping[str, PrintedFigure], accuracies: Mapping[str, PrintedFigure]) -> Iterator[Claim]:
    """Claims on the ranks of a data set."""
    if set(row) <= set(accuracies):
        ranges = rank_ranges(accuracies)
        for name, figure in row.items():
            ranks, accuracy = ranges[name], accuracies[name]
            possible = meets(figure.numbers(), Fraction(ranks.best), Fraction(ranks.worst))
            proof = (
                f"accuracy {accuracy.text} has {counted(ranks.best - 1, 'accuracy', 'accuracies')} above it and "
                f"{len(accuracies) - ranks.worst} below, so its rank is {_span(ranks)}"
            )
            assumes = (
                "rank 1 is the most accurate of the builders that have an accuracy here; of two equal printed "
                f"accuracies, either may be the greater; {TIED}"
            )
            question = ranks_by(accuracies.values())
            yield Claim("ranks", [figure, accuracy], Possibility.of(possible), proof, assumes, question, whole=True)
    elif len(row) > 1:
        yield _is_ranking(list(row.values()))


def _span(ranks: RankRange) -> str:
    return f"{ranks.best}" if ranks.best == ranks.worst else f"{ranks.best} to {ranks.worst}"


CONVENTIONS: Mapping[str, Callable[[int, int], Fraction]] = {
    "the mean of their ranks": lambda best, tied: best + Fraction(tied - 1, 2),
    "the best of their ranks": lambda best, _: Fraction(best),
    "the worst of their ranks": lambda best, tied: Fraction(best + tied - 1),
}
"""The rank that tied builders share, from the best of their ranks and their number."""


def _is_ranking(row: Sequence[PrintedFigure]) -> Claim:
    """A claim that ranks without accuracies are those of some order, with or without ties."""
    ordered = sorted(row, key=lambda figure: figure.value)
    groups = [list(tied) for _, tied in groupby(ordered, key=lambda figure: figure.value)]
    for convention, shared_rank in CONVENTIONS.items():
        best_ranks = accumulate(map(len, groups), initial=1)
        expected = [shared_rank(best, len(tied)) for best, tied in zip(best_ranks, groups, strict=False) for _ in tied]
        if all(meets(figure.numbers(), rank, rank) for figure, rank in zip(ordered, expected, strict=True)):
            proof = f"an order of {len(row)} builders has these ranks, if tied builders have {convention}"
            return Claim("ranks", row, Possibility.POSSIBLE, proof)
    total, expected_total = sum((figure.value for figure in row), Fraction()), len(row) * (len(row) + 1) // 2
    sums = f"these ranks sum to {decimal(total)}, but ranks without ties sum to {expected_total}"
    why = f"; {sums}" if total != expected_total else ""
    proof = (
        f"no order of {len(row)} builders has the ranks {', '.join(figure.text for figure in ordered)}, whether tied "
        f"builders have the mean, the best or the worst of their ranks{why}"
    )
    question = sum_of(row, expected_total)
    return Claim("ranks", row, Possibility.IMPOSSIBLE, proof, f"{ALL_RANKED}; {TIED}", question, whole=True)


def _mean_ranks(
    row: Mapping[str, PrintedFigure], ranks: Mapping[str, Mapping[str, PrintedFigure]], accuracies: Accuracies
) -> Iterator[Claim]:
    """Claims on average ranks: on their sum, and on each where the table has the accuracies, but not the ranks."""
    if len(row) > 1:
        low, high = bounds_of_sum([figure.numbers() for figure in row.values()])
        expected = Fraction(len(row) * (len(row) + 1), 2)
        possible = low <= expected <= high
        proof = (
            f"average ranks of {len(row)} builders sum to {expected}; the printed average ranks sum to between "
            f"{decimal(low)} and {decimal(high)} before rounding"
        )
        assumes, question = f"{ALL_RANKED}; {SHARED}", sum_of(row.values(), expected)
        yield Claim("ranks", list(row.values()), Possibility.of(possible), proof, assumes, question, whole=True)
    if len(ranks) > 1 or not accuracies or not all(set(row) <= set(own) for own in accuracies.values()):
        return
    ranges = [rank_ranges(own) for own in accuracies.values()]
    question = mean_ranks_by(accuracy for own in accuracies.values() for accuracy in own.values())
    for name, figure in row.items():
        best = Fraction(sum(of_set[name].best for of_set in ranges), len(ranges))
        worst = Fraction(sum(of_set[name].worst for of_set in ranges), len(ranges))
        possible = meets(figure.numbers(), best, worst)
        interval = f"from {decimal(best, 4)} to {decimal(worst, 4)}"
        proof = f"by the accuracies on {len(ranges)} data sets, this average rank is {interval}"
        assumes = f"ranked on these data sets; {SHARED}"
        yield Claim("ranks", [figure], Possibility.of(possible), proof, assumes, question, whole=True)


@dataclass(frozen=True)
class BuilderPair:
    """Two builders on the data sets for which a table has their accuracies.

    left, right : their accuracies on these data sets
    """

    left: Sequence[PrintedFigure]
    right: Sequence[PrintedFigure]

    @property
    def wins(self) -> int:
        """The number of data sets on which the left builder is surely more accurate."""
        return sum(_above(left, right) for left, right in zip(self.left, self.right, strict=True))

    @property
    def losses(self) -> int:
        """The number of data sets on which it is surely less accurate."""
        return BuilderPair(self.right, self.left).wins

    @property
    def alike(self) -> int:
        """The number of data sets on which both print alike."""
        return len(self.left) - self.wins - self.losses


def pair_named(builder: str, accuracies: Accuracies) -> BuilderPair | None:
    """The two builders that `A vs B` names; None if the table lacks an accuracy of either for a data set."""
    matched = PAIR.fullmatch(builder)
    if matched is None:
        return None
    left, right = matched.groups()
    rows = [row for row in accuracies.values() if left in row or right in row]
    if not rows or not all(left in row and right in row for row in rows):
        return None
    return BuilderPair([row[left] for row in rows], [row[right] for row in rows])


def _counts(figures: Sequence[PrintedFigure], accuracies: Accuracies) -> Iterator[Claim]:
    """Claims on wins, ties and losses: on each, and on their sum."""
    by_pair: dict[tuple[str, str], dict[str, PrintedFigure]] = {}
    for figure in figures:
        if figure.measure.name in COUNTS:
            by_pair.setdefault((figure.builder, figure.source), {})[figure.measure.name] = figure
    for (builder, source), counts in by_pair.items():
        pair = pair_named(builder or source, accuracies)
        sets = len(pair.left) if pair else next((figure.n for figure in counts.values() if figure.n), None)
        if sets and len(counts) == len(COUNTS):
            total = sum((figure.value for figure in counts.values()), Fraction())
            proof = f"{' + '.join(counts[name].text for name in COUNTS)} = {total}, of {counted(sets, 'data set')}"
            verdict, question = Possibility.of(total == sets), sum_of(counts.values(), sets)
            yield Claim("arithmetic", list(counts.values()), verdict, proof, BY_ACCURACY, question, whole=True)
        if pair:
            question = wins_by(pair.left, pair.right)
            for name, least in (("wins", pair.wins), ("ties", 0), ("losses", pair.losses)):
                if name in counts:
                    value = counts[name].value
                    possible = least <= value <= least + pair.alike
                    at_most = f" to {least + pair.alike}" if pair.alike else ""
                    proof = f"by the accuracies on {len(pair.left)} data sets: {least}{at_most}"
                    verdict = Possibility.of(possible)
                    yield Claim("ranks", [counts[name]], verdict, proof, BY_ACCURACY, question, whole=True)
