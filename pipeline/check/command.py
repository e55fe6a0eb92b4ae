"""`python -m pipeline.check TABLE.csv`: test a printed table for impossible figures. No builder is run."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from shlex import quote

from rich.markup import escape

from pipeline.configuration.rules import at_least
from pipeline.csv_text import csv_text
from pipeline.data.catalogue.catalogue import catalogue
from pipeline.errors import ConfigError
from pipeline.printed_table.checks import DataSets, claims_on, exchanged, names_of_sets
from pipeline.printed_table.claim import Claim, Possibility
from pipeline.printed_table.figure import ALL, MEAN, PrintedTable, Rounding
from pipeline.printed_table.measures import ACCURACY, MEASURES
from pipeline.printed_table.reading import read_printed_table
from pipeline.printed_table.shares import Evaluation
from pipeline.screen import console
from pipeline.storage.atomic import check_new_file, new_file
from pipeline.tools import Parser, exit_status, parser_of
from pipeline.words import counted, first_of

COLUMNS = ("test", "verdict", "where", "figures", "proof", "assumes", "question", "tree")
MOST_BUILDERS = 12
MOST_NOTES = 50
MOST_NAMED = 3
"""Most figures of a claim, and most reasons of undecided claims, named on the terminal."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Test a printed table and return the exit status."""
    options = _parser().parse_args(arguments)
    return exit_status(
        "check", partial(_check, options), options.to or "the folder of data", writes=options.to is not None
    )


def _parser() -> Parser:
    parser = parser_of(
        "check",
        "Find the impossible figures of a printed table, each with its proof. No builder is run.",
        epilog=(
            "The table is a CSV of one of two forms. It has a data set in each row and a builder in each column, as "
            "printed, or it has one figure in each row, in the columns source, builder, measure and value. "
            "docs/printed.md describes both forms."
        ),
    )
    parser.add_argument("table", type=Path, help="the CSV of the printed table")
    parser.add_argument(
        "--measure", default=ACCURACY, help=f"measure of the figures, one of {', '.join(MEASURES)} (default: accuracy)"
    )
    parser.add_argument(
        "--rows",
        action="append",
        default=[],
        metavar="NAME=SET",
        help="the data set that a name in the table stands for; can be repeated",
    )
    parser.add_argument(
        "--columns",
        action="append",
        default=[],
        metavar="HEADING=BUILDER",
        help=(
            "what a heading stands for: a builder, optionally with a measure ('C4.5 size=c45 nodes'), `n` for "
            "numbers of rows, `note` for text, or `-` to leave the column out; can be repeated"
        ),
    )
    split = parser.add_mutually_exclusive_group()
    split.add_argument(
        "--folds", type=int, help="folds of the cross-validation behind the figures (default: 2, 3, 5 and 10 are tried)"
    )
    split.add_argument("--test-share", type=_share, metavar="SHARE", help="share of the rows that a hold-out tests")
    parser.add_argument(
        "--repeats", type=int, default=1, help="repeats of the cross-validation or the hold-out (default: 1)"
    )
    parser.add_argument(
        "--rounding",
        choices=[rounding.value for rounding in Rounding],
        default=Rounding.NEAREST.value,
        help="rounding of the figures (default: nearest)",
    )
    parser.add_argument(
        "--decimals", type=int, help="decimals of the accuracies, if the CSV has lost trailing zeros (94 for 94.0)"
    )
    parser.add_argument(
        "--error-free",
        action="store_true",
        help="the trees make no errors on their training data: compare their sizes and depths with exact minima, too",
    )
    parser.add_argument("--to", type=Path, metavar="FILE.csv", help="write all results with their proofs to a new file")
    return parser


def _share(text: str) -> Fraction:
    try:
        result = Fraction(text)
    except (ValueError, ZeroDivisionError):
        result = Fraction()
    if not 0 < result < 1:
        raise argparse.ArgumentTypeError(
            f"{text} is not a share: expected a number between 0 and 1, such as 0.34 or 1/3"
        )
    return result


def _check(options: argparse.Namespace) -> int:
    if options.to is not None:
        check_new_file("--to", options.to)
    for name, least in (("folds", 2), ("repeats", 1), ("decimals", 0)):
        value = getattr(options, name)
        if value is not None:
            at_least(least).check(f"--{name}", value)
    columns, rows = _pairs("columns", options.columns), _pairs("rows", options.rows)
    table = read_printed_table(options.table, columns, options.measure, options.decimals)
    rounding = Rounding(options.rounding)
    table = replace(table, figures=tuple(replace(figure, rounding=rounding) for figure in table.figures))
    data = catalogue(offline=True)
    sets = DataSets(data, names_of_sets(data, table, rows))
    tested = Evaluation(options.folds, options.repeats, options.test_share)
    claims = list(claims_on(table, sets, tested, error_free=options.error_free))
    remarks = [*table.remarks, *exchanged(table, sets.names), *sets.remarks, *_together(sets.without_file)]
    _show(table, claims, remarks)
    if options.to is not None:
        with new_file(options.to, "the claims") as file:
            file.write(csv_text([COLUMNS, *map(_row, claims)]).encode())
    return 0


def _pairs(option: str, given: Sequence[str]) -> Mapping[str, str]:
    result = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals or not name or not value:
            raise ConfigError(f"--{option} {pair!r}: expected NAME=VALUE")
        result[name] = value
    return result


def _together(without_file: Mapping[str, str]) -> list[str]:
    """What to type for all data sets that need no file, if there are several."""
    if len(without_file) < 2:
        return []
    typed = [f"--rows {quote(f'{name}={instead}')}" for name, instead in without_file.items()]
    return [f"without files for these data sets, you can use {' '.join(typed)}"]


def _row(claim: Claim) -> tuple[str, ...]:
    figures = "; ".join(figure.named for figure in claim.figures)
    reason = claim.proof, claim.assumes, claim.question, claim.tree
    return claim.test, str(claim.verdict), claim.where, figures, *reason


def _show(table: PrintedTable, claims: Sequence[Claim], remarks: Sequence[str]) -> None:
    """The impossible figures with their proofs, the number of claims of each test, and the remarks."""
    out = console()
    sources = {figure.source for figure in table.figures} - {MEAN, ALL}
    builders = list(dict.fromkeys(figure.builder for figure in table.figures if figure.builder))
    figures = counted(len(table.figures), "figure")
    named = f": {first_of(builders, MOST_BUILDERS)}" if builders else ""
    out.print(
        f"[bold]{escape(table.file.name)}[/] {figures} of {counted(len(sources), 'data set')} and "
        f"{counted(len(builders), 'builder')}{escape(named)}"
    )
    for test in dict.fromkeys(claim.test for claim in claims):
        of_test = [claim for claim in claims if claim.test == test]
        counts = Counter(claim.verdict for claim in of_test)
        verdicts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Possibility if counts[verdict])
        out.print(f"\n[bold]{test}[/]: {verdicts}")
        if why := dict.fromkeys(claim.proof for claim in of_test if claim.verdict is Possibility.UNDECIDED):
            out.print(f"  undecided: {escape(first_of([*why], MOST_NAMED, '; '))}", soft_wrap=True)
        assumed = ""
        for claim in of_test:
            if claim.verdict is Possibility.IMPOSSIBLE:
                if claim.assumes != assumed:
                    assumed = claim.assumes
                    out.print(f"  [dim]assumed: {escape(assumed)}[/]")
                names = first_of([figure.named for figure in claim.figures], MOST_NAMED, "; ")
                one = len(claim.figures) == 1
                said = "is [red]impossible[/]" if one else "are [red]impossible[/] together"
                out.print(f"  {escape(claim.where)}: [bold]{escape(names)}[/] {said}", soft_wrap=True)
                out.print(f"    {escape(claim.proof)}", soft_wrap=True)
    out.print()
    tested = {id(figure) for claim in claims for figure in claim.figures}
    if untested := [figure for figure in table.figures if id(figure) not in tested]:
        names = first_of([figure.named for figure in untested], MOST_NAMED, "; ")
        out.print(f"{counted(len(untested), 'figure')} not tested: {escape(names)}", soft_wrap=True)
    for remark in remarks[:MOST_NOTES]:
        out.print(f"[yellow]note[/] {escape(remark)}", soft_wrap=True)
    if len(remarks) > MOST_NOTES:
        out.print(
            f"[yellow]note[/] {counted(len(remarks) - MOST_NOTES, 'more note')} not shown: first mend the notes above"
        )
