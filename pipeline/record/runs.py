"""The runs that an output folder holds, each with the grid it is of."""

from __future__ import annotations

from pathlib import Path

import yaml

from pipeline.data.sources import Place
from pipeline.errors import ConfigError, OrchardError
from pipeline.grids.kinds import KINDS
from pipeline.plan import GridRun
from pipeline.record.provenance import read_record
from pipeline.screen import note
from pipeline.storage.places import matching, modified

__all__ = ["kept_run", "kept_runs"]


def kept_runs(output: Path) -> list[GridRun]:
    """All runs below an output folder, the newest last.

    Raises
    ------
    ConfigError
        There is none.
    """
    folders = matching(output, "results", "grid=*", "run=*")
    records = sorted((path for path in (folder / "_run/run.json" for folder in folders) if path.exists()), key=_age)
    found = []
    for record in records:
        folder = record.parent.parent
        kept = read_record(record.parent)
        if kept is None:
            note(f"left out: {record} is damaged; the run's own command writes it again")
            continue
        identity = kept["identity"]
        name, run = folder.parent.name.removeprefix("grid="), folder.name.removeprefix("run=")
        try:
            grid = KINDS[identity["grid"]].from_identity(identity, _place(record.parent))
        except (KeyError, TypeError, ValueError, OrchardError):
            note(f"left out: {record} is of a grid that this version does not have, or has otherwise")
            continue
        found.append(GridRun(grid, name, run, output))
    if not found:
        msg = f"no results in {output}: run a grid (python -m pipeline +grid=greedy_vs_dp), or name another --output"
        raise ConfigError(msg)
    return found


def _age(record: Path) -> tuple[float, str]:
    return modified(record), str(record)


def _place(notes: Path) -> Place:
    """Where the run that left these notes found its data."""
    try:
        data = yaml.safe_load((notes / "config.yaml").read_text()).get("data") or {}
    except (OSError, yaml.YAMLError, AttributeError):
        return Place()
    return Place(data.get("folder"), data.get("own"))


def kept_run(output: Path, run: str | None) -> GridRun:
    """The newest run below an output folder, or the one whose id begins with `run`.

    Raises
    ------
    ConfigError
        There is none, or more than one.
    """
    runs = kept_runs(output)
    if run is None:
        return runs[-1]
    matching = [kept for kept in runs if kept.id.startswith(run)]
    if len(matching) != 1:
        known = ", ".join(f"{kept.id} ({kept.name})" for kept in runs)
        msg = f"run '{run}' is {'not' if not matching else 'more than one'} of the runs in {output}: {known}"
        raise ConfigError(msg)
    return matching[0]
