"""The runs that an output folder holds, by their records alone: no grid is imported, no part file is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pipeline.errors import ConfigError
from pipeline.record.provenance import notes_below, read_record
from pipeline.storage.atomic import in_object_store
from pipeline.storage.parts import sizes
from pipeline.storage.places import listed
from pipeline.storage.run_folders import RunFolders
from pipeline.summary.record import NAME, SummaryRecord, UnreadableSummaryError, read_summary

__all__ = ["PLUGINS", "KeptRun", "KeptRuns", "chosen", "current_summary", "kept_below", "nothing_there"]

PLUGINS: Mapping[str, Any] = {
    "type": lambda words: tuple(filter(None, words.split(","))),
    "default": (),
    "metavar": "PACKAGE[,PACKAGE]",
    "help": "packages of yours whose grids and builders may be imported to read their runs, as with plugins=[…]",
}
"""How commands that build trees again take the option --plugins."""

Run = TypeVar("Run", bound=RunFolders)


@dataclass(frozen=True)
class KeptRun(RunFolders):
    """A run by its folders and its record.

    record : as `read_record` gives it
    """

    record: Mapping[str, Any]
    name: str
    id: str
    output: Path

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables whose parts it has; none where its record does not tell."""
        return tuple(self.record.get("tables", ()))

    def sizes(self) -> dict[str, dict[str, int]]:
        """By table, the names of its part files and their bytes."""
        return {table: sizes(self.folder(table)) for table in self.tables}


@dataclass(frozen=True)
class KeptRuns:
    """What an output folder holds: its runs, the newest last, and of other records why they are of none."""

    runs: tuple[KeptRun, ...]
    rejected: Mapping[Path, str]


def kept_below(output: Path) -> KeptRuns:
    """All runs below an output folder that have a record."""
    found = []
    below, rejected = notes_below(output)
    for notes in below:
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
        name, run = folder.parent.name.removeprefix("grid="), folder.name.removeprefix("run=")
        found.append(KeptRun(kept, name, run, output))
    return KeptRuns(tuple(found), rejected)


def chosen(runs: Sequence[Run], run: str, output: Path) -> Run:
    """The run whose id begins so.

    Grids of the same keys under several names have runs of one id, with the same rows: of these it is the newest.

    Raises
    ------
    ConfigError
        No run matches, or more than one does.
    """
    matching = [kept for kept in runs if kept.id.startswith(run)]
    if len({kept.id for kept in matching}) != 1:
        known = ", ".join(f"{kept.id} ({kept.name})" for kept in runs)
        msg = f"run '{run}' is {'not' if not matching else 'more than one'} of the runs in {output}: {known}"
        raise ConfigError(msg)
    return matching[-1]


def nothing_there(output: Path) -> ConfigError:
    """The error of an output folder without a run."""
    return ConfigError(f"no results in {output}: run a grid (python -m pipeline lists them), or name another --output")


def current_summary(run: KeptRun) -> SummaryRecord:
    """The summary of a run, made from the very part files that are there, by their names and sizes.

    The name of a part file holds the digest of its bytes, which were verified when it was summarised. They are not read
    again: a file of the same name and size whose bytes have changed is found by `query`, and by the run's command.

    Raises
    ------
    UnreadableSummaryError
        It is missing, cannot be used, or was made from other part files.
    """
    found = read_summary(run.summaries, run.id, run.name)
    if set(found.made_from.parts) != set(run.tables):
        msg = f"has a {NAME} made from other tables: {', '.join(found.made_from.parts)[:100]}"
        raise UnreadableSummaryError(msg)
    for table, parts in run.sizes().items():
        recorded = found.made_from.parts[table]
        changed = sorted(name for name in parts | recorded if parts.get(name) != recorded.get(name))
        if changed:
            more = f" and {len(changed) - 1:,} others" if changed[1:] else ""
            msg = f"has a {NAME} made from other part files of {table}: {changed[0]}{more} came, went or changed"
            raise UnreadableSummaryError(msg)
    return found
