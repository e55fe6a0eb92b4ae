"""What a page reports about a run: its `summary.json`, and its provenance from its record."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from pipeline.configuration.keys import RequestedKey, of_execution
from pipeline.record.kept import KeptRun
from pipeline.record.provenance import environments
from pipeline.record.remarks import Remarks, remarks
from pipeline.record.sessions import Session, sessions
from pipeline.storage.locations import listed, modified
from pipeline.storage.run_folders import RunFolders
from pipeline.summary.record import SummaryRecord
from pipeline.summary.tables import SummaryTable
from pipeline.words import counted, duration

MACHINE = ("host", "platform", "processor", "cores")
NO_REMARKS = Remarks()


@dataclass(frozen=True)
class RunProvenance:
    """Who made a run, with what and when.

    machine      : of the command that began it
    environments : digests as in the column `made_with`, each with its versions
    sessions     : a line for each that ended
    code         : fingerprints of our own modules, of each session that recorded one
    finished     : when the last session ended; if unknown, when the run began
    """

    machine: dict[str, str]
    environments: dict[str, dict[str, str]]
    sessions: tuple[str, ...]
    code: tuple[str, ...]
    finished: datetime

    @property
    def date(self) -> str:
        """When it was finished, by this machine's clock."""
        return f"{self.finished:%Y-%m-%d %H:%M}"


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
        return tuple(table for table in self.summary.tables if table.rows)

    @property
    def folder(self) -> str:
        """The folder of its summary's files, as a link from its page."""
        return quote(f"../summaries/grid={self.run.name}/run={self.run.id}/")

    @property
    def changed(self) -> tuple[RequestedKey, ...]:
        """The keys whose value is not the default, except those that say where and how to run."""
        return tuple(key for key in self.keys if key.differs and not of_execution(key.name))

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


def provenance_of(run: KeptRun) -> RunProvenance:
    """The provenance of a run; missing or damaged files beside its record are left out."""
    past = sessions(run.record_folder)
    return RunProvenance(
        {name: str(run.record.machine[name]) for name in MACHINE if name in run.record.machine},
        environments(run.record_folder),
        tuple(map(_line, past)),
        tuple(dict.fromkeys(session.code for session in past)),
        _finished(run, past),
    )


def _line(session: Session) -> str:
    """One session: when it began, what it did and how long it took."""
    numbers = ((session.items, "item"), (session.failed, "failed cell"), (session.workers, "worker"))
    parts = [
        session.began,
        session.outcome,
        *(counted(number, noun) for number, noun in numbers if number),
        f"{duration(session.wall_seconds)} on the clock",
        f"{duration(session.work_cpu_seconds)} of the workers' CPU",
    ]
    return ", ".join(parts)


def _finished(run: KeptRun, past: list[Session]) -> datetime:
    try:
        return datetime.fromisoformat(past[-1].ended).astimezone()
    except (IndexError, OSError, OverflowError, ValueError):
        return datetime.fromtimestamp(modified(run.record_folder / "run.json")).astimezone()
