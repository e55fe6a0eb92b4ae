"""What a page reports about a run: from its `summary.json` and its record."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from pipeline.configuration.keys import RequestedKey, of_execution
from pipeline.record.kept import KeptRun
from pipeline.record.remarks import Remarks, remarks
from pipeline.report.run_provenance import RunProvenance, provenance_of
from pipeline.storage.locations import listed
from pipeline.storage.run_folders import RunFolders
from pipeline.summary.record import SummaryRecord
from pipeline.summary.tables import SummaryTable

NO_REMARKS = Remarks()


@dataclass(frozen=True)
class ReportedRun:
    """A complete run with everything reported about it.

    files   : the names of the existing files of its summary
    remarks : notes and tags that people gave it
    """

    run: KeptRun
    summary: SummaryRecord
    provenance: RunProvenance
    files: tuple[str, ...]
    remarks: Remarks = NO_REMARKS

    @property
    def page(self) -> str:
        """The file name of its page."""
        return page_of(self.run)

    @property
    def keys(self) -> tuple[RequestedKey, ...]:
        """The keys of its configuration, those that differ from the grid's first; empty if it is missing."""
        return self.summary.requested

    @property
    def tables(self) -> tuple[SummaryTable, ...]:
        """The tables of its summary that have rows."""
        return tuple(recorded.table for recorded in self.summary.tables if recorded.table.rows)

    @property
    def folder(self) -> str:
        """The folder of its summary's files, as a link from its page."""
        return quote(f"../summaries/grid={self.run.name}/run={self.run.id}/")

    @property
    def changed(self) -> tuple[str, ...]:
        """The names of the keys whose value is not the default, except those that say where and how to run."""
        return tuple(key.name for key in self.keys if key.differs and not of_execution(key.name))

    @property
    def seed(self) -> str:
        """The seed of the run; empty if its configuration is lost."""
        return next((key.value for key in self.keys if key.name == "seed"), "")


def page_of(run: RunFolders) -> str:
    """The file name of a run's page."""
    return f"{run.name}-{run.id}.html"


def reported(run: KeptRun, summary: SummaryRecord) -> ReportedRun:
    """Everything reported about a run with a summary."""
    files = tuple(name for name in listed(run.summaries) if not name.startswith("."))
    return ReportedRun(run, summary, provenance_of(run), files, remarks(run.record_folder))
