"""Printed figures beside ours, from summary tables, each with its verdict."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from string import Formatter
from typing import TYPE_CHECKING

from pipeline.summary.tables import VERDICT, Layout, Pair, SummaryTable, Value, same
from pipeline.summary.verdicts import Verdict

if TYPE_CHECKING:
    from pipeline.proof.printed import Printed

CLAIMS = Layout(("claim", "left", "right", "measure", "on"), (), (Pair("difference", "claimed"),))
"""The columns of a table of claims that name a claim, and those that are compared."""


@dataclass(frozen=True)
class Figure:
    """A printed figure beside ours.

    named    : which figure it is
    verdict  : None if it was not compared
    why      : what is known about the difference; empty if nothing is
    question : SQL for `pipeline.query` that shows the declared proof of the verdict or, without one, returns ours from
               its run; empty if there is neither
    row      : its whole row in the summary table, keyed by column
    at       : number of this row, and the column of the printed value
    text     : the printed value as the paper writes it; empty if that is not known
    """

    named: str
    ours: Value
    printed: Value
    verdict: Verdict | None
    why: str
    question: str
    row: Mapping[str, Value]
    at: tuple[int, str]
    text: str = ""


def figures_of(table: SummaryTable, printed: Printed, wrong: Collection[Figure] = ()) -> Iterator[Figure]:
    """The printed figures in a summary table, in order. `wrong` are contradicted figures that these are computed from.

    A table without a layout has none, except a table of claims.
    """
    layout = CLAIMS if printed.claims else table.layout
    if layout is None:
        return
    names, pairs = layout.naming(printed.only), layout.pairs
    proving = {verdict: replace(table, question=sql) for verdict, sql in printed.proofs.items()}
    for number, (row, text) in enumerate(zip_longest(table.records, table.printed)):
        if not all(row[column] in allowed for column, allowed in printed.only.items()):
            continue
        for pair in pairs:
            if row[pair.printed] is None:
                continue
            ours = pair.ours_in(row)
            named = [str(row[name]) for name in names if row[name] is not None]
            if printed.rule and len(pairs) > 1:
                named.append(pair.ours)
            verdict = _equality(row, ours, pair.printed, printed, wrong) if printed.rule else row[VERDICT]
            why = row.get(printed.why or "")
            asking = proving.get(str(verdict), table)
            yield Figure(
                named=" · ".join(named),
                ours=ours,
                printed=row[pair.printed],
                verdict=Verdict(str(verdict)) if verdict in list(Verdict) else None,
                why="" if why is None else str(why),
                question=asking.question_of(row),
                row=row,
                at=(number, pair.printed),
                text=text or "",
            )


def columns_of(printed: Printed) -> Iterator[str]:
    """The columns that a summary table needs for a comparison with a printed one, besides those of its layout."""
    yield from printed.only
    yield from printed.shared
    if printed.claims:
        yield from CLAIMS.named
    for sql in printed.proofs.values():
        yield from (name for _, name, *_ in Formatter().parse(sql) if name is not None)
    if not printed.rule:
        yield VERDICT


def _equality(
    row: Mapping[str, Value], ours: Value, column: str, printed: Printed, wrong: Collection[Figure]
) -> Verdict | None:
    """Whether two figures are equal to the printed digits and, if not, whether the document explains the difference."""
    published, implied, corrected = (
        row.get(name or "") for name in (column, printed.against, printed.corrected.get(column))
    )
    if ours is None:
        return None
    if same(ours, published):
        return Verdict.AGREES
    if implied is not None and not same(implied, published):
        return Verdict.IMPOSSIBLE
    if implied is not None and any(_is_of(row, figure.row, printed.shared) for figure in wrong):
        return Verdict.FOLLOWS
    return Verdict.MISPRINT if corrected is not None and same(ours, corrected) else Verdict.DIFFERS


def _is_of(row: Mapping[str, Value], other: Mapping[str, Value], shared: Collection[str]) -> bool:
    """Whether a figure is computed from another: from those with the same shared values, or from all if it has none."""
    return all(row[column] is None or row[column] == other[column] for column in shared)
