"""Pages over several runs, of a sweep or of two runs that are compared, and what the index says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.plain_text import note
from pipeline.report.rendering import environment
from pipeline.report.runs import ReportedRun
from pipeline.report.shown_tables import shown_table
from pipeline.screen import output_flag
from pipeline.storage.atomic import write_changed
from pipeline.storage.places import listed, matching
from pipeline.summary.record import UnreadableSummaryError
from pipeline.summary.sweep import SweepRecord, read_sweep
from pipeline.summary.tables import SummaryTable
from pipeline.words import out_of

if TYPE_CHECKING:
    from pipeline.query.comparison import Comparison

__all__ = ["INDEX", "GridRuns", "SweepPage", "several_of_a_grid", "write_comparison", "write_sweeps"]

TABLES_BYTES = 2_500_000
"""Of a page for all its tables."""
INDEX = "index.html"
FORMS = (".csv", ".md", ".tex")


@dataclass(frozen=True)
class SweepPage:
    """The page of a sweep."""

    page: str
    record: SweepRecord

    @property
    def ended(self) -> str:
        """How its runs ended, counted."""
        table = self.record.tables[0]
        how = [str(row[list(table.columns).index("ended")]) for row in table.rows]
        return f"{out_of(how.count('done'), len(how), 'run')} done"


@dataclass(frozen=True)
class GridRuns:
    """The runs of a grid that has several, with the keys in which they differ.

    rows    : of each its page, its id and its values of the keys, the newest first
    command : compares the newest with the one before
    """

    grid: str
    keys: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[str, ...]], ...]
    command: str


def several_of_a_grid(pages: Sequence[ReportedRun]) -> list[GridRuns]:
    """The grids that have several runs with a page, the newest run first."""
    by_grid: dict[str, list[ReportedRun]] = {}
    for one in pages:
        by_grid.setdefault(one.run.name, []).append(one)
    found = []
    for grid, runs in by_grid.items():
        if len(runs) > 1:
            asked = [{key.name: key.value for key in one.asked if not key.of_place} for one in runs]
            names = dict.fromkeys(name for own in asked for name in own)
            keys = tuple(name for name in names if len({own.get(name) for own in asked}) > 1)
            values = [tuple(own.get(name, "") for name in keys) for own in asked]
            rows = tuple((one.page, one.run.id, own) for one, own in zip(runs, values, strict=True))
            new, old = runs[0].run, runs[1].run
            found.append(GridRuns(grid, keys, rows, _compare("report", old.id, new.id, new.output)))
    return found


def write_sweeps(folder: Path, output: Path, pages: Sequence[ReportedRun]) -> list[SweepPage]:
    """Write the page of each sweep below an output folder; a note names one that cannot be read."""
    by_run = {one.run.id: one.page for one in pages}
    found = []
    for place in matching(output, "summaries", "grid=*", "sweep=*"):
        try:
            record = read_sweep(place)
        except UnreadableSummaryError as error:
            note(f"left out: {place} {error}")
            continue
        page = SweepPage(f"sweep-{record.grid}-{record.sweep}.html", record)
        _write(
            folder / page.page,
            title=f"{record.grid}: sweep of {', '.join(record.keys)}",
            finding=f"{page.ended}.",
            runs=[("Run", run, by_run.get(run, "")) for run in record.runs],
            index=INDEX,
            tables=record.tables,
            summaries=place,
        )
        found.append(page)
    return found


def write_comparison(folder: Path, output: Path, found: Comparison, pages: Mapping[str, str]) -> Path:
    """Write the page that compares two runs of a grid.

    pages : the page of each run that has one, by the run's id
    """
    return _write(
        folder / f"compare-{found.a}-{found.b}.html",
        title=f"{found.grid}: two runs compared",
        finding=found.finding,
        runs=[(f"Run {side}", run, pages.get(run, "")) for side, run in (("a", found.a), ("b", found.b))],
        index=INDEX if INDEX in listed(folder) else "",
        tables=found.tables(),
        commands={
            "All rows that differ": f"{_compare('query', found.a, found.b, output)} --format csv",
            "The same as SQL": found.question,
        },
    )


def _compare(reader: str, a: str, b: str, output: object) -> str:
    """What to type to compare two runs."""
    return f"python -m pipeline.{reader} --compare {a} {b}{output_flag(output)}"


def _write(
    path: Path,
    *,
    title: str,
    finding: str,
    runs: Sequence[tuple[str, str, str]],
    index: str,
    tables: Sequence[SummaryTable],
    summaries: Path | None = None,
    commands: Mapping[str, str] | None = None,
) -> Path:
    """Write a page over several runs.

    runs      : of each what it is called, its id and its page, empty where it has none
    index     : the page to go back to; empty: none
    summaries : the folder of the files of the tables
    """
    there = listed(summaries) if summaries else []
    shown = [
        shown_table(table, "", "", [f"{table.name}{form}" for form in FORMS if f"{table.name}{form}" in there], room)[0]
        for table, room in ((table, TABLES_BYTES // len(tables)) for table in tables)
    ]
    content = (
        environment()
        .get_template("several.html")
        .render(
            title=title,
            finding=finding,
            runs=runs,
            tables=shown,
            files=f"../summaries/{summaries.parent.name}/{summaries.name}/" if summaries else "",
            commands=commands or {},
            index=index,
        )
    )
    return write_changed(path, content.encode("utf-8", "replace"))
