"""The sessions of a run: what each of its drivers did, and the time that it took."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pipeline.record.json_fields import typed
from pipeline.storage.places import append, contents

__all__ = ["Session", "note_session", "sessions"]

FILE = "sessions.jsonl"


@dataclass(frozen=True)
class Session:
    """One driver's part in a run: when, what it did, and seconds on the clock and of CPU, by who spent them.

    failed      : cells that failed or met a limit
    tries_again : times that a chunk was begun anew since its worker had died
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


def sessions(notes: Path) -> list[dict[str, Any]]:
    """The sessions of a run that ended, in order, by the names of Session; what has another type is left out."""
    found = []
    try:
        lines = contents(notes / FILE).decode().splitlines()
    except (OSError, ValueError):
        return []
    for line in lines:
        try:
            session = typed(Session, json.loads(line))
        except (ValueError, RecursionError):
            continue
        if session:
            found.append(session)
    return found


def note_session(notes: Path, session: Session) -> None:
    """Add a session to the notes of a run."""
    append(notes / FILE, json.dumps(asdict(session)) + "\n")
