"""Printed figures beside ours, from summary tables, each with its verdict."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.summary.layout import same
from pipeline.summary.record import VERDICT
from pipeline.summary.tables import SummaryTable, Value
from pipeline.summary.verdicts import Verdict

if TYPE_CHECKING:
    from pipeline.proof.printed import Printed

__all__ = ["Figure", "columns_of", "figures_of"]


@dataclass(frozen=True)
class Figure:
    """A printed figure beside ours.

    named    : which figure it is
    verdict  : None if it was not compared
    why      : what is known about the difference; empty if nothing is
    question : SQL for `pipeline.query` that returns ours from its run; empty if there is none
    row      : its whole row in the summary table, keyed by column
    """

    named: str
    ours: Value
    printed: Value
    verdict: Verdict | None
    why: str
    question: str
    row: Mapping[str, Value]


def figures_of(table: SummaryTable, printed: Printed, wrong: Collection[Figure] = ()) -> Iterator[Figure]:
    """The printed figures in a summary table, in order. `wrong` are contradicted figures from which these are made."""
    for row in table.rows:
        of = dict(zip(table.columns, row, strict=True))
        if not all(of[column] in values for column, values in printed.only.items()):
            continue
        for column, theirs in printed.pairs:
            if of[theirs] is None:
                continue
            ours = _ours(of, column)
            named = [str(of[name]) for name in printed.named if of[name] is not None]
            if printed.rule and len(printed.pairs) > 1:
                named.append(column)
            verdict = _equality(of, ours, theirs, printed, wrong) if printed.rule else of[VERDICT]
            why = of.get(printed.why or "")
            yield Figure(
                named=" · ".join(named),
                ours=ours,
                printed=of[theirs],
                verdict=Verdict(str(verdict)) if verdict in list(Verdict) else None,
                why="" if why is None else str(why),
                question=table.question_of(row),
                row=of,
            )


def columns_of(printed: Printed) -> Iterator[str]:
    """The columns that a summary table needs for a comparison with a printed one."""
    yield from printed.named
    yield from printed.only
    yield from printed.shared
    for ours, theirs in printed.pairs:
        yield from (*ours.split("/"), theirs)
    if not printed.rule:
        yield VERDICT


def _ours(of: Mapping[str, Value], column: str) -> Value:
    if "/" in column:
        return "/".join(str(of[part]) for part in column.split("/"))
    return of[column]


def _equality(
    of: Mapping[str, Value], ours: Value, column: str, printed: Printed, wrong: Collection[Figure]
) -> Verdict | None:
    """Whether two figures are equal to the printed digits and, if not, whether the document explains the difference."""
    theirs, themselves, right = (
        of.get(name or "") for name in (column, printed.against, printed.corrected.get(column))
    )
    if ours is None:
        return None
    if same(ours, theirs):
        return Verdict.AGREES
    if themselves is not None and not same(themselves, theirs):
        return Verdict.IMPOSSIBLE
    if themselves is not None and any(_is_of(of, one.row, printed.shared) for one in wrong):
        return Verdict.FOLLOWS
    return Verdict.MISPRINT if right is not None and same(ours, right) else Verdict.DIFFERS


def _is_of(row: Mapping[str, Value], other: Mapping[str, Value], shared: Collection[str]) -> bool:
    """Whether a figure is computed from another: from those with the same shared values, or from all if it has none."""
    return all(row[column] is None or row[column] == other[column] for column in shared)
