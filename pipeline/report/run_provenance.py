"""The provenance of a run: command, seed, versions, machine and sessions, from its record."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pipeline.record.kept import KeptRun
from pipeline.record.provenance import environments
from pipeline.record.sessions import Session, sessions
from pipeline.storage.locations import modified
from pipeline.words import counted, duration

MACHINE = ("host", "platform", "processor", "cores")


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
