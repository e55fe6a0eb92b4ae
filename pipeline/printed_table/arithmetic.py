"""Figures of a printed table that must add up: nodes, errors, means of columns, standard deviations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import count

from pipeline.printed_table.claim import Claim, Possibility
from pipeline.printed_table.figure import ALL, MEAN, PER_CENT, PrintedFigure
from pipeline.printed_table.granularity import Interval, Rounding
from pipeline.printed_table.shares import decimal
from pipeline.words import counted

__all__ = ["arithmetic_claims", "of_cells"]

SUMS = (("nodes", ("nonterminal_nodes", "terminal_nodes"), "a tree's nodes are its nonterminal nodes and its leaves"),)
SAME_TREES = "nodes are counted with the leaves; all are of the same trees"
SAME_ROWS = "both are of the same rows, each of which is either right or wrong"
A_DEVIATION = "what is beside it is a standard deviation of two runs or more, divided by runs less 1"
COMPLEMENTS = (("accuracy", "error"), ("train_accuracy", "train_error"))

By = Mapping[tuple[str, str, str], PrintedFigure]
"""Figures by source, builder and measure."""


def arithmetic_claims(figures: Sequence[PrintedFigure], rounding: Rounding = Rounding.NEAREST) -> Iterator[Claim]:
    """Claims on figures that are sums, complements or means of others, and on standard deviations.

    Each allows for the rounding of every figure in it.
    """
    known = of_cells(figures)
    places = dict.fromkeys((figure.source, figure.builder) for figure in figures)
    for source, builder in places:
        for whole, parts, rule in SUMS:
            found = [known.get((source, builder, name)) for name in (whole, *parts)]
            if all(found):
                yield _sum([one for one in found if one], rule, rounding)
        for right, wrong in COMPLEMENTS:
            found = [known.get((source, builder, name)) for name in (right, wrong)]
            if all(found):
                yield _complement([one for one in found if one], rounding)
    for figure in figures:
        if figure.source == MEAN:
            own = [
                one
                for one in figures
                if (one.builder, one.measure) == (figure.builder, figure.measure) and one.source not in (MEAN, ALL)
            ]
            if len(own) > 1 and not any(one.below for one in own):
                yield _mean(figure, own, rounding)
        elif figure.standard_deviation is not None and figure.measure.share:
            yield _spread(figure, rounding)


def of_cells(figures: Sequence[PrintedFigure]) -> By:
    """The figures by what they are of."""
    return {(one.source, one.builder, one.measure.name): one for one in figures if not one.below}


def added(intervals: Sequence[Interval]) -> tuple[Fraction, Fraction]:
    """The least and the greatest sum of numbers, one of each interval."""
    return sum((one.low for one in intervals), Fraction()), sum((one.high for one in intervals), Fraction())


def meets(interval: Interval, low: Fraction, high: Fraction) -> bool:
    """Whether an interval has a number from low to high; an end counts, whichever way halves are rounded."""
    return interval.low <= high and low <= interval.high


def _sum(found: Sequence[PrintedFigure], rule: str, rounding: Rounding) -> Claim:
    whole, *parts = found
    low, high = added([one.numbers(rounding) for one in parts])
    terms = " + ".join(one.text for one in parts)
    possible = meets(whole.numbers(rounding), low, high)
    proof = f"{rule}: {terms}, which is from {decimal(low)} to {decimal(high)} before rounding, for {whole.text}"
    return Claim("arithmetic", found, Possibility.of(possible), proof, SAME_TREES, _added(whole, parts))


def _added(whole: PrintedFigure, parts: Sequence[PrintedFigure]) -> str:
    terms = " + ".join(f"{one.value.numerator}/{one.value.denominator}" for one in parts)
    return f"select {terms} as added, {whole.value.numerator}/{whole.value.denominator} as printed"


def _complement(found: Sequence[PrintedFigure], rounding: Rounding) -> Claim:
    right, wrong = found
    low, high = added([one.numbers(rounding) for one in found])
    possible = low <= PER_CENT <= high
    proof = (
        f"{right.measure.name} {right.text} and {wrong.measure.name} {wrong.text} "
        f"{'make' if possible else 'do not make'} {PER_CENT} %"
    )
    return Claim("arithmetic", found, Possibility.of(possible), proof, SAME_ROWS)


def _mean(figure: PrintedFigure, own: Sequence[PrintedFigure], rounding: Rounding) -> Claim:
    low, high = (end / len(own) for end in added([one.numbers(rounding) for one in own]))
    possible = meets(figure.numbers(rounding), low, high)
    mean = sum((one.value for one in own), Fraction()) / len(own)
    proof = (
        f"the {counted(len(own), 'figure')} of the column have the mean {decimal(mean, 4)}, between "
        f"{decimal(low, 4)} and {decimal(high, 4)} before they were rounded"
    )
    values = ", ".join(decimal(one.value, 10) for one in own)
    question = f"select avg(x), count(*) from unnest([{values}]) t(x)"
    assumes = f"the mean is the arithmetic one of the {len(own)} figures of the column, each counted once"
    return Claim("arithmetic", [figure], Possibility.of(possible), proof, assumes, question, whole=True)


def _least(printed: Fraction) -> Fraction:
    """The least number that is printed as a decimal one, zeros at whose end are lost."""
    digits = next(digits for digits in count() if (printed * 10**digits).denominator == 1)
    return max(printed - Fraction(1, 2 * 10**digits), Fraction())


def _spread(figure: PrintedFigure, rounding: Rounding) -> Claim:
    """Of numbers from 0 to 100 with mean m, two or more, the deviation is at most sqrt(2 m (100 - m))."""
    numbers, deviation = figure.numbers(rounding), figure.standard_deviation
    assert deviation is not None  # its caller looks
    nearest = min(max(Fraction(PER_CENT, 2), numbers.low), numbers.high)
    most = 2 * nearest * (PER_CENT - nearest)
    possible = _least(deviation) ** 2 <= most
    proof = (
        f"numbers from 0 to {PER_CENT} with the mean {decimal(nearest, 4)} deviate by at most "
        f"{decimal(Fraction(max(float(most), 0.0) ** 0.5), 4)}"
    )
    return Claim("arithmetic", [figure], Possibility.of(possible), proof, A_DEVIATION)
