"""Figures of a printed table that must add up: nodes, errors, means of columns, standard deviations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import count

from pipeline.printed_table.claim import Claim, Possibility, sum_of
from pipeline.printed_table.figure import ALL, MEAN, PER_CENT, Interval, PrintedFigure
from pipeline.printed_table.shares import decimal
from pipeline.words import counted

SUMS = (("nodes", ("nonterminal_nodes", "terminal_nodes"), "a tree's nodes are its nonterminal nodes and its leaves"),)
SAME_TREES = "the nodes include the leaves; all figures are of the same trees"
SAME_ROWS = "both figures are of the same rows; each row is either right or wrong"
A_DEVIATION = "the number beside the figure is a standard deviation of two or more runs, with the divisor runs - 1"
COMPLEMENTS = (("accuracy", "error"), ("train_accuracy", "train_error"))

FiguresByCell = Mapping[tuple[str, str, str], PrintedFigure]
"""Figures, keyed by source, builder and the name of the measure."""


def arithmetic_claims(figures: Sequence[PrintedFigure]) -> Iterator[Claim]:
    """Claims on figures that are sums, complements or means of others, and on standard deviations.

    Each allows for the rounding of every figure in it.
    """
    cells = by_cell(figures)
    for source, builder in dict.fromkeys((figure.source, figure.builder) for figure in figures):
        for whole, parts, rule in SUMS:
            if terms := _of_measures(cells, source, builder, (whole, *parts)):
                yield _sum(terms, rule)
        for complement in COMPLEMENTS:
            if terms := _of_measures(cells, source, builder, complement):
                yield _complement(terms)
    for figure in figures:
        if figure.below:
            continue
        if figure.source == MEAN:
            column = [
                cell
                for cell in figures
                if (cell.builder, cell.measure) == (figure.builder, figure.measure) and cell.source not in (MEAN, ALL)
            ]
            if len(column) > 1 and not any(cell.below for cell in column):
                yield _mean(figure, column)
        elif figure.standard_deviation is not None and figure.measure.share:
            yield _spread(figure)


def by_cell(figures: Sequence[PrintedFigure]) -> FiguresByCell:
    """The figures that give a number, not an upper bound, by their cells."""
    return {(figure.source, figure.builder, figure.measure.name): figure for figure in figures if not figure.below}


def _of_measures(cells: FiguresByCell, source: str, builder: str, measures: Sequence[str]) -> Sequence[PrintedFigure]:
    """The figures of these measures in order; empty if one is not printed."""
    keys = [(source, builder, measure) for measure in measures]
    return [cells[key] for key in keys] if all(key in cells for key in keys) else []


def bounds_of_sum(intervals: Sequence[Interval]) -> tuple[Fraction, Fraction]:
    """The least and the greatest sum of numbers, with one number of each interval."""
    return sum((term.low for term in intervals), Fraction()), sum((term.high for term in intervals), Fraction())


def meets(interval: Interval, low: Fraction, high: Fraction) -> bool:
    """Whether an interval has a number from low to high; both ends of it count, whichever way halves are rounded."""
    return interval.low <= high and low <= interval.high


def _sum(figures: Sequence[PrintedFigure], rule: str) -> Claim:
    """A claim that the first figure is the sum of the others."""
    whole, *parts = figures
    low, high = bounds_of_sum([part.numbers() for part in parts])
    terms = " + ".join(part.text for part in parts)
    possible = meets(whole.numbers(), low, high)
    proof = f"{rule}: {terms} is from {decimal(low)} to {decimal(high)} before rounding, and {whole.text} is printed"
    return Claim("arithmetic", figures, Possibility.of(possible), proof, SAME_TREES, sum_of(parts, whole.value))


def _complement(figures: Sequence[PrintedFigure]) -> Claim:
    """A claim that two figures add up to 100 %."""
    right, wrong = figures
    low, high = bounds_of_sum([figure.numbers() for figure in figures])
    possible = low <= PER_CENT <= high
    proof = (
        f"{right.measure.name} {right.text} and {wrong.measure.name} {wrong.text} "
        f"{'make' if possible else 'do not make'} {PER_CENT} %"
    )
    return Claim("arithmetic", figures, Possibility.of(possible), proof, SAME_ROWS, sum_of(figures, PER_CENT))


def _mean(figure: PrintedFigure, column: Sequence[PrintedFigure]) -> Claim:
    """A claim that a figure is the mean of its column."""
    low, high = (end / len(column) for end in bounds_of_sum([cell.numbers() for cell in column]))
    possible = meets(figure.numbers(), low, high)
    mean = sum((cell.value for cell in column), Fraction()) / len(column)
    proof = (
        f"the {counted(len(column), 'figure')} of the column have the mean {decimal(mean, 4)}, between "
        f"{decimal(low, 4)} and {decimal(high, 4)} before they were rounded"
    )
    values = ", ".join(decimal(cell.value, 10) for cell in column)
    question = f"select avg(x), count(*) from unnest([{values}]) t(x)"
    assumes = f"the figure is the arithmetic mean of the {len(column)} figures of the column, each counted once"
    return Claim("arithmetic", [figure], Possibility.of(possible), proof, assumes, question, whole=True)


def _least(printed: Fraction) -> Fraction:
    """The least number that rounds to a printed decimal, if the printed decimal may have lost zeros at its end."""
    digits = next(digits for digits in count() if (printed * 10**digits).denominator == 1)
    return max(printed - Fraction(1, 2 * 10**digits), Fraction())


def _spread(figure: PrintedFigure) -> Claim:
    """A claim on a standard deviation: that of two or more numbers from 0 to 100 is at most sqrt(2 m (100 - m)).

    m is the mean of the numbers.
    """
    numbers, deviation = figure.numbers(), figure.standard_deviation
    assert deviation is not None  # the caller checks it
    nearest = min(max(Fraction(PER_CENT, 2), numbers.low), numbers.high)
    most = 2 * nearest * (PER_CENT - nearest)
    possible = _least(deviation) ** 2 <= most
    proof = (
        f"two or more numbers from 0 to {PER_CENT} with the mean {decimal(nearest, 4)} have a standard deviation of at "
        f"most {decimal(Fraction(max(float(most), 0.0) ** 0.5), 4)}"
    )
    mean = decimal(nearest, 10)
    question = f"select sqrt(2 * {mean} * ({PER_CENT} - {mean})) as most, {decimal(deviation, 10)} as printed"
    return Claim("arithmetic", [figure], Possibility.of(possible), proof, A_DEVIATION, question)
