"""What a run was made with: configuration, versions, machine, and the time each session of it took."""

from __future__ import annotations

import json
import os
import platform
import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pipeline.atomic import write_atomically
from pipeline.plan import GridRun
from pipeline.storage import append
from pipeline.work import Receipt

__all__ = ["Session", "SessionClock", "begin", "changed_versions", "end", "installed", "read_record"]

PACKAGES = ("orchard-trees", "numpy", "numba", "llvmlite", "pyarrow", "dask", "distributed", "hydra-core", "omegaconf")


@dataclass(frozen=True)
class Session:
    """One driver's part in a run: when, what it did, and seconds on the clock and of CPU, by who spent them.

    `tries_again` counts the times that a chunk was begun anew since its worker had died.
    """

    began: str
    ended: str
    items: int
    tries_again: int
    workers: int
    wall_seconds: float
    driver_cpu_seconds: float
    work_cpu_seconds: float
    publish_cpu_seconds: float
    outcome: str


class SessionClock:
    """Adds up a session."""

    def __init__(self) -> None:
        self.items, self.tries_again, self.work, self.publish = 0, 0, 0.0, 0.0
        self._began = time.strftime("%Y-%m-%dT%H:%M:%S%z")
        self._clock = time.monotonic()

    def add(self, receipt: Receipt) -> None:
        """Count a chunk in."""
        self.items += receipt.items
        self.tries_again += receipt.tries - 1
        self.work += receipt.work_cpu_seconds
        self.publish += receipt.publish_cpu_seconds

    def session(self, workers: int, outcome: str) -> Session:
        """The session up to now; the driver's CPU counts from the start of its process."""
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return Session(
            began=self._began,
            ended=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
            items=self.items,
            tries_again=self.tries_again,
            workers=workers,
            wall_seconds=round(time.monotonic() - self._clock, 3),
            driver_cpu_seconds=round(usage.ru_utime + usage.ru_stime, 3),
            work_cpu_seconds=round(self.work, 3),
            publish_cpu_seconds=round(self.publish, 3),
            outcome=outcome,
        )


def begin(run: GridRun, configuration: str) -> list[str]:
    """Write the run's configuration and, unless it is there already, what it is; the versions that differ from then."""
    ours = _environment()
    before = read_record(run.notes)
    write_atomically(run.notes / "config.yaml", configuration.encode())  # the place of the data may be another now
    if before is not None:
        return changed_versions(before["versions"], ours["versions"])
    content = {"run": run.id, "identity": run.grid.identity(), "command": sys.argv, **ours}
    write_atomically(run.notes / "run.json", json.dumps(content, indent=1).encode())
    return []


def read_record(folder: Path) -> dict[str, Any] | None:
    """What `begin` wrote; None where there is nothing, or nothing whole."""
    try:
        record = json.loads((folder / "run.json").read_text())
        return record if {"identity", "versions"} <= record.keys() else None
    except (FileNotFoundError, ValueError, AttributeError):
        return None


def end(run: GridRun, session: Session) -> None:
    """Add a session to the run's record."""
    append(run.notes / "sessions.jsonl", json.dumps(asdict(session)) + "\n")


def changed_versions(then: dict[str, str], now: dict[str, str]) -> list[str]:
    """The packages whose version is another than when the run was begun."""
    return [
        f"{name} {then.get(name, 'none')}, now {now.get(name, 'none')}" for name in now if then.get(name) != now[name]
    ]


def installed(package: str) -> str:
    """The version of a package, or that it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _environment() -> dict[str, Any]:
    versions = {"python": platform.python_version(), **{package: installed(package) for package in PACKAGES}}
    machine = {
        "host": platform.node(),
        "platform": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
    }
    return {"versions": versions, "machine": machine}


def _processor() -> str:
    try:
        lines: Sequence[str] = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor()
    )
