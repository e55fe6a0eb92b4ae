"""What a run was made with: configuration, versions and machine."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pipeline.errors import ConfigError
from pipeline.masking import masked, masked_yaml
from pipeline.plan import GridRun
from pipeline.record.environment import changed_versions, code, digest, numerical, versions
from pipeline.record.json_fields import typed
from pipeline.record.sessions import sessions
from pipeline.storage.atomic import in_object_store, write_atomically
from pipeline.storage.places import contents, matching

__all__ = [
    "admit",
    "begin",
    "changed_code",
    "difference",
    "environments",
    "read_record",
]

ENVIRONMENTS = "environments"


@dataclass(frozen=True)
class Record:
    """What `run.json` says of a run.

    identity : of its grid: all that can change a number
    items    : how many it has, each called a `noun`
    tables   : that it writes; an item gives `cells_per_item` result rows, of which older records say nothing
    command  : what began it, typed in `folder`
    output   : the folder or address of its results then; they may have been copied since
    versions : of Python and packages, of that process, and `machine` where it ran
    """

    run: str
    identity: dict[str, Any]
    items: int
    noun: str
    tables: list[str]
    cells_per_item: int
    command: str
    folder: str
    output: str
    versions: dict[str, str]
    machine: dict[str, Any]


def begin(run: GridRun, configuration: str, command: str) -> list[str]:
    """Write the run's configuration and, unless it is there already, what it is; the versions that differ from then.

    Secrets of the configuration and the command are masked. The identity, from which trees are rebuilt, is as it is.
    """
    ours = versions()
    before = read_record(run.notes)
    kept = masked_yaml(configuration).encode()
    write_atomically(run.notes / "config.yaml", kept)  # the place of the data may be another now
    if before is not None:
        return changed_versions(before["versions"], ours)
    record = Record(
        run=run.id,
        identity=run.grid.identity(),
        items=run.grid.items,
        noun=run.grid.noun,
        tables=list(run.grid.tables),
        cells_per_item=run.grid.cells_per_item,
        command=masked(command),
        folder=str(Path.cwd()),
        output=str(run.output if in_object_store(run.output) else run.output.resolve()),
        versions=ours,
        machine=_machine(),
    )
    write_atomically(run.notes / "run.json", json.dumps(asdict(record), indent=1).encode())
    return []


def admit(run: GridRun, begun: bool, mixed: bool) -> None:
    """Note that this process has rows made for the run.

    begun : whether there are rows already
    mixed : whether the rows of one run may be made with different versions

    Raises
    ------
    ConfigError
        There are rows, none of them made with these versions, and rows of different versions were not asked for.
    """
    ours = versions()
    known = environments(run.notes)
    if digest(ours) in known:
        return
    if begun and known and not mixed:
        msg = (
            f"the existing rows of this run were made with {difference(run.notes)}: install these versions again, or "
            "add versions=any to continue with rows of both, distinguished by the column made_with"
        )
        raise ConfigError(msg)
    folder = run.notes / ENVIRONMENTS
    if not begun:
        for one in known:
            (folder / f"{one}.json").unlink(missing_ok=True)
    content = {"since": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "versions": numerical(ours)}
    write_atomically(folder / f"{digest(ours)}.json", json.dumps(content, indent=1).encode())


def difference(notes: Path) -> str:
    """How our versions differ from those that a run's rows were made with; empty where some were made with ours."""
    ours, known = versions(), environments(notes)
    if not known or digest(ours) in known:
        return ""
    return "; ".join(changed_versions(list(known.values())[-1], numerical(ours)))


def changed_code(run: GridRun) -> list[str]:
    """What there is to say of our own modules being other ones than those of the session before."""
    before = [session["code"] for session in sessions(run.notes) if "code" in session]
    if not before or before[-1] == code():
        return []
    return [
        "our own code is another than in the session before, which is noted in sessions.jsonl; rows stay comparable as "
        "long as no version of results was raised"
    ]


def environments(notes: Path) -> dict[str, dict[str, str]]:
    """The versions that rows of a run were made with, by their digests, the latest to be admitted last."""
    found = []
    for path in matching(notes / ENVIRONMENTS, "*.json"):
        try:
            content = json.loads(contents(path))
            known = {name: str(version) for name, version in content["versions"].items()}
            found.append((str(content["since"]), path.stem, known))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            found.append(("", path.stem, {}))
    return {name: known for _, name, known in sorted(found, key=lambda one: one[:2])}


def read_record(folder: Path) -> dict[str, Any] | None:
    """What `begin` wrote, by the names of Record; what has another type is left out.

    None where there is no record, or one without identity or versions. OSError where it cannot be read.
    """
    try:
        record = typed(Record, json.loads(contents(folder / "run.json")))
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, ValueError, RecursionError):
        return None
    if any(record.get(number, 0) < 0 for number in ("items", "cells_per_item")):
        return None
    if not all(map(_names_table, record.get("tables", ()))):
        return None
    return record if {"identity", "versions"} <= record.keys() else None


def _names_table(name: object) -> bool:
    """Whether a name is that of a folder of parts, and of none elsewhere."""
    return isinstance(name, str) and name.isidentifier()


def _machine() -> dict[str, Any]:
    return {
        "host": platform.node(),
        "platform": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
    }


def _processor() -> str:
    try:
        lines: Sequence[str] = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor()
    )
