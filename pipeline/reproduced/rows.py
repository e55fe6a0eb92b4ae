"""The rows of published runs: an output folder like any other, small enough for a repository."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from pipeline.configuration.keys import OF_EXECUTION
from pipeline.errors import OrchardError
from pipeline.record.requested_keys import kept_configuration
from pipeline.storage.atomic import write_atomically
from pipeline.storage.locations import contents, matching
from pipeline.storage.parts import missing, publish, read
from pipeline.storage.run_folders import RESULTS_TABLE

if TYPE_CHECKING:
    import pyarrow as pa

    from pipeline.report.runs import ReportedRun

OF_A_MACHINE = ("folder", "output")
"""Keys of a run's record that only apply to the machine that made it."""
SURE = 0.99
"""Safety factor on the share of rows that would fit if all had the same size."""


@dataclass(frozen=True)
class PublishedRows:
    """The published rows of a run's table: those of its first `items` of `all_items`.

    path : of the part file that contains them
    rows : number of rows in it, of `all_rows`
    """

    run: ReportedRun
    table: str
    path: Path
    items: int
    all_items: int
    rows: int
    all_rows: int

    @property
    def whole(self) -> bool:
        """Whether no row is left out."""
        return self.items == self.all_items

    @property
    def size(self) -> int:
        """Size of the file in bytes."""
        return self.path.stat().st_size


def write_rows(runs: Iterable[ReportedRun], output: Path, limit: int) -> list[PublishedRows]:
    """Write the rows of runs to an output folder, one part file for each table, in at most `limit` bytes.

    If they do not fit, the last items of the largest results are left out.

    Raises OrchardError: a part file is missing or damaged, or tables other than results are too large.
    """
    result = [_written(run, table, output, run.run.items) for run in runs for table in run.run.tables]
    while (excess := sum(published.size for published in result) - limit) > 0:
        largest = max(result, key=lambda published: (published.table == RESULTS_TABLE, published.size))
        items = int(largest.items * (1 - excess / largest.size) * SURE)
        if largest.table != RESULTS_TABLE or items < 1:
            raise OrchardError(f"the rows to publish would have {excess + limit:,} bytes: expected {limit:,} at most")
        largest.path.unlink()
        result[result.index(largest)] = _written(largest.run, RESULTS_TABLE, output, items)
    return result


def _written(run: ReportedRun, table: str, output: Path, items: int) -> PublishedRows:
    """Write the rows of the first items of a table."""
    import pyarrow as pa

    kept = run.run
    scan = kept.scan(table)
    if missing(scan.parts, kept.items):
        why = "".join(f"; {path.name} {why}" for path, why in scan.rejected.items())
        raise OrchardError(
            f"run {kept.id} of grid {kept.name} lacks rows of {table}{why}; run its command again to make them"
        )
    whole: pa.Table = pa.concat_tables([read(part) for part in scan.parts]).combine_chunks()
    rows = whole if items == kept.items else whole.slice(0, items * kept.cells_per_item).combine_chunks()
    part = publish(rows, replace(kept, output=output).folder(table), kept.id, 0, items, dense=True)
    return PublishedRows(run, table, part.path, items, kept.items, rows.num_rows, whole.num_rows)


def write_notes(run: ReportedRun, output: Path) -> None:
    """Write record, configuration, versions and sessions of a run, without names and paths of its machine."""
    kept = run.run
    record_folder = replace(kept, output=output).record_folder
    machine = {name: value for name, value in kept.record.machine.items() if name != "host"}
    record = {name: value for name, value in asdict(kept.record).items() if name not in OF_A_MACHINE}
    record |= {"command": command_of(run), "machine": machine}
    write_atomically(record_folder / "run.json", json.dumps(record, indent=1).encode() + b"\n")
    configuration = {
        name: value for name, value in kept_configuration(kept.record_folder).items() if name not in OF_EXECUTION
    }
    if isinstance(data := configuration.get("data"), dict):
        configuration["data"] = data | {"folder": None, "own": None}
    text = yaml.safe_dump(configuration, allow_unicode=True, sort_keys=False)
    write_atomically(record_folder / "config.yaml", text.encode())
    for path in (kept.record_folder / "sessions.jsonl", *matching(kept.record_folder / "environments", "*.json")):
        write_atomically(record_folder / path.relative_to(kept.record_folder), contents(path))


def command_of(run: ReportedRun) -> str:
    """The command that makes the run again, on any machine."""
    keys: Sequence[str] = [f"{key.name}={key.value}" for key in run.keys if key.name in run.changed]
    return " ".join(["python -m pipeline", f"+grid={run.run.name}", *keys])
