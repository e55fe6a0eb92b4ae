"""Write the folder of a published proof: figures, tables, rows, and their provenance."""

from __future__ import annotations

import json
import shlex
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from pipeline.configuration.keys import OF_EXECUTION
from pipeline.csv_text import csv_text
from pipeline.errors import ConfigError, OrchardError
from pipeline.proof.proof import COUNTED, KINDS, Answered, Proof, Unanswered
from pipeline.record.requested_keys import kept_configuration
from pipeline.reproduced.stamp import stamp
from pipeline.status.state import status_of
from pipeline.storage.atomic import in_object_store, write_atomically
from pipeline.storage.locations import contents, matching
from pipeline.storage.parts import missing, publish, read
from pipeline.storage.run_folders import RESULTS_TABLE
from pipeline.summary.tables import SummaryTable, Value
from pipeline.summary.verdicts import Verdict
from pipeline.words import first_of, out_of

if TYPE_CHECKING:
    import pyarrow as pa

    from pipeline.record.kept import KeptRun
    from pipeline.report.runs import ReportedRun

FIGURES, OUTCOMES, QUERIES, TABLES = "documents.csv", "outcomes.csv", "queries.sql", "tables.csv"
ROWS, STAMP, README = "rows", "stamp.yaml", "README.md"
NAMES = {FIGURES, OUTCOMES, QUERIES, TABLES, "tables", ROWS, STAMP, README}
LIMIT = 5_000_000
"""Size limit of the folder, in bytes."""
SPARE = 20_000
"""Bytes reserved in it for the README and the stamp, which are written last."""
MOST_NAMED = 4  # files named in a message
TEXT = """\
# What is reproduced

{sentence}

A figure is a number in a table of a document. A claim is a statement in its text. For every figure and claim of the
documents below, this folder has the result of a rerun at the paper's size, and the rows from which this result is
computed. The project's tests recompute a random sample of the rows, and compute all tables from the published rows.

{counts}

The verdicts that need an explanation are:

- *consistent*: the difference is not significant, but the sample is too small to show agreement;
- *misprint*: the paper or its data show another value, which agrees with ours;
- *follows*: the paper computed the figure from other printed figures, and one of these differs from ours;
- *impossible*: the figure contradicts the definitions or other figures of its paper;
- *open*: the test does not show whether the claim holds.

## Files

| | |
|---|---|
| `documents.csv` | for every printed figure: both values, the verdict and, if known, why the values differ |
| `outcomes.csv` | for every printed table: its outcome, and how many figures have each verdict |
| `queries.sql` | for each printed figure that our value contradicts: a query that shows why, or returns our value |
| `tables/GRID/TABLE.csv` | every summary table of the runs; `tables.csv` has their titles and notes |
| `rows/` | the result rows as Parquet, in the layout of `outputs/`, with the configuration of each run |
| `stamp.yaml` | commit, versions, machine, and the time that each run took |

## Query it

DuckDB reads any of these files. Orchard's own tools read the rows:

```sh
duckdb -c "select document, verdict, count(*) from 'reproduced/documents.csv' where counted group by all order by all"
python -m pipeline.query --output reproduced/rows "select grid, count(*) from results group by all"
python -m pipeline.show --output reproduced/rows --run {run}
```

## Reproduce it

```sh
python -m pipeline.documents data.folder=/my/data size=paper --publish reproduced
```

Publishing the same stored runs again gives the same files, except `stamp.yaml`. Pictures and drawn trees are not
published; the runs draw them.
{left_out}

If `output=` is a copy of `rows/`, the command computes only the rows that the copy lacks, and then all tables. The last
digits of the tables may differ, because they depend on the order in which rows are added up.

## Every printed table

{outcomes}
"""
OF_A_MACHINE = ("folder", "output")
"""Keys of a run's record that only apply to the machine that made it."""
SURE = 0.99
"""Safety factor on the share of rows that would fit if all had the same size."""


def check_folder(folder: Path) -> None:
    """Check that a proof can be published as this folder: it does not exist, is empty, or contains a published proof.

    Raises ConfigError: it is not a folder, or contains other files.
    """
    if in_object_store(folder) or (folder.exists() and not folder.is_dir()):
        raise ConfigError(f"--publish {folder} is not a folder: give a new folder, or a folder that this command wrote")
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    others = [name for name in names if name not in NAMES] or ([] if STAMP in names else names)
    if others:
        raise ConfigError(f"--publish {folder} contains other files: {first_of(others, MOST_NAMED)}; give a new folder")


def check_whole(answers: Mapping[str, Answered | Unanswered], stored: Iterable[KeptRun], again: str) -> None:
    """Check that each grid has a complete run of the paper's size.

    stored : all runs of the output folder
    again  : the command that makes all of them

    Raises ConfigError: some have none. The message names them and what exists instead.
    """
    stored = list(stored)
    lacking = [f"{grid}: {why}" for grid, answer in answers.items() if (why := _lacking(grid, answer, stored))]
    if lacking:
        raise ConfigError(
            f"nothing is published, because {out_of(len(lacking), len(answers), 'grid')} "
            f"{'lacks' if len(lacking) == 1 else 'lack'} a complete run of the paper's size; compute the missing runs "
            f"by {again}\n" + "\n".join(f"  {line}" for line in lacking)
        )


def _lacking(grid: str, answer: Answered | Unanswered, stored: Sequence[KeptRun]) -> str:
    """The reason why the run of a grid cannot be published; empty if it can be."""
    if isinstance(answer, Answered):
        sizes = ", ".join(map(" ".join, answer.fewer.items()))
        return f"run {answer.id} has another size: {sizes}" if sizes else ""
    if answer.why:
        return answer.why
    for status in filter(None, (status_of(run) for run in stored if run.name == grid)):
        if status.left:
            return f"run {status.run.id} is {status.state} with {status.progress} done"
    return "there is no run"


def publish_proof(folder: Path, proof: Proof, runs: Sequence[ReportedRun]) -> None:
    """Write a proof with the tables and rows of its runs, replacing the contents of the folder.

    The same runs give the same bytes, except for `stamp.yaml`.

    runs : with their summaries; runs that answer nothing are left out

    Raises OrchardError: rows are missing or damaged, or there are too many.
    """
    grids = {answer.run: answer.printed.grid for answer in proof.answers}
    runs = sorted((run for run in runs if grids.get(run.run.id) == run.run.name), key=lambda run: run.run.name)
    target = folder.absolute()
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as scratch:
        new, before = Path(scratch) / "new", Path(scratch) / "before"
        _write(new, proof, runs)
        try:
            if target.exists():
                target.rename(before)
            new.rename(target)
        except BaseException:  # such as Ctrl-C between the two
            if before.exists() and not target.exists():
                before.rename(target)
            raise


def _write(folder: Path, proof: Proof, runs: Sequence[ReportedRun]) -> None:
    """Write everything to a new folder."""
    write_atomically(folder / FIGURES, _bytes(proof.figures().as_csv()))
    write_atomically(folder / OUTCOMES, _bytes(proof.table().as_csv()))
    write_atomically(folder / QUERIES, _bytes(proof.queries()))
    tables: list[Sequence[str | int]] = [("grid", "table", "title", "rows", "note")]
    for run in runs:
        for table in run.tables:
            write_atomically(folder / "tables" / run.run.name / f"{table.name}.csv", _bytes(table.as_csv()))
            tables.append((run.run.name, table.name, table.title, len(table.rows), table.note))
        write_notes(run, folder / ROWS)
    write_atomically(folder / TABLES, _bytes(csv_text(tables)))
    rows = write_rows(runs, folder / ROWS, LIMIT - SPARE - size_of(folder))
    text = yaml.safe_dump(stamp(runs), allow_unicode=True, sort_keys=False)
    write_atomically(folder / STAMP, text.encode())
    write_atomically(folder / README, readme(proof, rows).encode())


def size_of(folder: Path) -> int:
    """Total size of the files in a folder, in bytes."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def readme(proof: Proof, rows: Sequence[PublishedRows]) -> str:
    """The README in Markdown.

    rows : the published rows, of each table of each run
    """
    outcomes = [
        (chapter.document.cited, answer.printed.name, answer.outcome, answer.sentence)
        for chapter in proof.chapters
        for answer in chapter.answers
    ]
    return TEXT.format(
        sentence=proof.sentence,
        counts=_markdown(("document", "kind", "printed", *COUNTED.values(), "not compared"), _counts(proof)),
        run=next((published.run.run.id for published in rows if _needs_no_data(published)), "ID"),
        left_out=_left_out(rows),
        outcomes=_markdown(("document", "printed", "outcome", "in words"), outcomes),
    )


def _needs_no_data(rows: PublishedRows) -> bool:
    """Whether a reader without data sets can rebuild the trees of these rows."""
    return "fingerprints" not in json.dumps(rows.run.run.record.identity)


def _counts(proof: Proof) -> Iterator[tuple[Value, ...]]:
    """The figures, or claims, of each document by verdict, each counted once."""
    for chapter in proof.chapters:
        paper = chapter.document
        for noun, claims in KINDS.items():
            counted = [
                answer for answer in chapter.answers if answer.printed.claims is claims and not answer.printed.again
            ]
            printed = sum(answer.printed.figures for answer in counted)
            if printed:
                counts = sum((answer.verdicts for answer in counted), Counter[Verdict]())
                left = printed - sum(counts[verdict] for verdict in COUNTED)
                numbers = (printed, *(counts[verdict] for verdict in COUNTED), left)
                yield (paper.cited, noun, *numbers)


def _left_out(rows: Sequence[PublishedRows]) -> str:
    """Describe the rows that are not published."""
    lines = [
        f"- `{part.table}` of `{part.run.run.name}` has {part.rows:,} of {part.all_rows:,} rows, those of the first "
        f"{part.items:,} of {part.all_items:,} {part.run.run.noun}. `{command_of(part.run)}` computes all rows."
        for part in rows
        if not part.whole
    ]
    if not lines:
        return "`rows/` has all rows of the runs."
    return "\n".join(["To keep the folder small, rows are left out:", "", *lines])


def _markdown(columns: Sequence[str], rows: Iterator[tuple[Value, ...]] | Sequence[tuple[Value, ...]]) -> str:
    """The lines of a table without its title and note."""
    text = SummaryTable("table", "", columns, list(rows), "").as_markdown()
    return "\n".join(line for line in text.splitlines() if line.startswith("|"))


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
    keys = (f"{key.name}={key.value}" for key in run.changed)
    return shlex.join(["python", "-m", "pipeline", f"+grid={run.run.name}", *keys])
