"""What made a run: command, seed, versions, machine and sessions, as its notes tell it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pipeline.record.provenance import environments, read_record
from pipeline.record.sessions import sessions
from pipeline.storage.places import modified
from pipeline.storage.run_folders import RunFolders
from pipeline.words import counted, duration

__all__ = ["Making", "making"]

MACHINE = ("host", "platform", "processor", "cores")


@dataclass(frozen=True)
class Making:
    """Who, with what, when.

    command      : what to type to have the run again, in `folder`
    machine      : of the command that began it
    versions     : of Python and packages, of the same
    environments : digests as in the column `made_with`, each with the versions it stands for
    sessions     : a line for each that ended
    code         : fingerprints of our own modules, of each session that told one
    finished     : when the last session ended; where none is told, when the run was begun
    """

    command: str
    folder: str
    machine: dict[str, str]
    versions: dict[str, str]
    environments: dict[str, dict[str, str]]
    sessions: tuple[str, ...]
    code: tuple[str, ...]
    finished: datetime

    @property
    def date(self) -> str:
        """When it was finished, by this machine's clock."""
        return f"{self.finished:%Y-%m-%d %H:%M}"


def making(run: RunFolders) -> Making:
    """What a run's notes tell, each of them as far as it is there and whole."""
    record = read_record(run.notes) or {}
    past = sessions(run.notes)
    machine = _mapping(record.get("machine"))
    return Making(
        str(record.get("command", "")),
        str(record.get("folder", "")),
        {name: machine[name] for name in MACHINE if name in machine},
        _mapping(record.get("versions")),
        {digest: _mapping(versions) for digest, versions in environments(run.notes).items()},
        tuple(map(_line, past)),
        tuple(dict.fromkeys(str(session["code"]) for session in past if session.get("code"))),
        _finished(run, past),
    )


def _mapping(found: Any) -> dict[str, str]:
    return {str(name): str(value) for name, value in found.items()} if isinstance(found, dict) else {}


def _line(session: dict[str, Any]) -> str:
    """One session: when it began, what it did and in what time."""
    told = [str(session.get(key, "")) for key in ("began", "outcome")]
    for key, noun in (("items", "item"), ("failed", "failed cell"), ("workers", "worker")):
        if isinstance(session.get(key), int) and session[key]:
            told.append(counted(session[key], noun))
    for key, whose in (("wall_seconds", "on the clock"), ("work_cpu_seconds", "of the workers' CPU")):
        if isinstance(session.get(key), int | float):
            told.append(f"{duration(session[key])} {whose}")
    return ", ".join(filter(None, told))


def _finished(run: RunFolders, past: list[dict[str, Any]]) -> datetime:
    try:
        return datetime.fromisoformat(past[-1]["ended"]).astimezone()
    except (IndexError, KeyError, OSError, OverflowError, ValueError):
        return datetime.fromtimestamp(modified(run.notes / "run.json")).astimezone()
