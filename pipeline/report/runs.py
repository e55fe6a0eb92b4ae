"""What a page says of a run: read from its `summary.json` and its notes."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from pipeline.configuration.keys import Key
from pipeline.record.kept import KeptRun
from pipeline.record.remarks import Remarks, remarks
from pipeline.report.making import Making, making
from pipeline.storage.places import listed
from pipeline.storage.run_folders import RunFolders
from pipeline.summary.record import SummaryRecord, verdicts_in
from pipeline.summary.tables import SummaryTable
from pipeline.summary.verdicts import Verdict, tally

__all__ = ["ReportedRun", "page_of", "reported"]

NONE = Remarks()


@dataclass(frozen=True)
class ReportedRun:
    """A complete run with all that is told of it.

    files   : the names of the files of its summary that are there
    remarks : what people say of it
    """

    run: KeptRun
    summary: SummaryRecord
    making: Making
    files: tuple[str, ...]
    remarks: Remarks = NONE

    @property
    def page(self) -> str:
        """The name of its page."""
        return page_of(self.run)

    @property
    def noun(self) -> str:
        """What its items are called."""
        return str(self.run.record.get("noun", "items"))

    @property
    def asked(self) -> tuple[Key, ...]:
        """The keys of its configuration, those first that differ from its grid's; none where that is lost."""
        return self.summary.asked

    @property
    def tables(self) -> tuple[SummaryTable, ...]:
        """Of its summary those tables that have a row."""
        return tuple(one.table for one in self.summary.tables if one.table.rows)

    @property
    def judged(self) -> SummaryTable | None:
        """The first of its tables that has verdicts, which its finding begins with."""
        return next((table for table in self.tables if any(verdicts_in(table))), None)

    @property
    def verdicts(self) -> dict[Verdict, int]:
        """How many rows of that table have each verdict."""
        return tally(verdicts_in(self.judged)) if self.judged else {}

    @property
    def folder(self) -> str:
        """Where the files of its summary are, as a link from its page."""
        return quote(f"../summaries/grid={self.run.name}/run={self.run.id}/")

    @property
    def changed(self) -> tuple[str, ...]:
        """The names of the keys whose value is not the default, those aside that say where and how to run."""
        return tuple(key.name for key in self.asked if key.differs and not key.of_place)

    @property
    def seed(self) -> str:
        """The seed that it was asked for; empty where its configuration is lost."""
        return next((key.value for key in self.asked if key.name == "seed"), "")


def page_of(run: RunFolders) -> str:
    """The name of a run's page."""
    return f"{run.name}-{run.id}.html"


def reported(run: KeptRun, summary: SummaryRecord) -> ReportedRun:
    """What there is to say of a run with a summary."""
    files = tuple(name for name in listed(run.summaries) if not name.startswith("."))
    return ReportedRun(run, summary, making(run), files, remarks(run.notes))
