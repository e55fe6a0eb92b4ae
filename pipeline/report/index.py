"""The index over all runs of an output folder: those with a page, those not complete, and what could not be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.discovery import Places
from pipeline.report.rendering import environment
from pipeline.report.runs import ReportedRun
from pipeline.report.shown_tables import judged
from pipeline.storage.atomic import write_changed
from pipeline.summary.record import verdicts_in
from pipeline.summary.verdicts import Verdict, tally

__all__ = ["INDEX", "Entry", "Unfinished", "Unreadable", "entry", "write_index"]

INDEX = "index.html"


@dataclass(frozen=True)
class Entry:
    """A run with a page, in a line.

    table    : name of the first of its tables that has verdicts; empty where none has
    verdicts : how many of its cells have each
    """

    page: str
    grid: str
    id: str
    finding: str
    table: str
    verdicts: dict[Verdict, int]
    rows: int
    lost: int
    date: str
    machine: str

    @property
    def agrees(self) -> int:
        """Cells that agree with the paper."""
        return self.verdicts.get(Verdict.AGREES, 0)

    @property
    def consistent(self) -> int:
        """Cells that are consistent with the paper."""
        return self.verdicts.get(Verdict.CONSISTENT, 0)

    @property
    def differs(self) -> int:
        """Cells that differ from the paper."""
        return self.verdicts.get(Verdict.DIFFERS, 0)

    @property
    def others(self) -> int:
        """Cells with another verdict."""
        return sum(self.verdicts.values()) - self.agrees - self.consistent - self.differs

    @property
    def compared(self) -> bool:
        """Whether any cell has a verdict."""
        return bool(self.table)


@dataclass(frozen=True)
class Unfinished:
    """A run that is not complete: how far it is, and what to type to have it go on; empty while it is driven."""

    grid: str
    id: str
    state: str
    done: str
    command: str


@dataclass(frozen=True)
class Unreadable:
    """What is no run that could be told of, and why."""

    name: str
    why: str


def entry(run: ReportedRun) -> Entry:
    """The line of a run that has a page."""
    main = judged(run.tables)
    return Entry(
        run.page,
        run.run.name,
        run.run.id,
        run.finding,
        main.name if main else "",
        tally(verdicts_in(main)) if main else {},
        run.rows,
        run.summary.failures.cells,
        run.making.date,
        run.making.machine.get("host", ""),
    )


def write_index(
    folder: Path,
    pages: Sequence[ReportedRun],
    waiting: Sequence[Unfinished],
    rejected: Sequence[Unreadable],
    output: Path,
    places: Places,
) -> None:
    """Write the index, and the page over all documents where a run is of one of their grids."""
    content = (
        environment()
        .get_template(INDEX)
        .render(
            entries=[entry(one) for one in pages],
            waiting=waiting,
            rejected=rejected,
            documents=_documents_page(folder, pages, places),
            output=str(output),
        )
    )
    write_changed(folder / INDEX, content.encode("utf-8", "replace"))


def _documents_page(folder: Path, runs: Sequence[ReportedRun], places: Places) -> str | None:
    """Write the page over all documents from the runs that have a page; its name, None where none is of a document."""
    from pipeline.documents.answers import answers_of
    from pipeline.documents.page import PAGE, write_proof
    from pipeline.documents.printed import papers

    compared = papers(places)
    if not any(run.run.name in compared.experiments for run in runs):
        return None
    write_proof(compared.documents, answers_of(compared.experiments, runs), runs[0].run.output, folder, INDEX)
    return PAGE
