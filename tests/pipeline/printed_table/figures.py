"""Figures of made-up printed tables, verdicts of claims on them, and the figures of a table that was read."""

from __future__ import annotations

from fractions import Fraction

from pipeline.printed_table.figure import PrintedFigure
from pipeline.printed_table.measures import MEASURES


def figure(source, builder, measure, text, line=2, **more):
    digits = len(str(text).partition(".")[2])
    return PrintedFigure(
        line, builder, source, builder, MEASURES[measure], str(text), Fraction(str(text)), digits, **more
    )


def verdicts(claims):
    return [str(claim.verdict) for claim in claims]


def cells(table):
    return [(figure.source, figure.builder, figure.measure.name, float(figure.value)) for figure in table.figures]
