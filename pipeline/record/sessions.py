"""The sessions of a run: the work of each driver, and its time."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from pipeline.storage.locations import append, contents
from pipeline.summary.exact_json import parsed

FILE = "sessions.jsonl"


@dataclass(frozen=True)
class Session:
    """The work of one driver in a run: when, what, and wall and CPU seconds by process.

    failed      : cells that failed or met a limit
    tries_again : number of times that a chunk was started again because its worker died
    made_with   : digest of the versions, as in the rows
    code        : fingerprint of our own modules
    """

    began: str
    ended: str
    items: int
    failed: int
    tries_again: int
    workers: int
    wall_seconds: float
    driver_cpu_seconds: float
    work_cpu_seconds: float
    publish_cpu_seconds: float
    outcome: str
    made_with: str
    code: str


def sessions(record_folder: Path) -> list[Session]:
    """The ended sessions of a run in order; damaged lines are left out."""
    try:
        lines = contents(record_folder / FILE).decode().splitlines()
    except (OSError, ValueError):
        return []
    return [session for line in lines if (session := parsed(Session, line))]


def record_session(record_folder: Path, session: Session) -> None:
    """Add a session to the record of a run."""
    append(record_folder / FILE, json.dumps(asdict(session)) + "\n")
