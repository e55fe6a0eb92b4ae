"""The provenance of a run: command, seed, versions, machine and sessions, from its record."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pipeline.record.provenance import environments, read_record
from pipeline.record.sessions import sessions
from pipeline.storage.locations import modified
from pipeline.storage.run_folders import RunFolders
from pipeline.words import counted, duration

MACHINE = ("host", "platform", "processor", "cores")


@dataclass(frozen=True)
class RunProvenance:
    """Who made a run, with what and when.

    command      : what to type to make the run again, in `folder`
    machine      : of the command that began it
    versions     : of Python and packages on that machine
    environments : digests as in the column `made_with`, each with its versions
    sessions     : a line for each that ended
    code         : fingerprints of our own modules, of each session that recorded one
    finished     : when the last session ended; if unknown, when the run began
    notices     : about the data or what is not installed, as shown when the run began
    """

    command: str
    folder: str
    machine: dict[str, str]
    versions: dict[str, str]
    environments: dict[str, dict[str, str]]
    sessions: tuple[str, ...]
    code: tuple[str, ...]
    finished: datetime
    notices: tuple[str, ...] = ()

    @property
    def date(self) -> str:
        """When it was finished, by this machine's clock."""
        return f"{self.finished:%Y-%m-%d %H:%M}"


def provenance_of(run: RunFolders) -> RunProvenance:
    """Read a run's record; missing or damaged files are left out."""
    record = read_record(run.record_folder) or {}
    past = sessions(run.record_folder)
    machine = _mapping(record.get("machine"))
    return RunProvenance(
        str(record.get("command", "")),
        str(record.get("folder", "")),
        {name: machine[name] for name in MACHINE if name in machine},
        _mapping(record.get("versions")),
        {digest: _mapping(versions) for digest, versions in environments(run.record_folder).items()},
        tuple(map(_line, past)),
        tuple(dict.fromkeys(str(session["code"]) for session in past if session.get("code"))),
        _finished(run, past),
        tuple(map(str, record.get("notices", ()))),
    )


def _mapping(value: Any) -> dict[str, str]:
    """A mapping with texts only; empty if the value is not a mapping."""
    return {str(name): str(entry) for name, entry in value.items()} if isinstance(value, dict) else {}


def _line(session: dict[str, Any]) -> str:
    """One session: when it began, what it did and how long it took."""
    parts = [str(session.get(key, "")) for key in ("began", "outcome")]
    for key, noun in (("items", "item"), ("failed", "failed cell"), ("workers", "worker")):
        if isinstance(session.get(key), int) and session[key]:
            parts.append(counted(session[key], noun))
    for key, clock in (("wall_seconds", "on the clock"), ("work_cpu_seconds", "of the workers' CPU")):
        if isinstance(session.get(key), int | float):
            parts.append(f"{duration(session[key])} {clock}")
    return ", ".join(filter(None, parts))


def _finished(run: RunFolders, past: list[dict[str, Any]]) -> datetime:
    try:
        return datetime.fromisoformat(past[-1]["ended"]).astimezone()
    except (IndexError, KeyError, OSError, OverflowError, ValueError):
        return datetime.fromtimestamp(modified(run.record_folder / "run.json")).astimezone()
