"""The runs that an output folder holds, each with the grid it is of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from pipeline.data.sources import Place
from pipeline.errors import ConfigError, OrchardError
from pipeline.grids.base import Grid
from pipeline.grids.compare_builders import CompareBuildersGrid
from pipeline.grids.kinds import KINDS
from pipeline.plan import GridRun
from pipeline.record.provenance import notes_below, read_record
from pipeline.screen import note
from pipeline.storage.atomic import in_object_store
from pipeline.storage.places import contents, listed
from pipeline.summaries.kinds import SUMMARIES

__all__ = ["Runs", "kept_configuration", "kept_run", "kept_runs", "runs_below"]


@dataclass(frozen=True)
class Runs:
    """What an output folder holds: its runs, the newest last, and of other records why they are of none."""

    kept: tuple[GridRun, ...]
    rejected: Mapping[Path, str]


def runs_below(output: Path) -> Runs:
    """All runs below an output folder."""
    found, rejected = [], {}
    for notes in notes_below(output):
        folder, record = notes.parent, notes / "run.json"
        try:
            if record.name not in listed(notes):
                continue
            kept = read_record(notes)
        except OSError as error:
            if in_object_store(record):  # of which the way there may be at fault
                raise
            rejected[record] = f"cannot be read: {error.strerror or error}"
            continue
        if kept is None:
            rejected[record] = "is damaged; the run's own command writes it again"
            continue
        identity = kept["identity"]
        name, run = folder.parent.name.removeprefix("grid="), folder.name.removeprefix("run=")
        try:
            grid = _grid(identity, notes)
        except (KeyError, TypeError, ValueError, OrchardError):
            rejected[record] = "is of a grid that this version does not have, or has otherwise"
            continue
        found.append(GridRun(grid, name, run, output))
    return Runs(tuple(found), rejected)


def kept_runs(output: Path) -> list[GridRun]:
    """All runs below an output folder, the newest last; a note tells of records that are of none.

    Raises
    ------
    ConfigError
        There is none.
    """
    found = runs_below(output)
    for record, why in found.rejected.items():
        note(f"left out: {record} {why}")
    if not found.kept:
        msg = f"no results in {output}: run a grid (python -m pipeline +grid=greedy_vs_dp), or name another --output"
        raise ConfigError(msg)
    return list(found.kept)


def _grid(identity: dict[str, Any], notes: Path) -> Grid:
    """The grid of a run; from its configuration what its identity leaves out: its data's place, and its summary."""
    configuration = kept_configuration(notes)
    data = configuration.get("data")
    place = Place(data.get("folder"), data.get("own")) if isinstance(data, dict) else Place()
    grid = KINDS[identity["grid"]].from_identity(identity, place)
    summary = configuration.get("summary")
    if isinstance(grid, CompareBuildersGrid) and isinstance(summary, str) and summary in SUMMARIES:
        return replace(grid, summary=summary)
    return grid


def kept_configuration(notes: Path) -> dict[str, Any]:
    """What was asked of a run; nothing where that is lost, or is none that was written for it."""
    try:
        text = contents(notes / "config.yaml").decode("utf-8")
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, yaml.SafeLoader)):
            return {}  # which a few lines make larger than any memory, once it is spelt out
        found = yaml.safe_load(text)
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return {}
    return found if isinstance(found, dict) else {}


def kept_run(output: Path, run: str | None) -> GridRun:
    """The newest run below an output folder, or the one whose id begins with `run`.

    Grids of the same keys under several names have runs of one id, with the same rows: of these it is the newest.

    Raises
    ------
    ConfigError
        There is none, or more than one.
    """
    runs = kept_runs(output)
    if run is None:
        return runs[-1]
    matching = [kept for kept in runs if kept.id.startswith(run)]
    if len({kept.id for kept in matching}) != 1:
        known = ", ".join(f"{kept.id} ({kept.name})" for kept in runs)
        msg = f"run '{run}' is {'not' if not matching else 'more than one'} of the runs in {output}: {known}"
        raise ConfigError(msg)
    return matching[-1]
