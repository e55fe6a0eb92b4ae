"""Pages that compare several runs of a grid: all its runs, those of a sweep, or those that a person names."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.plain_text import note
from pipeline.record.kept import KeptRun, current_summary
from pipeline.report.compared import ComparedRuns, compared_runs
from pipeline.report.page import TABLES_BYTES
from pipeline.report.rendering import environment
from pipeline.report.runs import ReportedRun, page_of
from pipeline.report.shown_tables import shown_table
from pipeline.screen import output_flag
from pipeline.storage.atomic import write_changed
from pipeline.storage.locations import listed, matching
from pipeline.summary.record import SummaryRecord, UnreadableSummaryError
from pipeline.summary.sweep import ENDED, SweepRecord, read_sweep
from pipeline.summary.tables import FORMS, SummaryTable
from pipeline.words import out_of

if TYPE_CHECKING:
    from pipeline.query.comparison import Comparison

MOST_RUNS = 60
"""Most runs that the page of a grid compares, the newest ones."""
MOST_NAMED = 18
"""Most runs whose ids name the page that compares them: a file name has 255 bytes at most."""
OF_NAMED_RUNS = re.compile(r"-[0-9a-f]{12}\.html$")
"""The end of a file name with the ids of runs, or with a digest of them."""
INDEX = "index.html"


@dataclass(frozen=True)
class SweepPage:
    """The page of a sweep."""

    page: str
    record: SweepRecord

    @property
    def ended(self) -> str:
        """How its runs ended, counted."""
        table = self.record.tables[0]
        how = [str(row[ENDED]) for row in table.records]
        return f"{out_of(how.count('done'), len(how), 'run')} done"


@dataclass(frozen=True)
class GridRuns:
    """The page that compares the runs of a grid, and the ids of these runs, the newest last."""

    grid: str
    page: str
    runs: tuple[str, ...]


def comparison_page(grid: str) -> str:
    """The name of the page that compares the runs of a grid."""
    return f"compare-{grid}.html"


def write_grids(folder: Path, pages: Sequence[ReportedRun]) -> list[GridRuns]:
    """Write a page for each grid with several runs, which compares them; remove such pages of other grids."""
    by_grid: dict[str, list[ReportedRun]] = {}
    for run in pages:
        by_grid.setdefault(run.run.name, []).append(run)
    result = []
    for grid, runs in by_grid.items():
        if len(runs) == 1:
            continue
        page = comparison_page(grid)
        shown = runs[:MOST_RUNS][::-1]
        compared = compared_runs([(run.run, run.page, run.summary) for run in shown], TABLES_BYTES)
        command = _compare_command("report", [run.run for run in shown[-2:]])
        page_of_runs(
            folder / page,
            title=f"{grid}: runs compared",
            finding=compared.finding,
            compared=compared,
            index=INDEX,
            commands={"The newest two, row by row": command},
        )
        result.append(GridRuns(grid, page, tuple(run.id for run in compared.runs)))
    written = {grid.page for grid in result}
    for name in listed(folder):
        if name.startswith("compare-") and name not in written and not OF_NAMED_RUNS.search(name):
            (folder / name).unlink(missing_ok=True)
    return result


def write_sweeps(folder: Path, output: Path, pages: Sequence[ReportedRun]) -> list[SweepPage]:
    """Write the page of each sweep below an output folder; a note names each sweep that cannot be read."""
    result = []
    for summaries in matching(output, "summaries", "grid=*", "sweep=*"):
        try:
            record = read_sweep(summaries)
        except UnreadableSummaryError as error:
            note(f"a sweep is left out: {summaries} {error}")
            continue
        page = SweepPage(f"sweep-{record.grid}-{record.sweep}.html", record)
        by_id = {run.run.id: run for run in pages if run.run.name == record.grid}
        runs = [by_id[run] for run in record.runs if run in by_id]
        compared = compared_runs([(run.run, run.page, run.summary) for run in runs], TABLES_BYTES) if runs[1:] else None
        page_of_runs(
            folder / page.page,
            title=f"{record.grid}: sweep of {', '.join(record.keys)}",
            finding=" ".join([f"{page.ended}.", *([compared.finding] if compared else [])]),
            compared=compared,
            index=INDEX,
            tables=record.tables[:1],
            summaries=summaries,
        )
        result.append(page)
    return result


def write_comparison(folder: Path, runs: Sequence[KeptRun], rows: Comparison | None) -> Path:
    """Write the page that compares runs of a grid.

    rows : how the result rows of two runs differ; None for more runs
    """
    files = listed(folder)
    compared = compared_runs(
        [(run, page_of(run) if page_of(run) in files else "", _summary(run)) for run in runs], TABLES_BYTES
    )
    commands = {}
    if rows:
        commands = {
            "All rows that differ": f"{_compare_command('query', runs)} --format csv",
            "The same as SQL": rows.question,
        }
    return page_of_runs(
        folder / _page_of_these(runs),
        title=f"{runs[0].name}: {'two ' * (len(runs) == 2)}runs compared",
        finding=" ".join([compared.finding, *([rows.finding] if rows else [])]),
        compared=compared,
        index=INDEX if INDEX in files else "",
        tables=[table for table in rows.tables() if table.name != "keys"] if rows else [],
        commands=commands,
    )


def _page_of_these(runs: Sequence[KeptRun]) -> str:
    """The file name of the page that compares runs: their ids or, of many, a digest of them."""
    ids = "-".join(run.id for run in runs)
    return f"compare-{ids if len(runs) <= MOST_NAMED else hashlib.sha256(ids.encode()).hexdigest()[:12]}.html"


def _summary(run: KeptRun) -> SummaryRecord | None:
    """The current summary of a run; None, and a note that says why, if it cannot be read."""
    try:
        return current_summary(run)
    except UnreadableSummaryError as error:
        note(f"run {run.id} {error}: only its rows are compared")
        return None


def _compare_command(reader: str, runs: Sequence[KeptRun]) -> str:
    """What to type to compare runs."""
    return f"python -m pipeline.{reader} --compare {' '.join(run.id for run in runs)}{output_flag(runs[0].output)}"


def page_of_runs(
    path: Path,
    *,
    title: str,
    finding: str,
    compared: ComparedRuns | None,
    index: str,
    tables: Sequence[SummaryTable] = (),
    summaries: Path | None = None,
    commands: Mapping[str, str] | None = None,
) -> Path:
    """Write a page that compares several runs.

    index     : the page to go back to; empty if there is none
    tables    : further tables
    summaries : the folder of the files to offer for download; None if there are none
    """
    files = [name for name in listed(summaries) if name.endswith(FORMS)] if summaries else []
    shown = [shown_table(table, "", "", [], TABLES_BYTES // 2 // len(tables))[0] for table in tables]
    template = environment().get_template("compared.html")
    content = template.render(
        title=title,
        finding=finding,
        compared=compared,
        tables=shown,
        files=f"../summaries/{summaries.parent.name}/{summaries.name}/" if summaries else "",
        downloads=files,
        commands=commands or {},
        index=index,
    )
    return write_changed(path, content.encode("utf-8", "replace"))
