"""The provenance of a run: configuration, versions and machine."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pipeline.errors import ConfigError
from pipeline.masking import masked, masked_yaml
from pipeline.plan import GridRun
from pipeline.record.environment import changed_versions, code, digest, numerical, versions
from pipeline.record.sessions import sessions
from pipeline.storage.atomic import in_object_store, write_atomically
from pipeline.storage.locations import contents, matching
from pipeline.storage.parts import named_parts
from pipeline.summary.exact_json import parsed

ENVIRONMENTS = "environments"
OF_GRID = ("items", "noun", "tables", "cells_per_item")
"""The fields of a record that the grid determines."""


@dataclass(frozen=True)
class Record:
    """The content of `run.json`.

    identity : of the grid: all that can change a number
    items    : number of items; `noun` is the plural word for them
    tables   : the tables of the run; an item has `cells_per_item` result rows
    command  : the command that started the run
    versions : of Python and packages in that process, and of plugins' code; `machine`: the machine of that process
    folder   : the working directory of the command; published records omit it
    output   : the folder or address of the results at that time, which may have been copied since; published records
               omit it
    notices  : of the grid's preparation, such as columns that may be identifiers
    """

    run: str
    identity: dict[str, Any]
    items: int
    noun: str
    tables: tuple[str, ...]
    cells_per_item: int
    command: str
    versions: dict[str, str]
    machine: dict[str, Any]
    folder: str = ""
    output: str = ""
    notices: tuple[str, ...] = ()


def begin(
    run: GridRun,
    configuration: str,
    command: str,
    notices: Sequence[str] = (),
    plugins: Mapping[str, str] = MappingProxyType({}),
) -> list[str]:
    """Write the run's configuration and, unless it exists, its record; return the versions that have changed since.

    plugins : digests of the code of plugins

    A record with another identity, such as an edited one, is replaced, as is that of a run without rows. In a record
    with the same identity, the fields that the grid determines are written again if they differ. Secrets of the
    configuration, the command and the notices are masked. The identity, from which trees are rebuilt, is not.
    """
    before = read_record(run.record_folder)
    identity = run.grid.identity()
    kept = masked_yaml(configuration).encode()
    write_atomically(run.record_folder / "config.yaml", kept)  # the data may have moved
    record = Record(
        run=run.id,
        identity=json.loads(json.dumps(identity)),
        items=run.grid.items,
        noun=run.grid.noun,
        tables=run.grid.tables,
        cells_per_item=run.grid.cells_per_item,
        command=masked(command),
        versions={**versions(), **plugins},
        machine=_machine(),
        folder=str(Path.cwd()),
        output=str(run.output if in_object_store(run.output) else run.output.resolve()),
        notices=tuple(map(masked, notices)),
    )
    same = before is not None and before.identity == record.identity and bool(named_parts(run.results))
    if before is not None and same:  # the rest is of the session that began the run, which this one cannot know
        record = replace(before, **{name: getattr(record, name) for name in OF_GRID})
    if record != before:
        write_atomically(run.record_folder / "run.json", json.dumps(asdict(record), indent=1).encode())
    return changed_versions(before.versions, versions()) if before is not None and same else []


def record_versions(run: GridRun, begun: bool, mixed: bool) -> None:
    """Record that rows of the run are made with the versions of this process.

    begun : whether rows exist
    mixed : whether the rows of one run may be made with different versions

    Raises ConfigError: rows exist, none of them made with these versions, and `mixed` is false.
    """
    ours = versions()
    earlier = environments(run.record_folder)
    if digest(ours) in earlier:
        return
    if begun and earlier and not mixed:
        raise ConfigError(
            f"the existing rows of this run were made with {difference(run.record_folder)}: install the earlier "
            "versions again, or add versions=any to continue; the column made_with tells the versions apart"
        )
    folder = run.record_folder / ENVIRONMENTS
    if not begun:
        for name in earlier:
            (folder / f"{name}.json").unlink(missing_ok=True)
    content = {"since": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "versions": numerical(ours)}
    write_atomically(folder / f"{digest(ours)}.json", json.dumps(content, indent=1).encode())


def difference(record_folder: Path) -> str:
    """The differences between our versions and those of the run's rows; empty if some rows have ours."""
    ours, of_rows = versions(), environments(record_folder)
    if not of_rows or digest(ours) in of_rows:
        return ""
    return "; ".join(changed_versions(list(of_rows.values())[-1], numerical(ours)))


def changed_plugins(run: GridRun, plugins: Mapping[str, str]) -> str:
    """The plugins, among those with these digests, that have changed since the run with its rows began; or empty."""
    before = read_record(run.record_folder) if plugins else None
    if before is None or not named_parts(run.results):
        return ""
    return ", ".join(name for name, now in plugins.items() if before.versions.get(name, now) != now)


def changed_code(run: GridRun) -> list[str]:
    """A sentence about modules of ours that have changed since the last session; empty if none has."""
    past = sessions(run.record_folder)
    if not past or past[-1].code == code():
        return []
    return [
        "the code of Orchard has changed since the last session of this run (see sessions.jsonl); old and new rows are "
        "comparable, because the version of the results is the same"
    ]


def environments(record_folder: Path) -> dict[str, dict[str, str]]:
    """The versions of the run's rows by their digests, the newest last."""
    result = []
    for path in matching(record_folder / ENVIRONMENTS, "*.json"):
        try:
            content = json.loads(contents(path))
            recorded = {name: str(version) for name, version in content["versions"].items()}
            result.append((datetime.fromisoformat(content["since"]).timestamp(), path.stem, recorded))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            result.append((0.0, path.stem, {}))
    return {name: recorded for _, name, recorded in sorted(result, key=lambda environment: environment[:2])}


def read_record(folder: Path) -> Record | None:
    """Read the record that `begin` wrote. Returns None if it is missing, damaged or of another run.

    Raises OSError if it cannot be read.
    """
    try:
        record = parsed(Record, contents(folder / "run.json"))
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    if record is None or record.run != folder.parent.name.removeprefix("run="):
        return None
    # each table names a folder of part files, and no folder elsewhere
    sound = min(record.items, record.cells_per_item) >= 0 and all(name.isidentifier() for name in record.tables)
    return record if sound else None


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
