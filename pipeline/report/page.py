"""The page of a run, within so many bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pipeline.report.runs import ReportedRun
from pipeline.report.shown_tables import MARKS, ShownTable, judged, query_command, shown_table, verdicts_in
from pipeline.summary.verdicts import tally

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["page"]

TABLES_BYTES = 2_500_000
"""Of a page for all its tables; those that are short leave what they do not need to the longer ones after them."""

FORMS = (".csv", ".md", ".tex")

LOST_ROWS = "select status, error, count(*) as cells from results where status <> 'ok' group by all order by cells desc"


def page(templates: Environment, found: ReportedRun, index: str | None) -> str:
    """The page of a run; `index` is the name of the page to go back to."""
    run, main = found.run, judged(found.tables)
    return templates.get_template("run.html").render(
        found=found,
        run=run,
        index=index,
        tables=list(_tables(found)),
        main=main,
        verdicts=tally(verdicts_in(main)) if main else {},
        marks=MARKS,
        again=f"{found.making.command} redo=failed" if found.making.command and found.failures.cells else "",
        lost_command=query_command(LOST_ROWS, run.id, str(run.output)) if found.failures.cells else "",
    )


def _tables(found: ReportedRun) -> Iterator[ShownTable]:
    """The tables of a run, each with a fair share of the room that is left."""
    room = TABLES_BYTES
    for place, table in enumerate(found.tables):
        files = [name for name in (f"{table.name}{form}" for form in FORMS) if name in found.files]
        share = room // (len(found.tables) - place)
        shown, taken = shown_table(table, found.run.id, str(found.run.output), files, share)
        room -= taken
        yield shown
