"""The unit of printed shares: percent, or from 0 to 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipeline.printed_table.figure import PER_CENT, PrintedFigure
from pipeline.printed_table.lines import Remarks

ERRORS = ("error", "train_error")


def in_percent(figures: Sequence[PrintedFigure], remarks: Remarks) -> list[PrintedFigure]:
    """The figures with shares in percent. If no share of the table is above 1, they are read as shares from 0 to 1.

    Otherwise, an accuracy such as 0.9 or 1.0 is left out with a remark, because it is a share from 0 to 1. So is an
    error with more digits than the figures in percent.
    """
    shares = [figure for figure in figures if figure.measure.share]
    percent = [figure for figure in shares if figure.value > 1]
    if not percent:
        return [_percent(figure) if figure.measure.share else figure for figure in figures]
    usual = dict.fromkeys(ERRORS, max(figure.digits for figure in percent))  # errors below 1 % are common
    such = f"{percent[0].text} in line {percent[0].line}"
    result = []
    for figure in figures:
        if figure.measure.share and figure.value > PER_CENT:
            remarks.say(f"{figure.where}: {figure.named} is above {PER_CENT} %: check the cell, and its column")
        if figure.measure.share and 0 < figure.value <= 1 and figure.digits > usual.get(figure.measure.name, 0):
            remarks.left_out(
                f"{figure.where}: {figure.named} is a share from 0 to 1, beside figures in percent, such as {such}"
            )
        else:
            result.append(figure)
    return result


def _percent(figure: PrintedFigure) -> PrintedFigure:
    """A share from 0 to 1 in percent."""
    deviation, right = (
        None if share is None else share * PER_CENT for share in (figure.standard_deviation, figure.corrected)
    )
    value, digits = figure.value * PER_CENT, figure.digits - 2
    spread = "" if deviation is None else f" ± {float(deviation):g}"
    return replace(
        figure,
        value=value,
        digits=digits,
        standard_deviation=deviation,
        corrected=right,
        percent=f"{'<' if figure.below else ''}{float(value):.{max(digits, 0)}f}{spread}",
    )
