"""The runs of an output folder, from their records only: no grid is imported, no part file is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pipeline.errors import ConfigError
from pipeline.plain_text import note
from pipeline.record.provenance import Record, read_record
from pipeline.storage.locations import listed, matching, modified, storage_errors, why_unreadable
from pipeline.storage.parts import named_parts, sizes
from pipeline.storage.run_folders import RunFolders
from pipeline.summary.record import NAME, SummaryRecord, UnreadableSummaryError, read_summary
from pipeline.words import counted

PLUGINS: Mapping[str, Any] = {
    "action": "extend",
    "type": lambda words: [*filter(None, words.split(","))],
    "default": [],
    "metavar": "PACKAGE[,PACKAGE]",
    "help": "packages of your own with grids or builders; to read runs that use these, the packages are imported",
}
"""Keyword arguments of the option --plugins, for commands that rebuild trees."""

Run = TypeVar("Run", bound=RunFolders)


@dataclass(frozen=True)
class KeptRun(RunFolders):
    """A run from its folders and its record."""

    record: Record
    name: str
    id: str
    output: Path

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that it writes."""
        return self.record.tables

    @property
    def items(self) -> int:
        """Number of items."""
        return self.record.items

    @property
    def noun(self) -> str:
        """What an item is called, in the plural."""
        return self.record.noun

    @property
    def cells_per_item(self) -> int:
        """Number of result rows of an item."""
        return self.record.cells_per_item

    def sizes(self) -> dict[str, dict[str, int]]:
        """By table, the names of its part files and their bytes."""
        return {table: sizes(self.folder(table)) for table in self.tables}


def note_left_out(what: object, why: str) -> None:
    """Report an item that a reader leaves out."""
    note(f"left out: {what} {why}")


def kept_below(output: Path, left_out: Callable[[Path, str], object] = note_left_out) -> list[KeptRun]:
    """All runs below an output folder that have a record, the newest last.

    left_out : called with each unreadable folder or record and the reason, also if only rows are there; by default a
               note names it
    """
    result: list[KeptRun] = []
    for record_folder in _record_folders(output, left_out):
        record = record_folder / "run.json"
        try:
            if record_folder.name not in listed(record_folder.parent) and not named_parts(record_folder.parent):
                continue
            kept = kept_at(record_folder)
        except OSError as error:
            left_out(record, f"cannot be read: {why_unreadable(record, error)}")
            continue
        if kept is None:
            left_out(
                record,
                "is damaged, missing or of another run; the run's own command writes it again. If the run's folder was "
                "renamed or copied, give it its name back or delete the copy",
            )
        else:
            result.append(kept)
    return result


def stored_runs(output: Path, run: str | None = None) -> list[KeptRun]:
    """All runs below an output folder that have a record, the newest last; or the run whose id begins with `run`.

    Raises ConfigError: the folder has no run, or not exactly one run matches.
    """
    runs = kept_below(output)
    if not runs:
        raise nothing_there(output)
    return runs if run is None else [chosen(runs, run, output)]


def _record_folders(output: Path, left_out: Callable[[Path, str], object]) -> list[Path]:
    """The folders of the records of runs below an output folder, the latest to begin last; they need not exist.

    left_out : called with each folder that cannot be listed and the reason
    """
    result: list[Path] = []
    for grid in matching(output, "results", "grid=*"):
        try:
            result += [run / "_run" for run in matching(grid, "run=*")]
        except OSError as error:
            left_out(grid, f"cannot be listed: {why_unreadable(grid, error)}")
    return sorted(result, key=_begun)


def _begun(record_folder: Path) -> tuple[float, str]:
    try:
        return modified(record_folder / "run.json"), str(record_folder)
    except storage_errors():
        return 0.0, str(record_folder)


def kept_at(record_folder: Path) -> KeptRun | None:
    """The run with this record; None if its record is missing, damaged or of another run."""
    record = read_record(record_folder)
    if record is None:
        return None
    run, grid, _, output = list(record_folder.parents)[:4]
    return KeptRun(record, grid.name.removeprefix("grid="), run.name.removeprefix("run="), output)


def chosen(runs: Sequence[Run], run: str, output: Path) -> Run:
    """The run whose id begins with `run`.

    Grids with the same keys under several names have runs with one id and the same rows: of these, the newest.

    Raises ConfigError: no run matches, or more than one does.
    """
    matches = [kept for kept in runs if run and kept.id.startswith(run)]  # an unset variable of a shell names no run
    if len({kept.id for kept in matches}) != 1:
        listing = ", ".join(f"{kept.id} ({kept.name})" for kept in matches or runs)
        several = f"'{run}' is the beginning of several ids in {output}: type more characters of one of {listing}"
        raise ConfigError(several if matches else f"run '{run}' is not among the runs in {output}: {listing}")
    return matches[-1]


def nothing_there(output: Path, left_out: int = 0) -> ConfigError:
    """The error of an output folder without a readable run."""
    from pipeline.screen import tool

    unreadable = f"none of the runs in {output} can be read ({counted(left_out, 'run')} found)"
    lack = unreadable if left_out else f"no results in {output}"
    return ConfigError(f"{lack}: run a grid ({tool()} lists them), or give another --output")


def current_summary(run: KeptRun) -> SummaryRecord:
    """The summary of a run, if it was made from the existing part files, by their names and sizes.

    The name of a part file holds the digest of its bytes, which were verified for the summary. They are not read again
    here: `query` and the run's command detect a file with the same name and size whose bytes have changed.

    Raises UnreadableSummaryError: it is missing or unusable, or was made from other part files.
    """
    result = read_summary(run.summaries, run.id, run.name)
    if set(result.made_from.parts) != set(run.tables):
        raise UnreadableSummaryError(
            f"has a {NAME} that was made from other tables: {', '.join(result.made_from.parts)[:100]}"
        )
    for table, parts in run.sizes().items():
        recorded = result.made_from.parts[table]
        changed = sorted(name for name in parts | recorded if parts.get(name) != recorded.get(name))
        if changed:
            more = f" and {len(changed) - 1:,} more were" if changed[1:] else " was"
            raise UnreadableSummaryError(
                f"has a {NAME} that does not match the part files of {table}: {changed[0]}{more} added, removed or "
                "changed since it was made"
            )
    return result
