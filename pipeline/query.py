"""`python -m pipeline.query "select …"`: ask the rows of all runs a question."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
from rich.markup import escape
from rich.table import Table

from pipeline.errors import ConfigError, OrchardError, OutputError
from pipeline.grids.base import RESULTS_TABLE
from pipeline.plan import GridRun
from pipeline.record.runs import kept_run, kept_runs
from pipeline.schema import RESULTS
from pipeline.screen import console, note
from pipeline.storage.parts import missing_from_any
from pipeline.storage.places import copies, located, storage_errors
from pipeline.summaries.tables import held_back

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["connection", "main"]

SHOWN_ROWS = 100


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer one question; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m pipeline.query",
        description="Ask the rows of all runs one question in SQL (DuckDB).",
        epilog=f'results has the columns grid, run, {", ".join(RESULTS.names)}, made_with; "group" is a word of SQL '
        "and needs its quotes. Some grids write more tables: graphs, tree_sets and fronts by uci_exact, steps and "
        "trees by worked_examples, classes and curves by compare_builders, depths by did_vs_c45, frontiers and "
        'descents by evo_vs_exact, data_sets by catalogue; "describe fronts" tells their columns.',
    )
    parser.add_argument("question", help='one SELECT, such as "select builder, avg(depth) from results group by 1"')
    parser.add_argument("--output", default="outputs", help="folder or address of the results (outputs)")
    parser.add_argument("--run", help="only the run of this id, or of one that begins so")
    parser.add_argument("--csv", action="store_true", help="all rows as CSV, in full precision")
    asked = parser.parse_args(arguments)
    try:
        output = located(asked.output)
        runs = kept_runs(output) if asked.run is None else [kept_run(output, asked.run)]
        if len(runs) > 1:
            note(f"asked of {len(runs)} runs: {', '.join(f'{run.id} ({run.name})' for run in runs)}; --run asks one")
        names, rows = _asked_of(runs, output, asked.question)
    except (OrchardError, duckdb.Error) as error:
        note(f"orchard query: {error}")
        return error.exit_status if isinstance(error, OrchardError) else 2
    except storage_errors() as error:
        print(f"orchard query: cannot read {asked.output}: {error}", file=sys.stderr)
        return OutputError.exit_status
    if asked.csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(map(held_back, names))
        writer.writerows([held_back(value) if isinstance(value, str) else value for value in row] for row in rows)
    else:
        console().print(_table(names, rows[:SHOWN_ROWS]))
        if len(rows) > SHOWN_ROWS:
            note(f"the first {SHOWN_ROWS} of {len(rows):,} rows; --csv gives all")
    return 0


@contextmanager
def connection(runs: Sequence[GridRun], output: Path) -> Iterator[DuckDBPyConnection]:
    """A database with a view per table over the verified parts of runs below an output folder, shut to all else.

    Parts in an object store are fetched, each once and verified as it comes, to a folder that is gone afterwards.

    Raises
    ------
    ConfigError
        There are no results.
    """
    with copies(output) as folder:
        files = _files(runs, folder)
        if not files.get(RESULTS_TABLE):
            msg = f"no complete part in {output} yet: let the run go on, or start it again"
            raise ConfigError(msg)
        with duckdb.connect() as database:
            for table, parts in files.items():
                database.read_parquet(parts, hive_partitioning=True, union_by_name=True).create_view(table)
            database.execute(
                "SET allowed_paths = $files", {"files": [path for paths in files.values() for path in paths]}
            )
            database.execute("SET enable_external_access = false")
            database.execute("SET lock_configuration = true")
            yield database


def _files(runs: Sequence[GridRun], copies: Path | None) -> dict[str, list[str]]:
    """The verified parts of the runs by table, or copies of them; tables without any are left out."""
    files: dict[str, list[str]] = {}
    for run in runs:
        found_by_table = {table: run.scan(table, copies) for table in run.grid.tables}
        lacking = missing_from_any((found.parts for found in found_by_table.values()), run.grid.items)
        if lacking:
            items = sum(stop - first for first, stop in lacking)
            note(
                f"{items:,} of {run.grid.items:,} {run.grid.noun} of run {run.id} are not there; its command makes them"
            )
        for table, found in found_by_table.items():
            if found.parts:
                files.setdefault(table, []).extend(str(part.path) for part in found.parts)
            for path, why in found.rejected.items():
                note(f"left out: {path} {why}")
    return files


def _asked_of(runs: Sequence[GridRun], output: Path, question: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The answer of the runs, asked again where parts were merged while they were read."""
    try:
        with connection(runs, output) as database:
            return _answer(database, question)
    except duckdb.IOException:
        with connection(runs, output) as database:
            return _answer(database, question)


def _answer(database: DuckDBPyConnection, question: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    statements = database.extract_statements(question)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        msg = "expected one SELECT: results are read here, never written"
        raise ConfigError(msg)
    result = database.execute(statements[0])
    return [column[0] for column in result.description or []], result.fetchall()


def _table(names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> Table:
    shown = Table()
    for place, name in enumerate(names):
        numeric = all(isinstance(row[place], int | float | None) for row in rows)
        shown.add_column(escape(name), justify="right" if numeric and rows else "left")
    for row in rows:
        shown.add_row(*(_cell(value) for value in row))
    return shown


def _cell(value: Any) -> str:
    if value is None:
        return "[dim]null[/]"
    return f"{value:.6g}" if isinstance(value, float) else escape(str(value))


if __name__ == "__main__":
    from pipeline.command import main as orchard

    sys.exit(orchard(["query", *sys.argv[1:]]))
